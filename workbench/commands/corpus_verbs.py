"""The verbs for documents: `new`, `init`, `ingest`, `build`, `query`. Words and exit codes only."""

import argparse
import dataclasses
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

from workbench.backends import BACKENDS, CHUNKERS, FULL_TEXT
from workbench.commands.arguments import (
    add_budget,
    add_corpus,
    budget,
    existing_path,
    fail,
    number_or_zero,
    one_line,
    path_type,
    shown,
    whole_number,
)

if TYPE_CHECKING:
    from workbench.snapshots import Manifest, Snapshot

ANALYZERS = ("lucene_english", "plain", "plain_stemmed", "plain_stopped")
"""What `--analyzer` takes; held to `helpers.text` by a test, for `--help` must need nothing installed."""

EXAMPLES = {
    "new": "new my-eval --docs my_docs",
    "init": "init build/wiki",
    "ingest": "ingest --corpus build/wiki evals/corpus",
    "build": "build --corpus build/wiki --backend csr-bm25 --chunker paragraphs --parameter k1=0.9",
    "query": "query --corpus build/wiki --max-total-items 3 'checkout-api pods OOM killed'",
}
"""One command of each verb, shown at the end of its help."""


def add(verbs: argparse._SubParsersAction) -> None:
    """Adds the five verbs to the parser of the command line."""
    _add_init(verbs)
    _add_ingest(verbs)
    _add_build(verbs)
    _add_query(verbs)
    _add_new(verbs)


def _add_init(verbs: argparse._SubParsersAction) -> None:
    init = verbs.add_parser(
        "init",
        help="make an empty corpus in a folder of its own",
        description="Makes a folder that holds a corpus: its documents, and beside them its snapshots, "
        "datasets and reports. The folder must be new or empty.",
    )
    init.add_argument("corpus", type=path_type, metavar="DIR", help="the folder to make")
    init.add_argument("--name", help="what reports call the corpus (default: the folder's name)")
    init.set_defaults(command=_init)


def _init(chosen: argparse.Namespace) -> int:
    from workbench.corpus import CorpusFolder

    CorpusFolder.init(chosen.corpus, chosen.name)
    print(f"made an empty corpus in {shown(chosen.corpus)}")
    print(f"next: python -m workbench ingest --corpus {shown(chosen.corpus)} PATH")
    return 0


def _add_ingest(verbs: argparse._SubParsersAction) -> None:
    ingest = verbs.add_parser(
        "ingest",
        help="read documents into a corpus",
        description="Reads .md, .txt, .html and .jsonl files, or folders of them, into a corpus. A document "
        "whose id is there already is replaced. Prints the ids, and what was left out and why. A snapshot "
        "built before holds the older documents: build again.",
    )
    add_corpus(ingest, snapshot=False)
    what = "a file, or a folder that is read with all in it"
    ingest.add_argument("paths", nargs="+", type=existing_path, metavar="PATH", help=what)
    ingest.set_defaults(command=_ingest)


def _ingest(chosen: argparse.Namespace) -> int:
    from helpers.base import counted, first_few
    from workbench.corpus import CorpusFolder

    corpus = CorpusFolder.open(chosen.corpus)
    changed = read = 0
    for path in chosen.paths:
        found = corpus.ingest(path)
        now = {name: getattr(found, name) for name in ("added", "replaced", "unchanged")}
        print(f"{shown(path)}: " + ", ".join(f"{len(doc_ids)} {name}" for name, doc_ids in now.items()))
        for name in ("added", "replaced"):
            if now[name]:
                print(f"  {name}: {first_few(map(one_line, now[name]), 10)}")
        _say_left_out(found.left_out)
        for note in found.notes:
            print(f"  note: {one_line(note)}")
        changed += len(found.added) + len(found.replaced)
        read += sum(map(len, now.values()))
    if not read:
        nothing = f"no document was read from {first_few(map(shown, chosen.paths))}"
        return fail("python -m workbench ingest", f"{nothing}; needed .md, .txt, .html or .jsonl")
    print(f"the corpus holds {counted(len(corpus.documents), 'document')}")
    if changed:
        following = f"python -m workbench build --corpus {shown(chosen.corpus)}"
        print(f"snapshots are of the documents before; next: {following}")
    return 0


