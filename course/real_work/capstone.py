"""The capstone: a report claims that a new search is 12 % better. A learner reviews it.

Seven things are wrong. A finding is a name and a figure that was recomputed; the check computes the same
figures from the files and compares. What cannot be scored, the text, is for a reader (rubric in the teacher's
pages).
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from numbers import Real
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import scipy  # loads `scipy.stats` when it is first used
import yaml

from course.exercises.verdict import RIGHT, UNTOUCHED, WRONG
from course.real_work.task import MATERIAL, SOLUTIONS, Report, Task, material
from helpers.base import counted
from helpers.evaluation import TREC, Conventions, evaluate_retrieval
from helpers.stats import bootstrap_interval, paired_significance, t_interval

FOLDER = MATERIAL / "capstone"
VERDICTS = ("new is better", "old is better", "these data do not decide")
WORDS = (120, 250)
ENOUGH, FALSE_ALARMS = 6, 1
"""Findings of the seven that make a review right, and findings that are none which it may have."""


class Kind(NamedTuple):
    """What may be wrong: the figure, how near one must come, whether it is wrong here, why it is not."""

    figure: float
    close: float
    wrong: bool
    said: str
    slips: Mapping[float, str] = {}
    """Figures that come out of a misreading, and what to say to them."""


class Files(NamedTuple):
    """The report's data."""

    old: dict
    new: dict
    qrels: dict
    per_query: pd.DataFrame
    tuning: pd.DataFrame
    texts: list[str]
    doc_ids: list[str]


