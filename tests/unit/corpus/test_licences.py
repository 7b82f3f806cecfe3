"""Licences of repositories: recognised, unrecognised, none; hostile files; every kind of source."""

from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pytest
from identify.vendor.licenses import LICENSES

from ncsbench.corpus.checks import licences
from ncsbench.corpus.checks.licences import LONGEST, describe_licences, find_licence
from ncsbench.corpus.layout.ledger_schema import (
    LICENCE_SCHEMA,
    NONE_FOUND,
    UNRECOGNISED,
    name_licence,
)
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.inventory import write_inventory
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository, RepositoryList
from ncsbench.corpus.sources.source_protocol import (
    ListedFile,
    Listing,
    Source,
    SourceError,
    SourceFile,
)
from ncsbench.errors import DataError
from tests.archives import COMMIT, add_zip, make_list, make_zip
from tests.unit.corpus.test_sources import git

TEXTS = dict(LICENSES)
MIT = TEXTS["MIT"].replace("[year]", "2015").replace("[fullname]", "A. Person")


def find(data: bytes) -> tuple[str | None, str | None]:
    return find_licence(data)


@pytest.mark.parametrize("spdx", sorted(TEXTS))
def test_every_known_licence_has_its_own_id(spdx: str) -> None:
    assert find(TEXTS[spdx].encode()) == (spdx, None)


@pytest.mark.parametrize(
    "data",
    [
        MIT.replace("\n", "\r\n\r\n").encode(),
        ("\ufeff" + MIT).encode(),
        MIT.encode("utf-16"),
        MIT.replace("A. Person", "J\u00e9r\u00f4me \u00a9").encode("latin-1"),
        MIT.replace("Permission is", "Permission  \t  be").encode(),
        b"\n" * 2**16 + MIT.encode(),
    ],
)
def test_form_and_small_changes_do_not_matter(data: bytes) -> None:
    assert find(data) == ("MIT", None)


@pytest.mark.parametrize("spdx", ["AGPL-3.0", "Apache-2.0", "GPL-2.0", "GPL-3.0", "LGPL-2.1"])
def test_the_appendix_is_no_part_of_the_terms(spdx: str) -> None:
    terms, end, appendix = TEXTS[spdx].partition("END OF TERMS AND CONDITIONS")
    assert find((terms + end).encode()) == (spdx, None)
    own = "Copyright A. Person\nLicensed under this licence, see above.\n" * 6
    assert find((terms + end + own).encode()) == (spdx, None)
    assert find((terms + end + appendix + own * 20).encode()) == (None, UNRECOGNISED)
    assert find((end + appendix).encode()) == (None, UNRECOGNISED)


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\0" * 1000, b"\xff\xfe\xd8\x00" * 100, b"Licensed under the MIT licence.\n"),
        *((MIT + TEXTS["ISC"]).encode(), MIT[: len(MIT) // 2].encode()),
        *(b"\n" * (5 * 2**20), b"\r" * (5 * 2**20), b"(C)\n" * 20_000, b"ab " * 11_000),
    ],
)
def test_other_texts_are_unrecognised(data: bytes) -> None:
    assert find(data) == (None, UNRECOGNISED)


def test_a_long_text_is_compared_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("identify.identify.license_id", None)
    told = f"too long (5242880 characters, at most {LONGEST})"
    assert find(b"x" * (5 * 2**20)) == (None, told)


def test_what_is_called_long_is_longer_than_any_licence() -> None:
    assert max(map(len, TEXTS.values())) < LONGEST / 2


def test_equal_texts_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr("identify.identify.license_id", lambda name: calls.append(name) or "X")
    monkeypatch.setattr(licences, "_identify", lru_cache(licences._identify.__wrapped__))
    assert [find_licence(data) for data in (b"a b", b" a\tb\n", b"a  b")] == [("X", None)] * 3
    assert len(calls) == 1
    assert Path(calls[0]).name == "licence" and not Path(calls[0]).exists()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([(None, None)], NONE_FOUND),
        ([("LICENSE", "MIT")], "MIT"),
        ([("COPYING", "MIT"), ("LICENSE", "MIT")], "MIT"),
        ([("COPYING", "MIT"), ("LICENSE", "Apache-2.0")], "Apache-2.0, MIT"),
        ([("COPYING", None), ("LICENSE", "MIT"), ("LICENSE.txt", None)], "MIT, unrecognised"),
        ([("COPYING", None)], UNRECOGNISED),
    ],
)
def test_a_repository_is_named_by_all_its_licence_files(
    files: list[tuple[str | None, str | None]], expected: str
) -> None:
    assert name_licence([{"path": path, "spdx": spdx} for path, spdx in files]) == expected


