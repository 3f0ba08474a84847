"""What a check says to its reader, on an exercise small enough to see through: the mean of a list."""

import _thread
import functools
import itertools
import json
import logging
import math
import os
import re
import signal
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from course.exercises import attempt, elsewhere, session
from course.exercises import contents as ex
from course.exercises.cases import NOT_DEFINED, TODO, Case
from course.exercises.exercise import Exercise
from course.exercises.questions import Choice, Numeric, said
from course.exercises.values import in_words, same


def mean(values):
    return sum(values) / len(values) if values else 0.0


MEAN = Exercise(
    name="MEAN",
    task="Write `mean(values)`. **Convention**: 0 for no values.",
    reference=mean,
    cases=(
        Case(([1.0, 2.0],), "the sum is shared by all"),
        Case(([0.0, 4.0],), "a query with 0 counts as well"),
        Case(([5.0],), "the mean of one is itself"),
        Case(([],), "no queries, no mean: 0"),
    ),
    hints=("What is shared?", "By how many?", "sum(values) / len(values)"),
)


@MEAN.mistake("one too many")
def by_n_plus_one(values):
    """You divide by one more than there are."""
    return sum(values) / (len(values) + 1)


@MEAN.mistake("zeros left out")
def of_positives(values):
    """You leave out
    the queries with 0."""
    positives = [value for value in values if value > 0]
    return mean(positives)


def says(function) -> str:
    return MEAN.verdict(function).text


def right(values):
    return sum(values) / max(1, len(values))


def test_a_right_function_is_told_so_in_one_line():
    assert says(lambda values: float(np.mean(values)) if values else 0.0) == "mean: right, in all 4 cases."


def by_numpy(values):
    """an array has its own mean."""
    return float(np.mean(values)) if values else 0.0


def test_below_a_right_answer_stand_the_courses_own_a_second_way_and_a_question(capsys):
    more = Exercise(
        "MEAN", "", mean, MEAN.cases, MEAN.hints, 2, 5, second_way=by_numpy, further="And the median?"
    )
    more.check(right)
    assert capsys.readouterr().out == (
        "mean: right, in all 4 cases.\n"
        "The course's own, beside yours:\n"
        "    def mean(values):\n"
        "        return sum(values) / len(values) if values else 0.0\n"
        "Another way: an array has its own mean.\n"
        "    def mean(values):\n"
        "        return float(np.mean(values)) if values else 0.0\n"
        "One question further: And the median?\n"
    )


def test_the_courses_own_is_not_shown_to_those_who_wrote_it_word_for_word(capsys):
    def mean(values):
        return sum(values) / len(values) if values else 0.0  # from memory

    MEAN.check(mean)
    assert capsys.readouterr().out == "mean: right, in all 4 cases.\n"


def test_a_known_mistake_is_explained_before_the_example():
    assert says(of_positives) == (
        "mean: not right yet, in 1 of 4 cases.\n"
        "You leave out the queries with 0.\n"
        "  call     mean([0.0, 4.0])\n"
        "  needed   2.0\n"
        "  got      4.0"
    )


def test_a_mistake_must_say_what_was_misunderstood():
    with pytest.raises(ValueError, match="MEAN: the mistake 'silent' has no docstring"):
        MEAN.mistake("silent")(lambda values: 0.0)


def test_an_unknown_mistake_gets_the_first_case_that_differs_and_its_reason():
    assert says(lambda values: 1.5 if 0.0 in values else right(values)) == (
        "mean: not right yet, in 1 of 4 cases.\n"
        "  call     mean([0.0, 4.0])\n"
        "  needed   2.0\n"
        "  got      1.5\n"
        "  because  a query with 0 counts as well"
    )


@pytest.mark.parametrize(
    "function",
    [lambda values: 1.5 if values else 0.0, lambda values: 1 / 0 if 0.0 in values else right(values)],
    ids=["most cases are wrong", "the call fails"],
)
def test_a_reason_is_given_only_where_it_can_be_about_what_went_wrong(function):
    assert "because" not in says(function)


