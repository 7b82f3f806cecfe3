"""Raw inputs: the files and folders that a run reads and did not make."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.fingerprints import Fingerprints
from ncsbench.storage import hash_bytes


@dataclass(frozen=True)
class RawInputs:
    """What a run reads and did not make.

    Attributes:
        files: paths by name.
        source: ``kind`` and ``path`` of where the Java files lie.
    """

    files: dict[str, str]
    source: dict[str, str]

    def describe(self, fingerprints: Fingerprints) -> dict[str, Any]:
        """The state of every input, by name: its path and the SHA-256 of its content.

        A missing file has none: the rule that reads it says so. Of clones it counts which are
        there, since a commit names its content.
        """
        states: dict[str, Any] = {}
        for name, path in self.files.items():
            sha256 = fingerprints.of_file(Path(path)) if Path(path).exists() else None
            states[name] = {"path": path, "sha256": sha256}
        states["source"] = dict(self.source)
        if self.source["kind"] == "directory":
            folder = Path(self.source["path"].split("{", 1)[0] or ".")
            states["source"]["sha256"] = fingerprints.of_folder(folder, ".java")
        else:
            pattern = glob.escape(self.source["path"])
            pattern = pattern.replace("{owner}", "*").replace("{repo}", "*")
            present = "\n".join(sorted(glob.glob(pattern)))  # noqa: PTH207  (any path, also absolute)
            states["source"]["sha256"] = hash_bytes(os.fsencode(present))
        return states


def find_raw_inputs(
    dataset: Mapping[str, Any], pair_sets: Mapping[str, Mapping[str, Any]], published: Path
) -> RawInputs:
    """Name the raw inputs of a dataset.

    Args:
        dataset: the checked dataset file.
        pair_sets: options of the sets of training pairs that can be made.
        published: folder of the published figures.
    """
    posts = dataset["posts"] or {}
    files = {
        "repositories": dataset["repositories"],
        "posts": posts.get("path"),
        "users": posts.get("users"),
        "curation": dataset["curation"],
        **{f"questions-{number}": path for number, path in enumerate(dataset["questions"])},
        **{
            f"pairs-{name}": options["path"]
            for name, options in pair_sets.items()
            if options["kind"] == "file"
        },
        **{f"published-{path.stem}": str(path) for path in sorted(published.glob("*.csv"))},
    }
    return RawInputs({name: path for name, path in files.items() if path}, dataset["source"])
