"""Two tools evaluated one run, and their files differ: by which conventions? The check evaluates by the
conventions that a learner claims and compares row by row."""

import csv
import io
import math
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache, lru_cache
from pathlib import Path

import yaml

from course.exercises.verdict import RIGHT, UNTOUCHED, WRONG
from course.real_work.pipeline import read_collection
from course.real_work.task import Report, Task, joined, material
from helpers.base import files
from helpers.evaluation import CHOICES, Conventions, evaluate_retrieval

METRICS = ["nDCG@10", "P@10"]
ASKED = [choice for choice in CHOICES if choice != "duplicates"]
"""No document stands twice in the run."""
TOOLS = {
    "tool_a": Conventions(no_relevant="left out"),
    "tool_b": Conventions(
        gain="exponential",
        ties="as given",
        precision="retrieved",
        missing_query="left out",
        no_relevant="left out",
    ),
}
MISSING, WITHOUT = ("q-008", "q-026"), ("q-005", "q-031")
"""Queries that the run lacks, and queries of which no document is relevant."""
MOST, SEED = 12, 3
"""Words in more documents than this are not searched for; of the order of equal scores."""

Rows = dict[str, tuple[float, float]]


@lru_cache(maxsize=1)
def run_and_qrels() -> tuple[dict, dict]:
    """The run of a search that counts shared words, rare ones only, and judgments of everyday-science.

    Changed for the task: two queries are missing from the run, two have lost what was relevant to them.
    """
    collection = read_collection(files.BUNDLED_BEIR / "everyday-science")
    words = {i: {*f"{a} {b}".lower().split()} for i, (a, b) in collection.documents.items()}
    df, rng = Counter(word for found in words.values() for word in found), random.Random(SEED)
    qrels = {query_id: dict(grades) for query_id, grades in collection.qrels["test"].items()}
    run = {}
    for query_id in qrels:
        asked = {word for word in collection.queries[query_id].lower().split() if df[word] <= MOST}
        # Rare words count more, in whole points: some scores are equal, not all.
        points = {word: round(2 * math.log(len(words) / df[word])) for word in asked if df[word]}
        scores = [(i, float(sum(points[word] for word in asked & found))) for i, found in words.items()]
        scores = [pair for pair in scores if pair[1] > 0]
        rng.shuffle(scores)  # an engine gives equal scores in the order of its shards, say
        run[query_id] = sorted(scores, key=lambda pair: -pair[1])[:20]
    for query_id in MISSING:
        del run[query_id]
    for query_id in WITHOUT:
        qrels[query_id] = {doc_id: 0 for doc_id, grade in qrels[query_id].items() if grade == 0}
    return {query_id: found for query_id, found in run.items() if found}, qrels


@cache
def rows(conventions: Conventions) -> Rows:
    """`{query_id: (nDCG@10, P@10)}` to four decimals, as a tool with these conventions writes them."""
    found = evaluate_retrieval(*run_and_qrels(), metrics=METRICS, conventions=conventions).per_query
    return {
        query_id: tuple(row) for query_id, row in zip(found.index, found.round(4).to_numpy(), strict=True)
    }


def handed_out() -> dict[str, str]:
    """The run, the judgments, what the two tools wrote, a script to begin with, and the form to fill in."""
    run, qrels = run_and_qrels()
    ranked = [(query_id, doc_id, score) for query_id, found in run.items() for doc_id, score in found]
    judged = [f"{q} 0 {doc_id} {grade}" for q, grades in qrels.items() for doc_id, grade in grades.items()]
    tables = {
        f"{name}.tsv": _tsv(["query_id", *METRICS], [(q, *values) for q, values in rows(one).items()])
        for name, one in TOOLS.items()
    }
    given = material("convention")
    return {
        "answer.yaml": given["answer.yaml"],
        "look.py": given["look.txt"],
        "run.tsv": _tsv(["query_id", "doc_id", "score"], ranked),
        "qrels.txt": "\n".join([*judged, ""]),
        **tables,
    }


def _tsv(heads: list[str], lines: list[tuple]) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows([heads, *lines])
    return text.getvalue()


def judge(folder: Path) -> Report:
    """Compares the tools' files with what the claimed conventions give, and the queries that show it."""
    path = folder / "answer.yaml"
    if not path.is_file():
        return Report(WRONG, ("answer.yaml is missing. `start` puts it there again.",))
    try:
        answer = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return Report(WRONG, (f"answer.yaml cannot be read: {' '.join(str(error).split())}",))
    if not isinstance(answer, Mapping):
        return Report(WRONG, ("answer.yaml needs the parts tool_a, tool_b and shown_by.",))
    reports = {name: _judge_tool(name, answer.get(name)) for name in TOOLS}
    if all(report.status == RIGHT for report in reports.values()):
        reports["shown_by"] = _judge_evidence(answer.get("shown_by"))
    elif all(report.status == UNTOUCHED for report in reports.values()):
        return Report(UNTOUCHED)
    return joined(reports)


