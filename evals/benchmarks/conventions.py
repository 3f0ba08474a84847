"""What other tools call the nDCG@10 of one run, measured with the tools themselves: the evidence for lesson
03's lab.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt
    .venv/bin/python evals/benchmarks/conventions.py

writes `conventions.json` beside this file; a test holds the lab's table to it. The run is `title_words.run`,
the judgments are the course's. The lab wants one difference at a time: where a tool would bring in a second
one, its input is prepared so that it cannot, and `input` says how.
"""

import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import mean

from helpers.datasets import load_runbooks, trec

HERE = Path(__file__).parent
RUN = trec.read_run(HERE / "title_words.run")
QRELS = load_runbooks().qrels


def by_score_and_id(results: list[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(results, key=lambda pair: (-pair[1], pair[0]))


def by_rank(results: list[tuple[str, float]]) -> list[tuple[str, float]]:
    return [(doc_id, -float(i)) for i, (doc_id, _) in enumerate(results)]


# Ten are all that nDCG@10 reads, and few enough for ranx's sort to leave them in order.
IN_WIKI_ORDER = {query_id: dict(by_score_and_id(results)[:10]) for query_id, results in RUN.items()}
WITHOUT_TIES = {query_id: by_rank(results) for query_id, results in RUN.items()}


def pytrec_eval(missing: bool) -> float:
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(QRELS, {"ndcg_cut.10"})
    found = evaluator.evaluate({query_id: dict(results) for query_id, results in RUN.items()})
    return sum(values["ndcg_cut_10"] for values in found.values()) / (len(QRELS) if missing else len(found))


def beir() -> float:
    from beir.retrieval.evaluation import EvaluateRetrieval

    found = EvaluateRetrieval.evaluate(QRELS, {q: dict(results) for q, results in RUN.items()}, [10])
    return found[0]["NDCG@10"]


def ir_measures(**options) -> float:
    import ir_measures

    # gdeval, which it calls for `exp-log2`, takes only numbers for queries.
    def numbered(per_query: dict) -> dict:
        return {query_id[1:]: dict(values) for query_id, values in per_query.items()}

    measure = ir_measures.nDCG(**options) @ 10
    return ir_measures.calc_aggregate([measure], numbered(QRELS), numbered(RUN))[measure]


def ranx() -> float:
    from ranx import Qrels, Run, evaluate

    return float(evaluate(Qrels(QRELS), Run(IN_WIKI_ORDER), "ndcg@10", make_comparable=True))


def sentence_transformers() -> float:
    from sentence_transformers.evaluation import InformationRetrievalEvaluator

    relevant = {q: {d for d, grade in judged.items() if grade > 0} for q, judged in QRELS.items()}
    queries, corpus = dict.fromkeys(QRELS, ""), {doc_id: "" for judged in QRELS.values() for doc_id in judged}
    evaluator = InformationRetrievalEvaluator(queries, corpus, relevant, ndcg_at_k=[10])
    results = [
        [{"corpus_id": doc_id, "score": score} for doc_id, score in WITHOUT_TIES.get(q, [])]
        for q in evaluator.queries_ids
    ]
    return float(evaluator.compute_metrics(results)["ndcg@k"][10])


def scikit_learn() -> float:
    from sklearn.metrics import ndcg_score

    values = dict.fromkeys(QRELS, 0.0)
    for query_id, results in WITHOUT_TIES.items():
        grades = [QRELS[query_id].get(doc_id, 0) for doc_id, _ in results]
        values[query_id] = float(ndcg_score([grades], [[score for _, score in results]], k=10))
    return mean(values.values())


# fmt: off
TOOLS: list[tuple[str, str, str, Callable[[], float]]] = [
    ("nothing", "pytrec-eval-terrier", "the sum divided by all queries, as trec_eval -c does",
     lambda: pytrec_eval(True)),
    ("nothing", "ir-measures", "nDCG@10", ir_measures),
    ("missing query", "pytrec-eval-terrier", "the mean of what it returns", lambda: pytrec_eval(False)),
    ("missing query", "beir", "EvaluateRetrieval.evaluate; it rounds to five decimals", beir),
    ("gain", "ir-measures", "nDCG(dcg='exp-log2')@10, computed by gdeval",
     lambda: ir_measures(dcg="exp-log2")),
    ("equal scores", "ranx",
     "dicts of the first ten in the order of the wiki, make_comparable=True; its sort is not stable", ranx),
    ("yes or no", "sentence-transformers", "ranks for scores, so that ties play no part",
     sentence_transformers),
    ("answers only", "ir-measures", "nDCG(gains={1: 0, 2: 2})@10", lambda: ir_measures(gains={1: 0, 2: 2})),
    ("ideal", "scikit-learn",
     "the retrieved documents only, ranks for scores, the missing query as 0", scikit_learn),
]
# fmt: on
"""Which choice differs from trec_eval -c, the tool, how it was called, and the call."""


def main() -> None:
    rows = [
        {"choice": choice, "tool": tool, "version": version(tool), "input": how, "nDCG@10": call()}
        for choice, tool, how, call in TOOLS
    ]
    (HERE / "conventions.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    for row in rows:
        print(f"{row['choice']:14} {row['tool']:22} {row['version']:10} {row['nDCG@10']:.6f}  {row['input']}")


if __name__ == "__main__":
    main()
