"""Shards on disk: written from a stream of documents in bounded memory, mapped when they are searched.

An index is a folder with a manifest, what belongs to the whole collection (ids, terms, df), and a folder for
each shard. Shards are written one at a time: first the counts of all, then, once the statistics of the
collection are known, the weights. What takes memory is one shard, and the collection's different terms.
"""

import json
import shutil
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice, pairwise, repeat
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from helpers.base import (
    check_flag,
    check_ids,
    check_path,
    check_whole,
    counted,
    first_few,
    json_checksum,
    placed,
    progress,
    size_and_checksum,
    utf8,
)
from helpers.records import Corpus
from helpers.retrieval import SparseIndex, as_terms, check_analyzer, check_texts, parameters
from helpers.scale.shards import (
    CountedShard,
    Shard,
    Statistics,
    count_shard,
    merge_statistics,
    statistics,
    weigh_shard,
)
from helpers.text import Analyzer, lucene_english

MANIFEST, _FORMAT = "shards.json", 1
_IDS, _ID_STARTS, _TERMS, _DF = "ids.npy", "id_starts.npy", "terms.json", "df.npy"
_POSTINGS = ("starts", "documents", "weights")
_PROBE = "The café's checkout-API wasn't restarting: 3.5 GB of cached queries, CPUs at 99 %."
"""Cut into terms by the analyzer at writing and at opening, which must come to the same."""
_WORDS, _WORDS_OF_ONE = 30, 5
"""So many words of the documents too, at most five from each: an analyzer may differ in these alone."""
_IDS_AT_A_TIME = 1 << 18


class DamagedShards(ValueError):
    """An index on disk of which something is missing or damaged; `shards` are the names of the shards hit,
    none where it is something that belongs to the whole collection."""

    def __init__(self, folder: Path, problems: Mapping[str, str]):
        self.shards = [name for name in problems if name.startswith("shard-")]
        whole = len(self.shards) < len(problems)
        cure = "write all of it again with write_shards" if whole else "rebuild it alone with rebuild_shard"
        said = first_few((f"{name}: {problem}" for name, problem in problems.items()), between="; ")
        super().__init__(f"{folder}: {said}; {cure}")


@dataclass(frozen=True, eq=False)
class Stored:
    """An index on disk that was opened: what belongs to the whole collection, and the path of each shard."""

    doc_ids: "DocIds"
    total: Statistics
    scoring: dict
    shards: list[Path]


class DocIds(Sequence):
    """Ids of documents in their order, mapped: looked up like a list, and held by the disk."""

    def __init__(self, folder: Path):
        self._bytes, self._starts = (_mapped(folder / name) for name in (_IDS, _ID_STARTS))
        self.n_bytes = len(self._bytes)

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int | slice) -> str | list[str]:
        if not isinstance(number, slice):
            number = range(len(self))[number]
            return self[number : number + 1][0]
        first, last, step = number.indices(len(self))
        if first >= last or step != 1:
            return [self[i] for i in range(first, last, step)]
        starts = self._starts[first : last + 1].tolist()
        held = self._bytes[starts[0] : starts[-1]].tobytes()
        spans = pairwise(start - starts[0] for start in starts)
        return [held[one:other].decode("utf-8", "surrogatepass") for one, other in spans]

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _IDS_AT_A_TIME):
            yield from self[first : first + _IDS_AT_A_TIME]


class _Ids:
    """Where ids are written to, a batch at a time, for `DocIds` to read."""

    def __init__(self, folder: Path, n: int, n_bytes: int):
        def new(name: str, dtype: type, length: int) -> np.ndarray:
            return np.lib.format.open_memmap(folder / name, mode="w+", dtype=dtype, shape=(length,))

        self._bytes, self._starts = new(_IDS, np.uint8, n_bytes), new(_ID_STARTS, np.int64, n + 1)
        self._n = 0

    def append(self, ids: list[str]) -> None:
        encoded = [utf8(doc_id) for doc_id in ids]
        first = int(self._starts[self._n])
        ends = first + np.cumsum([len(one) for one in encoded], dtype=np.int64)
        self._bytes[first : first + sum(map(len, encoded))] = np.frombuffer(b"".join(encoded), np.uint8)
        self._starts[self._n + 1 : self._n + 1 + len(ids)] = ends
        self._n += len(ids)

    def __enter__(self) -> "_Ids":
        return self

    def __exit__(self, *_: object) -> None:
        for array in (self._bytes, self._starts):
            array.flush()


