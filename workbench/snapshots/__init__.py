"""Snapshots: an index of a corpus together with everything that determines it."""

from workbench.snapshots.manifest import (
    CorpusFacts,
    Fingerprint,
    Manifest,
    changed_versions,
    id_of,
    versions_here,
)
from workbench.snapshots.snapshot import Snapshot, build_snapshot, load_snapshot, snapshots
