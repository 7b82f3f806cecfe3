"""What is read of a store: what it lacks, and what it is when it is sealed meanwhile."""

from pathlib import Path

import pytest

from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.source_protocol import SourceError
from ncsbench.corpus.sources.zip_archives import read_flat_bundle
from ncsbench.errors import DataError
from tests.archives import COMMIT, FILES, add_zip, make_bundle, make_list, make_zip


def test_a_source_says_what_the_store_lacks(tmp_path: Path) -> None:
    repositories = make_list("a/one", "b/two")
    store = ArchiveStore(tmp_path / "store", repositories)
    add_zip(store, repositories[0], tmp_path / "a.zip")
    assert store.seal()["not_fetched"] == ["b/two"]
    source = open_source("archive", str(tmp_path / "store"))
    with pytest.raises(SourceError, match="not fetched"):
        source.list_files(repositories[1])
    for other in (make_list("a/one", commit="HEAD")[0], make_list("c/three")[0]):
        with pytest.raises(DataError, match="was sealed for a list without"):
            source.list_files(other)
    (file,) = source.read_files(repositories[0], COMMIT, ["None.java"])
    assert (file.data, file.reason) == (None, "not in the store")
    with pytest.raises(DataError, match=r"manifest\.json: cannot be read"):
        open_source("archive", str(tmp_path / "none")).list_files(repositories[0])


def test_a_store_has_java_and_licences_and_nothing_of_another_language(tmp_path: Path) -> None:
    files = {"a.py": b"x = 1\n", "B.java": b"class B { }", "LICENSE": b"MIT", "notes.md": b""}
    one, two = make_list("a/one", "b/two")
    store = ArchiveStore(tmp_path / "store", [one, two])
    add_zip(store, one, make_zip(tmp_path / "zip", files))
    with read_flat_bundle(make_bundle(tmp_path / "bundle", files), commit=COMMIT) as archive:
        store.add(two, archive, "software_heritage")
    store.seal()
    for repository in (one, two):
        for suffixes, paths in (((".java",), ["B.java"]), ((".py",), [])):
            source = open_source("archive", str(tmp_path / "store"), suffixes=suffixes)
            listing = source.list_files(repository)
            assert [file.path for file in listing.files] == paths
            assert [file.path for file in listing.licences] == ["LICENSE"]


def test_a_store_that_another_list_shares_is_refused_where_that_was_sealed(tmp_path: Path) -> None:
    """What is read goes on; what is asked for anew would stand in the ledger as not fetched."""
    ours, theirs = make_list("a/one", "b/two", "d/gone"), make_list("b/two", "c/three")
    for repositories in (ours, theirs):
        store = ArchiveStore(tmp_path / "store", repositories)
        for repository in repositories:
            if repository.name == "gone":
                store.add_missing(repository, "gone")
            elif not store.has(repository):
                add_zip(store, repository, make_zip(tmp_path / "zip", FILES))
        store.seal()
        if repositories is ours:
            source = open_source("archive", str(tmp_path / "store"))
            reader = source.read_files(ours[0], COMMIT, ["A.java", "src/B.java"])
            assert next(reader).data == FILES["A.java"]
    assert next(reader).data == FILES["src/B.java"]
    for one in ours[:2]:
        assert len(source.list_files(one).files) == 2
    source = open_source("archive", str(tmp_path / "store"))
    assert len(source.list_files(ours[1]).files) == 2
    with pytest.raises(DataError, match="was sealed for a list without a/one"):
        source.list_files(ours[0])
