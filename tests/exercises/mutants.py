"""Mechanical mutants of a function: one operator, comparison or constant changed, or one statement gone."""

import ast
import copy
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator

_OPERATORS = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Mult],
    ast.Mod: [ast.Mult],
    ast.Pow: [ast.Mult],
    ast.BitOr: [ast.BitAnd],
    ast.BitAnd: [ast.BitOr],
    ast.MatMult: [ast.Mult],
}
_COMPARISONS = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}


def mutants(function: Callable) -> Iterator[tuple[str, Callable]]:
    """Each mutant as (what changed, the function): 'line before -> line after'."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    for position, node in enumerate(ast.walk(tree)):
        for change in _changes(node):
            changed = copy.deepcopy(tree)
            change(list(ast.walk(changed))[position])
            ast.fix_missing_locations(changed)
            yield _difference(tree, changed), _compiled(changed, function)


def _changes(node: ast.AST) -> Iterator[Callable[[ast.AST], None]]:
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        for kind in _OPERATORS.get(type(node.op), []):
            yield lambda target, kind=kind: setattr(target, "op", kind())
    elif isinstance(node, ast.Compare):
        for index, op in enumerate(node.ops):
            for kind in _COMPARISONS[type(op)]:
                yield lambda target, index=index, kind=kind: target.ops.__setitem__(index, kind())
    elif isinstance(node, ast.BoolOp):
        kind = ast.And if isinstance(node.op, ast.Or) else ast.Or
        yield lambda target: setattr(target, "op", kind())
    elif isinstance(node, ast.UnaryOp):
        kind = {ast.USub: ast.UAdd, ast.UAdd: ast.USub}.get(type(node.op))
        if kind:
            yield lambda target: setattr(target, "op", kind())
    elif isinstance(node, ast.Constant):
        for value in _other_constants(node.value):
            yield lambda target, value=value: setattr(target, "value", value)
    elif isinstance(node, ast.IfExp):
        yield lambda target: setattr(target, "test", ast.Constant(True))
        yield lambda target: setattr(target, "test", ast.Constant(False))
    elif isinstance(node, ast.If):
        yield lambda target: setattr(target, "test", ast.Constant(True))
        yield lambda target: setattr(target, "test", ast.Constant(False))
    elif isinstance(node, (ast.Assign, ast.Expr, ast.Continue, ast.Raise)):
        yield _nothing
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield lambda target: setattr(target, "ifs", [])
    elif isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            if getattr(node, part) is not None:
                yield lambda target, part=part: setattr(target, part, None)


def _nothing(statement: ast.AST) -> None:
    """Turns a statement into one that does nothing."""
    statement.__class__, statement.value = ast.Expr, ast.Constant(...)


def _other_constants(value: object) -> list:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, value - 1]
    return []  # the text of a message is free, and a key that is misspelt raises at once


def _difference(tree: ast.AST, changed: ast.AST) -> str:
    # Python 3.10 writes `for (a, b) in`, later ones write `for a, b in`.
    before, after = (
        re.sub(r"for \(([^()]*)\) in", r"for \1 in", ast.unparse(code)).splitlines()
        for code in (tree, changed)
    )
    for old, new in zip(before, after, strict=True):
        if old != new:
            return f"{old.strip()}  ->  {new.strip()}"
    raise AssertionError("the mutant is the function itself")


def _compiled(tree: ast.AST, function: Callable) -> Callable:
    names = dict(function.__globals__)
    exec(compile(tree, "<mutant>", "exec"), names)
    return names[function.__name__]