def test_a_mistake_is_not_named_when_one_of_its_symptoms_is_missing():
    def divides_by_two(values):
        return sum(values) / 2 if values else 0.0

    assert MEAN.verdict(divides_by_two).mistakes == ()


def test_a_function_that_always_fails_is_not_given_a_name_for_failing_where_a_mistake_fails():
    def divides(values):
        return sum(values) / len(values)

    exercise = Exercise("MEAN", "", mean, MEAN.cases, MEAN.hints)
    exercise.mistake("no empty list", "You forget the empty list.")(divides)
    assert exercise.verdict(divides).mistakes == ("no empty list",)
    assert exercise.verdict(lambda values: 1 / 0).mistakes == ("stops with an error",)


def test_untouched_and_forgot_to_return_get_different_words():
    def forgot(values):
        sum(values) / len(values or [1])

    assert "not attempted yet" in says(lambda values: TODO)
    assert "begins with `return`" in says(forgot)


def test_a_result_of_another_kind_is_told_so_before_any_reason():
    found = says(lambda values: (value for value in values))
    assert "It gives an object of type generator; needed is a number." in found
    assert "because" not in found
    assert "It gives text; needed is a number." in says(lambda values: "1.5")


def test_only_a_value_error_will_do_where_a_value_error_is_needed():
    def strict(values):
        if not values:
            raise ValueError("no values")
        return mean(values)

    exercise = Exercise("STRICT", "", strict, MEAN.cases, MEAN.hints)
    assert exercise.verdict(lambda values: json.loads("{") if not values else mean(values)).status == "right"
    found = exercise.verdict(lambda values: sum(values) / len(values)).text
    assert "needed   ValueError\n" in found and "got      ZeroDivisionError" in found


def test_a_branch_that_is_still_to_do_is_not_untouched():
    found = says(lambda values: sum(values) / len(values) if values else TODO)
    assert "not right yet, in 1 of 4" in found and "got      TODO" in found


def test_an_error_is_shown_with_the_line_that_raised_it_and_no_traceback():
    def fails(values):
        return values[7]

    found = says(fails)
    assert "IndexError: list index out of range" in found and "return values[7]`)" in found
    assert "Traceback" not in found and ".py" not in found


def test_the_result_of_a_call_is_checked_for_being_a_function():
    assert "by its name and without brackets; this is 1.5" in says(1.5)
    assert "yours is defined as mean(values, weights)" in says(lambda values, weights: 1.0)
    assert "It is called as mean(values)" in says(lambda: 1.0)


def test_more_parameters_are_fine_when_they_have_defaults():
    assert (
        MEAN.verdict(lambda values, start=0.0: sum(values, start) / len(values) if values else 0.0).status
        == "right"
    )


def test_what_the_function_prints_is_shown_for_the_case_that_failed_and_nowhere_else(capsys):
    def chatty(values):
        print("dividing by", len(values))
        return 7.0

    MEAN.check(chatty)
    assert capsys.readouterr().out.count("dividing") == 1


def test_changed_arguments_are_reported_by_name_even_when_the_result_is_right():
    def sorts(values):
        values.sort(reverse=True)
        return mean(values)

    found = says(sorts)
    assert "Its results are right" in found and "It changes `values`" in found


def test_a_case_is_the_same_after_a_function_that_spoils_it():
    def empties(values):
        values.clear()
        return 0.0

    MEAN.verdict(empties)
    assert MEAN.verdict(right).status == "right"


def never_ends(values):
    while True:
        pass


def never_ends_and_catches_everything(values):
    while True:
        try:
            len(values)
        except BaseException:
            pass


def never_ends_in_a_comprehension(values):
    return sum(1 for _ in itertools.count())


