/* BM25 in the forms of `helpers.retrieval.bm25.VARIANTS`. A score is the sum, over the terms of the query (repeats
   counted), of idf(t) times the weight of t in the document. `norm` is 1 - b + b * length / mean length. */
var MeasureFirst = window.MeasureFirst || {};

(function (our) {
  "use strict";

  function lucene(df, n) { return Math.log(1 + (n - df + 0.5) / (df + 0.5)); }
  function logOdds(df, n) { return Math.log((n - df + 0.5) / (df + 0.5)); }
  function saturated(tf, norm, k1) { return tf / (tf + k1 * norm); }
  function scaled(tf, norm, k1) { return (k1 + 1) * tf / (tf + k1 * norm); }
  function nothing() { return 0; }

  // `floor`: what becomes of an idf below zero, given the idf of every term of the collection.
  our.bm25Variants = {
    lucene: { idf: lucene, weight: saturated, absent: nothing },
    robertson: { idf: function (df, n) { return Math.max(logOdds(df, n), 0); }, weight: saturated, absent: nothing },
    atire: { idf: function (df, n) { return Math.log(n / df); }, weight: scaled, absent: nothing },
    bm25l: {
      idf: function (df, n) { return Math.log((n + 1) / (df + 0.5)); },
      weight: function (tf, norm, k1, delta) {
        return (k1 + 1) * (tf / norm + delta) / (k1 + tf / norm + delta);
      },
      absent: function (k1, delta) { return delta ? (k1 + 1) * delta / (k1 + delta) : 0; },
      delta: 0.5
    },
    "bm25+": {
      idf: function (df, n) { return Math.log((n + 1) / df); },
      weight: function (tf, norm, k1, delta) { return scaled(tf, norm, k1) + delta; },
      absent: function (k1, delta) { return delta; },
      delta: 1
    },
    "rank-bm25": {
      idf: logOdds, weight: scaled, absent: nothing,
      floor: function (idf, all) {
        var mean = all.reduce(function (sum, value) { return sum + value; }, 0) / Math.max(all.length, 1);
        return idf < 0 ? 0.25 * mean : idf;
      }
    }
  };

  /* `counts` is a list of documents, each {term: times}; `query` a list of terms. Gives for each document its
     length and score, and for each term of the query its df, idf, count, weight and share of the score. */
  our.bm25 = function (counts, query, variant, k1, b) {
    var form = our.bm25Variants[variant], delta = form.delta || 0, n = counts.length;
    var df = {}, lengths = counts.map(function (document) {
      return Object.keys(document).reduce(function (sum, term) {
        if (document[term] > 0) { df[term] = our.gradeOf(df, term) + 1; }
        return sum + document[term];
      }, 0);
    });
    var mean = lengths.reduce(function (sum, length) { return sum + length; }, 0) / n || 1;
    var all = Object.keys(df).map(function (term) { return form.idf(df[term], n); });
    function idfOf(term) {
      if (!our.gradeOf(df, term)) { return 0; }
      var idf = form.idf(df[term], n);
      return form.floor ? form.floor(idf, all) : idf;
    }
    return counts.map(function (document, i) {
      var norm = 1 - b + b * lengths[i] / mean;
      var terms = query.map(function (term) {
        var tf = our.gradeOf(document, term), idf = idfOf(term);
        var weight = tf ? form.weight(tf, norm, k1, delta) : form.absent(k1, delta);
        return { term: term, tf: tf, df: our.gradeOf(df, term), idf: idf, weight: weight, share: idf * weight };
      });
      var score = terms.reduce(function (sum, term) { return sum + term.share; }, 0);
      return { length: lengths[i], norm: norm, terms: terms, score: score };
    });
  };
})(MeasureFirst);

window.MeasureFirst = MeasureFirst;
