"""What is behind a wrong answer: a mistake that the exercise knows, one that can be made in every exercise,
or neither; and which case shows it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from course.exercises import general, pairs, repairs
from course.exercises.attempt import Outcome, attempts
from course.exercises.cases import Case, Mistake
from course.exercises.general import Answer, Finding
from course.exercises.values import alike, plain, same

Made = list[tuple[Mistake, list[Outcome]]]


@dataclass(frozen=True)
class Diagnosis:
    """What a reader is told about a wrong answer, and the number, from 0, of the case that is shown."""

    case: int
    before: tuple[str, ...] = ()
    """Said before the case: what explains all that is wrong, or stands in the code."""
    after: tuple[str, ...] = ()
    """Said after the case: what explains it and most of the wrong ones, but not all."""
    names: tuple[str, ...] = ()
    reason_fits: bool = False
    """Whether the reason that the case gives is about what went wrong."""
    second: int | None = None
    """The number of a case that is shown at the end, below what is said `after`: the second mistake's own."""


def diagnose(answer: Answer, cases: Sequence[Case], mistakes: Sequence[Mistake]) -> Diagnosis:
    """The first of these that holds, from the most to the least certain."""
    if diagnosis := _found(answer, general.by_calls(answer)):
        return diagnosis
    first = answer.wrong[0]
    made = [(mistake, known_outcomes(mistake.function, cases)) for mistake in mistakes]
    for mistake, outcomes in made:
        if general.explained(answer.found, outcomes):
            return Diagnosis(first, (mistake.message,), names=(mistake.name,))
    if diagnosis := _found(answer, general.by_results(answer)):
        return diagnosis
    if all(outcome.error or outcome.cut_off for outcome in answer.found):
        return _by_symptom(answer, [])  # then nothing but the error can be recognised
    matches = _matches(answer, made)
    return (
        _in_disguise(answer, made)
        or _found(answer, repairs.repaired(answer))
        or _guarded(matches)
        or _put_together(answer, cases, mistakes)
        or _at_last(answer)
        or _edges_apart(answer, made)
        or _side_by_side(
            answer, matches + _matches(answer, _changed(answer)), _refuted(answer, cases, mistakes)
        )
        or _but_for_a_slip(answer, made)
        or _found(answer, general.by_code(answer))
        or _among_others(matches)
        or _by_symptom(answer, [outcomes for _, outcomes in made])
    )


def _in_disguise(answer: Answer, made: Made) -> Diagnosis | None:
    """A known mistake, its results in another container, or rounded, or turned round …"""
    for mistake, outcomes in made:
        if general.explained(answer.found, outcomes, alike):
            return Diagnosis(answer.wrong[0], (mistake.message,), names=(mistake.name,))
    for mistake, outcomes in made:
        if change := general.change_behind(answer, outcomes, also=True):
            return _two(answer, _known(mistake, outcomes), _Part(change.beside_another()))
    return None


def _at_last(answer: Answer) -> Diagnosis | None:
    """A slip without which the function is right in all cases."""
    if general.by_symptom(answer):
        return None  # what all wrong results have in common says more than a place in the code
    return _found(answer, repairs.repaired_at_last(answer))


def _but_for_a_slip(answer: Answer, made: Made) -> Diagnosis | None:
    """A known mistake, and nothing else, that the function makes without a slip, and that shows with it.

    The slip is not named: what it says of its place is certain only where all is right without it.
    """
    if not _tells(answer) or general.by_symptom(answer):
        return None
    known = [
        (mistake, outcomes)
        for mistake, outcomes in made
        if len(outcomes) == len(answer.found) and not pairs.is_two(mistake)
        if any(_gives(outcomes, n, answer.found[n]) for n in answer.wrong)
    ]
    found = repairs.repaired_at_last(answer, known) if known else None
    outcomes = next((outcomes for mistake, outcomes in known if mistake is found), [])
    return _partly(answer, found, outcomes) if found else None


