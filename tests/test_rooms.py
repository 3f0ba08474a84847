"""Who may import whom in `helpers`: only from a lower level, never through the package root."""

import ast
from pathlib import Path

import pytest

HELPERS = Path(__file__).parents[1] / "helpers"
LEVELS = [
    {"loading", "indexing", "collection", "commands"},
    {
        "records",
        "files",
        "text",
        "checks",
        "tables",
        "loading.lines",
        "loading.fetch",
        "loading.truncation",
        "budget",
        "loading.strict_json",
        "snapshots.markup",
        "snapshots.placing",
    },
    {"loading.catalogue", "loading.evaluation_dataset", "tokens", "stats.paired", "snapshots.formats"},
    {
        "collection.runbooks",
        "indexing.compiled",
        "indexing.full_text",
        "stats.kappa",
        "stats.resampling",
        "stats.corrections",
        "snapshots.reading",
    },
    {
        "stats.power",
        "stats.sequential",
        "monitoring.feedback",
        "monitoring.interleaving",
        "monitoring.simulator",
        "monitoring.two_groups",
    },
    {
        "stats",
        "conventions",
        "metrics",
        "vectors",
        "indexing.generations",
        "loading.beir",
        "collection.labels",
        "failures.rewordings",
        "failures.case",
    },
    {
        "rankings",
        "bm25",
        "indexing.sparse_index",
        "indexing.corpus_cache",
        "monitoring.monitor",
        "monitoring.ab_test",
        "snapshots.manifest",
        "projects.judgment_files",
        "loading.dataset_file",
    },
    {"trec", "judged_ranks", "chunking", "projects.reading_page", "retrieval", "latent", "monitoring", "snapshots.corpus_folder"},
    {"evaluation", "collection.quality", "collection.agreement", "loading.hub_files", "failures.ledger", "snapshots.backends"},
    {
        "alignment",
        "similarity",
        "bounds",
        "report",
        "sparse",
        "loading.hub",
        "failures.system",
        "failures.words",
        "failures.highlight",
        "failures.analyzer",
        "snapshots.snapshot",
        "projects.pool_systems",
        "projects.drafts",
    },
    {"datasets", "snapshots", "chunk_lab", "pooling", "failures.bench", "failures.causes"},
    {
        "compare",
        "projects.coverage",
        "projects.new",
        "reports.models",
        "reports.causes",
        "failures.counterfactuals",
        "failures.misses",
        "collection.coverage",
        "commands.course",
        "commands.beir_table",
    },
    {"failures.report", "projects.labelling", "reports.summary", "reports.gate_result"},
    {
        "failures.browser_page",
        "failures.controls",
        "projects",
        "reports.evaluate",
        "reports.markdown",
        "reports.page",
        "reports.gate",
    },
    {"failures.browser", "reports"},
    {"failures", "show.style"},
    {f"show.{name}" for name in ("lessons_01_to_04", "failures", "comparisons", "online", "practice")},
    {"show", "exercises.cases", "exercises.values", "exercises.apart", "exercises.session"},
    {"exercises.attempt"},
    {"exercises.verdict"},
    {"exercises.exercise", "exercises.questions"},
    {"exercises.lesson"},
    {f"exercises.lesson_{name}" for name in ("01", "02", "03", "04", "04b", "05", "06", "06b", "07")} | {"exercises.notebooks"},
    {"exercises.contents"},
    {"exercises.readers", "exercises.teaching"},
    {"exercises", "commands.exercise_verbs", "commands.arguments", "commands.lab"},
    {"commands.corpus_verbs", "commands.dataset_verbs", "commands.evaluation_verbs"},
    {"__main__"},
]
REFERENCE_TOOLS = {"pytrec_eval", "bm25s", "ranx", "ir_measures"}
PATHS = {
    ".".join(path.relative_to(HELPERS).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(HELPERS.rglob("*.py"))
    if path != HELPERS / "__init__.py"
}
MODULES = list(PATHS)


def imports(module: str) -> set[str]:
    """The modules that a module imports, `helpers.x` for our own."""
    names = set()
    for node in ast.walk(ast.parse(PATHS[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in inside if name.removeprefix("helpers.") in PATHS}
            names |= modules | ({node.module} if inside - modules else set())
    return names


def room(module: str) -> str:
    """A lesson's exercises are one room: they may build on one another, not on those of another lesson."""
    return ".".join(module.split(".")[:2])


def level(module: str) -> int:
    found = [number for number, modules in enumerate(LEVELS) if room(module) in modules]
    assert found, f"{module} has no level yet; give it one here"
    return found[0]


@pytest.mark.parametrize("module", MODULES)
def test_a_room_imports_only_from_lower_levels(module):
    own = {name.removeprefix("helpers.") for name in imports(module) if name.startswith("helpers.")}
    wrong = {name for name in own if level(name) >= level(module) and (room(name) != room(module) or "lesson_" not in name)}
    assert not wrong, f"{module} (level {level(module)}) imports {wrong}"


def test_no_room_imports_the_package_root():
    assert not [module for module in MODULES if "helpers" in imports(module)]


@pytest.mark.parametrize("module", MODULES)
def test_only_show_draws_and_no_room_needs_a_reference_tool(module):
    roots = {name.split(".")[0] for name in imports(module)}
    assert not roots & REFERENCE_TOOLS
    assert "matplotlib" not in roots or room(module).startswith("show")


def test_the_package_root_is_empty():
    assert len(ast.parse((HELPERS / "__init__.py").read_text(encoding="utf-8")).body) == 1


@pytest.mark.parametrize("module", MODULES)
def test_a_room_says_what_lives_in_it_and_stays_small(module):
    source = PATHS[module].read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source))
    assert len(source.splitlines()) <= 250
