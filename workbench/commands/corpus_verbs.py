"""The verbs for documents: `new`, `init`, `ingest`, `snapshot`, `query`. Words and exit codes only."""

import argparse
import dataclasses
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from workbench.backends import BACKENDS, CHUNKERS, FULL_TEXT
from workbench.commands.arguments import (
    ANALYZERS,
    add_budget,
    add_corpus,
    budget,
    existing_path,
    number_or_zero,
    pasted,
    path_type,
    shown,
    whole_number,
)
from workbench.commands.command_line import Answer, Verb, one_line

if TYPE_CHECKING:
    from workbench.budget import Cut, Item
    from workbench.corpus import CorpusFolder, Ingested
    from workbench.snapshots import Manifest, Snapshot


def _init_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("corpus", type=path_type, metavar="DIR", help="the folder to make")
    parser.add_argument("--name", help="what reports call the corpus (default: the folder's name)")


def _init(chosen: argparse.Namespace) -> Answer:
    from workbench.corpus import CorpusFolder

    made = CorpusFolder.init(chosen.corpus, chosen.name)
    following = f"next: workbench ingest --corpus {pasted(chosen.corpus)} PATH"
    text = f"made an empty corpus in {shown(chosen.corpus)}\n{following}"
    return Answer(text, {"corpus": made.path, "name": made.name})


def _ingest_arguments(parser: argparse.ArgumentParser) -> None:
    add_corpus(parser, snapshot=False)
    what = "a file, or a folder that is read with all in it"
    parser.add_argument("paths", nargs="+", type=existing_path, metavar="PATH", help=what)
    _add_reading(parser)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """What becomes of near duplicates, and of a folder of which most cannot be read."""
    which = "what becomes of documents that are nearly the same: all are kept (the default), or the first, "
    which += "and none that is nearly the same as one in the corpus"
    parser.add_argument("--duplicates", default="keep", choices=("keep", "leave-out"), help=which)
    few = "go on where most files cannot be read; without it that is an error"
    parser.add_argument("--allow-left-out", action="store_true", help=few)


def _ingest(chosen: argparse.Namespace) -> Answer:
    from helpers.base import counted, first_few
    from workbench.corpus import ENDINGS, CorpusFolder

    corpus = CorpusFolder.open(chosen.corpus)
    before, lines, found, of_path = corpus.corpus, [], [], {}
    for path in chosen.paths:
        try:
            one = corpus.ingest(path, chosen.duplicates, chosen.allow_left_out)
        except (ValueError, OSError) as error:
            if not found:
                raise
            done = (
                f"what was given before it was read, and is in the corpus: {first_few(map(shown, of_path))}"
            )
            raise ValueError(f"{error}\n{done}") from None
        lines += _ingested_lines(shown(path), one)
        lines += _replaced_at_once(one, of_path)
        of_path[path] = {*one.added, *one.replaced, *one.unchanged}
        found.append({"path": path} | dataclasses.asdict(one))
    if not any(one[name] for one in found for name in ("added", "replaced", "unchanged")):
        nothing = f"no document was read from {first_few(map(shown, chosen.paths))}"
        if not any(one["left_out"] for one in found):
            nothing += f"; needed files ending in {', '.join(ENDINGS)}"
        raise ValueError("\n".join([nothing, *lines]))
    lines.append(f"the corpus holds {counted(len(corpus.documents), 'document')}")
    lines += _judged_before_change(corpus, before, {doc_id for one in found for doc_id in one["replaced"]})
    if any(one["added"] or one["replaced"] for one in found):
        following = f"workbench snapshot --corpus {pasted(chosen.corpus)}"
        lines.append(f"snapshots are of the documents before; next: {following}")
    return Answer("\n".join(lines), {"documents": len(corpus.documents), "read": found})


def _judged_before_change(corpus: "CorpusFolder", before: dict, replaced: set[str]) -> Iterator[str]:
    """What to say of judgments of documents that were replaced, where the corpus is that of a project."""
    from workbench.labelling import judged_before_change

    project = corpus.path.resolve().parent
    if not replaced or corpus.path.resolve().name != "corpus":
        return
    try:
        old = {doc_id: before[doc_id] for doc_id in replaced & before.keys()}
        said = judged_before_change(project, old, corpus.corpus)
    except (ValueError, OSError) as error:  # the documents are in the corpus all the same
        said = f"which judgments are of the replaced documents cannot be told: {' '.join(str(error).split())}"
    if said:
        yield f"note: {one_line(said)}"


