"""Your own documents as a corpus on disk, and snapshots: an index of them together with everything that determines it."""

from helpers.snapshots.backends import BACKENDS, CHUNKERS
from helpers.snapshots.corpus_folder import CorpusFolder
from helpers.snapshots.manifest import CorpusFacts, Manifest
from helpers.snapshots.snapshot import Snapshot, build_snapshot, load_snapshot, snapshots

__all__ = [
    "BACKENDS",
    "CHUNKERS",
    "CorpusFacts",
    "CorpusFolder",
    "Manifest",
    "Snapshot",
    "build_snapshot",
    "load_snapshot",
    "snapshots",
]