def write_shards(
    folder: str | Path,
    documents: Corpus | Iterable[tuple[str, str]],
    documents_a_shard: int = 250_000,
    analyzer: Analyzer = lucene_english,
    k1: float | None = None,
    b: float | None = None,
    lucene_lengths: bool = False,
    variant: str = "lucene",
    delta: float | None = None,
) -> None:
    """Writes an index of documents, (doc_id, text) one after the other, for `ShardedIndex.open`.

    The documents may come from a generator, in any order; so many at a time are held in memory, and the
    vocabulary of all. On disk an index takes some eight bytes for each different term of a document, and
    about one shard more while it is written. It is written beside, and renamed at the end: an index that is
    there already is replaced, or stays as it is if this fails.

    Raises ValueError for no document, an id that comes twice, ids or texts that are no text, parameters that
    `CsrBM25` would refuse, and a folder that holds anything else; OSError where the disk does not allow it.

    >>> import tempfile
    >>> from helpers.scale import ShardedIndex
    >>> folder = Path(tempfile.mkdtemp()) / "index"
    >>> lines = ["d1 a cat sat", "d2 two cats and a dog", "d3 a dog"]
    >>> write_shards(folder, (line.split(" ", 1) for line in lines), documents_a_shard=2)
    >>> ShardedIndex.open(folder).search({"q1": "a dog"}, k=1)["q1"][0][0]
    'd3'
    """
    folder = check_path(folder, "a folder for the index")
    check_analyzer(analyzer)
    check_whole("documents_a_shard", documents_a_shard, of="documents")
    check_flag("lucene_lengths", lucene_lengths)
    scoring = {
        "variant": variant,
        **parameters(variant, k1, b, delta),
        "lucene_lengths": bool(lucene_lengths),
    }
    probe = list(as_terms(analyzer(_PROBE), analyzer))
    about = {"documents_a_shard": int(documents_a_shard), "probe": probe, "words": {}}
    batches = _batches(_tried(_pairs(documents), analyzer, about["words"]), documents_a_shard)
    counted = (_counted(batch, analyzer) for batch in batches)
    write_counted(folder, counted, scoring, about)


def write_counted(
    folder: Path, counted: Iterable[tuple[list[str], CountedShard]], scoring: dict, about: dict
) -> None:
    """Writes an index of shards whose terms are counted already, each with its ids, in their order.

    `about` goes into the manifest: documents_a_shard, and the probe and words that the analyzer is known by.
    """
    _check_ours(folder)
    with placed(folder) as new:
        # 1. Every shard counts the terms of its own documents.
        shards = []
        for position, (ids, shard) in enumerate(counted):
            shards.append(new / f"shard-{position:04}")
            _write_counts(shards[-1], ids, shard)
        if not shards:
            raise ValueError("there is no document to index")
        # 2. All documents are numbered in the order of their ids, and the statistics added up.
        _number_documents(new, shards)
        total = merge_statistics(statistics(_counts(shard)) for shard in shards)
        _write_total(new, total)
        # 3. With those every shard is weighed, and its counts are let go.
        for shard in progress(shards, desc="weighing", unit="shard"):
            _write_postings(shard, weigh_shard(_counts(shard), total, scoring))
            shutil.rmtree(shard / "counts")
        _write_manifest(new, shards, total, {**about, "scoring": scoring})


