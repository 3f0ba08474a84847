"""The page of `scale_vectors.py`, made of what it has measured."""

from collections.abc import Mapping


def table(found: Mapping) -> str:
    """The Markdown page."""
    made_by = ", ".join(f"{name} {number}" for name, number in found["machine"]["versions"].items())
    lines = [
        "# Approximate, compressed, filtered: what search by vectors loses",
        "",
        f"SciFact, {found['documents']:,} documents, {found['queries']} test queries, bundled vectors of "
        "all-MiniLM-L6-v2 (384 numbers). recall@10 is the share of the ten exact neighbours that are "
        "found; it and nDCG@10 are of the search for ten that was timed, Recall@100 (of the relevant "
        "documents) of a search for a hundred. Differences are to exact search, with 95 % t intervals over "
        "the queries, each for itself; † where p of the randomisation test, corrected by Holm over the "
        "table, is below 0.05. "
        '"First kept" is the share of queries whose exact nearest document is among the ten. IVF is an '
        "inverted file; HNSW has M 16 and efConstruction 80. Ours is NumPy, and its codes are made numbers "
        "again before they are multiplied: it shows what is lost, not what is possible.",
        "",
        f"Speed: queries per CPU-second of one thread, ten results each, all {found['queries']} given at "
        f"once, or one after the other; medians of {found['rounds']} rounds in turns after one that warms "
        f"up. Measured on {found['machine']['cpus']} cores with other work, Python "
        f"{found['machine']['python']}: {made_by}. Written by `scale_vectors.py`, which says how.",
        "",
        "| system | bytes a document | recall@10 | first kept | nDCG@10 | difference | Recall@100 | "
        "difference | at once | one by one |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(_system(name, row) for name, row in found["systems"].items()),
        "",
        *_pairs(found["pairs"]),
        *_another_k(found["another k"]),
        *_built_again(found["built again"]),
        *_filters(found["filters"]),
        *_made_up(found["made up"]),
        *_five_times(found["five times"]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _system(name: str, row: Mapping) -> str:
    speed = row["per CPU-second"]
    cells = [name, f"{row['bytes']:,.0f}", f"{row['recall@10']:.3f}", f"{row['kept by rank'][0]:.3f}"]
    for metric in ("nDCG@10", "Recall@100"):
        cells += [f"{row[metric]:.4f}", difference(row[f"{metric} compared"])]
    cells += [f"{speed[way]['seconds']:,.0f}" for way in ("together", "alone")]
    return f"| {' | '.join(cells)} |"


def difference(row: Mapping | None) -> str:
    """A difference with its interval, and a dagger where it is shown."""
    if row is None:
        return ""
    mark = " †" if row["corrected p"] < 0.05 else ""
    return f"{row['difference']:+.4f} [{row['low']:+.4f}, {row['high']:+.4f}]{mark}"


def _pairs(pairs: Mapping) -> list[str]:
    lines = ["Two with the same recall@10, compared with each other in nDCG@10:", ""]
    lines += ["| pair | difference | win / loss |", "|---|--:|--:|"]
    for name, row in pairs.items():
        lines.append(f"| {name} | {difference(row)} | {row['win']:.0f} / {row['loss']:.0f} |")
    return [*lines, ""]


def _another_k(found: Mapping) -> list[str]:
    lines = [
        "## The k that is timed is the k that is judged",
        "",
        "recall@10 of the first ten results, of a search for ten and of one for a hundred with the same ef. "
        "usearch widens ef to k, faiss does not. Recall of the second search beside the speed of the first "
        "belongs to no search.",
        "",
        "| | of a search for 10 | queries per CPU-second | of a search for 100 | queries per CPU-second |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, row in found.items():
        cells = [f"{row[k]['recall@10']:.3f} | {row[k]['per second']:,.0f}" for k in ("10", "100")]
        lines.append(f"| HNSW of {name} | {' | '.join(cells)} |")
    return [*lines, ""]


def _built_again(found: Mapping) -> list[str]:
    lines = [
        "## Built again",
        "",
        "Five inverted files with other seeds of k-means, five graphs (faiss) with the documents inserted in "
        "other orders: the mean of the five, with the lowest and highest.",
        "",
        "| | recall@10 | nDCG@10 |",
        "|---|--:|--:|",
    ]
    for name, row in found.items():
        cells = [
            f"{mean:.4f} ({low:.4f} to {high:.4f})" for low, mean, high in (row["recall@10"], row["nDCG@10"])
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, ""]


def _filters(found: Mapping) -> list[str]:
    least, mean, most = found["kept"]
    lines = [
        "## A filter that keeps a hundredth",
        "",
        "Documents are in a hundred groups drawn at random; each query is asked within that of its first "
        f"relevant document ({least} to {most} documents, {mean:.0f} on average), and judged by what is "
        "relevant there. recall@10 is of the ten exact neighbours within the group. *Before*: only the group "
        "is searched, or counts while a graph is walked. *After, of n*: the n nearest of all are fetched, "
        "then the group's are kept. One query at a time.",
        "",
        "| search | recall@10 | results | nDCG@10 | difference | CPU microseconds a query |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, row in found["systems"].items():
        cells = [name, f"{row['recall@10']:.3f}", f"{row['results']:.1f}", f"{row['nDCG@10']:.4f}"]
        cells += [difference(row["nDCG@10 compared"]), f"{row['microseconds']:,.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def _made_up(found: Mapping) -> list[str]:
    lines = [
        "## Made-up vectors",
        "",
        "recall@10 with 95 % intervals over the queries. As many documents, queries and dimensions as "
        "SciFact has: around 100 centres with noise 0.6 times as long as they, or directions drawn evenly.",
        "",
        f"| system | {' | '.join(found)} |",
        "|---|" + "--:|" * len(found),
    ]
    for name in found["SciFact"]:
        cells = [
            f"{mean:.3f} [{low:.3f}, {high:.3f}]" for mean, low, high in (of[name] for of in found.values())
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, ""]


def _five_times(found: Mapping) -> list[str]:
    lines = [
        "## The same parameters, five times the documents",
        "",
        "SciFact's abstracts, and SciFact cut into pieces of 64 tokens, all of them real vectors. The "
        "documents are dealt into fifths at random; each fifth has an index of its own, and so have all "
        "together. The number of cells follows the number of vectors (4 √n, at most n/39), everything else "
        "stays. recall@10 against exact search of the same set: the mean of the fifths, their lowest and "
        "highest, then all, and the difference with its 95 % interval over the queries.",
        "",
    ]
    for what, part in found.items():
        sizes = part["sizes"]
        lines += [
            f"| {what}: {sum(sizes):,}, a fifth about {sum(sizes) / 5:,.0f} | a fifth | all | difference |"
        ]
        lines += ["|---|--:|--:|--:|"]
        for name, row in part["systems"].items():
            low, mean, high = row["fifths"]
            cells = [name, f"{mean:.3f} ({low:.3f} to {high:.3f})", f"{row['all']:.3f}"]
            cells += ["{:+.3f} [{:+.3f}, {:+.3f}]".format(*row["difference"])]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return lines
