"""Slips of a single place: a copy of the reader's function with that place changed, which is then right.

What is found so is certain, since it was tried. The reader is told where to look, and not what to write.
"""

import ast
import copy
import pickle
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from types import FunctionType

import numpy as np

from course.exercises import slips
from course.exercises.attempt import Outcome, attempts, attempts_of
from course.exercises.cases import Mistake
from course.exercises.general import Answer, Finding, explained

MOST = 80
"""Copies that are tried; a function of twenty lines has about forty."""

Repair = tuple[str, str, ast.FunctionDef]
"""The name of a slip, what the reader is told, and the definition without it."""


def repaired(answer: Answer) -> Finding | None:
    """The slip without which the function would be right, if there is one."""
    tree = _tree(answer)
    fits = _sure(answer, tree, _that_fit(answer, tree)) if tree else []
    if not fits:
        return None
    name, message, changed = fits[0]
    return _closer(Finding(name, message), tree, changed, answer)


def _that_fit(answer: Answer, tree: ast.FunctionDef) -> list[Repair]:
    """The likeliest repairs with which the function is right in all cases."""
    first = answer.wrong[0]
    return [
        repair
        for repair, other, found in _tried(islice(_repairs(tree), MOST), answer)
        if explained([found], answer.expected[first : first + 1])
        and explained(attempts(other, answer.calls), answer.expected)
    ]


def _sure(answer: Answer, tree: ast.FunctionDef, fits: Sequence[Repair]) -> Sequence[Repair]:
    """The repairs of the one place, [] where there are several or only one wrong result of few speaks for it.

    Another variable may fit by accident: it says nothing against a repair of another kind.
    """
    fits = [fit for fit in fits if fit[0] != "another variable"] or fits
    places = {_line_of_change(tree, changed) for *_, changed in fits}
    few = len(answer.wrong) == 1
    sure = len(places) == 1 and not (few and (len(answer.found) < _MANY or len(fits) > 1))
    return fits if sure else []


_MANY = 5
"""Cases of which a single wrong one tells something."""


def _line_of_change(tree: ast.FunctionDef, changed: ast.FunctionDef) -> int:
    """The first line in which two definitions differ."""
    lines = zip(ast.unparse(tree).splitlines(), ast.unparse(changed).splitlines(), strict=False)
    return next((place for place, (old, new) in enumerate(lines) if old != new), -1)


def _tried(copies: Iterator[Repair], answer: Answer) -> Iterator[tuple[Repair, FunctionType, Outcome]]:
    """The copies that can be compiled, and what each gives in the first call that went wrong.

    Most are wrong where the function was. They are called in lots, as starting to call takes longer than a
    call; none is tried any more after one that does not end.
    """
    arguments = answer.calls[answer.wrong[0]]
    while lot := list(islice(copies, _LOT)):
        made = [(copied, _compiled(copied[2], answer.function)) for copied in lot]
        made = [(copied, other) for copied, other in made if other is not None]
        outcomes = attempts_of([other for _, other in made], arguments)
        for (copied, other), outcome in zip(made, outcomes, strict=False):
            if outcome.cut_off:
                return
            yield copied, other, outcome


_LOT = 20


def _tree(answer: Answer) -> ast.FunctionDef | None:
    """The definition of a function of which copies can be made and called; None of others."""
    function, tree = answer.function, answer.tree
    # A changed condition of a `while` may never end; a function with a closure cannot be made again.
    if tree is None or not isinstance(function, FunctionType) or function.__closure__:
        return None
    if any(isinstance(node, ast.While) for node in ast.walk(tree)) or any(
        one.cut_off for one in answer.found
    ):
        return None
    tree.decorator_list = []
    return tree


