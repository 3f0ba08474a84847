"""The pages of the site that compute: in a real browser they give the numbers of `helpers`, 1,000 times."""

import base64
import importlib.util
import json
import random
import shutil
import subprocess
from math import log2

import pytest
from scipy.sparse import csr_matrix

from helpers import metrics
from helpers.base import files
from helpers.evaluation import Conventions, evaluate_retrieval, ranking
from helpers.retrieval.bm25 import VARIANTS, weigh
from helpers.stats import normal_power

STATIC = files.ROOT / "site" / "_static"
SCRIPTS = [STATIC / f"{name}.js" for name in ("metrics", "bm25", "power", "conventions", "ui")]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --dump-dom"
).split()
N = 1000
RANDOM = random.Random(25)


def a_ranking_and_its_metrics():
    ids = [f"d{number}" for number in range(RANDOM.randint(1, 14))]
    retrieved = RANDOM.sample(ids, RANDOM.randint(0, len(ids)))
    grades = {doc_id: RANDOM.randint(-1, 3) for doc_id in ids if RANDOM.random() < 0.7}
    k, gain = RANDOM.randint(1, 12), RANDOM.choice(["linear", "exponential"])
    expected = [
        metrics.precision_at_k(retrieved, grades, k),
        metrics.recall_at_k(retrieved, grades, k),
        metrics.reciprocal_rank(retrieved, grades),
        metrics.average_precision(retrieved, grades),
        metrics.dcg_at_k(retrieved, grades, k, gain),
        metrics.ndcg_at_k(retrieved, grades, k, gain),
    ]
    return [retrieved, grades, k, gain], expected


def documents_and_their_bm25():
    terms = "abcdefg"[: RANDOM.randint(1, 7)]
    counts = [[RANDOM.choice([0, 0, 1, 1, 2, 5, 9]) for _ in terms] for _ in range(3)]
    query = [RANDOM.choice(terms + "z") for _ in range(RANDOM.randint(1, 5))]
    variant = RANDOM.choice([name for name in VARIANTS if name != "tf-idf"])
    k1, b = round(RANDOM.uniform(0, 3), 2), round(RANDOM.random(), 2)
    weighting = weigh(csr_matrix(counts), variant, k1, b)
    asked = [terms.index(term) for term in query if term in terms]
    weights = weighting.documents.toarray().astype(float)
    expected = (weights[:, asked] @ weighting.query[asked] + weighting.absent[asked].sum()).tolist()
    documents = [{term: tf for term, tf in zip(terms, row, strict=True) if tf} for row in counts]
    return [documents, query, variant, k1, b], expected


def a_plan_and_its_power():
    n = RANDOM.choice([2, 3, 5, 10, 30, 50, 100, 300, 1000, 5000])
    deviation, alpha = RANDOM.uniform(0.01, 0.5), RANDOM.choice([0.001, 0.01, 0.05, 0.1, 0.2])
    effect = RANDOM.choice([-1, 1]) * RANDOM.uniform(0, 6) * deviation / n**0.5
    return [n, effect, deviation, alpha], [normal_power(n, effect, deviation, alpha)]


def discount_of_2002(run, qrels, chosen):
    """nDCG@5 as lesson 03 writes it for the discount of 2002; no function of `helpers` has that discount."""

    def dcg(grades):
        return sum(grade / max(1, log2(rank)) for rank, grade in enumerate(grades[:5], start=1))

    def value(query_id, judged):
        ranked = ranking(query_id, run.get(query_id, []), Conventions(ties=chosen["ties"]))
        best = dcg(sorted((grade for grade in judged.values() if grade > 0), reverse=True))
        return dcg([max(judged.get(doc_id, 0), 0) for doc_id in ranked]) / best if best else 0.0

    return [sum(value(*pair) for pair in qrels.items()) / len(qrels)]


def a_run_and_its_mean():
    ids = [f"d{number}" for number in range(8)]
    qrels = {
        f"q{q}": {doc_id: RANDOM.choice([0, 0, 1, 2]) for doc_id in RANDOM.sample(ids, 4)} for q in range(3)
    }
    qrels["q0"] = {
        "d1": 2,
        "d5": 1,
        "d7": 0,
    }  # one query at least is missing nowhere and has a relevant document
    scores = [3.0, 2.0, 2.0 + 1e-9, 1.0, 1.0, 0.5, 0.25]
    run = {q: [[d, RANDOM.choice(scores)] for d in RANDOM.sample(ids, RANDOM.randint(1, 7))] for q in qrels}
    run["q0"] = [pair for pair in run["q0"] if pair[0] != "d7"] + [["d7", 0.25]]
    run = {
        q: sorted(pairs, key=lambda pair: -pair[1])
        for q, pairs in run.items()
        if q == "q0" or RANDOM.random() < 0.7
    }
    options = {
        "gain": ("linear", "exponential"),
        "ties": ("doc_id down", "as given"),
        "precision": ("k", "retrieved"),
        "missing_query": ("zero", "left out"),
        "no_relevant": ("zero", "left out"),
        "unjudged": ("not relevant", "condensed"),
    }
    chosen = {choice: RANDOM.choice(both) for choice, both in options.items()}
    metric = RANDOM.choice(["nDCG@5", "P@5", "Recall@5", "MRR", "MAP"])
    name, k = metric.removesuffix("@5"), 5
    if RANDOM.random() < 0.1:
        chosen = {choice: both[0] for choice, both in options.items()} | {"ties": chosen["ties"]}
        return [run, qrels, "nDCG", k, chosen | {"discount": "2002"}], discount_of_2002(run, qrels, chosen)
    found = evaluate_retrieval(run, qrels, metrics=[metric], conventions=Conventions(**chosen))
    return [run, qrels, name, k, chosen], [found[metric]]


