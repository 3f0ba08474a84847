"""Vectors kept on this computer: encoded once, in parts that an interruption leaves, and encoded again for
other texts or another model."""

import json
import shutil
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, issparse, vstack

from helpers.base import (
    StaleCache,
    cache_dir,
    cache_path,
    cache_shown,
    check_ids,
    check_option,
    corpus_fingerprint,
    json_checksum,
    made_by_difference,
    placed,
    placing,
    progress,
    size_and_checksum,
    utf8,
    warn,
)
from helpers.encoders.asking import KINDS, Vectors, encoded, in_16_bits, model_fingerprint, model_name
from helpers.encoders.settings import as_path

PART = 512
"""So many texts are encoded, and written down, at a time: what an interruption costs at most."""
PROBES = 8
"""How many texts, spread over all, are encoded again to see whether the model is still the same."""
_MANIFEST, _IDS, _FORMAT = "vectors.json", "ids.json", 1


def kept_vectors(
    encoder: object,
    texts: Mapping[str, str],
    path: str | Path,
    kind: str = "document",
    say: Callable[[str], object] = print,
) -> tuple[list[str], Vectors]:
    """Ids and vectors of texts `{id: text}`, a row each, in their order: read where kept, else encoded.

    `path` is a folder, or the name of a collection, which gives one in the cache folder for this model. The
    encoder is anything that `encoded` can ask; `kind` "document" or "query" says how. Values have the
    precision of 16 bits, on the first call too, and come as float32. What is kept fits when model, kind and
    texts are those asked for and eight texts that are encoded again come out the same; else it is encoded
    again, and a line says why. (`say` takes the line that tells of a reading.) An encoding that was
    interrupted goes on after its last 512 texts.

    Raises ValueError for a folder that holds anything else, for no text, for what is no text, for vectors
    that `encoded` refuses, for values that 16 bits cannot hold, and for a `fingerprint` that is no text.

    >>> import tempfile
    >>> class Letters:
    ...     name = "letters"
    ...     def encode(self, texts):
    ...         return [[text.count("a"), text.count("b")] for text in texts]
    >>> folder = Path(tempfile.mkdtemp()) / "toy"
    >>> ids, vectors = kept_vectors(Letters(), {"d1": "aab", "d2": "b"}, folder)
    >>> ids, vectors.tolist()
    (['d1', 'd2'], [[2.0, 1.0], [0.0, 1.0]])
    >>> again = kept_vectors(Letters(), {"d1": "aab", "d2": "b"}, folder)  # doctest: +ELLIPSIS
    vectors of 2 texts read from cache ...
    """
    check_option("kind", kind, KINDS)
    if not isinstance(texts, Mapping):
        raise ValueError(f"texts is a {type(texts).__name__}; needed a dict {{id: text}}")
    if not texts:
        raise ValueError("there is no text to encode")
    folder, ids, listed = _folder(encoder, path, kind), list(texts), list(texts.values())
    _check_ours(folder, (_MANIFEST, _IDS), ".npy")
    _check_ours(_unfinished(folder), (_MANIFEST,), ".npz")
    made_by = _made_by(encoder, dict(texts), kind)
    try:
        _, vectors = load_vectors(folder, made_by)
        _check_probes(encoder, listed, kind, vectors, folder)
        say(f"vectors of {len(ids):,} texts read from cache {cache_shown(folder)}")
        return ids, vectors
    except FileNotFoundError:
        pass
    except StaleCache as stale:
        print(f"texts are encoded again, cache {cache_shown(folder)} does not fit: {stale.reason}")
    work = _unfinished(folder)
    vectors = _encoded_in_parts(encoder, listed, kind, work, made_by)
    try:
        _save(folder, ids, vectors, made_by)
    except OSError as error:  # minutes of encoding are not thrown away for a full disk
        _warn(folder, error)
    shutil.rmtree(work, ignore_errors=True)
    return ids, vectors


