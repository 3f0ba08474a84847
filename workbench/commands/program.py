"""The command line `workbench`: its verbs, in groups."""

from workbench.commands import corpus_verbs, dataset_verbs, evaluation_verbs, project_verbs
from workbench.commands.command_line import Program

PROGRAM = Program(
    "workbench",
    "Measure First, for your own documents and your own search.",
    {
        "documents and indexes": corpus_verbs.VERBS,
        "your project": project_verbs.VERBS,
        "measuring": evaluation_verbs.VERBS,
        "collections": dataset_verbs.VERBS,
        "to try it": evaluation_verbs.LAB_VERBS,
    },
    instead={
        "eval": "it is called `evaluate`",
        "build": "it is called `snapshot`",
        "help": "write `workbench --help`",
        "version": "write `workbench --version`",
        **{verb: f"write `python -m course {verb}`" for verb in ("run", "beir", "labels", "progress")},
    },
    codes={
        1: "gate: a candidate is worse by more than its limit",
        3: "gate --fail-if-unsure: these queries cannot tell",
    },
)
