"""The store of archives: the same files whatever the order of arrival, and read back unchanged."""

import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.corpus.sources import archive_store
from ncsbench.corpus.sources.archive_store import (
    STORE_SCHEMA,
    ArchiveStore,
    stored_path,
)
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.packed_streams import ArchiveError
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_at_hand import hash_store
from ncsbench.corpus.sources.source_protocol import Listing, SourceError, SourceFile
from ncsbench.corpus.sources.zip_archives import read_flat_bundle, read_zip
from ncsbench.errors import DataError
from tests.archives import COMMIT, FILES, add_zip, make_bundle, make_list, make_zip, read_files


def test_what_was_added_is_read_back(tmp_path: Path) -> None:
    repositories = make_list("a/one", "b/two", "c/gone")
    store = ArchiveStore(tmp_path / "store", repositories)
    add_zip(store, repositories[0], tmp_path / "one.zip")
    with read_flat_bundle(make_bundle(tmp_path / "two.tgz"), commit=COMMIT) as archive:
        store.add(repositories[1], archive, "software_heritage")
    store.add_missing(repositories[2], "not there (404)")
    assert [store.has(one) for one in repositories] == [True, True, False]
    manifest = store.seal()
    assert manifest["missing"] == store.missing() == {"c/gone": "not there (404)"}
    source = open_source("archive", str(tmp_path / "store"))
    for repository in repositories[:2]:
        listing = source.list_files(repository)
        assert listing.commit == COMMIT
        assert [file.path for file in listing.files] == ["A.java", "src/B.java"]
        assert [file.path for file in listing.licences] == ["LICENSE"]
        paths = [file.path for file in (*listing.licences, *listing.files)]
        read = source.read_files(repository, listing.commit, paths)
        assert {file.path: file.data for file in read} == {path: FILES[path] for path in paths}
    with pytest.raises(SourceError, match="not there"):
        source.list_files(repositories[2])


def seal_one(folder: Path) -> Repository:
    """Put one repository into ``store`` and seal it."""
    (repository,) = repositories = make_list("a/one")
    store = ArchiveStore(folder / "store", repositories)
    add_zip(store, repository, folder / "a.zip")
    store.seal()
    return repository


def test_a_list_that_changes_keeps_what_is_there(tmp_path: Path) -> None:
    """It grows, shrinks, one commit changes, and it is as it was: nothing is fetched twice."""
    path = make_zip(tmp_path / "a.zip")
    old = make_list("a/one", "b/two", "c/three", "d/gone")
    changed = [
        *make_list("a/one", commit="f" * 40),
        *make_list("aa/new", "c/three", "d/gone"),
        *make_list("e/gone", commit="HEAD"),
    ]
    added: list[str] = []

    def fetch(folder: Path, repositories: list[Repository]) -> dict[str, Any]:
        store = ArchiveStore(folder, repositories)
        missing = store.missing()
        for one in repositories:
            if one.name == "gone" and one.full_name not in missing:
                store.add_missing(one, "gone")
                added.append(f"{one.full_name} gone")
            elif one.name != "gone" and not store.has(one):
                add_zip(store, one, path)
                added.append(f"{one.full_name} {one.commit}")
        return store.seal()

    first = fetch(tmp_path / "store", old)
    sealed = read_files(tmp_path / "store")
    added.clear()
    second = fetch(tmp_path / "store", changed)
    assert added == [f"a/one {'f' * 40}", f"aa/new {COMMIT}", "e/gone gone"]
    assert list(second["repositories"]) == ["a/one", "aa/new", "c/three"]
    assert second["repositories"]["a/one"]["listed"] == "f" * 40
    assert list(second["missing"]) == ["d/gone", "e/gone"]
    fetch(tmp_path / "anew", changed)
    both = read_files(tmp_path / "store")
    assert both == read_files(tmp_path / "anew") | {
        name: both[name] for name in sealed if name != "manifest.json"
    }
    source = open_source("archive", str(tmp_path / "store"))
    assert len(source.list_files(changed[0]).files) == 2
    added.clear()
    assert fetch(tmp_path / "store", old) == first
    assert added == []
    assert read_files(tmp_path / "store").items() >= sealed.items()
    # What the list does not name lies beside.
    assert sorted(read_files(tmp_path / "store").keys() - sealed.keys()) == [
        f"fetched/a/one@{'f' * 40}.parquet",
        f"fetched/aa/new@{COMMIT}.parquet",
        "missing/e/gone@HEAD.json",
    ]
    # Neither a grown nor a shrunken list makes a state that never settles.
    state = hash_store(tmp_path / "store")
    assert fetch(tmp_path / "store", old) == first
    assert hash_store(tmp_path / "store") == state


