"""Encoded corpora on disk: a CSR matrix, its IDF and its doc_ids, complete or not there at all, and memory-mapped.

A cache is a folder. Its manifest, a small file, says what made it and names the generation, a folder inside, that counts.
Renaming a new manifest into place is the whole of a commit, so a save that is killed changes nothing. How vectors become a
matrix and what IDF is stands in `sparse`; this room stores numbers and does not know what they mean.
"""

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from reprlib import repr as shortened

import numpy as np
import scipy
from scipy.sparse import csr_matrix

from helpers.base import check_ids
from helpers.retrieval.generations import StaleCache, commit, read_manifest, shown, undamaged


def corpus_fingerprint(corpus: dict[str, str]) -> str:
    """SHA-256 of the ids and texts, 64 hexadecimal digits; equal corpora have the same one, different corpora do not.

    The order counts, because the rows of a matrix follow it. The length of each id and text is hashed before it, so that
    no two corpora run together into the same bytes. Raises ValueError for an id or a text that is not text.

    >>> corpus_fingerprint({"d1": "a cat"}) == corpus_fingerprint({"d1a": " cat"})
    False
    """
    if not isinstance(corpus, dict):
        raise ValueError(f"corpus is a {type(corpus).__name__}; needed a dict {{doc_id: text}}")
    check_ids(corpus, "corpus: doc_id")
    digest = hashlib.sha256()
    for doc_id, text in corpus.items():
        if not isinstance(text, str):
            raise ValueError(f"corpus, document {doc_id!r}: needed its text, found {text!r:.80}")
        id_bytes, text_bytes = _utf8(doc_id), _utf8(text)
        digest.update(b"%d %d " % (len(id_bytes), len(text_bytes)) + id_bytes + text_bytes)
    return digest.hexdigest()


def cached_corpus(
    path: str | Path,
    corpus_ids: Iterable[str],
    made_by: dict,
    encode: Callable[[], tuple[csr_matrix, np.ndarray]],
    probe: tuple[list[int], csr_matrix] | None = None,
) -> tuple[csr_matrix, np.ndarray, list[str]]:
    """Matrix, IDF and doc_ids from the cache at `path`; else from `encode()`, which gives (matrix, IDF), and then saved.

    A cache fits when `made_by` and the doc_ids, in their order, are those asked for, and, where
    `probe` (rows, vectors) is given, what the model makes of those rows now is what is stored, within a thousandth. One line is printed when it is read,
    and one with the reason when it does not fit; none where there was no cache. A result that cannot be written is returned
    all the same, with a warning. Raises ValueError as `save_encoded_corpus` does, for ids and `made_by` before it encodes.

    >>> import tempfile
    >>> wanted = tempfile.mkdtemp(), ["d1"], {"model": "toy"}, lambda: (csr_matrix([[2.0, 0.0]]), np.ones(2))
    >>> encoded, read = cached_corpus(*wanted), cached_corpus(*wanted)  # doctest: +ELLIPSIS
    corpus encoded earlier, read from cache ...
    """
    doc_ids, made_by = _unique(corpus_ids), _as_json(made_by)
    try:
        matrix, idf, stored_ids = load_encoded_corpus(path, made_by)
        if stored_ids != doc_ids:
            raise StaleCache(path, _other_ids(stored_ids, doc_ids))
        if probe is not None and _apart(matrix[probe[0]], probe[1]):
            raise StaleCache(
                path, f"{len(probe[0])} documents were tried, and are encoded to other vectors now"
            )
        print(f"corpus encoded earlier, read from cache {shown(path)}")
        return matrix, idf, doc_ids
    except FileNotFoundError:
        pass
    except StaleCache as stale:
        print(f"corpus is encoded again, cache {shown(path)} does not fit: {stale.reason}")
    matrix, idf = encode()
    try:
        save_encoded_corpus(path, matrix, idf, doc_ids, made_by)
    except OSError as error:  # hours of encoding are not thrown away for a full disk
        warnings.warn(
            f"cache {shown(path)} cannot be written ({error.strerror or error}); nothing was kept",
            stacklevel=2,
        )
    return matrix, idf, doc_ids


