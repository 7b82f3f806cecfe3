"""Reads the code files of repositories that are on this machine: folders, and git clones.

Clones are read without a checkout.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import subprocess
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from ncsbench.corpus.sources.repositories import Repository, is_exact, is_name
from ncsbench.corpus.sources.source_protocol import (
    JAVA_SUFFIXES,
    NOT_FOUND,
    NOT_REGULAR,
    ListedFile,
    Listing,
    MissingCommitError,
    SourceError,
    SourceFile,
    check_size,
    find_folder,
    is_wanted,
    make_listing,
    make_printable,
)


@dataclass(frozen=True)
class DirectorySource:
    """One folder per repository: ``<path>/<owner>/<repo>``, or a template of both."""

    path: str
    suffixes: tuple[str, ...] = JAVA_SUFFIXES

    def list_files(self, repository: Repository) -> Listing:
        """See ``Source``; the commit is what the list says."""
        if is_name(repository):
            raise SourceError(f"a folder has no {repository.commit}: list a commit or none")
        root = self._find(repository)
        unreadable: list[OSError] = []
        files = [_look_at(root, path) for path in _find_wanted(root, unreadable, self.suffixes)]
        files += [_unreadable_folder(root, error) for error in unreadable]
        return make_listing(repository.commit, files, self.suffixes)

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """See ``Source``."""
        root = self._find(repository)
        # Only what a listing names: a path of another file is not looked for.
        present: dict[str, str] = {}
        for path in _find_wanted(root, [], self.suffixes):
            present.setdefault(make_printable(path), path)
        for path in paths:
            name = present.get(path)
            gone = SourceFile(path, None, "cannot be read (No such file or directory)")
            yield gone if name is None else _read_file(root, name)

    def _find(self, repository: Repository) -> Path:
        root = find_folder(self.path, repository)
        if not root.is_dir():
            raise SourceError(NOT_FOUND[0])
        return root


def _find_wanted(root: Path, unreadable: list[OSError], suffixes: tuple[str, ...]) -> list[str]:
    found = []
    for folder, folders, files in os.walk(root, onerror=unreadable.append):
        folders[:] = [name for name in folders if name != ".git"]
        relative = Path(folder).relative_to(root)
        paths = ((relative / name).as_posix() for name in files)
        found += [path for path in paths if is_wanted(path, suffixes)]
    return sorted(found)


def _look_at(root: Path, path: str) -> ListedFile:
    name = make_printable(path)
    try:
        status = (root / path).lstat()
    except OSError as error:
        return ListedFile(name, 0, f"cannot be read ({error.strerror})")
    regular = stat.S_ISREG(status.st_mode)
    return ListedFile(name, status.st_size, "" if regular else NOT_REGULAR)


def _read_file(root: Path, path: str) -> SourceFile:
    listed = _look_at(root, path)
    reason = listed.reason or check_size(listed.bytes)
    if reason:
        return SourceFile(listed.path, None, reason)
    try:
        return SourceFile(listed.path, (root / path).read_bytes())
    except OSError as error:
        return SourceFile(listed.path, None, f"cannot be read ({error.strerror})")


def _unreadable_folder(root: Path, error: OSError) -> ListedFile:
    path = Path(os.fsdecode(error.filename)).relative_to(root).as_posix()
    return ListedFile(f"{make_printable(path)}/", 0, f"cannot be read ({error.strerror})")


_PLACES = ("refs/heads", "refs/remotes/origin", "refs/tags")
"""Places where a name is looked for, in this order: a clone's own branches, those of its origin,
tags."""
_REGULAR = {"100644", "100755", "100664"}
_HEXADECIMAL = re.compile(r"[0-9a-f]+")
_COMMITTER = re.compile(rb"^committer .*> (\d{1,12}) [+-]\d{4}$", re.MULTILINE)
_MISSING = "not in the clone"
_REASONS = {
    b"not a git repository": "not a git repository",
    b"could not fetch": f"files {_MISSING}",
}
"""Reasons for the ledger by message of git, which may name a folder of this machine."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class GitSource:
    """Local clones, bare or with ``.git`` inside, read at a commit from the object store."""

    path: str
    resolved: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Commits that names mean, by ``owner/name`` and name, whatever the clone says now."""
    suffixes: tuple[str, ...] = JAVA_SUFFIXES

    def list_files(self, repository: Repository) -> Listing:
        """See ``Source``; ``MissingCommitError`` where the clone lacks the listed commit."""
        git_dir = self._find(repository)
        if repository.commit is None:
            raise SourceError("the list names no commit")
        try:
            commit = self._resolve(git_dir, repository)
            if commit is None:
                named = repository.commit if is_name(repository) else "commit"
                raise SourceError(f"{named} {_MISSING}")
            blobs = list(_list_blobs(git_dir, commit, self.suffixes, sizes=True))
        except SourceError as error:
            raise MissingCommitError(str(error)) from error
        lacking = sum(not blob.is_there for blob in blobs)
        lack = f"{lacking} of its files {_MISSING}" if lacking else ""
        files = (blob.file for blob in blobs)
        return replace(make_listing(commit, files, self.suffixes), lack=lack)

    def find_lack(self, repository: Repository, before: str) -> str:
        """Find the lack of the clone now; the earlier one where the present one cannot be found."""
        try:
            return self.list_files(repository).lack
        except MissingCommitError as error:
            return str(error)
        except (SourceError, OSError):
            return before

    def find_commit_time(self, repository: Repository, commit: str) -> int | None:
        """Find the committer's time of a commit, in seconds since 1970; None if unknown.

        Raises:
            SourceError: where there is no clone.
        """
        done = _run(_git(self._find(repository), "cat-file", "commit", commit))
        found = _COMMITTER.search(done.stdout.partition(b"\n\n")[0])
        return int(found[1]) if found else None

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """See ``Source``."""
        git_dir = self._find(repository)
        known: dict[str, str] = {}
        for blob in _list_blobs(git_dir, str(commit), self.suffixes, sizes=False):
            known.setdefault(blob.file.path, blob.object_id)
        contents = _read_objects(git_dir, (known[path] for path in paths if path in known))
        with closing(contents):
            for path in paths:
                data = next(contents) if path in known else None
                yield SourceFile(path, data, "" if data is not None else _MISSING)

    def _resolve(self, git_dir: Path, repository: Repository) -> str | None:
        """The whole id of the listed commit or name, if the clone has it."""
        listed = repository.commit or ""
        known = self.resolved.get((repository.full_name, listed))
        if known is not None:
            return _find_commit(git_dir, known)
        names = [listed]
        if is_name(repository) and listed != "HEAD":
            names = [f"{place}/{listed}" for place in _PLACES]
        found = (_find_commit(git_dir, name) for name in names)
        return next((commit for commit in found if commit is not None), None)

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
    is_there: bool = True


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


def _find_commit(git_dir: Path, name: str) -> str | None:
    """Find the whole id of a commit by id, start of an id or reference; None if there is no commit.

    The start of an id that is also the name of a branch counts as an id alone.
    """
    command = _git(git_dir, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    done = _run(command)
    commit = done.stdout.decode("ascii", "replace").strip()
    if done.returncode == 0 and is_exact(commit):
        is_id = _HEXADECIMAL.fullmatch(name)
        return commit if not is_id or commit.startswith(name) else None
    if done.returncode > 1 and b"fatal: Needed a single revision" not in done.stderr:
        raise SourceError(_find_reason(done.stderr))
    return None


def _run(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603  (fixed program, names that are checked when listed)
        command, capture_output=True, check=False, env={**os.environ, **_ENVIRONMENT}
    )


def _find_reason(message: bytes) -> str:
    """The reason for the ledger, given a message of git; it is the same on every machine."""
    _LOG.info("git: %s", " ".join(message.decode("utf-8", "replace").split())[-300:])
    known = (reason for part, reason in _REASONS.items() if part in message)
    return next(known, "git cannot read the clone")


def _list_blobs(
    git_dir: Path, commit: str, suffixes: tuple[str, ...], *, sizes: bool
) -> Iterator[_Blob]:
    """The wanted files of a commit, in the order of its tree."""
    options = ["-r", "-z", *(["-l"] if sizes else []), "--full-tree"]
    command = _git(git_dir, "ls-tree", *options, f"{commit}^{{commit}}")
    listing = _run(command)
    if listing.returncode != 0:
        raise SourceError(_find_reason(listing.stderr))
    for entry in filter(None, listing.stdout.split(b"\0")):
        meta, _, raw_path = entry.partition(b"\t")
        mode, kind, object_id, *size = meta.decode("ascii").split()
        path = make_printable(raw_path)
        if kind == "blob" and is_wanted(path, suffixes):
            # The size of an object that the clone lacks is "BAD" or "-"; who reads it says so.
            is_there = not size or size[0].isdigit()
            known = int(size[0]) if size and is_there else 0
            reason = "" if mode in _REGULAR else NOT_REGULAR
            yield _Blob(ListedFile(path, known, reason), object_id, is_there)


def _read_objects(git_dir: Path, object_ids: Iterable[str]) -> Generator[bytes | None]:
    """The bytes of objects of a clone; None where it lacks one, or has a damaged one."""
    process: subprocess.Popen[bytes] | None = None
    try:
        for object_id in object_ids:
            process = process or subprocess.Popen(  # noqa: S603
                _git(git_dir, "cat-file", "--batch"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ENVIRONMENT},
            )
            requests, answers = process.stdin, process.stdout
            assert requests is not None and answers is not None  # noqa: S101
            try:
                data = _ask(requests, answers, object_id)
            except (EOFError, BrokenPipeError):
                _end(process)  # git ends at a damaged object; the next one may be whole
                process = data = None
            yield data
    finally:
        if process is not None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


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
