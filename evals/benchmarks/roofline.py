"""How near the compiled search comes to what one core gets from memory, and what was tried to come nearer.

    .venv/bin/pip install -r evals/benchmarks/requirements.txt
    .venv/bin/python evals/benchmarks/roofline.py

writes `roofline.json` and `roofline.md` beside this file. Everything runs on one thread and is counted in CPU
seconds; the loops take turns in one process. The postings are made up, with the shares of documents that
`zipf` gives its terms, and only those of terms that a query asks for are made: so 8.8 million documents need
less than 4 GB. Each search is held to the same documents and scores, to the last bit.
"""

import argparse
import os
import time
from collections.abc import Callable

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import numpy as np  # noqa: E402
import zipf  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402
from stored import machine, store  # noqa: E402
from turns import in_turn  # noqa: E402

from helpers.retrieval import SparseIndex, compiled  # noqa: E402

SIZES = (100_000, 1_000_000, 8_841_823)
SHAPES = tuple((terms, k) for terms in (2, 5, 15) for k in (10, 100))
POSTINGS_A_ROUND = 10_000_000
SUMS = (1 << 12, 1 << 13, 1 << 15, 1 << 17, 1 << 20, 8_841_823, 1 << 26)
BLOCKS = (1 << 11, 1 << 15, 1 << 18)
KEPT, BEFORE, READ = "kept", "before", "postings read once"
EIGHT_BITS, MAXIMA = "impacts of 8 bits, rescored", "maxima of 64 sums"
Postings = tuple[np.ndarray, np.ndarray, np.ndarray]


def queries(n: int, n_terms: int) -> np.ndarray:
    """n queries of so many different terms, drawn as `zipf` draws those of five."""
    rng, rows = np.random.default_rng(n_terms), []
    drawn = zipf.queries(20 * n, seed=n_terms).ravel()
    for _ in range(n):
        row = np.unique(rng.choice(drawn, n_terms))
        while len(row) < n_terms:
            row = np.unique(np.append(row, rng.choice(drawn)))
        rows.append(row)
    return np.array(rows)


def postings(n: int, terms: np.ndarray, seed: int = 0) -> Postings:
    """Starts, documents and BM25's weights (without idf; k1=0.9, b=0.4) of some of `zipf`'s terms in n
    documents."""
    rng = np.random.default_rng(seed)
    lengths = np.clip(rng.lognormal(np.log(57) - 0.125, 0.5, n), 1, None).astype(np.int64)
    odds = 1 / (np.arange(zipf.N_TERMS) + 2.7)
    chances = (odds / odds.sum())[terms]
    normalizer = (0.9 * (0.6 + 0.4 * lengths / lengths.mean())).astype(np.float32)
    documents, weights = [], []
    for chance in chances:
        share = 1 - np.mean((1 - chance) ** lengths[:10_000])
        gaps = rng.geometric(share, int(n * share + 6 * np.sqrt(n * share) + 20))
        found = np.cumsum(gaps) - 1
        documents.append(found[found < n].astype(np.int32))
        tf = 1 + rng.poisson(57 * chance, len(documents[-1])).astype(np.float32)
        weights.append(tf / (tf + normalizer[documents[-1]]))
    starts = np.concatenate([[0], np.cumsum([len(found) for found in documents])])
    return starts, np.concatenate(documents), np.concatenate(weights).astype(np.float32)


def with_blocks_of(documents: int) -> Callable:
    """Our loop, compiled anew with another number of documents at a time."""
    from numba import njit

    kept, compiled.DOCUMENTS_AT_A_TIME = compiled.DOCUMENTS_AT_A_TIME, documents
    try:
        loop = njit(nogil=True)(compiled.search_queries.py_func)
        loop.compile(compiled.search_queries.signatures[0])
    finally:
        compiled.DOCUMENTS_AT_A_TIME = kept
    return loop


