"""What a practitioner runs on their own documents: `workbench VERB`, and the same from Python.

    from workbench import CorpusFolder, build_snapshot, evaluate_run, gate, load_dataset

A name of ROOM_OF is imported when it is first asked for: `--help` works before anything is installed.
"""

from importlib import import_module
from importlib.util import find_spec

ROOM_OF = {
    "CorpusFolder": "corpus",
    "EvaluationDataset": "dataset_files",
    "Item": "budget",
    "Labelling": "labelling",
    "QueryBudget": "budget",
    "SourceDocument": "corpus",
    "as_html": "reports",
    "build_snapshot": "snapshots",
    "draft_queries": "projects",
    "evaluate_run": "reports",
    "from_labels": "dataset_files",
    "gate": "reports",
    "load_dataset": "dataset_files",
    "load_report": "reports",
    "load_snapshot": "snapshots",
    "measure_project": "projects",
    "new_project": "projects",
    "open_system": "systems",
    "save_report": "reports",
    "to_qrels": "dataset_files",
    "within_budget": "budget",
    "without_times": "reports",
    "write_dataset": "dataset_files",
}
__all__ = list(ROOM_OF)


def __getattr__(name: str) -> object:
    if name not in ROOM_OF and name.isidentifier() and find_spec(f"workbench.{name}"):
        return import_module(f"workbench.{name}")
    if name not in ROOM_OF:
        rooms = () if name.startswith("_") else sorted({*ROOM_OF.values()})
        if room := next((one for one in rooms if hasattr(import_module(f"workbench.{one}"), name)), ""):
            raise AttributeError(f"{name} is in workbench.{room}: from workbench.{room} import {name}")
        raise AttributeError(f"workbench has no {name!r}; it has {', '.join(ROOM_OF)}")
    return getattr(import_module(f"workbench.{ROOM_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
