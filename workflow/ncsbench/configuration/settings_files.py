"""Settings files, read as the type that wrote them."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from ncsbench.artifacts.storage import read_json
from ncsbench.configuration.strict_model import StrictModel

Settings = TypeVar("Settings", bound=StrictModel)


def read_settings(path: Path, kind: type[Settings]) -> Settings:
    """The settings of a stage; ``ConfigurationError`` where they are of another one."""
    return kind.parse(read_json(path), where=str(path))
