"""Files of labels: CodeSearchNet's columns, and CosoBe's graded results."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.errors import DataError
from ncsbench.label_files.label_file import Label, match_query, read_labels, write_labels
from ncsbench.label_files.scales import RELEVANCE
from ncsbench.labels.graded_results import measure_shown, read_shown_results

HEADER = "Language,Query,GitHubUrl,Relevance,Notes\n"
URL = "https://github.com/o/r/blob/0a/A.java#L1-L2"
SHOWN = "session,query_no,query,rank,post_id,title,label,clicked\n"
TEXT = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)


@given(
    st.lists(
        st.builds(Label, TEXT, TEXT, TEXT, st.sampled_from(RELEVANCE.grades), TEXT), max_size=5
    )
)
def test_what_is_written_reads_back(tmp_path_factory: pytest.TempPathFactory, labels: list) -> None:
    path = tmp_path_factory.mktemp("labels") / "a.csv"
    write_labels(path, labels)
    found = read_labels(path)
    # A cell that a spreadsheet would take for a formula has an apostrophe before it, once.
    assert [label.pair[0] for label in found] == [label.pair[0] for label in labels]
    assert [label.grade for label in found] == [label.grade for label in labels]
    before = path.read_bytes()
    write_labels(path, found)
    assert path.read_bytes() == before


def test_notes_have_commas_quotes_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes((HEADER + f'Java,Close a Stream,{URL},2,"a ""b"", c"\n').encode())
    assert read_labels(path) == [Label("Java", "Close a Stream", URL, 2, 'a "b", c')]
    path.write_bytes(b"\xef\xbb\xbf" + HEADER.replace("\n", "\r\n").encode())
    assert read_labels(path) == []


def test_a_question_is_matched_without_case_and_blanks() -> None:
    assert match_query("  Close\t a stream ") == match_query("close a Stream")
    assert match_query("'=sum") == match_query("=SUM")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "line 1: the header must be"),
        (b"Language,Query,Url,Relevance,Notes\n", "line 1: the header must be"),
        (HEADER.encode() + b"Java,q,u,4,\n", "line 2: Relevance '4' is none of 0, 1, 2, 3"),
        (HEADER.encode() + b"Java,q,u,1.5,\n", "line 2: Relevance '1.5' is none of"),
        (HEADER.encode() + "Java,q,u,\u0663,\n".encode(), "line 2: Relevance"),
        (HEADER.encode() + b"Java,q,u,2,\nJava, ,u,2,\n", "line 3: Query is empty"),
        (HEADER.encode() + b"Java,q,,2,\n", "line 2: GitHubUrl is empty"),
        (HEADER.encode() + b"Java,q,u,2\n", "line 2: has 4 cells, not 5"),
        (HEADER.encode() + b"Java,q,u,2,\nJava,\xff,u,2,\n", "line 3: is not UTF-8 text"),
        (HEADER.encode() + b'Java,q,u,2,"open\n', "line 2: is not a valid CSV file"),
        (HEADER.encode() + b"Java,q,u,2," + b"x" * 200_000, "line 2: is not a valid CSV file"),
    ],
)
def test_what_is_no_labels_file_is_one_line(tmp_path: Path, text: bytes, told: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(text)
    with pytest.raises(DataError) as error:
        read_labels(path)
    assert f"{path}, {told}" in str(error.value)
    assert len(str(error.value)) < 500


def test_a_device_a_folder_and_no_file_are_one_line(tmp_path: Path) -> None:
    for path, told in (
        (Path("/dev/zero"), "is no regular file"),
        (tmp_path, "is no regular file"),
        (tmp_path / "none.csv", "cannot be read"),
    ):
        with pytest.raises(DataError, match=told):
            read_labels(path)


def test_shown_results_are_typed_and_measured(tmp_path: Path) -> None:
    path = tmp_path / "shown.csv"
    rows = ["1,1,q,1,70,t,0,0", "1,1,q,2,71,t,2,1", "1,2,q,1,72,t,0,0"]
    path.write_text(SHOWN + "\n".join(rows) + "\n")
    found = read_shown_results(path)
    assert [one.grade for one in found[1, 1]] == [0, 2]
    assert found[1, 1][1].clicked
    assert [one.post_id for one in found[1, 2]] == [72]
    # Grade 2 at rank 2 of one query of two: 1 / log2(3) = .630930 of the ideal.
    assert measure_shown(found) == [
        "queries: 2; with a relevant result: 1",
        "NDCG@10, exponential gain: 0.315465 over all, 0.630930 over those with one",
        "NDCG@10, linear gain: 0.315465 over all, 0.630930 over those with one",
        "precision@10: 0.050000 over all",
    ]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("1,1,q,2,70,t,0,0", "line 2: rank 2 follows 0"),
        ("1,1,q,1,x,t,0,0", "line 2: post_id 'x' is not a whole number"),
        ("1,1,q,1,70,t,3,0", "line 2: label '3' is none of 0, 1, 2"),
        ("1,1,q,1,70,t,2,yes", "line 2: clicked 'yes' is none of 0, 1"),
    ],
)
def test_bad_shown_results_are_one_line(tmp_path: Path, row: str, told: str) -> None:
    path = tmp_path / "shown.csv"
    path.write_text(SHOWN + row + "\n")
    with pytest.raises(DataError) as error:
        read_shown_results(path)
    assert f"{path}, {told}" in str(error.value)
