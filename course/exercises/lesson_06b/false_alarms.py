"""Exercise: how many tests without a difference have raised an alarm, look by look."""

from course.exercises.cases import Case
from course.exercises.exercise import Exercise


def false_alarms(tests, levels):
    stopped, shares = [False] * len(tests), []
    for look, level in enumerate(levels):
        stopped = [before or p[look] < level for before, p in zip(stopped, tests, strict=True)]
        shares.append(sum(stopped) / len(tests))
    return shares


FALSE_ALARMS = Exercise(
    name="FALSE_ALARMS",
    task="""\
Section 4 looked at 4,000 tests of two equal systems every morning.

Write `false_alarms(tests, levels)`. It returns a list with one share for each look: the share of tests that \
have raised an alarm at that look or before. `tests` is a list of tests, each a list with its p-value at \
every look; none of them has a difference to find. `levels` is a list with the level of each look. A team \
that stops at any low p has 0.05 at every look, and a boundary has its own levels.

**Convention**: a p below the level of its own look is an alarm, and a p equal to the level is not. A test \
stops at its first alarm, so from that look to the end it counts once, whatever p does afterwards. There is \
at least one test.""",
    reference=false_alarms,
    cases=(
        Case(([[0.03, 0.5]], [0.05, 0.05]), "stopped at the first look; what comes later changes nothing"),
        Case(([[0.5, 0.03]], [0.05, 0.05]), "no alarm at the first look, one up to the second"),
        Case(([[0.5, 0.6]], [0.05, 0.05]), "no alarm at any look"),
        Case(([[0.03, 0.02]], [0.05, 0.05]), "low at both looks, but it is one test: never above 1"),
        Case(
            ([[0.5, 0.03, 0.4], [0.5, 0.5, 0.5]], [0.05] * 3),
            "one of two, from the second look on; it has stopped, so nobody sees its p rise at the third",
        ),
        Case(
            ([[0.03, 0.03]], [0.01, 0.04]),
            "each look has its own level: none at the first, one at the second",
        ),
        Case(([[0.5, 0.045]], [0.01, 0.04]), "0.045 is not below 0.04: the levels do not add up"),
        Case(
            (
                [
                    [0.2, 0.04, 0.01],
                    [0.004, 0.5, 0.6],
                    [0.3, 0.02, 0.4],
                    [0.1, 0.015, 0.001],
                    [0.9, 0.7, 0.8],
                    [0.06, 0.5, 0.045],
                    [0.03, 0.019, 0.9],
                ],
                [0.005, 0.02, 0.045],
            ),
            "of seven tests one stopped at the first look, two more at the second, one more at the third",
        ),
        Case(([[0.05]], [0.05]), "exactly at the level is no alarm"),
        Case(
            ([[0.2, 0.04], [0.04, 0.2], [0.2, 0.2], [0.04, 0.04]], [0.05, 0.05]),
            "two of four at the first look, three of four up to the second",
        ),
        Case(
            ([[0.001, 0.5, 0.5], [0.047, 0.002, 0.5], [0.04, 0.03, 0.03]], [0.0005, 0.014, 0.045]),
            "a boundary that is strict at first: none of three, then one, then two",
        ),
        Case(([[0.2], [0.01], [0.3]], [0.05]), "one look is an ordinary test: one of three"),
        Case(
            ([[0.9, 0.04, 0.9, 0.04], [0.9, 0.9, 0.9, 0.01]], [0.05] * 4),
            "the first test raises two alarms, but is one test",
        ),
    ),
    hints=(
        "Follow one test through its looks: has it stopped by now? Once stopped, it stays stopped. Then "
        "compute the share of all tests, at each look.",
        "Keep a list with True or False for each test. At each look a test is stopped if it was before, or "
        "if its p is below the level of this look.",
        "stopped = [before or p[look] < level for before, p in zip(stopped, tests)] in a loop over "
        "enumerate(levels); after each look append sum(stopped) / len(tests).",
    ),
    difficulty=2,
    minutes=10,
    further="A team looks daily, but only stops after two low mornings in a row. Is that a boundary?",
)