def _judge_tool(name: str, claimed: object) -> Report:
    options = claimed if isinstance(claimed, Mapping) else {}
    if all(options.get(choice, "TODO") == "TODO" for choice in ASKED):
        return Report(UNTOUCHED)
    unclear = [choice for choice in ASKED if options.get(choice) not in CHOICES[choice]]
    if unclear:
        said = [f"- {c}: {options.get(c)!r}; it can be {' or '.join(CHOICES[c])}" for c in unclear]
        return Report(WRONG, ("Still to be chosen:", *said))
    mine = Conventions(**{choice: options[choice] for choice in ASKED})
    if rows(mine) == rows(TOOLS[name]):
        return Report(RIGHT, (f"All {len(rows(mine))} rows come out right.",))
    other = next(tool for tool in TOOLS if tool != name)
    if rows(mine) == rows(TOOLS[other]):
        return Report(WRONG, (f"With these conventions the file of {other} comes out.",))
    return Report(WRONG, tuple(_differences(rows(mine), rows(TOOLS[name]))))


def _differences(mine: Rows, true: Rows) -> list[str]:
    """How many rows agree, and one example of each way in which others do not."""
    shared = [query_id for query_id in true if query_id in mine]
    agree = [query_id for query_id in shared if mine[query_id] == true[query_id]]
    lines = [f"{len(agree)} of the file's {len(true)} rows come out right with these conventions."]
    if extra := [query_id for query_id in mine if query_id not in true]:
        lines.append(f"- The file has no row for {extra[0]}, and with yours there is one.")
    if lacking := [query_id for query_id in true if query_id not in mine]:
        lines.append(f"- The file has a row for {lacking[0]}, and with yours there is none.")
    for place, metric in enumerate(METRICS):
        if off := [query_id for query_id in shared if mine[query_id][place] != true[query_id][place]]:
            query_id = off[0]
            given, got = true[query_id][place], mine[query_id][place]
            lines.append(f"- {metric} of {query_id}: {given:.4f} in the file, {got:.4f} with yours.")
    return lines


def _judge_evidence(shown: object) -> Report:
    a, b = TOOLS.values()
    differ = [choice for choice in ASKED if getattr(a, choice) != getattr(b, choice)]
    shown = shown if isinstance(shown, Mapping) else {}
    if not set(shown) - {"TODO"}:
        return Report(UNTOUCHED, ("Both tools are known now. Which query shows each difference?",))
    lines = [
        f"- {choice}: the two agree in this, or it is no choice; leave it out"
        for choice in shown
        if choice not in differ
    ]
    for choice in differ:
        if problem := _not_shown(choice, shown.get(choice), a, replace(a, **{choice: getattr(b, choice)}), b):
            lines.append(f"- {choice}: {problem}")
    if lines:
        return Report(WRONG, tuple(lines))
    return Report(RIGHT, ("Each of these rows shows one difference and nothing else.",))


def _not_shown(choice: str, query_id: object, a: Conventions, changed: Conventions, b: Conventions) -> str:
    """Why a query does not show that a choice differs; "" where it does."""
    if query_id in (None, "TODO"):
        return "no query yet"
    if query_id not in run_and_qrels()[1]:
        return f"{query_id!r} is no query of these judgments"
    before, alone, after = (rows(one).get(query_id) for one in (a, changed, b))
    if before == after:
        return f"the two tools say the same of {query_id}"
    if before == alone:
        return f"the two differ on {query_id}, but not by this choice: change it alone, and the row stays"
    if alone != after:
        return f"on {query_id} this choice matters, but others do as well; find one where it is alone"
    return ""


def showing() -> dict[str, list[str]]:
    """For each choice in which the tools differ the queries that show it."""
    a, b = TOOLS.values()
    found = {}
    for choice in asdict(a):
        if getattr(a, choice) != getattr(b, choice):
            changed = replace(a, **{choice: getattr(b, choice)})
            found[choice] = [q for q in run_and_qrels()[1] if not _not_shown(choice, q, a, changed, b)]
    return found


CONVENTION = Task(
    name="convention",
    title="Which convention? Two tools, one run, two files",
    difficulty=2,
    minutes=40,
    hints={
        "": (
            "Begin with what can be seen without computing: which queries does each file have, which does "
            "the run have, which have anything relevant? That settles missing_query and no_relevant.",
            "P@10 knows no gain. Look at a query with fewer than ten results: that settles precision. Then "
            "take a query whose relevant documents all have one grade for the order of ties, and one with "
            "grades 1 and 2 and no ties for the gain. `look.py` prints what your choice gives beside both.",
            "Change one choice of `TRIED` at a time, run look.py again, and watch in which rows the third "
            "column moves to one of the others. A row that one change alone takes from tool a's values to "
            "tool b's is what `shown_by` asks for.",
        )
    },
    files=handed_out,
    judge=judge,
)
