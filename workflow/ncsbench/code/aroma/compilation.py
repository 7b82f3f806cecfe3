"""Keeping the cache of compiled functions in step with the sources.

Numba stores machine code beside the sources and loads it again where the file of a function has
not changed. Numba does not look at functions of other files that were compiled into it, so after an
update the old code would go on working.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from ncsbench.base.files.storage import hash_bytes

_LIBRARY = Path(__file__).resolve().parents[2]
_PACKAGES = ("code/aroma", "evaluation/judge", "evaluation/structural_search")
"""Packages with compiled functions; functions of ``aroma`` are compiled into the others."""


def drop_stale_code() -> None:
    """Remove machine code that was compiled from other sources than the present ones."""
    stamp = _LIBRARY / _PACKAGES[0] / "__pycache__" / f"compiled-{hash_sources()}"
    if stamp.exists():
        return
    try:
        for package in _PACKAGES:
            for path in sorted((_LIBRARY / package / "__pycache__").glob("*")):
                if path.suffix in {".nbi", ".nbc"} or path.name.startswith("compiled-"):
                    with contextlib.suppress(FileNotFoundError):  # another process was first
                        path.unlink()
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
    except OSError:  # a checkout that cannot be written to: numba keeps its code elsewhere
        if "numba" not in sys.modules:  # numba reads the variable when imported
            cache = Path.home() / ".cache" / "ncsbench" / stamp.name
            os.environ.setdefault("NUMBA_CACHE_DIR", str(cache))


def hash_sources() -> str:
    """Hash every source that compiled code can be made from."""
    sources = [path for name in _PACKAGES for path in sorted((_LIBRARY / name).glob("*.py"))]
    return hash_bytes(b"".join(os.fsencode(path.name) + path.read_bytes() for path in sources))