def _put_together(answer: Answer, cases: Sequence[Case], mistakes: Sequence[Mistake]) -> Diagnosis | None:
    """Two known mistakes of which a function was put together that gives the same in all cases."""
    known = pairs.pairs_of(answer.reference, mistakes, cases)
    made = {mistake.name: known_outcomes(mistake.function, cases) for mistake in mistakes}
    fits, seen = [], []
    for pair in pairs.pairs_behind(answer.found, known, cases, answer.wrong[0]):
        fit = pair.one, pair.other
        certain = [mistake for mistake in fit if _needed(answer, made, mistake, fit)]
        (fits if len(certain) == 2 else seen).append(fit if len(certain) == 2 else certain)
    if not fits:
        # Of a pair that a single case speaks for, only what every such pair has is certain.
        vague = not seen or (len(seen) > 1 and general.by_code(answer))
        shared = [] if vague else [one for one in mistakes if all(one in certain for certain in seen)]
        return _partly(answer, shared[0], made[shared[0].name]) if shared else None
    # Several pairs may give these results; what the code says without doubt is better then.
    several = len({frozenset((one.name, other.name)) for one, other in fits}) > 1
    if several and general.by_code(answer):
        return None
    one, other = max(fits, key=lambda fit: _seen_alone(answer, cases, *fit))
    if several and not _tells(answer):
        # Where results are few (red, yellow, green), only what is part of every pair is certain.
        shared = [mistake for mistake in (one, other) if all(mistake in fit for fit in fits)]
        return _partly(answer, shared[0], made[shared[0].name]) if shared else None
    return _two(answer, _known(one, made[one.name]), _known(other, made[other.name]))


def _needed(
    answer: Answer, made: dict[str, list[Outcome]], mistake: Mistake, pair: tuple[Mistake, Mistake]
) -> bool:
    """Whether a pair would not do without one of its mistakes: in two wrong cases, or in one whose result
    nothing else that is known gives."""
    (other,) = [one for one in pair if one is not mistake]
    needed = [n for n in answer.wrong if not _gives(made[other.name], n, answer.found[n])]
    rest = [outcomes for name, outcomes in made.items() if name not in (mistake.name, other.name)]
    elsewhere = [n for n in needed if any(_gives(outcomes, n, answer.found[n]) for outcomes in rest)]
    return len(needed) > 1 or len(needed) > len(elsewhere)


def _gives(outcomes: Sequence[Outcome], number: int, found: Outcome) -> bool:
    return number < len(outcomes) and general.explained([found], [outcomes[number]], alike)


def _seen_alone(answer: Answer, cases: Sequence[Case], *pair: Mistake) -> tuple[int, int]:
    """In how many wrong cases a pair's mistakes give by themselves what was given: the rarer one, and both.

    A mistake that shows nowhere by itself is in the pair because the other one hides it.
    """
    shown = [
        sum(answer.found[n].equals(known_outcomes(mistake.function, cases)[n]) for n in answer.wrong)
        for mistake in pair
    ]
    return min(shown), sum(shown)


def _refuted(answer: Answer, cases: Sequence[Case], mistakes: Sequence[Mistake]) -> set[frozenset[str]]:
    """The pairs that it cannot be: a function was put together that makes both, and gives other results."""
    known = pairs.pairs_of(answer.reference, mistakes, cases)
    return {pair.names for pair in known if pair.ends}


def _partly(answer: Answer, mistake: Mistake, outcomes: Sequence[Outcome]) -> Diagnosis:
    shown = [n for n in answer.wrong if _gives(outcomes, n, answer.found[n])]
    return Diagnosis((shown or answer.wrong)[0], (), (_among(mistake.message),), (mistake.name,))


def _among(message: str) -> str:
    two, things, others = message.partition("Two things. ")
    return f"Among other things, two: {others}" if things and not two else f"Among other things: {message}"


def _tells(answer: Answer) -> bool:
    """Whether at least two wrong results are such as hardly come by chance."""
    return sum(_telling(answer.found[n], answer.found[n], answer.expected) for n in answer.wrong) > 1


