"""The times of files are wrong: content counts, whatever the times say."""

import os
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tests.faults.bench import Bench, PromiseError
from tests.faults.project import Project

NANOSECONDS = 10**9
INPUTS = ("config", "resources")
ARTIFACTS = ("data", "results")
# An input and an edit of it that keeps its size.
EDITS = {
    "source file": (
        "resources/sample/repositories/amberkite/tunejar/**/CatalogDb.java", b"return", b"throw "
    ),
    "questions": ("resources/sample/questions.json", b"android", b"andraid"),
    "posts": ("resources/sample/posts.xml", b'Score="1', b'Score="2'),
}  # fmt: skip


def inject(bench: Bench) -> None:
    """Skewed times of unchanged files, then changed files with the times of the old ones."""
    for case, folders, moment in schemes():
        skew_times(bench, case, folders, moment)
    for name in EDITS:
        edit_with_old_time(bench, name)


def schemes() -> list[tuple[str, tuple[str, ...], Callable[[random.Random], datetime]]]:
    """Ways to set times: of which files, and to what."""

    def at(year: int) -> Callable[[random.Random], datetime]:
        return lambda generator: datetime(year, 1, 1, tzinfo=UTC)

    def anywhen(generator: random.Random) -> datetime:
        return datetime(generator.randrange(1980, 2090), 1, 1, tzinfo=UTC)

    return [
        ("inputs in the far past", INPUTS, at(1980)),
        ("inputs in the far future", INPUTS, at(2090)),
        ("artifacts in the far past", ARTIFACTS, at(1980)),
        ("artifacts in the far future", ARTIFACTS, at(2090)),
        ("all files at one time", INPUTS + ARTIFACTS, at(2020)),
        ("all files at random times", INPUTS + ARTIFACTS, anywhen),
    ]


def skew_times(
    bench: Bench, case: str, folders: tuple[str, ...], moment: Callable[[random.Random], datetime]
) -> None:
    """A rerun with other times, and one that makes the tables again."""
    said: list[str] = []
    generator = bench.generator(f"times {case}")
    with bench.project("times", whole=True) as project, bench.case("times", case, said):
        for folder in folders:
            for path in sorted((project.folder / folder).rglob("*")):
                set_time(path, moment(generator))
        done = project.run()
        said.append("nothing to do" if "Nothing to be done" in done.output else "made again")
        bench.check(project, done)
        project.forget_tables()
        bench.check(project, project.run())


def edit_with_old_time(bench: Bench, name: str) -> None:
    """An edit that keeps size and time must give what a first run on the edited input gives."""
    said: list[str] = []
    with (
        bench.project("fresh", whole=False) as fresh,
        bench.project("edited", whole=True) as edited,
        bench.case("times", f"edited {name}, size and time as before", said),
    ):
        for project in (fresh, edited):
            edit(project, *EDITS[name])
        for project in (edited, fresh):
            done = project.run()
            if done.status != 0:
                raise PromiseError(f"the run ended with {done.status}: {done.tail()}")
        expected, made = fresh.artifacts(), edited.artifacts()
        if expected == bench.expected:
            raise PromiseError("the edit changes nothing: mend the case")
        other = sorted(file for file in {*expected, *made} if expected.get(file) != made.get(file))
        if other:
            raise PromiseError(f"{len(other)} artifacts are not those of a first run: {other[:4]}")
        changed = sum(bench.expected.get(file) != digest for file, digest in expected.items())
        said.append(f"{changed} artifacts changed")


def edit(project: Project, pattern: str, old: bytes, new: bytes) -> None:
    """Replace the first occurrence of some bytes by as many others; put the time back."""
    (path,) = project.folder.glob(pattern)
    before, data = path.stat(), path.read_bytes()
    if old not in data or len(old) != len(new):
        raise PromiseError(f"{path.name} has no {old!r}: mend the case")
    path.write_bytes(data.replace(old, new, 1))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def set_time(path: Path, moment: datetime) -> None:
    """Give a file or folder a time."""
    nanoseconds = int(moment.timestamp()) * NANOSECONDS
    os.utime(path, ns=(nanoseconds, nanoseconds), follow_symlinks=False)
