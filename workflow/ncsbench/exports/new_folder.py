"""The folder that an export writes."""

from __future__ import annotations

from pathlib import Path

from ncsbench.errors import ConfigurationError


def check_empty(folder: Path) -> None:
    """``ConfigurationError`` for a folder that holds something, and for what is none."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigurationError(f"{folder}: is there already; name a new or an empty folder")
