"""Judge: grades with quotes for five queries, compared with the collection's own.

The stored grades were made by models, and no person has looked at them. So a difference is no mistake yet:
the check shows both sides, and says where one of the passes over these pairs was of the learner's opinion.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from course.exercises.verdict import RIGHT, UNTOUCHED, WRONG
from course.real_work.task import Report, Task
from helpers.base import files
from helpers.datasets import load_labels, load_runbooks
from helpers.judgments import load_disagreements, load_second_labels
from helpers.stats import cohen_kappa

PAIRS = {
    "q33": ("doc_012", "doc_052", "doc_073", "doc_084", "doc_087"),
    "q41": ("doc_095", "doc_096", "doc_119"),
    "q63": ("doc_089", "doc_098", "doc_103", "doc_150"),
    "q130": ("doc_027", "doc_034", "doc_074", "doc_076", "doc_142"),
    "q145": ("doc_097", "doc_103", "doc_150", "doc_158"),
}
"""The queries, of the dev split, and the pages to be judged for each."""
ENOUGH = 0.6
"""The kappa, relevant or not, from which a judge is taken to have understood the needs."""
EQUAL = 16
"""Equal grades, of the 21, that are needed besides: who exchanges all 1 and 2 has 11 and the same kappa."""
REASONS = {
    (
        "q63",
        "doc_103",
    ): "The rule about outdated items does not make it 0: the page is in force. Its battery time, "
    "notice and commands are those of Borås; for Dijon they are another site's, not outdated. What it says "
    "of every site (level 2 at once, wait for warehouse IT) is true for Dijon too: U2, and part of E2: 1.",
}
"""Of pairs on which the guideline itself can be read in two ways: how it was read."""
WANTED, LONGEST = 60, 100
"""Words in a quote: by the guideline, and the most that pass, since a row of a table may be long."""


@lru_cache(maxsize=1)
def _dataset():
    return load_runbooks(queries="dev")


@lru_cache(maxsize=1)
def _quotes() -> dict[tuple[str, str], str]:
    """The stored quotes of the relevant pairs."""
    labels = load_labels(files.MORE_QUERIES, _dataset().corpus)
    return {(one.query_id, j.doc_id): j.quote or "" for one in labels for j in one.judgments}


@lru_cache(maxsize=1)
def _accepted() -> dict[tuple[str, str], list[str]]:
    """The passages that are known to carry something: the stored quotes, and those that support an answer."""
    found = {pair: [quote] for pair, quote in _quotes().items() if quote}
    for line in files.NUGGETS.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        for part in (part for nugget in one["nuggets"] for part in nugget["support"]):
            found.setdefault((one["query_id"], part["doc_id"]), []).append(part["quote"])
    return found


@lru_cache(maxsize=1)
def _others() -> dict[tuple[str, str], dict[str, int]]:
    """What single passes over the pairs said, where it is stored: the first, the second, the third."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for name, path in (("second", files.SECOND_LABELS), ("third", files.THIRD_LABELS)):
        for query_id, grades in load_second_labels(path).items():
            for doc_id, grade in grades.items():
                found.setdefault((query_id, doc_id), {})[name] = grade
    for one in load_disagreements():
        if one.first is not None:
            found.setdefault((one.query_id, one.doc_id), {})["first"] = one.first
    return found


def form() -> str:
    """labels.txt: for each query what is needed, and an empty block for each page."""
    lines = [
        "# Grade each page for its query. 2: answers (an essential item, complete). 1: helps (a useful item,",
        "# or part of an essential one). 0: neither, or its answer is out of date. Judge each by itself.",
        "# With 1 and 2: a quote, copied letter by letter from the page, of at most 60 words, that shows it",
        "# without the rest of the page. The whole guideline is in guideline.md, the pages are in pages/.",
    ]
    needs = map(json.loads, files.NEEDS.read_text(encoding="utf-8").splitlines())
    by_id = {one["query_id"]: one for one in needs}
    for query_id, doc_ids in PAIRS.items():
        need = by_id[query_id]
        items = [f"# E{n}: {item}" for n, item in enumerate(need["essential"], start=1)]
        items += [f"# U{n}: {item}" for n, item in enumerate(need["useful"], start=1)]
        lines += ["", f"# {'=' * 20} {query_id}: {_dataset().queries[query_id]}"]
        lines += [f"# {need['situation']}", *items]
        for doc_id in doc_ids:
            lines += ["", f"{query_id} {doc_id}", "grade: TODO", "quote:"]
    return "\n".join([*lines, ""])


def handed_out() -> dict[str, str]:
    """The form, the guideline and the pages."""
    found = {
        "labels.txt": form(),
        "guideline.md": (files.ROOT / "evals" / "judging_guideline.md").read_text("utf-8"),
    }
    for doc_id in sorted({doc_id for doc_ids in PAIRS.values() for doc_id in doc_ids}):
        found[f"pages/{doc_id}.md"] = (files.RUNBOOKS / f"{doc_id}.md").read_text(encoding="utf-8")
    return found


