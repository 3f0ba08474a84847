"""What is behind a wrong answer: a mistake that the exercise knows, one that can be made in every exercise,
or neither; and which case shows it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from course.exercises import general, repairs
from course.exercises.attempt import Outcome, attempts
from course.exercises.cases import Case, Mistake
from course.exercises.general import Answer, Finding
from course.exercises.values import alike, plain, same


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


def diagnose(answer: Answer, cases: Sequence[Case], mistakes: Sequence[Mistake]) -> Diagnosis:
    """The first of these that holds, from the most to the least certain."""
    first = answer.wrong[0]
    made = [(mistake, known_outcomes(mistake.function, cases)) for mistake in mistakes]
    for mistake, outcomes in made:
        if general.explained(answer.found, outcomes):
            return Diagnosis(first, (mistake.message,), names=(mistake.name,))
    if diagnosis := _found(answer, general.by_results(answer)):
        return diagnosis
    if all(outcome.error or outcome.cut_off for outcome in answer.found):
        return _by_symptom(answer, [])  # then nothing but the error can be recognised
    matches = [match for mistake, outcomes in made if (match := _match(answer, mistake, outcomes)).shown]
    return (
        _in_disguise(answer, made)
        or _found(answer, repairs.repaired(answer))
        or _guarded(matches)
        or _two_at_once(answer, matches)
        or _found(answer, general.by_code(answer))
        or _among_others(matches)
        or _by_symptom(answer, [outcomes for _, outcomes in made])
    )


def _in_disguise(answer: Answer, made: list[tuple[Mistake, list[Outcome]]]) -> Diagnosis | None:
    """A known mistake, its results in another container, or rounded, or turned round …"""
    for mistake, outcomes in made:
        if general.explained(answer.found, outcomes, alike):
            return Diagnosis(answer.wrong[0], (mistake.message,), names=(mistake.name,))
    for mistake, outcomes in made:
        if change := general.change_behind(answer, outcomes, also=True):
            names = mistake.name, change.name
            return Diagnosis(answer.wrong[0], _first_and_second(mistake.message, change.message), (), names)
    return None


def _first_and_second(one: str, other: str) -> tuple[str, str]:
    return f"Two things. The first: {one}", f"The second: {other}"


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


def _two_at_once(answer: Answer, matches: list[_Match]) -> Diagnosis | None:
    """Two known mistakes that explain together what is wrong; where both would show, it may be anything."""
    wrong, fits = set(answer.wrong), []
    for one, other in combinations(matches, 2):
        explained, symptoms = one.shown | other.shown, one.symptoms | other.symptoms
        enough = _mostly_alone(one, other) and _mostly_alone(other, one)
        if wrong == symptoms and enough and 3 * len(explained) >= 2 * len(wrong):
            if one.telling + other.telling or (wrong == explained and _more_than_yes_or_no(answer)):
                # Of several pairs the one that explains most, and then the one with the fewest symptoms.
                size = len(one.symptoms) + len(other.symptoms)
                fits.append((-len(explained), size, len(fits), one, other))
    if not fits:
        return None
    *_, one, other = min(fits)
    messages = _first_and_second(one.mistake.message, other.mistake.message)
    return Diagnosis(min(one.shown - other.symptoms), messages, (), (one.mistake.name, other.mistake.name))


def _mostly_alone(match: _Match, other: _Match) -> bool:
    """Whether half of what a mistake would do is there, and a third of it is nothing that the other does."""
    alone = match.shown - other.symptoms
    return 2 * len(match.shown) >= len(match.symptoms) <= 3 * len(alone)


def _more_than_yes_or_no(answer: Answer) -> bool:
    """Whether a wrong result may be wrong in several ways: of two answers, the wrong one says nothing."""
    return not all(isinstance(outcome.value, bool) or outcome.error for outcome in answer.expected)


def _among_others(matches: list[_Match]) -> Diagnosis | None:
    """A known mistake that explains at least half of what is wrong, and the case that is shown."""
    fits = [match for match in matches if len(match.symptoms - match.guarded) > 1 and _enough(match)]
    if not fits:
        return None
    best = max(fits, key=lambda match: (match.of_wrong, match.telling))
    return Diagnosis(
        min(best.shown), (), (f"Among other things: {best.mistake.message}",), (best.mistake.name,)
    )


def _enough(match: _Match) -> bool:
    if match.complete and match.telling:
        return match.of_wrong >= (0.5 if match.telling > 1 else 0.6)
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