def _alarms(tests, levels, low=lambda p, level: p < level, so_far=any):
    """The reference with one part exchanged."""
    looks = range(1, len(levels) + 1)
    return [
        sum(so_far([low(p, level) for p, level in zip(test[:look], levels, strict=False)]) for test in tests)
        / len(tests)
        for look in looks
    ]


@FALSE_ALARMS.mistake("each look for itself")
def each_look_for_itself(tests, levels):
    """You ask at each look which tests are low then. A test that has stopped stays stopped: the team that
    looked yesterday has declared a winner already."""
    return _alarms(tests, levels, so_far=lambda lows: lows[-1])


@FALSE_ALARMS.mistake("alarms counted")
def alarms_counted(tests, levels):
    """You add up all low p-values. A test that is low on three mornings is one test, stopped once;
    otherwise the share could exceed 1."""
    return _alarms(tests, levels, so_far=sum)


@FALSE_ALARMS.mistake("low at every look")
def low_at_every_look(tests, levels):
    """You ask for a low p at every look so far. A team that stops at the first alarm needs only one: use any,
    not all."""
    return _alarms(tests, levels, so_far=all)


@FALSE_ALARMS.mistake("at the level")
def at_the_level(tests, levels):
    """You take a p exactly at the level for an alarm. Below it, the convention says."""
    return _alarms(tests, levels, low=lambda p, level: p <= level)


@FALSE_ALARMS.mistake("above the level")
def above_the_level(tests, levels):
    """You count p-values above the level. A low p is what looks like a difference."""
    return _alarms(tests, levels, low=lambda p, level: p > level)


@FALSE_ALARMS.mistake("0.05 at all looks")
def always_five_per_cent(tests, levels):
    """You compare with 0.05 at each look. A boundary has its own levels, far lower; they are given."""
    return _alarms(tests, [0.05] * len(levels))


@FALSE_ALARMS.mistake("the first level for all")
def first_level_for_all(tests, levels):
    """You compare all looks with the first level. Each look has its own: levels[look]."""
    return _alarms(tests, [levels[0]] * len(levels))


@FALSE_ALARMS.mistake("the last level for all")
def last_level_for_all(tests, levels):
    """You compare all looks with the last level. Each look has its own: levels[look]."""
    return _alarms(tests, [levels[-1]] * len(levels))


@FALSE_ALARMS.mistake("the level of the last look for all before")
def level_of_the_look_for_all_before(tests, levels):
    """At each look you compare all p-values so far with the level of that look. Compare each with the
    level of its own look; with a boundary that grows, yours would call yesterday's p an alarm today."""
    return [sum(min(test[: n + 1]) < levels[n] for test in tests) / len(tests) for n in range(len(levels))]


@FALSE_ALARMS.mistake("only at the end")
def only_at_the_end(tests, levels):
    """You give one number, the share at the end. Return one for each look: a plan needs to know how it
    grows."""
    return false_alarms(tests, levels)[-1]


@FALSE_ALARMS.mistake("counts in place of shares")
def counts(tests, levels):
    """You count tests. Divide by the number of all tests."""
    return [round(share * len(tests)) for share in false_alarms(tests, levels)]


@FALSE_ALARMS.mistake("divided by the looks")
def by_the_looks(tests, levels):
    """You divide by the number of looks. The share is of the tests."""
    return [share * len(tests) / len(levels) for share in false_alarms(tests, levels)]


@FALSE_ALARMS.mistake("new alarms only")
def new_alarms_only(tests, levels):
    """You give the tests that stop at each look. Return the share that has stopped up to that look:
    add them up."""
    shares = false_alarms(tests, levels)
    return [now - before for before, now in zip([0, *shares], shares, strict=False)]


