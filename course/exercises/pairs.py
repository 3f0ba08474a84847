"""Two mistakes in one answer: functions that make both, put together from two that make one each.

A known mistake is a function like any other. Where two of them are written as the reference with one part
exchanged, both parts can be exchanged at once, and the result is what a reader gives who makes both.
"""

import ast
import copy
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations, islice, pairwise
from types import FunctionType

from course.exercises import reading
from course.exercises.attempt import Outcome, attempts_of
from course.exercises.cases import Case, Mistake
from course.exercises.general import explained
from course.exercises.values import alike

_MOST = 1000
"""Functions that are put together for one exercise; most have a few hundred."""


@dataclass
class Pair:
    """Two mistakes and a function that makes both; what it gave, by the numbers of the cases asked so far."""

    one: Mistake
    other: Mistake
    function: Callable
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """The names of the two."""
        return frozenset((self.one.name, self.other.name))

    @property
    def ends(self) -> bool:
        """Whether all its calls have come to an end."""
        return not any(outcome.cut_off for outcome in self.outcomes.values())


_KNOWN: dict[tuple[int, int], tuple[Sequence[Mistake], Sequence[Case], list[Pair]]] = {}


def pairs_of(reference: Callable, mistakes: Sequence[Mistake], cases: Sequence[Case]) -> list[Pair]:
    """Two mistakes each of which a function can be put together that makes both; made once."""
    key = id(reference), id(cases)
    if key not in _KNOWN or len(_KNOWN[key][0]) != len(mistakes):
        _KNOWN[key] = mistakes, cases, list(islice(_all_pairs(reference, mistakes), _MOST))
    return _KNOWN[key][2]


def _all_pairs(reference: Callable, mistakes: Sequence[Mistake]) -> Iterator[Pair]:
    for one, other in combinations([mistake for mistake in mistakes if not is_two(mistake)], 2):
        for function in together(reference, one.function, other.function):
            yield Pair(one, other, function)


def is_two(mistake: Mistake) -> bool:
    """Whether a known mistake is two at once already: with a third, its sentence would be true of nothing."""
    return mistake.message.startswith("Two things")


def pairs_behind(
    found: Sequence[Outcome], pairs: Sequence[Pair], cases: Sequence[Case], first: int
) -> list[Pair]:
    """Those that give in all cases what was found.

    They are asked case by case, and the case `first` before all others: nearly all pairs fall there.
    """
    fits = list(pairs) if len(found) == len(cases) else []
    for number in sorted(range(len(found)), key=lambda number: number != first):
        _ask(fits, number, cases[number].arguments)
        fits = [
            pair for pair in fits if explained(found[number : number + 1], [pair.outcomes[number]], alike)
        ]
    return fits


def _ask(pairs: Sequence[Pair], number: int, arguments: tuple) -> None:
    """Has the pairs called in a case; what they gave there is kept."""
    waiting = [pair for pair in pairs if number not in pair.outcomes]
    while waiting:  # more than once only where one was cut off
        outcomes = attempts_of([pair.function for pair in waiting], arguments)
        for pair, outcome in zip(waiting, outcomes, strict=False):
            pair.outcomes[number] = outcome
        waiting = waiting[len(outcomes) :]


def together(reference: Callable, one: Callable, other: Callable) -> list[Callable]:
    """Functions that make the mistakes of both, [] where none can be put together of the two.

    There are two where each calls the reference: which of them is made first may matter.
    """
    ways = [_in_terms_of(reference, one, other), _in_terms_of(reference, other, one)]
    found = [function for function in ways if function is not None]
    if not found and (function := _of_one_helper(one, other) or _of_one_text(reference, one, other)):
        found.append(function)
    return found


def _in_terms_of(reference: Callable, one: Callable, other: Callable) -> Callable | None:
    """The first where it calls the reference, with the second in the reference's place."""
    name = reference.__name__
    if not isinstance(one, FunctionType) or one.__globals__.get(name) is not reference:
        return None
    return _with_names(one, {name: other}) if name in reading.globals_read(one) else None