def _replaced_at_once(found: "Ingested", of_path: dict[str, set[str]]) -> Iterator[str]:
    """What to say of documents that take the place of others which the same command had read."""
    from helpers.base import counted, first_few

    for path, doc_ids in of_path.items():
        if both := [doc_id for doc_id in found.replaced if doc_id in doc_ids]:
            what = counted(len(both), "document takes", "documents take")
            cure = "ids are paths below what is given: give the folder above both"
            yield f"  note: {what} the place of those of {shown(path)}, {first_few(both)}; {cure}"


def _ingested_lines(name: str, found: "Ingested") -> Iterator[str]:
    from helpers.base import first_few
    from workbench.projects import duplicates_in_words

    now = {name: getattr(found, name) for name in ("added", "replaced", "unchanged")}
    yield f"{name}: " + ", ".join(f"{len(doc_ids)} {name}" for name, doc_ids in now.items())
    for name in ("added", "replaced"):
        if now[name]:
            yield f"  {name}: {first_few(map(one_line, now[name]), 10)}"
    yield from _left_out_lines(found.left_out)
    yield from (f"  note: {one_line(note)}" for note in found.notes)
    if found.near_duplicates:
        yield f"  near duplicates: {one_line(duplicates_in_words(found.near_duplicates))}"


def _left_out_lines(left_out: list) -> Iterator[str]:
    """Each reason once, with the first few files that it holds for: a folder may hold a thousand pictures."""
    from helpers.base import first_few
    from workbench.corpus import n_left_out

    of_reason: dict[str, list[str]] = {}
    for one in left_out:
        of_reason.setdefault(one.reason, []).append(one_line(one.path))
    if left_out:
        yield f"  left out: {n_left_out(left_out):,}"
    for reason, paths in of_reason.items():
        yield f"    {first_few(paths, between='; ')}: {one_line(reason)}"


def _snapshot_arguments(parser: argparse.ArgumentParser) -> None:
    add_corpus(parser, snapshot=False)
    which = f"what searches (default: {FULL_TEXT})"
    parser.add_argument("--backend", default=FULL_TEXT, choices=BACKENDS, help=which)
    how = "how documents are cut (default: none, whole documents)"
    parser.add_argument("--chunker", default="none", choices=CHUNKERS, help=how)
    size = "tokens in a chunk, for fixed and recursive"
    parser.add_argument("--chunk-size", type=whole_number, metavar="N", help=size)
    shared = "tokens that neighbouring chunks share, for fixed and recursive"
    parser.add_argument("--overlap", type=number_or_zero, metavar="N", help=shared)
    with_terms = " and ".join(name for name, backend in BACKENDS.items() if backend.analyzer)
    parser.add_argument("--analyzer", choices=ANALYZERS, help=f"how a text becomes terms, for {with_terms}")
    parameter = {"action": "append", "default": [], "type": _parameter, "metavar": "NAME=VALUE"}
    parser.add_argument("--parameter", **parameter, help="the backend's own, e.g. k1=0.9")
    parser.add_argument("--quiet", "-q", action="store_true", help="print the id alone, for scripts")


def _parameter(text: str) -> tuple[str, str]:
    """`k1=0.9` as a name and a value; what the value means is for the backend to say."""
    name, equals, value = text.partition("=")
    if not name.strip() or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is no parameter; needed NAME=VALUE, e.g. k1=0.9")
    return name.strip(), value.strip()


