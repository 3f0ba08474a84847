"""Reads code without running it: names that a cell binds and uses, and whose function a function is."""

import ast
import dis
import inspect
import symtable
import textwrap
from collections.abc import Callable
from functools import lru_cache, partial
from types import CodeType, FunctionType


def source_of(function: Callable) -> str:
    """The text of a function's definition, "" where it is not to be had."""
    try:
        return _text(function)
    except (OSError, TypeError):
        return ""


@lru_cache(maxsize=100)
def _text(function: Callable) -> str:
    return textwrap.dedent(inspect.getsource(function)).strip("\n")


def tree_of(function: Callable) -> ast.FunctionDef | None:
    """The definition of a function, parsed; None where its text cannot be had or is no plain `def`."""
    try:
        (node,) = ast.parse(source_of(function)).body
    except (SyntaxError, ValueError):
        return None
    return node if isinstance(node, ast.FunctionDef) else None


def same_code(one: Callable, other: Callable) -> bool:
    """Whether two functions are written alike, names of the functions and comments aside."""
    steps = [getattr(getattr(function, "__code__", None), "co_code", None) for function in (one, other)]
    if steps[0] != steps[1]:  # quickly seen, and nearly always so
        return False
    trees = [tree_of(one), tree_of(other)]
    if None in trees:
        return False
    return len({ast.dump(ast.Module([node.args, *node.body], [])) for node in trees}) == 1


def names_in(source: str) -> tuple[set[str], set[str]]:
    """The names that a cell binds, and those that it uses. Raises SyntaxError.

    >>> bound, used = names_in("def f(x):\\n    return g(x)\\ny = f(z)")
    >>> sorted(bound), sorted(used)
    (['f', 'y'], ['f', 'g', 'z'])
    """

    def scopes(scope: symtable.SymbolTable) -> list[symtable.SymbolTable]:
        return [scope, *(inner for child in scope.get_children() for inner in scopes(child))]

    cell = symtable.symtable(source, "cell", "exec")
    bound = {name.get_name() for name in cell.get_symbols() if name.is_assigned() or name.is_imported()}
    used = {
        name.get_name()
        for scope in scopes(cell)
        for name in scope.get_symbols()
        if name.is_referenced() and (scope is cell or name.is_global())
    }
    return bound, used


def functions_in(source: str) -> list[str]:
    """The names of the functions that a cell defines, [] for what is no Python.

    >>> functions_in("def precison_at_k(ranking, grades, k):\\n    return 0.5")
    ['precison_at_k']
    """
    try:
        return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    except (SyntaxError, ValueError):
        return []


def globals_read(function: Callable) -> frozenset[str]:
    """The names that a function looks up outside of itself; built-in ones are among them."""
    return _arguments_of(getattr(function, "__code__", None), ("LOAD_GLOBAL", "LOAD_NAME"))


def modules_imported(function: Callable) -> frozenset[str]:
    """The names of the modules that a function imports when it is called."""
    return _arguments_of(getattr(function, "__code__", None), ("IMPORT_NAME",))


@lru_cache(maxsize=500)
def _arguments_of(code: CodeType | None, operations: tuple[str, ...]) -> frozenset[str]:
    """What these operations are about, in a function's code and in the functions that it defines."""
    if code is None:
        return frozenset()
    found = {step.argval for step in dis.get_instructions(code) if step.opname in operations}
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset(found.union(*(_arguments_of(one, operations) for one in inner)))


def leads_to(function: object, reference: Callable) -> bool:
    """Whether a function is the reference, or a wrapper, a partial, an alias or a caller of it.

    >>> leads_to(partial(names_in, "x = 1"), names_in), leads_to(names_in, functions_in)
    (True, False)
    """
    waiting, seen = [function], set()
    while waiting:
        one = waiting.pop()
        if one is reference or getattr(one, "__code__", None) is reference.__code__:
            return True
        if id(one) not in seen and not isinstance(one, type):
            seen.add(id(one))
            waiting += _led_to(one)
    return False


def _led_to(one: object) -> list[Callable]:
    """What a function calls or wraps, as far as it is a reader's own function."""
    found = [getattr(one, name, None) for name in ("__wrapped__", "__func__")]
    if isinstance(one, partial):
        found.append(one.func)
    if not isinstance(one, FunctionType):
        found.append(vars(type(one)).get("__call__"))
    elif not (one.__module__ or "").startswith("course."):
        found += [cell.cell_contents for cell in one.__closure__ or () if _filled(cell)]
        found += [one.__globals__.get(name) for name in globals_read(one)]
    return [other for other in found if callable(other)]


def _filled(cell: object) -> bool:
    try:
        cell.cell_contents  # noqa: B018  (an empty cell raises)
    except ValueError:
        return False
    return True


def parameters(function: Callable) -> list[str]:
    """The names of a function's parameters, in order."""
    return list(inspect.signature(function).parameters)
