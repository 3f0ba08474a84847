"""The house: three packages, their rooms in the order in which they may import, one door a room, no circle
anywhere."""

import ast
import json
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {
    "helpers": "base records metrics text encoders stats evaluation datasets retrieval scale answers "
    "judgments failures monitoring show",
    "workbench": "backends budget corpus dataset_files snapshots systems labelling exchange reports projects "
    "commands",
    "course": "exercises real_work teaching chunk_lab simulated_users baselines coverage release beir_table "
    "runner start reset links verbs",
}
"""From the ground up: a room imports from those before it, and from every room of the packages before its
own."""

ORDER = [f"{package}.{room}" for package, rooms in ROOMS.items() for room in rooms.split()]
REFERENCE_TOOLS = {"pytrec_eval", "bm25s", "ranx", "ir_measures"}
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ROOMS
    for path in sorted((ROOT / package).rglob("*.py"))
}
NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))


@cache
def imports(module: str) -> frozenset[str]:
    """The modules that a module imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inside & MODULES.keys() | ({node.module} if inside - MODULES.keys() else set())
    return frozenset(found)


def own(module: str) -> set[str]:
    """What a module imports of the house."""
    return {name for name in imports(module) if name.split(".")[0] in ROOMS}


def room(module: str) -> str:
    return ".".join(module.split(".")[:2])


def test_every_module_lives_in_a_room_of_the_list():
    roots = {*ROOMS, *(f"{package}.__main__" for package in ROOMS)}
    assert {room(module) for module in MODULES if module not in roots} == set(ORDER)


@pytest.mark.parametrize("number", range(len(ORDER)), ids=ORDER)
def test_a_room_imports_only_from_rooms_before_it(number):
    below = set(ORDER[: number + 1])
    wrong = {
        f"{m} -> {name}"
        for m in MODULES
        if room(m) == ORDER[number]
        for name in own(m)
        if room(name) not in below
    }
    assert not wrong


@pytest.mark.parametrize("name", ORDER)
def test_no_circle_inside_a_room(name):
    inside = {m for m in MODULES if room(m) == name}
    # `static_order` raises CycleError, with the circle, where there is one.
    assert set(TopologicalSorter({m: own(m) & inside for m in inside}).static_order()) == inside


@pytest.mark.parametrize(
    "name", [name for name in ORDER if name != "course.exercises"]
)  # nobody's room but the course's
def test_a_room_is_entered_by_its_door(name):
    others = [m for m in MODULES if room(m) != name and not m.endswith("__main__")]
    entered = {f"{m} -> {n}" for m in others for n in own(m) if room(n) == name and n != name}
    assert not {arrow for arrow in entered if not _is_a_module_of_the_door(arrow.split(" -> ")[1])}


def _is_a_module_of_the_door(module: str) -> bool:
    """`from helpers.base import files` enters by the door too, where the door offers the whole module."""
    door, _, name = module.rpartition(".")
    return door in ORDER and name in _offered(door)


def _offered(door: str) -> list[str]:
    """The names that a door imports, and so offers."""
    tree = ast.parse(MODULES[door].read_text(encoding="utf-8"))
    return [alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]


@pytest.mark.parametrize("door", [name for name in ORDER if MODULES[name].name == "__init__.py"])
def test_a_door_offers_nothing_that_is_not_its_rooms_own(door):
    lent = "from helpers.base import name_wrong_types\n"  # which every door calls at its end
    others = {room(name) for name in own(door)} - {door}
    assert others <= ({"helpers.base"} if lent in MODULES[door].read_text(encoding="utf-8") else set())
    assert len(set(_offered(door))) == len(_offered(door))


LAZY = {"helpers.base", "helpers.show", "workbench", "workbench.commands"}
"""Doors without functions of their own for a reader, or whose names are imported when they are asked for."""


@pytest.mark.parametrize("door", [door for door in ORDER if MODULES[door].name == "__init__.py"])
def test_a_door_sees_to_it_that_arguments_of_a_wrong_type_are_named(door):
    ends = MODULES[door].read_text(encoding="utf-8").endswith("\n\nname_wrong_types(globals())\n")
    assert ends or door in LAZY or door.startswith("course")


def test_helpers_shows_at_most_fifteen_names():
    shown = {
        path.stem
        for path in (ROOT / "helpers").iterdir()
        if path.suffix in (".py", "") and path.stem[0] != "_"
    }
    assert len(shown) <= 15


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_lesson_imports_from_at_most_ten_doors(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    doors = set()
    for node in ast.walk(
        ast.parse("\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"))
    ):
        if isinstance(node, ast.ImportFrom):
            doors |= {node.module} if node.module.split(".")[0] in ROOMS else set()
        elif isinstance(node, ast.Import):
            doors |= {alias.name for alias in node.names if alias.name.split(".")[0] in ROOMS}
    assert 0 < len(doors) <= 10
    assert all(door.count(".") <= 1 for door in doors), "a lesson enters a room by its door"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_first_cell_of_a_lesson_has_one_line_a_room_and_says_what_to_do_if_it_fails(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    first = next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    found = [node for node in ast.parse(first).body if isinstance(node, ast.ImportFrom)]
    rooms = [node.module for node in found if node.module.split(".")[0] in ROOMS]
    assert rooms and len(set(rooms)) == len(rooms)
    assert all(node.lineno == node.end_lineno for node in found)
    assert first.startswith("# ModuleNotFoundError?") and "INSTALL.md" in first.partition("\n")[0]


@pytest.mark.parametrize("module", MODULES)
def test_only_show_draws_and_no_room_needs_a_reference_tool(module):
    roots = {name.split(".")[0] for name in imports(module)}
    assert not roots & REFERENCE_TOOLS
    assert "matplotlib" not in roots or room(module) == "helpers.show"


def test_the_root_of_helpers_is_empty_so_that_importing_it_costs_nothing():
    assert len(ast.parse(MODULES["helpers"].read_text(encoding="utf-8")).body) == 1


@pytest.mark.parametrize("module", MODULES)
def test_a_module_says_what_lives_in_it(module):
    assert ast.get_docstring(ast.parse(MODULES[module].read_text(encoding="utf-8")))