def _edges_apart(answer: Answer, made: Made) -> Diagnosis | None:
    """One thing in the calls that should fail, or that fail and should not, and another in all others.

    The edges (nothing given, a division by 0) are often a mistake of their own: what is behind the others
    is looked for without them.
    """
    failed = {n for n in answer.wrong if answer.found[n].error and not answer.expected[n].error}
    passed = {n for n in answer.wrong if answer.expected[n].error}
    for edge in (passed, failed, passed | failed):
        rest = [n for n in range(len(answer.found)) if n not in edge]
        if edge and 2 * len(rest) > len(answer.found) and not edge.issuperset(answer.wrong):
            inner = _part(answer, rest)
            here = [
                (mistake, [outcomes[n] for n in rest])
                for mistake, outcomes in made
                if len(outcomes) == len(answer.found)
            ]
            if (known := _whole(inner, here)) is not None:
                second = _of_the_edge(answer, sorted(edge), made) or Finding("", "")
                names = tuple(filter(None, (*known.names, second.name)))
                if not second.name:
                    return Diagnosis(rest[known.case], known.before, names=names)
                one, other = _first_and_second(*known.before, second.message)
                return Diagnosis(
                    rest[known.case], (one,), (other,), names, second=min(edge & {*answer.wrong})
                )
    return None


def _part(answer: Answer, numbers: Sequence[int]) -> Answer:
    lists = ([values[n] for n in numbers] for values in (answer.calls, answer.found, answer.expected))
    return Answer(answer.function, answer.reference, *lists)


def _whole(answer: Answer, made: Made) -> Diagnosis | None:
    """One mistake that explains all outcomes but those of an edge; no slip, which must explain these too."""
    for mistake, outcomes in made:
        if general.explained(answer.found, outcomes, alike):
            return Diagnosis(answer.wrong[0], (mistake.message,), names=(mistake.name,))
    if finding := general.by_calls(answer) or general.by_results(answer):
        # It may say that the results are the right ones but for this; at the edge they are not.
        return _found(answer, Finding(finding.name, f"In all other calls: {finding.message}"))
    return None


def _of_the_edge(answer: Answer, edge: Sequence[int], made: Made) -> Finding | None:
    """What is behind the outcomes of a few cases: a mistake that shows there and hardly elsewhere."""
    small = []
    for mistake, outcomes in made:
        shows = [n for n, one in enumerate(outcomes) if not one.equals(answer.expected[n])]
        if set(edge) <= set(shows) and all(outcomes[n].equals(answer.found[n]) for n in edge):
            small.append((len(shows), len(small), Finding(mistake.name, mistake.message)))
    if small and min(small)[0] == len(edge):
        return min(small)[2]
    return general.by_symptom(_part(answer, edge))


def _first_and_second(one: str, other: str) -> tuple[str, str]:
    return f"Your results are those of two mistakes. The first: {one}", f"The second: {other}"


@dataclass(frozen=True)
class _Part:
    """One of two mistakes, and what it gives by itself in each case, where that is known."""

    finding: Finding
    outcomes: Sequence[Outcome] = ()


def _known(mistake: Mistake, outcomes: Sequence[Outcome]) -> _Part:
    return _Part(Finding(mistake.name, mistake.message), outcomes)


def _two(answer: Answer, one: _Part, other: _Part) -> Diagnosis:
    """Two mistakes, each with a call of its own below its sentence.

    Where all calls show both, there is one call below two sentences; a sentence that says something of its
    own call is not printed without it.
    """
    own = [_own_case(answer, one, other), _own_case(answer, other, one)]
    if own[0] is None and own[1] is not None:
        one, other, own = other, one, own[::-1]
    names = one.finding.name, other.finding.name
    first, second = _first_and_second(one.finding.message, other.finding.message)
    if None not in own:
        return Diagnosis(own[0], (first,), (second,), names, second=own[1])
    if own[0] is not None and _POINTS.search(other.finding.message):
        return Diagnosis(own[0], (_among(one.finding.message),), names=names[:1])
    return Diagnosis(answer.wrong[0] if own[0] is None else own[0], (first, second), names=names)


_POINTS = re.compile(r"\b(this call|error here|right here|gives None there)\b")


def _own_case(answer: Answer, mine: _Part, other: _Part) -> int | None:
    """The first case of one of two mistakes alone: its own result, where the other does nothing."""

    def silent(part: _Part, number: int) -> bool:
        return number < len(part.outcomes) and part.outcomes[number].equals(answer.expected[number])

    def shows(number: int) -> bool:
        return not silent(mine, number) and _gives(mine.outcomes, number, answer.found[number])

    alone = [n for n in answer.wrong if silent(other, n) and (shows(n) or not mine.outcomes)]
    its_result = [n for n in answer.wrong if shows(n) and not _gives(other.outcomes, n, answer.found[n])]
    return next(iter([*alone, *its_result]), None)