def load_vectors(path: str | Path, made_by: dict | None = None) -> tuple[list[str], Vectors]:
    """The ids and vectors kept in the folder `path`; with `made_by`, only if it is the stored one.

    Raises FileNotFoundError where none are, ValueError for a file, StaleCache (a ValueError) for what is
    damaged or of another model or of other texts, with the difference.
    """
    folder = as_path(path)
    if folder.is_file():
        cure = "arrays of your own go into DenseRetriever(corpus, model, vectors=(ids, rows))"
        raise ValueError(f"{folder} is a file; needed a folder that kept_vectors has written; {cure}")
    if not (folder / _MANIFEST).is_file():
        raise FileNotFoundError(f"{folder} holds no vectors; {_where_kept(path)}")
    try:
        manifest = json.loads((folder / _MANIFEST).read_bytes())
        checksum = manifest.pop("crc32")
        if manifest.get("format") != _FORMAT or checksum != json_checksum(manifest):
            raise StaleCache(folder, f"{_MANIFEST} is damaged, edited, or of another format than {_FORMAT}")
        if made_by is not None and made_by != manifest["made_by"]:
            raise StaleCache(folder, made_by_difference(manifest["made_by"], made_by))
        for name, written in manifest["files"].items():
            if (found := size_and_checksum(folder / name)) != written:
                raise StaleCache(folder, f"{name} is damaged: it has {found}, written were {written}")
        arrays = {path.stem: np.load(path, allow_pickle=False) for path in folder.glob("*.npy")}
        ids = json.loads((folder / _IDS).read_bytes().decode("utf-8", "surrogatepass"))
        return ids, _from_arrays(arrays, manifest["width"])
    except StaleCache:
        raise
    except (OSError, LookupError, TypeError, AttributeError, ValueError) as error:
        raise StaleCache(folder, f"it cannot be read ({type(error).__name__}: {error})") from error


def _where_kept(path: str | Path) -> str:
    """Where vectors are that are not in a folder: those of a collection are in the cache, by its name."""
    name = str(path)
    if _is_a_path(name) or name in (".", "..") or not name.strip():
        return "kept_vectors puts them there"
    in_cache = [cache_path("any", f"{name}-{kind}-vectors").name for kind in KINDS]
    found = sorted(folder for one in in_cache for folder in cache_dir().glob(f"*/{one}"))
    cure = f"load_vectors({str(found[0])!r})" if found else f"give both {f'./{name}'!r} for a folder here"
    return f"kept_vectors takes a bare name as that of a collection, and keeps it in the cache folder: {cure}"


def _made_by(encoder: object, texts: dict[str, str], kind: str) -> dict:
    made = {"model": model_name(encoder), "model fingerprint": model_fingerprint(encoder)}
    return made | {"kind": kind, "texts": corpus_fingerprint(texts), "part": PART}


def _folder(encoder: object, path: str | Path, kind: str) -> Path:
    """The folder itself, or, for the name of a collection, one in the cache for this model and kind."""
    if not isinstance(path, str) or _is_a_path(path):
        return as_path(path)
    return cache_path(model_name(encoder), f"{path}-{kind}-vectors")


def _is_a_path(name: str) -> bool:
    """The name of a collection may hold what a path cannot; `cache_path` writes it in another way."""
    return "/" in name or "\\" in name or not name