def read_labels(text: str) -> tuple[dict[tuple[str, str], tuple[str, str]], list[str]]:
    """`{(query_id, doc_id): (grade, quote)}` as they stand in the form, and the lines that fit nowhere."""
    found: dict[tuple[str, str], list[str]] = {}
    pair, inside, stray = None, "", []
    known = {(q, d) for q, doc_ids in PAIRS.items() for d in doc_ids}
    for number, line in enumerate(text.splitlines(), start=1):
        words = tuple(line.split())
        if words in known:
            pair, inside = words, ""
            found[pair] = ["", ""]
        elif pair and line.startswith("grade:"):
            found[pair][0], inside = line.removeprefix("grade:").strip(), ""
        elif pair and line.startswith("quote:"):
            found[pair][1], inside = line.removeprefix("quote:").strip(), "quote"
        elif inside == "quote" and line.strip() and not line.startswith("# ===="):
            found[pair][1] += "\n" + line
        elif line.startswith("#") or not line.strip():
            inside = "" if line.startswith("#") else inside
        else:
            stray.append(f"- line {number}: {line[:60]!r} is neither a pair, nor a grade, nor a quote")
    return {pair: (grade, quote.strip()) for pair, (grade, quote) in found.items()}, stray


def judge(folder: Path) -> Report:
    """Checks grades and quotes, then compares with the collection's."""
    path = folder / "labels.txt"
    if not path.is_file():
        return Report(WRONG, ("labels.txt is missing. `start` puts it there again.",))
    labels, problems = read_labels(path.read_text(encoding="utf-8-sig"))
    if not problems and labels and all(grade == "TODO" for grade, _ in labels.values()):
        return Report(UNTOUCHED)
    pairs = [(query_id, doc_id) for query_id, doc_ids in PAIRS.items() for doc_id in doc_ids]
    left = [pair for pair in pairs if labels.get(pair, ("TODO", ""))[0] in ("TODO", "")]
    for pair in pairs:
        if pair not in left:
            problems += [f"- {pair[0]} {pair[1]}: {said}" for said in _problems(pair, *labels[pair])]
    if problems:
        return Report(WRONG, ("Mend these before anything can be compared:", *problems))
    if left:
        first = " ".join(left[0])
        return Report(WRONG, (f"{len(pairs) - len(left)} of {len(pairs)} pages are judged. Next: {first}.",))
    return _compared({pair: int(labels[pair][0]) for pair in pairs}, {p: labels[p][1] for p in pairs})


def _problems(pair: tuple[str, str], grade: str, quote: str) -> list[str]:
    if grade not in ("0", "1", "2"):
        return [f"the grade is {grade!r}; it can be 0, 1 or 2"]
    if grade == "0":
        return []
    if not quote:
        return ["a page that helps or answers needs the words that say so"]
    page = _page(pair[1])
    if _is_heading(quote, page):
        return ["that is a heading; it says what follows, so quote the sentence or the row that follows"]
    if _plain(quote) not in _plain(page):
        return [f"these words are not on the page: {' '.join(quote.split())[:60]!r}"]
    if len(quote.split()) > LONGEST:
        return [f"the quote has {len(quote.split())} words, at most {WANTED} are wanted"]
    if len(quote.split()) < 4:
        return ["so short a quote does not show anything by itself"]
    return []


def _page(doc_id: str) -> str:
    return (files.RUNBOOKS / f"{doc_id}.md").read_text(encoding="utf-8")


def _is_heading(quote: str, page: str) -> bool:
    """Whether the words, with or without the #, stand in headings or in the title and nowhere else."""
    words, rest = _plain(quote).lstrip("# "), []
    for line in page.splitlines():
        if not line.startswith(("#", "title:")):
            rest.append(line)
    return words in _plain(page) and words not in _plain("\n".join(rest)) and "\n" not in quote.strip()


def overlaps(pair: tuple[str, str], quote: str) -> bool:
    """Whether a quote shares a part of the page with a passage that was accepted for this pair."""
    page, wanted = _plain(_page(pair[1])), _plain(quote)
    start = page.find(wanted)
    places = [(page.find(_plain(one)), len(_plain(one))) for one in _accepted().get(pair, ())]
    return any(at < start + len(wanted) and start < at + length for at, length in places if at >= 0)


def _plain(text: str) -> str:
    """White space of any kind and length counts as one space."""
    return " ".join(text.split())


