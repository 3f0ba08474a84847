"""Who may import whom in `helpers`: only from a lower level, never through the package root."""

import ast
from pathlib import Path

import pytest

HELPERS = Path(__file__).parents[1] / "helpers"
LEVELS = [
    {"records", "files", "text", "checks", "stats", "fetch", "runbooks", "truncation", "compiled", "catalogue", "lines"},
    {"conventions", "metrics", "vectors", "generations", "beir", "tokens", "labels"},
    {"rankings", "bm25", "sparse_index", "corpus_cache"},
    {"trec", "judged_ranks", "chunking", "retrieval"},
    {"evaluation", "quality", "agreement", "hub_files"},
    {"bounds", "report", "sparse", "hub"},
    {"datasets", "chunk_lab"},
    {"coverage", "course", "beir_table"},
    {"show"},
    {"__main__"},
]
REFERENCE_TOOLS = {"pytrec_eval", "bm25s", "ranx", "ir_measures"}
MODULES = sorted(path.stem for path in HELPERS.glob("*.py") if path.stem != "__init__")


def imports(module: str) -> set[str]:
    """The names that a module imports, `helpers.x` for our own."""
    names = set()
    for node in ast.walk(ast.parse((HELPERS / f"{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "helpers":
            names |= {f"helpers.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            names.add(node.module)
    return names


def level(module: str) -> int:
    found = [number for number, modules in enumerate(LEVELS) if module in modules]
    assert found, f"{module} has no level yet; give it one here"
    return found[0]


@pytest.mark.parametrize("module", MODULES)
def test_a_room_imports_only_from_lower_levels(module):
    own = {name.split(".")[1] for name in imports(module) if name.startswith("helpers.")}
    wrong = {name for name in own if level(name) >= level(module)}
    assert not wrong, f"{module} (level {level(module)}) imports {wrong}"


@pytest.mark.parametrize("module", MODULES)
def test_only_show_draws_and_no_room_needs_a_reference_tool(module):
    roots = {name.split(".")[0] for name in imports(module)}
    assert not roots & REFERENCE_TOOLS
    assert ("matplotlib" in roots) == (module == "show")


def test_the_package_root_is_empty():
    assert len(ast.parse((HELPERS / "__init__.py").read_text(encoding="utf-8")).body) == 1


@pytest.mark.parametrize("module", MODULES)
def test_a_room_says_what_lives_in_it_and_stays_small(module):
    source = (HELPERS / f"{module}.py").read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source))
    assert len(source.splitlines()) <= 250
