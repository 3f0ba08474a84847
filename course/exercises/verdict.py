"""What a check says: whether a function is right, else what is behind it and the case that shows it."""

import difflib
import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course.exercises import attempt, elsewhere, reading, session
from course.exercises.apart import inside_a_call
from course.exercises.attempt import Outcome, attempts, error_in_words, error_kind
from course.exercises.cases import NOT_DEFINED, TODO, Case, Mistake
from course.exercises.diagnosis import diagnose, known_outcomes
from course.exercises.general import Answer, changed_arguments
from course.exercises.values import in_words

WIDTH = 100
RIGHT, WRONG, UNTOUCHED, GIVEN = "right", "not right yet", "not attempted yet", "not yours"


@dataclass(frozen=True)
class Verdict:
    """One of RIGHT, WRONG, UNTOUCHED and GIVEN, the sentences for the reader, the mistakes recognised.

    GIVEN is what `use` put there: right, and not the reader's.
    """

    status: str
    text: str
    mistakes: tuple[str, ...] = ()
    """Its name, or the names of two that were made at once."""


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
    if function is TODO or _is_stub(function):
        return _untouched(name)
    if function is NOT_DEFINED:
        return _wrong(name, "", f"There is no function of this name.{_slip(name)}")
    if function is reference:
        put = f"`use` put it there, and no cell has defined {name} since."
        return _given(name, f"This is the course's own function: {put}{_slip(name)}")
    if problem := _cannot_be_called(function, reference):
        return _wrong(name, "", problem)
    found, expected = outcomes(function, cases), known_outcomes(reference, cases)
    if all(outcome.value is TODO for outcome in found):
        return _untouched(name)
    if not all(map(Outcome.equals, found, expected)) or len(found) < len(expected):
        calls = [case.arguments for case in cases]
        return _explained(Answer(function, reference, calls, found, expected), cases, mistakes)
    if changes := changed_arguments(found, reference):
        return _wrong(name, ". Its results are right", changes, mistakes=("argument changed",))
    if lacking := _lacks_default(function, reference, cases):
        return _wrong(name, ". Its results are right where all is given", lacking, mistakes=("no default",))
    if reading.leads_to(function, reference):
        return _given(name, "It is right, but it calls the course's own function, which `use` put there.")
    return Verdict(RIGHT, f"{name}: {RIGHT}, in all {len(cases)} cases.")


_STUB = (lambda: TODO).__code__


def _is_stub(function: object) -> bool:
    """Whether it does nothing but return TODO: then no call need be made."""
    code = getattr(function, "__code__", None)
    return code is not None and (code.co_code, code.co_names) == (_STUB.co_code, _STUB.co_names)


def outcomes(function: Callable, cases: Sequence[Case]) -> list[Outcome]:
    """What a reader's function gives in each case, up to the first call that was cut off."""
    calls = [case.arguments for case in cases]
    stuck = elsewhere.first_stuck(function, calls, attempt.SECONDS)
    if stuck is None:
        return attempts(function, calls)
    found = attempts(function, calls[: stuck.number]) if stuck.number else []
    if found and found[-1].cut_off:
        return found
    return [*found, Outcome(cut_off=True, died=stuck.died)]


def _explained(answer: Answer, cases: Sequence[Case], mistakes: Sequence[Mistake]) -> Verdict:
    """What is wrong with outcomes that differ, and a case that shows it."""
    name, diagnosis = answer.reference.__name__, diagnose(answer, cases, mistakes)
    counted = f", in {len(answer.wrong)} of {len(cases)} cases"
    if len(answer.found) < len(cases):
        counted = f"; {len(cases) - len(answer.found)} of {len(cases)} cases were not tried any more"
    shown = diagnosis.case
    example, second = (
        "" if n is None else _example(answer.found[n], answer.expected[n], cases[n], answer.reference)
        for n in (shown, diagnosis.second)
    )
    reason = f"  because  {cases[shown].reason}" if diagnosis.reason_fits else ""
    changes = changed_arguments(answer.found, answer.reference)
    said = [*diagnosis.before, example, reason, *diagnosis.after, second]
    said += [changes] if changes not in said else []
    return _wrong(name, counted, *said, mistakes=diagnosis.names)


def _untouched(name: str) -> Verdict:
    text = f"{name}: {UNTOUCHED}. Put your code in the place of TODO, and run the cell again."
    return Verdict(UNTOUCHED, text)


def _given(name: str, why: str) -> Verdict:
    return Verdict(GIVEN, _wrapped([f"{name}: {GIVEN}, so it is not counted. {why}"]))


def _slip(name: str) -> str:
    """A sentence on a function that the cell defines in the place of the one that it checks."""
    others = [other for other in reading.functions_in(session.Cell.source) if other != name]
    near = difflib.get_close_matches(name, others, n=1) or others[-1:]
    return f" This cell defines `{near[0]}`: is the name a slip?" if near else ""


def _wrong(name: str, counted: str, *said: str, mistakes: tuple[str, ...] = ()) -> Verdict:
    text = _wrapped([f"{name}: {WRONG}{counted}.", *(part for part in said if part)])
    return Verdict(WRONG, text, mistakes)


def _wrapped(paragraphs: Sequence[str]) -> str:
    lines = [line for part in paragraphs for line in part.splitlines()]
    return "\n".join(map(_filled, lines))


def _filled(line: str) -> str:
    indent = " " * 11 if line.startswith("  ") else ""
    # Names such as query-id stay whole.
    return textwrap.fill(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


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


def _lacks_default(function: Callable, reference: Callable, cases: Sequence[Case]) -> str:
    """What is wrong where a call leaves out an argument that has a value in the task; "" where nothing is.

    Asked are the cases that give this very value, so what is needed is known.
    """
    needed = inspect.signature(reference)
    optional = [one.default for one in needed.parameters.values() if one.default is not one.empty]
    n_required = len(needed.parameters) - len(optional)
    chosen = [
        number for number, case in enumerate(cases) if optional and [*case.arguments[n_required:]] == optional
    ]
    shorter = [Case(cases[number].arguments[:n_required], "") for number in chosen]
    found = attempts(function, [case.arguments for case in shorter]) if shorter else []
    for number, case, outcome in zip(chosen, shorter, found, strict=False):
        right = known_outcomes(reference, cases)[number]
        if not outcome.equals(right):
            asked = f"The task asks for `{reference.__name__}{needed}`"
            example = _example(outcome, right, case, reference)
            return f"{asked}{_of_its_own(function, n_required, optional)}.\n{example}"
    return ""


def _of_its_own(function: Callable, n_required: int, optional: list) -> str:
    """What a function does with the arguments that have a value in the task: another value, or none."""
    try:
        signature = inspect.signature(function)
        own = [one.default for one in signature.parameters.values()][n_required:][: len(optional)]
        another = inspect.Parameter.empty not in own and own and bool(own != optional)
    except Exception:
        another = False  # it does not say what it takes, or its values cannot be compared
    if another:
        return f", and yours is defined with {signature}: the value there is another one"
    return ": a call may leave out what has a value there"


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
    if outcome.died:
        return "nothing: Python itself ended, as if it had no memory left or had been told to exit."
    if outcome.cut_off:
        return "nothing: it did not come to an end in time, and was stopped. Which condition ends its loop?"
    return error_in_words(outcome) if outcome.error else in_words(outcome.value, exact)


def _printed(outcome: Outcome) -> str:
    """The beginning of what the reader's function printed, which `check` keeps to itself."""
    text = " / ".join(outcome.printed.split("\n")[:5]).strip(" /")
    return f"  printed  {text[:200]}" if text else ""