def list_licences(
    folder: Path, repositories: list[Repository], source: Source
) -> list[dict[str, object]]:
    inventory = folder / "inventory.parquet"
    write_inventory(RepositoryList(repositories, [("?", "no name")]), source, output=inventory)
    empty = LICENCE_SCHEMA.empty_table()
    found = pa.concat_tables([empty, *describe_licences(inventory, source)])
    assert found == pa.concat_tables([empty, *describe_licences(inventory, source)])
    return found.to_pylist()


def test_a_clone_tells_licences_and_when_its_commit_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "clones" / "o" / "r"
    work.mkdir(parents=True)
    git("init", "-q", cwd=work)
    (work / "LICENSE").write_text(MIT)
    (work / "Copying.txt").write_text("Ask me.")
    (work / "licence").symlink_to("/etc/passwd")
    (work / "A.java").write_text("class A { }")
    (work / "lib").mkdir()
    (work / "lib" / "LICENSE").write_text(TEXTS["ISC"])
    git("add", ".", cwd=work)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "1500000000 +0530")
    git("commit", "-qm", "a\n\ncommitter B <b> 1 +0000", cwd=work)
    commit = git("rev-parse", "HEAD", cwd=work)
    repositories = [Repository("o", "gone", commit), Repository("o", "r", commit)]
    rows = list_licences(
        tmp_path, repositories, open_source("git", str(tmp_path / "clones/{owner}/{repo}"))
    )
    assert [(row["path"], row["spdx"], row["reason"]) for row in rows] == [
        ("Copying.txt", None, UNRECOGNISED),
        ("LICENSE", "MIT", None),
        ("licence", None, "not a regular file"),
    ]
    assert {row["repository"] for row in rows} == {"o/r"}
    assert {row["committed"] for row in rows} == {datetime.fromtimestamp(1_500_000_000, UTC)}


@pytest.mark.parametrize("date", ["4200000000 +0000", "9999999999999999 +0000"])
def test_an_impossible_date_is_not_known(tmp_path: Path, date: str) -> None:
    work = tmp_path / "o" / "r"
    work.mkdir(parents=True)
    git("init", "-q", cwd=work)
    (work / "A.java").write_text("class A { }")
    git("add", ".", cwd=work)
    (work / "object").write_text(
        f"tree {git('write-tree', cwd=work)}\nauthor a <a> {date}\ncommitter a <a> {date}\n\nx\n"
    )
    commit = git("hash-object", "--literally", "-t", "commit", "-w", "object", cwd=work)
    source = open_source("git", str(tmp_path / "{owner}/{repo}"))
    (row,) = list_licences(tmp_path, [Repository("o", "r", commit)], source)
    assert (row["committed"], row["reason"]) == (None, NONE_FOUND)


def test_folders_and_stores_tell_licences_and_no_date(tmp_path: Path) -> None:
    folder = tmp_path / "folders" / "owner" / "name"
    folder.mkdir(parents=True)
    (folder / "A.java").write_text("class A { }")
    (folder / "UNLICENSE").write_text(TEXTS["Unlicense"])
    repository = Repository("owner", "name", COMMIT)
    rows = list_licences(tmp_path, [repository], open_source("directory", f"{tmp_path}/folders"))
    assert [(row["path"], row["spdx"], row["committed"]) for row in rows] == [
        ("UNLICENSE", "Unlicense", None)
    ]
    (listed,) = repositories = make_list("a/one")
    store = ArchiveStore(tmp_path / "store", repositories)
    zipped = make_zip(tmp_path / "a.zip", {"A.java": b"class A { }", "LICENSE": MIT.encode()})
    add_zip(store, listed, zipped)
    store.seal()
    rows = list_licences(tmp_path, repositories, open_source("archive", str(tmp_path / "store")))
    assert [(row["path"], row["spdx"], row["commit"]) for row in rows] == [
        ("LICENSE", "MIT", listed.commit)
    ]


class Vanishing:
    """A repository that is there when it is listed, and gone when it is read."""

    def list_files(self, repository: Repository) -> Listing:
        return Listing(repository.commit, (ListedFile("A.java", 3),), (ListedFile("LICENSE", 3),))

    def read_files(self, repository, commit, paths):
        raise SourceError("folder not found")
        yield SourceFile("", None)


def test_a_repository_that_went_away_ends_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^o/r: was listed and cannot be read now \(folder not f"):
        list_licences(tmp_path, [Repository("o", "r", None)], Vanishing())
