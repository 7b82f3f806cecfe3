"""The definitions of CodeSearchNet: a pickle of all functions of a language."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ncsbench.errors import DataError
from ncsbench.function_corpus.definition_process import BROKEN, END, FAULT

MEMORY_MB = 2000
"""Memory of the process that reads definitions, unless told otherwise."""
_PROCESS = "ncsbench.function_corpus.definition_process"
_LIBRARY = Path(__file__).parents[2]
_FURTHER = [path] if (path := os.environ.get("PYTHONPATH")) else []


def iterate_definitions(
    path: Path, member: str = "", *, memory_mb: int = MEMORY_MB
) -> Iterator[dict[str, Any] | str]:
    """The entries of a pickle of definitions, read by a process of its own that runs none of it.

    Args:
        path: the pickle, or a zip that has it.
        member: its name in the zip; empty for a pickle.
        memory_mb: memory of the process, in megabytes.

    Returns:
        For each entry its fields, of which each is a text, a list of texts or None, by their names
        in the released jsonl files; or why it has none.

    Raises:
        DataError: where the pickle is damaged, is none of a list, or has more than plain values.
    """
    name = f"{path}: {member}" if member else str(path)
    last: dict[str, Any] = {}
    with subprocess.Popen(  # noqa: S603  (our own module; the names are arguments)
        [sys.executable, "-P", "-m", _PROCESS, str(path), member, str(memory_mb)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_LIBRARY), *_FURTHER])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            for line in process.stdout or ():
                last = json.loads(line)
                if not last.keys() & {END, FAULT}:
                    yield last.get(BROKEN) or last
        finally:
            process.kill()
    if FAULT in last:
        raise DataError(f"{name}: {last[FAULT]}")
    if END not in last:
        raise DataError(
            f"{name}: the process that read it ended early; give it more memory than {memory_mb} MB"
        )