def bandwidth(rounds: int) -> dict:
    """Gigabytes a second of one core, and nanoseconds a posting by the number of sums that it may fall on."""
    import roofline_loops as loops

    rng = np.random.default_rng(0)
    numbers, (a, b, c) = np.ones(1 << 27, np.int32), (np.ones(1 << 25) for _ in range(3))
    places, weights = rng.integers(0, 1 << 30, 1 << 24, dtype=np.int32), np.ones(1 << 24, np.float32)
    within = {n: (places % n).astype(np.int32) for n in SUMS}
    sums = {n: np.zeros(n) for n in SUMS}
    tools = {
        "read": lambda: loops.read(numbers),
        "triad": lambda: loops.triad(a, b, c),
        **{str(n): lambda n=n: loops.add_at(within[n], weights, sums[n]) for n in SUMS},
        "add and take": lambda: loops.add_and_take(within[1 << 13], weights, sums[1 << 13], 1 << 9),
    }
    taken, _ = in_turn(tools, rounds, "memory", time.process_time)
    moved = {"read": numbers.nbytes, "triad": 3 * a.nbytes}

    def rate(name: str, which: str) -> float:
        seconds = taken[name][which]
        return moved[name] / seconds / 1e9 if name in moved else seconds / len(places) * 1e9

    return {name: {which: rate(name, which) for which in ("seconds", "fastest")} for name in tools}


def searches(n: int, rounds: int, tried: dict[str, Callable]) -> list[dict]:
    """For every shape of query, microseconds a query of each loop in turns."""
    asked = {n_terms: queries(300, n_terms) for n_terms in sorted({n_terms for n_terms, _ in SHAPES})}
    terms = np.unique(np.concatenate([rows.ravel() for rows in asked.values()]))
    made = postings(n, terms)
    df = np.diff(made[0])
    idf = np.log(1 + (n - df + 0.5) / (df + 0.5)).astype(np.float32)
    rows = []
    for n_terms, k in SHAPES:
        # As many queries as read so many postings in a round.
        columns = np.searchsorted(terms, asked[n_terms]).astype(np.int32)
        read = np.cumsum(df[columns].sum(axis=1))
        columns = columns[: max(5, int(np.searchsorted(read, POSTINGS_A_ROUND)))]
        query = np.arange(len(columns) + 1) * n_terms, columns.ravel(), idf[columns.ravel()]
        taken, kth_best = measured(query, made, n, k, rounds, tried)
        rows.append(
            {
                "documents": n,
                "terms": n_terms,
                "k": k,
                "queries": len(columns),
                "postings": int(read[len(columns) - 1]) / len(columns),
                "impact order": impact_order(query, made, kth_best),
                "microseconds": {
                    name: {which: row[which] / len(columns) * 1e6 for which in ("seconds", "fastest")}
                    for name, row in taken.items()
                },
            }
        )
    return rows


