"""Mistakes that can be made in every exercise: each a small rule, with the sentence that a reader is told.

A rule says what it sees and no more: how the results differ from those that are needed, or what stands in the
code. None refuses an answer: they are asked about one that is wrong already.
"""

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from numbers import Number
from types import FunctionType, ModuleType
from typing import NamedTuple

import numpy as np

from course.exercises import reading, sections
from course.exercises.attempt import Outcome, attempts, error_kind
from course.exercises.cases import REFERENCES
from course.exercises.values import alike, called, kind, plain, same


@dataclass(frozen=True)
class Answer:
    """A wrong answer: the function, the arguments of its calls, what these gave, and what was needed."""

    function: Callable
    reference: Callable
    calls: Sequence[tuple]
    found: Sequence[Outcome]
    expected: Sequence[Outcome]

    @cached_property
    def wrong(self) -> list[int]:
        """The numbers, from 0, of the calls that did not give what was needed."""
        return [
            number for number, outcome in enumerate(self.found) if not outcome.equals(self.expected[number])
        ]

    @cached_property
    def tree(self) -> ast.FunctionDef | None:
        """The definition, parsed; None where its text cannot be had."""
        return reading.tree_of(self.function)

    def pairs(self, numbers: Sequence[int] | None = None) -> list[tuple[Outcome, Outcome]]:
        """What came and what was needed, of all calls or of those."""
        chosen = range(len(self.found)) if numbers is None else numbers
        return [(self.found[number], self.expected[number]) for number in chosen]


class Finding(NamedTuple):
    """A mistake that was recognised, and what the reader is told."""

    name: str
    message: str


Rule = Callable[[Answer], str]
_BY_CALLS: list[tuple[str, Rule]] = []
_BY_RESULTS: list[tuple[str, Rule]] = []
_BY_CODE: list[tuple[str, Rule]] = []
_BY_SYMPTOM: list[tuple[str, Rule]] = []


def by_calls(answer: Answer) -> Finding | None:
    """That the function is right and one that it calls is not: then it makes no mistake of its own."""
    return _first(_BY_CALLS, answer)


def by_results(answer: Answer) -> Finding | None:
    """What makes these results of the right ones, in every call alike: then nothing else is wrong."""
    if finding := _first(_BY_RESULTS, answer):
        return finding
    change = change_behind(answer, answer.expected)
    # One wrong result alone may be so by chance; a rounded one is not.
    certain = change and (len(answer.wrong) > 1 or change.name == "rounded")
    return Finding(change.name, change.message) if certain else None


def by_code(answer: Answer) -> Finding | None:
    """What stands in the code and cannot be right here; there may be more that is wrong."""
    return _first(_BY_CODE, answer)


def by_symptom(answer: Answer) -> Finding | None:
    """What all wrong results have in common, where nothing more is known."""
    return _first(_BY_SYMPTOM, answer)


def _first(rules: list[tuple[str, Rule]], answer: Answer) -> Finding | None:
    found = ((name, rule(answer)) for name, rule in rules)
    return next((Finding(name, message) for name, message in found if message), None)


def _rule(rules: list[tuple[str, Rule]], name: str) -> Callable[[Rule], Rule]:
    def add(rule: Rule) -> Rule:
        rules.append((name, rule))
        return rule

    return add


def explained(
    found: Sequence[Outcome],
    made: Sequence[Outcome],
    equal: Callable[[object, object], bool] = same,
    change: Callable[[object], object] = lambda value: value,
) -> bool:
    """Whether all outcomes are those of `made`, its values changed by `change` and compared by `equal`."""
    if len(found) != len(made):
        return False
    for one, other in zip(found, made, strict=True):
        if one.error or other.error or one.cut_off or other.cut_off:
            if not one.equals(other):
                return False
        elif not equal(_content(one), change(other.value)):
            return False
    return True


def _content(outcome: Outcome) -> object:
    return outcome.value if outcome.inside is None else outcome.inside


# --- Changes: what can be done to a right result, so that it is wrong in one way everywhere -----------------


class Change(NamedTuple):
    """A way to make a wrong result of a right one, what it is called and what the reader is told."""

    name: str
    make: Callable[[object], object]
    message: str
    only_alone: bool = False
    """Whether it may be a mistake of its own, and nothing that is done besides another."""
    besides: str = ""
    """What is said of it beside another mistake, where `message` says that all else is right."""

    def beside_another(self) -> Finding:
        """The change as one of two mistakes."""
        return Finding(self.name, self.besides or self.message)


