"""Exercise: the power of a test set, by drawing test sets in which the effect is there."""

from statistics import median

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def simulated_power(differences, effect, samples, border):
    centre = sum(differences) / len(differences)
    n_found = 0
    for sample in samples:
        drawn = [differences[place] - centre + effect for place in sample]
        mean = sum(drawn) / len(drawn)
        s = (sum((value - mean) ** 2 for value in drawn) / (len(drawn) - 1)) ** 0.5
        n_found += len(set(drawn)) > 1 and abs(mean) > border * s / len(drawn) ** 0.5
    return n_found / len(samples)


FOUR = [0.3, -0.1, 0.2, 0.0]
EVEN = [0.1, -0.1, 0.2, -0.2]
ALL_FOUR, TWICE = [0, 1, 2, 3], [0, 1, 2, 3, 0, 1, 2, 3]
SEVEN_TEST_SETS = [
    [5, 1, 4],
    [4, 4, 1, 4, 4],
    [0, 2],
    [1, 2, 2, 0],
    [3, 3, 3],
    [4, 0, 5, 3, 0, 0],
    [1, 3],
]

SIMULATED_POWER = Exercise(
    name="SIMULATED_POWER",
    task="""\
Section 7 did this: suppose that B is better by `effect`. In what share of test sets would that be found? \
The test sets are drawn for you.

Write `simulated_power(differences, effect, samples, border)`. `differences` are observed differences per \
query, a list of numbers. `samples` is a list of test sets, each a list of two or more places in \
`differences`, counted from 0 and drawn with repetition. For each test set:

1. Take the differences at its places. Subtract from each the mean of *all* `differences`, so that only \
the noise is left, and add `effect`.
2. The effect is found if the mean of these values is further from 0 than `border` · s / √n. Here n is the \
number of queries in the test set, and s the standard deviation of its values (divisor n − 1).

Return the share of the test sets in which the effect is found. **Convention**: two-sided, so a mean below \
0 counts too. A mean exactly at the border does not count as found. (For 30 queries and 5 % the border is \
2.05, by Student's t.) In a test set whose values are all the same, nothing says how far chance goes, so \
the effect is not found (as in `helpers.stats.power`).""",
    reference=simulated_power,
    cases=(
        Case((EVEN, 0.5, [ALL_FOUR], 2), "0.5 is far from 0 for a noise of 0.18 over 4 queries: found"),
        Case((EVEN, 0.05, [ALL_FOUR], 2), "0.05 is less than two standard errors of 0.09: not found"),
        Case((EVEN, 0.2, [ALL_FOUR], 2), "s is 0.183 by n − 1, so the border is at 0.183: 0.2 is beyond"),
        Case((EVEN, 0.17, [ALL_FOUR], 2), "0.17 is not beyond 0.183 (by n, s would be 0.158)"),
        Case((EVEN, -0.2, [ALL_FOUR], 2), "B may also be worse by as much: two-sided"),
        Case((FOUR, 0.05, [ALL_FOUR], 1), "all moved up by 0.1: that mean is taken out before"),
        Case((FOUR, -0.05, [ALL_FOUR], 1), "the other way: less than one standard error below 0"),
        Case(
            ([0.5, 0.7, 0.6, 0.4], 0.0, [[1, 1, 2, 1], [0, 3, 3, 3]], 1),
            "without an effect both are found by luck of the draw, one above 0 and one below",
        ),
        Case(
            (EVEN, 0.1, [[0, 0, 2, 2], [1, 1, 3, 3], [0, 1, 2, 3]], 2),
            "the first drew high values, and is found; the second low ones, and is not; nor is the third",
        ),
        Case((EVEN, 0.15, [ALL_FOUR, TWICE], 2), "eight queries see what four do not"),
        Case(
            (EVEN, 0.1, [[0, 0]], 2),
            "two equal values have no spread: nothing says how far chance goes, not found",
        ),
        Case(
            ([0.31, -0.12, 0.05, 0.44, -0.27, 0.0], 0.15, SEVEN_TEST_SETS, 1.8),
            "three of seven, the second with a mean below 0; the fifth has no spread",
        ),
        Case(
            (FOUR, 0.05, [[0, 0], [2, 2], [0, 0, 0], ALL_FOUR], 2),
            "three test sets without spread, and one whose 0.05 is too little: none is found",
        ),
        Case(
            (EVEN, 0.5, [[0, 0], ALL_FOUR], 2),
            "one of two is found; the one without spread is a test set too",
        ),
        Case(([1.0, -1.0], 2.0, [[0, 1]], 2), "s / √n is 1, so 2 is exactly at the border: not found"),
        Case((EVEN, 0.1, [[1, 1]], 2), "two values of 0 have no spread either: not found"),
        Case(
            ([0.4, -0.4, 0.1, -0.1, 0.0], 0.1, [[4, 4, 2], [4, 3, 4], [2, 2, 4], [0, 1, 4]], 2.5),
            "s is that of the test set, which drew queries that differ little, and not that of all",
        ),
        Case(
            ([0.0, 0.0, 0.0, 0.8], 0.1, [[0, 1, 3, 0], [3, 3, 0, 1]], 1.2),
            "their mean is 0.2, their median 0: 0.1 is not found in the first, 0.3 is in the second",
        ),
    ),
    hints=(
        "Begin with one test set. Which numbers does it hold, once the observed mean is taken away and the "
        "effect added? Then the test: compare the size of their mean with border · s / √n.",
        "centre = sum(differences) / len(differences), computed once. drawn = [differences[place] - centre + "
        "effect for place in sample]; s of `drawn`, with len(drawn) - 1.",
        "n_found += len(set(drawn)) > 1 and abs(mean) > border * s / len(drawn) ** 0.5 for each sample; "
        "s = (sum((value - mean) ** 2 for value in drawn) / (len(drawn) - 1)) ** 0.5. At the end n_found / "
        "len(samples).",
    ),
    difficulty=2,
    minutes=15,
    further="The noise comes from 30 queries. How would you find out how uncertain the power itself is?",
)


