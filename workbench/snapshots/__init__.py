"""Snapshots: an index of a corpus together with everything that determines it."""

from helpers.base import name_wrong_types
from workbench.snapshots.manifest import (
    CorpusFacts,
    Fingerprint,
    Manifest,
    changed_versions,
    id_of,
    versions_here,
)
from workbench.snapshots.snapshot import Snapshot, build_again, build_snapshot, load_snapshot, snapshots

name_wrong_types(globals())
