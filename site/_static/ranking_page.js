/* Drag the ranking. Needs metrics.js and ui.js. */
(function (our) {
  "use strict";
  var START = [["d1", 1], ["d2", 0], ["d3", 2], ["d4", null], ["d5", 1], ["d9", 2]];
  var GRADES = [["", "unjudged"], ["0", "0: useless"], ["1", "1: helps"], ["2", "2: answers"], ["3", "3: perfect"]];
  var place = document.getElementById("ranking-piece");
  var items = START.map(function (pair) { return { id: pair[0], grade: pair[1] }; });
  var found = 5, k = 5, gain = "linear", before = null, dragged = null;
  var list = our.element("ol", { class: "ranking" }), spoken = our.spoken(), numbers = our.element("div", {});
  var divider = our.element("li", { class: "divider" }, "exist, but were not found");

  items.forEach(function (item) {
    item.rank = our.element("span", { class: "rank" });
    item.up = our.element("button", { type: "button", onclick: function () { move(item, -1, item.up); } }, "▲");
    item.down = our.element("button", { type: "button", onclick: function () { move(item, 1, item.down); } }, "▼");
    item.select = our.select(GRADES, item.grade === null ? "" : item.grade, function (value) {
      item.grade = value === "" ? null : Number(value);
      show(item.id + " has now " + (value === "" ? "no grade" : "the grade " + value));
    });
    item.select.setAttribute("aria-label", "grade of " + item.id);
    item.up.setAttribute("aria-label", "move " + item.id + " up");
    item.down.setAttribute("aria-label", "move " + item.id + " down");
    var handle = our.element("span", { class: "handle", "aria-hidden": "true", title: "drag me" }, "⠿");
    item.node = our.element("li", {}, [
      handle, item.rank, our.element("span", { class: "doc" }, item.id), item.select, item.up, item.down
    ]);
    item.node.addEventListener("pointerdown", function (event) {
      if (event.target.closest("button, select")) { return; }
      // A finger on the row scrolls the page; only on the handle it drags.
      if (event.pointerType === "touch" && !event.target.closest(".handle")) { return; }
      event.preventDefault();
      dragged = item;
      item.node.classList.add("dragged");
    });
  });

  document.addEventListener("pointermove", function (event) {
    if (!dragged) { return; }
    // The place of the dragged row: below every row, the divider included, whose middle is above the pointer.
    var rows = Array.from(list.children).filter(function (row) { return row !== dragged.node; });
    var above = rows.filter(function (row) {
      var box = row.getBoundingClientRect();
      return box.top + box.height / 2 < event.clientY;
    }).length;
    var order = rows.map(function (row) { return row === divider ? null : itemOf(row); });
    order.splice(above, 0, dragged);
    arrange(order);
  });

  ["pointerup", "pointercancel"].forEach(function (kind) {
    document.addEventListener(kind, function () {
      if (dragged) { dragged.node.classList.remove("dragged"); }
      dragged = null;
    });
  });

  function itemOf(row) { return items.find(function (item) { return item.node === row; }); }

  /* `order`: the items from the top, null where the divider is. */
  function arrange(order) {
    var next = order.filter(Boolean), cut = order.indexOf(null);
    if (cut === found && next.every(function (item, i) { return item === items[i]; })) { return; }
    items = next;
    found = cut;
    show(whereIs(dragged));
  }

  function move(item, step, button) {
    var order = items.slice();
    order.splice(found, 0, null);
    var from = order.indexOf(item), to = from + step;
    if (to < 0 || to >= order.length) { return; }
    order.splice(from, 1);
    order.splice(to, 0, item);
    items = order.filter(Boolean);
    found = order.indexOf(null);
    show(whereIs(item));
    (button.disabled ? (button === item.up ? item.down : item.up) : button).focus();
  }

  function whereIs(item) {
    var at = items.indexOf(item);
    return item.id + (at < found ? " is now at rank " + (at + 1) : " is now not found");
  }

  function judged() {
    var grades = {};
    items.forEach(function (item) { if (item.grade !== null) { grades[item.id] = item.grade; } });
    return grades;
  }

  function show(what) {
    var grades = judged(), retrieved = items.slice(0, found).map(function (item) { return item.id; });
    items.forEach(function (item, i) {
      list.append(item.node);
      item.rank.textContent = i < found ? i + 1 : "–";
      item.up.disabled = i === 0 && found > 0;
      item.down.disabled = i === items.length - 1 && i >= found;
    });
    list.insertBefore(divider, found < items.length ? items[found].node : null);
    var rows = our.rankingRows(retrieved, grades, k, gain);
    our.replace(numbers, our.table("The metrics of this ranking, with the numbers put in",
      ["metric", "value", "change", "computed as"],
      rows.map(function (row, i) {
        return [row.name, our.fixed(row.value), our.change(before ? row.value - before[i] : 0),
          our.element("span", { class: "formula" }, row.formula)];
      })));
    before = rows.map(function (row) { return row.value; });
    spoken.textContent = what ? what + ". " + rows.filter(function (row) { return /^(AP|nDCG)/.test(row.name); })
      .map(function (row) { return row.name + " " + our.fixed(row.value); }).join(", ") + "." : "";
  }

  /* Each metric with its formula filled in, as plain text. */
  our.rankingRows = function (retrieved, grades, k, gain) {
    var by = retrieved.map(function (id) { return Math.max(our.gradeOf(grades, id), 0); });
    var top = by.slice(0, k), ideal = our.idealAtK(grades, k), all = our.idealAtK(grades).length, seen = 0;
    var yes = top.map(function (grade) { return grade > 0 ? 1 : 0; });
    while (yes.length < k && yes.length < 10) { yes.push(0); }
    var precisions = by.map(function (grade, i) { return grade > 0 ? (seen += 1) + "/" + (i + 1) : ""; }).filter(Boolean);
    while (precisions.length < all) { precisions.push("0"); }
    var first = by.findIndex(function (grade) { return grade > 0; }) + 1;
    function sum(terms) { return terms.length ? terms.join(" + ") : "0"; }
    function discounted(grades) {
      return sum(grades.map(function (grade, i) {
        return grade > 0 ? our.gain(grade, gain) + "/log₂ " + (i + 2) : "";
      }).filter(Boolean));
    }
    var hits = yes.filter(Boolean).length, dcg = our.dcgAtK(retrieved, grades, k, gain);
    var best = our.discounted(ideal, gain);
    return [
      { name: "P@" + k, formula: "(" + sum(yes) + ") / " + k, value: our.precisionAtK(retrieved, grades, k) },
      { name: "Recall@" + k, formula: all ? hits + " / " + all : "nothing is relevant: 0",
        value: our.recallAtK(retrieved, grades, k) },
      { name: "reciprocal rank", formula: first ? "1 / " + first : "none found: 0",
        value: our.reciprocalRank(retrieved, grades) },
      { name: "AP", formula: all ? "(" + sum(precisions) + ") / " + all : "nothing is relevant: 0",
        value: our.averagePrecision(retrieved, grades) },
      { name: "DCG@" + k, formula: discounted(top), value: dcg },
      { name: "ideal DCG@" + k, formula: discounted(ideal), value: best },
      { name: "nDCG@" + k, formula: best ? our.fixed(dcg) + " / " + our.fixed(best) : "nothing is relevant: 0",
        value: our.ndcgAtK(retrieved, grades, k, gain) }
    ];
  };

  var controls = our.element("div", { class: "controls" }, [
    our.labelled("k, where the list is cut", our.select([1, 2, 3, 4, 5, 10].map(function (n) { return [n, n]; }), k,
      function (value) { k = Number(value); before = null; show("k is " + value); })),
    our.labelled("gain in DCG", our.select([["linear", "linear: the grade"], ["exponential", "exponential: 2^grade − 1"]],
      gain, function (value) { gain = value; show("gain is " + value); }))
  ]);
  our.replace(place, [controls, list, spoken, numbers]);
  show("");
})(window.MeasureFirst);
