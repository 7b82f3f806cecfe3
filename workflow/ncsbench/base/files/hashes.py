"""SHA-256 of files, remembered with the state of the file: of artifacts and of raw inputs.

A job must read the same bytes that another job wrote. A job records the SHA-256 of every file it
writes in the local folder that the environment variable ``NCSBENCH_CHECKSUMS`` names. Where the
variable is not set, nothing is recorded and nothing is checked; a file without a record passes. Raw
inputs have records there, too, so that they are hashed once; nothing is checked against these.

The state of a file (size, times of writing and of change, inode) says whether it must be hashed
again. Unlike the time of writing, the time of change cannot be set back, so that a change of the
bytes cannot hide behind restored times.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ncsbench.base.files.temporary_files import is_temporary, temporary_path
from ncsbench.errors import DataError

_FOLDER = "NCSBENCH_CHECKSUMS"
_REBUILD = "NCSBENCH_REBUILD"
_REBUILD_DEFAULT = "snakemake --cores all"
FOLDER_FLAG = ".snakemake_timestamp"
"""Snakemake's own file in every folder that a rule makes as a whole."""
_INPUTS = ".inputs"
"""Folder of the records of raw inputs."""
_SETTLED_NANOSECONDS = 2 * 10**9
"""A file that changed less than this before its record was written may change again unnoticed,
since the time would be the same."""
_HASH = re.compile(r"[0-9a-f]{64}")