def rebuild_shard(
    folder: str | Path,
    shard: str,
    documents: Corpus | Iterable[tuple[str, str]],
    analyzer: Analyzer = lucene_english,
) -> None:
    """Writes one shard of an index again, "shard-0003" say, and leaves the others alone.

    `documents` are those that the index was written from, in the same order; those of other shards are passed
    over. Nothing is replaced unless every byte is as it was. Raises ValueError for a shard that the index
    does not have, and where the documents, the analyzer or NumPy give other bytes; FileNotFoundError and
    DamagedShards as `ShardedIndex.open` does.
    """
    folder = check_path(folder, "the folder of an index")
    manifest = _manifest(folder)
    names = list(manifest["shards"])
    if shard not in names:
        raise ValueError(f"{folder} has no shard {shard!r}; it has {first_few(names)}")
    _refuse_damage(folder, {"collection": manifest["collection"]}, verify=True)
    stored = _open_collection(folder, manifest)
    size = manifest["documents_a_shard"]
    first = names.index(shard) * size
    batch = list(islice(_pairs(documents), first, first + size))
    with placed(folder / shard) as new:
        ids, shard_again = _counted(batch, analyzer)
        _write_counts(new, ids, shard_again)
        numbers = [_number_of(doc_id, stored.doc_ids) for doc_id in ids]
        np.save(new / "numbers.npy", np.array(numbers, dtype=np.int32))
        _same_terms(shard_again.terms, stored.total)
        _write_postings(new, weigh_shard(_counts(new), stored.total, stored.scoring))
        shutil.rmtree(new / "counts")
        if problem := _damage(new, manifest["shards"][shard], verify=True):
            found = f"{shard} of {folder} would be another than was written ({problem})"
            cure = "give the same documents in the same order and the same analyzer, or write all of it again"
            raise ValueError(f"{found}; {cure}")


def check_shards(folder: str | Path, verify: bool = True) -> None:
    """Raises DamagedShards, with the names of the shards, where a file of an index is missing or damaged.

    Sizes and checksums guard against damage, not against malice. With `verify=False` only sizes are looked
    at. Raises FileNotFoundError where there is no index.
    """
    check_flag("verify", verify)
    folder = check_path(folder, "the folder of an index")
    manifest = _manifest(folder)
    _refuse_damage(folder, {"collection": manifest["collection"], **manifest["shards"]}, verify)


def open_collection(folder: str | Path, analyzer: Analyzer, verify: bool) -> Stored:
    """What `ShardedIndex.open` needs to know of an index, checked."""
    check_shards(folder, verify)
    check_analyzer(analyzer)
    manifest = _manifest(Path(folder))
    for text, terms in {_PROBE: manifest["probe"], **manifest.get("words", {})}.items():
        if (now := list(analyzer(text))) != terms:
            found = f"it makes {now} of {text!r}, of which the one that wrote it made {terms}"
            raise ValueError(f"{folder} was written with another analyzer: {found}; give that one")
    return _open_collection(Path(folder), manifest)


def open_shard(folder: Path) -> Shard:
    """One shard, mapped: of its files only what queries read comes into memory."""
    numbers = _mapped(folder / "numbers.npy")
    postings = [_mapped(folder / f"{name}.npy") for name in _POSTINGS]
    return Shard(numbers, SparseIndex.of_postings(*postings, len(numbers)), (open_shard, (folder,)))


