"""Names of methods for other tools, and the way back to their ids."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.corpus.layout.document_ids import (
    Place,
    find_methods,
    iterate_places,
    read_document_id,
    write_document_id,
)
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository
from tests.building import build_from
from tests.sample_corpus import build_sample_corpus

ODD = ("My Gr\u00f6\u00dfe/A%20b.java", "a\u00a0b#2/C:7.java", "plain/D$E.java")
TWO = "class A { void a() { one(); } void b() { two(); }\nvoid c() { three(); } }\n"


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    st.integers(1, 10**9 - 1),
    st.integers(1, 10**6 - 1),
)
def test_every_place_has_an_id_of_its_own_without_white_space(
    path: str, line: int, number: int
) -> None:
    text = write_document_id(Place(path, line, number))
    assert text.isascii() and text.split() == [text]
    assert read_document_id(text) == Place(path, line, number)


def test_an_id_shows_path_and_line() -> None:
    assert write_document_id(Place("o/r/src/A_b-c.java", 12)) == "o/r/src/A_b-c.java:12"
    assert write_document_id(Place("o/r/My App/A.java", 3, 2)) == "o/r/My%20App/A.java:3#2"
    # As other tools may write it.
    assert read_document_id("o/r/Gr\u00f6\u00dfe:x/A.java:3") == Place(
        "o/r/Gr\u00f6\u00dfe:x/A.java", 3
    )


@pytest.mark.parametrize("text", ["", "17", "A.java", ":3", "A.java:", "A:-1", "A:3#0", "%ff:3"])
def test_what_names_no_place_is_none(text: str) -> None:
    assert read_document_id(text) is None


def test_ids_of_odd_paths_lead_back_to_their_methods(tmp_path: Path) -> None:
    for name in ODD:
        path = tmp_path / "sources/owner/repo" / name
        path.parent.mkdir(parents=True)
        path.write_text(TWO)
    source = open_source(kind="directory", path=str(tmp_path / "sources"))
    corpus = build_from(tmp_path / "built", [Repository("owner", "repo", None)], source)
    places = list(iterate_places(corpus))
    assert [(place.line, place.number) for place in places] == [(1, 1), (1, 2), (2, 1)] * len(ODD)
    assert {place.filepath for place in places} == {f"owner/repo/{name}" for name in ODD}
    written = [write_document_id(place) for place in places]
    found = find_methods(corpus, map(read_document_id, written))
    assert [found[place] for place in places] == list(range(len(places)))


def test_all_methods_of_the_sample_have_ids(root: Path, tmp_path: Path) -> None:
    corpus = CorpusFolder(build_sample_corpus(root, tmp_path))
    places = list(iterate_places(corpus))
    assert len(set(map(write_document_id, places))) == len(places) == corpus.manifest()["methods"]
    nowhere = Place(places[5].filepath, 10**6)
    assert find_methods(corpus, [places[7], nowhere]) == {places[7]: 7}
