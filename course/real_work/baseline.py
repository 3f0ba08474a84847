"""Beat the baseline: a learner's own search of the runbooks, chosen on dev, measured on test.

Every look at the test queries is a further chance to be lucky. So looks are counted, and the n-th is
decided at the level 0.05 / (n (n + 1)): 0.025, 0.0083, 0.0042 and so on. All of them together, however
many, add up to 0.05. The check says how much wider that makes the interval.
"""

import datetime
import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats as distributions

from course.exercises.verdict import RIGHT, UNTOUCHED, WRONG
from course.real_work.scripts import alone, not_python, run_python
from course.real_work.task import SOLUTIONS, Report, Task, is_untouched, material
from helpers.base import counted, files, write_text
from helpers.datasets import load_runbooks, read_documents
from helpers.evaluation import evaluate_retrieval
from helpers.retrieval import CsrBM25
from helpers.stats import t_interval

BETTER, WORSE, CANNOT_TELL = "better than the baseline", "worse than the baseline", "cannot tell"
DOUBTFUL = "too good to be believed"
UNHEARD_OF = 0.25
"""A gain in nDCG@10 that is not believed: the reference's is a tenth of it."""
METRIC, K, LEVEL, SECONDS = "nDCG@10", 100, 0.05, 600
LOOKS, ON_DEV = "looks.jsonl", "measured on dev only"


class NotSearched(Exception):
    """A search gave nothing that could be measured; the message says why."""


@lru_cache(maxsize=2)
def _dataset(split: str):
    return load_runbooks(queries=split)


@lru_cache(maxsize=2)
def baseline_scores(split: str) -> pd.Series:
    """BM25's nDCG@10 by query: Lucene's, k1 = 0.9, b = 0.4, whole pages."""
    dataset = _dataset(split)
    return _scores(CsrBM25(dataset.corpus, k1=0.9, b=0.4).search(dataset.queries, K), split)


def _scores(run: dict, split: str) -> pd.Series:
    return evaluate_retrieval(run, _dataset(split).qrels, metrics=[METRIC]).per_query[METRIC]


def measured(script: Path, splits: Sequence[str]) -> dict[str, pd.Series]:
    """nDCG@10 by query of a learner's search, for each split. Raises NotSearched, also for a run that cannot
    be evaluated.

    The search is given other ids than the wiki's: what it knows of a page or a query is their words.
    """
    pages = {f"page-{n:03}": page for n, page in enumerate(read_documents(files.RUNBOOKS), start=1)}
    asked = {split: _renamed(_dataset(split).queries) for split in splits}
    given = {
        "documents": {name: {"title": page.title, "text": page.body} for name, page in pages.items()},
        "queries": {
            split: {name: _dataset(split).queries[query_id] for name, query_id in names.items()}
            for split, names in asked.items()
        },
        "k": K,
    }
    doc_ids = {name: page.doc_id for name, page in pages.items()}
    found = {}
    for split, run in _searched(script, given).items():
        own = _under_own_ids(run, doc_ids, asked[split])
        try:
            found[split] = _scores(own, split)
        except ValueError as error:
            raise NotSearched(f"What it returns cannot be evaluated: {error}") from None
    return found


def _renamed(queries: dict[str, str]) -> dict[str, str]:
    """`{new name: query_id}`, in an order that says nothing of the old one."""
    by_text = sorted(queries, key=lambda query_id: queries[query_id][::-1])
    return {f"query-{n:03}": query_id for n, query_id in enumerate(by_text, start=1)}


