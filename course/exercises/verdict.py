"""What a check says: a function's outcomes beside those of the reference and of each mistake."""

import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course.exercises.attempt import Outcome, attempt, error_in_words, error_kind, inside_a_call
from course.exercises.cases import TODO, Case, Mistake
from course.exercises.values import in_words, kind

WIDTH = 100
RIGHT, WRONG, UNTOUCHED = "right", "not right yet", "not attempted yet"


@dataclass(frozen=True)
class Verdict:
    """One of RIGHT, WRONG and UNTOUCHED, the sentences for the reader, and the mistake recognised, if any."""

    status: str
    text: str
    mistake: str = ""


def judge(
    function: object, reference: Callable, cases: Sequence[Case], mistakes: Sequence[Mistake]
) -> Verdict:
    """Runs `function` on all cases and says what is wrong with it.

    Raises nothing but the reader's own interrupt.
    """
    name = reference.__name__
    if inside_a_call():
        inside = "The check stands inside the function that it calls; put it below, unindented."
        return _wrong(name, "", inside)
    try:
        return _judge(function, reference, cases, mistakes)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # of an object that cannot even be looked at
        return _wrong(name, "", f"It cannot be judged: looking at it raises {type(error).__name__}.")


def _judge(
    function: object, reference: Callable, cases: Sequence[Case], mistakes: Sequence[Mistake]
) -> Verdict:
    name = reference.__name__
    if function is TODO:
        return _untouched(name)
    if problem := _cannot_be_called(function, reference):
        return _wrong(name, "", problem)
    found, expected = outcomes(function, cases), outcomes(reference, cases)
    if all(outcome.value is TODO for outcome in found):
        return _untouched(name)
    if all(outcome.value is None and not outcome.error and not outcome.cut_off for outcome in found):
        forgotten = "It gives None in every case: is there a line that begins with `return`?"
        return _wrong(name, "", forgotten, _printed(found[0]))
    if not all(map(Outcome.equals, found, expected)):
        return _explained(found, expected, reference, cases, mistakes)
    changes = _changes(found, reference)
    return _wrong(name, ". Its results are right", changes) if changes else _right(name, cases)


def _explained(
    found: Sequence[Outcome],
    expected: Sequence[Outcome],
    reference: Callable,
    cases: Sequence[Case],
    mistakes: Sequence[Mistake],
) -> Verdict:
    """What is wrong with outcomes that differ: the mistake that explains them all, else the first case."""
    name, changes, wrong = reference.__name__, _changes(found, reference), _differing(found, expected)
    counted = f", in {len(wrong)} of {len(cases)} cases"
    if len(found) < len(cases):
        counted = f"; {len(cases) - len(found)} of {len(cases)} cases were not tried any more"
    example = _example(found[wrong[0]], expected[wrong[0]], cases[wrong[0]], reference)
    mistake, alone = recognise(found, expected, cases, mistakes)
    if mistake and alone:
        return _wrong(name, counted, mistake.message, example, changes, mistake=mistake.name)
    other_kind = _other_kind(found, expected)
    reason = "" if other_kind else f"  because  {cases[wrong[0]].reason}"
    among = f"Among other things: {mistake.message}" if mistake else ""
    recognised = mistake.name if mistake else ""
    return _wrong(name, counted, other_kind, example, reason, among, changes, mistake=recognised)


def _differing(found: Sequence[Outcome], expected: Sequence[Outcome]) -> list[int]:
    """The numbers, from 0, of the cases in which the outcome is not the expected one."""
    return [number for number, outcome in enumerate(found) if not outcome.equals(expected[number])]


def outcomes(function: Callable, cases: Sequence[Case]) -> list[Outcome]:
    """The outcome of each case, up to the first that was cut off: waiting for the others helps nobody."""
    found: list[Outcome] = []
    for case in cases:
        found.append(attempt(function, case.arguments))
        if found[-1].cut_off:
            break
    return found


def recognise(
    found: Sequence[Outcome], expected: Sequence[Outcome], cases: Sequence[Case], mistakes: Sequence[Mistake]
) -> tuple[Mistake | None, bool]:
    """The known mistake behind these outcomes, and whether it explains them all.

    A mistake explains all when every outcome is the one it gives; it is one among others when all of its own
    wrong outcomes are there, and then the mistake with the most of them is taken. (None, False) when there is
    none.
    """
    best, most = None, 0
    fails_always = all(outcome.error for outcome in found)  # then nothing but the error can be recognised
    for mistake in mistakes:
        made = outcomes(mistake.function, cases)
        if len(made) == len(found) and all(map(Outcome.equals, found, made)):
            return mistake, True
        if fails_always:
            continue
        symptoms = _differing(made, expected)
        shown = (number < len(found) and found[number].equals(made[number]) for number in symptoms)
        if len(symptoms) > most and all(shown):
            best, most = mistake, len(symptoms)
    return best, False


