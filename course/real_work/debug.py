"""Six evaluations that a colleague wrote. Each runs, each prints a figure, and none of the figures is true.

A mended script is run on its own collection and on others made from it, in which ids, queries, titles or the
length of documents are different. So a figure alone proves nothing, and the others show where a fault lies.
"""

import math
import random
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path

from course.exercises.verdict import RIGHT, UNTOUCHED, WRONG
from course.real_work.pipeline import (
    Collection,
    Settings,
    rankings,
    read_collection,
    scored,
    write_collection,
)
from course.real_work.scripts import imports_of, not_python, printed_figures
from course.real_work.task import Report, Task, is_untouched, joined, material
from helpers.base import files

SEEDS = (1, 2)
"""Of Python's hashes: a figure that depends on the order of a set differs between them."""
CLOSE = 6e-5
"""Figures are printed to four decimals."""


@dataclass(frozen=True)
class Fault:
    """A step done wrong, and what is said to whoever has it in the script."""

    name: str
    change: Mapping[str, object]
    says: str
    own: bool = False
    """Whether it was there when the script was handed out: then `says` speaks of what can be seen."""


@dataclass(frozen=True)
class Script:
    """A script that is handed out: its collection, how it should measure, what is wrong in it or may become
    so, and the other collections on which it is tried."""

    name: str
    data: str
    settings: Settings
    faults: tuple[Fault, ...]
    probes: tuple[str, ...]
    n_faults: int = 1
    """How many were there when it was handed out."""


# The collections.


def two_archives(collection: Collection) -> Collection:
    """The same documents as if from two archives that each count from 1: one writes 7, the other 007."""
    half, new = len(collection.documents) // 2, {}
    for place, doc_id in enumerate(collection.documents):
        new[doc_id] = str(place + 1) if place < half else f"{(place - half + 1) % half + 1:03}"
    queries = {query_id: str(place) for place, query_id in enumerate(collection.queries, start=1)}
    return _renamed(collection, new, queries)


def _renamed(collection: Collection, new: Mapping[str, str], queries: Mapping[str, str]) -> Collection:
    return Collection(
        {new[doc_id]: parts for doc_id, parts in collection.documents.items()},
        {queries[query_id]: text for query_id, text in collection.queries.items()},
        {
            split: {
                queries[query_id]: {new[doc_id]: grade for doc_id, grade in grades.items()}
                for query_id, grades in judged.items()
            }
            for split, judged in collection.qrels.items()
        },
    )


def _fewer_queries(collection: Collection) -> Collection:
    """Other names for all documents, in another order, and every third query gone from the judgments."""
    new = {doc_id: f"{doc_id}9" for doc_id in collection.documents}
    renamed = _renamed(collection, new, {query_id: f"{query_id}8" for query_id in collection.queries})
    qrels = {}
    for split, judged in renamed.qrels.items():
        qrels[split] = {query_id: judged[query_id] for place, query_id in enumerate(judged) if place % 3}
    return Collection(dict(reversed(renamed.documents.items())), renamed.queries, qrels)


def _twins(collection: Collection) -> Collection:
    """Every second document a second time, under another id and with grade 1 where the first has 2."""
    twins = {doc_id: f"{doc_id}00" for doc_id in list(collection.documents)[::2]}
    documents = dict(collection.documents)
    documents |= {twin: collection.documents[doc_id] for doc_id, twin in twins.items()}
    qrels = {}
    for split, judged in collection.qrels.items():
        qrels[split] = {
            query_id: grades | {twins[d]: min(grade, 1) for d, grade in grades.items() if d in twins}
            for query_id, grades in judged.items()
        }
    return Collection(documents, collection.queries, qrels)


def _with_parts(change: Callable[[str, str], tuple[str, str]]) -> Callable[[Collection], Collection]:
    return lambda collection: replace(
        collection, documents={i: change(*parts) for i, parts in collection.documents.items()}
    )


def _one_split(collection: Collection) -> Collection:
    return replace(collection, qrels={"test": collection.qrels["test"]})


def _hard_queries(collection: Collection) -> Collection:
    """Every fourth judged query asks for something that no document has a word of."""
    hard = list(collection.qrels["test"])[::4]
    return replace(collection, queries={**collection.queries, **dict.fromkeys(hard, "zzyzx qwxv")})


