"""The store of archives: the same files whatever the order of arrival, and read back unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.corpus.archive_store import ArchiveStore
from ncsbench.corpus.flat_bundles import read_flat_bundle
from ncsbench.corpus.source_protocol import SourceError
from ncsbench.corpus.sources import open_source
from ncsbench.corpus.zip_archives import read_zip
from ncsbench.errors import ConfigurationError
from tests.archives import COMMIT, FILES, make_bundle, make_list, make_zip


def test_what_was_added_is_read_back(tmp_path: Path) -> None:
    repositories = make_list("a/one", "b/two", "c/gone")
    store = ArchiveStore(tmp_path / "store", repositories)
    with read_zip(make_zip(tmp_path / "one.zip"), commit=COMMIT) as archive:
        store.add(repositories[0], archive, "archive")
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


def test_a_store_of_another_list_is_refused(tmp_path: Path) -> None:
    store = ArchiveStore(tmp_path, make_list("a/one"))
    store.add_missing(make_list("a/one")[0], "gone")
    with pytest.raises(ConfigurationError, match="another list"):
        ArchiveStore(tmp_path, make_list("a/one", "b/two"))
