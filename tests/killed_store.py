"""Fills and seals a store of archives, killed before any one of its changes to files, and again.

``python -m tests.killed_store FOLDER`` runs in a process of its own, which forks before Arrow has
started threads.
"""

import hashlib
import os
import signal
import sys
from pathlib import Path

# Here, and not in every process anew.
import pandas  # noqa: F401
import pyarrow.parquet  # noqa: F401

from ncsbench.base.files.hashes import find_damage
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.zip_archives import read_zip
from tests.archives import COMMIT, FILES, make_list, make_zip

_CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir"}
_NAMES = ("a/a", "b/b", "c/c", "d/d")
_BEFORE = ("a/a", "e/e", "f/gone")


def fill(store: Path, archive: Path, log: Path) -> None:
    """What a fetching job does, thrice: of an earlier list, and of one that replaces it.

    What was missing at first is there later.
    """
    for names, found, missing in (
        (_BEFORE, (1, 0), (2,)),
        (_NAMES, (3, 0), (1,)),
        (_NAMES, (1,), (2,)),
    ):
        repositories = make_list(*names)
        opened = ArchiveStore(store, repositories)
        for number in found:
            if not opened.has(repositories[number]):
                with read_zip(archive, commit=COMMIT) as one:
                    opened.add(repositories[number], one, "archive")
                with log.open("a") as file:
                    file.write(f"{names[number]}\n")
        for number in missing:
            if not opened.has(repositories[number]):
                opened.add_missing(repositories[number], "gone")
        opened.seal()


def digest(folder: Path) -> str:
    """Of the names and bytes of all files of a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        found.update(f"{path.relative_to(folder)}\0".encode())
        found.update(path.read_bytes() if path.is_file() else b"")
    return found.hexdigest()


def run_killed(at: int, *paths: Path) -> int | None:
    """Fill in a process that is killed before its change number ``at``; how many it made if not."""
    child = os.fork()
    if child == 0:
        made = 0

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal made
            if event in _CHANGES and str(paths[0]) in str(arguments[0]):
                if made == at:
                    os.kill(os.getpid(), signal.SIGKILL)
                made += 1

        sys.addaudithook(count)
        fill(*paths)
        os._exit(made)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    return os.waitstatus_to_exitcode(status)


def main(folder: Path) -> None:
    """Fill a store without a kill, then others with a kill at every moment, and compare them."""
    os.environ["NCSBENCH_CHECKSUMS"] = str(folder / "checksums")
    os.chdir(folder)
    archive = make_zip(folder / "a.zip", FILES)
    whole, log = folder / "whole", folder / "log"
    changes = run_killed(-1, whole, archive, log)
    assert changes
    expected = digest(whole)
    for at in range(changes):
        store = folder / f"killed-{at}"
        log.unlink(missing_ok=True)
        assert run_killed(at, store, archive, log) is None
        assert run_killed(-1, store, archive, log) is not None
        assert digest(store) == expected, f"killed before change {at}"
        # Fetched again is at most what was under way.
        assert len(log.read_text().split()) <= 5, f"killed before change {at}"
        assert find_damage([Path(store.name)]) == []
    print(changes)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
