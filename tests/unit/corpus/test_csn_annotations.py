"""Queries and annotations of the CodeSearchNet challenge, and what is wrong with them."""

from pathlib import Path

import pytest

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.corpus.function_corpus.annotations import (
    Annotations,
    find_annotated,
    read_annotations,
    read_queries,
)
from ncsbench.errors import DataError
from tests.refusals import one_line

HEADER = "Language,Query,GitHubUrl,Relevance,Notes\n"
URL = "https://github.com/o/r/blob/0a1b/src/my dir/A#.go#L3-L9"


def read(folder: Path, text: str, queries: str = "query\nSort a list\nread file\n") -> Annotations:
    (folder / "queries.csv").write_text(queries, encoding="utf-8")
    (folder / "store.csv").write_text(HEADER + text, encoding="utf-8")
    return read_annotations(folder / "store.csv", read_queries(folder / "queries.csv"))


def test_relevance_is_a_mean_and_letter_case_of_language_and_query_is_ignored_dev_137(
    tmp_path: Path,
) -> None:
    other = URL.replace("/o/", "/O/")
    found = read(
        tmp_path,
        f'Go,sort a list,{URL},3,"quotes "" and, commas\nand lines"\n'
        f"GO,Sort A List,{URL},2,\n"
        f"go,sort a list,{other},0,\n"
        f"Ruby,read file,{URL},1,\n",
    )
    assert found.queries == ("sort a list", "read file")
    assert found.languages == ["go", "ruby"]
    # The letter case of a URL counts, as in the released code.
    assert found.relevances("go") == {"sort a list": {URL: 2.5, other: 0.0}}
    assert found.relevances("java") == {}
    assert list(found.pairs("go")) == [(3, 2), (0,)]


def test_a_number_names_a_query_by_its_place_and_notes_may_be_left_out(tmp_path: Path) -> None:
    rows = f"Go,1,{URL},3,\nGo,2,{URL},1,\nGo,read file,{URL},2,\n"
    found = read(tmp_path, rows)
    assert found.relevances("go") == {"sort a list": {URL: 3.0}, "read file": {URL: 1.5}}
    text = (HEADER + rows).replace(",Notes", "").replace(",\n", "\n")
    (tmp_path / "grades.csv").write_text(text)
    assert read_annotations(tmp_path / "grades.csv", found.queries) == found
    with pytest.raises(DataError, match="line 2: unknown query '3'"):
        read(tmp_path, f"Go,3,{URL},3,\n")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (f"Go,read file,{URL},4,", "line 3: Relevance '4' is not one of 0, 1, 2, 3"),
        (f"Go,read file,{URL},-1,", "line 3: Relevance '-1' is not one of"),
        (f"Go,read file,{URL},2.5,", "line 3: Relevance '2.5' is not one of"),
        (f"Go,read file,{URL},,", "line 3: Relevance '' is not one of"),
        (f"Pyton,read file,{URL},1,", "line 3: unknown language 'Pyton'; did you mean 'Python'"),
        (f"Go,read files,{URL},1,", "line 3: unknown query 'read files'; the file of the queries"),
        ("Go,read file,http://github.com/o/r/blob/0/a#L1-L2,1,", "line 3: malformed URL 'http:"),
        ("Go,read file,https://github.com/o/r/blob/0/a#L1,1,", "line 3: malformed URL"),
        ("Go,read file,https://github.com/o/r/blob/0/a#L5-L4,1,", "line 3: malformed URL"),
        ("Go,read file,https://github.com/o/r/tree/0/a#L1-L2,1,", "write https://github.com/OWNER"),
        (f"Go,read file,{URL},1", "line 3: has 4 cells, not 5"),
        (f'Go,read file,{URL},1,"open', "line 3: is not a valid CSV file"),
    ],
)
def test_bad_annotations_end_in_one_line_with_file_and_line(
    tmp_path: Path, row: str, told: str
) -> None:
    with one_line(DataError, told, start=f"{tmp_path}/store.csv, line 3"):
        read(tmp_path, f"Go,read file,{URL},1,\n{row}\n")


@pytest.mark.parametrize(
    ("queries", "told"),
    [
        ("", "line 1: the header must be 'query'"),
        ("query\n", "has no query"),
        ("query\nread file\n \n", "line 3: query is empty"),
        ("query\nread file\nRead File\n", "line 3: 'Read File' is there twice"),
    ],
)
def test_bad_queries_end_in_one_line(tmp_path: Path, queries: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        read(tmp_path, "", queries)


def test_a_file_without_annotations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"store\.csv: has no annotation"):
        read(tmp_path, "")


@pytest.mark.parametrize("language", ["go", "ruby"])
def test_the_sample_has_a_function_at_each_annotated_place(language: str, root: Path) -> None:
    sample = root / "resources" / "csn_sample"
    queries = read_queries(sample / "queries.csv")
    places = find_annotated(sample / "annotationStore.csv", queries, language)
    assert len(places) > 20
    for place in places:
        source = (sample / "repositories" / place.repo / place.path).read_bytes()
        functions = parse_functions(source, language).functions
        found = {(one.start_line, one.end_line) for one in functions}
        assert (place.start_line, place.end_line) in found