def _mean(values):
    return sum(values) / len(values)


def _mean_of_all(differences, sample):
    return _mean(differences)


def _varied(drawn):
    return len(set(drawn)) > 1


def _beyond(mean, limit):
    return abs(mean) > limit


def _power(differences, effect, samples, border, centre=_mean_of_all, spread=None, beyond=_beyond, n=len,
           less=1, about=_mean, testable=_varied):  # fmt: skip
    """The reference with one part exchanged."""
    n_found = 0
    for sample in samples:
        drawn = [differences[place] - centre(differences, sample) + effect for place in sample]
        of = drawn if spread is None else spread
        s = (sum((value - about(of)) ** 2 for value in of) / (len(of) - less)) ** 0.5
        n_found += testable(drawn) and bool(beyond(_mean(drawn), border * s / n(drawn) ** 0.5))
    return n_found / len(samples)


@SIMULATED_POWER.mistake("not centred")
def not_centred(differences, effect, samples, border):
    """You leave the observed mean in. Then it becomes part of the effect, and you get the power for another
    effect than the one asked for. Take the mean of all differences away first."""
    return _power(differences, effect, samples, border, centre=lambda differences, sample: 0.0)


@SIMULATED_POWER.mistake("effect left out")
def no_effect(differences, effect, samples, border):
    """You do not add the effect. Then you count false alarms: how often something is found where there is
    nothing."""
    return _power(differences, 0.0, samples, border)


@SIMULATED_POWER.mistake("centred in each test set")
def centred_in_each(differences, effect, samples, border):
    """You take away the mean of each test set. Then each has exactly `effect` for its mean, and luck, which
    decides what is found, is gone. Take away the mean of all differences."""
    return _power(
        differences, effect, samples, border,
        centre=lambda differences, sample: _mean([differences[place] for place in sample]),
    )  # fmt: skip


