"""Reads the Java files of a repository from a folder or a local git clone.

Repositories are hostile input: nothing in them is executed, no link is followed, no network is
used, and a file that cannot be read gets a line in the ledger with the reason.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from ncsbench.corpus.repositories import Repository

MAXIMUM_BYTES = 5 * 2**20
"""Java files above this size (generated tables, as a rule) are left out and recorded."""


NOT_FOUND = ("folder not found", "clone not found")
"""What the ledger says of a repository that is not there, by kind of source."""


class SourceError(Exception):
    """A repository that cannot be read; the message becomes its line in the ledger."""


@dataclass(frozen=True)
class SourceFile:
    """One ``.java`` file: its bytes, or the reason why it is left out."""

    path: str
    data: bytes | None
    reason: str = ""


class Source(Protocol):
    """Where the files of a dataset's repositories come from."""

    def java_files(self, repository: Repository) -> Iterator[SourceFile]:
        """All ``.java`` files ordered by path; ``SourceError`` where there is no repository."""


def open_source(kind: str, path: str) -> Source:
    """The source of a dataset file's ``source`` entry (``kind`` is checked by its schema)."""
    return GitSource(path) if kind == "git" else DirectorySource(path)


def find_folder(path: str, repository: Repository) -> Path:
    """Where a repository is looked for: ``<path>/<owner>/<repo>``, or a template filled in."""
    template = path if "{" in path else f"{path}/{{owner}}/{{repo}}"
    return Path(template.replace("{owner}", repository.owner).replace("{repo}", repository.name))


@dataclass(frozen=True)
class DirectorySource:
    """One folder per repository: ``<path>/<owner>/<repo>``, or a template of both."""

    path: str

    def java_files(self, repository: Repository) -> Iterator[SourceFile]:
        """See ``Source``."""
        root = find_folder(self.path, repository)
        if not root.is_dir():
            raise SourceError(NOT_FOUND[0])
        unreadable: list[OSError] = []
        for path in sorted(_java_paths(root, unreadable)):
            yield _read_file(root, path)
        for error in unreadable:
            yield _unreadable_folder(root, error)


@dataclass(frozen=True)
class GitSource:
    """Local clones, bare or with ``.git`` inside, read at a commit without a checkout."""

    path: str

    def java_files(self, repository: Repository) -> Iterator[SourceFile]:
        """See ``Source``."""
        folder = find_folder(self.path, repository)
        git_dir = folder / ".git" if (folder / ".git").exists() else folder
        if not git_dir.exists():
            raise SourceError(NOT_FOUND[1])
        if repository.commit is None:
            raise SourceError("the list names no commit")
        blobs = _list_blobs(git_dir, repository.commit)
        wanted = [blob for blob, reason in blobs if not reason]
        contents = _read_blobs(git_dir, [blob.object_id for blob in wanted])
        for blob, reason in blobs:
            yield SourceFile(blob.path, None, reason) if reason else _from_blob(blob, contents)


@dataclass(frozen=True)
class _Blob:
    path: str
    object_id: str


def _java_paths(root: Path, unreadable: list[OSError]) -> Iterator[str]:
    for folder, folders, files in os.walk(root, onerror=unreadable.append):
        folders[:] = [name for name in folders if name != ".git"]
        relative = Path(folder).relative_to(root)
        yield from ((relative / name).as_posix() for name in files if name.endswith(".java"))


def _read_file(root: Path, path: str) -> SourceFile:
    name, file = _printable(path), root / path
    try:
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode):
            return SourceFile(name, None, "not a regular file")
        if status.st_size > MAXIMUM_BYTES:
            return SourceFile(name, None, _too_large(status.st_size))
        return SourceFile(name, file.read_bytes())
    except OSError as error:
        return SourceFile(name, None, f"cannot be read ({error.strerror})")


def _unreadable_folder(root: Path, error: OSError) -> SourceFile:
    path = Path(os.fsdecode(error.filename)).relative_to(root).as_posix()
    return SourceFile(f"{_printable(path)}/", None, f"cannot be read ({error.strerror})")


def _printable(path: str) -> str:
    """A path as text that can be stored, whatever bytes it has."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _too_large(size: int) -> str:
    return f"too large ({size} bytes, at most {MAXIMUM_BYTES})"


def _git(git_dir: Path, *arguments: str) -> list[str]:
    # These plumbing commands ignore the clone's own configuration; a missing object of a partial
    # clone must not be fetched.
    options = ["-c", "safe.directory=*", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false"]
    return ["git", *options, f"--git-dir={git_dir}", *arguments]


_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def _list_blobs(git_dir: Path, commit: str) -> list[tuple[_Blob, str]]:
    command = _git(git_dir, "ls-tree", "-r", "-z", "-l", "--full-tree", f"{commit}^{{commit}}")
    listing = subprocess.run(  # noqa: S603  (fixed program, commit checked to be hexadecimal)
        command, capture_output=True, check=False, env={**os.environ, **_ENVIRONMENT}
    )
    if listing.returncode != 0:
        message = " ".join(listing.stderr.decode("utf-8", "replace").split())[-300:]
        unknown = "Not a valid object name" in message
        raise SourceError("commit not in the clone" if unknown else f"git: {message}")
    blobs = []
    for entry in filter(None, listing.stdout.split(b"\0")):
        meta, _, raw_path = entry.partition(b"\t")
        mode, kind, object_id, size = meta.decode("ascii").split()
        if kind != "blob" or not raw_path.endswith(b".java"):
            continue
        reason = "not a regular file" if mode not in {"100644", "100755", "100664"} else ""
        if size.isdigit() and int(size) > MAXIMUM_BYTES:
            reason = _too_large(int(size))
        blobs.append((_Blob(raw_path.decode("utf-8", "backslashreplace"), object_id), reason))
    return sorted(blobs, key=lambda blob: blob[0].path)


def _from_blob(blob: _Blob, contents: Iterator[bytes | None]) -> SourceFile:
    data = next(contents, None)
    return SourceFile(blob.path, data, "" if data is not None else "not in the clone")


def _read_blobs(git_dir: Path, object_ids: list[str]) -> Iterator[bytes | None]:
    """Contents of the objects in the order asked for, None where the clone lacks one."""
    command = _git(git_dir, "cat-file", "--batch")
    environment = {**os.environ, **_ENVIRONMENT}
    with subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as process:
        requests, answers = process.stdin, process.stdout
        assert requests is not None and answers is not None  # noqa: S101
        try:
            for object_id in object_ids:
                yield _ask(requests, answers, object_id)
        finally:
            process.kill()


def _ask(requests: IO[bytes], answers: IO[bytes], object_id: str) -> bytes | None:
    try:
        requests.write(f"{object_id}\n".encode())
        requests.flush()
    except BrokenPipeError:
        return None
    header = answers.readline().split()
    if len(header) != 3:
        return None
    data = answers.read(int(header[2]))
    answers.read(1)
    return data