def test_a_file_that_was_removed_is_noticed(tmp_path: Path) -> None:
    one = seal_one(tmp_path)
    state, path = hash_store(tmp_path / "store"), stored_path(tmp_path / "store", one)
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(DataError, match="remove this file, and the next run fetches again"):
        ArchiveStore(tmp_path / "store", make_list("a/one", "b/two")).seal()
    path.unlink()
    assert hash_store(tmp_path / "store") != state


def test_a_kill_at_any_moment_leaves_the_same_store(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.killed_store", str(tmp_path)],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 40


def fill(folder: Path, order: list[int], seals: set[int], zips: list[Path]) -> dict[str, bytes]:
    """A sealed store whose repositories came in an order, sealed in between; its files."""
    repositories = make_list(*(f"o/r{number}" for number in range(len(order))))
    store = ArchiveStore(folder, repositories)
    for step, number in enumerate(order):
        if number % 4 == 3:
            store.add_missing(repositories[number], "gone")
        else:
            add_zip(store, repositories[number], zips[number % 3])
        if step in seals:
            assert store.seal()["not_fetched"]
    store.seal()
    return read_files(folder)


def test_the_order_of_arrival_changes_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_store, "_GROUP_BYTES", 2000)
    contents = [
        {f"{i}.java": b"class A { }\n" * i for i in range(20 * size)} | {"COPYING": b"x"}
        for size in (1, 2, 3)
    ]
    zips = [make_zip(tmp_path / f"{i}.zip", files) for i, files in enumerate(contents)]
    count = 11
    expected = fill(tmp_path / "a", list(range(count)), set(), zips)
    assert len(expected) == count + 1
    order = list(range(count))
    random.Random(3).shuffle(order)  # noqa: S311
    assert fill(tmp_path / "b", order, {2, 7}, zips) == expected
    source = open_source("archive", str(tmp_path / "b"))
    for number, repository in enumerate(make_list(*(f"o/r{number}" for number in range(count)))):
        if number % 4 == 3:
            continue
        listing = source.list_files(repository)
        paths = [file.path for file in listing.files]
        assert paths == sorted(contents[number % 3].keys() - {"COPYING"})
        part = paths[3:17][::-1]  # in the order asked for
        read = source.read_files(repository, listing.commit, part)
        assert [(file.path, file.data) for file in read] == [
            (path, contents[number % 3][path]) for path in part
        ]


def test_a_damaged_member_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"A.java": b"a" * 50, "B.java": b"b" * 50}, compression=0)
    path.write_bytes(path.read_bytes().replace(b"b" * 50, b"b" * 49 + b"c"))
    repositories = make_list("a/one")
    store = ArchiveStore(tmp_path / "store", repositories)
    with (
        read_zip(path, commit=COMMIT) as archive,
        pytest.raises(ArchiveError, match="CRC") as error,
    ):
        store.add(repositories[0], archive, "archive")
    assert error.value.retry
    assert not store.has(repositories[0])
    assert read_files(tmp_path / "store") == {}


