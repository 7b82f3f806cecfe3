"""Reads the Java files of repositories that are local git clones, without a checkout."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ncsbench.corpus.repositories import Repository
from ncsbench.corpus.source_folders import find_folder
from ncsbench.corpus.source_protocol import (
    NOT_FOUND,
    NOT_REGULAR,
    ListedFile,
    Listing,
    SourceError,
    SourceFile,
    is_wanted,
    make_listing,
    make_printable,
)

_REGULAR = {"100644", "100755", "100664"}
_MISSING = "not in the clone"


@dataclass(frozen=True)
class GitSource:
    """Local clones, bare or with ``.git`` inside, read at a commit from the object store."""

    path: str

    def list_files(self, repository: Repository) -> Listing:
        """See ``Source``."""
        git_dir = self._find(repository)
        if repository.commit is None:
            raise SourceError("the list names no commit")
        blobs = _list_blobs(git_dir, repository.commit, sizes=True)
        return make_listing(repository.commit, (blob.file for blob in blobs))

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """See ``Source``."""
        git_dir = self._find(repository)
        known: dict[str, str] = {}
        for blob in _list_blobs(git_dir, str(commit), sizes=False):
            known.setdefault(blob.file.path, blob.object_id)
        with _Objects(git_dir) as objects:
            for path in paths:
                data = objects.read(known[path]) if path in known else None
                yield SourceFile(path, data, "" if data is not None else _MISSING)

    def _find(self, repository: Repository) -> Path:
        folder = find_folder(self.path, repository)
        git_dir = folder / ".git" if (folder / ".git").exists() else folder
        if not git_dir.exists():
            raise SourceError(NOT_FOUND[1])
        return git_dir


@dataclass(frozen=True)
class _Blob:
    file: ListedFile
    object_id: str


_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def _git(git_dir: Path, *arguments: str) -> list[str]:
    # These plumbing commands ignore the clone's own configuration; a missing object of a partial
    # clone must not be fetched.
    options = ["-c", "safe.directory=*", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false"]
    return ["git", *options, f"--git-dir={git_dir}", *arguments]


def _list_blobs(git_dir: Path, commit: str, *, sizes: bool) -> Iterator[_Blob]:
    """The wanted files of a commit, in the order of its tree."""
    options = ["-r", "-z", *(["-l"] if sizes else []), "--full-tree"]
    command = _git(git_dir, "ls-tree", *options, f"{commit}^{{commit}}")
    listing = subprocess.run(  # noqa: S603  (fixed program, commit checked to be hexadecimal)
        command, capture_output=True, check=False, env={**os.environ, **_ENVIRONMENT}
    )
    if listing.returncode != 0:
        message = " ".join(listing.stderr.decode("utf-8", "replace").split())[-300:]
        unknown = "Not a valid object name" in message
        raise SourceError("commit not in the clone" if unknown else f"git: {message}")
    for entry in filter(None, listing.stdout.split(b"\0")):
        meta, _, raw_path = entry.partition(b"\t")
        mode, kind, object_id, *size = meta.decode("ascii").split()
        path = make_printable(raw_path)
        if kind == "blob" and is_wanted(path):
            # The size of an object that the clone lacks is "BAD" or "-"; who reads it says so.
            known = int(size[0]) if size and size[0].isdigit() else 0
            reason = "" if mode in _REGULAR else NOT_REGULAR
            yield _Blob(ListedFile(path, known, reason), object_id)


class _Objects:
    """Contents of the objects of a clone; a process of git that lives as long as the block."""

    def __init__(self, git_dir: Path) -> None:
        self._command = _git(git_dir, "cat-file", "--batch")
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> _Objects:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def read(self, object_id: str) -> bytes | None:
        """The bytes; None where the clone lacks the object, or has a damaged one."""
        process = self._process or self._start()
        requests, answers = process.stdin, process.stdout
        assert requests is not None and answers is not None  # noqa: S101
        try:
            return _ask(requests, answers, object_id)
        except (EOFError, BrokenPipeError):
            self._end()  # git ends at a damaged object; the next one may be whole
            return None

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(  # noqa: S603
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_ENVIRONMENT},
        )
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _ask(requests: IO[bytes], answers: IO[bytes], object_id: str) -> bytes | None:
    requests.write(f"{object_id}\n".encode())
    requests.flush()
    header = answers.readline()
    if not header:
        raise EOFError
    words = header.split()
    if len(words) != 3:
        return None
    data = answers.read(int(words[2]))
    if len(data) != int(words[2]) or answers.read(1) != b"\n":
        raise EOFError
    return data