def _untouched(name: str) -> Verdict:
    text = f"{name}: {UNTOUCHED}. Put your code in the place of TODO, and run the cell again."
    return Verdict(UNTOUCHED, text)


def _right(name: str, cases: Sequence[Case]) -> Verdict:
    return Verdict(RIGHT, f"{name}: {RIGHT}, in all {len(cases)} cases.")


def _wrong(name: str, counted: str, *said: str, mistake: str = "") -> Verdict:
    paragraphs = [f"{name}: {WRONG}{counted}.", *(part for part in said if part)]
    lines = [line for part in paragraphs for line in part.splitlines()]
    wrapped = [
        textwrap.fill(line, WIDTH, subsequent_indent=_indent(line), break_long_words=False) for line in lines
    ]
    return Verdict(WRONG, "\n".join(wrapped), mistake)


def _indent(line: str) -> str:
    return " " * 11 if line.startswith("  ") else ""


def _cannot_be_called(function: object, reference: Callable) -> str:
    name, needed = reference.__name__, inspect.signature(reference)
    if not callable(function):
        given = in_words(function)
        return f"check takes the function itself, by its name and without brackets; this is {given}."
    try:
        inspect.signature(function).bind(*needed.parameters)
    except TypeError:
        return f"It is called as {name}{needed}, but yours is defined as {name}{inspect.signature(function)}."
    except Exception:
        return ""  # it does not say what it takes; calling it will show
    return ""


def _other_kind(found: Sequence[Outcome], expected: Sequence[Outcome]) -> str:
    """A sentence for whoever gives, say, a generator in every case where a list is needed; else ""."""
    both = zip(found, expected[: len(found)], strict=True)
    values = [(got, needed) for got, needed in both if not (got.error or needed.error or got.cut_off)]
    pairs = [(kind(got.value), kind(needed.value)) for got, needed in values]
    if pairs and all(got != needed for got, needed in pairs):
        return f"It gives {pairs[0][0]}; needed is {pairs[0][1]}."
    return ""


def _example(found: Outcome, expected: Outcome, case: Case, reference: Callable) -> str:
    """The call that went wrong, what was needed and what came."""
    needed, got = needed_in_words(expected), got_in_words(found)
    if needed == got:  # equal as far as six digits go
        needed, got = needed_in_words(expected, exact=True), got_in_words(found, exact=True)
    where = f" (in the line `{found.line}`)" if found.line else ""
    lines = [
        f"  call     {call_in_words(reference, case)}",
        f"  needed   {needed}",
        f"  got      {got}{where}",
        _printed(found),
    ]
    return "\n".join(filter(None, lines))


def call_in_words(reference: Callable, case: Case) -> str:
    """The call of a case, as it would be typed."""
    arguments = ", ".join(in_words(argument, exact=True) for argument in case.arguments)
    return f"{reference.__name__}({arguments})"


def needed_in_words(outcome: Outcome, exact: bool = False) -> str:
    """Of an error only its kind: what the reference says in its message is not asked of anybody."""
    return error_kind(outcome.error).__name__ if outcome.error else in_words(outcome.value, exact)


def got_in_words(outcome: Outcome, exact: bool = False) -> str:
    """What a reader's function gave: its value, its error, or that it was stopped."""
    if outcome.cut_off:
        return "nothing: it did not come to an end, and was stopped. Which condition ends its loop?"
    return error_in_words(outcome) if outcome.error else in_words(outcome.value, exact)


def _printed(outcome: Outcome) -> str:
    """The beginning of what the reader's function printed, which `check` keeps to itself."""
    text = " / ".join(outcome.printed.split("\n")[:5]).strip(" /")
    return f"  printed  {text[:200]}" if text else ""


def _changes(found: Sequence[Outcome], reference: Callable) -> str:
    """A sentence about arguments that came back changed, "" where none did."""
    changed = sorted({position for outcome in found for position in outcome.changed})
    if not changed:
        return ""
    parameters = list(inspect.signature(reference).parameters)
    names = " and ".join(f"`{parameters[position]}`" for position in changed)
    return (
        f"It changes {names}, which belongs to whoever calls it, and who will want to use it again. "
        "Work on a copy."
    )