@SIMULATED_POWER.mistake("one-sided")
def one_sided(differences, effect, samples, border):
    """You count means above the border only. The test is two-sided: B may also be worse."""
    return _power(differences, effect, samples, border, beyond=lambda mean, limit: mean > limit)


@SIMULATED_POWER.mistake("divisor n")
def divisor_n(differences, effect, samples, border):
    """Your s divides by n. Values spread less around their own mean than around the true one; n − 1 makes up
    for that (np.std(…, ddof=1))."""
    return _power(differences, effect, samples, border, less=0)


@SIMULATED_POWER.mistake("spread of all differences")
def spread_of_all(differences, effect, samples, border):
    """You take s from all differences. A test knows only its own test set, so s comes from there."""
    return _power(differences, effect, samples, border, spread=differences)


@SIMULATED_POWER.mistake("without the root of n")
def without_the_root_of_n(differences, effect, samples, border):
    """You compare the mean with border · s: that is how far single queries spread. A mean of n spreads less:
    divide by √n."""
    return _power(differences, effect, samples, border, n=lambda drawn: 1)


@SIMULATED_POWER.mistake("n without its root")
def n_without_its_root(differences, effect, samples, border):
    """You divide s by n. The spread of a mean is s / √n."""
    return _power(differences, effect, samples, border, n=lambda drawn: len(drawn) ** 2)


@SIMULATED_POWER.mistake("n of all differences")
def n_of_all(differences, effect, samples, border):
    """You take the number of observed differences for n. n is the size of the test set: a larger one sees
    more, and that is the question."""
    return _power(differences, effect, samples, border, n=lambda drawn: len(differences))


@SIMULATED_POWER.mistake("at the border found")
def at_the_border(differences, effect, samples, border):
    """You count a mean that is exactly at the border. It is found only where the mean is further from 0."""
    return _power(differences, effect, samples, border, beyond=lambda mean, limit: abs(mean) >= limit - 1e-12)


@SIMULATED_POWER.mistake("no spread raises")
def no_spread_raises(differences, effect, samples, border):
    """You divide by s, and a test set whose values are all the same has an s of 0. In such a test set nothing
    is found; check for it before you divide."""
    for sample in samples:
        1 / (max(differences[place] for place in sample) - min(differences[place] for place in sample))
    return simulated_power(differences, effect, samples, border)


@SIMULATED_POWER.mistake("no spread found")
def no_spread_found(differences, effect, samples, border):
    """You count test sets whose values are all the same. Their s of 0 puts the border at 0, so that a set of
    ties alone, shifted by the centring, would count as a finding. Without spread nothing is found."""
    return _power(differences, effect, samples, border, testable=lambda drawn: True)


@SIMULATED_POWER.mistake("count in place of the share")
def count(differences, effect, samples, border):
    """You return how many test sets find it. Power is the share of all."""
    return simulated_power(differences, effect, samples, border) * len(samples)


@SIMULATED_POWER.mistake("divided by the number of differences")
def by_the_differences(differences, effect, samples, border):
    """You divide by the number of differences. Power is the share of the test sets: divide by how many of
    them there are."""
    return simulated_power(differences, effect, samples, border) * len(samples) / len(differences)


@SIMULATED_POWER.mistake("sets without spread left out")
def flat_left_out(differences, effect, samples, border):
    """You leave test sets without spread out of the number that you divide by. They are test sets in which
    nothing is found: the share is of all."""
    kept = [sample for sample in samples if len({differences[place] for place in sample}) > 1]
    return simulated_power(differences, effect, kept, border) if kept else 0.0


@SIMULATED_POWER.mistake("drawn once each")
def drawn_once_each(differences, effect, samples, border):
    """You take each place of a test set once. They are drawn with repetition: a place that is there twice
    counts twice."""
    once = [sorted(set(sample)) for sample in samples]
    several = [sample for sample in once if len(sample) > 1]
    found = simulated_power(differences, effect, several, border) * len(several) if several else 0
    return found / len(samples)


