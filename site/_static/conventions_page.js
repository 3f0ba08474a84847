/* The conventions lab. Needs metrics.js, conventions.js, ui.js and lab_data.js. */
(function (our) {
  "use strict";
  var SWITCHES = [
    ["gain", "gain", [["linear", "linear: the grade"], ["exponential", "exponential: 2^grade − 1"]]],
    ["ties", "equal scores", [["doc_id down", "doc_id down, scores as 32-bit floats"], ["as given", "as the engine gave them"]]],
    ["missing_query", "a judged query without results", [["zero", "counts 0"], ["left out", "is left out"]]],
    ["no_relevant", "a query with nothing relevant", [["zero", "counts 0"], ["left out", "is left out"]]],
    ["precision", "P@k divides by", [["k", "k"], ["retrieved", "min(k, retrieved)"]]],
    ["unjudged", "an unjudged page", [["not relevant", "is not relevant"], ["condensed", "is taken out of the ranking"]]],
    ["grades", "grades", [["as judged", "as judged, 0 to 2"], ["yes or no", "a page that helps is as good as an answer"],
      ["answers only", "a page that merely helps is worth nothing"]]],
    ["ideal", "the ideal ranking is made of", [["all", "all that was judged"], ["retrieved", "what was retrieved"]]],
    ["discount", "discount of nDCG", [["today", "log₂(rank + 1)"], ["2002", "that of 2002: ranks 1 and 2 in full"]]]
  ];
  var METRICS = [["nDCG", 10], ["P", 10], ["Recall", 10], ["MRR", null], ["MAP", null]];
  var place = document.getElementById("conventions-piece");
  var standard = Object.assign({}, our.trec, { grades: "as judged", ideal: "all" });
  var chosen = Object.assign({}, standard), judgments = "all", metric = "nDCG";
  var results = our.element("div", {}), answer = our.element("p", { role: "status" }), selects = {};

  function evaluated(metric, conventions) {
    var qrels = our.lab.qrels;
    if (judgments === "pool") {
      qrels = {};
      Object.keys(our.lab.qrels).forEach(function (query) {
        qrels[query] = {};
        our.lab.pool[query].forEach(function (id) { qrels[query][id] = our.lab.qrels[query][id]; });
      });
    }
    qrels = our.regraded(qrels, conventions.grades);
    if (conventions.ideal === "retrieved") { qrels = our.retrievedOnly(qrels, our.lab.run); }
    var k = METRICS.find(function (pair) { return pair[0] === metric; })[1];
    return our.evaluate(our.lab.run, qrels, metric, k, conventions);
  }

  function named(pair) { return pair[1] ? pair[0] + "@" + pair[1] : pair[0]; }

  function show() {
    var found = {}, usual = {};
    METRICS.forEach(function (pair) {
      found[pair[0]] = evaluated(pair[0], chosen);
      usual[pair[0]] = evaluated(pair[0], standard);
    });
    var rows = METRICS.map(function (pair) {
      var now = found[pair[0]], then = usual[pair[0]];
      return [named(pair), our.fixed(now.mean), our.change(now.mean - then.mean), our.fixed(then.mean)];
    });
    our.replace(results, [
      our.table("The mean of each metric as you chose, and as trec_eval -c has it", ["metric", "as chosen", "change", "trec_eval -c"], rows),
      perQuery(found[metric], usual[metric])
    ]);
    var differs = SWITCHES.filter(function (one) { return chosen[one[0]] !== standard[one[0]]; });
    answer.textContent = (differs.length ? "Differs from trec_eval -c in: " + differs.map(function (one) {
      return one[1] + " " + one[2].find(function (option) { return option[0] === chosen[one[0]]; })[1];
    }).join("; ") + "." : "These are the conventions of trec_eval -c.") + " The mean is over " + found.nDCG.n +
      " of 30 queries; nDCG@10 = " + our.fixed(found.nDCG.mean) + ".";
  }

  function perQuery(now, then) {
    var moved = Object.keys(now.perQuery).filter(function (query) {
      return Math.abs(now.perQuery[query] - then.perQuery[query]) > 1e-9;
    });
    var label = METRICS.filter(function (pair) { return pair[0] === metric; }).map(named)[0];
    if (!moved.length) { return our.element("p", {}, "No query has another " + label + " than with trec_eval -c."); }
    return our.table(moved.length + " of " + Object.keys(our.lab.qrels).length + " queries have another " + label,
      ["query", "as chosen", "change", "trec_eval -c"], moved.map(function (query) {
        return [query, our.fixed(now.perQuery[query]), our.change(now.perQuery[query] - then.perQuery[query]),
          our.fixed(then.perQuery[query])];
      }));
  }

  var controls = SWITCHES.map(function (one) {
    selects[one[0]] = our.select(one[2], chosen[one[0]], function (value) { chosen[one[0]] = value; show(); });
    return our.labelled(one[1], selects[one[0]]);
  });
  our.replace(place, [
    our.element("div", { class: "controls" }, controls.concat([
      our.labelled("judgments", our.select([["all", "every page of the wiki"], ["pool", "only the pool of six other systems"]],
        judgments, function (value) { judgments = value; show(); })),
      our.labelled("show the queries by", our.select(METRICS.map(function (pair) { return [pair[0], named(pair)]; }), metric,
        function (value) { metric = value; show(); })),
      our.element("button", { type: "button", class: "back", onclick: function () {
        chosen = Object.assign({}, standard);
        Object.keys(selects).forEach(function (name) { selects[name].value = standard[name]; });
        show();
      } }, "Back to trec_eval -c")
    ])),
    answer, results
  ]);
  show();
})(window.MeasureFirst);
