"""A store with a damaged file: one line that says what to remove, and nothing else is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.listing import open_source
from ncsbench.errors import DataError
from tests.archives import COMMIT, add_zip, make_list, read_files
from tests.refusals import one_line

REPOSITORIES = make_list("a/one", "b/two", "c/gone")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Of two repositories and one that is missing, sealed."""
    opened = ArchiveStore(tmp_path / "store", REPOSITORIES)
    for one in REPOSITORIES[:2]:
        add_zip(opened, one, tmp_path / "a.zip")
    opened.add_missing(REPOSITORIES[2], "gone")
    opened.seal()
    return tmp_path / "store"


HELD = {"listed": COMMIT, "commit": COMMIT}


@pytest.mark.parametrize(
    "manifest",
    [
        *("", "{", "[]", "{}", "null", "[" * 100_000),
        {"missing": {}, "repositories": ["a/one"]},
        {"missing": {}, "repositories": {"a/one": {}}},
        {"missing": {}, "repositories": {}, "not_fetched": 0},
        {"missing": {}, "repositories": {"a/one": HELD | {"listed": 1}}},
        {"missing": {"c/gone": 1}, "repositories": {}},
    ],
)
def test_a_damaged_manifest_is_removed_and_nothing_fetched_is_lost(
    store: Path, manifest: str | dict[str, Any]
) -> None:
    whole = read_files(store)
    path = store / "manifest.json"
    path.write_text(manifest if isinstance(manifest, str) else json.dumps(manifest))
    for use in (
        lambda: ArchiveStore(store, REPOSITORIES),
        lambda: open_source("archive", str(store)).list_files(REPOSITORIES[0]),
    ):
        with one_line(DataError, match=r"manifest\.json: .*; remove it, and the next"):
            use()
    path.unlink()
    opened = ArchiveStore(store, REPOSITORIES)
    assert [opened.has(one) for one in REPOSITORIES] == [True, True, False]
    assert opened.missing() == {"c/gone": "gone"}
    opened.seal()
    assert read_files(store) == whole


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"reason": 1}', "\0"])
def test_a_damaged_note_on_what_is_missing_is_removed(tmp_path: Path, text: str) -> None:
    opened = ArchiveStore(tmp_path, REPOSITORIES)
    for one in REPOSITORIES[1:]:
        opened.add_missing(one, "gone")
    path = tmp_path / f"missing/b/two@{COMMIT}.json"
    path.write_text(text)
    for use in (opened.missing, opened.seal):
        with one_line(DataError, match=rf"two@{COMMIT}\.json: .*; remove it"):
            use()
    path.unlink()
    assert opened.missing() == {"c/gone": "gone"}


def test_a_damaged_file_that_came_is_removed_and_fetched_again(store: Path) -> None:
    opened = ArchiveStore(store, REPOSITORIES)
    path = store / f"fetched/a/one@{COMMIT}.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DataError, match=rf"one@{COMMIT}\.parquet: is damaged: .*; remove this"):
        opened.seal()
    path.unlink()
    assert not opened.has(REPOSITORIES[0])