def _searched(script: Path, given: dict) -> dict[str, dict]:
    """The runs that a learner's search returns, by split."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "runs.json")
        command = [*alone("searching.py"), str(script), str(out)]
        done = run_python(command, script.parent, given=json.dumps(given), seconds=SECONDS)
        if isinstance(done, str):
            raise NotSearched(done)
        if done.returncode:
            raise NotSearched(f"It stops: {done.stderr.strip().splitlines()[-1]}")
        return json.loads(out.read_text(encoding="utf-8"))


def _under_own_ids(run: dict, doc_ids: dict[str, str], query_ids: dict[str, str]) -> dict:
    if not any(run.values()):
        raise NotSearched("It returns no results, for no query.")
    named = [*(("document", name, doc_ids) for found in run.values() for name, _ in found)]
    named += [("query", name, query_ids) for name in run]
    for what, name, known in named:
        if name not in known:
            raise NotSearched(
                f"It returns a {what} {name!r}, which it was not given; return the ids that came in."
            )
    return {query_ids[q]: [(doc_ids[name], score) for name, score in found] for q, found in run.items()}


def judge(folder: Path, look: bool = False) -> Report:
    """Measures on dev; with `look` on test as well, which is counted."""
    script = folder / "search.py"
    if not script.is_file():
        return Report(WRONG, ("search.py is missing. `start` puts it there again.",))
    if is_untouched(script, material("baseline", ".py")["search.py"]):
        return Report(UNTOUCHED, (_in_words("dev", baseline_scores("dev"), baseline_scores("dev")),))
    if problem := not_python(script):
        return Report(WRONG, (problem,))
    looks = read_looks(folder)
    try:
        scores = measured(script, ("dev", "test") if look else ("dev",))
    except NotSearched as error:
        return Report(WRONG, (str(error),))
    dev = scores["dev"]
    lines = [_in_words("dev", dev, baseline_scores("dev")), *_moved(dev)]
    if not look:
        too_good = [_doubt(["dev"])] if _gain(dev, "dev") > UNHEARD_OF else []
        return Report(*_not_looked(looks, [*lines, *too_good]))
    test, before = scores["test"], len(looks)
    number = looked_before(looks, scores) or before + 1
    if number > before:
        gain = {split: _gain(values, split) for split, values in scores.items()}
        looks = [
            *looks,
            {"look": number, "date": str(datetime.date.today()), "sha256": _hash(scores), **gain},
        ]
        write_text(folder / LOOKS, "".join(json.dumps(one) + "\n" for one in looks))
    answer, said = verdict(test, len(looks))
    again = [] if number > before else [f"The same results as in look {number}; it is not counted again."]
    lines += [_in_words("test", test, baseline_scores("test")), *again, *said, *_shrunk(looks)]
    found = {"answer": answer, "looks": len(looks), "gain": _gain(test, "test")}
    if too_good := [split for split, values in scores.items() if _gain(values, split) > UNHEARD_OF]:
        return Report(DOUBTFUL, (*lines, _doubt(too_good)), found)
    return Report(RIGHT if answer == BETTER else answer, tuple(lines), found)


def _doubt(splits: list[str]) -> str:
    return (
        f"The gain on {' and '.join(splits)} is above {UNHEARD_OF}, several times that of a tuned BM25. A "
        "figure that is too good asks for the fault as hard as one that is zero (lesson 04): does the search "
        "see judgments, or the queries' labels? It does not count as right until a person has read the code."
    )


def _gain(scores: pd.Series, split: str) -> float:
    return round(float((scores - baseline_scores(split)).mean()), 4)


def _in_words(split: str, mine: pd.Series, base: pd.Series) -> str:
    means = f"{METRIC} on {len(base)} {split} queries: BM25 {base.mean():.4f}, yours {mine.mean():.4f}"
    if mine.equals(base):
        return f"{means}."
    low, high = t_interval(base, mine)
    return f"{means}, difference {(mine - base).mean():+.4f}, between {low:+.4f} and {high:+.4f} (95 %)."


def _moved(dev: pd.Series) -> list[str]:
    """The dev queries that won and lost most: what to read next."""
    change = (dev - baseline_scores("dev")).sort_values()
    parts = []
    for name, ends in (
        ("lost", change[change < -0.005].head(3)),
        ("won", change[change > 0.005][::-1].head(3)),
    ):
        if len(ends):
            parts.append(f"{name} most: " + ", ".join(f"{q} {value:+.2f}" for q, value in ends.items()))
    return ["; ".join(parts) + "."] if parts else []


def _not_looked(looks: list[dict], lines: list[str]) -> tuple:
    seen = (
        f"You have looked {counted(len(looks), 'time')} at the test queries"
        if looks
        else ("You have not looked at the test queries yet")
    )
    how = 'check("baseline", look=True), or `python -m course work check baseline --look`, looks at them'
    flattered = "What was chosen on dev looks better there than it is."
    return ON_DEV, (*lines, flattered, f"{seen}. {how}; decide on dev first."), {"looks": len(looks)}


def read_looks(folder: Path) -> list[dict]:
    """What was written at each look, oldest first. Deleting the file deceives nobody but its owner."""
    path = folder / LOOKS
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def looked_before(looks: list[dict], scores: Mapping[str, pd.Series]) -> int:
    """The number of the look that gave these very values by query, 0 if there was none.

    Not the script is compared: code that it imports may have changed, and a comment changes nothing.
    """
    return next((place for place, one in enumerate(looks, start=1) if one["sha256"] == _hash(scores)), 0)


def _hash(scores: Mapping[str, pd.Series]) -> str:
    values = {query_id: round(float(value), 6) for query_id, value in sorted(scores["test"].items())}
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def verdict(test: pd.Series, n_looks: int) -> tuple[str, list[str]]:
    """One of the three answers by the interval at this look's level, and in words what the looks cost."""
    base, confidence = baseline_scores("test"), 1 - level(n_looks)
    low, high = t_interval(base, test, confidence=confidence)
    answer = BETTER if low > 0 else WORSE if high < 0 else CANNOT_TELL
    said = [
        f"Look {n_looks}. Each look is a chance to be lucky, so the interval is that of {confidence:.1%}: "
        f"from {low:+.4f} to {high:+.4f}. Answer: {answer}."
    ]
    if n_looks == 1:
        return answer, said
    first = t_interval(base, test, confidence=1 - level(1))
    alone = BETTER if first[0] > 0 else WORSE if first[1] < 0 else CANNOT_TELL
    if alone != answer:
        said.append(f"Had this been the first look, the answer would have been: {alone}.")
    times = ((high - low) / (first[1] - first[0])) ** 2
    error = float((test - base).std(ddof=1)) / len(base) ** 0.5
    said.append(
        f"What the looks cost: for an interval as narrow as at the first look it would take "
        f"{times:.1f} times as many test queries. And of {n_looks} searches that truly equal BM25, the best "
        f"would be ahead by about {best_of(n_looks) * error:.3f} here on average, by luck (less if alike)."
    )
    return answer, said