def _say_left_out(left_out: list) -> None:
    """Each reason once, with the first few files that it holds for: a folder may hold a thousand pictures."""
    from helpers.base import first_few

    of_reason: dict[str, list[str]] = {}
    for one in left_out:
        of_reason.setdefault(one.reason, []).append(one_line(one.path))
    if left_out:
        print(f"  left out: {len(left_out)}")
    for reason, paths in of_reason.items():
        print(f"    {first_few(paths, between='; ')}: {one_line(reason)}")


def _add_build(verbs: argparse._SubParsersAction) -> None:
    build = verbs.add_parser(
        "build",
        help="build a snapshot of a corpus: an index and what determines it",
        description="Cuts the documents into items, indexes them, and writes a snapshot: the index with a "
        "manifest of everything that determines it. Its id is the hash of that, so the same settings give "
        "the same snapshot. The other verbs take the snapshot built last unless they are told otherwise.",
    )
    add_corpus(build, snapshot=False)
    which = f"what searches (default: {FULL_TEXT})"
    build.add_argument("--backend", default=FULL_TEXT, choices=BACKENDS, help=which)
    how = "how documents are cut (default: none, whole documents)"
    build.add_argument("--chunker", default="none", choices=CHUNKERS, help=how)
    size = "tokens in a chunk, for fixed and recursive"
    build.add_argument("--chunk-size", type=whole_number, metavar="N", help=size)
    shared = "tokens that neighbouring chunks share, for fixed and recursive"
    build.add_argument("--overlap", type=number_or_zero, metavar="N", help=shared)
    with_terms = " and ".join(name for name, backend in BACKENDS.items() if backend.analyzer)
    build.add_argument("--analyzer", choices=ANALYZERS, help=f"how a text becomes terms, for {with_terms}")
    parameter = {"action": "append", "default": [], "type": _parameter, "metavar": "NAME=VALUE"}
    build.add_argument("--parameter", **parameter, help="the backend's own, e.g. k1=0.9")
    build.set_defaults(command=_build)


def _parameter(text: str) -> tuple[str, str]:
    """`k1=0.9` as a name and a value; what the value means is for the backend to say."""
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is no parameter; needed NAME=VALUE, e.g. k1=0.9")
    return name.strip(), value.strip()


def _build(chosen: argparse.Namespace) -> int:
    from workbench.corpus import CorpusFolder
    from workbench.snapshots import build_snapshot, snapshots

    for name, times in Counter(name for name, _ in chosen.parameter).items():
        if times > 1:
            raise ValueError(f"--parameter {name} is given several times; give it once")
    corpus = CorpusFolder.open(chosen.corpus)
    before = {folder.name for folder in (corpus.path / "snapshots").glob("*")}
    settings = {name: getattr(chosen, name) for name in ("chunker", "chunk_size", "overlap", "analyzer")}
    snapshot = build_snapshot(corpus, chosen.backend, **settings, parameters=dict(chosen.parameter))
    with closing(snapshot):
        print("already there:" if snapshot.snapshot_id in before else "built:")
        print("\n".join(_snapshot_lines(snapshot.manifest)))
        print(f"on disk   {snapshot.index_bytes:,} bytes in {shown(snapshot.folder)}")
    of_this = [one for one in snapshots(corpus) if one.corpus.fingerprint == corpus.fingerprint]
    if (latest := of_this[-1].snapshot_id) != snapshot.snapshot_id:
        print(f"the one built last is {latest}; to use this one, say --snapshot {snapshot.snapshot_id}")
    return 0