@dataclass(frozen=True)
class _Match:
    """How far a known mistake's outcomes are those of an answer; all sets hold numbers of cases."""

    mistake: Mistake
    symptoms: frozenset[int]
    """Where the mistake gives a wrong outcome."""
    guarded: frozenset[int]
    """Where it fails and the answer is right, as if it were guarded against that."""
    shown: frozenset[int]
    """Where the answer has the same wrong outcome."""
    telling: int
    """In how many of these it is an outcome that hardly comes by chance."""
    of_wrong: float
    """The share of what is wrong with the answer that the mistake explains."""

    @property
    def complete(self) -> bool:
        """Whether the answer shows all that the mistake would do."""
        return self.shown == self.symptoms - self.guarded

    @property
    def share(self) -> float:
        """Which share is there of what it would do, where nothing guards against it."""
        return len(self.shown) / len(self.symptoms - self.guarded)


def _matches(answer: Answer, made: Made) -> list[_Match]:
    return [match for mistake, outcomes in made if (match := _match(answer, mistake, outcomes)).shown]


def _changed(answer: Answer) -> Made:
    """What can be done to a right result in every exercise, as mistakes with their outcomes."""
    changed = []
    for change in general.CHANGES:
        if not change.only_alone:
            outcomes = [one if one.error else Outcome(change.make(one.value)) for one in answer.expected]
            name, message = change.beside_another()
            changed.append((Mistake(name, answer.reference, message), outcomes))
    return changed


def _match(answer: Answer, mistake: Mistake, outcomes: Sequence[Outcome]) -> _Match:
    wrong, both = set(answer.wrong), range(min(len(answer.found), len(outcomes)))
    symptoms = {number for number in both if not outcomes[number].equals(answer.expected[number])}
    shown = {number for number in symptoms if answer.found[number].equals(outcomes[number])}
    guarded = {number for number in symptoms - wrong if outcomes[number].error}
    telling = sum(_telling(answer.found[number], outcomes[number], answer.expected) for number in shown)
    of_wrong = len(shown) / len(wrong)
    return _Match(mistake, *map(frozenset, (symptoms, guarded, shown)), telling, of_wrong)


def _telling(found: Outcome, made: Outcome, expected: Sequence[Outcome]) -> bool:
    """Whether that both are the same is hardly so by chance.

    It is where it is a value that is no 0, 1, True or nothing, and the right one in no other case; or an
    error with a message that says more than its kind.
    """
    if made.error:
        return not isinstance(made.error, _OFTEN) and str(found.error) == str(made.error)
    value = plain(made.value)
    if value is None or isinstance(value, bool) or any(same(value, x) for x in _COMMON):
        return False
    return not any(same(value, needed.value) for needed in expected if not needed.error)


_OFTEN = (ZeroDivisionError, IndexError, KeyError)
_COMMON = (0, 1, "", [], {}, set())


def _guarded(matches: list[_Match]) -> Diagnosis | None:
    """A known mistake that explains all that is wrong, while a guard of the reader's avoids some of it."""
    fits = [match for match in matches if match.of_wrong == 1 and match.share >= 0.75 and match.telling > 1]
    if not fits:
        return None
    best = max(fits, key=lambda match: (match.share, match.telling))
    return Diagnosis(min(best.shown), (best.mistake.message,), names=(best.mistake.name,))


def _found(answer: Answer, finding: Finding | None) -> Diagnosis | None:
    return Diagnosis(answer.wrong[0], (finding.message,), names=(finding.name,)) if finding else None


def _side_by_side(answer: Answer, matches: list[_Match], refuted: set[frozenset[str]]) -> Diagnosis | None:
    """Two known mistakes, each of which explains all that is wrong where the other does not show."""
    wrong, fits = set(answer.wrong), []
    for one, other in _not_in(refuted, matches):
        both = one.symptoms & other.symptoms
        alone = [match.shown - both for match in (one, other)]
        exact = [match.symptoms - both - match.guarded for match in (one, other)] == alone
        explained = one.shown | other.shown
        if not (exact and all(alone)) or wrong - both != alone[0] | alone[1]:
            continue
        free = wrong - explained
        if len(free) <= min(map(len, alone)) and (
            min(one.telling, other.telling) > 0 or (not free and _more_than_yes_or_no(answer))
        ):
            fits.append((len(free), len(one.symptoms) + len(other.symptoms), len(fits), one, other, alone))
    if not fits:
        return None
    *_, one, other, _ = min(fits)
    return _side(answer, one, other)


