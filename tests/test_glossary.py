"""The glossary: every term has its lesson, every link its anchor, every number can be computed."""

import re
from itertools import product
from math import ceil, log, log2, sqrt

import nbformat
import numpy as np
import pytest
from scipy import stats

from course import runner
from helpers import metrics
from helpers.answers import ranked_precision
from helpers.base import files
from helpers.retrieval.bm25 import round_length
from helpers.retrieval.fusion import min_max, reciprocal_ranks, z_scores
from helpers.stats import cohen_kappa, holm, neyman_allocation, sequential_levels
from helpers.text.analyzers import STOPWORDS, lucene_english
from helpers.text.words import content_terms

PAGE = (files.ROOT / "GLOSSARY.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^### (.+)\n\n(.+)$", PAGE, re.M))


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading.

    >>> anchor("O'Brien–Fleming boundary"), anchor("Judged@k")
    ('obrienfleming-boundary', 'judgedk')
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def prose(path) -> str:
    cells = nbformat.read(path, 4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def linked_terms(text: str) -> list[str]:
    return re.findall(r"\]\((?:\.\./)*GLOSSARY\.md#([^)]+)\)", text)


def documents():
    """The notebooks and pages, and what each says."""
    pages = [
        path for pattern in ("*.md", "course/**/*.md", "evals/*.md") for path in files.ROOT.glob(pattern)
    ]
    said = {path.name: path.read_text(encoding="utf-8") for path in pages}
    return [*said.items(), *((path.name, prose(path)) for path in runner.find_lessons())]


@pytest.mark.parametrize(("name", "text"), [pytest.param(*one, id=one[0]) for one in documents()])
def test_a_link_to_a_term_finds_it(name, text):
    linked = linked_terms(text) + (re.findall(r"\]\(#([^)]+)\)", text) if name == "GLOSSARY.md" else [])
    assert set(linked) <= set(map(anchor, ENTRIES))


@pytest.mark.parametrize("lesson", ["01_corpus_and_labels", "02_chunking_and_bm25"])
def test_a_lesson_links_a_term_once(lesson):
    linked = linked_terms(prose(files.ROOT / "notebooks" / f"{lesson}.ipynb"))
    assert len(linked) == len(set(linked)) >= 12


def test_terms_are_in_order_and_each_is_there_once():
    headings = re.findall(r"^### (.+)$", PAGE, re.M)
    order = [re.sub(r"[^a-z0-9 ]", "", term.lower().replace("–", " ")) for term in headings]
    assert order == sorted(order) and len(set(order)) == len(ENTRIES) == len(headings) >= 75


@pytest.mark.parametrize("term", ENTRIES)
def test_an_entry_is_short_has_a_number_or_an_example_and_ends_with_its_lesson(term):
    said, lesson = re.fullmatch(
        r"(.+) \*\[Lesson \d\d(?:, second half)?\]\((notebooks/.+)\)\*", ENTRIES[term]
    ).groups()
    assert (files.ROOT / lesson).exists()
    assert re.search(r"\d|`", said) and len(said.split()) <= 60


GRADES = {"a": 0, "b": 2, "c": 1, "d": 1}
SCORES = {"q": [("a", 12), ("b", 6), ("c", 3)]}
ALPHA, BETA = stats.norm.ppf(0.975), stats.norm.ppf(0.8)
PATTERNS = [sum(signs) for signs in product((-1, 1), repeat=4)]


def ndcg(ranking, grades, gain="linear"):
    return f"{metrics.ndcg_at_k(ranking, grades, gain=gain):.2f}"


def values(run):
    return [f"{score:.2f}".replace("-", "−") for _, score in run["q"]]


NUMBERS = {
    "A/B test": f"{ceil((ALPHA + BETA) ** 2 * (0.5 * 0.5 + 0.52 * 0.48) / 0.02**2):,}",
    "Alpha spending": f"{sequential_levels([0.5], 'obrien-fleming-spending')[0]:.4f}",
    "Analyzer": " ".join(lucene_english("The pods were killed twice")),
    "Average precision (AP, MAP)": f"{metrics.average_precision(['a', 'x', 'b'], {'a': 1, 'b': 1}):.2f}",
    "b": f"{1 - 0.75 + 0.75 * 2} times",
    "BM25": f"{3 * 2.5 / (3 + 1.5):.2f}",
    "bpref": f"{metrics.bpref(['a', 'x', 'b'], {'a': 1, 'x': 0, 'b': 1})}",
    "Convention": [ndcg(["b", "a"], {"a": 2, "b": 1}, gain) for gain in ("linear", "exponential")],
    "Cosine": f"{1 / sqrt(2):.2f}",
    "DCG": [f"{metrics.dcg_at_k(['a', 'b', 'c'], GRADES, 3):.2f}", f"2 / {log2(3):.2f}"],
    "Delta method": [f"{(1 + 9) / (2 + 10):.2f}", f"{(1 / 2 + 9 / 10) / 2:.2f}"],
    "Embedding": f"{2 * 0.6 * 0.8:.2f}",
    "Holm's correction": [f"{p:.2f}" for p in holm([0.01, 0.04])],
    "IDF": [f"{log(990.5 / 10.5):.2f}", f"{log(1 + 990.5 / 10.5):.2f}"],
    "k1": [f"{tf * 2.5 / (tf + 1.5):.2f}" for tf in (1, 2, 3)],
    "Kappa": f"{cohen_kappa([1] * 10 + [0] * 90, [1] * 5 + [0] * 85 + [1] * 5 + [0] * 5):.2f}",
    "Min–max scaling": values(min_max(SCORES)),
    "Neyman allocation": f"{neyman_allocation({'a': 300, 'b': 100}, {'a': 0.1, 'b': 0.3}, 40)['b']} each",
    "nDCG": ndcg(["a", "b", "c"], GRADES),
    "One-byte lengths": [f"{n} becomes {round_length(np.array([n]))[0]:g}" for n in (100, 292)],
    "Prediction-powered inference": f"{0.40 + 0.30 - 0.42:.2f}",
    "Ranked precision": f"{ranked_precision([1, 0, 1]):.2f}",
    "p value": [f"{PATTERNS.count(4) + PATTERNS.count(-4)} of {len(PATTERNS)}", f"{2 / 16}"],
    "Power": f"{ceil((2.8 * 0.20 / 0.05) ** 2)} queries",
    "RRF": f"{sum(reciprocal_ranks(SCORES)['q'][rank][1] for rank in (0, 1)):.4f}",
    "SRM": f"{stats.chisquare([10_000, 10_600]).pvalue:.6f}",
    "Standard error": [f"{0.20 / sqrt(n):.3f}" for n in (30, 120)],
    "Stemming": sorted({*lucene_english("purchases"), *lucene_english("purchased")})[0],
    "t interval": [f"{stats.t.ppf(0.975, 29):.3f}", f"{stats.t.ppf(0.975, 29) * 0.14 / sqrt(30):.3f}"],
    "z score": values(z_scores(SCORES)),
}


@pytest.mark.parametrize("term", NUMBERS)
def test_a_number_of_an_entry_is_what_comes_out(term):
    expected = NUMBERS[term]
    for number in [expected] if isinstance(expected, str) else expected:
        assert number in ENTRIES[term]


def false_alarms(levels: list[float]) -> float:
    """How often a test without any effect is below its level at one look or another, at equal steps."""
    steps = np.arange(1, len(levels) + 1)
    z = np.random.default_rng(0).standard_normal((400_000, len(levels))).cumsum(axis=1) / np.sqrt(steps)
    return float((2 * stats.norm.sf(np.abs(z)) < levels).any(axis=1).mean())


def test_levels_of_looks_keep_five_percent_and_unplanned_looks_do_not():
    first, last = map(float, re.findall(r"below (0\.\d+)", ENTRIES["O'Brien–Fleming boundary"]))
    assert false_alarms([first, last]) == pytest.approx(0.05, abs=0.002)
    (same,) = map(float, re.findall(r"below (0\.\d+)", ENTRIES["Pocock boundary"]))
    assert false_alarms([same, same]) == pytest.approx(0.05, abs=0.002)
    (percent,) = re.findall(r"raise (\d+)%", ENTRIES["Sequential test"])
    assert 100 * false_alarms([0.05] * 5) == pytest.approx(int(percent), abs=0.5)


def test_examples_in_words_hold():
    assert len(STOPWORDS) == 33 and {"the", "not"} <= STOPWORDS
    asked, answer = re.findall(r"\*(.+?)\*", ENTRIES["Vocabulary gap"])[:2]
    assert not content_terms(asked) & content_terms(answer)