def _pairs(documents: Corpus | Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Ids and texts, checked one by one."""
    if isinstance(documents, str):
        raise ValueError(f"documents is the text {documents!r:.60}; needed pairs (doc_id, text)")
    documents = documents.items() if isinstance(documents, Mapping) else documents
    for position, document in enumerate(documents):
        if not isinstance(document, (tuple, list)) or len(document) != 2:
            raise ValueError(f"document {position} is {document!r:.60}; needed a pair (doc_id, text)")
        doc_id, text = document
        if not (isinstance(doc_id, str) and isinstance(text, str)):
            check_ids([doc_id], f"document {position}: doc_id")
            check_texts({doc_id: text})
        yield doc_id, text


def _tried(
    pairs: Iterable[tuple[str, str]], analyzer: Analyzer, words: dict[str, list[str]]
) -> Iterator[tuple[str, str]]:
    """The pairs as they come, while `words` takes up some of their words, and what the analyzer makes of
    each."""
    for doc_id, text in pairs:
        if len(words) < _WORDS:
            new = (word for word in dict.fromkeys(text.split()) if word not in words)
            words |= {word: list(analyzer(word)) for word in islice(new, _WORDS_OF_ONE)}
        yield doc_id, text


def _batches(pairs: Iterator[tuple], size: int) -> Iterator[list[tuple]]:
    while batch := list(islice(pairs, size)):
        yield batch


def _counted(batch: list[tuple[str, str]], analyzer: Analyzer) -> tuple[list[str], CountedShard]:
    """A shard's ids, in order, and its counts; its documents are not numbered yet."""
    batch.sort()
    ids, texts = [doc_id for doc_id, _ in batch], [text for _, text in batch]
    shard = count_shard(np.arange(len(ids)), texts, analyzer)
    if strange := [term for term in shard.terms if not isinstance(term, str)]:
        cure = "terms on disk are text: join them, decode them, or use str()"
        raise ValueError(f"analyzer {_name(analyzer)} gave the term {strange[0]!r:.60}; {cure}")
    return ids, shard


def _name(analyzer: Analyzer) -> str:
    return getattr(analyzer, "__name__", repr(analyzer))


def _write_counts(shard: Path, ids: list[str], found: CountedShard) -> None:
    (shard / "counts").mkdir(parents=True)
    arrays = {"data": found.counts.data, "indices": found.counts.indices, "indptr": found.counts.indptr}
    for name, array in arrays.items():
        np.save(shard / "counts" / f"{name}.npy", array)
    _write_texts(shard / "counts" / _TERMS, found.terms)
    with _Ids(shard / "counts", len(ids), sum(len(utf8(doc_id)) for doc_id in ids)) as written:
        written.append(ids)


def _counts(shard: Path) -> CountedShard:
    arrays = [np.load(shard / "counts" / f"{name}.npy") for name in ("data", "indices", "indptr")]
    terms, numbers = _read_texts(shard / "counts" / _TERMS), np.load(shard / "numbers.npy")
    return CountedShard(numbers, terms, csr_matrix(tuple(arrays), (len(numbers), len(terms))))


def _number_documents(folder: Path, shards: list[Path]) -> None:
    """Merges the shards' ids, each in order already, into one list, and writes every document's number."""
    own_ids = [DocIds(shard / "counts") for shard in shards]
    n = sum(map(len, own_ids))
    new = {"mode": "w+", "dtype": np.int32}
    numbers = [
        np.lib.format.open_memmap(shard / "numbers.npy", shape=(len(ids),), **new)
        for shard, ids in zip(shards, own_ids, strict=True)
    ]
    in_order = merge(*(zip(ids, repeat(position)) for position, ids in enumerate(own_ids)))
    filled, n_before, last_id = [0] * len(shards), 0, None
    with _Ids(folder, n, sum(ids.n_bytes for ids in own_ids)) as all_ids:
        for batch in progress(_batches(in_order, _IDS_AT_A_TIME), desc="numbering", unit="batch"):
            ids = [doc_id for doc_id, _ in batch]
            for position, pair in enumerate(pairwise([last_id, *ids])):
                if pair[0] == pair[1]:
                    found = f"document {pair[0]!r} comes twice (once in {shards[batch[position][1]].name})"
                    raise ValueError(f"{found}; each id has one document")
            all_ids.append(ids)
            held_by = np.fromiter((position for _, position in batch), dtype=np.int32, count=len(batch))
            for position in np.unique(held_by):
                found = n_before + np.flatnonzero(held_by == position)
                numbers[position][filled[position] : filled[position] + len(found)] = found
                filled[position] += len(found)
            last_id, n_before = ids[-1], n_before + len(ids)


def _write_total(folder: Path, total: Statistics) -> None:
    _write_texts(folder / _TERMS, list(total.df))
    np.save(folder / _DF, total.in_columns.df)


def _write_postings(shard: Path, weighed: Shard) -> None:
    for name in _POSTINGS:
        np.save(shard / f"{name}.npy", getattr(weighed.index, name))


def _write_manifest(folder: Path, shards: list[Path], total: Statistics, about: dict) -> None:
    sizes = {"n_documents": total.n_documents, "n_occurrences": total.n_occurrences}
    collection = {name: size_and_checksum(folder / name) for name in (_IDS, _ID_STARTS, _TERMS, _DF)}
    files = {
        shard.name: {path.name: size_and_checksum(path) for path in sorted(shard.iterdir())}
        for shard in shards
    }
    manifest = {"format": _FORMAT, **about, **sizes, "collection": collection, "shards": files}
    manifest["crc32"] = json_checksum(manifest)
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _manifest(folder: Path) -> dict:
    path = folder / MANIFEST
    if not path.is_file():
        raise FileNotFoundError(f"{folder} holds no index in shards; write_shards puts one there")
    try:
        manifest = json.loads(path.read_bytes())
        checksum = manifest.pop("crc32")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedShards(folder, {MANIFEST: f"it cannot be read ({type(error).__name__})"}) from error
    if checksum != json_checksum(manifest) or manifest.get("format") != _FORMAT:
        problem = f"it is damaged, edited, or of another format than {_FORMAT}"
        raise DamagedShards(folder, {MANIFEST: problem})
    return manifest


def _refuse_damage(folder: Path, parts: dict[str, dict], verify: bool) -> None:
    problems = {}
    for name, files in progress(parts.items(), desc="checking", unit="shard"):
        if problem := _damage(folder / name if name.startswith("shard-") else folder, files, verify):
            problems[name] = problem
    if problems:
        raise DamagedShards(folder, problems)


def _damage(folder: Path, files: dict[str, dict], verify: bool) -> str:
    """Which files are not what was written, or ""."""
    problems = []
    for name, written in files.items():
        try:
            found = size_and_checksum(folder / name) if verify else {"bytes": (folder / name).stat().st_size}
        except OSError as error:
            problems.append(f"{name} cannot be read ({error.strerror or error})")
            continue
        if any(written[what] != value for what, value in found.items()):
            problems.append(f"{name} is not what was written")
    return ", ".join(problems)


def _open_collection(folder: Path, manifest: dict) -> Stored:
    terms, df = _read_texts(folder / _TERMS), np.load(folder / _DF)
    sizes = manifest["n_documents"], manifest["n_occurrences"]
    total = Statistics(*sizes, dict(zip(terms, df.tolist(), strict=True)), {})
    return Stored(DocIds(folder), total, manifest["scoring"], [folder / name for name in manifest["shards"]])


def _number_of(doc_id: str, doc_ids: DocIds) -> int:
    number = bisect_left(doc_ids, doc_id)
    if doc_ids[number : number + 1] != [doc_id]:
        raise ValueError(f"document {doc_id!r} is not in the index; give those that it was written from")
    return number


def _same_terms(terms: list[str], total: Statistics) -> None:
    if new := [term for term in terms if term not in total.df]:
        found = f"{counted(len(new), 'term')} that the index does not have, {first_few(new)}"
        raise ValueError(f"these documents have {found}; give the same texts and the same analyzer")


def _check_ours(folder: Path) -> None:
    """Another index of ours may be replaced; nothing else may."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise ValueError(f"{folder} holds other files, which would be lost; give a new or empty folder")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; give a new or empty folder")


def _mapped(path: Path) -> np.ndarray:
    return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))


def _write_texts(path: Path, texts: list[str]) -> None:
    """One on each line: JSON escapes line feeds."""
    path.write_bytes(utf8(json.dumps(texts, ensure_ascii=False, separators=(",\n", ":"))))


def _read_texts(path: Path) -> list[str]:
    return json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
