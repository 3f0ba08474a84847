"""The command line `workbench`: its verbs, in groups."""

from workbench.commands import corpus_verbs, dataset_verbs, evaluation_verbs
from workbench.commands.command_line import Program

PROGRAM = Program(
    "workbench",
    "Measure First, for your own documents and your own search.",
    {
        "documents and indexes": corpus_verbs.VERBS,
        "measuring": evaluation_verbs.VERBS,
        "collections": dataset_verbs.VERBS,
        "to try it": evaluation_verbs.LAB_VERBS,
    },
    instead={
        "eval": "write `evaluate`",
        "build": "write `snapshot`",
        "run": "the lessons are run by `python -m course run`",
        "beir": "write `python -m course beir`",
        "labels": "write `python -m course labels`",
    },
    codes={
        1: "gate: a candidate is worse by more than its limit",
        3: "gate --fail-if-unsure: these queries cannot tell",
    },
)