PIECES = {
    "ranking": (
        a_ranking_and_its_metrics,
        "(r, g, k, f) => [our.precisionAtK(r, g, k), our.recallAtK(r, g, k), our.reciprocalRank(r, g), "
        "our.averagePrecision(r, g), our.dcgAtK(r, g, k, f), our.ndcgAtK(r, g, k, f)]",
        1e-12,
    ),
    # helpers keeps weights as 32-bit floats, which have some seven digits
    "bm25": (documents_and_their_bm25, "(...input) => our.bm25(...input).map(d => d.score)", 2e-6),
    "power": (a_plan_and_its_power, "(...input) => [our.normalPower(...input)]", 1e-9),
    "conventions": (a_run_and_its_mean, "(...input) => [our.evaluate(...input).mean]", 1e-12),
}
"""For each piece: what draws an input and its expected numbers, the call in the page, what may differ."""


STEPS = """{
  ranking: (piece) => {
    const up = () => piece.querySelector("[aria-label='move d3 up']");
    up().focus(); up().click(); up().click();
    return [piece.innerText, document.activeElement.getAttribute("aria-label")];
  },
  bm25: (piece) => {
    const b = piece.querySelectorAll("input[type=range]")[1];
    b.value = 1; b.dispatchEvent(new Event("input"));
    return [piece.querySelector("tbody").innerText];
  },
  power: (piece) => [piece.innerText],
  conventions: (piece) => {
    const ideal = [...piece.querySelectorAll("select")].find(s => s.options[1].text === "what was retrieved");
    ideal.value = "retrieved"; ideal.dispatchEvent(new Event("change"));
    return [piece.innerText];
  },
}"""
"""What a reader does on each page, and what is read there afterwards."""

RUN = """
const our = MeasureFirst, found = {apart: {}, seen: {}};
for (const name in calls) {
  let largest = 0, n = 0;
  for (const [input, expected] of cases[name]) {
    const values = calls[name](...input);
    if (values.length !== expected.length) throw new Error(name);
    expected.forEach((value, i) => {
      const apart = Math.abs(values[i] - value);
      largest = Math.max(largest, Number.isFinite(apart) ? apart : 1e9);
      n += 1;
    });
  }
  found.apart[name] = [largest, n];
}
for (const name in steps) found.seen[name] = steps[name](document.getElementById(name + "-piece"));
document.getElementById("found").textContent = btoa(unescape(encodeURIComponent(JSON.stringify(found))));
"""


def lab_data():
    """What `site/lab_data.py`, a module of no package, writes for the pages."""
    path = files.ROOT / "site" / "lab_data.py"
    spec = importlib.util.spec_from_file_location("site_lab_data", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.script()


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """One page computes all pieces and does what a reader does: how far numbers are apart, what is seen."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    folder = tmp_path_factory.mktemp("browser")
    cases = {name: [draw() for _ in range(N)] for name, (draw, _, _) in PIECES.items()}
    calls = ", ".join(f"{json.dumps(name)}: {call}" for name, (_, call, _) in PIECES.items())
    loaded = "".join(f'<script src="{path.as_uri()}"></script>' for path in SCRIPTS)
    shown = "".join(
        f'<div id="{name}-piece"></div><script src="{(STATIC / f"{name}_page.js").as_uri()}"></script>'
        for name in PIECES
    )
    page = folder / "page.html"
    page.write_text(
        f'<!DOCTYPE html><meta charset="utf-8">{loaded}<script>{lab_data()}</script>{shown}'
        '<pre id="found"></pre>'
        f"<script>const calls = {{{calls}}}, steps = {STEPS}, cases = {json.dumps(cases)};{RUN}</script>",
        encoding="utf-8",
    )
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    text = done.stdout.partition('<pre id="found">')[2].partition("</pre>")[0]
    assert text, f"the page computed nothing: {done.stderr[-2000:]}"
    return json.loads(base64.b64decode(text))


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_gives_the_numbers_of_helpers(name, found):
    largest, n = found["apart"][name]
    assert n >= N and largest <= PIECES[name][2]


def test_a_result_that_is_moved_up_twice_by_its_button_changes_the_metrics_and_keeps_the_focus(found):
    text, focus = found["seen"]["ranking"]
    grades = {"d1": 1, "d2": 0, "d3": 2, "d5": 1, "d9": 2}
    ranking = ["d3", "d1", "d2", "d4", "d5"]
    assert f"d3 is now at rank 1. AP {metrics.average_precision(ranking, grades):.4f}" in text
    assert f"nDCG@5 {metrics.ndcg_at_k(ranking, grades, 5):.4f}" in text
    assert focus == "move d3 down"  # at rank 1 it cannot go up


def test_full_weight_of_length_puts_the_short_document_first(found):
    (rows,) = found["seen"]["bm25"]
    assert rows.startswith("1. document 2")


def test_the_first_plan_has_the_power_of_the_formula(found):
    (text,) = found["seen"]["power"]
    assert f"a power of {normal_power(30, 0.05, 0.2):.3f}" in text and "takes 128 queries" in text
    assert normal_power(127, 0.05, 0.2) < 0.8 <= normal_power(128, 0.05, 0.2)


def test_an_ideal_of_what_was_retrieved_gives_the_value_of_lesson_03(found):
    (text,) = found["seen"]["conventions"]
    stored = json.loads((files.STORED_RESULTS / "03_metrics.json").read_text(encoding="utf-8"))[0]
    assert f"nDCG@10 = {stored['one run, eight nDCG@10']['ideal']:.4f}" in text
    assert "22 of 30 queries have another nDCG@10" in text