stopped_since_3_11 = pytest.mark.skipif(
    sys.version_info < (3, 11), reason="Python 3.10 cannot be stopped outside of the try"
)


@pytest.mark.parametrize(
    "function",
    [
        never_ends,
        pytest.param(never_ends_and_catches_everything, marks=stopped_since_3_11),
        never_ends_in_a_comprehension,
    ],
)
def test_an_endless_loop_is_cut_off_and_its_thread_ends(function, monkeypatch):
    monkeypatch.setattr(attempt, "SECONDS", 0.1)
    before = threading.active_count()
    assert "did not come to an end" in says(function)
    assert "3 of 4 cases were not tried any more" in says(function)
    for _ in range(50):
        if threading.active_count() > before:
            time.sleep(0.1)
    assert threading.active_count() <= before


@pytest.mark.parametrize(
    "function",
    [
        lambda values: time.sleep(60),
        lambda values: sum(range(10**11)),
        lambda values: re.match("(a+)+$", "a" * 60 + "b"),
    ],
    ids=["waits", "a loop in C", "a regular expression"],
)
def test_a_call_into_c_is_cut_off_too(function, monkeypatch):
    monkeypatch.setattr(attempt, "SECONDS", 0.2)
    started = time.monotonic()
    assert "did not come to an end" in says(function)
    assert time.monotonic() - started < 10


def test_a_call_that_ends_python_does_not_end_the_notebook():
    assert "Python itself ended" in says(lambda values: os._exit(0))


def test_where_no_second_process_can_be_started_a_call_is_waited_for_and_left_alone(monkeypatch, capsys):
    monkeypatch.setattr(elsewhere, "_possible", False)
    monkeypatch.setattr(elsewhere, "_helper", None)
    monkeypatch.setattr(attempt, "SECONDS", 0.05)
    started = time.monotonic()
    MEAN.check(lambda values: time.sleep(3))
    assert time.monotonic() - started < 2.9
    printed = capsys.readouterr().out
    assert "did not come to an end" in printed and "No second process can be started here" in printed


def test_a_function_with_all_that_it_needs_can_be_called_in_another_process(tmp_path, monkeypatch):
    """Functions that call each other, a closure, a default, a module, plain data."""
    names = {"np": np, "WEIGHT": 2.0, "__name__": "__main__"}
    source = """
def outer(n):
    def inner(values, start=[0.0]):
        return halved(n) + WEIGHT * np.mean(values) + start[0]
    return inner
def halved(n):
    return n / 2 if n < 1 else halved(n / 2)
function = outer(4)
"""
    exec(source, names)
    out = tmp_path / "called"
    names["function"].__globals__["np"] = np
    assert elsewhere.first_stuck(names["function"], [([1.0],)], 5.0) is None

    def writes(values):
        from pathlib import Path

        Path(values[0]).write_text("here")

    assert elsewhere.first_stuck(writes, [([str(out)],)], 5.0) is None
    assert out.read_text() == "here"


def test_a_right_check_takes_under_ten_milliseconds():
    """Its processor time: how long it takes besides depends on what else the computer does."""
    times = []
    for _ in range(20):
        started = time.process_time()
        assert MEAN.verdict(right).status == "right"
        times.append(time.process_time() - started)
    assert sorted(times)[10] < 0.010