def level(look: int) -> float:
    """How often a look may be wrong by luck: 0.05 / (n (n + 1)) for the n-th, which add up to 0.05.

    >>> level(1), round(sum(map(level, range(1, 10_000))), 4)
    (0.025, 0.05)
    """
    return LEVEL / (look * (look + 1))


def best_of(n: int) -> float:
    """The mean of the largest of n independent standard normal numbers.

    >>> round(best_of(1), 6) + 0.0, round(best_of(2), 4)  # 1 / sqrt(pi)
    (0.0, 0.5642)
    """
    x = np.linspace(-8, 8, 4001)
    density = n * distributions.norm.pdf(x) * distributions.norm.cdf(x) ** (n - 1)
    return float(np.trapezoid(x * density, x) if hasattr(np, "trapezoid") else np.trapz(x * density, x))


def _shrunk(looks: list[dict]) -> list[str]:
    """Gains on dev and on test, side by side, once there are several looks."""
    if len(looks) < 2:
        return []
    shown = [f"- look {one['look']}: {one['dev']:+.4f} on dev, {one['test']:+.4f} on test" for one in looks]
    return ["Gains over BM25 so far:", *shown[-6:]]


def solution() -> str:
    """The reference solution's source."""
    return (SOLUTIONS / "baseline" / "search.txt").read_text(encoding="utf-8")


BASELINE = Task(
    name="baseline",
    title="Beat the baseline on the runbooks, and say what the looks have cost",
    difficulty=3,
    minutes=90,
    hints={
        "": (
            "Read before you change: which dev queries does BM25 lose, and what would have helped? Lesson 05 "
            "has the tools (`analyze`). One change at a time, and write down what each gave on dev.",
            "A page has a title, and its writer has put the subject there. And wiki pages are not abstracts: "
            "ask where k1 and b should stand for pages of very different length.",
            "Repeat the title a few times before the text, and try k1 between 1 and 3 and b between 0.3 and "
            "0.8 on dev. Take the best there, and look at the test queries once.",
        )
    },
    files=lambda: material("baseline", ".py"),
    judge=judge,
)