def _snapshot_lines(manifest: "Manifest") -> list[str]:
    """What determines a snapshot, a line each: the corpus, how it is cut and analyzed, what searches."""
    from helpers.base import counted

    sizes = {name: value for name, value in manifest.chunker.items() if value is not None}
    chunker = sizes.pop("name") + _settings(sizes)
    analyzer = f", analyzer {manifest.analyzer}" if manifest.analyzer else ""
    documents, items = counted(manifest.corpus.documents, "document"), counted(manifest.items, "item")
    return [
        f"corpus    {one_line(manifest.corpus.name)}, {documents}, {manifest.corpus.fingerprint}",
        f"snapshot  {manifest.snapshot_id}, {items}, chunker {chunker}{analyzer}",
        f"backend   {manifest.backend}{_settings(manifest.parameters)}",
    ]


def _settings(values: dict) -> str:
    return "".join(f", {name}={one_line(str(value))}" for name, value in values.items())


def _add_query(verbs: argparse._SubParsersAction) -> None:
    query = verbs.add_parser(
        "query",
        help="search a corpus and show what a budget lets through",
        description="Searches a snapshot of a corpus and prints the evidence: rank, score, item, source and "
        "the beginning of its text, then how many candidates the budget cut, and by which rule.",
    )
    add_corpus(query)
    means = 'pass TEXT to SQLite as it is: AND, OR, NOT, NEAR, * and "..." mean what FTS5 means'
    query.add_argument("--strict", action="store_true", help=means)
    add_budget(query)
    words = "what to search for, in quotes; after -- where it begins with -"
    query.add_argument("text", metavar="TEXT", help=words)
    query.set_defaults(command=_query)


def _query(chosen: argparse.Namespace) -> int:
    from helpers.base import counted
    from workbench.budget import within_budget
    from workbench.corpus import CorpusFolder
    from workbench.snapshots import load_snapshot

    limits = budget(chosen)
    with closing(load_snapshot(CorpusFolder.open(chosen.corpus), chosen.snapshot)) as snapshot:
        candidates = (_strict(snapshot) if chosen.strict else snapshot).candidates(chosen.text)
    if not candidates:
        print(f"snapshot {snapshot.snapshot_id} finds nothing for {one_line(repr(chosen.text), 80)}")
        return 0
    kept, cut = within_budget(candidates, limits)
    for rank, item in enumerate(kept, start=1):
        source = "" if item.source_uri == item.item_id else f" (source {one_line(item.source_uri)})"
        print(f"{rank:>3}  {item.score:.4g}  {one_line(item.item_id)}{source}")
        print(f"     {one_line(item.text[:1000], 110)}")
    rules = Counter(one.reason for one in cut).items()
    by_rule = "".join(f", {number:,} by {reason}" for reason, number in rules)
    print(f"{counted(len(candidates), 'candidate')}: {len(kept)} let through, {len(cut):,} cut{by_rule}")
    return 0


def _strict(snapshot: "Snapshot") -> "Snapshot":
    """The same snapshot, its queries passed through as they are."""
    from helpers.retrieval import SqliteFTS5

    backend = snapshot.manifest.backend
    if backend != FULL_TEXT:
        other = f"snapshot {snapshot.snapshot_id} is one of {backend}"
        raise ValueError(f"--strict is for the backend {FULL_TEXT}; {other}")
    return dataclasses.replace(snapshot, retriever=SqliteFTS5(path=snapshot.retriever.path, strict=True))


def _add_new(verbs: argparse._SubParsersAction) -> None:
    new = verbs.add_parser(
        "new",
        help="make an evaluation project of your own documents",
        description="Makes a folder with a corpus of your documents, notebooks to label queries and to "
        "evaluate, drafted queries (marked synthetic), a write-up to fill and a regression gate for CI. Its "
        "README.md says what to do first.",
    )
    new.add_argument("folder", type=path_type, metavar="NAME", help="the folder to make")
    documents = "your documents: .md, .txt, .html, .jsonl"
    new.add_argument("--docs", type=existing_path, required=True, metavar="PATH", help=documents)
    new.set_defaults(command=_new)


def _new(chosen: argparse.Namespace) -> int:
    from workbench.projects import new_project

    print(new_project(chosen.folder, chosen.docs))
    return 0
