"""The course as others get it: what a wheel carries, how it is laid down and found, and the files that tell
other programs how to install it. A wheel is built and run by .github/workflows/check.yml."""

import json
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, metadata
from importlib.util import find_spec
from pathlib import Path, PureWindowsPath

import pytest
import yaml
from programs import PROGRAMS

from course import runner, start
from course.__main__ import main
from helpers.base import files

ROOT = files.ROOT
PACKAGES = ("helpers", "workbench", "course")
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")
WORKFLOW = ".github/workflows/check.yml"
TEMPLATES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(".github/ISSUE_TEMPLATE/*.yml"))
RECIPES = [WORKFLOW, "Dockerfile", "binder/postBuild", "binder/requirements.txt", "INSTALL.md"]
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def names_in(lines: str) -> dict[str, str]:
    """`{package: the rest of its line}` of a file of requirements, names as an index compares them."""
    found = re.findall(r"^([A-Za-z][\w.-]*)([^\n#;]*)", lines, re.M)
    return {plain(name): rest.strip() for name, rest in found}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    """A course in a folder of its own, as `measure-first start my-course` makes it."""
    return start.lay_down(tmp_path_factory.mktemp("somewhere") / "my-course")


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """As if the packages had come in a wheel, and no course were around."""
    monkeypatch.setattr(files, "SHIPPED", tmp_path / "measure_first")
    monkeypatch.setattr(files, "ROOT", tmp_path / "measure_first")
    return tmp_path


# What is laid down


def test_a_course_that_was_laid_down_is_the_repositorys(laid):
    for folder in ("notebooks", "evals/corpus", "evals/results", "evals/vectors"):
        ours = {path.name for path in (ROOT / folder).iterdir() if path.suffix not in (".pyc", "")}
        assert ours and {path.name for path in (laid / folder).iterdir()} >= ours
    one = "notebooks/03_metrics.ipynb"
    assert (laid / one).read_bytes() == (ROOT / one).read_bytes()
    assert not list(laid.rglob("__pycache__")) and not list(laid.parent.glob(".*.partial"))


def test_every_page_that_a_laid_down_page_links_to_is_there(laid):
    missing = {}
    for path in [*laid.rglob("*.md"), *laid.glob("notebooks/*.ipynb"), *laid.glob("evals/*.ipynb")]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = json.loads(text)["cells"]
            text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        inside = path.relative_to(laid).parts[:2]
        if inside[0] != "evals" or inside[1] not in ("corpus", "beir"):  # these pages are documents to search
            targets = [one for one in LINK.findall(text) if ":" not in one]
            missing |= {one: path.name for one in targets if not (path.parent / one).exists()}
    assert missing == {"tests/test_rooms.py": "CONTRIBUTING.md"}  # about the repository, where its tests are


