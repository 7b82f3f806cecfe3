"""The stop words of a configuration."""

from __future__ import annotations

from pathlib import Path

from ncsbench.errors import ConfigurationError


def read_stop_words(path: Path) -> list[str]:
    """The words of a file with one a line, lower-case and sorted; lines with ``#`` are comments."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"stop_words: {path} cannot be read ({error})") from error
    return sorted({line.strip().lower() for line in lines if line.strip() and line[0] != "#"})
