"""Exercise: a percentile bootstrap interval, from samples that are given."""

from statistics import NormalDist

import numpy as np

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def bootstrap_interval(values, samples, confidence):
    means = [np.mean([values[i] for i in sample]) for sample in samples]
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return low, high


FOUR = [0.0, 0.2, 0.6, 1.0]
FIVE_SAMPLES = [[0, 0, 1, 2], [3, 3, 2, 1], [0, 1, 2, 3], [1, 1, 1, 1], [3, 2, 3, 3]]
SEVENTHS = [
    [6, 2, 2, 5, 0, 1, 1],
    [3, 3, 5, 4, 6, 3, 1],
    [0, 4, 4, 2, 0, 6, 5],
    [1, 1, 2, 2, 5, 6, 0],
    [4, 3, 3, 3, 1, 2, 5],
]

BOOTSTRAP_INTERVAL = Exercise(
    name="BOOTSTRAP_INTERVAL",
    task="""\
Write `bootstrap_interval(values, samples, confidence)`: how far might the mean have moved, had we drawn \
other queries?

`values` has one score or difference per query. `samples` is a list of samples, each a list of places in \
`values`, counted from 0 and drawn with repetition: `[0, 0, 2]` is the first query twice and the third \
once. `confidence` is for instance 0.95. Return two numbers, (low, high). **Convention** (percentile \
interval): take the mean of each sample. At each end of these means, cut off half of what `confidence` \
leaves, by the rule of `np.quantile`.""",
    reference=bootstrap_interval,
    cases=(
        Case(
            ([0.0, 1.0], [[0, 0], [0, 1], [1, 1]], 0.5),
            "the means are 0, 0.5 and 1; a quarter is cut off at each end",
        ),
        Case(([0.2, 0.8], [[0, 0]], 0.95), "one sample: its mean is all there is, low and high"),
        Case(
            ([0.0, 0.9], [[0, 0, 1]], 0.9),
            "the first query was drawn twice, so it weighs twice: the mean is 0.3",
        ),
        Case(
            ([0.3, 0.9], [[1, 1], [0, 0], [0, 1]], 0.0),
            "confidence 0 leaves one point, the median of the means; they are not given in order",
        ),
        Case(
            (FOUR, FIVE_SAMPLES, 0.5),
            "five means, in order 0.2, 0.2, 0.45, 0.7, 0.9; a quarter of the way is the second",
        ),
        Case((FOUR, FIVE_SAMPLES, 0.8), "a tenth is cut off at each end; the border lies between two means"),
        Case(
            ([0.9, 0.12345, 0.4, 0.0, 0.7, 0.2, 0.3], SEVENTHS, 0.8),
            "seven queries, five samples, two of them with the same mean; a tenth is cut off at each end",
        ),
        Case((FOUR, FIVE_SAMPLES, 0.95), "with 0.95 the borders are 0.025 and 0.975, near the ends"),
        Case((FOUR, FIVE_SAMPLES, 1.0), "confidence 1 cuts nothing off: the smallest and the largest mean"),
        Case(
            ([0.5, 0.5], [[0, 1], [1, 1], [0, 0]], 0.95), "both queries are the same, so no sample can differ"
        ),
        Case(
            ([-0.4, 0.1, 0.1, 0.4], [[0, 1, 1, 2], [3, 3, 0, 0], [2, 3, 1, 3]], 0.9),
            "differences may be below 0",
        ),
    ),
    hints=(
        "A sample says which queries a new collection would have had. Work out the mean of each such "
        "collection first; the interval is about these means, not about single queries.",
        "[values[i] for i in sample] are the scores of a sample. If confidence is 0.95, 0.05 is left, and "
        "0.025 goes at each end.",
        "tail = (1 - confidence) / 2, and np.quantile(means, [tail, 1 - tail]) gives both borders.",
    ),
)


def _means(values, samples):
    return [sum(values[i] for i in sample) / len(sample) for sample in samples]


def _between(numbers, low, high):
    return tuple(np.quantile(numbers, [low, high]))


@BOOTSTRAP_INTERVAL.mistake("tails not halved")
def both_tails_whole(values, samples, confidence):
    """You cut off 1 − confidence at each end. Together that is twice as much: what you call 95 % holds 90 %.
    What is left over is shared between two ends."""
    return _between(_means(values, samples), 1 - confidence, confidence)


@BOOTSTRAP_INTERVAL.mistake("confidence as alpha")
def confidence_as_alpha(values, samples, confidence):
    """You cut off half of the confidence at each end, and keep what should be cut. The more confident you ask
    it to be, the narrower it gets. What is cut is 1 − confidence."""
    return _between(_means(values, samples), confidence / 2, 1 - confidence / 2)


