"""The two pages of `scale_shards.py`: what was measured, and what a billion documents would take by it."""

from stored import HERE

BILLION = 1_000_000_000
CORES, MEMORY = 8, 64
"""The machine that the second page counts in, its memory in GB: an assumption, no measurement."""
SHARE = 0.75
"""How much of its memory is for postings."""
INTRO = """\
# BM25 over shards: the same bytes, and what they cost

Made-up collections have no text to analyse: a million of its documents come as texts in which each
character is a term, larger ones as shards whose terms are counted. BM25 is Lucene's, k1=0.9, b=0.4.
Queries have five terms. Times are CPU seconds of one process on one core: medians of {rounds} rounds in
turns, after one that warms up, and in brackets the fastest and the slowest round. The machine had other
work, so the clock, which is given beside, says little, and CPU seconds too are above those of a quiet
machine: compare within a table. A query alone goes through SciPy, since numba is loaded only where there
is more to do; a batch is compiled where nothing else is said.

Measured with Python {python}: {versions}. Written by `scale_shards.py`, which says how."""
REAL = """\
## Real text: equal, and what local statistics would give

`ShardedIndex` against `CsrBM25`, one-byte lengths, a thousand results a query, compared bit by bit. The
tables show the wrong way: each shard is an index for itself, with its own N, mean length and df.
Documents are dealt out in turn, and the lists merged by score, then id."""
LARGE = """\
## {documents:,} made-up documents

Written as 16 shards in {cpu:,.0f} CPU s ({clock:,.0f} s by the clock), making up the collection included,
with at most {most:,.0f} MiB of memory, of which about 2,000 are the made-up collection: {gb:.2f} GB on
disk for {postings:,} postings. Opened, every byte checked, in {opened:.0f} s. "One index" is made from
counts without any of the code for shards, and mapped from disk as they are. The runs are equal, {n}
queries with a hundred results each, bit by bit: {equal}."""
SCIPY = """\
The same one index without numba, and with it ({n} queries in a batch, top 100; results equal: {equal}).
At once: SciPy keeps a sum for each of the {documents:,} documents. In blocks: it takes {block:,} at a
time."""
DASK = """\
## Dask: two worker processes on this machine

Two workers started in {start:.1f} s. Shards on disk hold {disk:,} documents, those in memory {memory:,}.
CPU seconds are those of this process, in which Dask's scheduler runs too, and of both workers. Results
equal those of one index: {equal}. At the end the worker that held most shards was killed (SIGKILL). The
next search took {seconds:.1f} s by the clock, its results were equal ({after}), and {workers} workers
were there again."""
HUGE = """\
## {documents:,} made-up documents, out of core

{length} terms a document on average, in {shards} shards. The system allowed the process {limit:,} MiB of
memory of its own (RLIMIT_DATA). It wrote the index in {cpu:,.0f} CPU s ({clock:,.0f} s by the clock),
making up the collection included: {gb:.2f} GB on disk for {postings:,} postings. Opened, every byte
checked, in {opened:.0f} s.

A batch of {n} queries (top 100) took {cold[cpu]:.1f} CPU s and {cold[clock]:.1f} s by the clock when
nothing of the index was in memory. Later a query took {batch} CPU ms in such a batch, and {alone} alone
(top 10). The results were the same both times: {same}."""
BILLION_INTRO = """\
# What a billion documents would take

Nothing here was run: the numbers are computed from those of `scale_shards.md`. Assumed are documents,
terms and queries as in its collection of 8.8 million (57 terms a document, five a query, none a
stopword), costs in proportion to the number of documents, and machines of {cores} cores and {memory} GB,
{share:.0%} of that for postings. Real collections differ, above all in their terms: here are 200,000,
while those of real text grow with the collection, and so does the memory in which the statistics are
merged. A range goes from the least to the most that was measured, on a machine with other work."""
BILLION_END = """\
The table leaves out what was not measured: the network between machines, what waits for the slowest of
them, and copies for the case that one fails. Written by `scale_shards.py`."""


def write(found: dict) -> None:
    """Writes both pages from the parts that are there."""
    parts = {"real": real, "million": million, "large": large, "dask": dask, "huge": huge}
    machines = [part["machine"] for part in found.values()]
    versions = {name: number for one in machines for name, number in one["versions"].items()}
    head = INTRO.format(
        rounds=min(part["rounds"] for part in found.values()),
        python=machines[0]["python"],
        versions=", ".join(f"{name} {number}" for name, number in versions.items()),
    )
    sections = [one_line(head), *(one_line(parts[name](found[name])) for name in parts if name in found)]
    (HERE / "scale_shards.md").write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    if {"large", "million", "dask", "real"} <= found.keys():
        (HERE / "a_billion_documents.md").write_text(one_line(billion(found)) + "\n", encoding="utf-8")


def one_line(page: str) -> str:
    """Each paragraph on one line, as in the other pages; tables and headings stay."""
    blocks = page.split("\n\n")
    return "\n\n".join(block if block.startswith("|") else block.replace("\n", " ") for block in blocks)