def change_behind(answer: Answer, made: Sequence[Outcome], also: bool = False) -> Change | None:
    """What was done to the results of `made` to give these: the reference's, or with `also` a mistake's."""
    for change in [*_rounded(answer), *CHANGES]:
        if not (also and change.only_alone) and explained(answer.found, made, change=change.make):
            return change
    return None


def _rounded(answer: Answer) -> list[Change]:
    """Rounding to as many decimals as the results have, where they have few."""
    numbers = [x for outcome in answer.found for x in _numbers(outcome.value) if math.isfinite(x)]
    fits = (n for n in range(7) if all(abs(round(x, n) - x) < 1e-12 for x in numbers))
    if not numbers or (decimals := next(fits, None)) is None or (not decimals and len(set(numbers)) < 3):
        return []
    places = "whole numbers" if not decimals else f"{decimals} decimal{'s' * (decimals > 1)}"
    message = (
        f"Your results are rounded to {places}. Round where a number is printed, and not where it is "
        "computed: others will be computed from it."
    )
    return [_of_numbers("rounded", lambda x: round(x, decimals), message)]


def _numbers(value: object) -> Iterator[float]:
    value = plain(value)
    if isinstance(value, (list, tuple, Mapping)):
        parts = value.values() if isinstance(value, Mapping) else value
        yield from chain.from_iterable(map(_numbers, parts))
    elif isinstance(value, Number) and not isinstance(value, bool):
        yield float(value)


def _of_numbers(
    name: str,
    change: Callable[[float], float],
    message: str,
    only_alone: bool = False,
    besides: str = "",
) -> Change:
    def make(value: object) -> object:
        value = plain(value)
        if isinstance(value, Mapping):
            return {key: make(entry) for key, entry in value.items()}
        if isinstance(value, (list, tuple)):
            return [make(entry) for entry in value]
        number = isinstance(value, Number) and not isinstance(value, bool) and math.isfinite(value)
        return change(value) if number else value

    return Change(name, make, message, only_alone, besides)


def _of_pairs(name: str, change: Callable[[tuple], object], message: str) -> Change:
    def make(value: object) -> object:
        if isinstance(value, list):
            return [make(entry) for entry in value]
        return change(value) if isinstance(value, tuple) and len(value) == 2 else value

    return Change(name, make, message)


def _other_logarithm(factor: float) -> Change:
    bases = "`log` is the natural one, `log2` has base 2, `log10` base 10."
    message = (
        f"Your results are the right ones times {factor:.4g}, everywhere: you take a logarithm to another "
        f"base. {bases}"
    )
    besides = f"You take a logarithm to another base. {bases}"
    return _of_numbers("another logarithm", lambda x: factor * x, message, besides=besides)


CHANGES = [
    _of_pairs(
        "pair turned round",
        lambda pair: pair[::-1],
        "You give pairs that are turned round: what is asked for first comes second. Whatever takes them "
        "apart, `for one, other in …`, would take each for the other.",
    ),
    _of_pairs(
        "only the first of each pair",
        lambda pair: pair[0],
        "You give only the first part of each pair. The second part is asked for, too.",
    ),
    _of_pairs(
        "only the second of each pair",
        lambda pair: pair[1],
        "You give only the second part of each pair. The first part is asked for, too.",
    ),
    _of_numbers(
        "integer division",
        math.floor,
        "Your results are the right ones without their decimals. `//` and `int()` cut them off, and of a "
        "share nothing is left but 0. Divide with `/`.",
        besides="You cut decimals off: `//` and `int()` do that, and of a share nothing is left but 0. "
        "Divide with `/`.",
    ),
    _of_numbers(
        "in per cent",
        lambda x: 100 * x,
        "Your results are 100 times the right ones: per cent. Asked for is a share, from 0 to 1.",
        besides="You multiply by 100: per cent. Asked for is a share, from 0 to 1.",
    ),
    _of_numbers(
        "sign turned round",
        lambda x: -x,
        "Your numbers are right but for the sign: look at what is subtracted from what.",
        only_alone=True,
    ),
    _of_numbers("1 minus the result", lambda x: 1 - x, "Your results are 1 minus the right ones.", True),
    _of_numbers(
        "1 divided by the result",
        lambda x: 1 / x if x else 0.0,
        "Your results are 1 divided by the right ones: what should be above the line is below it.",
        True,
    ),
    _of_numbers("twice the result", lambda x: 2 * x, "Your results are twice the right ones.", True),
    _of_numbers("half the result", lambda x: x / 2, "Your results are half the right ones.", True),
    *(
        _other_logarithm(factor**sign)
        for factor in (math.log(2), math.log(10), math.log10(2))
        for sign in (-1, 1)
    ),
    Change(
        "rows and columns turned round",
        lambda value: value.T if hasattr(value, "T") else value,
        "Your matrix is the right one lying on its side: what should be rows are columns.",
        besides="Your matrix lies on its side: what should be rows are columns.",
    ),
    Change(
        "order turned round",
        lambda value: value[::-1] if isinstance(value, list) else value,
        "Your list is the right one, from its end to its beginning.",
        only_alone=True,
    ),
]


