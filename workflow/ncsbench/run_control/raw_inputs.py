"""Raw inputs: the files and folders that a run reads and did not make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ncsbench.artifacts.hashes import hash_input


@dataclass(frozen=True)
class RawInputs:
    """What a run reads and did not make.

    Attributes:
        files: paths by name.
        source: ``kind`` and ``path`` of where the Java files lie.
        hash_source: a hash of what lies there.
        published: of those files that a rule gets where they are not there, the SHA-256 that they
            must have, by path; None where it is not known before.
    """

    files: dict[str, str]
    source: dict[str, Any]
    hash_source: Callable[[], str]
    published: Mapping[str, str | None] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """The state of every input, by name: its path and the SHA-256 of its content.

        A missing file has none: the rule that reads it says so. A published one has that which it
        must have, whether or not it is there: the run that gets it must not differ from the next.
        """
        states: dict[str, Any] = {}
        for name, path in self.files.items():
            sha256 = self.published.get(path)
            if path not in self.published and Path(path).exists():
                sha256 = hash_input(Path(path))
            states[name] = {"path": path, "sha256": sha256}
        states["source"] = {**self.source, "sha256": self.hash_source()}
        return states
