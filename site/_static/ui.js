/* What the four pages share: making elements, labelled controls, numbers in words, and a line that is read aloud. */
var MeasureFirst = window.MeasureFirst || {};

(function (our) {
  "use strict";
  var made = 0;

  /* An element: attributes by name, `on...` as listeners, children as elements or text. */
  our.element = function (tag, attributes, children) {
    var node = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      if (name.slice(0, 2) === "on") {
        node.addEventListener(name.slice(2), attributes[name]);
      } else if (attributes[name] !== null && attributes[name] !== false) {
        node.setAttribute(name, attributes[name] === true ? "" : attributes[name]);
      }
    });
    [].concat(children === undefined ? [] : children).forEach(function (child) {
      node.append(child);
    });
    return node;
  };

  /* A control with its label; `control` is an element. */
  our.labelled = function (words, control) {
    made += 1;
    control.id = control.id || "control-" + made;
    return our.element("div", { class: "control" }, [our.element("label", { for: control.id }, words), control]);
  };

  /* A list to choose from: options are [value, words]. */
  our.select = function (options, chosen, changed) {
    var control = our.element("select", { onchange: function () { changed(control.value); } },
      options.map(function (option) {
        return our.element("option", { value: option[0], selected: String(option[0]) === String(chosen) }, option[1]);
      }));
    return control;
  };

  /* A slider with its value beside it. `words` turns the position into what is shown. */
  our.slider = function (label, settings, words, changed) {
    var shown = our.element("output", {}, words(settings.value));
    var control = our.element("input", {
      type: "range", min: settings.min, max: settings.max, step: settings.step, value: settings.value,
      oninput: function () {
        shown.textContent = words(Number(control.value));
        control.setAttribute("aria-valuetext", shown.textContent);
        changed(Number(control.value));
      }
    });
    var box = our.labelled(label, control);
    shown.setAttribute("for", control.id);
    box.append(shown);
    return box;
  };

  /* A table: `rows` are lists of cells (text or elements), the first of each names its row. It can be scrolled by
     keyboard where it is wider than the screen. */
  our.table = function (caption, head, rows) {
    var body = rows.map(function (cells) {
      return our.element("tr", {}, cells.map(function (cell, i) {
        return our.element(i ? "td" : "th", i ? {} : { scope: "row" }, [cell]);
      }));
    });
    var table = our.element("table", { class: "piece-table" }, [
      our.element("thead", {}, our.element("tr", {}, head.map(function (cell) {
        return our.element("th", { scope: "col" }, cell);
      }))),
      our.element("tbody", {}, body)
    ]);
    return our.element("div", {}, [
      our.element("p", { class: "piece-caption", "aria-hidden": "true" }, caption),
      our.element("div", { class: "piece-scroll", tabindex: "0", role: "region", "aria-label": caption }, table)
    ]);
  };

  our.fixed = function (value, digits) {
    return value === null ? "none" : value.toFixed(digits === undefined ? 4 : digits).replace("-", "−");
  };

  /* A change with its sign and an arrow, so that it is not told by colour alone. */
  our.change = function (value) {
    if (Math.abs(value) < 5e-5) { return our.element("span", { class: "same" }, "="); }
    var words = (value > 0 ? "▲ +" : "▼ ") + our.fixed(value);
    return our.element("span", { class: value > 0 ? "up" : "down" }, words);
  };

  /* A line that screen readers read when it changes. */
  our.spoken = function () { return our.element("p", { role: "status", class: "spoken" }); };

  our.replace = function (place, nodes) { place.replaceChildren.apply(place, [].concat(nodes)); };
})(MeasureFirst);

window.MeasureFirst = MeasureFirst;