def _snapshot(chosen: argparse.Namespace) -> Answer:
    from helpers.base import counted, first_few, warn
    from workbench.corpus import CorpusFolder
    from workbench.snapshots import build_snapshot, snapshots

    for name, times in Counter(name for name, _ in chosen.parameter).items():
        if times > 1:
            raise ValueError(f"--parameter {name} is given several times; give it once")
    corpus = CorpusFolder.open(chosen.corpus)
    there = corpus.path / "snapshots"
    before = {folder.name: folder.stat().st_ino for folder in there.glob("*")}
    settings = {name: getattr(chosen, name) for name in ("chunker", "chunk_size", "overlap", "analyzer")}
    snapshot = build_snapshot(corpus, chosen.backend, **settings, parameters=dict(chosen.parameter))
    with closing(snapshot):
        is_new, id_ = snapshot.snapshot_id not in before, snapshot.snapshot_id
        again = not is_new and (there / id_).stat().st_ino != before[id_]  # another folder in its place
        done = "built:" if is_new else "built again, for it was damaged:" if again else "already there:"
        lines = [done, *_snapshot_lines(snapshot.manifest)]
        lines.append(f"on disk   {snapshot.index_bytes:,} bytes in {shown(snapshot.folder)}")
        facts = {"new": is_new, "folder": snapshot.folder, "index_bytes": snapshot.index_bytes}
        data = facts | snapshot.manifest.model_dump(mode="json")
    notes = []
    if uncut := snapshot.uncut:
        what = counted(len(uncut), "long document is", "long documents are")
        cure = "--chunker recursive cuts at the ends of lines too"
        notes.append(f"{what} one item, without a blank line to cut at: {first_few(uncut, 3)}; {cure}")
    try:
        of_this = [one for one in snapshots(corpus) if one.corpus.fingerprint == corpus.fingerprint]
    except (ValueError, FileNotFoundError) as error:  # of another snapshot: this one is built
        notes.append(f"another snapshot cannot be read: {one_line(str(error))}")
        of_this = [snapshot.manifest]
    if (latest := of_this[-1].snapshot_id) != id_:
        lines.append(f"the one built last is {latest}; to use this one, say --snapshot {id_}")
    if chosen.quiet or chosen.json:  # a script reads the answer, a person what stands beside it
        for note in notes:
            warn(f"snapshot {id_}: {note}")
    return Answer(id_ if chosen.quiet else "\n".join([*lines, *notes]), data)


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


def _query_arguments(parser: argparse.ArgumentParser) -> None:
    add_corpus(parser)
    means = 'pass TEXT to SQLite as it is: AND, OR, NOT, NEAR, * and "..." mean what FTS5 means'
    parser.add_argument("--strict", action="store_true", help=means)
    add_budget(parser)
    words = "what to search for, in quotes; after -- where it begins with -"
    parser.add_argument("text", metavar="TEXT", help=words)


def _query(chosen: argparse.Namespace) -> Answer:
    from helpers.base import warn
    from workbench.budget import within_budget
    from workbench.corpus import CorpusFolder
    from workbench.snapshots import load_snapshot

    limits = budget(chosen)
    corpus = CorpusFolder.open(chosen.corpus)
    with closing(load_snapshot(corpus, chosen.snapshot)) as snapshot:
        candidates = (_strict(snapshot) if chosen.strict else snapshot).candidates(chosen.text)
    kept, cut = within_budget(candidates, limits)
    data = {
        "snapshot_id": snapshot.snapshot_id,
        "query": chosen.text.encode("utf-8", "replace").decode(),  # half characters are no JSON
        "budget": limits.model_dump(mode="json"),
        "candidates": len(candidates),
        "items": [{"rank": rank} | vars(item) for rank, item in enumerate(kept, start=1)],
        "cut": Counter(one.reason for one in cut),
    }
    if any("\ud800" <= sign <= "\udfff" for sign in chosen.text):
        shown = one_line(repr(data["query"]), 80)
        warn(f"the query is not UTF-8, and is searched for as {shown}; write it as UTF-8")
    others = len(list((corpus.path / "snapshots").glob(16 * "[0-9a-f]"))) - 1
    which = []
    if others and chosen.snapshot is None:
        searched = f"snapshot {snapshot.snapshot_id}, {snapshot.manifest.backend}, was searched"
        which = [f"{searched}, the one built last of {others + 1}; --snapshot ID takes another"]
    if not candidates:
        nothing = f"snapshot {snapshot.snapshot_id} finds nothing for {one_line(repr(chosen.text), 80)}"
        return Answer("\n".join([f"{nothing}{_no_terms(snapshot, chosen.text)}", *which]), data)
    return Answer("\n".join([*_evidence_lines(kept, cut), *which]), data)


