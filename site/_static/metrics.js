/* The metrics of `helpers.metrics`, for one ranking: `retrieved` are ids, best first; `grades` is {id: grade}.
   A grade of 1 or more is relevant; an id without a grade is not. Ranks start at 1. */
var MeasureFirst = window.MeasureFirst || {};

(function (our) {
  "use strict";

  function gradesByRank(retrieved, grades, k) {
    return retrieved.slice(0, k).map(function (id) { return Math.max(our.gradeOf(grades, id), 0); });
  }

  function idealGrades(grades) {
    return Object.keys(grades).map(function (id) { return grades[id]; })
      .filter(function (grade) { return grade > 0; })
      .sort(function (a, b) { return b - a; });
  }

  function relevantAmong(grades) {
    return grades.filter(function (grade) { return grade > 0; }).length;
  }

  our.gradeOf = function (grades, id) {
    return Object.prototype.hasOwnProperty.call(grades, id) ? grades[id] : 0;
  };

  our.gain = function (grade, form) { return form === "exponential" ? Math.pow(2, grade) - 1 : grade; };

  our.precisionAtK = function (retrieved, grades, k) {
    return relevantAmong(gradesByRank(retrieved, grades, k)) / k;
  };

  our.recallAtK = function (retrieved, grades, k) {
    var all = idealGrades(grades).length;
    return all ? relevantAmong(gradesByRank(retrieved, grades, k)) / all : 0;
  };

  our.reciprocalRank = function (retrieved, grades) {
    var first = gradesByRank(retrieved, grades).findIndex(function (grade) { return grade > 0; });
    return first < 0 ? 0 : 1 / (first + 1);
  };

  our.averagePrecision = function (retrieved, grades) {
    var all = idealGrades(grades).length, found = 0, total = 0;
    gradesByRank(retrieved, grades).forEach(function (grade, i) {
      if (grade > 0) { found += 1; total += found / (i + 1); }
    });
    return all ? total / all : 0;
  };

  our.discounted = function (grades, form) {
    return grades.reduce(function (sum, grade, i) { return sum + our.gain(grade, form) / Math.log2(i + 2); }, 0);
  };

  our.dcgAtK = function (retrieved, grades, k, form) {
    return our.discounted(gradesByRank(retrieved, grades, k), form);
  };

  our.idealAtK = function (grades, k) { return idealGrades(grades).slice(0, k); };

  our.ndcgAtK = function (retrieved, grades, k, form) {
    var best = our.discounted(our.idealAtK(grades, k), form);
    return best ? our.dcgAtK(retrieved, grades, k, form) / best : 0;
  };
})(MeasureFirst);

window.MeasureFirst = MeasureFirst;
