"""Keeping the cache of compiled functions in step with the sources.

Numba stores machine code beside the sources and takes it up again where the file of a function has
not changed. A function of another file that was compiled into it is not looked at, so after an
update the old one would go on working.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from ncsbench.storage import hash_bytes

_JUDGE = Path(__file__).resolve().parent
_CACHE = _JUDGE / "__pycache__"


def drop_stale_code() -> None:
    """Remove machine code that was compiled from other sources than the present ones."""
    stamp = _CACHE / f"compiled-{hash_sources()}"
    if stamp.exists():
        return
    try:
        _CACHE.mkdir(exist_ok=True)
        for path in sorted(_CACHE.iterdir()):
            if path.suffix in {".nbi", ".nbc"} or path.name.startswith("compiled-"):
                with contextlib.suppress(FileNotFoundError):  # another process was first
                    path.unlink()
        stamp.touch()
    except OSError:  # a checkout that cannot be written to: numba keeps its code elsewhere
        cache = Path.home() / ".cache" / "ncsbench" / stamp.name
        os.environ.setdefault("NUMBA_CACHE_DIR", str(cache))  # read when numba is imported


def hash_sources() -> str:
    """Changes with every source that compiled code can be made from."""
    sources = [*sorted(_JUDGE.glob("*.py")), _JUDGE.parent / "records.py"]
    return hash_bytes(b"".join(os.fsencode(path.name) + path.read_bytes() for path in sources))