# --- Rules on results ------------------------------------------------------------------------------------


@_rule(_BY_RESULTS, "printed, not returned")
def _printed(answer: Answer) -> str:
    if not _gives_nothing(answer) or not any(outcome.printed for outcome in answer.found):
        return ""
    return (
        "It prints its result and returns nothing, so it gives None. What is printed can be read, but not "
        "used: write `return` in the place of `print`."
    )


@_rule(_BY_RESULTS, "nothing returned")
def _forgotten(answer: Answer) -> str:
    text = "It gives None in every case: is there a line that begins with `return`?"
    return text if _gives_nothing(answer) else ""


def _gives_nothing(answer: Answer) -> bool:
    """Whether it gives None wherever a value is needed."""
    values = [got for got, needed in answer.pairs() if needed.value is not None]
    return all(got.value is None and not (got.error or got.cut_off) for got in values)


@_rule(_BY_RESULTS, "generator")
def _generator(answer: Answer) -> str:
    lazy = [outcome for outcome in answer.found if outcome.inside is not None]
    if not lazy or not explained(answer.found, answer.expected):
        return ""
    return (
        "What you return holds the right values, but can be read only once, and has no length: a generator, "
        "or an iterator. Make a list of it."
    )


@_rule(_BY_RESULTS, "another container")
def _container(answer: Answer) -> str:
    got, needed = (called(outcome.value) for outcome in answer.pairs(answer.wrong[:1])[0])
    if got == needed or not explained(answer.found, answer.expected, alike):
        return ""
    return f"The values are right, but it gives {got}; needed is {needed}."


@_rule(_BY_RESULTS, "single precision")
def _single(answer: Answer) -> str:
    return _SINGLE if explained(answer.found, answer.expected, alike) else ""


_SINGLE = (
    "Your numbers agree with the right ones to about seven digits and no further: single precision, float32. "
    "Leave them float64, as Python's own are."
)


@_rule(_BY_RESULTS, "wrong key")
def _keys(answer: Answer) -> str:
    values = [(got.value, needed.value) for got, needed in answer.pairs() if not (got.error or needed.error)]
    if not all(isinstance(value, Mapping) and value for pair in values for value in pair):
        return ""
    if len({tuple(sorted(map(str, needed))) for _, needed in values}) > 1 or len(values) < 2:
        return ""  # keys that are the same in all calls are names, others are data
    named = {str(key) for got, _ in values for key in got}
    needed = [str(key) for key in values[0][1]]
    if extra := sorted(named - set(needed)):
        missing = [key for key in needed if key not in named]
        lacking = f" Missing: {_quoted(missing)}." if missing else ""
        not_asked = f"Not asked for: {_quoted(extra)}."
        return f"The keys of your dictionary are not those of the task. {not_asked}{lacking}"
    return ""


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


@_rule(_BY_RESULTS, "divided by something else")
def _divided_by_another(answer: Answer) -> str:
    if not all([*_numbers(outcome.value)] for outcome in answer.expected if not outcome.error):
        return ""
    sizes = _sizes(answer)
    alone = [(name, "", values) for name, values in sizes.items()]
    both = [
        (one, other, [_ratio(above, below) for above, below in zip(sizes[one], sizes[other], strict=True)])
        for one in sizes
        for other in sizes
        if one != other
    ]
    for one, other, factors in (*alone, *both):
        told = {round(factors[n], 9) for n in answer.wrong if factors[n]}
        if len(told) > 1 and _is_times(answer, factors):
            over = f" / {other}" if other else ""
            return (
                f"Your numbers are the right ones times {one}{over}, wherever they differ. Look at what you "
                "divide by, and whether you divide at all."
            )
    return ""


