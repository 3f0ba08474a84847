/* Whole runs under `Conventions`, as `helpers.evaluation.evaluate_retrieval` has them. A run is {query: [[id, score],
   ...]} in the order given; qrels are {query: {id: grade}}. Needs metrics.js. */
var MeasureFirst = window.MeasureFirst || {};

(function (our) {
  "use strict";

  our.trec = {
    gain: "linear", ties: "doc_id down", precision: "k", missing_query: "zero", no_relevant: "zero",
    unjudged: "not relevant", discount: "today"
  };

  function below(one, other) { return one < other ? 1 : one > other ? -1 : 0; }

  /* The ids of one query's results, best first. */
  our.ranking = function (results, ties) {
    var single = ties === "doc_id down";
    var compared = results.map(function (pair) { return { id: pair[0], score: single ? Math.fround(pair[1]) : pair[1] }; });
    // The sort keeps the order given where it finds two equal.
    compared.sort(function (a, b) { return b.score - a.score || (single ? below(a.id, b.id) : 0); });
    return compared.map(function (result) { return result.id; });
  };

  function discounted(grades, chosen) {
    if (chosen.discount === "2002") {
      return grades.reduce(function (sum, grade, i) {
        return sum + our.gain(grade, chosen.gain) / Math.max(1, Math.log2(i + 1));
      }, 0);
    }
    return our.discounted(grades, chosen.gain);
  }

  our.queryMetrics = {
    "nDCG": function (ranked, grades, k, chosen) {
      var best = discounted(our.idealAtK(grades, k), chosen);
      var got = ranked.slice(0, k).map(function (id) { return Math.max(our.gradeOf(grades, id), 0); });
      return best ? discounted(got, chosen) / best : 0;
    },
    "P": function (ranked, grades, k, chosen) {
      var ranks = chosen.precision === "k" ? k : Math.min(k, ranked.length);
      return ranks ? our.precisionAtK(ranked, grades, k) * k / ranks : 0;
    },
    "Recall": our.recallAtK,
    "MRR": our.reciprocalRank,
    "MAP": our.averagePrecision
  };

  /* The metric of each query in the mean, the mean, and which queries were missing, empty or left out. */
  our.evaluate = function (run, qrels, metric, k, chosen) {
    var found = { perQuery: {}, missing: [], noRelevant: [] }, sum = 0, n = 0;
    Object.keys(qrels).forEach(function (query) {
      var grades = qrels[query], isMissing = !Object.prototype.hasOwnProperty.call(run, query);
      var isEmpty = !our.idealAtK(grades).length;
      if (isMissing) { found.missing.push(query); }
      if (isEmpty) { found.noRelevant.push(query); }
      if (isMissing && chosen.missing_query === "left out") { return; }
      if (isEmpty && chosen.no_relevant === "left out") { return; }
      var ranked = our.ranking(isMissing ? [] : run[query], chosen.ties);
      if (chosen.unjudged === "condensed") {
        ranked = ranked.filter(function (id) { return Object.prototype.hasOwnProperty.call(grades, id); });
      }
      found.perQuery[query] = our.queryMetrics[metric](ranked, grades, k, chosen);
      sum += found.perQuery[query];
      n += 1;
    });
    found.n = n;
    found.mean = n ? sum / n : null;
    return found;
  };

  /* The judgments with other grades: helping pages as good as answers, or worth nothing. */
  our.regraded = function (qrels, grades) {
    return mapped(qrels, function (query, id, grade) {
      return grades === "yes or no" ? Math.min(grade, 1) : grades === "answers only" ? (grade >= 2 ? grade : 0) : grade;
    });
  };

  /* The judgments as somebody has them who takes what was retrieved for all there is. */
  our.retrievedOnly = function (qrels, run) {
    return mapped(qrels, function (query, id, grade) {
      return (run[query] || []).some(function (pair) { return pair[0] === id; }) ? grade : 0;
    });
  };

  function mapped(qrels, change) {
    var changed = {};
    Object.keys(qrels).forEach(function (query) {
      changed[query] = {};
      Object.keys(qrels[query]).forEach(function (id) {
        changed[query][id] = change(query, id, qrels[query][id]);
      });
    });
    return changed;
  }
})(MeasureFirst);

window.MeasureFirst = MeasureFirst;