def _many_relevant(collection: Collection) -> Collection:
    """Up to sixteen more relevant documents a query, equal scores, and a file in no order of the ids."""
    collection = _twins(collection)
    doc_ids, qrels = list(collection.documents), {}
    random.Random(0).shuffle(doc_ids)
    documents = {doc_id: collection.documents[doc_id] for doc_id in doc_ids}
    for split, judged in collection.qrels.items():
        qrels[split] = {
            query_id: {d: 1 + n % 2 for n, d in enumerate(doc_ids[place : place + 4 + place % 13])} | grades
            for place, (query_id, grades) in enumerate(judged.items())
        }
    return Collection(documents, collection.queries, qrels)


def _all_relevant_found(collection: Collection) -> Collection:
    """Only queries of which each relevant document has a word of its own that the query names."""
    documents, queries, qrels = {}, {}, {}
    for place, (query_id, grades) in enumerate(list(collection.qrels["test"].items())[:12]):
        word, relevant = f"word{place}", [doc_id for doc_id, grade in grades.items() if grade]
        queries[query_id], qrels[query_id] = f"{word}a {word}b", {}
        for number in range(len(relevant[:2])):
            named = f"{word}a {word}b" if number == 0 else f"{word}a other"
            documents[f"{place}-{number}"] = ("Title", named)
            qrels[query_id][f"{place}-{number}"] = 1 + number
    return Collection(documents, queries, {"test": qrels})


PROBES: dict[str, tuple[str, Callable[[Collection], Collection]]] = {
    "itself": ("its own collection", lambda collection: collection),
    "fewer": ("other ids in another order, and a third of the queries gone", _fewer_queries),
    "twins": ("half of the documents twice, so that scores are equal", _twins),
    "long": ("all documents three times as long", _with_parts(lambda a, b: (a, f"{b} {b} {b}"))),
    "untitled": ("no document has a title", _with_parts(lambda a, b: ("", b))),
    "title only": ("documents with a title and next to no text", _with_parts(lambda a, b: (a, "See above."))),
    "one split": ("only qrels/test.tsv, no other split", _one_split),
    "hard": ("every fourth query finds nothing", _hard_queries),
    "many": ("more than ten relevant documents for some queries, and many equal scores", _many_relevant),
    "apart": ("no two scores of a query are equal, all relevant documents are found", _all_relevant_found),
    "unlike": ("no two ids are the same number", lambda collection: _unlike(collection)),
}
"""`{name: (in words, what makes it from the script's own)}`."""


def _unlike(collection: Collection) -> Collection:
    new = {doc_id: str(place) for place, doc_id in enumerate(collection.documents, start=101)}
    return _renamed(collection, new, {query_id: query_id for query_id in collection.queries})


COLLECTIONS: dict[str, Callable[[], Collection]] = {
    "everyday-science": lambda: read_collection(files.BUNDLED_BEIR / "everyday-science"),
    "two-archives": lambda: two_archives(read_collection(files.BUNDLED_BEIR / "everyday-science")),
}

# The scripts, with what is wrong in them and what people make of it.

_GLUED = Fault(
    "title and text glued",
    {"indexed": "glued"},
    "Title and text stand without a space between them, so the last word of one and the first of the other "
    "become a single word that no query has.",
)

_TIES = (
    Fault(
        "ties by id up",
        {"ties": "up"},
        "Equal scores: their order does not change, but the smaller id comes first. The first "
        "lines say: the larger.",
    ),
    Fault(
        "ties in the order of the file",
        {"ties": "file"},
        "Equal scores are in the order of the corpus file. That does not change from run to run, but it "
        "is not the order that the first lines promise.",
    ),
)
_UNCUT = Fault(
    "ideal not cut",
    {"ideal": "uncut"},
    "The ideal holds all relevant documents, the ranking only ten. Of a query with sixteen relevant ones, "
    "how many can the best ranking show in its first ten?",
)

