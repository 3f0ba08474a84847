"""Copies of a function with one place changed: operators, conditions, variables, functions and orders.

Each comes with a name for the slip and with what a reader is told if the copy is right: where to look.
"""

import ast
import copy
import pickle
from collections.abc import Callable, Iterator

Slip = tuple[str, str, ast.FunctionDef]
"""The name of a slip, what the reader is told, and the definition without it."""
Change = tuple[str, str, Callable[[ast.AST], None]]
_NEEDLESS = "a condition too many"


def slips(tree: ast.FunctionDef, besides: bool = False) -> Iterator[Slip]:
    """The copies, the likeliest kinds of slip first.

    With `besides` only those that may stand beside another mistake: by a part left out, or by a variable in
    the place of another, one mistake can be turned into a second one.
    """
    nodes, kept = list(ast.walk(tree)), pickle.dumps(tree)
    likely = _order, _condition, _place
    for kind in likely if besides else (*likely, _operator, _function, _too_much, _overwritten, _goes_on):
        for position, node in enumerate(nodes):
            for name, message, change in kind(node):
                if not (besides and name == _NEEDLESS):
                    yield name, message, _with_change(kept, position, change)
    names = [] if besides else sorted(_names(tree))
    for position, node in enumerate(nodes):
        for name, message, change in _variable(node, names):
            yield name, message, _with_change(kept, position, change)


def _with_change(kept: bytes, position: int, change: Callable[[ast.AST], None]) -> ast.FunctionDef:
    changed = pickle.loads(kept)  # in a tenth of the time that copy.deepcopy takes
    change(list(ast.walk(changed))[position])
    return changed


def _names(tree: ast.FunctionDef) -> set[str]:
    """The parameters, and the variables that get a value."""
    stored = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return stored | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def _code(node: ast.AST) -> str:
    """The first line of what stands there; a part that cannot stand alone has none."""
    lines = ast.unparse(node).strip().splitlines()
    return f"`{lines[0].rstrip(':')}`" if lines else "the code"


def _becomes(make: Callable[[ast.AST], ast.AST]) -> Callable[[ast.AST], None]:
    """Puts another node in the place of one."""

    def change(node: ast.AST) -> None:
        other = make(copy.copy(node))
        node.__class__, node.__dict__ = other.__class__, dict(other.__dict__)

    return change


def _with(**parts: object) -> Callable[[ast.AST], None]:
    return lambda node: node.__dict__.update(copy.deepcopy(parts))


def _order(node: ast.AST) -> Iterator[Change]:
    """Sorted the wrong way, or not at all."""
    turned = "the other way round, all your results would be right."
    if isinstance(node, ast.Call) and _called(node) in ("sorted", "sort"):
        message = f"Look at the order in {_code(node)}: {turned}"
        given = [word for word in node.keywords if word.arg == "reverse"]
        rest = [word for word in node.keywords if word.arg != "reverse"]
        words = rest if given else [*rest, ast.keyword("reverse", ast.Constant(True))]
        yield "sorted the wrong way", message, _with(keywords=words)
    elif isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "::-1":
        message = f"Look at the order in {_code(node)}: {turned}"
        yield "sorted the wrong way", message, _becomes(lambda other: other.value)
    elif isinstance(node, ast.For) and isinstance(node.iter, ast.Name):
        said = f"Your loop needs {_code(node.iter)} in order, and it may come in any: sort it first."
        made = ast.Call(ast.Name("sorted", ast.Load()), [node.iter], [])
        yield "taken for sorted", said, _with(iter=made)


def _called(node: ast.Call) -> str:
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


_OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}