def table(
    header: list[str], rows: list[list[object]], numbers_from: int = 1, until: int | None = None
) -> str:
    """A Markdown table; the columns from the second on, `until` another, are numbers."""
    until = len(header) if until is None else until
    rule = ["--:" if 1 <= i < until else "---" for i in range(len(header))]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [header, rule, *rows])


def spread(numbers: dict, digits: int = 2) -> str:
    """The median, and in brackets the least and the most."""
    middle, least, most = (f"{numbers[what]:,.{digits}f}" for what in ("median", "least", "most"))
    return f"{middle} ({least} to {most})"


def yes(equal: bool) -> str:
    return "yes" if equal else "**no**"


def searches(part: dict) -> str:
    """Milliseconds a query of each index, alone and in a batch."""
    header = [
        "index",
        "alone, top 10: CPU ms a query",
        "clock",
        "in a batch, top 100: CPU ms a query",
        "clock",
    ]
    rows = []
    for name, alone in part["alone"].items():
        cells = [(took["cpu"], took["clock"]["median"]) for took in (alone, part["batch"][name])]
        rows.append([name, *(cell for cpu, clock in cells for cell in (spread(cpu), f"{clock:.2f}"))])
    return table(header, rows)


def real(part: dict) -> str:
    blocks = [REAL]
    for name, one in part["collections"].items():
        equal, n = yes(one["equal with 1 to 16 shards"]), one["queries"]
        said = f"{one['documents']:,} documents, {n} queries. Equal with 1, 2, … 16 shards: {equal}."
        header = [
            "shards, each with its own statistics",
            "nDCG@10",
            "Recall@100",
            "queries with the same ten",
        ]
        rows = [
            [
                shards,
                *(f"{local[metric]:.4f}" for metric in ("nDCG@10", "Recall@100")),
                f"{local['queries with the same ten']} of {n}",
            ]
            for shards, local in one["local"].items()
        ]
        blocks += [f"**{name}**: {said}", table(header, rows)]
    took = spread(part["analysis ms"], 3)
    return "\n\n".join([*blocks, f"To analyse a document of SciFact, with stemming, takes {took} CPU ms."])


def million(part: dict) -> str:
    said = (
        f"## {part['documents']:,} made-up documents\n\nThe runs of all {len(part['batch'])} indexes are "
        f"equal, {part['queries in a batch']} queries with a hundred results each, bit by bit: "
        f"{yes(part['equal'])}."
    )
    made = [[name, f"{took['cpu']:.1f}", f"{took['clock']:.1f}"] for name, took in part["built"].items()]
    built = table(["index", "made in, CPU s", "clock, s"], made)
    return "\n\n".join([said, searches(part), built, *([scipy_paths(part)] if "scipy" in part else [])])


def large(part: dict) -> str:
    said = LARGE.format(
        documents=part["documents"],
        **part["written"],
        most=part["most MiB"],
        gb=sum(part["bytes"].values()) / 1e9,
        postings=part["postings"],
        opened=part["open seconds"],
        n=part["queries in a batch"],
        equal=yes(part["equal"]),
    )
    return "\n\n".join([said, searches(part), scipy_paths(part)])


def scipy_paths(part: dict) -> str:
    """One index without numba, through all documents at once and in blocks of them, and with numba."""
    scipy = part["scipy"]
    said = SCIPY.format(
        documents=part["documents"], n=scipy["queries"], equal=yes(scipy["equal"]), block=scipy["block"]
    )
    rows = [
        [name, spread(took["cpu"]), f"{took['clock']['median']:.1f}"] for name, took in scipy["batch"].items()
    ]
    return "\n\n".join([said, table(["path", "CPU ms a query", "clock"], rows)])


def by_scipy(part: dict, said: str) -> str:
    """What a page adds where batches were not compiled."""
    return (
        "" if part.get("compiled") else f" {said} went through SciPy: no shard alone was worth loading numba."
    )


def dask(part: dict) -> str:
    said = DASK.format(
        start=part["start seconds"],
        disk=part["documents on disk"],
        memory=part["documents in memory"],
        equal=yes(part["equal"]),
        seconds=part["seconds of that search"],
        after=yes(part["equal after a worker was killed"]),
        workers=part["workers in the end"],
    )
    small = " The batch over the small collection went through SciPy." if part.get("compiled") else ""
    return "\n\n".join([said + by_scipy(part, "Batches") + small, searches(part)])


def huge(part: dict) -> str:
    said = HUGE.format(
        documents=part["documents"],
        length=part["terms a document"],
        shards=part["shards"],
        limit=part["limit MiB"],
        **part["written"],
        gb=sum(part["bytes"].values()) / 1e9,
        postings=part["postings"],
        opened=part["open seconds"],
        n=part["queries in a batch"],
        cold=part["first batch, from disk"],
        batch=spread(part["batch"]["shards on disk"]["cpu"]),
        alone=spread(part["alone"]["shards on disk"]["cpu"]),
        same=yes(part["same from disk and from memory"]),
    )
    return said + by_scipy(part, "Batches too")


