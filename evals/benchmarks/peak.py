"""The most memory that this process has held, for the benchmarks that measure it in processes of their
own."""

import ctypes
import sys
from pathlib import Path

import psutil


def forget() -> None:
    """Begins anew, where the system can (Linux); elsewhere the peak is that of the whole life of the
    process."""
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5")


def so_far() -> int:
    """Bytes, since the process began or `forget` was called."""
    if sys.platform == "linux":
        status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        return int(status["VmHWM"].split()[0]) * 1024
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def give_back() -> None:
    """Returns freed memory to the system where glibc can: else what follows uses that, and seems to need
    nothing."""
    if sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim"):
        ctypes.CDLL(None).malloc_trim(0)
