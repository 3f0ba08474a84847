/* The power of the paired t-test for normal differences, as `helpers.stats.normal_power` has it. */
var MeasureFirst = window.MeasureFirst || {};

(function (our) {
  "use strict";

  // The complement of the error function: a series near zero, a continued fraction further out.
  function erfc(x) {
    if (x < 0) { return 2 - erfc(-x); }
    if (x < 2.5) {
      var term = x, sum = x;
      for (var n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 200; n += 1) {
        term *= -x * x / n;
        sum += term / (2 * n + 1);
      }
      return 1 - 2 / Math.sqrt(Math.PI) * sum;
    }
    var fraction = 0;
    for (var level = 80; level > 0; level -= 1) { fraction = level / 2 / (x + fraction); }
    return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
  }

  function normalBelow(z) { return erfc(-z / Math.SQRT2) / 2; }

  // The logarithm of the gamma function: Stirling's series, moved to where it is exact.
  function logGamma(x) {
    var shift = 0;
    for (; x < 15; x += 1) { shift += Math.log(x); }
    var inverse = 1 / (x * x);
    var series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x;
    return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift;
  }

  /* The mean of f(s) over what s can be: the standard deviation that n queries show, divided by the true one. Its
     square times its degrees of freedom is chi-squared. Summed over u = log s, where the trapezoid rule is exact
     to many digits as soon as its steps are small beside the narrowest thing in f, of width `detail`. */
  function overSpreads(degrees, detail, f) {
    var half = degrees / 2, constant = half * Math.log(half) - logGamma(half) + Math.log(2);
    function density(u) { return Math.exp(constant + degrees * u - half * Math.exp(2 * u)); }
    var width = Math.min(1 / Math.sqrt(2 * degrees), detail, 0.5), step = width / 6;
    var sum = 0, u, weight;
    for (u = 0; (weight = density(u)) > 1e-18; u += step) { sum += weight * f(Math.exp(u)); }
    for (u = -step; (weight = density(u)) > 1e-18; u -= step) { sum += weight * f(Math.exp(u)); }
    return sum * step;
  }

  // The share of test sets with |t| above a border, where the true mean is `shift` standard errors from zero.
  function beyond(border, degrees, shift) {
    return overSpreads(degrees, 1 / (2 + Math.abs(shift)), function (s) {
      return normalBelow(shift - border * s) + normalBelow(-shift - border * s);
    });
  }

  var borders = {};

  /* The border of t beyond which p is below alpha, two-sided. */
  our.criticalT = function (degrees, alpha) {
    var key = degrees + " " + alpha;
    if (!(key in borders)) {
      var low = 0, high = 2;
      while (beyond(high, degrees, 0) > alpha) { low = high; high *= 2; }
      for (var i = 0; i < 60 && high - low > 1e-14 * high; i += 1) {
        var middle = (low + high) / 2;
        if (beyond(middle, degrees, 0) > alpha) { low = middle; } else { high = middle; }
      }
      borders[key] = (low + high) / 2;
    }
    return borders[key];
  };

  /* The share of test sets of n queries with p < alpha, where differences have this mean and spread. */
  our.normalPower = function (n, effect, deviation, alpha) {
    return beyond(our.criticalT(n - 1, alpha), n - 1, effect / deviation * Math.sqrt(n));
  };

  /* The smallest n with at least this power; null where a million queries are too few. */
  our.queriesNeeded = function (effect, deviation, power, alpha) {
    function enough(n) { return our.normalPower(n, effect, deviation, alpha) >= power; }
    var high = 2;
    while (!enough(high)) {
      if (high >= 1048576) { return null; }
      high *= 2;
    }
    var low = high / 2;
    while (high - low > 1) {
      var middle = Math.floor((low + high) / 2);
      if (enough(middle)) { high = middle; } else { low = middle; }
    }
    return high;
  };
})(MeasureFirst);

window.MeasureFirst = MeasureFirst;