@BOOTSTRAP_INTERVAL.mistake("one tail")
def from_zero(values, samples, confidence):
    """Your interval begins at the smallest mean, and everything is cut off at the top. Cut half of what is
    left over at each end."""
    return _between(_means(values, samples), 0, confidence)


@BOOTSTRAP_INTERVAL.mistake("fractions where percents are needed")
def percent(values, samples, confidence):
    """You give fractions to np.percentile, which wants 0 to 100. 0.975 is then less than one percent, and
    both borders are near the smallest mean. np.quantile takes fractions."""
    tail = (1 - confidence) / 2
    return tuple(np.percentile(_means(values, samples), [tail, 1 - tail]))


@BOOTSTRAP_INTERVAL.mistake("quantiles of the values")
def of_values(values, samples, confidence):
    """You cut the values themselves. That says how much single queries differ, and it would not shrink with a
    thousand more of them. The interval is about the mean: cut the means of the samples."""
    tail = (1 - confidence) / 2
    return _between(values, tail, 1 - tail)


@BOOTSTRAP_INTERVAL.mistake("quantiles of all that was drawn")
def of_all_drawn(values, samples, confidence):
    """You throw the values of all samples together and cut those. That says how much single queries differ.
    Each sample is one experiment, with one mean; cut the means."""
    tail = (1 - confidence) / 2
    return _between([values[i] for sample in samples for i in sample], tail, 1 - tail)


@BOOTSTRAP_INTERVAL.mistake("places averaged")
def indices_averaged(values, samples, confidence):
    """You average the samples themselves. They hold places, not scores: look up values[i] for each i
    first."""
    return bootstrap_interval(range(len(values)), samples, confidence)


@BOOTSTRAP_INTERVAL.mistake("repeats removed")
def repeats_removed(values, samples, confidence):
    """You count a query once where it was drawn twice. The mean moves from sample to sample because some
    queries come up twice and some not at all. Each draw counts."""
    return bootstrap_interval(values, [sorted(set(sample)) for sample in samples], confidence)


@BOOTSTRAP_INTERVAL.mistake("sums")
def sums(values, samples, confidence):
    """You add up each sample and do not divide. The interval is about the mean, which does not grow with the
    number of queries."""
    tail = (1 - confidence) / 2
    return _between([sum(values[i] for i in sample) for sample in samples], tail, 1 - tail)


@BOOTSTRAP_INTERVAL.mistake("medians")
def medians(values, samples, confidence):
    """You take the median of each sample. The number that is reported, and that the interval belongs to, is
    the mean over queries."""
    tail = (1 - confidence) / 2
    return _between([np.median([values[i] for i in sample]) for sample in samples], tail, 1 - tail)


@BOOTSTRAP_INTERVAL.mistake("smallest and largest")
def whole_range(values, samples, confidence):
    """You take the smallest and the largest mean, whatever the confidence. More samples would then make the
    interval wider and wider. Cut off (1 − confidence) / 2 at each end."""
    means = _means(values, samples)
    return min(means), max(means)


_ORDERED = (
    "You take one of the sorted means by a whole number. np.quantile interpolates: where the border falls "
    "between two means, it goes that part of the way. With ten thousand samples you see no difference, "
    "with five you do; the convention here is np.quantile's."
)


@BOOTSTRAP_INTERVAL.mistake("no interpolation", _ORDERED)
def ordered(values, samples, confidence):
    means, tail = sorted(_means(values, samples)), (1 - confidence) / 2
    return means[int(tail * len(means))], means[min(int((1 - tail) * len(means)), len(means) - 1)]


@BOOTSTRAP_INTERVAL.mistake("no interpolation, one less", _ORDERED)
def ordered_less_one(values, samples, confidence):
    means, tail = sorted(_means(values, samples)), (1 - confidence) / 2
    return means[int(tail * len(means))], means[int((1 - tail) * len(means)) - 1]


@BOOTSTRAP_INTERVAL.mistake("no interpolation, of n - 1", _ORDERED)
def ordered_in_n_less_one(values, samples, confidence):
    means, tail = sorted(_means(values, samples)), (1 - confidence) / 2
    return means[int(tail * (len(means) - 1))], means[int((1 - tail) * (len(means) - 1))]


@BOOTSTRAP_INTERVAL.mistake("not sorted")
def not_sorted(values, samples, confidence):
    """You take means by their place in the list, in the order in which they were drawn. A percentile is a
    place in the sorted list; np.quantile sorts."""
    means, tail = _means(values, samples), (1 - confidence) / 2
    return means[int(tail * (len(means) - 1))], means[int((1 - tail) * (len(means) - 1))]