def repaired_at_last(
    answer: Answer, known: Sequence[tuple[Mistake, Sequence[Outcome]]] = ()
) -> Finding | Mistake | None:
    """As `repaired`, for slips of more kinds.

    With `known`, mistakes and their outcomes: the one of these that the function makes, and nothing else,
    without a slip.
    """
    tree, first = _tree(answer), answer.wrong[0]
    if tree is None:
        return None
    wanted = known or [(None, answer.expected)]
    copies = islice(slips.slips(tree, besides=bool(known)), MOST_AT_LAST)
    fits = []
    for repair, other, outcome in _tried(copies, answer):
        near = [(what, made) for what, made in wanted if explained([outcome], made[first : first + 1])]
        found = attempts(other, answer.calls) if near else []
        for what, made in near:
            if explained(found, made):
                fits.append((what, repair))
    sure = _sure(answer, tree, [repair for _, repair in fits])
    several = len({what.name for what, _ in fits if what}) > 1
    if several or not sure or (not known and _that_fit(answer, tree)):
        return None  # none is the certain one
    what, (name, message, _) = fits[0][0], sure[0]
    return what or Finding(name, message)


MOST_AT_LAST = 150
"""Copies that are tried where nothing known explains an answer."""


def _closer(slip: Finding, tree: ast.FunctionDef, changed: ast.FunctionDef, answer: Answer) -> Finding:
    """What a slip is, seen by what its place holds in the calls.

    A border is one only where it parts something, and only a number can be rounded.
    """
    place = _place_of_change(tree, changed)
    if place is None:
        return slip
    node = list(ast.walk(tree))[place]
    if slip.name == "rounded on the way":
        return _text_made_number(node) if _any_text(node.args[0], tree, answer) else slip
    if slip.name == "wrong side of a border" and _always_the_same(
        _values(list(ast.walk(changed))[place], changed, answer)
    ):
        return _condition_too_many(node)
    return slip


def _always_the_same(values: list[object]) -> bool:
    """Whether a condition holds in no call, or for all that it is asked about in all calls."""
    truths = {bool(truth) for value in values for truth in np.ravel(value)}
    return len(truths) == 1


def _condition_too_many(node: ast.Compare) -> Finding:
    return Finding(
        "a condition too many",
        f"Without the condition {_code(node)} all your results would be right: it leaves out something that "
        "belongs to them.",
    )


def _text_made_number(node: ast.Call) -> Finding:
    return Finding(
        "text made a number",
        f"You make a number of a text, in {_code(node)}. Ids are compared and kept as text, also where they "
        "are made of digits.",
    )


def _any_text(node: ast.expr, tree: ast.FunctionDef, answer: Answer) -> bool:
    return any(isinstance(value, str) for value in _values(node, tree, answer))


def _place_of_change(tree: ast.FunctionDef, changed: ast.FunctionDef) -> int | None:
    """The number of the node that was changed, in the order of `ast.walk`."""
    nodes = zip(ast.walk(tree), ast.walk(changed), strict=False)
    for place, (old, new) in enumerate(nodes):
        if type(old) is not type(new):
            return place
        if isinstance(old, ast.Compare) and [type(op) for op in old.ops] != [type(op) for op in new.ops]:
            return place
    return None


def _values(node: ast.expr, tree: ast.FunctionDef, answer: Answer) -> list[object]:
    """What an expression of a function is worth, whenever it is computed in the calls."""
    place = [id(other) for other in ast.walk(tree)].index(id(node))
    watched, seen = copy.deepcopy(tree), []
    inner = list(ast.walk(watched))[place]
    kept = copy.copy(inner)
    inner.__class__ = ast.Call
    inner.__dict__ = {"func": ast.Name(_NOTED, ast.Load()), "args": [kept], "keywords": []}

    def noted(value: object) -> object:
        seen.append(value)
        return value

    function = _compiled(watched, answer.function, {_NOTED: noted})
    if function is not None:
        attempts(function, answer.calls)
    return seen


_NOTED = "_noted_by_the_check"


def _compiled(
    tree: ast.FunctionDef, function: FunctionType, more: dict[str, object] | None = None
) -> FunctionType | None:
    names = function.__globals__ | (more or {})
    try:
        exec(compile(ast.fix_missing_locations(ast.Module([tree], [])), "<repaired>", "exec"), names)
    except Exception:  # a default value that cannot be computed again, a `return` that left a body empty
        return None
    return names[tree.name]