def billion(found: dict) -> str:
    """Each row: what, the middle, the range, and what it was computed from."""
    machines = size_rows(found)[1]
    rows = [*size_rows(found)[0], *build_rows(found, machines), *search_rows(found, machines)]
    intro = BILLION_INTRO.format(cores=CORES, memory=MEMORY, share=SHARE)
    return "\n\n".join([intro, table(["what", "computed", "range", "from"], rows, until=3), BILLION_END])


def size_rows(found: dict) -> tuple[list[list[str]], int]:
    """What it takes on disk, and how many machines hold it in memory."""
    part = found["large"]
    postings = part["postings"] / part["documents"]
    gb = 8 * postings
    ids = sum(part["bytes"][name] for name in ("ids.npy", "id_starts.npy", "numbers.npy")) / part["documents"]
    machines = int(-(-gb // (SHARE * MEMORY)))
    return [
        ["postings", f"{postings:.1f} billion", "", f"{postings:.1f} a document"],
        ["postings, in bytes", f"{gb:,.0f} GB", "", "8 bytes each, on disk as in memory"],
        ["ids and numbers of documents, on disk", f"{ids:,.0f} GB", "", "ids of nine characters"],
        ["machines that hold the postings", f"{machines}", "", f"{SHARE * MEMORY:.0f} GB on each"],
    ], machines


def build_rows(found: dict, machines: int) -> list[list[str]]:
    measured = [found[name] for name in ("large", "huge") if name in found]
    rates = [part["written"]["cpu"] / part["postings"] for part in measured]
    postings = found["large"]["postings"] / found["large"]["documents"] * BILLION
    hours = sorted(rate * postings / 3600 for rate in rates)
    analysis = {what: ms * BILLION / 3.6e6 for what, ms in found["real"]["analysis ms"].items()}
    first = rates[0] * postings / 3600
    both = [first + analysis["median"], hours[0] + analysis["least"], hours[-1] + analysis["most"]]
    middle, least, most = (hours / (machines * CORES) for hours in both)
    said = " and ".join(f"{1e9 * rate:.0f}" for rate in rates)
    spread_of_hours = f"{hours[0]:,.0f} to {hours[-1]:,.0f}" if len(hours) > 1 else ""
    in_hours = f"{analysis['least']:,.0f} to {analysis['most']:,.0f}"
    return [
        ["counting, weighing, writing", f"{first:,.0f} core hours", spread_of_hours,
         f"{said} CPU ns a posting, making up the collection included"],
        ["analysing real text, besides", f"{analysis['median']:,.0f} core hours", in_hours,
         "SciFact's abstracts, longer than 57 terms"],
        ["both, on all cores of these machines", f"{middle:.1f} hours", f"{least:.1f} to {most:.1f}",
         f"{machines * CORES} cores, and nothing that waits for another"],
    ]  # fmt: skip


def search_rows(found: dict, machines: int) -> list[list[str]]:
    part, cores = found["large"], machines * CORES
    scale = BILLION / part["documents"]
    one = {what: ms * scale for what, ms in part["batch"]["16 on disk"]["cpu"].items()}
    each = {what: ms / cores for what, ms in one.items()}
    # What a shard more costs beyond its postings, here and by Dask.
    alone, by_dask = found["million"]["alone"], found["dask"]["alone"]
    in_process = {name: took["cpu"]["median"] for name, took in alone.items()}
    more = (in_process["16 in memory"] - in_process["1 in memory"]) / 15
    two, many = (by_dask[name]["cpu"] for name in ("2 shards in memory", "16 shards on disk"))
    more_by_dask = max((many["median"] - in_process["16 on disk"] - two["median"]) / 14, 0)
    whole = {what: ms + more_by_dask * (cores - 2) for what, ms in two.items()}
    return [
        ["a query, all of it on one core", f"{one['median']:,.0f} CPU ms",
         f"{one['least']:,.0f} to {one['most']:,.0f}", "in a batch, top 100, 16 shards from disk"],
        ["a query, a shard on each core", f"{each['median']:.1f} ms",
         f"{each['least']:.1f} to {each['most']:.1f}", f"{cores} shards, all at once"],
        ["a shard more, in one process", f"{more:.2f} CPU ms a query", "", "alone, 1 and 16 shards"],
        ["Dask, two shards", f"{two['median']:.0f} CPU ms a query",
         f"{two['least']:.0f} to {two['most']:.0f}", "alone; nearly all of it is Dask's"],
        ["Dask, a shard more", f"{more_by_dask:.1f} CPU ms a query", "", "2 and 16 shards, less the search"],
        ["Dask, a shard on each core", f"{whole['median']:,.0f} CPU ms a query",
         f"{whole['least']:,.0f} to {whole['most']:,.0f}", "one client starts all searches and merges them"],
    ]  # fmt: skip