def _sizes(answer: Answer) -> dict[str, list[float | None]]:
    """What may be divided by, and how large it is in each call: lengths, their roots, and numbers given."""
    sizes: dict[str, list[float | None]] = {}
    for position, name in enumerate(reading.parameters(answer.reference)):
        given = [call[position] if position < len(call) else None for call in answer.calls]
        if all(_is_number(value) for value in given):
            sizes[f"`{name}`"] = [float(value) for value in given]
        elif all(isinstance(value, (list, tuple, Mapping, set, frozenset)) for value in given):
            sizes[f"`len({name})`"] = [float(len(value)) for value in given]
            sizes[f"the root of `len({name})`"] = [len(value) ** 0.5 for value in given]
            parts = [list(value.values()) if isinstance(value, Mapping) else list(value) for value in given]
            if all(isinstance(part, (list, tuple, Mapping, set)) for inner in parts for part in inner):
                sizes[f"the number of all entries of `{name}`"] = [
                    float(sum(map(len, inner))) for inner in parts
                ]
    for name in [name for name in sizes if not name.startswith("the")]:
        sizes[f"1 / {name}"] = [_ratio(1.0, value) for value in sizes[name]]
    return sizes


def _is_number(value: object) -> bool:
    return isinstance(value, Number) and not isinstance(value, bool)


def _ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def _is_times(answer: Answer, factors: Sequence[float | None]) -> bool:
    """Whether all numbers are the right ones times the factor of their call.

    Of a tuple it may be true of some places, and then in every call.
    """
    numbers = []
    for (got, needed), factor in zip(answer.pairs(), factors, strict=False):
        if got.error or needed.error or got.cut_off:
            if not got.equals(needed):
                return False
            continue
        given, right = _parts(got.value), _parts(needed.value)
        if given.keys() != right.keys():
            return False
        apart = isinstance(needed.value, tuple)
        numbers += [(place if apart else None, given[place], right[place], factor) for place in right]
    wrong = {place for place, given, right, _ in numbers if not same(given, right)}
    return len(answer.found) == len(answer.expected) and all(
        _is_product(given, right, factor) if place in wrong else same(given, right)
        for place, given, right, factor in numbers
    )


def _is_product(given: object, right: object, factor: float | None) -> bool:
    both = _is_number(given) and _is_number(right) and factor is not None
    return both and math.isclose(given, right * factor, rel_tol=1e-9, abs_tol=1e-12)


def _parts(value: object) -> dict:
    """The parts of a result by their place or key; a single number stands under None."""
    value = plain(value)
    if isinstance(value, Mapping):
        return dict(value)
    return dict(enumerate(value)) if isinstance(value, (list, tuple)) else {None: value}


@_rule(_BY_RESULTS, "entries repeated")
def _repeated(answer: Answer) -> str:
    def once(value: object) -> object:
        return [entry for place, entry in enumerate(value) if entry not in value[:place]]

    if not _lists(answer) or not _all_lists(answer, lambda got, needed: same(once(got), needed)):
        return ""
    again = _appended_again(answer.tree)
    return f"Your lists hold what is needed, but some of it more than once. {again}"