def _repairs(tree: ast.FunctionDef) -> Iterator[Repair]:
    # The 1 of `pair[1]` says which part is meant, and that of a list is data: neither may be off by one.
    parts = {id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    parts |= {id(part) for node in ast.walk(tree) for part in _written_out(node)}
    # Nor is it the step of a counter: where another one helps, the counter is wrong and not its step.
    parts |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    around = {id(side): node for node in ast.walk(tree) for side in _numbers_of(node)}
    kept = pickle.dumps(tree)  # read again, it is a copy, in a tenth of the time that copy.deepcopy takes
    for position, node in enumerate(ast.walk(tree)):
        for name, message, change in _changes(node) if id(node) not in parts else ():
            if operation := around.get(id(node)):
                name, message = _power_or_factor(operation, node)
            changed = pickle.loads(kept)
            change(list(ast.walk(changed))[position])
            yield name, message, changed


def _written_out(node: ast.AST) -> list[ast.expr]:
    """The members of a list, a tuple, a set or a dictionary that stands in the code."""
    if isinstance(node, ast.Dict):
        return node.values
    return node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else []


def _numbers_of(node: ast.AST) -> list[ast.expr]:
    """The power of an expression, or the numbers by which it multiplies or divides."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Pow, ast.Mult, ast.Div)):
        return []
    sides = [node.right] if isinstance(node.op, ast.Pow) else [node.left, node.right]
    return [side for side in sides if isinstance(side, ast.Constant)]


def _power_or_factor(operation: ast.BinOp, number: ast.Constant) -> tuple[str, str]:
    where = f"{_code(operation)} in line {operation.lineno} of the function"
    if isinstance(operation.op, ast.Pow):
        return "wrong power", f"Look at the power in {where}: to which one should it be raised, if to any?"
    return "wrong factor", f"Look at the {number.value} in {where}: why that number, or any?"


Change = tuple[str, str, Callable[[ast.AST], None]]


def _changes(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, (ast.FunctionDef, ast.For, ast.If)):
        yield from _returns(node)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.FloorDiv):
        message = f"You divide with `//`, in {_code(node)}: that cuts off the decimals. Divide with `/`."
        yield "integer division", message, lambda other: setattr(other, "op", ast.Div())
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("round", "int") and node.args:
        message = f"You cut off decimals, in {_code(node)}. Leave numbers as they are until they are printed."
        yield "rounded on the way", message, _unwrap
    elif isinstance(node, ast.Compare):
        yield from _borders(node)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield from _neighbours(node)


def _code(node: ast.AST) -> str:
    return f"`{ast.unparse(node).splitlines()[0]}`"


def _returns(node: ast.FunctionDef | ast.For | ast.If) -> Iterator[Change]:
    """For each loop in a body: its `return`, wherever it stands in it, is put behind it."""
    for place, loop in enumerate(node.body):
        if not isinstance(loop, ast.For):
            continue
        for number in range(sum(isinstance(inner, ast.Return) for inner in ast.walk(loop))):
            message = (
                "Your loop ends too early: a `return` stands in it that belongs behind it, indented like the "
                "`for`."
            )
            yield "return inside the loop", message, _behind(place, number)


def _behind(place: int, number: int) -> Callable[[ast.AST], None]:
    def change(node: ast.AST) -> None:
        loop = node.body[place]
        moved = [inner for inner in ast.walk(loop) if isinstance(inner, ast.Return)][number]
        node.body.insert(place + 1, copy.copy(moved))
        moved.__class__, moved.value = ast.Expr, ast.Constant(...)  # a statement that does nothing

    return change


def _unwrap(call: ast.AST) -> None:
    inner = call.args[0]
    call.__class__, call.__dict__ = inner.__class__, inner.__dict__


_BORDERS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


def _borders(node: ast.Compare) -> Iterator[Change]:
    for place, op in enumerate(node.ops):
        if type(op) in _BORDERS:
            message = f"Look at the border of {_code(node)}: what is to happen where both are equal?"
            yield "wrong side of a border", message, _with_op(place, _BORDERS[type(op)])


def _with_op(place: int, kind: type) -> Callable[[ast.AST], None]:
    return lambda node: node.ops.__setitem__(place, kind())


def _neighbours(node: ast.Constant) -> Iterator[Change]:
    # Hardly anybody writes 0 for -1: where that repairs `max(0, …)` or `== 0`, neither should be there.
    for value in (node.value + 1, node.value - 1) if node.value else (1,):
        message = f"A number is off by one: look at the {node.value} in line {node.lineno} of the function."
        yield "off by one", message, lambda other, value=value: setattr(other, "value", value)
