"""Weights in a safetensors file: a length, a JSON header, the numbers; nothing in it can be run.

Source: the format's own description in the README of huggingface/safetensors, version 0.4.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from helpers.base import check_ids, first_few, replaced
from helpers.encoders.settings import as_path, refuse_pointer

TYPES = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "BF16": np.dtype("<u2"),  # NumPy has no such type: the upper half of a 32-bit float
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "U8": np.dtype("u1"),
}
LONGEST_HEADER = 100_000_000
"""Bytes; the format's own limit."""
BLOCK = 1 << 20
"""So many bytes at a time are looked through for values that are not finite."""
METADATA = "__metadata__"
"""The one name in a header that is no tensor's."""
MOST_DIMENSIONS = 32
"""Of a tensor; older NumPys have no more."""
PICKLES = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib"}


def read_safetensors(path: str | Path) -> dict[str, np.ndarray]:
    """The tensors of a file by name, in the order of their bytes: views of the mapped file, read-only.

    The memory they take is what is looked at. The file must stay as it is while they are used: written over
    in place, their values change, and made shorter, it ends the process (a file that is renamed into its
    place does no harm). BF16, which NumPy lacks, becomes float32 (a copy); F64, F32, F16, I64, I32 and U8
    stay what they are. Raises FileNotFoundError where there is no file, and ValueError for a pickle, a
    pointer of Git LFS, a file that is cut or whose header lies about it, another type, and for weights that
    are not finite, by name.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "model.safetensors"
    >>> write_safetensors({"bias": np.array([1, 2], dtype=np.float16)}, path)
    >>> read_safetensors(path)
    {'bias': array([1., 2.], dtype=float16)}
    """
    path = as_path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path} is no file; needed weights, as model.safetensors")
    refuse_pickle(path)
    refuse_pointer(path)
    header, start = _header(path)
    entries = _checked_entries(header, path.stat().st_size - start, path)
    _check_finite(path, start, entries)
    data = (
        np.memmap(path, np.uint8, mode="r", offset=start) if entries and path.stat().st_size > start else b""
    )
    return {name: _tensor(data, entry) for name, entry in entries.items()}


def write_safetensors(tensors: Mapping[str, np.ndarray], path: str | Path) -> None:
    """Writes tensors by name, whole or not at all. Raises ValueError for a type that the format lacks here,
    and for a name that is no text, or the header's own.

    The header is filled up with spaces to a multiple of eight bytes, so that every 32-bit number can be
    mapped where it lies.

    >>> write_safetensors({"mask": np.array([1j])}, "model.safetensors")
    Traceback (most recent call last):
    ValueError: tensor 'mask' is of type complex128; this format takes F64, F32, F16, I64, I32, U8
    """
    if not isinstance(tensors, Mapping):
        raise ValueError(f"tensors is a {type(tensors).__name__}; needed arrays by name, a dict")
    check_ids(tensors, "tensors: name")
    kinds = {kind: name for name, kind in TYPES.items() if name != "BF16"}
    header, offset = {}, 0
    for name, tensor in tensors.items():
        if name == METADATA:
            raise ValueError(f"a tensor is called {name!r}, which is the header's own; give it another name")
        if not isinstance(tensor, (np.ndarray, np.generic)):
            raise ValueError(f"tensor {name!r} is a {type(tensor).__name__}; needed a NumPy array")
        kind = kinds.get(tensor.dtype.newbyteorder("<"))
        if kind is None:
            takes = ", ".join(kinds.values())
            raise ValueError(f"tensor {name!r} is of type {tensor.dtype}; this format takes {takes}")
        ends = [offset, offset + tensor.nbytes]
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": ends}
        offset = ends[1]
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with replaced(path) as beside, open(beside, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor, tensor.dtype.newbyteorder("<")).tobytes())


