"""Raw inputs: the files and folders that a run reads and did not make."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ncsbench.artifacts.hashes import hash_input
from ncsbench.artifacts.storage import hash_bytes


def find_fixed_folder(template: str) -> Path:
    """What a path template names whoever owns a repository: the folders before a placeholder.

    ``sources/of-{owner}/{repo}`` gives ``sources``; a path without a placeholder is given whole.
    """
    start, brace, _ = template.partition("{")
    return Path(start + "x").parent if brace else Path(template)


def hash_store(folder: Path) -> str:
    """SHA-256 of what a store of archives holds: its manifest, and the names of what came since."""
    manifest = folder / "manifest.json"
    parts = [hash_input(manifest)] if manifest.exists() else []
    parts += sorted(str(path.relative_to(folder)) for path in folder.glob("fetched/*/*.parquet"))
    return hash_bytes(os.fsencode("\n".join(parts)))


@dataclass(frozen=True)
class RawInputs:
    """What a run reads and did not make.

    Attributes:
        files: paths by name.
        source: ``kind`` and ``path`` of where the Java files lie.
        clones: folders of the listed repositories, where these are clones.
        published: of those files that a rule gets where they are not there, the SHA-256 that they
            must have, by path; None where it is not known before.
    """

    files: dict[str, str]
    source: dict[str, str]
    clones: tuple[str, ...] = ()
    published: Mapping[str, str | None] = field(default_factory=dict)

    def describe(self) -> dict[str, Any]:
        """The state of every input, by name: its path and the SHA-256 of its content.

        A missing file has none: the rule that reads it says so. A published one has that which it
        must have, whether or not it is there: the run that gets it must not differ from the next.
        Of clones it counts which are
        there, since a commit names its content; those of other datasets count for nothing.
        """
        states: dict[str, Any] = {}
        for name, path in self.files.items():
            sha256 = self.published.get(path)
            if path not in self.published and Path(path).exists():
                sha256 = hash_input(Path(path))
            states[name] = {"path": path, "sha256": sha256}
        states["source"] = dict(self.source)
        if self.source["kind"] == "directory":
            folder = find_fixed_folder(self.source["path"])
            states["source"]["sha256"] = hash_input(folder, ".java")
        elif self.source["kind"] == "archive":
            states["source"]["sha256"] = hash_store(Path(self.source["path"]))
        else:
            present = sorted(path for path in self.clones if Path(path).exists())
            states["source"]["sha256"] = hash_bytes(os.fsencode("\n".join(present)))
        return states