def _no_terms(snapshot: "Snapshot", query: str) -> str:
    """What to add where the analyzer of a snapshot leaves no term of a query; "" where it leaves some."""
    from helpers.text import ANALYZERS

    if not query.strip():
        return ": it is empty"
    name = snapshot.manifest.analyzer
    if name not in ANALYZERS or list(ANALYZERS[name](query)):
        return ""
    return f": its analyzer, {name}, leaves no term of it, as of stop words alone"


def _evidence_lines(kept: "list[Item]", cut: "list[Cut]") -> Iterator[str]:
    from helpers.base import counted

    for rank, item in enumerate(kept, start=1):
        source = "" if item.source_uri == item.item_id else f" (source {one_line(item.source_uri)})"
        yield f"{rank:>3}  {item.score:.4g}  {one_line(item.item_id)}{source}"
        yield f"     {one_line(item.text[:1000], 110)}"
    rules = Counter(one.reason for one in cut).items()
    by_rule = "".join(f", {number:,} by {reason}" for reason, number in rules)
    n = counted(len(kept) + len(cut), "candidate")
    yield f"{n}: {len(kept)} let through, {len(cut):,} cut{by_rule}"


def _strict(snapshot: "Snapshot") -> "Snapshot":
    """The same snapshot, its queries passed through as they are."""
    from helpers.retrieval import SqliteFTS5

    backend = snapshot.manifest.backend
    if backend != FULL_TEXT:
        other = f"snapshot {snapshot.snapshot_id} is one of {backend}"
        raise ValueError(f"--strict is for the backend {FULL_TEXT}; {other}")
    return dataclasses.replace(snapshot, retriever=SqliteFTS5(path=snapshot.retriever.path, strict=True))


def _new_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=path_type, metavar="NAME", help="the folder to make")
    documents = "your documents: a file, or a folder that is read with all in it"
    parser.add_argument("--docs", type=existing_path, required=True, metavar="PATH", help=documents)
    _add_reading(parser)


def _new(chosen: argparse.Namespace) -> Answer:
    from helpers.base import check_free

    check_free(chosen.folder)  # before the libraries are loaded, which may take longer than the answer
    from workbench.projects import new_project

    made = new_project(chosen.folder, chosen.docs, chosen.duplicates, chosen.allow_left_out)
    return Answer(str(made), dataclasses.asdict(made))


VERBS = [
    Verb(
        "new",
        "make an evaluation project of your own documents",
        "Makes a folder with a corpus of your documents, notebooks to label queries and to evaluate, drafted "
        "queries (marked synthetic), a write-up to fill and a regression gate for CI. Its README.md says "
        "what to do first.",
        "new my-eval --docs my_docs",
        _new_arguments,
        _new,
    ),
    Verb(
        "init",
        "make an empty corpus in a folder of its own",
        "Makes a folder that holds a corpus: its documents, and beside them its snapshots, datasets and "
        "reports. The folder must be new or empty.",
        "init build/wiki",
        _init_arguments,
        _init,
    ),
    Verb(
        "ingest",
        "read documents into a corpus",
        "Reads documents, or folders of them, into a corpus. A document whose id is there already is "
        "replaced; one whose file is gone stays. Prints the ids, what was left out and why, and in a project "
        "which judgments are of documents that read otherwise now. A snapshot "
        "built before holds the older documents: build again.",
        "ingest --corpus build/wiki evals/corpus",
        _ingest_arguments,
        _ingest,
    ),
    Verb(
        "snapshot",
        "build a snapshot of a corpus: an index and what determines it",
        "Cuts the documents into items, indexes them, and writes a snapshot: the index with a manifest of "
        "everything that determines it. Its id is the hash of that, so the same settings give the same "
        "snapshot. The other verbs take the snapshot built last unless they are told otherwise.",
        "snapshot --corpus build/wiki --backend csr-bm25 --chunker paragraphs --parameter k1=0.9",
        _snapshot_arguments,
        _snapshot,
    ),
    Verb(
        "query",
        "search a corpus and show what a budget lets through",
        "Searches a snapshot of a corpus and prints the evidence: rank, score, item, source and the "
        "beginning of its text, then how many candidates the budget cut, and by which rule.",
        "query --corpus build/wiki --max-total-items 3 'checkout-api pods OOM killed'",
        _query_arguments,
        _query,
    ),
]
