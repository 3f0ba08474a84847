/* The BM25 dial. Needs metrics.js, bm25.js and ui.js. */
(function (our) {
  "use strict";
  var TEXTS = [
    "The relay restarts. The relay restarts again. A relay that restarts is a relay without memory.",
    "Give the relay more memory.",
    "Restarts of the database: first stop the writers, then wait until the queue is empty, then take a copy, then " +
      "start it with more memory. The relay is not needed for that, and the memory of the relay stays as it is."
  ];
  var FORMS = [
    ["lucene", "Lucene: ln(1 + (N − df + ½) / (df + ½))"],
    ["robertson", "robertson: ln((N − df + ½) / (df + ½)), never below 0"],
    ["rank-bm25", "rank-bm25: the same, below 0 a quarter of the mean"],
    ["atire", "ATIRE: ln(N / df)"],
    ["bm25l", "BM25L: ln((N + 1) / (df + ½)), long documents shifted by 0.5"],
    ["bm25+", "BM25+: ln((N + 1) / df), every weight plus 1"]
  ];
  var place = document.getElementById("bm25-piece");
  var state = { texts: TEXTS.slice(), query: "relay memory", k1: 0.9, b: 0.4, form: "lucene", order: null };
  var results = our.element("div", {}), spoken = our.spoken();

  function words(text) { return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || []; }

  function counted(text) {
    var counts = {};
    words(text).forEach(function (term) { counts[term] = our.gradeOf(counts, term) + 1; });
    return counts;
  }

  function show() {
    var query = words(state.query);
    var scored = our.bm25(state.texts.map(counted), query, state.form, state.k1, state.b);
    var order = [0, 1, 2].sort(function (a, b) { return scored[b].score - scored[a].score; });
    var highest = Math.max.apply(null, scored.map(function (document) { return document.score; }).concat(1e-9));
    var head = ["", "score"].concat(query, ["length", "norm"]);
    var rows = order.map(function (i, at) {
      var document = scored[i], bar = our.element("span", { class: "bar", "aria-hidden": "true" });
      bar.style.width = Math.max(document.score / highest, 0) * 3 + "rem";
      return [(at + 1) + ". document " + (i + 1), our.element("span", {}, [our.fixed(document.score, 3), " ", bar])]
        .concat(document.terms.map(function (term) {
          return our.element("span", { class: "formula" }, ["tf " + term.tf + ":", our.element("br"),
            our.fixed(term.idf, 3) + " · " + our.fixed(term.weight, 3) + " = " + our.fixed(term.share, 3)]);
        }), [String(document.length), our.fixed(document.norm, 2)]);
    });
    our.replace(results, our.table("Each word's idf times its weight, and their sum; best first", head, rows));
    var now = order.map(function (i) { return i + 1; }).join(", ");
    if (state.order !== null && state.order !== now) { spoken.textContent = "The order is now " + now + "."; }
    state.order = now;
  }

  function setter(name) { return function (value) { state[name] = value; show(); }; }
  function two(value) { return value.toFixed(2); }

  var texts = state.texts.map(function (text, i) {
    var area = our.element("textarea", { rows: 3, oninput: function () { state.texts[i] = area.value; show(); } }, text);
    return our.labelled("document " + (i + 1), area);
  });
  var query = our.element("input", { type: "text", value: state.query, oninput: function () { setter("query")(query.value); } });
  our.replace(place, [
    our.element("div", { class: "texts" }, texts),
    our.element("div", { class: "controls" }, [
      our.labelled("query", query),
      our.slider("k₁: how long repeats count", { min: 0, max: 3, step: 0.05, value: state.k1 }, two, setter("k1")),
      our.slider("b: how much length counts", { min: 0, max: 1, step: 0.05, value: state.b }, two, setter("b")),
      our.labelled("form", our.select(FORMS, state.form, setter("form")))
    ]),
    spoken, results
  ]);
  show();
})(window.MeasureFirst);
