"""What is there of a dataset's source when the Snakefile is read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ncsbench.artifacts.hashes import hash_input
from ncsbench.artifacts.storage import hash_bytes
from ncsbench.sources.folder_sources import GitSource
from ncsbench.sources.remembered_commits import key_of, read_missing, read_resolved
from ncsbench.sources.repositories import Repository, is_name
from ncsbench.sources.source_protocol import SourceOptions, find_fixed_folder, find_folder


def hash_store(folder: Path) -> str:
    """SHA-256 of what a store of archives holds: its manifest, and the names of its other files.

    So a shard that was removed since it was damaged is fetched again.
    """
    manifest = folder / "manifest.json"
    parts = [hash_input(manifest)] if manifest.exists() else []
    # Not by Path.glob, which fails where a job removes a folder meanwhile.
    came = [
        str(Path(owner, name).relative_to(folder))
        for kind in ("fetched", "shards")
        for owner, _, names in os.walk(folder / kind)
        for name in names
        if name.endswith(".parquet")
    ]
    parts += sorted(came)
    return hash_bytes(os.fsencode("\n".join(parts)))


@dataclass(frozen=True)
class SourceAtHand:
    """The source of a dataset, as it lies on this machine.

    Attributes:
        options: block ``source`` of the dataset file.
        repositories: those that are listed.
        memory: folder of what is remembered of commits.
        suffix: of the names of the files of a folder that count.
    """

    options: SourceOptions
    repositories: Sequence[Repository]
    memory: Path
    suffix: str = ".java"

    def hash(self) -> str:
        """A hash that changes where the files to be read may have changed.

        Of a folder it is that of the contents, also where a repository is a link to one. Of clones
        it says which are there, since a commit names its content, and what has come that was
        missing when they were listed.
        """
        if self.options.kind == "directory":
            top = hash_input(find_fixed_folder(self.options.path), self.suffix)
            linked = self._hash_linked()
            return hash_bytes("\n".join([top, *linked]).encode()) if linked else top
        if self.options.kind == "archive":
            return hash_store(Path(self.options.path))
        folders = (str(find_folder(self.options.path, one)) for one in self.repositories)
        present = sorted(folder for folder in folders if os.path.exists(folder))  # noqa: PTH110  (thousands)
        return hash_bytes(os.fsencode("\n".join([*present, *self._find_arrived()])))

    def explain_none(self) -> str:
        """Why no repository can be read, and the remedy; empty where at least one may be.

        Raises:
            ConfigurationError: where a store of archives has nothing of the list.
        """
        if self.options.kind == "archive" and self.repositories:
            from ncsbench.sources.archive_store import ArchiveStore  # what only a run needs

            ArchiveStore(Path(self.options.path), self.repositories)
        unusable = is_name if self.options.kind == "directory" else _has_no_commit
        if self.options.kind == "archive" or not self.repositories:
            return ""  # what is to be read is to be fetched
        usable = [one for one in self.repositories if not unusable(one)]
        if any(find_folder(self.options.path, one).is_dir() for one in usable):
            return ""
        if not usable:
            wanted = "a commit" if self.options.kind == "git" else "a commit or none, no branch"
            return f"names no usable repository: source.kind {self.options.kind} needs {wanted}"
        return (
            f"none of its {len(usable)} repositories is there; the first is looked for in "
            f"{find_folder(self.options.path, usable[0])}: put it there, or change 'source.path' "
            "in the dataset file"
        )

    def _hash_linked(self) -> list[str]:
        """Names and hashes of the folders that only a link leads to from the folder of all."""
        top = str(find_fixed_folder(self.options.path))

        @cache
        def is_linked(path: str) -> bool:
            above = os.path.dirname(path)  # noqa: PTH120  (thousands)
            return path not in ("", "/", top) and (os.path.islink(path) or is_linked(above))  # noqa: PTH114

        found = ((one, find_folder(self.options.path, one)) for one in self.repositories)
        return [
            f"{one.full_name} {hash_input(folder.resolve(), self.suffix)}"
            for one, folder in found
            if is_linked(str(folder)) and folder.is_dir()
        ]

    def _find_arrived(self) -> list[str]:
        """The repositories that lack less than when they were listed first, and what."""
        missing = read_missing(self.memory)
        if not missing:
            return []
        source = GitSource(self.options.path, read_resolved(self.memory))
        arrived = []
        for one in self.repositories:
            first = missing.get(key_of(one))
            if first is not None:
                lacks = source.find_lack(one, first)
                if lacks != first:
                    arrived.append(f"{one.full_name} {one.commit} {lacks}".rstrip())
        return sorted(arrived)


def _has_no_commit(repository: Repository) -> bool:
    return repository.commit is None