def save_encoded_corpus(
    path: str | Path,
    corpus_matrix: csr_matrix,
    idf: np.ndarray,
    doc_ids: Sequence[str],
    made_by: dict | None = None,
) -> None:
    """Writes matrix (documents × terms), IDF (one per term) and doc_ids (one per row) into the folder `path`.

    `made_by`, a dict that JSON can hold, says what they are of: model or analyzer, parameters, `corpus_fingerprint`. Data
    types are kept; entries that are unsorted or in two parts are sorted and summed. A cache that is there is replaced in
    one step at the end, and stays as it is if this fails. Raises ValueError for what is no CSR matrix of finite numbers,
    for lengths that do not match and ids that are repeated or no text; OSError where the disk does not allow it.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> save_encoded_corpus(folder, csr_matrix([[2.0, 0.0]]), np.ones(2), ["d1"], {"model": "toy"})
    >>> load_encoded_corpus(folder)[2]
    ['d1']
    """
    doc_ids, made_by = _unique(doc_ids), _as_json({} if made_by is None else made_by)
    arrays = _arrays(corpus_matrix, idf, doc_ids)
    contents: dict[str, np.ndarray | bytes] = {f"{name}.npy": array for name, array in arrays.items()}
    # One id on each line: JSON escapes line feeds.
    contents["doc_ids.json"] = _utf8(json.dumps(doc_ids, ensure_ascii=False, separators=(",\n", ":")))
    about = {
        "made_by": made_by,
        "shape": [int(n) for n in corpus_matrix.shape],
        "nnz": len(arrays["data"]),
        "dtypes": {name: array.dtype.str for name, array in arrays.items()},
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
    }
    commit(Path(path), about, contents)


def load_encoded_corpus(
    path: str | Path, made_by: dict | None = None
) -> tuple[csr_matrix, np.ndarray, list[str]]:
    """The matrix, IDF and doc_ids that were saved at `path`; with `made_by`, only if it is the stored one.

    The matrix stays on disk and is read where it is used; it cannot be changed, its `.copy()` can. Sizes and checksums
    guard against damage, not against malice. Raises FileNotFoundError where no cache is, and StaleCache (a ValueError)
    for one that is damaged or was made by something else; versions of numpy and scipy are stored, but may differ.

    >>> load_encoded_corpus("no/such/folder")
    Traceback (most recent call last):
    FileNotFoundError: no/such/folder holds no encoded corpus (encoded_corpus.json); save one there first
    """
    folder, wanted = Path(path), None if made_by is None else _as_json(made_by)
    missing_from = ""
    while True:
        manifest = read_manifest(folder)
        if wanted is not None and wanted != manifest["made_by"]:
            raise StaleCache(folder, _difference(manifest["made_by"], wanted))
        try:
            return _open(folder, manifest)
        except OSError as error:
            # Another process may have saved meanwhile and removed this generation; then the manifest names a new one.
            if manifest["generation"] == missing_from:
                name = Path(error.filename or "a file").name
                raise StaleCache(folder, f"{name} cannot be read ({error.strerror or error})") from error
            missing_from = manifest["generation"]