SCRIPTS = (
    Script(
        "1_chunks",
        "everyday-science",
        Settings(chunk=40),
        (
            Fault(
                "unfolded",
                {"fold": "never"},
                "It prints the highest value of a query. Can an nDCG be that high? Print the first ten of "
                "that query.",
                own=True,
            ),
            Fault(
                "folded after the cut",
                {"fold": "after the cut"},
                "You take the first ten chunks and fold them then, so fewer than ten documents are left. "
                "Fold first, cut afterwards.",
            ),
            Fault(
                "cut off at 1",
                {"fold": "never", "most": 1.0},
                "You cut off what is above 1. The figures below 1 are as wrong as they were: a document is "
                "still paid for each of its chunks.",
            ),
            Fault(
                "whole documents",
                {"chunk": 0},
                "You search whole documents now. The colleague measures chunks of 40 words, of which each "
                "document counts by its best.",
            ),
            *_TIES,
            _UNCUT,
        ),
        ("itself", "fewer", "long", "many"),
    ),
    Script(
        "2_titles",
        "everyday-science",
        Settings(),
        (
            Fault(
                "titles left out",
                {"indexed": "text"},
                "Compare what is searched with what the first lines of the script promise.",
                own=True,
            ),
            _GLUED,
            Fault(
                "titles twice",
                {"indexed": "title twice"},
                "The title is in there twice, so its words count double. That may well be a better search, "
                "but it is another one than BEIR's rule.",
            ),
            *_TIES,
            _UNCUT,
        ),
        ("itself", "fewer", "untitled", "title only", "many"),
    ),
    Script(
        "3_split",
        "everyday-science",
        Settings(),
        (
            Fault(
                "all splits",
                {"splits": "all"},
                "How many queries does it print, and how many does the test split have?",
                own=True,
            ),
            Fault(
                "train split",
                {"splits": "train"},
                "That is the train split. What is reported is the test split.",
            ),
            Fault(
                "divided by all queries",
                {"mean": "asked"},
                "The sum is over the judged queries of the test split, but you divide by all queries of "
                "queries.jsonl.",
            ),
            *_TIES,
            _UNCUT,
        ),
        ("itself", "fewer", "one split", "many"),
    ),
    Script(
        "4_idf",
        "everyday-science",
        Settings(),
        (
            Fault(
                "idf twice",
                {"idf": 2},
                "Work out one score by hand, on paper: a query of one word, a document that has it. Which "
                "factor is there that the formula does not have?",
                own=True,
            ),
            Fault(
                "no idf",
                {"idf": 0},
                "Now the idf is gone from both vectors. A score has it once: from the document's or from the "
                "query's side.",
            ),
            *_TIES,
            _UNCUT,
        ),
        ("itself", "fewer", "twins", "many"),
    ),
    Script(
        "5_ids",
        "two-archives",
        Settings(),
        (
            Fault(
                "ids as numbers",
                {"ids": "numbers"},
                "How many documents does it print, and how many lines does corpus.jsonl have?",
                own=True,
            ),
            Fault(
                "judged as numbers",
                {"ids": "judged as numbers"},
                "The documents keep their ids now, but the judgments do not: pandas has read 007 as the "
                "number 7 before you turn it into text, and nothing brings the zeros back. Tell `read_csv` "
                "what the columns are.",
            ),
            *_TIES,
            _UNCUT,
        ),
        ("itself", "fewer", "unlike", "many"),
    ),
    Script(
        "6_three",
        "everyday-science",
        Settings(engine="overlap"),
        (
            *_TIES,
            Fault(
                "found only",
                {"mean": "found"},
                "How many queries does it print? A query for which nothing was found is the engine's worst "
                "failure.",
                own=True,
            ),
            Fault(
                "ideal of the retrieved",
                {"ideal": "retrieved"},
                "Take a query with two relevant documents of which one was found, at rank 1. What should its "
                "nDCG be, and what is it?",
                own=True,
            ),
            _UNCUT,
        ),
        ("itself", "fewer", "hard", "apart", "many"),
        n_faults=3,
    ),
)


@cache
def probe(data: str, name: str) -> Collection:
    """One of the collections on which a script is tried."""
    return PROBES[name][1](COLLECTIONS[data]())


