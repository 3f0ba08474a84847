"""Encoded corpora on disk: a CSR matrix, its IDF and its doc_ids, memory-mapped, whole or not there at all.

A cache is a folder of generations. Each save writes a new one beside, with a manifest that says what made it,
and renames it into position when it is complete; the highest number counts, and those below are removed. So a
save that is killed changes nothing.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Sequence, Set
from pathlib import Path

import numpy as np
import scipy
from scipy.sparse import csr_matrix

from helpers.base import (
    StaleCache,
    as_json,
    cache_shown,
    check_ids,
    check_path,
    json_checksum,
    made_by_difference,
    placed,
    size_and_checksum,
    utf8,
    warn,
)

Encoded = tuple[csr_matrix, np.ndarray, list[str]]
"""Matrix (documents × terms), IDF (one per term) and doc_ids (one per row)."""
_MANIFEST = "encoded_corpus.json"
DOC_IDS = "doc_ids.json"
_FORMAT = 1


def cached_corpus(
    path: str | Path,
    corpus_ids: Iterable[str],
    made_by: dict,
    encode: Callable[[], tuple[csr_matrix, np.ndarray]],
    probe: tuple[list[int], csr_matrix] | None = None,
) -> Encoded:
    """Matrix, IDF and doc_ids from the cache at `path`; else matrix and IDF from `encode()`, and then saved.

    A cache fits when `made_by` and the doc_ids, in their order, are those asked for, and, where `probe`
    (rows, vectors) is given, what the model makes of those rows now is what is stored, within a thousandth.
    One line is printed when it is read, and one with the reason when it does not fit; none where there was no
    cache. A result that cannot be written is returned all the same, with a warning. Raises ValueError as
    `save_encoded_corpus` does, for ids and `made_by` before it encodes.

    >>> import tempfile
    >>> wanted = tempfile.mkdtemp(), ["d1"], {"model": "toy"}, lambda: (csr_matrix([[2.0, 0.0]]), np.ones(2))
    >>> encoded, read = cached_corpus(*wanted), cached_corpus(*wanted)  # doctest: +ELLIPSIS
    corpus encoded earlier, read from cache ...
    """
    doc_ids, made_by = _unique(corpus_ids), as_json(made_by)
    try:
        matrix, idf, stored_ids = load_encoded_corpus(path, made_by)
        if stored_ids != doc_ids:
            raise StaleCache(path, _other_ids(stored_ids, doc_ids))
        if probe is not None and _apart(matrix[probe[0]], probe[1]):
            reason = f"{len(probe[0])} documents were tried, and are encoded to other vectors now"
            raise StaleCache(path, reason)
        print(f"corpus encoded earlier, read from cache {cache_shown(path)}")
        return matrix, idf, doc_ids
    except FileNotFoundError:
        pass
    except StaleCache as stale:
        print(f"corpus is encoded again, cache {cache_shown(path)} does not fit: {stale.reason}")
    matrix, idf = encode()
    try:
        save_encoded_corpus(path, matrix, idf, doc_ids, made_by)
    except OSError as error:  # hours of encoding are not thrown away for a full disk
        problem = f"{error.strerror or error}; nothing was kept"
        warn(f"cache {cache_shown(path)} {problem}")
    return matrix, idf, doc_ids


def save_encoded_corpus(
    path: str | Path,
    corpus_matrix: csr_matrix,
    idf: np.ndarray,
    doc_ids: Sequence[str],
    made_by: dict | None = None,
) -> None:
    """Writes matrix (documents × terms), IDF (one per term) and doc_ids (one per row) into the folder `path`.

    `made_by`, a dict that JSON can hold, says what they are of: model or analyzer, parameters,
    `corpus_fingerprint`. Data types are kept; entries that are unsorted or in two parts are sorted and
    summed. A cache that is there is replaced in one step at the end, and stays as it is if this fails. Raises
    ValueError for what is no CSR matrix of finite numbers, for lengths that do not match and ids that are
    repeated or no text; OSError where the disk does not allow it.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> save_encoded_corpus(folder, csr_matrix([[2.0, 0.0]]), np.ones(2), ["d1"], {"model": "toy"})
    >>> load_encoded_corpus(folder)[2]
    ['d1']
    """
    folder = check_path(path, "a folder for the cache")
    doc_ids, made_by = _unique(doc_ids), as_json({} if made_by is None else made_by)
    arrays = _arrays(corpus_matrix, idf, doc_ids)
    last = int(generations[-1].name[-8:]) if (generations := _generations(folder)) else 0
    with placed(folder / f"generation-{last + 1:08}", replace=False) as new:
        for name, array in arrays.items():
            np.save(new / f"{name}.npy", array, allow_pickle=False)
        # One id on each line: JSON escapes line feeds.
        (new / DOC_IDS).write_bytes(utf8(json.dumps(doc_ids, ensure_ascii=False, separators=(",\n", ":"))))
        manifest = {
            "format": _FORMAT,
            "made_by": made_by,
            "shape": [int(n) for n in corpus_matrix.shape],
            "nnz": len(arrays["data"]),
            "dtypes": {name: array.dtype.str for name, array in arrays.items()},
            "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
            "files": {file.name: size_and_checksum(file) for file in sorted(new.iterdir())},
        }
        manifest["crc32"] = json_checksum(manifest)
        (new / _MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    # On POSIX a matrix that is mapped outlives its files; Windows keeps them until a later save.
    for generation in _generations(folder)[:-1]:
        shutil.rmtree(generation, ignore_errors=True)


def load_encoded_corpus(path: str | Path, made_by: dict | None = None) -> Encoded:
    """The matrix, IDF and doc_ids that were saved at `path`; with `made_by`, only if it is the stored one.

    The matrix stays on disk and is read where it is used; it cannot be changed, its `.copy()` can. Sizes and
    checksums guard against damage, not against malice. Raises FileNotFoundError where no cache is, and
    StaleCache (a ValueError) for one that is damaged or was made by something else; versions of numpy and
    scipy are stored, but may differ.

    >>> load_encoded_corpus("no/such/folder")
    Traceback (most recent call last):
    FileNotFoundError: no/such/folder holds no encoded corpus; save one there first
    """
    folder = check_path(path, "the folder of a cache")
    wanted = None if made_by is None else as_json(made_by)
    tried = None
    while generations := _generations(folder):
        try:
            return _open(folder, generations[-1], wanted)
        except OSError as error:
            # Another process may have saved meanwhile and removed this generation; then there is a newer one.
            if generations[-1] == tried:
                name = Path(error.filename or "a file").name
                raise StaleCache(folder, f"{name} cannot be read ({error.strerror or error})") from error
            tried = generations[-1]
    raise FileNotFoundError(f"{folder} holds no encoded corpus; save one there first")


def _generations(folder: Path) -> list[Path]:
    """The complete saves in a cache; the last one counts."""
    return sorted(folder.glob("generation-" + 8 * "[0-9]"))


def _open(folder: Path, generation: Path, wanted: dict | None) -> Encoded:
    manifest = _manifest(folder, generation)
    if wanted is not None and wanted != manifest["made_by"]:
        raise StaleCache(folder, made_by_difference(manifest["made_by"], wanted))
    for name, written in manifest["files"].items():
        if (found := size_and_checksum(generation / name)) != written:
            raise StaleCache(folder, f"{name} is damaged: it has {found}, written were {written}")
    arrays = {
        name: np.load(generation / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        for name in manifest["dtypes"]
    }
    doc_ids = json.loads((generation / DOC_IDS).read_bytes().decode("utf-8", "surrogatepass"))
    if problem := _problem(arrays, manifest["shape"], doc_ids):
        raise StaleCache(folder, problem)
    return _csr(arrays, manifest["shape"]), np.array(arrays["idf"]), doc_ids


def _manifest(folder: Path, generation: Path) -> dict:
    content = (generation / _MANIFEST).read_bytes()
    try:
        manifest = json.loads(content)
        checksum = manifest.pop("crc32")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise StaleCache(folder, f"{_MANIFEST} cannot be read ({type(error).__name__})") from error
    if manifest.get("format") != _FORMAT:
        found = manifest.get("format")
        raise StaleCache(folder, f"{_MANIFEST} is of format {found!r}, this version reads {_FORMAT}")
    if checksum != json_checksum(manifest):
        raise StaleCache(folder, f"{_MANIFEST} is damaged or was edited: its checksum does not fit")
    return manifest


def _arrays(matrix: csr_matrix, idf: np.ndarray, doc_ids: list[str]) -> dict[str, np.ndarray]:
    """What is stored, checked and in canonical form: what is mapped later cannot be sorted in place."""
    if not isinstance(matrix, csr_matrix):
        raise ValueError(
            f"corpus_matrix is a {type(matrix).__name__}; needed a csr_matrix, documents × terms"
        )
    nnz = matrix.indptr[-1]  # behind it an array may have room to spare
    arrays = {"data": matrix.data[:nnz], "indices": matrix.indices[:nnz], "indptr": matrix.indptr}
    arrays["idf"] = np.asarray(idf)
    if problem := _problem(arrays, matrix.shape, doc_ids):
        raise ValueError(problem)
    stored = _csr(arrays, matrix.shape)
    if not stored.has_canonical_format:
        stored = stored.copy()
        stored.sum_duplicates()
    return {**arrays, "data": stored.data, "indices": stored.indices, "indptr": stored.indptr}


def _problem(arrays: dict[str, np.ndarray], shape: Sequence[int], doc_ids: list[str]) -> str:
    """Why these are no encoded corpus, or "". Each question relies on those before it."""
    for name, array in arrays.items():
        if array.ndim != 1 or array.dtype.kind not in ("i" if name in ("indices", "indptr") else "biuf"):
            return f"{name} has {array.ndim} dimensions of {array.dtype}; needed one, of numbers"
        if array.size and not np.isfinite([array.min(), array.max()]).all():
            position = int(np.flatnonzero(~np.isfinite(array))[0])
            return f"{name} holds {array[position]} at position {position}; needed finite numbers"
    (rows, columns), entries = shape, len(arrays["data"])
    indptr, indices = arrays["indptr"], arrays["indices"]
    if len(indptr) != rows + 1 or indptr[0] != 0 or indptr[-1] != entries or (indptr[1:] < indptr[:-1]).any():
        return f"indptr does not rise from 0 to {entries} (the number of entries) in {rows} steps, one a row"
    if len(indices) != entries or (entries and not 0 <= indices.min() <= indices.max() < columns):
        return f"indices are not {entries} columns from 0 to {columns - 1}"
    if len(doc_ids) != rows:
        return f"{len(doc_ids)} doc_ids for {rows} rows; needed one for each"
    if len(arrays["idf"]) != columns:
        return f"{len(arrays['idf'])} IDF values for {columns} columns; needed one for each"
    return ""


def _csr(arrays: dict[str, np.ndarray], shape: Sequence[int]) -> csr_matrix:
    matrix = csr_matrix(tuple(shape), dtype=arrays["data"].dtype)
    # As arguments, 64-bit indices would be copied into 32 bits wherever they fit.
    for name in ("data", "indices", "indptr"):
        setattr(matrix, name, np.asarray(arrays[name]))
    return matrix


def _unique(doc_ids: Iterable[str]) -> list[str]:
    if isinstance(doc_ids, str):
        raise ValueError(f"doc_ids is the text {doc_ids!r:.80}; needed a list of ids")
    if isinstance(doc_ids, Set) or getattr(doc_ids, "ndim", 1) != 1:
        needed = "needed a list of ids, in the order of the rows"
        raise ValueError(f"doc_ids is a {type(doc_ids).__name__}; {needed}")
    doc_ids = list(doc_ids)
    check_ids(doc_ids, "doc_ids: id")
    rows: dict[str, int] = {}
    for row, doc_id in enumerate(doc_ids):
        if (first := rows.setdefault(doc_id, row)) != row:
            raise ValueError(
                f"doc_ids: {doc_id!r} stands in rows {first} and {row}; each document has one row"
            )
    return doc_ids


def _other_ids(stored: list[str], wanted: list[str]) -> str:
    pairs = enumerate(zip([*stored, None], [*wanted, None], strict=False))  # None: no document in this row
    row, (one, other) = next((row, pair) for row, pair in pairs if pair[0] != pair[1])
    numbers = f"it has {len(stored)} doc_ids, wanted are {len(wanted)}"
    return f"row {row} is document {one!r}, wanted {other!r}; {numbers}"


def _apart(stored: csr_matrix, probe: csr_matrix) -> bool:
    """Models do not give the same digits in every batch: a thousandth of the largest weight is forgiven."""
    return stored.shape != probe.shape or abs(stored - probe).max() > 1e-3 * max(abs(probe).max(), 1e-9)
