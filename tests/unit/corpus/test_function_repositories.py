"""The list of repositories of several languages: columns, filters, lines of no use."""

from pathlib import Path

import pytest

from ncsbench.corpus.function_corpus.corpus_options import RepositoryFilters
from ncsbench.corpus.function_corpus.function_repositories import (
    FunctionRepositories,
    read_function_repositories,
)
from ncsbench.errors import ConfigurationError

A, B = "a" * 40, "b" * 40
HEADER = "language,repo,commit,fork,stars,forks,dependants,licence,part"


def read(
    tmp_path: Path, *lines: str, language: str = "go", **filters: object
) -> FunctionRepositories:
    path = tmp_path / "list.csv"
    path.write_text("\n".join(lines) + "\n")
    options = RepositoryFilters.parse(filters, where="test")
    return read_function_repositories(path, language, options)


def names(found: FunctionRepositories) -> list[str]:
    return [one.full_name for one in found.listed.repositories]


def test_lines_of_the_language_count_by_name_or_title(tmp_path: Path) -> None:
    lines = ("language,repo,commit", f"Go,o/b,{A}", f"go,o/a,{B}", f"Java,o/j,{A}")
    found = read(tmp_path, *lines)
    assert names(found) == ["o/a", "o/b"]
    assert names(read(tmp_path, *lines, language="java")) == ["o/j"]


def test_an_absent_column_filters_nothing_and_is_named_dev_130(tmp_path: Path) -> None:
    found = read(tmp_path, "language,repo,commit,fork", f"Go,o/a,{A},false", f"Go,o/b,{A},true")
    assert names(found) == ["o/a"]
    assert found.absent == ("stars", "forks", "dependants", "licence", "part")
    assert found.left_out == {"a fork": 1}


def test_columns_filter_and_every_line_left_out_has_its_reason_dev_130(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        HEADER,
        f"Go,o/kept,{A},false,5,1,3,MIT,test",
        f"Go,o/fork,{A},true,5,1,3,mit,train",
        f"Go,o/unused,{A},false,5,1,0,mit,train",
        f"Go,o/copyleft,{A},false,5,1,3,gpl-3.0,train",
        f"Go,o/bare,{A},false,5,1,3,,train",
        f"Go,o/stars,{A},false,many,1,3,mit,train",
        f"Go,o/maybe,{A},perhaps,5,1,3,mit,train",
        f"Go,o/part,{A},false,5,1,3,mit,trian",
        f"Go,nonsense,{A},false,5,1,3,mit,train",
        f"Go,O/Kept,{B},false,5,1,3,mit,train",
    )
    assert names(found) == ["o/kept"]
    assert found.parts == {"o/kept": "test"}
    assert [reason for _, reason in found.listed.rejected] == [
        "a fork",
        "fewer than 1 dependants",
        "the licence is not in the list (gpl-3.0)",
        "no licence is listed",
        "stars is no number ('many')",
        "fork is neither true nor false ('perhaps')",
        "part is not one of train, valid, test ('trian')",
        "is not owner/name",
        "listed twice, the first line counts",
    ]


def test_filters_can_be_switched_off(tmp_path: Path) -> None:
    lines = (HEADER, f"Go,o/a,{A},true,1,1,0,gpl-3.0,", f"Go,o/b,{A},,,,,,")
    found = read(tmp_path, *lines, forks="kept", licences=[], dependants=0)
    assert names(found) == ["o/a", "o/b"]
    assert found.parts == {}


def test_popularity_is_stars_and_forks_dev_130(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "language,repo,commit,stars,forks",
        *(f"Go,o/few,{A},3,2", f"Go,o/many,{A},4,2", f"Go,o/equal,{A},2,3"),
    )
    assert found.ranks == {"o/many": 0, "o/equal": 1, "o/few": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("repo,commit\no/a,x", "has no column 'language'"),
        (f"language,repo,commit\nGoo,o/a,{A}", "line 2: unknown language 'Goo'; did you mean 'go'"),
        ("language,repo,commit\nGo,o,x", "names no usable repository of go; the first line left"),
        ('language,repo,commit\nGo,"o/a b', "names no usable repository of go"),
    ],
)
def test_a_list_of_no_use_ends_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "list.csv"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=r"list\.csv: ") as error:
        read_function_repositories(path, "go", RepositoryFilters())
    assert message in str(error.value)