def _compared(mine: Mapping[tuple, int], quotes: Mapping[tuple, str]) -> Report:
    stored = {pair: _dataset().qrels[pair[0]].get(pair[1], 0) for pair in mine}
    kappa = cohen_kappa([g > 0 for g in mine.values()], [g > 0 for g in stored.values()])
    same = sum(mine[pair] == stored[pair] for pair in mine)
    second = {pair: _others().get(pair, {}).get("second") for pair in mine}
    theirs = sum(second[pair] == stored[pair] for pair in mine)
    both = [pair for pair in mine if mine[pair] and stored[pair]]
    elsewhere = [pair for pair in both if not overlaps(pair, quotes[pair])]
    lines = [
        f"Equal grades: {same} of {len(mine)}, needed {EQUAL}. "
        f"Relevant or not: kappa {kappa:.2f}, needed {ENOUGH}.",
        f"(One of the two assessors alone had {theirs} of {len(mine)} equal to what was decided in the end.)",
    ]
    differ = [pair for pair in mine if mine[pair] != stored[pair]]
    found = {"kappa": kappa, "equal": same, "differ": differ, "quoted elsewhere": elsewhere}
    if kappa < ENOUGH or same < EQUAL:
        return Report(WRONG, (*lines, *_too_far(mine, stored, differ)), found)
    for pair in differ:
        lines += _both_sides(pair, mine[pair], stored[pair], quotes[pair])
    if differ:
        lines.append("Take the differences one by one, and write down which side you would defend, and why.")
    lines += _other_passages(elsewhere, len(both))
    return Report(WRONG if 2 * len(elsewhere) > len(both) else RIGHT, tuple(lines), found)


def _too_far(mine: Mapping[tuple, int], stored: Mapping[tuple, int], differ: list[tuple]) -> list[str]:
    """How the grades differ, and one pair to read again: the stored grades are shown to who has judged."""
    missed = sum(not mine[pair] and stored[pair] > 0 for pair in differ)
    more = sum(mine[pair] > 0 and not stored[pair] for pair in differ)
    first = max(differ, key=lambda pair: abs(mine[pair] - stored[pair]))
    return [
        f"Your 0 is a 1 or a 2 in the collection: {missed}. Your 1 or 2 is a 0 there: {more}. 1 against 2: "
        f"{len(differ) - missed - more}.",
        "You read the needs in another way. For each page ask: which item, E1 or U2, does it serve? "
        "Without a number the grade is 0. Is the item complete on this page? Then an E is 2, a U is 1.",
        f"One to read again: {' '.join(first)}. The differences are shown once the agreement is enough.",
    ]


def _other_passages(elsewhere: list[tuple], n: int) -> list[str]:
    if not elsewhere:
        return []
    named = ", ".join(" ".join(pair) for pair in elsewhere)
    many = " That is more than half, so it does not count as right." if 2 * len(elsewhere) > n else ""
    return [
        f"{len(elsewhere)} of {n} quotes share nothing with a passage accepted for the pair: {named}. "
        f"Does each carry its grade by itself, and for which item? A scope sentence does not.{many}"
    ]


def _both_sides(pair: tuple[str, str], mine: int, stored: int, quote: str) -> list[str]:
    lines = [f"- {pair[0]} {pair[1]}: yours {mine}, stored {stored}"]
    if stored and (said := _quotes().get(pair)):
        lines.append(f"    stored quote: {_plain(said)}")
    if mine and quote:
        lines.append(f"    your quote: {_plain(quote)}")
    agree = [name for name, grade in _others().get(pair, {}).items() if grade == mine]
    if agree:
        which = " and ".join(agree)
        lines.append(f"    You may be right: the {which} pass gave {mine} as well, and was overruled.")
    elif mine and not stored:
        lines.append("    You may be right if your quote serves an item by itself, and is not out of date.")
    elif abs(mine - stored) == 1 and mine and stored:
        lines.append("    1 or 2 is where readers differ most: is an essential item complete on this page?")
    return [*lines, f"    {REASONS[pair]}"] if pair in REASONS else lines


def solution() -> str:
    """The form as the stored labels fill it in."""
    lines = []
    for query_id, doc_ids in PAIRS.items():
        for doc_id in doc_ids:
            grade = _dataset().qrels[query_id].get(doc_id, 0)
            quote = _quotes().get((query_id, doc_id), "") if grade else ""
            lines += [f"{query_id} {doc_id}", f"grade: {grade}", f"quote: {quote}", ""]
    return "\n".join(lines)


JUDGE = Task(
    name="judge",
    title="Judge: grades with quotes for five queries",
    difficulty=2,
    minutes=75,
    hints={
        "": (
            "Read the need before the page, and keep its items beside you. A page that shares words with the "
            "query, or is about the same service elsewhere, is not relevant for that.",
            "Two warehouses, Dijon and Borås, have pages that look alike. What a page says of one does not "
            "answer for the other. And look at the top of each page: is it in force?",
            "Each query has exactly one page here that answers (2). Five help (1), in four queries, and the "
            "others do neither.",
        )
    },
    files=handed_out,
    judge=judge,
)
