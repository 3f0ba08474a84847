/* How many queries? Needs power.js and ui.js, and lab_data.js for the spreads that were measured. */
(function (our) {
  "use strict";
  var SIZES = [5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000,
    3000, 5000];
  var WIDTH = 640, HEIGHT = 300, LEFT = 52, BOTTOM = 40, SVG = "http://www.w3.org/2000/svg";
  var place = document.getElementById("power-piece");
  var state = { n: 30, effect: 0.05, deviation: 0.2, alpha: 0.05 };
  var figure = our.element("div", { class: "piece-figure", tabindex: "0", role: "group", "aria-label": "figure" }), answer = our.element("p", { role: "status" });
  var chosen = our.element("select", { onchange: function () {
    if (chosen.value) { spread.value = chosen.value; state.deviation = Number(chosen.value); show(); }
  } }, [our.element("option", { value: "" }, "choose a comparison")].concat(our.spreads.map(function (measured) {
    return our.element("option", { value: measured[1] }, measured[0] + ": " + measured[1]);
  })));
  var effect = number("effect", 0.001, 1, 0.005), spread = number("deviation", 0.001, 2, 0.005);

  function number(name, min, max, step) {
    var control = our.element("input", { type: "number", min: min, max: max, step: step, value: state[name],
      oninput: function () {
        var value = Number(control.value);
        if (value >= min && value <= max) { state[name] = value; show(); }
      } });
    return control;
  }

  function svg(tag, attributes, text) {
    var node = document.createElementNS(SVG, tag);
    Object.keys(attributes).forEach(function (name) { node.setAttribute(name, attributes[name]); });
    if (text !== undefined) { node.textContent = text; }
    return node;
  }

  function across(n) {
    var low = Math.log(SIZES[0]), high = Math.log(SIZES[SIZES.length - 1]);
    return LEFT + (Math.log(n) - low) / (high - low) * (WIDTH - LEFT - 24);
  }

  function up(power) { return HEIGHT - BOTTOM - power * (HEIGHT - BOTTOM - 30); }

  function drawn(words) {
    var picture = svg("svg", { viewBox: "0 0 " + WIDTH + " " + HEIGHT, role: "img", "aria-label": words });
    [0, 0.2, 0.4, 0.6, 0.8, 1].forEach(function (power) {
      picture.append(svg("line", { x1: LEFT, x2: WIDTH - 24, y1: up(power), y2: up(power),
        class: power === 0.8 ? "target" : "grid" }));
      picture.append(svg("text", { x: LEFT - 8, y: up(power) + 4, "text-anchor": "end" }, power.toFixed(1)));
    });
    [5, 10, 30, 100, 300, 1000, 5000].forEach(function (n) {
      picture.append(svg("text", { x: across(n), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, n));
    });
    picture.append(svg("text", { x: WIDTH / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "queries (n)"));
    picture.append(svg("text", { x: LEFT - 8, y: 14, "text-anchor": "end" }, "power"));
    var points = SIZES.map(function (n) {
      return across(n) + "," + up(our.normalPower(n, state.effect, state.deviation, state.alpha));
    });
    picture.append(svg("polyline", { points: points.join(" "), class: "curve" }));
    var power = our.normalPower(state.n, state.effect, state.deviation, state.alpha);
    picture.append(svg("circle", { cx: across(state.n), cy: up(power), r: 6, class: "dot" }));
    return picture;
  }

  function show() {
    var power = our.normalPower(state.n, state.effect, state.deviation, state.alpha);
    var needed = our.queriesNeeded(state.effect, state.deviation, 0.8, state.alpha);
    answer.textContent = state.n + " queries detect a true difference of " + state.effect + " with a power of " +
      our.fixed(power, 3) + ": in " + Math.round(power * 100) + " of 100 test sets p is below " + state.alpha + ". " +
      (needed === null ? "A million queries do not reach a power of 0.8." :
        "For a power of 0.8 it takes " + needed.toLocaleString("en") + " queries.");
    our.replace(figure, drawn("Power by the number of queries; " + answer.textContent));
  }

  our.replace(place, [
    our.element("div", { class: "controls" }, [
      our.slider("queries (n)", { min: 0, max: SIZES.length - 1, step: 1, value: SIZES.indexOf(state.n) },
        function (at) { return String(SIZES[at]); }, function (at) { state.n = SIZES[at]; show(); }),
      our.labelled("effect: the true mean difference", effect),
      our.labelled("spread: standard deviation of the differences", spread),
      our.labelled("… or as it was between", chosen),
      our.labelled("alpha", our.select([[0.01, "0.01"], [0.05, "0.05"], [0.1, "0.10"]], state.alpha, function (value) {
        state.alpha = Number(value);
        show();
      }))
    ]),
    answer, figure
  ]);
  show();
})(window.MeasureFirst);