def _operator(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        message = f"Look at the minus in {_code(node)}: without it, all your results would be right."
        yield "wrong sign", message, _becomes(lambda other: other.operand)
    if not isinstance(node, ast.BinOp):
        return
    if isinstance(node.op, (ast.Sub, ast.Div)):
        message = f"Look at {_code(node)}: which of the two belongs first?"
        yield "two sides exchanged", message, _with(left=node.right, right=node.left)
    if type(node.op) in _OTHER:
        message = f"With another operator in {_code(node)}, all your results would be right."
        yield "another operator", message, _with(op=_OTHER[type(node.op)]())


_OPPOSITE = {
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
}


def _condition(node: ast.AST) -> Iterator[Change]:
    if not isinstance(node, ast.expr):
        yield from _condition_dropped(node)
        return
    turned = f"Look at the condition {_code(node)}: it is the wrong way round."
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "condition turned round", turned, _becomes(lambda other: other.operand)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPPOSITE:
        yield "condition turned round", turned, _with(ops=[_OPPOSITE[type(node.ops[0])]()])
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        message = f"Look at {_code(node)}: are both needed, or is one enough?"
        yield "and for or", message, _with(op=other)
        # `x or 1` gives a value in the place of another, and is no condition.
        for value in node.values if not any(isinstance(one, ast.Constant) for one in node.values) else ():
            rest = [one for one in node.values if one is not value]
            kept = rest if len(rest) > 1 else rest * 2
            yield _NEEDLESS, _needless(value), _with(values=kept)
    yield from _condition_dropped(node)


def _condition_dropped(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            rest = [one for one in node.ifs if one is not test]
            yield _NEEDLESS, _needless(test), _with(ifs=rest)
    elif isinstance(node, (ast.If, ast.IfExp)):
        for truth in (True, False):
            yield _NEEDLESS, _needless(node.test), _with(test=ast.Constant(truth))


def _needless(test: ast.AST) -> str:
    return f"Without the condition {_code(test)} all your results would be right."


_ALIKE = (
    ("min", "max"),
    ("any", "all"),
    ("log", "log2", "log10", "log1p"),
    ("floor", "ceil", "round"),
    ("mean", "median", "sum"),
    ("union", "intersection"),
    ("stdev", "pstdev", "variance", "pvariance"),
)


def _function(node: ast.AST) -> Iterator[Change]:
    if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
        return
    part = "id" if isinstance(node, ast.Name) else "attr"
    name = getattr(node, part)
    for group in _ALIKE:
        for other in group if name in group else ():
            if other != name:
                message = (
                    f"Look at `{name}` in line {node.lineno} of the function: another one belongs there."
                )
                yield "another function", message, _with(**{part: other})


def _too_much(node: ast.AST) -> Iterator[Change]:
    """A step that should not be done: a call around something, a number added, a part cut off."""
    if not isinstance(node, (ast.Call, ast.BinOp, ast.Subscript)):
        return
    message = f"Look at {_code(node)}: one step is too many in it."
    name = "a step too many"
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.func, ast.Name):
        if node.func.id in ("abs", "set", "sorted", "sqrt", "reversed", "bool", "float", "str"):
            yield name, message, _becomes(lambda other: other.args[0])
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.args and node.func.attr in ("split", "strip", "rstrip", "lstrip"):
            yield "an argument too many", f"Look at what is handed over in {_code(node)}.", _with(args=[])
        elif not node.args and node.func.attr in ("strip", "rstrip", "lstrip", "lower", "upper", "casefold"):
            yield name, message, _becomes(lambda other: other.func.value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)):
        yield name, message, _becomes(lambda other: other.left)
        yield name, message, _becomes(lambda other: other.right)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        said = f"Look at {_code(node)}: nothing should be cut off there."
        yield "cut off", said, _becomes(lambda other: other.value)


def _place(node: ast.AST) -> Iterator[Change]:
    """One more or one less where a list is cut or read, or a range ends."""
    if not isinstance(node, (ast.Call, ast.Slice, ast.Subscript)):
        return
    message = f"Off by one: look at {_code(node)}."
    bounds = []
    if isinstance(node, ast.Slice):
        bounds = [
            part for part in ("lower", "upper") if isinstance(getattr(node, part), (ast.Name, ast.BinOp))
        ]
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Name, ast.BinOp)):
        bounds = ["slice"]
    for part in bounds:
        for op in (ast.Add(), ast.Sub()):
            other = ast.BinOp(getattr(node, part), op, ast.Constant(1))
            yield "off by one", message, _with(**{part: other})
    if isinstance(node, ast.Call) and _called(node) in ("range", "enumerate") and node.args:
        for op in (ast.Add(), ast.Sub()) if _called(node) == "range" else ():
            last = ast.BinOp(node.args[-1], op, ast.Constant(1))
            yield "off by one", message, _with(args=[*node.args[:-1], last])
        if _called(node) == "enumerate" and len(node.args) == 1 and not node.keywords:
            yield "off by one", message, _with(args=[*node.args, ast.Constant(1)])


def _overwritten(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Name, ast.Subscript)):
        message = f"Look at {_code(node)}: it replaces what was there before. Should it be added to?"
        target = node.targets[0]
        yield (
            "replaced, not added",
            message,
            _becomes(lambda other: ast.AugAssign(copy.deepcopy(target), ast.Add(), other.value)),
        )


def _goes_on(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.For):
        for place, inner in enumerate(node.body):
            if isinstance(inner, ast.If) and not isinstance(
                inner.body[-1], (ast.Break, ast.Return, ast.Continue)
            ):
                message = (
                    f"Your loop {_code(node)} goes on after {_code(inner.test)} was met, and so counts or "
                    "names the same thing again. Once is enough: leave it there."
                )
                yield "counted again and again", message, _leave(place)


def _leave(place: int) -> Callable[[ast.AST], None]:
    return lambda node: node.body[place].body.append(ast.Break())


def _variable(node: ast.AST, names: list[str]) -> Iterator[Change]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        for other in names:
            if other != node.id:
                where = f"`{node.id}` in line {node.lineno} of the function"
                message = f"With another variable in the place of {where}, all your results would be right."
                yield "another variable", message, _with(id=other)
