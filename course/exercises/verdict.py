"""What a check says: the outcomes of a reader's function beside those of the reference and of each known mistake, in words."""

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
    """One of RIGHT, WRONG and UNTOUCHED, the sentences for the reader, and the mistake that was recognised, if one was."""

    status: str
    text: str
    mistake: str = ""


def judge(
    function: object, reference: Callable, cases: Sequence[Case], mistakes: Sequence[Mistake]
) -> Verdict:
    """Runs `function` on all cases and says what is wrong with it. Raises nothing but the reader's own interrupt."""
    if inside_a_call():
        return _wrong(
            reference.__name__,
            "",
            "The check stands inside the function that it calls; put it below, unindented.",
        )
    try:
        return _judge(function, reference, cases, mistakes)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # of an object that cannot even be looked at
        return _wrong(
            reference.__name__, "", f"It cannot be judged: looking at it raises {type(error).__name__}."
        )


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
        return _wrong(
            name,
            "",
            "It gives None in every case: is there a line that begins with `return`?",
            _printed(found[0]),
        )
    changes = _changes(found, reference)
    if not all(map(Outcome.equals, found, expected)):
        return _explained(found, expected, reference, cases, mistakes, changes)
    return _wrong(name, ". Its results are right", changes) if changes else _right(name, cases)


def _explained(
    found: Sequence[Outcome],
    expected: Sequence[Outcome],
    reference: Callable,
    cases: Sequence[Case],
    mistakes: Sequence[Mistake],
    changes: str,
) -> Verdict:
    """What is wrong with outcomes that are not those of the reference: a mistake that explains them all, else the first case."""
    wrong = [place for place, outcome in enumerate(found) if not outcome.equals(expected[place])]
    counted = f", in {len(wrong)} of {len(cases)} cases"
    if len(found) < len(cases):
        counted = f"; {len(cases) - len(found)} of {len(cases)} cases were not tried any more"
    mistake, alone = recognise(found, expected, cases, mistakes)
    if mistake and alone:
        example = _example(wrong[0], found, expected, cases, reference, with_reason=False)
        return _wrong(reference.__name__, counted, mistake.message, example, changes, mistake=mistake.name)
    other_kind = _other_kind(found, expected)
    example = _example(wrong[0], found, expected, cases, reference, with_reason=not other_kind)
    among = f"Among other things: {mistake.message}" if mistake else ""
    return _wrong(
        reference.__name__,
        counted,
        other_kind,
        example,
        among,
        changes,
        mistake=mistake.name if mistake else "",
    )


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
    fails_always = all(outcome.error for outcome in found)  # then nothing but the error can be recognised
    for mistake in mistakes:
        made = outcomes(mistake.function, cases)
        if len(made) == len(found) and all(map(Outcome.equals, found, made)):
            return mistake, True
        if fails_always:
            continue
        symptoms = [place for place, outcome in enumerate(made) if not outcome.equals(expected[place])]
        if len(symptoms) > most and all(
            place < len(found) and found[place].equals(made[place]) for place in symptoms
        ):
            best, most = mistake, len(symptoms)
    return best, False


def _untouched(name: str) -> Verdict:
    return Verdict(
        UNTOUCHED, f"{name}: {UNTOUCHED}. Put your code in the place of TODO, and run the cell again."
    )


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
        return f"check takes the function itself, by its name and without brackets; this is {in_words(function)}."
    try:
        inspect.signature(function).bind(*needed.parameters)
    except TypeError:
        return f"It is called as {name}{needed}, but yours is defined as {name}{inspect.signature(function)}."
    except Exception:
        return ""  # it does not say what it takes; calling it will show
    return ""


def _other_kind(found: Sequence[Outcome], expected: Sequence[Outcome]) -> str:
    """A sentence for whoever gives, say, a generator in every case where a list is needed; "" for everybody else."""
    both = zip(found, expected[: len(found)], strict=True)
    pairs = [
        (kind(got.value), kind(needed.value))
        for got, needed in both
        if not (got.error or needed.error or got.cut_off)
    ]
    if pairs and all(got != needed for got, needed in pairs):
        return f"It gives {pairs[0][0]}; needed is {pairs[0][1]}."
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
    needed, got = needed_in_words(expected[place]), got_in_words(found[place])
    if needed == got:  # equal as far as six digits go
        needed, got = needed_in_words(expected[place], exact=True), got_in_words(found[place], exact=True)
    where = f" (in the line `{found[place].line}`)" if found[place].line else ""
    lines = [
        f"  call     {call_in_words(reference, cases[place])}",
        f"  needed   {needed}",
        f"  got      {got}{where}",
    ]
    if printed := _printed(found[place]):
        lines.append(printed)
    if with_reason:
        lines.append(f"  because  {cases[place].reason}")
    return "\n".join(lines)


def call_in_words(reference: Callable, case: Case) -> str:
    """The call of a case, as it would be typed."""
    return f"{reference.__name__}({', '.join(in_words(argument, exact=True) for argument in case.arguments)})"


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
    places = sorted({place for outcome in found for place in outcome.changed})
    if not places:
        return ""
    names = " and ".join(f"`{list(inspect.signature(reference).parameters)[place]}`" for place in places)
    return f"It changes {names}, which belongs to whoever calls it, and who will want to use it again. Work on a copy."