def _side(answer: Answer, one: _Match, other: _Match) -> Diagnosis:
    """Two mistakes of which each is seen where the other does nothing."""
    first, second = _first_and_second(one.mistake.message, other.mistake.message)
    names = one.mistake.name, other.mistake.name
    cases = min(one.shown - other.symptoms), min(other.shown - one.symptoms)
    return Diagnosis(cases[0], (first,), (second,), names, second=cases[1])


def _not_in(refuted: set[frozenset[str]], matches: list[_Match]) -> Iterator[tuple[_Match, _Match]]:
    for one, other in combinations(matches, 2):
        double = pairs.is_two(one.mistake) or pairs.is_two(other.mistake)
        if not double and frozenset((one.mistake.name, other.mistake.name)) not in refuted:
            yield one, other


def _more_than_yes_or_no(answer: Answer) -> bool:
    """Whether a wrong result may be wrong in several ways: of two answers, the wrong one says nothing."""
    return not all(isinstance(outcome.value, bool) or outcome.error for outcome in answer.expected)


def _among_others(matches: list[_Match]) -> Diagnosis | None:
    """A known mistake that explains at least half of what is wrong, and the case that is shown."""
    fits = [match for match in matches if len(match.symptoms - match.guarded) > 1 and _enough(match)]
    if not fits:
        return None
    best = max(fits, key=lambda match: (match.of_wrong, match.telling))
    return Diagnosis(min(best.shown), (), (_among(best.mistake.message),), (best.mistake.name,))


def _enough(match: _Match) -> bool:
    if match.complete and match.telling:
        # Where most is explained, few results may tell; where less is, what is left may be all one mistake.
        return match.of_wrong >= (0.6 if match.telling > 2 else 0.75)
    # Where most numbers are those of the mistake, a second one has changed the others.
    return match.of_wrong >= 0.7 and match.share >= 0.75 and match.telling > 3


def _by_symptom(answer: Answer, made: Sequence[Sequence[Outcome]]) -> Diagnosis:
    found = _found(answer, general.by_symptom(answer))
    if found or len(answer.wrong) > 0.4 * len(answer.found):
        # Where many cases go wrong, it is no single rule of the task that was missed: no reason fits.
        return found or Diagnosis(answer.wrong[0])
    fits = [number for number in answer.wrong if _reason_fits(answer, made, number)]
    return Diagnosis((fits or answer.wrong)[0], reason_fits=bool(fits))


def _reason_fits(answer: Answer, made: Sequence[Sequence[Outcome]], number: int) -> bool:
    """Whether the reason that a case gives says something about what went wrong there.

    It does not where the call failed, or never ended; nor where two of three mistakes show, since such a case
    is about the whole and not about one rule.
    """
    failed = answer.found[number].error or answer.found[number].cut_off
    here = [outcomes for outcomes in made if number < len(outcomes)]
    shows = sum(not outcomes[number].equals(answer.expected[number]) for outcomes in here)
    return not failed and (3 * shows <= 2 * len(here) or len(here) < _FEW)


_FEW = 5
"""Mistakes of which no share can be taken."""


_KNOWN: dict[tuple[int, int], tuple[Callable, Sequence[Case], list[Outcome]]] = {}


def known_outcomes(function: Callable, cases: Sequence[Case]) -> list[Outcome]:
    """The outcomes of a reference or of a known mistake, which are always the same: they are made once."""
    key = id(function), id(cases)
    if key not in _KNOWN:
        outcomes = attempts(function, [case.arguments for case in cases])
        if outcomes[-1].cut_off:  # of a computer that is too busy; it is not to be remembered
            return outcomes
        _KNOWN[key] = function, cases, outcomes  # both kept, so that nothing else gets their identity
    return _KNOWN[key][2]