@lru_cache(maxsize=1)
def files() -> Files:
    """What is handed out, read."""

    def table(name: str) -> pd.DataFrame:
        return pd.read_csv(FOLDER / name, sep="\t", dtype={"query_id": str, "doc_id": str})

    def by_query(name: str, value: str) -> dict:
        rows = table(name).groupby("query_id")
        return {q: list(zip(part["doc_id"], part[value], strict=True)) for q, part in rows}

    records = [
        json.loads(line) for line in (FOLDER / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return Files(
        by_query("old.tsv", "score"),
        by_query("new.tsv", "score"),
        {q: dict(pairs) for q, pairs in by_query("qrels.tsv", "grade").items()},
        table("per_query.tsv").set_index("query_id"),
        table("tuning.tsv"),
        [one["text"] for one in records],
        [one["_id"] for one in records],
    )


def folded(run: Mapping) -> dict:
    """Each page once, where it stands first."""
    return {q: _first(hits) for q, hits in run.items()}


def _first(hits: list[tuple[str, float]]) -> list[tuple[str, float]]:
    seen: dict[str, float] = {}
    for doc_id, score in hits:
        seen.setdefault(doc_id, score)
    return list(seen.items())


@lru_cache(maxsize=1)
def corrected() -> dict[str, float]:
    """Both means, and the interval of their difference, as far as the data allow a comparison."""
    scores = _both_scores(_answered())
    low, high = t_interval(*scores)
    return {"old": scores[0].mean(), "new": scores[1].mean(), "low": low, "high": high}


@lru_cache(maxsize=1)
def _textbooks() -> dict[str, float]:
    """The ends of a t interval without the two queries that `t_interval` adds where few move: right too."""
    old, new = _both_scores(_answered())
    return scipy.stats.ttest_rel(new, old).confidence_interval()._asdict()


def _answered() -> dict[str, dict]:
    data = files()
    return {q: grades for q, grades in data.qrels.items() if q in data.old and q in data.new}


def _both_scores(qrels: Mapping) -> list[pd.Series]:
    """nDCG@10 by query of the old search and of the new one, each page once."""
    data = files()
    return [
        evaluate_retrieval(run, qrels, metrics=["nDCG@10"]).per_query["nDCG@10"]
        for run in (data.old, folded(data.new))
    ]


CLOSE = 0.005
"""One rule for all, in kinds.md: right to two decimals, per cent to whole ones, counts exactly."""
WRONG_HERE = {
    "repeated": 0,
    "missing": 0,
    "cutoff": CLOSE,
    "percent": 0.5,
    "unit": CLOSE,
    "tuned": CLOSE,
    "unjudged": CLOSE,
}
"""The seven, and how near to its figure one must come."""
SOUND_HERE = {
    "gain": (0.002, "both gains give the old search the same figure, to three decimals"),
    "split": (0, "only test queries are in per_query.tsv"),
    "unknown": (0, "every result is a page of the wiki"),
    "twice": (0, "no text stands there twice"),
    "no_relevant": (0, "every query has a relevant page; that some get 0 is the searches' doing"),
    "depth": (0, "both return ten results"),
}
"""What is in kinds.md as well: how near, and why it is not wrong."""


@lru_cache(maxsize=1)
def kinds() -> dict[str, Kind]:
    """All kinds of kinds.md with the figures that the files give."""
    figures, slips = _figures_of_the_wrong(), _slips()
    wrong = {
        name: Kind(figures[name], close, True, "", slips.get(name, {})) for name, close in WRONG_HERE.items()
    }
    figures = _figures_of_the_sound()
    sound = {name: Kind(figures[name], close, False, said) for name, (close, said) in SOUND_HERE.items()}
    return wrong | sound


def _figures_of_the_wrong() -> dict[str, float]:
    data = files()
    old, new = data.per_query["old"], data.per_query["new"]
    chosen = data.tuning.loc[data.tuning["test"].idxmax()]
    return {
        "repeated": sum(len(dict(hits)) < len(hits) for hits in data.new.values()),
        "missing": sum(q not in data.old for q in data.qrels),
        "cutoff": _old_mean(),
        "percent": (float(new.mean()) / float(old.mean()) - 1) * 100,
        "unit": paired_significance(old, new)["p_value"],
        "tuned": float(data.tuning["dev"].max()) - float(chosen["dev"]),
        "unjudged": _share_judged(),
    }


def _figures_of_the_sound() -> dict[str, float]:
    data = files()
    retrieved = {doc_id for run in (data.old, data.new) for hits in run.values() for doc_id, _ in hits}
    longest = [max(map(len, run.values())) for run in (data.new, data.old)]
    return {
        "gain": _old_mean(Conventions(gain="exponential")) - _old_mean(),
        "split": 0,
        "unknown": len(retrieved - {*data.doc_ids}),
        "twice": len(data.texts) - len({*data.texts}),
        "no_relevant": sum(not any(grades.values()) for grades in data.qrels.values()),
        "depth": longest[0] - longest[1],
    }


def _slips() -> dict[str, dict[float, str]]:
    """Figures that come out of a misreading, and what to say to them."""
    data = files()
    scores = data.per_query
    old, new = float(scores["old"].mean()), float(scores["new"].mean())
    with_old = scores[scores["old"] > 0]
    quotients = round(float((with_old["new"] / with_old["old"] - 1).mean()) * 100, 1)
    answered = len(data.old) / len(data.qrels)
    own_figure = "That is the report's own figure. Take the two means first, and then their quotient."
    return {
        "repeated": {
            float(
                sum(scores["new"] > 1)
            ): "That counts the queries above 1. A page that stands there twice is "
            "paid twice in others as well, and where it is not relevant it takes a place."
        },
        "cutoff": {
            round(old, 4): "That is the mean of the report's own column. Recompute it from old.tsv.",
            round(
                _old_mean() / answered, 4
            ): "That is the mean over the queries that the old search answers; take it over all 24.",
        },
        "percent": {
            **dict.fromkeys((quotients, 12.0), own_figure),
            round(new / old - 1, 3): "That is the share; in per cent it is a hundred times as much.",
            round(
                (new - old) * 100, 1
            ): "That is the difference of the means times 100, in points. Divide by the old mean.",
        },
        "unit": {0.001: "That is the report's. Which 24 pairs of numbers are independent?"},
        "unjudged": {
            round(
                _share_judged() * answered, 3
            ): "That counts the queries that the old search does not answer as 0. Leave them out here."
        },
    }


def _share_judged() -> float:
    data = files()
    answered = {q: data.qrels[q] for q in data.old}
    return float(evaluate_retrieval(data.old, answered, metrics=["Judged@5"])["Judged@5"])


def _old_mean(conventions: Conventions = TREC) -> float:
    data = files()
    found = evaluate_retrieval(data.old, data.qrels, metrics=["nDCG@10"], conventions=conventions)
    return float(found["nDCG@10"])


def judge(folder: Path) -> Report:
    """Scores a review by what it found and by the figures that it recomputed."""
    path = folder / "review.yaml"
    if not path.is_file():
        return Report(WRONG, ("review.yaml is missing. `start` puts it there again.",))
    try:
        review = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return Report(WRONG, (f"review.yaml cannot be read: {' '.join(str(error).split())}",))
    if not isinstance(review, Mapping):
        return Report(WRONG, ("review.yaml needs the parts findings, corrected, verdict and review.",))
    claims = _claims(review.get("findings"))
    if not claims and review.get("verdict", "TODO") == "TODO":
        return Report(UNTOUCHED)
    found, false_alarms, lines = _scored(claims)
    wrong_figures = _corrected_lines(review.get("corrected"))
    rest = [*wrong_figures, *_verdict_lines(review.get("verdict")), *_text_lines(review.get("review"))]
    total = sum(kind.wrong for kind in kinds().values())
    head = f"{len(found)} of {total} found, with their figures; {counted(len(false_alarms), 'false alarm')}."
    enough = len(found) >= ENOUGH and len(false_alarms) <= FALSE_ALARMS
    data = {"found": found, "false alarms": false_alarms}
    if enough and not rest:
        more = [] if len(found) == total else [f"{total - len(found)} is still to be found."]
        return Report(RIGHT, (FIGURES_RIGHT, head, *lines, *more, *_doubts(str(review["review"]))), data)
    return Report(WRONG, (head, *lines, *rest), data)


def _claims(findings: object) -> dict[str, object]:
    """`{kind: figure}`; a kind that is named twice counts by its last figure."""
    rows = findings if isinstance(findings, list) else []
    pairs = [(row.get("kind"), row.get("figure")) for row in rows if isinstance(row, Mapping)]
    return {str(kind): figure for kind, figure in pairs if kind not in (None, "TODO")}


def _scored(claims: Mapping[str, object]) -> tuple[list[str], list[str], list[str]]:
    found, false_alarms, lines = [], [], []
    for name, figure in claims.items():
        kind = kinds().get(name)
        if kind is None:
            lines.append(f"- {name}: there is no such kind; the names are in kinds.md")
        elif not kind.wrong:
            false_alarms.append(name)
            lines.append(f"- {name}: not wrong here: {kind.said}")
        elif not _is_number(figure):
            lines.append(f"- {name}: which figure shows it? A name alone is no finding.")
        elif abs(figure - kind.figure) <= kind.close + 1e-9:
            found.append(name)
        else:
            slip = next((said for value, said in kind.slips.items() if abs(figure - value) < 6e-4), "")
            lines.append(f"- {name}: {figure} is not what the files give. {slip}".rstrip())
    return found, false_alarms, lines


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _corrected_lines(given: object) -> list[str]:
    given = given if isinstance(given, Mapping) else {}
    true, lines = corrected(), []
    for name, value in true.items():
        if not _is_number(given.get(name)):
            lines.append(f"- corrected, {name}: no figure yet")
        elif min(abs(given[name] - one) for one in (value, _textbooks().get(name, value))) > CLOSE:
            slip = next(
                (said for one, said in _corrected_slips()[name] if abs(given[name] - one) < 0.002), ""
            )
            lines.append(f"- corrected, {name}: {given[name]} is not what the files give. {slip}".rstrip())
    return lines


@lru_cache(maxsize=1)
def _corrected_slips() -> dict[str, list[tuple[float, str]]]:
    """For each of the four figures: what a misreading gives, and what to say to it."""
    true, over_all = corrected(), _both_scores(files().qrels)
    zero = "That counts the queries that the old search lost as 0. Leave them out here: 21 queries are left."
    turned = "The sign is turned round: the difference is new - old."
    ends = dict(zip(("low", "high"), t_interval(*over_all), strict=True))
    resamples = bootstrap_interval(*_both_scores(_answered()))
    slips = {name: [(float(one.mean()), zero)] for name, one in zip(("old", "new"), over_all, strict=True)}
    for name, other, resampled in zip(("low", "high"), ("high", "low"), resamples, strict=True):
        slips[name] = [
            (-true[other], turned),
            (-_textbooks()[other], turned),
            (ends[name], zero),
            (
                resampled,
                "That is near a bootstrap interval; review.yaml asks for the t interval.",
            ),
        ]
    return slips


def _verdict_lines(verdict: object) -> list[str]:
    if verdict not in VERDICTS:
        return [f"- verdict: one of: {' | '.join(VERDICTS)}"]
    low, high = corrected()["low"], corrected()["high"]
    needed = VERDICTS[0] if low > 0 else VERDICTS[1] if high < 0 else VERDICTS[2]
    if verdict == needed:
        return []
    return ["- verdict: does the interval of the difference allow that?"]


def _text_lines(text: object) -> list[str]:
    n = len(str(text or "").split())
    if WORDS[0] <= n <= WORDS[1]:
        return []
    return [f"- review: {counted(n, 'word')}; needed {WORDS[0]} to {WORDS[1]}"]


FIGURES_RIGHT = "The figures are right; the text is for a reader, and no program has judged it."


def _doubts(text: str) -> list[str]:
    """What even a program can see in a text that says nothing: none of its figures, or the same again."""
    sentences = [" ".join(one.split()).lower() for one in re.split(r"[.!?]\s", text) if one.strip()]
    doubts = []
    if 3 * len({*sentences}) < 2 * len(sentences):
        doubts.append("The text repeats its sentences.")
    if not re.search(r"\d", re.sub(r"12\s*(%|per cent)", "", text)) and not NUMERALS & {
        *text.lower().split()
    }:
        doubts.append("The text names no figure but the claim's own. Which of yours should the board know?")
    return doubts


NUMERALS = set("two three four seven nine ten fourteen nineteen twenty".split())


def handed_out() -> dict[str, str]:
    """The report with its data, the names of faults, the form, and a script to begin with."""
    found = material("capstone")
    found["recompute.py"] = found.pop("recompute.txt")
    return found


def solution() -> str:
    """A review that is right."""
    return (SOLUTIONS / "capstone" / "review.yaml").read_text(encoding="utf-8")


CAPSTONE = Task(
    name="capstone",
    title="Capstone: review a claim, 'our new search is 12 % better'",
    difficulty=3,
    minutes=120,
    hints={
        "": (
            "Read report.md once as a member of the board, once as its author, once as somebody who has to "
            "repeat it. Mark each sentence that makes a choice. Then look at per_query.tsv: which values can "
            "an nDCG not have, and which are exactly 0?",
            "Evaluate old.tsv and new.tsv yourself. The helpers refuse new.tsv, and say why: that is a "
            "finding. Compare your old column with the report's, query by query. Compare the two means with "
            "the 12 %.",
            "Sentences to look at: how results were judged, how settings were chosen, what a timeout counts, "
            "where the old figures come from, which queries were left out of the mean, how many observations "
            "the test has. The seventh is in no sentence; it is in new.tsv.",
        )
    },
    files=handed_out,
    judge=judge,
)
