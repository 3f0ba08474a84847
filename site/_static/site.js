/* A formula that is wider than the screen can be scrolled with the keyboard too. */
window.addEventListener("load", function () {
  "use strict";
  var startup = window.MathJax && window.MathJax.startup;
  if (!startup || !startup.promise) { return; }
  startup.promise.then(function () {
    document.querySelectorAll("mjx-container").forEach(function (formula) {
      if (formula.scrollWidth > formula.clientWidth) { formula.tabIndex = 0; }
    });
  });
});