@SIMULATED_POWER.mistake("share that is missed")
def missed(differences, effect, samples, border):
    """You return the share of test sets that miss the effect. Power is the share that finds it."""
    return 1 - simulated_power(differences, effect, samples, border)


@SIMULATED_POWER.mistake("centre added")
def centre_added(differences, effect, samples, border):
    """You add the mean of the differences where it should be taken away, so that it counts twice."""
    return _power(
        differences, effect, samples, border, centre=lambda differences, sample: -_mean(differences)
    )


@SIMULATED_POWER.mistake("the mean against the border itself")
def mean_against_the_border(differences, effect, samples, border):
    """You compare the mean with the border itself. The border is for t: the mean, divided by s / √n."""
    centre = sum(differences) / len(differences)
    means = [sum(differences[i] - centre + effect for i in sample) / len(sample) for sample in samples]
    return sum(abs(mean) > border for mean in means) / len(means)


@SIMULATED_POWER.mistake("effect taken away")
def effect_taken_away(differences, effect, samples, border):
    """You take the effect away from the differences. It is added: suppose that B is better by it."""
    return simulated_power(differences, -effect, samples, border)


@SIMULATED_POWER.mistake("in the effect's direction only")
def in_the_direction_of_the_effect(differences, effect, samples, border):
    """You count means only on the effect's side of 0. The test is two-sided, and does not know the effect: a
    mean far on the other side is found, too."""
    sign = 1 if effect >= 0 else -1
    return _power(differences, effect, samples, border, beyond=lambda mean, limit: sign * mean > limit)


@SIMULATED_POWER.mistake("spread about zero")
def spread_about_zero(differences, effect, samples, border):
    """Your s is the spread around 0. It should be the spread around the mean of the test set's values."""
    return _power(differences, effect, samples, border, about=lambda values: 0.0)


@SIMULATED_POWER.mistake("spread about the effect")
def spread_about_the_effect(differences, effect, samples, border):
    """Your s is the spread around the effect. It should be the spread around the mean of the test set's own
    values: the test does not know the effect."""
    return _power(differences, effect, samples, border, about=lambda values: effect)


@SIMULATED_POWER.mistake("root of n − 1")
def root_of_one_less(differences, effect, samples, border):
    """You divide s by the root of n − 1. The n − 1 is already in s; the border is border · s / √n."""
    return _power(differences, effect, samples, border, n=lambda drawn: len(drawn) - 1)


@SIMULATED_POWER.mistake("s left out")
def s_left_out(differences, effect, samples, border):
    """You compare the mean with border / √n. It should be border · s / √n, because the spread of the values
    says how far chance goes."""
    centre = sum(differences) / len(differences)
    n_found = 0
    for sample in samples:
        drawn = [differences[place] - centre + effect for place in sample]
        n_found += len(set(drawn)) > 1 and abs(sum(drawn) / len(drawn)) > border / len(drawn) ** 0.5
    return n_found / len(samples)


@SIMULATED_POWER.mistake("the variance for s")
def variance_for_s(differences, effect, samples, border):
    """You take the variance for s. s is the standard deviation, the root of it."""
    centre = sum(differences) / len(differences)
    n_found = 0
    for sample in samples:
        drawn = [differences[place] - centre + effect for place in sample]
        mean = sum(drawn) / len(drawn)
        s = sum((value - mean) ** 2 for value in drawn) / (len(drawn) - 1)
        n_found += len(set(drawn)) > 1 and abs(mean) > border * s / len(drawn) ** 0.5
    return n_found / len(samples)


@SIMULATED_POWER.mistake("the median taken away")
def the_median_taken_away(differences, effect, samples, border):
    """You take away the median of the differences. Take away their mean: what is left must have the mean 0,
    so that the only effect is the one you add."""
    return _power(
        differences, effect, samples, border, centre=lambda differences, sample: median(differences)
    )


@SIMULATED_POWER.mistake("found in any")
def found_in_any(differences, effect, samples, border):
    """You say whether any test set finds it. Power is the share of those that do."""
    return float(simulated_power(differences, effect, samples, border) > 0)