@cache
def figure(data: str, name: str, settings: Settings) -> float:
    """What an evaluation with these settings gives there."""
    judged = {name: getattr(Settings(), name) for name in ("splits", "mean", "ideal", "most")}
    return scored(probe(data, name), settings, _rankings(data, name, replace(settings, **judged)))


@cache
def _rankings(data: str, name: str, settings: Settings) -> dict[str, list[str]]:
    return rankings(probe(data, name), settings)


def explained(script: Script, figures: Mapping[str, float]) -> tuple[Fault, ...]:
    """The fewest of a script's faults, up to three, that give all these figures; () where none do."""
    for size in (1, 2, 3):
        for faults in combinations(script.faults, size):
            keys = [key for fault in faults for key in fault.change]
            if len(set(keys)) < len(keys):
                continue
            settings = replace(script.settings, **{k: v for fault in faults for k, v in fault.change.items()})
            if all(_alike(figure(script.data, p, settings), value) for p, value in figures.items()):
                return faults
    return ()


def _alike(predicted: float, printed: float) -> bool:
    """Whether a figure is the predicted one, to the digits that are printed; none is like none."""
    return abs(predicted - printed) < CLOSE or (math.isnan(predicted) and math.isnan(printed))


def judge(folder: Path) -> Report:
    """Runs each script that was changed; says which are right, and of the others what can be seen."""
    return joined({f"{script.name}.py": judge_script(script, folder) for script in SCRIPTS})


def judge_script(script: Script, folder: Path) -> Report:
    """The report on one script; one that did not change since the last check is not run again."""
    path = folder / f"{script.name}.py"
    if not path.is_file():
        return Report(WRONG, (f"{path.name} is missing. `start` puts it there again.",))
    if is_untouched(path, material("debug", ".py")[path.name]):
        return Report(UNTOUCHED)
    if problem := not_python(path):
        return Report(WRONG, (problem,))
    if "course" in imports_of(path):
        return Report(
            WRONG, ("It imports from `course`, where the answers are. A script stands on its own.",)
        )
    source = path.read_bytes()
    if (path, source) not in _known:
        _known[path, source] = _tried(script, path)
    return _known[path, source]


_known: dict[tuple[Path, bytes], Report] = {}