def _running(tests, levels):
    """How many tests have not stopped before each look."""
    return [len(tests) * (1 - before) for before in [0, *false_alarms(tests, levels)][: len(levels)]]


_STILL_RUNNING = (
    "You divide by the tests that were still running. The share is of all tests: one that has stopped is one "
    "of them."
)


@FALSE_ALARMS.mistake("divided by those still running", _STILL_RUNNING)
def by_those_still_running(tests, levels):
    both = zip(false_alarms(tests, levels), _running(tests, levels), strict=True)
    return [share * len(tests) / running if running > 1e-9 else 1.0 for share, running in both]


@FALSE_ALARMS.mistake("divided by those still running, 0 where none is", _STILL_RUNNING)
def by_those_still_running_or_0(tests, levels):
    both = zip(false_alarms(tests, levels), _running(tests, levels), strict=True)
    return [share * len(tests) / running if running > 1e-9 else 0.0 for share, running in both]


@FALSE_ALARMS.mistake("new alarms among those still running")
def new_among_those_still_running(tests, levels):
    """You give, at each look, the share of the tests still running that stop there. Return the share of
    all tests that have stopped up to that look."""
    shares = [0, *false_alarms(tests, levels)]
    return [
        (now - before) / (1 - before) if before < 1 - 1e-9 else 0.0
        for before, now in zip(shares, shares[1:], strict=False)
    ]


@FALSE_ALARMS.mistake("the end at every look")
def the_end_at_every_look(tests, levels):
    """You give the share at the end for every look. At each look only the p-values up to it are known."""
    return [false_alarms(tests, levels)[-1] for _ in levels]


@FALSE_ALARMS.mistake("levels divided by the looks")
def levels_divided(tests, levels):
    """You divide the levels by the number of looks. Use `levels` as they are given: the question is how
    many alarms they raise."""
    return false_alarms(tests, [level / len(levels) for level in levels])


@FALSE_ALARMS.mistake("levels added up")
def levels_added_up(tests, levels):
    """You compare with the sum of the levels so far. Each look has its own level, as it is given."""
    return false_alarms(tests, [sum(levels[: look + 1]) for look in range(len(levels))])


@FALSE_ALARMS.mistake("share of the p-values")
def share_of_the_p_values(tests, levels):
    """You count low p-values among all p-values so far. The share is of tests, and a test counts once, from
    its first alarm on."""
    both = enumerate(alarms_counted(tests, levels), start=1)
    return [share / look for look, share in both]


@FALSE_ALARMS.mistake("divided by the looks so far")
def by_the_looks_so_far(tests, levels):
    """Your shares get smaller with each look: they are divided by the looks so far. A test that has stopped
    counts in full from its first alarm on."""
    return [share / look for look, share in enumerate(false_alarms(tests, levels), start=1)]


@FALSE_ALARMS.mistake("shares added up")
def shares_added_up(tests, levels):
    """You add up the shares of the looks, so that a test counts again at every look after its first alarm. It
    counts once."""
    shares = false_alarms(tests, levels)
    return [sum(shares[: look + 1]) for look in range(len(shares))]


@FALSE_ALARMS.mistake("one look later")
def one_look_later(tests, levels):
    """An alarm counts in your shares from the next look on. It counts from its own."""
    return [0.0, *false_alarms(tests, levels)[:-1]]


@FALSE_ALARMS.mistake("beginning with 0")
def beginning_with_0(tests, levels):
    """Your list begins with a 0 for the time before the first look. There is one share for each look, and
    none before."""
    return [0.0, *false_alarms(tests, levels)]


@FALSE_ALARMS.mistake("one number for each test")
def one_for_each_test(tests, levels):
    """You give one number for each test: the share of its looks at which it is low. Return one for each
    look: the share of the tests."""
    return [sum(p < level for p, level in zip(test, levels, strict=True)) / len(levels) for test in tests]