def _unfinished(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.unfinished")


def _check_ours(folder: Path, names: tuple[str, ...], ending: str) -> None:
    """Raises ValueError for a file, or a folder with anything that was not written here: it would be lost."""
    inside = folder.iterdir() if folder.is_dir() else [folder] if folder.exists() else []
    for found in inside:
        if found == folder or not (found.name in names or found.suffix in (ending, ".partial")):
            raise ValueError(f"{found} is not of these vectors and would be lost; give a new or empty folder")


def _check_probes(encoder: object, texts: list[str], kind: str, stored: Vectors, folder: Path) -> None:
    rows = sorted({len(texts) * i // PROBES for i in range(PROBES)})
    now = encoded(encoder, [texts[row] for row in rows], kind)
    if _apart(stored[rows], now):
        reason = f"{len(rows)} texts were tried, and are encoded to other vectors now"
        raise StaleCache(folder, reason)


def _apart(stored: Vectors, now: Vectors) -> bool:
    """16 bits and another batch change the last digits: two thousandths of the largest value are forgiven."""
    if stored.shape != now.shape or issparse(stored) != issparse(now):
        return True
    return abs(stored - now).max() > 2e-3 * max(abs(now).max(), 1e-9) if stored.size else False


def _encoded_in_parts(encoder: object, texts: list[str], kind: str, work: Path, made_by: dict) -> Vectors:
    """The vectors of all texts, part by part; what an interrupted encoding has written is not made again."""
    done = _parts_done(encoder, texts, kind, work, made_by)
    parts = []
    with progress(total=len(texts), desc="encoding", unit="text") as bar:
        for number, first in enumerate(range(0, len(texts), PART)):
            batch = texts[first : first + PART]
            if number not in done:
                done[number] = in_16_bits(encoded(encoder, batch, kind))
                _write_part(work, number, done[number], made_by)
            parts.append(done[number])
            bar.update(len(batch))
    widths = sorted({part.shape[1] for part in parts})
    if len(widths) > 1:
        found = f"vectors of {' and of '.join(map(str, widths))} numbers"
        raise ValueError(f"{model_name(encoder)}: {found}; all texts need the same width")
    return vstack(parts, format="csr") if issparse(parts[0]) else np.concatenate(parts)


def _parts_done(
    encoder: object, texts: list[str], kind: str, work: Path, made_by: dict
) -> dict[int, Vectors]:
    """The parts of an interrupted encoding of the same texts by the same model; else none, and they go."""
    if not work.is_dir():
        return {}
    try:
        begun = json.loads((work / _MANIFEST).read_bytes())
        if begun != made_by:
            raise StaleCache(work, made_by_difference(begun, made_by))
        found = {int(path.stem): _read_part(path) for path in sorted(work.glob("*.npz"))}
        sizes = {number: len(texts[number * PART : (number + 1) * PART]) for number in found}
        done = {n: part for n, part in found.items() if part is not None and part.shape[0] == sizes[n] > 0}
        for number, part in list(done.items())[:1]:  # enough to notice another model
            batch = texts[number * PART : (number + 1) * PART]
            _check_probes(encoder, batch, kind, part, work)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        print(f"an interrupted encoding does not fit and is begun anew: {getattr(error, 'reason', error)}")
        shutil.rmtree(work, ignore_errors=True)
        return {}
    if done:
        n_done = sum(part.shape[0] for part in done.values())
        print(f"encoding goes on after {n_done:,} of {len(texts):,} texts")
    return done


def _write_part(work: Path, number: int, part: Vectors, made_by: dict) -> None:
    try:
        if not (work / _MANIFEST).exists():
            placing.write_text(work / _MANIFEST, json.dumps(made_by))
        with placing.replaced(work / f"{number:06}.npz") as beside, open(beside, "wb") as file:
            np.savez(file, width=part.shape[1], **_as_arrays(part))
    except OSError as error:
        _warn(work, error)


def _read_part(path: Path) -> Vectors | None:
    """None for one that is damaged: it is encoded again. (A zip checks each of its files.)"""
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        return _from_arrays(arrays, int(arrays.pop("width")))
    except (OSError, ValueError, LookupError, EOFError, zipfile.BadZipFile, zlib.error):
        return None


def _save(folder: Path, ids: list[str], vectors: Vectors, made_by: dict) -> None:
    check_ids(ids, "texts: id")
    with placed(folder) as new:
        for name, array in _as_arrays(vectors).items():
            np.save(new / f"{name}.npy", array, allow_pickle=False)
        (new / _IDS).write_bytes(utf8(json.dumps(ids, ensure_ascii=False, separators=(",\n", ":"))))
        manifest = {"format": _FORMAT, "made_by": made_by, "n": len(ids), "width": int(vectors.shape[1])}
        manifest["files"] = {file.name: size_and_checksum(file) for file in sorted(new.iterdir())}
        manifest["crc32"] = json_checksum(manifest)
        (new / _MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def _as_arrays(vectors: Vectors) -> dict[str, np.ndarray]:
    if not issparse(vectors):
        return {"vectors": vectors.astype(np.float16)}
    indices = vectors.indices.astype(np.int32)
    return {"data": vectors.data.astype(np.float16), "indices": indices, "indptr": vectors.indptr}


def _from_arrays(arrays: Mapping[str, np.ndarray], width: int) -> Vectors:
    if "vectors" in arrays:
        return arrays["vectors"].astype(np.float32)
    parts = arrays["data"].astype(np.float32), arrays["indices"], arrays["indptr"]
    return csr_matrix(parts, shape=(len(arrays["indptr"]) - 1, width))


def _warn(path: Path, error: OSError) -> None:
    problem = f"{error.strerror or error}; nothing was kept"
    warn(f"cache {cache_shown(path)} {problem}")
