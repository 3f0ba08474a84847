"""What a check says: the outcomes of a reader's function beside those of the reference and of each known mistake, in words."""

import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from helpers.exercises.attempt import Outcome, attempt, error_in_words
from helpers.exercises.cases import TODO, Case, Mistake
from helpers.exercises.values import in_words

WIDTH = 100
RIGHT, WRONG, UNTOUCHED = "right", "not right yet", "not attempted yet"


@dataclass(frozen=True)
class Verdict:
    """One of RIGHT, WRONG and UNTOUCHED, the sentences for the reader, and the mistake that was recognised, if one was."""

    status: str
    text: str
    mistake: str = ""


def judge(function: object, reference: Callable, cases: Sequence[Case], mistakes: Sequence[Mistake]) -> Verdict:
    """Runs `function` on all cases and says what is wrong with it. Never raises, whatever it is given."""
    name = reference.__name__
    if function is TODO:
        return _untouched(name)
    if problem := _cannot_be_called(function, reference):
        return _wrong(name, "", problem)
    found, expected = outcomes(function, cases), outcomes(reference, cases)
    if all(outcome.value is TODO for outcome in found):
        return _untouched(name)
    if all(outcome.value is None and not outcome.error and not outcome.cut_off for outcome in found):
        return _wrong(name, "", "It gives None in every case: is there a line that begins with `return`?", _printed(found[0]))
    wrong = [place for place, outcome in enumerate(found) if not outcome.equals(expected[place])]
    changes = _changes(found, reference)
    if not wrong:
        right = Verdict(RIGHT, f"{name}: {RIGHT}, in all {len(cases)} cases.")
        return _wrong(name, ". Its results are right", changes) if changes else right
    mistake, alone = recognise(found, expected, cases, mistakes)
    said = [mistake.message if alone else f"Among other things: {mistake.message}"] if mistake else []
    example = _example(wrong[0], found, expected, cases, reference, with_reason=not alone)
    said = [*said, example] if alone else [example, *said]
    counted = f", in {len(wrong)} of {len(cases)} cases"
    if found[-1].cut_off and len(found) < len(cases):
        counted = f"; {len(cases) - len(found)} of {len(cases)} cases were not tried any more"
    return _wrong(name, counted, *said, changes, mistake=mistake.name if mistake else "")


def outcomes(function: Callable, cases: Sequence[Case]) -> list[Outcome]:
    """The outcome of each case, up to the first that had to be cut off: waiting for the others as well helps nobody."""
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

    A mistake explains all when every outcome is the one it gives; it is one among others when all of its own wrong outcomes
    are there, and then the mistake with the most of them is taken. (None, False) when there is none.
    """
    best, most = None, 0
    for mistake in mistakes:
        made = outcomes(mistake.function, cases)
        if len(made) == len(found) and all(map(Outcome.equals, found, made)):
            return mistake, True
        symptoms = [place for place, outcome in enumerate(made) if not outcome.equals(expected[place])]
        if len(symptoms) > most and all(place < len(found) and found[place].equals(made[place]) for place in symptoms):
            best, most = mistake, len(symptoms)
    return best, False


def _untouched(name: str) -> Verdict:
    return Verdict(UNTOUCHED, f"{name}: {UNTOUCHED}. Put your code in the place of TODO, and run the cell again.")


def _wrong(name: str, counted: str, *said: str, mistake: str = "") -> Verdict:
    paragraphs = [f"{name}: {WRONG}{counted}.", *(part for part in said if part)]
    lines = [line for part in paragraphs for line in part.splitlines()]
    wrapped = [textwrap.fill(line, WIDTH, subsequent_indent=_indent(line), break_long_words=False) for line in lines]
    return Verdict(WRONG, "\n".join(wrapped), mistake)


def _indent(line: str) -> str:
    return " " * 11 if line.startswith("  ") else ""


def _cannot_be_called(function: object, reference: Callable) -> str:
    name, needed = reference.__name__, inspect.signature(reference)
    if not callable(function):
        return f"check takes the function itself, by its name and without brackets; this is {in_words(function)}."
    try:
        inspect.signature(function).bind(*needed.parameters)
    except TypeError:
        return f"It is called as {name}{needed}, but yours is defined as {name}{inspect.signature(function)}."
    except Exception:
        return ""  # it does not say what it takes; calling it will show
    return ""


def _example(
    place: int,
    found: Sequence[Outcome],
    expected: Sequence[Outcome],
    cases: Sequence[Case],
    reference: Callable,
    with_reason: bool,
) -> str:
    """The call that went wrong, what was needed and what came; the case's reason where no mistake's message gives one."""
    needed, got = _in_words(expected[place], False), _in_words(found[place], False)
    if needed == got:  # equal as far as six digits go
        needed, got = _in_words(expected[place], True), _in_words(found[place], True)
    arguments = ", ".join(in_words(argument, exact=True) for argument in cases[place].arguments)
    where = f" (in the line `{found[place].line}`)" if found[place].line else ""
    lines = [f"  call     {reference.__name__}({arguments})", f"  needed   {needed}", f"  got      {got}{where}"]
    if printed := _printed(found[place]):
        lines.append(printed)
    if with_reason:
        lines.append(f"  because  {cases[place].reason}")
    return "\n".join(lines)


def _in_words(outcome: Outcome, exact: bool) -> str:
    if outcome.cut_off:
        return "nothing: it did not come to an end, and was stopped. Which condition ends its loop?"
    if outcome.error is None:
        return in_words(outcome.value, exact)
    return error_in_words(outcome)


def _printed(outcome: Outcome) -> str:
    """The beginning of what the reader's function printed, which `check` keeps to itself."""
    text = " / ".join(outcome.printed.split("\n")[:5]).strip(" /")
    return f"  printed  {text[:200]}" if text else ""


def _changes(found: Sequence[Outcome], reference: Callable) -> str:
    """A sentence about arguments that came back changed, "" where none did."""
    places = sorted({place for outcome in found for place in outcome.changed})
    if not places:
        return ""
    names = " and ".join(f"`{list(inspect.signature(reference).parameters)[place]}`" for place in places)
    return f"It changes {names}, which belongs to whoever calls it, and who will want to use it again. Work on a copy."
