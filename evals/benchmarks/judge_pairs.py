"""The pairs of a query and a passage that judges were asked about: drawn, printed to be read, recorded.

    .venv/bin/python evals/benchmarks/judge_pairs.py show > pairs.txt
    .venv/bin/python evals/benchmarks/judge_pairs.py record verdicts.txt --model NAME --date 2026-11-22

Ninety queries are drawn by lot from the 150, the 15 that nothing answers among them. (Six were left out of
the draw: the model that judged had seen labels of theirs.) Every passage that one of four systems has among
its first five for one of them is a pair, so the systems' first five are judged whole, and can be compared by
any of the judges. `show` prints the pairs in random order, without labels, systems or ranks. `record` takes
one digit a pair, in that order, and writes them with the verdicts of two judges that compute.
"""

import argparse
import re
from functools import partial
from pathlib import Path

import numpy as np

from helpers.base import files
from helpers.datasets import load_runbooks
from helpers.encoders import bundled_model
from helpers.judgments import JUDGES, CosineJudge, OverlapJudge, write_verdicts
from helpers.judgments.judges import PROMPT
from helpers.records import Chunk, Corpus, Queries, Run
from helpers.retrieval import CsrBM25, DenseRetriever, LatentRetriever, fuse
from helpers.text import chunk_corpus, chunk_fixed, load_stand_in, to_corpus

SEED, N_QUERIES, DEPTH = 2210, 90, 5
SEEN = ("q01", "q02", "q05", "q31", "q32", "q109")
"""Queries with labels that the judging model had seen before."""
CUT = partial(chunk_fixed, chunk_size=200, overlap=50, encoding=load_stand_in())


def collection() -> tuple[Corpus, Queries]:
    """The pages, and all 150 queries."""
    every, unanswered = load_runbooks(queries="all"), load_runbooks(queries="unanswered")
    return every.corpus, dict(sorted((every.queries | unanswered.queries).items()))


def passage_runs(corpus: Corpus, queries: Queries) -> tuple[dict[str, Chunk], dict[str, Run]]:
    """The passages by id, and what four systems retrieve of them."""
    chunks = {chunk.chunk_id: chunk for chunk in chunk_corpus(corpus, CUT)}
    texts = to_corpus(chunks.values())
    engines = {
        "BM25": CsrBM25(texts, lucene_lengths=True),
        "latent semantic": LatentRetriever(texts),
        "MiniLM": DenseRetriever(texts, bundled_model("runbooks")),
    }
    runs = {name: engine.search(queries, k=1000) for name, engine in engines.items()}
    return chunks, runs | {"hybrid": fuse([runs["BM25"], runs["MiniLM"]], "z")}


def drawn_pairs() -> list[dict]:
    """`query_id`, `doc_id`, `start`, `end` and `ranks` of each pair, in the order in which they were read."""
    corpus, queries = collection()
    rng = np.random.default_rng(SEED)
    open_queries = [query_id for query_id in queries if query_id not in SEEN]
    chosen = sorted(rng.choice(open_queries, size=N_QUERIES, replace=False).tolist())
    chunks, runs = passage_runs(corpus, {query_id: queries[query_id] for query_id in chosen})
    ranks: dict[tuple[str, str], dict[str, int]] = {}
    for name, run in runs.items():
        for query_id, results in run.items():
            for rank, (chunk_id, _) in enumerate(results[:DEPTH], start=1):
                ranks.setdefault((query_id, chunk_id), {})[name] = rank
    pairs = [
        {
            "query_id": q,
            "doc_id": chunks[c].doc_id,
            "start": chunks[c].start,
            "end": chunks[c].end,
            "ranks": r,
        }
        for (q, c), r in ranks.items()
    ]
    return [pairs[place] for place in rng.permutation(len(pairs))]


def show() -> None:
    corpus, queries = collection()
    for number, pair in enumerate(drawn_pairs(), start=1):
        passage = corpus[pair["doc_id"]][pair["start"] : pair["end"]].strip()
        print(f"#{number} Q: {queries[pair['query_id']]}\n{passage}")


def record(path: Path, model: str, date: str) -> None:
    corpus, queries = collection()
    pairs, digits = drawn_pairs(), re.findall(r"\d", path.read_text(encoding="utf-8"))
    if len(digits) != len(pairs):
        raise ValueError(f"{path}: {len(digits)} digits; needed one for each of {len(pairs)} pairs")
    texts = [(queries[p["query_id"]], corpus[p["doc_id"]][p["start"] : p["end"]]) for p in pairs]
    computed = [CosineJudge(bundled_model("runbooks"))(texts), OverlapJudge(corpus)(texts)]
    rows = [
        pair | dict(zip(JUDGES, (int(digit), round(cosine, 4), round(overlap, 4)), strict=True))
        for pair, digit, cosine, overlap in zip(pairs, digits, *computed, strict=True)
    ]
    about = {
        "model": model,
        "date": date,
        "prompt": PROMPT,
        "read": "every pair once, in random order, without labels, systems or ranks",
        "cosine": "all-MiniLM-L6-v2, query and passage",
        "word overlap": "share of the query's terms, by idf, that the passage has",
    }
    print(write_verdicts(about, rows, corpus, queries, files.JUDGE_VERDICTS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("show", help="print the pairs, to be read by a judge")
    recorder = verbs.add_parser("record", help="write what the judge said, with the two computed judges")
    recorder.add_argument("verdicts", type=Path, help="one digit a pair, in the order shown")
    recorder.add_argument("--model", required=True, help="who judged")
    recorder.add_argument("--date", required=True, help="when, such as 2026-11-22")
    chosen = parser.parse_args()
    if chosen.verb == "show":
        show()
    else:
        record(chosen.verdicts, chosen.model, chosen.date)


if __name__ == "__main__":
    main()
