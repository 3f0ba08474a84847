"""Exercise: a regression gate with three answers, by the interval of the drop against its limit."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def gate(before, after, limit, t):
    if not before or before.keys() != after.keys():
        raise ValueError("needed are the same queries on both sides, at least one")
    drops = [before[query_id] - after[query_id] for query_id in before]
    n = len(drops)
    if n < 5:
        return "yellow"
    mean = sum(drops) / n
    s = (sum((drop - mean) ** 2 for drop in drops) / (n - 1)) ** 0.5
    low, high = round(mean - t * s / n**0.5, 9), round(mean + t * s / n**0.5, 9)
    if low > limit:
        return "red"
    return "green" if high <= limit else "yellow"


def _scores(*values):
    return {f"q{number}": value for number, value in enumerate(values, start=1)}


SIX, LOWER = _scores(*[0.5] * 6), _scores(0.25, 0.2, 0.3, 0.25, 0.3, 0.2)
FOUR, LOWER_FOUR = _scores(*[0.5] * 4), _scores(0.25, 0.2, 0.3, 0.25)
OTHER_FOUR = {"q1": 0.25, "q2": 0.2, "q3": 0.3, "q9": 0.25}
FIVE, LOWER_FIVE = _scores(*[0.5] * 5), _scores(0.25, 0.2, 0.3, 0.25, 0.3)
ONE_FELL = _scores(1.0, 0.5, 0.5, 0.5, 0.5, 0.5), _scores(0.4, 0.5, 0.5, 0.5, 0.5, 0.5)
HARDLY_MOVED = _scores(*[0.5] * 6), _scores(0.49, 0.51, 0.48, 0.52, 0.5, 0.5)
UP_AND_DOWN_A_LOT = _scores(*[0.5] * 6), _scores(0.3, 0.7, 0.35, 0.7, 0.4, 0.61)
A_DROP_IS_SHOWN = _scores(0.2, 0.9, 0.4, 0.7, 0.1, 0.6), _scores(0.12, 0.88, 0.35, 0.6, 0.1, 0.55)
IN_ORDER = _scores(0.9, 0.1, 0.9, 0.1, 0.9, 0.1)
IN_OTHER_ORDER = {"q6": 0.05, "q5": 0.85, "q4": 0.05, "q3": 0.85, "q2": 0.05, "q1": 0.85}
EIGHT_TENTHS, SEVEN_TENTHS = _scores(*[0.8] * 6), _scores(*[0.7] * 6)
WITHOUT_Q6 = {query_id: score for query_id, score in LOWER.items() if query_id != "q6"}
SEVEN_FELL = (
    _scores(0.55, 0.7, 0.7, 0.62, 0.81, 0.93, 0.93),
    {"q3": 0.65, "q6": 0.88, "q1": 0.43, "q7": 0.81, "q2": 0.62, "q5": 0.76, "q4": 0.57},
)

GATE = Exercise(
    name="GATE",
    task="""\
Write `gate(before, after, limit, t)`: is this change red, green or yellow?

