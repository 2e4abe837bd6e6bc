"""The most memory a process has held.

`ru_maxrss` will not do: a child begins with that of its parent, which may be the larger one.
"""

from __future__ import annotations

import resource
from pathlib import Path

STATUS = Path("/proc/self/status")


def megabytes() -> int:
    """Returns this process's peak: by the kernel's count since it started, where that is told."""
    if STATUS.exists():
        line_of_peak = next(
            line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")
        )
        return int(line_of_peak.split()[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