def test_what_is_missing_stays_missing_until_it_is_found(tmp_path: Path) -> None:
    repositories = make_list("a/one", "b/two")
    for seal in (False, True):
        folder = tmp_path / str(seal)
        for repository in repositories:
            ArchiveStore(folder, repositories).add_missing(repository, "gone")
        if seal:
            ArchiveStore(folder, repositories).seal()
        store = ArchiveStore(folder, repositories)
        assert store.missing() == {"a/one": "gone", "b/two": "gone"}
        add_zip(store, repositories[0], tmp_path / "a.zip")
        assert store.missing() == {"b/two": "gone"}
        store.add_missing(repositories[0], "gone again")  # what is here stays
        manifest = store.seal()
        assert (list(manifest["repositories"]), manifest["missing"]) == (
            ["a/one"],
            {"b/two": "gone"},
        )
        assert ArchiveStore(folder, repositories).has(repositories[0])


def test_other_bytes_than_those_that_came_are_refused(tmp_path: Path) -> None:
    repositories = [seal_one(tmp_path)]
    file = stored_path(tmp_path / "store", repositories[0])
    rows = [
        row | {"data": row["data"] and row["data"].upper()}
        for row in read_table(file, STORE_SCHEMA).to_pylist()
    ]
    write_table(file, pa.Table.from_pylist(rows, STORE_SCHEMA), STORE_SCHEMA)
    source = open_source("archive", str(tmp_path / "store"))
    with pytest.raises(DataError, match=r"a/one/A\.java has other bytes"):
        list(source.read_files(repositories[0], COMMIT, ["A.java"]))
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        open_source("archive", str(tmp_path / "store")).list_files(repositories[0])
    file.unlink()
    assert not ArchiveStore(tmp_path / "store", repositories).has(repositories[0])


def test_flipped_bits_of_a_store_never_give_other_files(tmp_path: Path) -> None:
    repository = seal_one(tmp_path)
    file = stored_path(tmp_path / "store", repository)
    whole = file.read_bytes()

    def read() -> tuple[Listing, list[SourceFile]]:
        source = open_source("archive", str(tmp_path / "store"))
        listing = source.list_files(repository)
        paths = [file.path for file in (*listing.files, *listing.licences)]
        return listing, list(source.read_files(repository, listing.commit, paths))

    expected = read()
    rng = random.Random(5)  # noqa: S311
    refused = 0
    for place in rng.sample(range(len(whole)), 250):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        try:
            assert read() == expected, place
        except DataError:
            refused += 1
    assert refused > 50


def test_a_full_disk_is_one_line_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    script = """
import resource, sys
from pathlib import Path
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.zip_archives import read_zip
from ncsbench.errors import DataError
from tests.archives import COMMIT, make_list
repositories = make_list("a/one")
store = ArchiveStore(Path(sys.argv[2]), repositories)
store.add_missing(repositories[0], "gone")
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
with read_zip(Path(sys.argv[1]), commit=COMMIT) as archive:
    try:
        store.add(repositories[0], archive, "archive")
    except DataError as error:
        print(error)
"""
    noise = random.Random(4).randbytes(100_000)  # noqa: S311
    path = make_zip(tmp_path / "a.zip", {"A.java": noise})
    folder = tmp_path / "store"
    done = subprocess.run(
        [sys.executable, "-c", script, str(path), str(folder)],
        capture_output=True,
        check=True,
        text=True,
    )
    assert re.fullmatch(r"\S+\.parquet: cannot be written \(.*\)\n", done.stdout)
    assert not ArchiveStore(folder, make_list("a/one")).has(make_list("a/one")[0])
    left = [one for one in (folder / "fetched").rglob("*") if one.is_file()]
    assert left == []


def test_long_names_of_branches_are_names_of_files(tmp_path: Path) -> None:
    """Also while they are written, under a name with that of the machine."""
    for commit in ("feature/" + "x" * 90, "f" * 64, "+" * 30 + "y" * 30):
        (repository,) = repositories = make_list("a/" + "b" * 100, commit=commit)
        store = ArchiveStore(tmp_path / commit[-10:], repositories)
        store.add_missing(repository, "gone")
        assert store.missing() == {repository.full_name: "gone"}
        for path in (tmp_path / commit[-10:]).rglob("*"):
            assert len(path.name) + len(f"..{'host' * 10}-{4 * 2**20}.tmp") <= 255