`before` and `after` are `{query_id: score}`, higher is better; `limit` is the largest drop of the mean \
that is allowed. The drop of a query is before − after. From the mean and the standard deviation s of the \
n drops comes an interval, from `mean − t·s/√n` to `mean + t·s/√n`; `t` is given (1.70 for 30 queries and \
5 % beyond each end). Return `"red"` if both ends are above the limit, `"green"` if neither is, else \
`"yellow"`. **Convention**: s divides by n − 1; both ends are rounded to 9 decimals; fewer than five \
queries are always `"yellow"`; scores are paired by query id. If the two sides do not have the same queries, \
or have none, raise a `ValueError`, even where there are fewer than five.""",
    reference=gate,
    cases=(
        Case((SIX, LOWER, 0.02, 2.02), "all six fell by about 0.25: the interval is [0.213, 0.287]"),
        Case(
            (*ONE_FELL, 0.06, 2.02),
            "the mean fell by 0.1, but one query did all of it: the interval is [−0.102, 0.302]",
        ),
        Case(
            (*ONE_FELL, 0.27, 2.02),
            "the mean fell by less than the limit, but the interval ends at 0.302",
        ),
        Case(
            (*HARDLY_MOVED, 0.015, 2.02),
            "some fell and some rose, all of them a little: the interval is [−0.012, 0.012]",
        ),
        Case((*HARDLY_MOVED, 0.012, 6), "with t = 6 the same drops have the interval [−0.035, 0.035]"),
        Case((LOWER, SIX, 0.02, 2.02), "all six rose: the interval is [−0.287, −0.213]"),
        Case(
            (*UP_AND_DOWN_A_LOT, 0.02, 2.02),
            "the mean rose by 0.01, but the queries moved so much that the interval is [−0.158, 0.138]",
        ),
        Case(
            (*A_DROP_IS_SHOWN, 0.02, 2.02),
            "both ends are above 0, so a drop is shown; but the interval is [0.0196, 0.0804]",
        ),
        Case((*A_DROP_IS_SHOWN, 0.034, 1), "with t = 1 the same drops have the interval [0.035, 0.065]"),
        Case(
            (*SEVEN_FELL, 0.05, 1.94),
            "seven fell, by 0.05 to 0.12: the interval is [0.05002, 0.09855], all of it above the limit",
        ),
        Case(
            (IN_ORDER, IN_OTHER_ORDER, 0.02, 2.02),
            "the files differ in their order; by query id each of the six fell by 0.05",
        ),
        Case((SIX, WITHOUT_Q6, 0.195, 2.02), "q6 has no score afterwards; nobody knows what became of it"),
        Case((WITHOUT_Q6, SIX, 0.02, 2.02), "q6 is new, so the two means are over different queries"),
        Case((FOUR, LOWER_FOUR, 0.02, 2.36), "all fell, but four queries are too few for any answer"),
        Case(
            (FOUR, OTHER_FOUR, 0.02, 2.36),
            "q4 is missing afterwards and q9 is new: not the same queries, however few they are",
        ),
        Case((FIVE, LOWER_FIVE, 0.02, 2.14), "all five fell, and five are enough"),
        Case(
            (EIGHT_TENTHS, SEVEN_TENTHS, 0.1, 2.02),
            "every query fell by exactly the limit, and not by more; 0.8 − 0.7 is 0.1 on paper",
        ),
        Case(({}, {}, 0.02, 2.02), "without queries nothing was measured"),
    ),
    hints=(
        "Four steps: are they the same queries, and enough? By how much did each drop? Between which ends "
        "does the mean lie? On which side of the limit is each end?",
        "before.keys() != after.keys() compares ids in any order. drops = [before[q] - after[q] for q in "
        "before]; s is the root of the sum of the squared distances from the mean, divided by n - 1.",
        "low = round(mean - t * s / n**0.5, 9), and high the same with a plus. At the end: red if low > "
        "limit, green if high <= limit, else yellow.",
    ),
)


def _drops(before, after):
    if not before or before.keys() != after.keys():
        raise ValueError
    return [before[query_id] - after[query_id] for query_id in before]


def _mean(values):
    return sum(values) / len(values)


def _s(drops):
    return (sum((drop - _mean(drops)) ** 2 for drop in drops) / (len(drops) - 1)) ** 0.5


def _half(drops, t):
    return t * _s(drops) / len(drops) ** 0.5


def _light(low, high, limit):
    if low > limit:
        return "red"
    return "green" if high <= limit else "yellow"


def _gate(before, after, limit, t, pair=_drops, half=_half, light=_light, mean=_mean, least=5, decimals=9):
    """The reference with one part exchanged."""
    drops = pair(before, after)
    if len(drops) < least:
        return "yellow"
    middle, width = mean(drops), half(drops, t)
    return light(round(middle - width, decimals), round(middle + width, decimals), limit)


@GATE.mistake("mean against the limit")
def mean_against_the_limit(before, after, limit, t):
    """You compare the mean drop with the limit, and give no yellow for noise. One query of 30 can move a mean
    by 0.03. Compare both ends of the interval with the limit, and where they disagree say so."""
    return _gate(before, after, limit, t, half=lambda drops, t: 0.0)


@GATE.mistake("ends against 0")
def ends_against_0(before, after, limit, t):
    """You compare the interval with 0. With enough queries a drop of 0.001 is shown too, and nobody would
    mind it. What may be lost is said by `limit`: compare both ends with it."""
    return _gate(before, after, limit, t, light=lambda low, high, limit: _light(low, high, 0.0))


@GATE.mistake("lower end against 0")
def lower_end_against_0(before, after, limit, t):
    """You give red as soon as the lower end is above 0. Then a drop is shown, but it may be one that is
    allowed. Red needs the whole interval above the limit."""

    def light(low, high, limit):
        return "red" if low > 0 else _light(low, high, limit)

    return _gate(before, after, limit, t, light=light)


@GATE.mistake("yellow where 0 is inside")
def yellow_where_0_is_inside(before, after, limit, t):
    """You give yellow where the interval includes 0, and else let the mean decide. That asks whether anything
    changed. The question here is about the limit: yellow is where *it* lies inside."""

    def light(low, high, limit):
        if low <= 0 <= high:
            return "yellow"
        return "red" if (low + high) / 2 > limit + 1e-9 else "green"

    return _gate(before, after, limit, t, light=light)


@GATE.mistake("yellow is green")
def yellow_is_green(before, after, limit, t):
    """You give green for all that is not red. Then the fewer queries there are, the more is green. Green is a
    claim too: that not even the upper end is above the limit."""
    return _gate(before, after, limit, t, light=lambda low, high, limit: _light(low, low, limit))


@GATE.mistake("yellow is red")
def yellow_is_red(before, after, limit, t):
    """You give red for all that is not green. With few queries that stops nearly every change, and people
    learn to push past it. Red needs both ends above the limit."""
    return _gate(before, after, limit, t, light=lambda low, high, limit: _light(high, high, limit))


@GATE.mistake("red and green exchanged")
def exchanged(before, after, limit, t):
    """You exchange red and green. Red is where both ends of the drop are above the limit."""
    return {"red": "green", "green": "red", "yellow": "yellow"}[gate(before, after, limit, t)]


def _gains(before, after):
    return [-drop for drop in _drops(before, after)]


@GATE.mistake("after minus before")
def after_minus_before(before, after, limit, t):
    """Your drops have the wrong sign, so gains look like losses. The drop of a query is before − after."""
    return _gate(before, after, limit, t, pair=_gains)


@GATE.mistake("a rise counts as a fall")
def a_rise_counts_as_a_fall(before, after, limit, t):
    """You take the size of the mean without its sign, so a large gain is red. A drop must have a sign: before
    − after."""
    return _gate(before, after, limit, t, mean=lambda drops: abs(_mean(drops)))


def _half_by_n(drops, t):
    return _half(drops, t) * ((len(drops) - 1) / len(drops)) ** 0.5


@GATE.mistake("s divides by n")
def s_divides_by_n(before, after, limit, t):
    """Your s divides by n. Drops spread less around their own mean than around the true one, which nobody
    knows; n − 1 makes up for that. (np.std divides by n; np.std(drops, ddof=1) by n − 1.)"""
    return _gate(before, after, limit, t, half=_half_by_n)


@GATE.mistake("without t")
def without_t(before, after, limit, t):
    """Your interval is the mean ± s/√n. One standard error holds the true mean in about two of three cases
    only. Multiply by t."""
    return _gate(before, after, limit, t, half=lambda drops, t: _half(drops, 1))


@GATE.mistake("t fixed")
def t_fixed(before, after, limit, t):
    """You take 1.96, whatever t is. That is the value for very many queries and 2.5 % beyond each end; few
    queries need a larger one. The caller says which."""
    return _gate(before, after, limit, t, half=lambda drops, t: _half(drops, 1.96))


@GATE.mistake("without the root of n")
def without_the_root_of_n(before, after, limit, t):
    """Your interval is mean ± t·s. That is how far single queries spread. A mean over n of them spreads less:
    divide by √n."""
    return _gate(before, after, limit, t, half=lambda drops, t: t * _s(drops))


@GATE.mistake("n without its root")
def n_without_its_root(before, after, limit, t):
    """You divide by n, not by √n. Four times as many queries halve the interval; they do not quarter it."""
    return _gate(before, after, limit, t, half=lambda drops, t: t * _s(drops) / len(drops))


@GATE.mistake("variance")
def variance(before, after, limit, t):
    """You leave out the root: the mean of the squared distances is the variance, and s is its square root."""
    return _gate(before, after, limit, t, half=lambda drops, t: t * _s(drops) ** 2 / len(drops) ** 0.5)


@GATE.mistake("spread of the scores")
def spread_of_the_scores(before, after, limit, t):
    """You take the spread of the scores on each side. Hard and easy queries make that large, and both systems
    have the same ones. Subtract first, query by query, and take the spread of the drops."""

    def half(drops, t):
        sides = [list(side.values()) for side in (before, after)]
        return t * sum(_s(side) ** 2 / len(side) for side in sides) ** 0.5

    return _gate(before, after, limit, t, half=half)


_BY_POSITION = (
    "You pair scores by their place. The two files may hold the queries in another order, and then one "
    "query's score is subtracted from another's. Look both up by the query id."
)


def _by_position(before, after):
    _drops(before, after)
    return [b - a for b, a in zip(before.values(), after.values(), strict=True)]


@GATE.mistake("by place", _BY_POSITION)
def by_position(before, after, limit, t):
    return _gate(before, after, limit, t, pair=_by_position)


def _by_position_unchecked(before, after):
    pairs = zip(before.values(), after.values(), strict=False)
    return [b - a for b, a in pairs] or _drops(before, after)


@GATE.mistake("by place, unchecked", _BY_POSITION)
def by_position_unchecked(before, after, limit, t):
    return _gate(before, after, limit, t, pair=_by_position_unchecked)


def _common(before, after):
    return [before[query] - after[query] for query in before if query in after] or _drops(before, after)


@GATE.mistake("missing queries dropped")
def missing_queries_dropped(before, after, limit, t):
    """You compare the queries that both sides have, and say nothing of the others. An engine that crashes on
    its hard queries loses them from the file, and the gate is green. Other queries are another measurement:
    raise ValueError."""
    return _gate(before, after, limit, t, pair=_common)


def _lacking_as_zero(before, after):
    either = before | after
    return [before.get(query, 0) - after.get(query, 0) for query in either] or _drops(before, after)


@GATE.mistake("missing queries as 0")
def missing_queries_as_0(before, after, limit, t):
    """You give 0 to a query that one side lacks. That is a rule for engines that found nothing; here nobody
    knows why the query is missing, and a new one would count as a gain. Raise ValueError."""
    return _gate(before, after, limit, t, pair=_lacking_as_zero)


def _all_of_before(before, after):
    return [before[query] - after[query] for query in before] or _drops(before, after)


@GATE.mistake("missing queries not looked for")
def missing_queries_not_looked_for(before, after, limit, t):
    """You go through the queries of `before` alone. One that is missing afterwards raises KeyError by
    accident, one that is new is passed over. Compare the two sets of ids first, and raise ValueError."""
    return _gate(before, after, limit, t, pair=_all_of_before)


@GATE.mistake("few queries answer")
def few_queries_answer(before, after, limit, t):
    """You answer with fewer than five queries. Chance alone turns four of them the same way in one of eight
    cases, and where they fall by the same amount the interval has no width at all. Give yellow."""
    return _gate(before, after, limit, t, least=0)


_FEW_FIRST = (
    "You give yellow for fewer than five queries before you compare the two sides. Other queries are another "
    "measurement, however few they are. Compare the ids first, and raise ValueError."
)


@GATE.mistake("few queries before the comparison", _FEW_FIRST)
def few_before_the_comparison(before, after, limit, t):
    return "yellow" if 0 < min(len(before), len(after)) < 5 else gate(before, after, limit, t)


@GATE.mistake("few queries before the comparison, or none", _FEW_FIRST)
def few_or_none_before_the_comparison(before, after, limit, t):
    return "yellow" if min(len(before), len(after)) < 5 else gate(before, after, limit, t)


@GATE.mistake("five are too few")
def five_are_too_few(before, after, limit, t):
    """You give yellow for five queries. Fewer than five are too few; five are enough."""
    return _gate(before, after, limit, t, least=6)


@GATE.mistake("at the limit")
def at_the_limit(before, after, limit, t):
    """You do not give green where the upper end is exactly the limit. `limit` is the largest drop that is
    allowed; only more than that is too much."""

    def light(low, high, limit):
        return "yellow" if high == limit else _light(low, high, limit)

    return _gate(before, after, limit, t, light=light)


@GATE.mistake("at the limit red")
def at_the_limit_red(before, after, limit, t):
    """You give red where the lower end is the limit. Only more than the limit is too much. One thing to look
    at: an end may lie above it by a computer's last digit (0.8 − 0.7 comes out as 0.10000000000000009), so
    both ends are rounded to 9 decimals before they are compared."""
    return _gate(before, after, limit, t, decimals=17)


@GATE.mistake("worst query against the limit")
def worst_query_against_the_limit(before, after, limit, t):
    """You compare the worst query's drop with the limit. With enough queries there is always one that fell.
    It is worth a look, but the gate is about the mean."""
    return _gate(before, after, limit, t, mean=max, half=lambda drops, t: 0.0)


@GATE.mistake("nothing is an answer")
def nothing_is_an_answer(before, after, limit, t):
    """You give an answer without queries. An empty file, or a wrong path, would keep the gate from ever
    turning red. Raise ValueError."""
    return "yellow" if not before and not after else gate(before, after, limit, t)


@GATE.mistake("nothing divides by 0")
def nothing_divides_by_0(before, after, limit, t):
    """Without queries you divide by 0. It raises, but says that the program is broken, and not what to do.
    Ask first, and raise ValueError."""
    return 1 / 0 if not before and not after else gate(before, after, limit, t)


def _shared(before, after):
    drops = [before[query_id] - after[query_id] for query_id in before if query_id in after]
    if not drops:
        raise ValueError
    return drops


@GATE.mistake("missing queries dropped, the mean alone for red")
def dropped_and_red_by_the_mean(before, after, limit, t):
    """Two things. You leave out queries that one side lacks, where the task wants a ValueError: the two sides
    may differ in just those. And for red you ask the mean only: red is where both ends are above the
    limit."""
    drops = _shared(before, after)
    if len(drops) < 5:
        return "yellow"
    middle, width = _mean(drops), _half(drops, t)
    if round(middle, 9) > limit:
        return "red"
    return "yellow" if round(middle + width, 9) > limit else "green"


@GATE.mistake("red by the mean")
def red_by_the_mean(before, after, limit, t):
    """For red you ask only the mean. It may be above the limit by luck: red is where both ends are."""
    drops = _drops(before, after)
    light = gate(before, after, limit, t)
    return "red" if light == "yellow" and len(drops) >= 5 and round(_mean(drops), 9) > limit else light


@GATE.mistake("green by the mean")
def green_by_the_mean(before, after, limit, t):
    """For green you ask only the mean. It may be below the limit by luck: green is a claim too, and needs
    that not even the upper end is above."""
    drops = _drops(before, after)
    light = gate(before, after, limit, t)
    return "green" if light == "yellow" and len(drops) >= 5 and round(_mean(drops), 9) <= limit else light