def _open(folder: Path, manifest: dict) -> tuple[csr_matrix, np.ndarray, list[str]]:
    generation = undamaged(folder, manifest)
    arrays = {
        name: np.load(generation / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        for name in manifest["dtypes"]
    }
    doc_ids = json.loads((generation / "doc_ids.json").read_bytes().decode("utf-8", "surrogatepass"))
    if problem := _problem(arrays, manifest["shape"], doc_ids):
        raise StaleCache(folder, problem)
    return _csr(arrays, manifest["shape"]), np.array(arrays["idf"]), doc_ids


def _arrays(matrix: csr_matrix, idf: np.ndarray, doc_ids: list[str]) -> dict[str, np.ndarray]:
    """What is stored, checked, in canonical form: later scipy would want to sort in place, and a map cannot be changed."""
    if not isinstance(matrix, csr_matrix):
        raise ValueError(
            f"corpus_matrix is a {type(matrix).__name__}; needed a csr_matrix, documents × terms"
        )
    nnz = matrix.indptr[-1]  # behind it an array may have room to spare
    arrays = {
        "data": matrix.data[:nnz],
        "indices": matrix.indices[:nnz],
        "indptr": matrix.indptr,
        "idf": np.asarray(idf),
    }
    if problem := _problem(arrays, matrix.shape, doc_ids):
        raise ValueError(problem)
    stored = _csr(arrays, matrix.shape)
    if not stored.has_canonical_format:
        stored = stored.copy()
        stored.sum_duplicates()
    return {"data": stored.data, "indices": stored.indices, "indptr": stored.indptr, "idf": arrays["idf"]}


def _problem(arrays: dict[str, np.ndarray], shape: Sequence[int], doc_ids: list[str]) -> str:
    """Why these are no encoded corpus, or "". Each question relies on those before it."""
    for name, array in arrays.items():
        if array.ndim != 1 or array.dtype.kind not in ("i" if name in ("indices", "indptr") else "biuf"):
            return f"{name} has {array.ndim} dimensions of {array.dtype}; needed one, of numbers"
        if array.size and not np.isfinite([array.min(), array.max()]).all():
            position = int(np.flatnonzero(~np.isfinite(array))[0])
            return f"{name} holds {array[position]} at position {position}; needed finite numbers"
    (rows, columns), indptr, indices, entries = (
        shape,
        arrays["indptr"],
        arrays["indices"],
        len(arrays["data"]),
    )
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
    matrix.data, matrix.indices, matrix.indptr = (
        np.asarray(arrays[name]) for name in ("data", "indices", "indptr")
    )
    return matrix


def _unique(doc_ids: Iterable[str]) -> list[str]:
    if isinstance(doc_ids, str):
        raise ValueError(f"doc_ids is the text {doc_ids!r:.80}; needed a list of ids")
    doc_ids = list(doc_ids)
    check_ids(doc_ids, "doc_ids: id")
    last = {doc_id: row for row, doc_id in enumerate(doc_ids)}
    for row, doc_id in enumerate(doc_ids) if len(last) < len(doc_ids) else ():
        if last[doc_id] != row:
            raise ValueError(
                f"doc_ids: {doc_id!r} stands in rows {row} and {last[doc_id]}; each document has one row"
            )
    return doc_ids


def _other_ids(stored: list[str], wanted: list[str]) -> str:
    pairs = enumerate(zip([*stored, None], [*wanted, None], strict=False))  # None: no document in this row
    row, (one, other) = next((row, pair) for row, pair in pairs if pair[0] != pair[1])
    return f"row {row} is document {one!r}, wanted {other!r}; it has {len(stored)} doc_ids, wanted are {len(wanted)}"


def _apart(stored: csr_matrix, probe: csr_matrix) -> bool:
    """Neural models do not give the same digits in every batch, so a thousandth of the largest weight is forgiven."""
    return stored.shape != probe.shape or abs(stored - probe).max() > 1e-3 * max(abs(probe).max(), 1e-9)


def _as_json(made_by: dict) -> dict:
    """`made_by` as it reads when it comes back from disk: tuples are lists, keys are text."""
    try:
        if not isinstance(made_by, dict):
            raise TypeError(f"it is a {type(made_by).__name__}")
        return json.loads(json.dumps(made_by, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"made_by must be a dict of text, finite numbers, lists and dicts: {error}"
        ) from None


def _difference(stored: dict, wanted: dict) -> str:
    differing = (
        f for f in {**stored, **wanted} if (f in stored, stored.get(f)) != (f in wanted, wanted.get(f))
    )
    values = (
        (f, *(shortened(made_by[f]) if f in made_by else "not there" for made_by in (stored, wanted)))
        for f in differing
    )
    return "; ".join(f"made_by[{field!r}] is {found}, wanted {needed}" for field, found, needed in values)


def _utf8(text: str) -> bytes:
    return text.encode(
        "utf-8", "surrogatepass"
    )  # half a character, which JSON can bring in, is neither refused nor lost