def _with_names(function: FunctionType, names: dict[str, object]) -> FunctionType:
    around = function.__globals__ | names
    made = FunctionType(
        function.__code__, around, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


# --- Two calls of one helper, each with another part exchanged ----------------------------------------------


def _of_one_helper(one: Callable, other: Callable) -> Callable | None:
    calls = _only_call(one), _only_call(other)
    if None in calls or calls[0][0] is not calls[1][0] or one.__closure__ or other.__closure__:
        return None
    (helper, parts), (_, more) = calls
    exchanged = [
        {name: value for name, value in given.items() if not _passed_on(name, value)}
        for given in (parts, more)
    ]
    clash = exchanged[0].keys() & exchanged[1].keys()
    if any(ast.dump(exchanged[0][name]) != ast.dump(exchanged[1][name]) for name in clash):
        return None  # both exchange the same part
    merged = parts | more | exchanged[0] | exchanged[1]
    keywords = [ast.keyword(name, copy.deepcopy(value)) for name, value in merged.items()]
    call = ast.Call(ast.Name(helper.__name__, ast.Load()), [], keywords)
    return _compiled(ast.Module([_definition(one, call)], []), one)


def _definition(function: Callable, value: ast.expr) -> ast.FunctionDef:
    node = copy.deepcopy(reading.tree_of(function))
    node.name, node.decorator_list, node.body = _NAME, [], [ast.Return(value)]
    return node


_NAME = "made_of_two"


def _passed_on(name: str, value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == name


@lru_cache(maxsize=3000)
def _only_call(function: Callable) -> tuple[Callable, dict[str, ast.expr]] | None:
    """The helper of a mistake that is nothing but its call, and what is handed over, by parameter."""
    node = reading.tree_of(function)
    body = _body(node) if node else []
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, ast.Call):
        return None
    call = body[0].value
    helper = getattr(function, "__globals__", {}).get(getattr(call.func, "id", ""))
    plain = not any(isinstance(argument, ast.Starred) for argument in call.args)
    if not isinstance(helper, FunctionType) or not plain or any(word.arg is None for word in call.keywords):
        return None
    names = list(inspect.signature(helper).parameters)
    if len(call.args) > len(names):
        return None
    given = dict(zip(names, call.args, strict=False))
    return helper, given | {word.arg: word.value for word in call.keywords}


def _body(node: ast.FunctionDef) -> list[ast.stmt]:
    return node.body[1:] if ast.get_docstring(node) is not None else node.body


# --- Two changes of one text -----------------------------------------------------------------------------


def _of_one_text(reference: Callable, one: Callable, other: Callable) -> Callable | None:
    if getattr(one, "__closure__", None) or getattr(other, "__closure__", None):
        return None
    texts = [_tokens(function) for function in (reference, one, other)]
    if not all(texts):
        return None
    changes = [_edits(texts[0], text) for text in texts[1:]]
    if None in changes or not (changes[0] and changes[1]):
        return None
    edits = sorted({*changes[0], *changes[1]})
    if any(first[1] > second[0] or first[:2] == second[:2] for first, second in pairwise(edits)):
        return None  # both change the same place
    text, last = [], 0
    for start, end, new in edits:
        text += [*texts[0][last:start], *new]
        last = end
    try:
        tree = ast.parse("".join([*text, *texts[0][last:]]))
    except SyntaxError:
        return None
    return _compiled(tree, one, other)


@lru_cache(maxsize=3000)
def _tokens(function: Callable) -> tuple[str, ...]:
    """The definition in pieces that together are its text, without docstring and under one name."""
    node = copy.deepcopy(reading.tree_of(function))
    if node is None:
        return ()
    node.name, node.decorator_list, node.body = _NAME, [], _body(node) or [ast.Pass()]
    return tuple(re.findall(r"\n *|\w+|\s+|[^\w\s]", ast.unparse(node)))


@lru_cache(maxsize=3000)
def _edits(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[tuple[int, int, tuple[str, ...]], ...] | None:
    """What is to be put in which place; None where little of the old text is left."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.7:
        return None
    codes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return tuple((start, end, new[first:last]) for _, start, end, first, last in codes)


def _compiled(tree: ast.Module, *around: Callable) -> Callable | None:
    names = {name: value for one in around for name, value in one.__globals__.items()}
    try:
        exec(compile(ast.fix_missing_locations(tree), "<two mistakes>", "exec"), names)
    except Exception:  # two changes that do not go together
        return None
    return names[_NAME]