def refuse_pickle(path: Path) -> None:
    """Raises ValueError for a file that only unpickling could read, by its ending or its first bytes.

    A safetensors file begins with a length, any eight bytes, and then its header's brace.
    """
    with open(path, "rb") as file:
        start = file.read(9)
    looks = start[8:] != b"{" and start.startswith((b"PK", b"\x80"))
    if path.suffix in PICKLES or looks:
        why = "reading a pickle runs whatever its author wrote into it"
        cure = "give the model's model.safetensors, which holds numbers only"
        raise ValueError(f"{path} is a pickle or an archive of one, and {why}; {cure}")


def _header(path: Path) -> tuple[dict, int]:
    """The header, and where the numbers start."""
    size = path.stat().st_size
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, LONGEST_HEADER):
            found = f"{size} bytes, of which the header would be {length}"
            raise ValueError(f"{path} has {found}: no safetensors file, or cut; get it again")
        text = file.read(length)
    try:
        header = json.loads(text.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as reason:
        raise ValueError(f"{path}: the header is no JSON ({reason}); get the file again") from None
    if not isinstance(header, dict):
        raise ValueError(f"{path}: the header is a {type(header).__name__}, needed an object; get it again")
    header.pop(METADATA, None)
    return header, 8 + length


def _once(pairs: list[tuple[str, object]]) -> dict:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands in it twice")
    return dict(pairs)


def _checked_entries(header: dict, n_bytes: int, path: Path) -> dict[str, dict]:
    """The header's entries in the order of their bytes, which follow each other without a gap."""
    for name, entry in header.items():
        _check_entry(name, entry, path)
    entries = dict(sorted(header.items(), key=lambda item: item[1]["data_offsets"]))
    position = 0
    for name, entry in entries.items():
        begin, position_after = entry["data_offsets"]
        if begin != position:
            what = "overlaps the tensor before it" if begin < position else "leaves a gap before it"
            raise ValueError(f"{path}: tensor {name!r} {what} (bytes {begin} and {position}); get it again")
        position = position_after
    if position != n_bytes:
        raise ValueError(f"{path}: its tensors take {position} bytes, it holds {n_bytes}; get it again")
    return entries


def _check_entry(name: str, entry: object, path: Path) -> None:
    try:
        kind, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
        whole = type(kind) is str and type(shape) is list and len(shape) <= MOST_DIMENSIONS
        whole = whole and all(type(number) is int and 0 <= number < 2**60 for number in [*shape, begin, end])
    except (TypeError, KeyError, ValueError):
        whole = False
    if not whole:
        raise ValueError(f"{path}: the header's entry of tensor {name!r} is {entry!r:.100}; get it again")
    if kind not in TYPES:
        raise ValueError(f"{path}: tensor {name!r} is of type {kind!r}; needed {', '.join(TYPES)}")
    needed = math.prod(shape) * TYPES[kind].itemsize
    if end - begin != needed:
        raise ValueError(
            f"{path}: tensor {name!r}, {kind} of shape {shape}, takes {needed} bytes; "
            f"its header gives it {end - begin}; get the file again"
        )


def _check_finite(path: Path, start: int, entries: Mapping[str, dict]) -> None:
    """Reads the file block by block, not through the map: what is only looked through takes no memory."""
    broken = []
    with open(path, "rb") as file:
        for name, entry in entries.items():
            begin, end = entry["data_offsets"]
            if entry["dtype"] not in ("F64", "F32", "F16", "BF16"):
                continue
            file.seek(start + begin)
            for at in range(begin, end, BLOCK):
                block = np.frombuffer(file.read(min(BLOCK, end - at)), TYPES[entry["dtype"]])
                if not np.isfinite(_widened(block, entry["dtype"])).all():
                    broken.append(name)
                    break
    if broken:
        named = first_few(broken)
        raise ValueError(
            f"{path}: values that are not finite (NaN or infinite) in {named}; get the file again"
        )


def _tensor(data: np.ndarray | bytes, entry: dict) -> np.ndarray:
    begin, end = entry["data_offsets"]
    flat = np.frombuffer(data[begin:end], TYPES[entry["dtype"]])
    return _widened(flat, entry["dtype"]).reshape(entry["shape"])


def _widened(flat: np.ndarray, kind: str) -> np.ndarray:
    if kind != "BF16":
        return flat
    return (flat.astype(np.uint32) << 16).view(np.float32)