@pytest.fixture
def interruptible():
    """Python's own way with Ctrl-C, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_readers_own_interrupt_stops_the_check_and_the_loop(interruptible):
    before = threading.active_count()
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        says(never_ends)
    for _ in range(50):
        if threading.active_count() > before:
            time.sleep(0.1)
    assert threading.active_count() <= before


def test_an_endless_loop_that_prints_fills_no_memory(monkeypatch):
    monkeypatch.setattr(attempt, "SECONDS", 0.3)

    def shouts(values):
        while True:
            print("still here" * 1000)

    assert len(MEAN.verdict(shouts).text) < 1000


def test_a_list_that_is_shared_between_calls_is_judged_as_each_call_left_it():
    collected: list = []

    def collects(values):
        collected.append(mean(values))
        return collected

    one_list = Exercise("LIST", "", lambda values: [mean(values)], MEAN.cases, MEAN.hints)
    assert "in 3 of 4 cases" in one_list.verdict(collects).text


def test_nobody_is_asked_for_input_and_input_works_again_afterwards():
    assert "nobody is there to answer input()" in says(lambda values: float(input("values? ")))
    assert input.__name__ != "_nobody_answers"


def test_logging_in_the_function_leaves_no_handler_behind():
    before = logging.root.handlers[:]
    says(lambda values: logging.warning("careful") or 1.0)
    assert logging.root.handlers == before


def test_a_check_inside_the_function_is_told_where_it_belongs():
    def checks_itself(values):
        MEAN.check(checks_itself)
        return 7.0

    assert "The check stands inside the function" in says(checks_itself)


class Hostile:
    """An object that does not want to be looked at."""

    def __len__(self):
        raise SystemExit

    __repr__ = __iter__ = __eq__ = __bool__ = __str__ = __len__
    __hash__ = None


def test_an_object_that_ends_the_program_when_it_is_looked_at_is_refused():
    assert MEAN.verdict(lambda values: Hostile()).status == "not right yet"
    assert MEAN.verdict(lambda values: [Hostile()]).status == "not right yet"
    assert MEAN.verdict(Hostile()).status == "not right yet"


def test_todo_in_a_calculation_is_called_by_its_name():
    assert "'int' and 'TODO'" in says(lambda values: 1 + TODO)


def test_output_is_the_same_every_time():
    assert says(lambda values: object()) == says(lambda values: object())
    assert "an object of type object" in says(lambda values: object())
    assert says(lambda values: (value for value in values)).count("0x") == 0


def test_the_courses_own_function_is_never_praised_as_the_readers(capsys):
    name = MEAN.use(by_n_plus_one)
    MEAN.check(name)
    assert capsys.readouterr().out == (
        "mean: not yours, so it is not counted. This is the course's own function: `use` put it there, and "
        "no\ncell has defined mean since.\n"
    )
    assert not session.is_right("mean") and session.is_lent("mean")
    assert MEAN.use(name) is mean


@pytest.mark.parametrize(
    "function",
    [
        functools.partial(mean),
        functools.wraps(mean)(lambda values: mean(values)),
        lambda values: float(mean(values)),
    ],
    ids=["partial", "decorated", "called"],
)
def test_nor_is_it_in_another_dress(function):
    assert MEAN.verdict(function).status == "not yours"


def test_a_slip_in_the_name_is_pointed_at(monkeypatch):
    monkeypatch.setattr(session.Cell, "source", "def maen(values):\n    return 42\n")
    assert "This cell defines `maen`: is the name a slip?" in says(mean)
    assert "There is no function of this name. This cell defines `maen`" in says(NOT_DEFINED)


def test_check_remembers_and_use_falls_back_to_the_reference(capsys):
    MEAN.check(by_n_plus_one)
    assert not session.is_right("mean")
    assert MEAN.use(by_n_plus_one) is mean
    MEAN.check(right)
    assert session.is_right("mean")
    assert MEAN.use(right) is right


def test_hints_come_one_by_one_and_the_solution_is_the_references_code(capsys):
    MEAN.hint(1)
    MEAN.hint(4)
    MEAN.solution()
    printed = capsys.readouterr().out
    assert printed.startswith("Difficulty 1 of 3, about 10 minutes.\nHint 1 of 3: What is shared?\nThere are")
    assert printed.endswith("def mean(values):\n    return sum(values) / len(values) if values else 0.0\n")


def test_the_check_of_an_untouched_stub_says_where_help_is(capsys):
    MEAN.check(lambda values: TODO)
    printed = capsys.readouterr().out
    assert "Difficulty 1 of 3, about 10 minutes." in printed and "ex.MEAN.hint(1)" in printed


plain_data = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=True) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(plain_data)
def test_every_value_is_the_same_as_itself_and_as_its_copy(value):
    assert same(value, value)
    assert same(value, json.loads(json.dumps(value)))


@given(plain_data, plain_data)
def test_being_the_same_does_not_depend_on_who_is_asked(one, other):
    assert same(one, other) == same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.5, "0.5"),
        ({"1": 2}, {1: 2}),
        ([1, 2], [2, 1]),
        ([1, 2], [1, 2, 3]),
        (None, 0),
        (0.5, math.nan),
        (csr_array((2, 3)), csr_array((3, 2))),
        (csr_array([[1.5]]), csr_array([[1]])),
        (TODO, None),
    ],
)
def test_what_a_metric_would_not_take_for_equal_is_not_the_same(one, other):
    assert not same(one, other)


def test_numbers_are_the_same_whatever_made_them():
    assert same(np.float64(0.1) + 0.2, 0.3)
    assert same(np.array([1, 2]), [1.0, 2.0])
    assert same((1, 2), [1, 2])
    assert same(csr_array([[1, 0], [0, 2]]), csr_array([[1.0, 0.0], [0.0, 2.0]]))


def test_a_list_that_contains_itself_is_equal_to_nothing_and_can_be_described():
    endless: list = []
    endless.append(endless)
    assert not same(endless, [[]])
    assert in_words(endless) == "an object of type list"


def test_a_long_value_is_cut():
    assert len(in_words(list(range(1000)))) <= 240


CHOICE = Choice("Which?", {"a": ("this", "No, because."), "b": ("that", "Yes, because.")}, "b")
NUMBER = Numeric("How many?", 0.44, 2, "Yes.", {0.9: "That is the raw agreement."}, "Take chance away first.")


@pytest.mark.parametrize(
    ("question", "given", "words"),
    [
        (CHOICE, TODO, "Question 1: not answered yet."),
        (CHOICE, "b", "Question 1: right. Yes, because."),
        (CHOICE, " B) ", "Question 1: right. Yes, because."),
        (CHOICE, "a", "Question 1: no. No, because."),
        (CHOICE, "(a)", "Question 1: no. No, because."),
        (CHOICE, "z", """Question 1: no. 'z' is not one of the options; answer "a" or "b"."""),
        (CHOICE, 2, """Question 1: no. 2 is not one of the options; answer "a" or "b"."""),
        (NUMBER, TODO, "Question 1: not answered yet."),
        (NUMBER, 0.444, "Question 1: right. Yes."),
        (NUMBER, 0.9, "Question 1: no. That is the raw agreement."),
        (NUMBER, 7, "Question 1: no. Take chance away first."),
        (NUMBER, "0.44", "Question 1: no. '0.44' is no number; write digits, without quotes."),
        (NUMBER, math.nan, "Question 1: no. nan is no number; write digits, without quotes."),
        (NUMBER, True, "Question 1: no. True is no number; write digits, without quotes."),
        (NUMBER, np.float32(0.44), "Question 1: right. Yes."),
        (NUMBER, math.inf, "Question 1: no. inf is no number; write digits, without quotes."),
        (NUMBER, None, "Question 1: no. None is no number; write digits, without quotes."),
    ],
)
def test_each_answer_gets_its_own_words(question, given, words):
    assert said(1, *question.verdict(given)) == words


def test_a_number_too_large_for_any_answer_is_wrong_and_no_error():
    assert NUMBER.verdict(10**400)[0] == "no"


def test_a_question_that_does_not_exist_is_refused_in_words(capsys):
    lesson = ex.LESSONS[2]
    lesson.answer(99, "a")
    assert "LESSON_03 has the questions 1 to" in capsys.readouterr().out