def _appended_again(tree: ast.FunctionDef | None) -> str:
    """What puts an entry of an outer loop into a list once for each turn of an inner one."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For)] if tree else []
    for outer in loops:
        own = ast.unparse(outer.target.elts[0] if isinstance(outer.target, ast.Tuple) else outer.target)
        for inner in [node for node in ast.walk(outer) if isinstance(node, ast.For) and node is not outer]:
            leaves = any(isinstance(node, (ast.Break, ast.Return)) for node in ast.walk(inner))
            calls = [ast.unparse(node) for node in ast.walk(inner) if isinstance(node, ast.Call)]
            for call in [] if leaves else calls:
                if call.endswith(f".append({own})"):
                    where = "stands in an inner loop without `break`"
                    return f"`{call}` {where}, and may be met again for the same `{own}`."
    return "Each entry belongs there once."


@_rule(_BY_RESULTS, "another order")
def _order(answer: Answer) -> str:
    def as_many(got: list, needed: list) -> bool:
        left = list(got)
        for entry in needed:
            at = next((place for place, other in enumerate(left) if same(other, entry)), None)
            if at is None:
                return False
            left.pop(at)
        return not left

    if not _lists(answer) or not _all_lists(answer, as_many):
        return ""
    if _all_lists(answer, lambda got, needed: same(got, needed[::-1])):
        return ""  # turned round altogether, which says more
    return (
        "Your lists hold what is needed in these calls, in another order. Which order does the task ask for?"
    )


@_rule(_BY_RESULTS, "goes on after the end")
def _goes_on_after(answer: Answer) -> str:
    if not _lists(answer) or not _all_lists(answer, lambda got, needed: same(got[: len(needed)], needed)):
        return ""
    return "Your lists begin as they should, and then go on. Where should they end?"


def _lists(answer: Answer) -> bool:
    """Whether what was needed are lists, at least two of them wrong, of which no entry is a bare number.

    Places in a list of numbers say what they are numbers of: another order is not another order only.
    """
    needed = [outcome.value for outcome in answer.expected if not outcome.error]
    entries = [entry for value in needed if isinstance(value, list) for entry in value]
    plain_lists = all(isinstance(value, list) for value in needed)
    return plain_lists and len(answer.wrong) > 1 and any(not isinstance(x, float) for x in entries)


def _all_lists(answer: Answer, fits: Callable[[list, list], bool]) -> bool:
    """Whether all lists fit, and all errors are those that are needed."""
    for got, needed in answer.pairs():
        if got.error or needed.error or got.cut_off:
            if not got.equals(needed):
                return False
        elif not isinstance(plain(got.value), list) or not fits(plain(got.value), needed.value):
            return False
    return len(answer.found) == len(answer.expected)


@_rule(_BY_CALLS, "built on a function that is not right")
def _built_on(answer: Answer) -> str:
    if not isinstance(answer.function, FunctionType):
        return ""
    around = answer.function.__globals__
    names = reading.globals_read(answer.function) & REFERENCES.keys() & around.keys()
    names -= {answer.reference.__name__}
    own = [name for name in names if not reading.leads_to(around[name], REFERENCES[name])]
    if not own:
        return ""
    known = around | {name: REFERENCES[name] for name in own}
    parts = (answer.function.__name__, answer.function.__defaults__, answer.function.__closure__)
    with_ours = FunctionType(answer.function.__code__, known, *parts)
    with_ours.__kwdefaults__ = answer.function.__kwdefaults__
    if not explained(attempts(with_ours, answer.calls), answer.expected):
        return ""
    called_here = " and ".join(f"`{name}`" for name in sorted(own))
    return (
        f"This function is right. But it calls your {called_here}, and that is not: with the course's own in "
        "its place all results are right. Mend that one first."
    )


# --- Rules on the code -----------------------------------------------------------------------------------


@_rule(_BY_CODE, "return inside the loop")
def _return_in_loop(answer: Answer) -> str:
    loops = [node for node in _nodes(answer.tree) if isinstance(node, (ast.For, ast.While))]
    if not any(_leaves(loop.body) and not _goes_on(loop) for loop in loops):
        return ""
    return (
        "Your loop ends in its first round: a `return` stands in it that is reached at once. Indent it like "
        "the `for`, so that it comes after the loop."
    )


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a body ends in a `return`, in whatever branch it takes."""
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, ast.Return)


def _goes_on(loop: ast.For | ast.While) -> bool:
    return any(isinstance(node, ast.Continue) for node in ast.walk(loop))


def _nodes(tree: ast.AST | None) -> list[ast.AST]:
    return list(ast.walk(tree)) if tree else []


@_rule(_BY_CODE, "dependence on a global")
def _global(answer: Answer) -> str:
    outside = getattr(answer.function, "__globals__", {})
    names = sorted(name for name in reading.globals_read(answer.function) if _is_data(outside.get(name)))
    if not names:
        return ""
    return (
        f"It reads `{names[0]}`, a variable of the notebook. It is called with other arguments here, as it "
        "would be with other data: everything that it needs comes in through its parameters."
    )


def _is_data(value: object) -> bool:
    if isinstance(value, (ModuleType, type, str, Number, type(None))) or callable(value):
        return False  # functions and modules are meant to be used, a number or a text is mostly a constant
    return isinstance(value, (list, tuple, dict, set, frozenset, np.ndarray)) or hasattr(value, "__dict__")