def test_a_course_is_laid_down_whole_or_not_at_all(laid, tmp_path, capsys, monkeypatch):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("keep me")
    assert main(["start", str(mine)]) == 2 and "holds other files already" in capsys.readouterr().err
    assert [path.name for path in mine.iterdir()] == ["notes.txt"]
    assert main(["start", str(laid / "again")]) == 2 and "lies inside the course" in capsys.readouterr().err
    monkeypatch.setattr("shutil.copyfile", lambda *paths: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        start.lay_down(tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_from_inside_a_course_its_folder_is_found_and_from_elsewhere_the_repository(laid, tmp_path):
    assert files.find_root(laid / "notebooks") == files.find_root(laid) == laid
    assert files.find_root(tmp_path) == files.PACKAGES


def test_where_a_wheel_is_installed_and_no_course_is_around_a_verb_says_how_to_get_one(installed, capsys):
    for line in (["run", "01"], ["progress"], ["reset", "01"], ["labels"], ["instructor"], ["links"]):
        assert main(line) == 2
        assert "`measure-first start my-course` lays it down" in capsys.readouterr().err


def test_outside_of_a_course_nothing_is_written_beside_the_packages(installed, monkeypatch):
    monkeypatch.delenv("MEASURE_FIRST_CACHE", raising=False)
    assert not files.cache_dir().is_relative_to(files.PACKAGES) and files.cache_dir().name == "measure-first"
    monkeypatch.setattr(files, "ROOT", files.PACKAGES)
    assert files.cache_dir() == files.PACKAGES / "cache"


def test_windows_can_hold_every_file_of_the_course():
    """Pure paths only: nothing here was run on Windows."""
    names = [path.as_posix() for path in start.material(ROOT)]
    names += [path.relative_to(ROOT).as_posix() for name in PACKAGES for path in (ROOT / name).rglob("*.*")]
    for name in names:
        path = PureWindowsPath(name)
        assert path.as_posix() == name and not re.search(r'[<>:"|?*]', name) and len(name) < 120, name
        assert not any(is_reserved(part) or part[-1] in ". " for part in path.parts), name
    assert len({name.lower() for name in names}) == len(set(names))


def is_reserved(part: str) -> bool:
    """Whether Windows keeps this name for a device, with whatever ending."""
    return bool(re.fullmatch(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", part, re.I))


# The wheel


WHAT_A_WHEEL_CARRIES = """
from pathlib import Path
from setuptools.dist import Distribution
distribution = Distribution({"script_name": "setup.py"})
distribution.parse_config_files()
command = distribution.get_command_obj("build_py")
command.ensure_finalized()
for _, source, _, names in command.data_files:
    for name in names:
        print(Path(source, name).as_posix())
for _, _, path in command.find_all_modules():
    print(Path(path).as_posix())
"""


def test_a_wheel_carries_every_file_that_the_packages_read():
    if find_spec("setuptools") is None:
        pytest.skip("setuptools is not installed here")
    # In a process of its own: setuptools must be imported before Python's distutils, which others use.
    listed = subprocess.run(
        [sys.executable, "-c", WHAT_A_WHEEL_CARRIES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    carried = set(listed.stdout.splitlines())
    material = {path.as_posix() for path in start.material(ROOT)}
    ours = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours - carried <= material and {"helpers/base/files.py", "workbench/recipes.md"} <= carried
    assert not any(path.startswith(("tests/", "evals/", "notebooks/")) for path in carried)


def test_the_console_scripts_are_the_two_programs():
    scripts = dict(re.findall(r'^([\w-]+) = "([\w.]+:\w+)"$', PYPROJECT.split("[project.scripts]")[1], re.M))
    assert scripts == {
        "measure-first": "course.__main__:main",
        "workbench": "workbench.__main__:from_terminal",
    }
    for script in scripts.values():
        module, function = script.split(":")
        assert callable(getattr(__import__(module, fromlist=[function]), function))


def test_the_version_is_the_same_wherever_it_stands():
    (version,) = re.findall(r'^version = "(.+)"', PYPROJECT, re.M)
    citation = yaml.safe_load(text_of("CITATION.cff"))
    assert citation["version"] == version and re.fullmatch(r"\d+\.\d+\.\d+", version)
    from helpers.datasets.load import EDITION

    assert [one["version"] for one in citation["references"]] == [EDITION]
    assert f"measure_first-{version}-py3" in text_of("INSTALL.md")


# What tells other programs how to install it


@pytest.mark.parametrize("name", RECIPES)
def test_verbs_and_files_that_a_recipe_names_exist(name):
    text = text_of(name)
    for program, verb in re.findall(r"(measure-first|-m course|workbench) ([a-z]+)\b", text):
        of = PROGRAMS["workbench" if program == "workbench" else "course"]
        assert verb in of.verbs or (name, verb) == ("INSTALL.md", "needs"), (program, verb)
    for path in re.findall(
        r"(?:-c|--constraint|-r|bash|pytest) ((?:\.\./)?[\w./-]+\.(?:txt|py)|\.ci/run)", text
    ):
        assert (ROOT / name).parent.joinpath(path).exists() or (ROOT / path).exists() or path[0] == "/", path


def test_the_workflow_runs_the_check_on_three_systems_and_four_pythons_and_weekly_on_the_newest_versions():
    found = yaml.safe_load(text_of(WORKFLOW))
    matrix = found["jobs"]["check"]["strategy"]["matrix"]
    assert len(matrix["os"]) == 3 and matrix["python"] == ["3.10", "3.11", "3.12", "3.13"]
    (needed,) = re.findall(r'^requires-python = ">=(.+)"', PYPROJECT, re.M)
    assert matrix["python"][0] == needed
    assert found[True]["schedule"]  # YAML 1.1 takes the word `on` for true
    steps = found["jobs"]["check"]["steps"]
    assert any(step.get("run") == "bash .ci/run" for step in steps)
    (pinned,) = [step for step in steps if "PIP_CONSTRAINT" in step.get("run", "")]
    assert pinned["if"] == "github.event_name != 'schedule'"


def test_the_devcontainer_and_the_image_are_built_of_what_is_there():
    found = json.loads(text_of(".devcontainer/devcontainer.json"))
    file = text_of("Dockerfile")
    assert (ROOT / ".devcontainer" / found["build"]["dockerfile"]).resolve() == ROOT / "Dockerfile"
    stages = re.findall(r"^FROM \S+(?: AS (\w+))?$", file, re.M)
    assert found["build"]["target"] in stages and stages[-1] == ""
    last = file.rpartition("\nFROM ")[2]
    assert last.index("USER reader") < last.index("measure-first start") and found["remoteUser"] == "reader"
    copied = re.findall(r"^COPY (\S+) ", file, re.M)
    assert copied and all((ROOT / name).exists() for name in copied)
    assert "MEASURE_FIRST_OFFLINE=1" in last
    assert "constraints.txt -r requirements.txt" in found["postCreateCommand"]


def test_binder_fetches_what_lessons_want_by_a_function_that_exists():
    (code,) = re.findall(r'python -c "(.+)"', text_of("binder/postBuild"))
    compile(code, "postBuild", "exec")
    names = re.findall(r"'([\w]+)'", code)
    assert "runner.prepare(" in code and callable(runner.prepare)
    wanted = {name for path in runner.find_lessons() for name in runner.wanted(path)}
    assert set(names) == wanted & {"cl100k_base", "scifact"}
    assert (ROOT / "binder/postBuild").stat().st_mode & 0o100
    assert re.fullmatch(r"python-3\.1[0-3]\n", text_of("binder/runtime.txt"))


@pytest.mark.parametrize("name", TEMPLATES)
def test_an_issue_template_asks_for_what_is_needed_to_act(name):
    found = yaml.safe_load(text_of(name))
    assert found["name"] and found["description"] and found["title"]
    needed = [one for one in found["body"] if one.get("validations", {}).get("required")]
    assert needed and all(one["attributes"]["label"] for one in found["body"])
    assert len({one["id"] for one in found["body"]}) == len(found["body"])


def test_there_is_a_template_for_a_number_a_passage_and_an_exercise():
    assert [Path(name).stem for name in TEMPLATES] == [
        "exercise-judged-wrongly",
        "unclear-passage",
        "wrong-number",
    ]


# Versions and licences


def test_the_newest_checked_versions_are_named_for_every_package():
    checked = names_in(text_of("constraints.txt"))
    assert set(names_in(REQUIREMENTS)) <= set(checked)
    assert all(re.match(r"==[\w.]+$", version) for version in checked.values())


def test_the_lowest_versions_are_those_that_the_ranges_begin_with():
    lowest = names_in(text_of("constraints-lowest.txt"))
    for name, bounds in names_in(REQUIREMENTS).items():
        begins = re.search(r">=([\w.]+)", bounds)
        if begins:
            assert lowest[name].removeprefix("==").startswith(begins[1]), name


def test_no_address_of_an_index_is_committed():
    for name in [*RECIPES, WORKFLOW, "constraints.txt", "constraints-lowest.txt", "requirements.txt"]:
        assert not re.search(r"index-url|find-links|pypi\.|mirror", text_of(name)), name


def dependencies() -> dict[str, str]:
    """`{package: licence}` as the page has them."""
    return dict(re.findall(r"^\| ([\w-]+) \| [^|]+ \| ([^|]+) \|$", text_of("DEPENDENCIES.md"), re.M))


def test_the_page_of_licences_lists_every_package_that_is_asked_for():
    optional = PYPROJECT.split("[project.optional-dependencies]")[1].split("\n\n")[0]
    asked = {*names_in(REQUIREMENTS), *map(plain, re.findall(r'"([A-Za-z][\w.-]*)[><]', optional))}
    assert {plain(name) for name in dependencies()} - {"package"} == asked


def test_a_licence_on_the_page_is_the_one_that_the_package_states():
    for name, licence in dependencies().items():
        try:
            found = metadata(name)
        except PackageNotFoundError:
            continue  # optional, or the heading of the table
        classifiers = [one for one in found.get_all("Classifier") or [] if one.startswith("License")]
        stated = " ".join([found.get("License-Expression") or "", found.get("License") or "", *classifiers])
        for word in licence.split(" and "):
            kind = {"PSF": "PSF|Python Software", "MPL 2.0": "MPL|Mozilla", "Apache 2.0": "Apache"}.get(
                word, word
            )
            assert re.search(kind, stated), f"{name} states {stated[:80]!r}"