def measured(
    query: Postings, made: Postings, n: int, k: int, rounds: int, tried: dict[str, Callable]
) -> tuple[dict, np.ndarray]:
    """What `in_turn` says of each loop, and the k-th best score of each query; all loops must agree."""
    import roofline_loops as loops

    impacts, _ = loops.in_eight_bits(made[2])

    def search(loop: Callable, *more: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shape = len(query[0]) - 1, k
        best = np.full(shape, -1, np.int32), np.zeros(shape, np.float32)
        loop(*query, *made, *more, n, k, *best)
        return best

    tools = {
        READ: lambda: loops.read_postings(query[1], *made[:2], made[2].view(np.int32)),
        **{name: lambda loop=loop: search(loop) for name, loop in tried.items()},
        EIGHT_BITS: lambda: search(loops.eight_bits, impacts),
    }
    taken, found = in_turn(tools, rounds, f"{n:,} documents, top {k}", time.process_time)
    for name in set(found) - {READ}:
        for part, expected in zip(found[name], found[KEPT], strict=True):
            assert part.tobytes() == expected.tobytes(), name
    return taken, found[KEPT][1][:, -1]


def impact_order(query: Postings, made: Postings, kth_best: np.ndarray) -> float:
    """The least share of its postings that a query must read if each list is in descending order of weight.

    All that contribute at least as much as some bound are read. A document that was not met by then scores at
    most the sum of the greatest contributions left, one of each term; the bound is the highest with which
    that sum is below the k-th best score. (The best documents must then still be completed: not counted.)
    """
    q_start, q_term, q_weight = query
    starts, _, weights = made
    read = total = 0
    for row in range(min(20, len(q_start) - 1)):
        lists = [
            np.sort(q_weight[j] * weights[starts[q_term[j]] : starts[q_term[j] + 1]])
            for j in range(q_start[row], q_start[row + 1])
        ]
        low, high = 0.0, max(part[-1] for part in lists if len(part)) * 1.01
        for _ in range(30):
            middle = (low + high) / 2
            unread = [np.searchsorted(part, middle) for part in lists]
            rest = sum(part[n - 1] for part, n in zip(lists, unread, strict=True) if n)
            low, high = (middle, high) if rest < kth_best[row] else (low, middle)
        read += sum(len(part) - np.searchsorted(part, low) for part in lists)
        total += sum(map(len, lists))
    return float(read / total)


def learned(n: int) -> dict:
    """The same share for postings of splade-tiny, where its weights and SciFact are: n of its documents."""
    from helpers.datasets import find_beir, load_beir
    from helpers.encoders import find_weights, load_encoder

    if find_beir("scifact") is None or find_weights("splade-tiny") is None:
        return {}
    dataset, encoder = load_beir("scifact"), load_encoder(find_weights("splade-tiny"), max_tokens=256)
    texts = [dataset.corpus[doc_id] for doc_id in sorted(dataset.corpus)[:n]]
    asked = [dataset.queries[query_id] for query_id in sorted(dataset.queries)[:20]]
    index = SparseIndex(csr_matrix(encoder.encode_documents(texts)), "scipy")
    encoded = csr_matrix(encoder.encode_queries(asked))
    query = (encoded.indptr, encoded.indices, encoded.data)
    made = (index.starts, index.documents, index.weights)
    shares = {str(k): impact_order(query, made, index.search(encoded, k)[1][:, -1]) for k in (10, 100)}
    return {"documents": n, "share": shares, "terms a query": encoded.nnz / encoded.shape[0]}


def us(row: dict, name: str, which: str = "seconds") -> float:
    return row["microseconds"][name][which]


def both(row: dict, of: str, to: str = KEPT) -> str:
    """How many times as long one loop takes as another: by the medians, and by the fastest rounds."""
    return f"{us(row, of) / us(row, to):.2f} ({us(row, of, 'fastest') / us(row, to, 'fastest'):.2f})"


def memory_table(memory: dict) -> list[str]:
    """What `bandwidth` found."""
    value = {name: f"{row['seconds']:.2f} ({row['fastest']:.2f})" for name, row in memory.items()}
    adding = [
        f"| add a posting to one of {int(n):,} sums ({int(n) / 2**17:,.2f} MiB), at random | {value[n]} ns |"
        for n in memory
        if n.isdigit()
    ]
    taking = "| add a posting to one of 8,192 sums, later read the sum and set it to zero | "
    return [
        "## What one core gets from the memory",
        "",
        "| | |",
        "|---|--:|",
        f"| read one array of 512 MiB | {value['read']} GB/s |",
        f"| triad, a = b + 3 · c | {value['triad']} GB/s |",
        *adding,
        f"{taking}{value['add and take']} ns |",
    ]


def query_table(rows: list[dict], memory: dict) -> list[str]:
    """The floor, our loop and the loop before it; what it says of 1,000,000 documents, top 100."""
    named = [row for row in rows if (row["documents"], row["terms"], row["k"]) == (1_000_000, 5, 100)]
    asked = (named or rows)[-1]
    share, best = (us(asked, READ, which) / us(asked, KEPT, which) for which in ("seconds", "fastest"))
    from_memory = {which: 8 * asked["postings"] / rate / 1e3 for which, rate in memory["read"].items()}
    core = {row["postings"]: memory["add and take"]["seconds"] * row["postings"] / 1e3 for row in rows}
    lines = [
        f"| {row['documents']:,} | {row['terms']} | {row['k']} | {row['postings']:,.0f} | "
        f"{us(row, READ):.1f} | {core[row['postings']]:.1f} | "
        f"{us(row, KEPT):.1f} ({us(row, KEPT, 'fastest'):.1f}) | "
        f"{us(row, BEFORE):.1f} ({us(row, BEFORE, 'fastest'):.1f}) | {both(row, BEFORE)} | "
        f"{us(row, READ) / us(row, KEPT):.2f} |"
        for row in rows
    ]
    return [
        "## A query: the floor, our loop, and the loop before it",
        "",
        "*Floor*: the query's postings, eight bytes each, read once and not used. *Sums*: the last row above "
        "times the postings, so adding up with nothing else to do; an estimate and no bound, since it was "
        "measured apart and at places in no order, while those of a term ascend. µs a query.",
        "",
        "| documents | terms | top | postings | floor | sums | kept | before | before / kept "
        "| floor / kept |",
        "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *lines,
        "",
        f"At {asked['documents']:,} documents, {asked['terms']} terms, top {asked['k']}, our loop takes "
        f"{us(asked, KEPT):.0f} µs ({us(asked, KEPT, 'fastest'):.0f} in the fastest round). Reading its "
        f"postings at the rate of the first row would take {from_memory['seconds']:.0f} "
        f"({from_memory['fastest']:.0f}), so it reaches "
        f"**{from_memory['seconds'] / us(asked, KEPT):.0%}** "
        f"({from_memory['fastest'] / us(asked, KEPT, 'fastest'):.0%}) of what the memory allows; of what "
        f"reading these very postings took, {share:.0%} ({best:.0%}). Half is not reached. What holds it is "
        "not the memory: adding the postings to sums and taking the sums out again takes some "
        f"{core[asked['postings']]:.0f} µs even where all sums lie beside the core and nothing is chosen "
        "(two loads and two stores a posting). The rest is the choice of the best, and the ends of "
        "terms in each block.",
        "",
        "What changed from *before* to *kept*: positions in the postings without a sign (compiled code asks "
        "of a signed one whether it counts from the end), blocks of 2^13 documents in place of 2^15, one "
        "question for four postings whether the block has ended, and rounding only of sums that can be among "
        "the best.",
    ]


def tried_table(rows: list[dict], tried: list[str]) -> list[str]:
    """How much faster than the loop before each loop is that was tried; what it did."""
    return [
        "## What was tried and not kept",
        "",
        "How many times as fast as *before*, by the medians and by the fastest rounds; *kept* beside it.",
        "",
        "| documents | terms | top | kept | " + " | ".join(tried) + " |",
        "|--:|--:|--:|--:|" + "--:|" * len(tried),
        *(
            f"| {row['documents']:,} | {row['terms']} | {row['k']} | "
            + " | ".join(both(row, BEFORE, name) for name in [KEPT, *tried])
            + " |"
            for row in rows
        ),
        "",
        f"- *{MAXIMA}*: no second pass over the postings; all sums of the block are looked through, 64 at a "
        "time, and set to zero together.",
        f"- *{EIGHT_BITS}*: postings of five bytes, sums of 16 bits, rounded up, the same maxima; all "
        "documents that the rounding leaves possible are then scored exactly, by looking up their postings. "
        "Part of the loss is that of the maxima, and with fifteen terms the rounding leaves many possible. "
        "Impacts of 16 bits were not written: by the first table, sums of half the size save at most the "
        "step from 8,192 sums to 4,096.",
        "- *Documents in another order*: not measured. SciFact's 5,183 documents, and the runbooks, are "
        "fewer than one block, so no order can change which sums a block touches, and made-up documents "
        "have no order to find.",
    ]


def impact_table(rows: list[dict], memory: dict) -> list[str]:
    """What postings in the order of impact could save, and what it would cost to add them."""
    sums = [int(n) for n in memory if n.isdigit()]
    lines = []
    for row in rows:
        at_random = memory[str(min(sums, key=lambda n, row=row: abs(np.log(n / row["documents"]))))][
            "seconds"
        ]
        least = row["impact order"] * row["postings"] * at_random / 1e3
        lines.append(
            f"| {row['documents']:,} | {row['terms']} | {row['k']} | {row['impact order']:.0%} | "
            f"{least:.0f} | {us(row, KEPT):.0f} |"
        )
    return [
        "## Postings in the order of impact",
        "",
        "No such loop was written; this is an estimate of what one would need at the least. *To be read*: "
        "the smallest share of its postings that a query must read before no unseen document can be among "
        "the best. The documents of a list then come in no order, so each posting falls on a sum anywhere in "
        "memory: *at least* is the first table's time for that, with the number of sums next to that of the "
        "documents. The best must then still be chosen, and completed. µs a query.",
        "",
        "| documents | terms | top | to be read | at least | kept |",
        "|--:|--:|--:|--:|--:|--:|",
        *lines,
        "",
        "With two terms there is room, before the best are chosen and completed; with five there is little, "
        "and with fifteen terms in 8.8 million documents adding alone would take longer than our whole "
        "search. Such an index would hold every posting a second time, in the other order.",
    ]


def learned_line(found: dict) -> list[str]:
    """The share of `learned` in words, where it was measured."""
    if not found:
        return []
    return [
        "",
        f"To be read of the postings of splade-tiny, {found['documents']:,} documents of SciFact, 20 queries "
        f"of {found['terms a query']:.0f} terms: {found['share']['10']:.0%} for the top 10, "
        f"{found['share']['100']:.0%} for the top 100. That collection is small (10 documents are "
        f"{10 / found['documents']:.0%} of it), so these shares say little of a large one.",
    ]


def table(found: dict) -> str:
    """The Markdown page of one measurement."""
    made_of = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    loads = ", ".join(f"{load:.1f}" for load in found["load"])
    lines = [
        "# The compiled search and the memory: a roofline",
        "",
        f"One core, CPU seconds, medians of {found['rounds']} rounds in turns after one that warms up (in "
        "brackets: the fastest round). Other work ran on the machine meanwhile: its load average, taken "
        f"between the parts, was {loads} on {found['cpus']} cores. So compare what took turns, in one row. "
        "Every loop finds the same documents and scores, to the last bit.",
        "",
        f"Measured with Python {found['python']}: {made_of}. Written by `roofline.py`, which says how.",
        "",
        *memory_table(found["memory"]),
        "",
        *query_table(found["searches"], found["memory"]),
        "",
        *tried_table(found["searches"], found["tried"]),
        "",
        *impact_table(found["searches"], found["memory"]),
        *learned_line(found["learned"]),
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="documents, separated by commas")
    parser.add_argument("--rounds", type=int, default=5, help="rounds after the first one (default: 5)")
    parser.add_argument("--learned", type=int, default=500, help="documents that splade-tiny encodes")
    chosen = parser.parse_args()
    import roofline_loops as loops

    # One search, so that our loop is compiled for the types that `with_blocks_of` takes over.
    SparseIndex(csr_matrix(np.eye(3, dtype=np.float32)), "compiled").search(csr_matrix(np.eye(3)), 1)
    tried = {f"blocks of {documents:,}": with_blocks_of(documents) for documents in BLOCKS}
    tried[MAXIMA] = loops.block_maxima
    found = {"rounds": chosen.rounds, **machine(("numba", "numpy", "scipy"))}
    found |= {"tried": [*tried, EIGHT_BITS], "load": [os.getloadavg()[0]], "searches": []}
    found["memory"] = bandwidth(chosen.rounds)
    for n in map(int, chosen.sizes.split(",")):
        found["load"].append(os.getloadavg()[0])
        loops_in_turn = {KEPT: compiled.search_queries, BEFORE: loops.before, **tried}
        found["searches"] += searches(n, chosen.rounds, loops_in_turn)
    found["load"].append(os.getloadavg()[0])
    found["learned"] = learned(chosen.learned) if chosen.learned else {}
    store("roofline", found, table(found))


if __name__ == "__main__":
    main()