@BOOTSTRAP_INTERVAL.mistake("spread of the values")
def spread_of_values(values, samples, confidence):
    """You go 1.96 standard deviations of the values to both sides. That says where single queries lie. The
    mean of many queries varies much less, and the samples show how much."""
    return np.mean(values) - 1.96 * np.std(values), np.mean(values) + 1.96 * np.std(values)


_NORMAL = (
    "You go 1.96 spreads to both sides of a mean. That is a formula for bell-shaped means, and it knows "
    "only 95 %. The percentile interval assumes no shape: it reads its borders from the resampled means."
)


@BOOTSTRAP_INTERVAL.mistake("spread of the means", _NORMAL)
def spread_of_means(values, samples, confidence):
    means = _means(values, samples)
    return np.mean(means) - 1.96 * np.std(means), np.mean(means) + 1.96 * np.std(means)


@BOOTSTRAP_INTERVAL.mistake("standard error", _NORMAL)
def standard_error(values, samples, confidence):
    error = np.std(values, ddof=1) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return np.mean(values) - 1.96 * error, np.mean(values) + 1.96 * error


@BOOTSTRAP_INTERVAL.mistake("high before low")
def backwards(values, samples, confidence):
    """You give the upper border first. An interval is read from low to high."""
    return bootstrap_interval(values, samples, confidence)[::-1]


@BOOTSTRAP_INTERVAL.mistake("normal interval for any confidence")
def normal_interval(values, samples, confidence):
    """You go a number of spreads of the means to both sides of their centre, by the normal distribution. That
    assumes a bell; the percentile interval reads its borders from the resampled means themselves, and may be
    longer on one side."""
    means, tail = _means(values, samples), (1 - confidence) / 2
    width = -NormalDist().inv_cdf(tail) * np.std(means)
    return np.mean(means) - width, np.mean(means) + width


@BOOTSTRAP_INTERVAL.mistake("mirrored at the observed mean")
def mirrored(values, samples, confidence):
    """You mirror the borders at the observed mean: that is the basic, or reflected, bootstrap interval. That
    is a sound method too; the convention here is the percentile interval, the borders as they are."""
    low, high = bootstrap_interval(values, samples, confidence)
    return 2 * np.mean(values) - high, 2 * np.mean(values) - low


@BOOTSTRAP_INTERVAL.mistake("95 per cent whatever is asked")
def always_95(values, samples, confidence):
    """You cut at 2.5 and 97.5 per cent, whatever the confidence. Half of what `confidence` leaves goes at
    each end."""
    return bootstrap_interval(values, samples, 0.95)


@BOOTSTRAP_INTERVAL.mistake("tails not halved, nothing interpolated")
def not_halved_lower(values, samples, confidence):
    """Two things. You cut off at each end all that `confidence` leaves, so twice as much is gone: half of it
    belongs to each end. And you take one of the means as it is, where np.quantile goes a part of the way."""
    means = _means(values, samples)
    return tuple(np.quantile(means, [1 - confidence, confidence], method="lower"))


@BOOTSTRAP_INTERVAL.mistake("differences from the observed mean")
def about_the_observed(values, samples, confidence):
    """You subtract the observed mean: how far it moved. The interval says where the mean lies: its borders
    are means."""
    low, high = bootstrap_interval(values, samples, confidence)
    return low - np.mean(values), high - np.mean(values)


@BOOTSTRAP_INTERVAL.mistake("divided by the number of values")
def by_the_number_of_values(values, samples, confidence):
    """You divide each sample's sum by the number of values. Its mean is over what the sample holds: a sample
    may be shorter or longer."""
    tail = (1 - confidence) / 2
    means = [sum(values[i] for i in sample) / len(values) for sample in samples]
    return _between(means, tail, 1 - tail)


@BOOTSTRAP_INTERVAL.mistake("high end at the confidence")
def high_at_the_confidence(values, samples, confidence):
    """Your high end is the quantile at the confidence itself. Half of the rest lies above: the ends are at
    (1 − confidence) / 2 and 1 minus that."""
    return _between(_means(values, samples), (1 - confidence) / 2, confidence)


@BOOTSTRAP_INTERVAL.mistake("the width for an end")
def the_width_for_an_end(values, samples, confidence):
    """You return the width of the interval instead of its high end. The task asks for both ends."""
    low, high = bootstrap_interval(values, samples, confidence)
    return low, high - low


@BOOTSTRAP_INTERVAL.mistake("low end asked of percentile")
def low_asked_of_percentile(values, samples, confidence):
    """np.percentile takes per cent, from 0 to 100, and you hand it a share. np.quantile takes shares."""
    tail, means = (1 - confidence) / 2, _means(values, samples)
    return float(np.percentile(means, tail)), float(np.quantile(means, 1 - tail))