@_rule(_BY_CODE, "a parameter is not used")
def _unused(answer: Answer) -> str:
    tree = answer.tree
    if tree is None or tree.args.vararg or tree.args.kwarg:
        return ""
    names = [node for node in _nodes(tree) if isinstance(node, ast.Name)]
    if any(node.id in ("locals", "eval", "exec", "vars") for node in names):
        return ""
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    parameters = [argument.arg for argument in (*tree.args.posonlyargs, *tree.args.args)]
    unused = [name for name in parameters if name not in read or _replaced(name, tree.body)]
    if not unused:
        return ""
    listed = " and ".join(f"`{name}`" for name in unused)
    return f"Your function never uses what it is given as {listed}: its results cannot depend on it."


def _replaced(name: str, body: list[ast.stmt]) -> bool:
    """Whether a parameter gets another value before it is read."""
    for statement in body:
        names = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == name]
        if any(isinstance(node.ctx, ast.Load) for node in names):
            return False
        if names:
            return isinstance(statement, ast.Assign)
    return False


# --- Rules on symptoms -----------------------------------------------------------------------------------


@_rule(_BY_SYMPTOM, "another kind of value")
def _other_kind(answer: Answer) -> str:
    values = [pair for pair in answer.pairs() if not (pair[0].error or pair[1].error or pair[0].cut_off)]
    kinds = [(called(got.value), called(needed.value)) for got, needed in values]
    if kinds and all(kind(got.value) != kind(needed.value) for got, needed in values):
        return f"It gives {kinds[0][0]}; needed is {kinds[0][1]}."
    full = [(called(got.value, True), called(needed.value, True)) for got, needed in values]
    told = [(got, needed) for got, needed in full if " of " in got and " of " in needed]
    if told and all(got.partition(" of ")[2] != needed.partition(" of ")[2] for got, needed in told):
        return f"It gives {told[0][0]}; needed is {told[0][1]}."
    return ""


@_rule(_BY_SYMPTOM, "nothing returned on one way")
def _none(answer: Answer) -> str:
    nothing = [got for got, needed in answer.pairs(answer.wrong) if got.value is None and not got.error]
    if len(nothing) < len(answer.wrong) or any(outcome.cut_off for outcome in nothing):
        return ""
    return "It gives None there, as a function does that comes to its end without a `return`. What is needed?"


@_rule(_BY_SYMPTOM, "argument changed")
def _argument_changed(answer: Answer) -> str:
    return changed_arguments(answer.found, answer.reference)


@_rule(_BY_SYMPTOM, "a name without a value")
def _name_error(answer: Answer) -> str:
    error = answer.found[answer.wrong[0]].error
    if type(error) is not NameError or not (name := getattr(error, "name", "")):
        return ""
    return sections.where_defined(name) or f"`{name}` has no value: is it spelt as where it was defined?"


@_rule(_BY_SYMPTOM, "no error raised")
def _not_refused(answer: Answer) -> str:
    wrong = answer.pairs(answer.wrong)
    if all(needed.error and not got.error and not got.cut_off for got, needed in wrong):
        return 'The task wants an error here, and you return a value: `raise ValueError("…")`.'
    return ""


_NONE = "You calculate with None. Where does it come from in this call, and what does the task say for it?"
_ERRORS = {
    KeyError: "You look up a key that the dictionary does not have. `.get(key, 0)` gives 0 in its place, and "
    "`key in …` asks first; what is right here, the task says.",
    ZeroDivisionError: "You divide by 0. What is 0 in this call, and what does the task say for it?",
    IndexError: "You read a place of a list that the list does not have: it is shorter, or empty.",
}


@_rule(_BY_SYMPTOM, "stops with an error")
def _error(answer: Answer) -> str:
    wrong = answer.pairs(answer.wrong)
    kinds = {error_kind(got.error) if got.error else None for got, _ in wrong}
    if kinds == {TypeError} and all("NoneType" in str(got.error) for got, _ in wrong):
        return _NONE
    return _ERRORS.get(kinds.pop(), "") if len(kinds) == 1 else ""


def changed_arguments(found: Sequence[Outcome], reference: Callable) -> str:
    """A sentence about arguments that came back changed, "" where none did."""
    changed = sorted({position for outcome in found for position in outcome.changed})
    if not changed:
        return ""
    parameters = reading.parameters(reference)
    names = " and ".join(f"`{parameters[position]}`" for position in changed)
    belong, them = ("belong", "them") if len(changed) > 1 else ("belongs", "it")
    return (
        f"It changes {names}, which {belong} to the caller, who may need {them} again. Work on a copy; "
        "`copy.deepcopy` copies what is inside, too."
    )