def _tried(script: Script, path: Path) -> Report:
    """Runs a script on its own collection and on the others."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in script.probes:
            write_collection(probe(script.data, name), Path(scratch, name))
        own, *others = (Path(scratch, name) for name in script.probes)
        first, *rest = printed_figures(path, [own, *others], SEEDS[0])
        if first.problem:
            return Report(WRONG, (first.problem,))
        again = [first, *(printed_figures(path, [own], seed)[0] for seed in SEEDS[1:])]
    if problem := next((one.problem for one in again if one.problem), ""):
        return Report(WRONG, (problem,))
    if len({one.figure for one in again}) > 1:
        return Report(WRONG, (_changes([one.figure for one in again]),))
    printed = dict(zip(script.probes, (first, *rest), strict=True))
    figures = {name: math.nan if one.problem else one.figure for name, one in printed.items()}
    return _compared(script, figures, {name: one.problem for name, one in printed.items() if one.problem})


def _changes(figures: list[float]) -> str:
    several = ", ".join(f"{value:.4f}" for value in figures)
    return (
        f"It prints {several} in two runs on the same files. As long as a figure changes from run to run, "
        "nothing else can be said about it. What in Python has no fixed order?"
    )


def _compared(script: Script, figures: Mapping[str, float], problems: Mapping[str, str]) -> Report:
    true = {name: figure(script.data, name, script.settings) for name in figures}
    right = {name: abs(true[name] - figures[name]) < CLOSE for name in figures}
    if all(right.values()):
        others = len(figures) - 1
        return Report(
            RIGHT,
            (f"{figures['itself']:.4f} is the true figure; it holds on {others} other collections as well.",),
        )
    lines = [f"It prints {figures['itself']:.4f}."]
    if len(set(figures.values())) == 1 and len(set(true.values())) > 1:
        lines.append(
            "It prints the same on every collection. The folder is given as the first argument: "
            f"`python {script.name}.py folder`."
        )
        return Report(WRONG, tuple(lines))
    for name, is_right in right.items():
        stopped = f". {problems[name]}" if name in problems else ""
        lines.append(f"- {'right' if is_right else 'wrong'}: {PROBES[name][0]}{stopped}")
    faults = explained(script, figures)
    lines += _in_words(script, faults) if faults else [_unknown(right)]
    return Report(WRONG, tuple(lines), {"faults": [fault.name for fault in faults]})


def _in_words(script: Script, faults: tuple[Fault, ...]) -> list[str]:
    """What is said to the faults; of several that were handed out, first how many are gone."""
    if script.n_faults == 1:
        return [("Still as it was handed out. " if fault.own else "") + fault.says for fault in faults]
    # The third was the order of equal scores: in the wrong order now, it is not mended either.
    left = sum(fault.own or fault in _TIES for fault in faults)
    gone = f"{script.n_faults - left} of the {script.n_faults} faults that were handed out are gone."
    return [gone, *(("Still there: " if fault.own else "") + fault.says for fault in faults)]


def _unknown(right: Mapping[str, bool]) -> str:
    if [name for name, is_right in right.items() if not is_right] == ["many"]:
        return (
            "It is wrong only where a query has many relevant documents. How many does the ideal of an "
            "nDCG@10 hold?"
        )
    return "None of the mistakes that are known here gives these figures. What else was changed?"


def handed_out() -> dict[str, str]:
    """The scripts, and the two collections that they read."""
    found = dict(material("debug", ".py"))
    for name, make in COLLECTIONS.items():
        with tempfile.TemporaryDirectory() as scratch:
            write_collection(make(), Path(scratch))
            for path in sorted(Path(scratch).rglob("*.*")):
                inside = path.relative_to(scratch).as_posix()
                found[f"{name}/{inside}"] = path.read_text(encoding="utf-8")
    return found


DEBUG = Task(
    name="debug",
    title="Debug this evaluation: six scripts of a colleague",
    difficulty=2,
    minutes=75,
    hints={
        "": (
            "Read the first lines of a script as a contract. Then ask of each step whether it keeps it: what "
            "is read, what is searched, how it is ordered, what is judged, what is divided by what.",
            "Print things. How many documents, how many queries, the first ten of one query with their "
            "grades, the best and the worst value of a query.",
            "Make a collection of two documents and one query, small enough to know the answer, and give its "
            "folder to the script.",
        ),
        "1_chunks": (
            "An nDCG above 1 means: the ranking got more than the best ranking could.",
            "Print the first ten of the query with the highest value. Does a document stand there twice?",
            "`search` returns one document id for each chunk. Keep each document once, where it stands "
            "first, before the list is cut to ten.",
        ),
        "2_titles": (
            "The figure is a little low, and nothing else looks wrong. What do the first lines promise that "
            "is searched?",
            'Look at the line that begins with `corpus[record["_id"]]`, and at a line of corpus.jsonl.',
            'The text of a document is record["title"] + " " + record["text"]; mind the space.',
        ),
        "3_split": (
            "The script prints how many queries were evaluated. Count the queries of each file in qrels.",
            "`glob` finds every file of the folder. Which of them is the test split?",
            "Read only qrels/test.tsv.",
        ),
        "4_idf": (
            "This figure is higher than the true one. That a fault helps on one collection does not make it "
            "right.",
            "Write down which factors a score has: those of `document_vector`, those of `query_vector`.",
            "The idf stands in both. Take it out of one of them.",
        ),
        "5_ids": (
            "The script prints how many documents it has. How many should there be?",
            "Two documents are called 7 and 007. What does int() make of them?",
            "Leave every id the text that it is, and give `read_csv` "
            'dtype={"query-id": str, "corpus-id": str}.',
        ),
        "6_three": (
            "Run it twice: the figure changes. Sets have no fixed order, and sorting leaves equal ones as "
            "they come. Then look for two more faults.",
            "Compare the number of queries with that of the file. And ask what nDCG divides by: what could "
            "have been found, or what was?",
            "Sort by (number of words, document id). Take out the `continue`. The ideal comes from "
            "grades.values(), cut to ten.",
        ),
    },
    files=handed_out,
    judge=judge,
)