class _State(NamedTuple):
    """The state of a file; as long as it is equal, nobody wrote to the file.

    The state of a folder has sums and latest times of its files, and as ``inode`` a number made of
    the state of each.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True)
class _Record:
    """The record of a file.

    Attributes:
        sha256: of the bytes that were written.
        artifact: path to make again when the file is damaged: the file, or the folder that it is
            part of.
        state: of the file when its bytes were last seen to be right.
        written: time at which the record was written, in nanoseconds.
    """

    sha256: str
    artifact: str
    state: _State
    written: int = 0

    def vouches_for(self, state: _State) -> bool:
        """Say whether a file in this state surely has the bytes that were written."""
        return self.state == state and self.written - state.ctime_ns > _SETTLED_NANOSECONDS


def record_file(path: Path, artifact: Path | None = None) -> None:
    """Record the bytes that ``path`` has now.

    Args:
        path: a file; a file outside the current folder, and a temporary file, gets no record.
        artifact: the folder that was written as a whole and that the file is part of.
    """
    place = _find_place(path)
    if place is None:
        return
    state = _read_state(path)  # first, so that changes during the hashing do not count as hashed
    about = _Record(_hash_file(path), os.path.relpath(artifact or path), state)
    _write_record(place, about)


def forget_file(path: Path) -> None:
    """Remove the record of a file."""
    place = _find_place(path)
    if place is not None:
        place.unlink(missing_ok=True)


def forget_folder(path: Path) -> None:
    """Remove the records of all files below a folder."""
    relative = _find_relative(path)
    if relative is not None and (_top() / relative).is_dir():
        shutil.rmtree(_top() / relative)


def check_file(path: Path) -> None:
    """Check that a file has the bytes that were written; a file without a record passes.

    Raises:
        DataError: for other bytes, and where a file is missing of a folder that was written as a
            whole; with the command that makes the file or folder again.
    """
    place = _find_place(path)
    damage = place and _find_damage(path, place)
    if damage:
        raise DataError(damage)


def known_hash(path: Path) -> str:
    """Return the SHA-256 of any file; ``DataError`` where the file cannot be read.

    The hash is that of the record where the file has the state in which it was seen to be right,
    else it is computed. No record is changed.
    """
    try:
        record = _find_record(path)
        if record and record.vouches_for(_read_state(path)):
            return record.sha256
        return _hash_file(path)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def hash_input(path: Path, suffix: str = "") -> str:
    """Return the SHA-256 of a raw input: of its record if its state is the same, else computed.

    Args:
        path: a file; or a folder, which counts with the names and contents of all files below it.
            Of a file that cannot be read, or is no regular file, only the name counts. Links and
            ``.git`` are not followed.
        suffix: ending of the names of the files of a folder that count.

    Raises:
        DataError: for a file that cannot be read.
    """
    place = None
    if os.environ.get(_FOLDER):
        name = hashlib.sha256(os.fsencode(path.absolute()) + b"\0" + suffix.encode()).hexdigest()
        place = _top() / _INPUTS / f"{name}.json"
    try:
        files = _list_files(path, suffix) if path.is_dir() else None
        state = _read_state(path) if files is None else _sum_states(files)
        record = _read_record(place) if place else None
        if record and record.vouches_for(state) and (files or os.access(path, os.R_OK)):
            return record.sha256
        found = _hash_file(path) if files is None else _hash_files(path, files)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    if place:
        with contextlib.suppress(OSError):  # then it is hashed again the next time
            _write_record(place, _Record(found, str(path), state))
    return found


def find_damage(folders: Iterable[str | Path]) -> list[str]:
    """Return the messages of ``check_file`` about all damaged files, by ascending path.

    Records of files that are gone are removed, unless the folder that a file was part of exists.

    Args:
        folders: folders to look at, with all that is below them; files may be among them.
    """
    recorded: set[str] = set()
    for folder in folders:
        relative = _find_relative(Path(folder))
        if relative is not None:
            recorded |= {relative, *_list_recorded(relative)}
    messages = (_find_damage(Path(name), _place_of(name)) for name in sorted(recorded))
    return [message for message in messages if message]


def take_over(folders: Iterable[str | Path]) -> None:
    """Record every file below folders as it is now; forget the former records.

    Args:
        folders: folders and files with content that others have checked, as ``dvc pull`` does;
            absent ones are passed over.
    """
    for top in map(Path, folders):
        files = [top, *sorted(path for path in top.rglob("*") if path.name != FOLDER_FLAG)]
        records = {path: _find_record(path) for path in files if path.is_file()}
        forget_file(top)
        forget_folder(top)
        for path, record in records.items():
            record_file(path, Path(record.artifact) if record else None)


def _find_record(path: Path) -> _Record | None:
    place = _find_place(path)
    return _read_record(place) if place else None


def _find_artifact(path: Path, record: _Record) -> str:
    """Return the path to make again: a folder that a rule makes as a whole, or the record's."""
    folders = (str(folder) for folder in path.parents if (folder / FOLDER_FLAG).exists())
    return next(folders, record.artifact)


def _find_damage(path: Path, place: Path) -> str | None:
    """Describe the damage of a file whose record is at ``place``; None for an intact file."""
    record = _read_record(place)
    if record is None:
        return None
    try:
        state = _read_state(path)
        if record.vouches_for(state):
            return None
        found = _hash_file(path)
    except (FileNotFoundError, NotADirectoryError):
        return _find_absence(path, place, record)
    except OSError:
        return None  # whoever reads the file reports why it cannot be read
    if _read_record(place) == record:  # else it was written anew meanwhile
        if found != record.sha256:
            damage = "is damaged: its bytes are not those that were written"
            return _describe(path, damage, record)
        with contextlib.suppress(OSError):  # a folder that cannot be written to
            _write_record(place, replace(record, state=state))
    return None


def _find_absence(path: Path, place: Path, record: _Record) -> str | None:
    """Describe the damage of a missing file: None, unless the folder it was part of exists."""
    if Path(_find_artifact(path, record)).is_dir():
        return _describe(path, "is missing", record)
    with contextlib.suppress(OSError):
        place.unlink()
    return None


def _describe(path: Path, damage: str, record: _Record) -> str:
    artifact = shlex.quote(_find_artifact(path, record))
    command = os.environ.get(_REBUILD) or _REBUILD_DEFAULT
    return (
        f"{path}: {damage}; rebuild it: rm -r {artifact} && {command} {artifact}"
        " (if dvc pull put it there, take it over: make restore)"
    )


