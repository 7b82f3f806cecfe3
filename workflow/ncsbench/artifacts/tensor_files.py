"""Arrays by name as safetensors files; read and written without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from ncsbench.artifacts.hashes import check_file
from ncsbench.artifacts.storage import atomic_path
from ncsbench.errors import DataError


def write_tensors(
    path: Path, tensors: dict[str, np.ndarray[Any, Any]], about: dict[str, str] | None = None
) -> None:
    """Write arrays by name, and metadata, as a safetensors file, atomically."""
    with atomic_path(path) as temporary:
        try:
            save_file(tensors, temporary, metadata=about)
        except SafetensorError as error:
            raise OSError(str(error)) from error


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, str]]:
    """Arrays of a safetensors file by name, and its metadata.

    Raises:
        DataError: where it is damaged or cannot be read.
    """
    check_file(path)
    try:
        with safe_open(path, framework="np") as file:
            names = file.keys()
            return {name: file.get_tensor(name) for name in names}, dict(file.metadata() or {})
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        raise DataError(f"{path}: cannot be read as safetensors ({error})") from error