def _top() -> Path:
    """Return the folder of the records; only called where there is one."""
    return Path(os.environ[_FOLDER])


def _find_place(path: Path) -> Path | None:
    """Return the path of a file's record; None where the file gets no record."""
    relative = _find_relative(path)
    return None if relative is None else _place_of(relative)


def _find_relative(path: Path) -> str | None:
    """Return the path from the current folder; None for a file that gets no record."""
    if not os.environ.get(_FOLDER):
        return None
    relative = os.path.relpath(path)
    own = os.path.relpath(_top())
    if relative.split(os.sep, 1)[0] == os.pardir or is_temporary(relative):
        return None
    return None if f"{relative}{os.sep}".startswith(f"{own}{os.sep}") else relative


def _place_of(relative: str) -> Path:
    return _top() / f"{relative}.json"


def _list_recorded(relative: str) -> Iterator[str]:
    """Yield files with a record below a folder, as paths from the current folder."""
    for parent, _, names in os.walk(_top() / relative):
        folder = os.path.relpath(parent, _top())
        yield from (
            os.path.normpath(f"{folder}/{name.removesuffix('.json')}")
            for name in names
            if name.endswith(".json")
        )


def _read_record(place: Path) -> _Record | None:
    """Read a record; None where it is absent or makes no sense."""
    try:
        with place.open("rb") as file:
            written = os.fstat(file.fileno()).st_mtime_ns
            about = json.load(file)
        state = _State(*(int(about[name]) for name in _State._fields))
        hash_, artifact = about["sha256"], about["artifact"]
        fits = _HASH.fullmatch(hash_) and isinstance(artifact, str)
        return _Record(hash_, artifact, state, written) if fits else None
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _write_record(place: Path, record: _Record) -> None:
    about = {
        "sha256": record.sha256,
        "artifact": record.artifact,
        **record.state._asdict(),
    }
    temporary = temporary_path(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(json.dumps(about, sort_keys=True).encode() + b"\n")
        temporary.replace(place)
    finally:
        temporary.unlink(missing_ok=True)


def _read_state(path: Path) -> _State:
    return _state_of(path.stat())


def _state_of(status: os.stat_result) -> _State:
    return _State(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _sum_states(files: Mapping[str, os.stat_result | None]) -> _State:
    states = {path: _state_of(status) for path, status in files.items() if status}
    listed = ascii([(path, states.get(path)) for path in files])
    number = int(hashlib.sha256(listed.encode()).hexdigest()[:16], 16)
    sizes, written, changed = zip((0, 0, 0), *(state[:3] for state in states.values()), strict=True)
    return _State(sum(sizes), max(written), max(changed), number)


def _hash_files(folder: Path, files: Mapping[str, os.stat_result | None]) -> str:
    digest = hashlib.sha256()
    for path, status in files.items():
        told = "cannot be read"
        with contextlib.suppress(OSError):
            is_regular = status is None or stat.S_ISREG(status.st_mode)
            told = _hash_file(path) if is_regular else "not a regular file"
        digest.update(os.fsencode(os.path.relpath(path, folder)) + b"\0")
        digest.update(f"{told}\n".encode())
    return digest.hexdigest()


def _list_files(folder: Path, suffix: str) -> dict[str, os.stat_result | None]:
    """Return files below a folder, sorted, and folders below it that cannot be read."""
    found: list[str] = []
    errors: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=errors.append):
        folders[:] = [name for name in folders if name != ".git"]
        found += [f"{parent}/{name}" for name in names if name.endswith(suffix)]
    # A folder without rights counts itself; once it has rights, the files below it count.
    found += [os.fsdecode(error.filename) for error in errors if error.filename is not None]
    return {path: _look_at(path) for path in sorted(found, key=os.fsencode)}


def _look_at(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None


def _hash_file(path: str | Path) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
