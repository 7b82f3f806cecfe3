"""The embedded sample of CodeSearchNet's form is what resources/csn_sample/README.md says."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

LANGUAGES = ["Go", "Java", "JavaScript", "PHP", "Python", "Ruby"]
URL = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/([0-9a-f]{40})/(.+)#L(\d+)-L(\d+)")

Rows = list[dict[str, str]]


def read_rows(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "resources" / "csn_sample"


@pytest.fixture(scope="module")
def listed(folder: Path) -> Rows:
    return read_rows(folder / "repositories.csv")


@pytest.fixture(scope="module")
def annotations(folder: Path) -> Rows:
    return read_rows(folder / "annotationStore.csv")


def test_each_language_has_three_repositories_in_three_parts(listed: Rows) -> None:
    languages = [
        language for language in LANGUAGES if any(r["language"] == language for r in listed)
    ]
    assert [(row["language"], row["part"]) for row in listed] == [
        (language, part) for language in languages for part in ("train", "valid", "test")
    ]
    assert (
        len({row["repo"] for row in listed})
        == len({row["commit"] for row in listed})
        == len(listed)
    )
    for row in listed:
        assert re.fullmatch("[0-9a-f]{40}", row["commit"])
        assert row["licence"] in {"mit", "apache-2.0", "bsd-3-clause"}
        assert row["fork"] == "false"
        assert min(int(row[column]) for column in ("stars", "forks", "dependants")) > 0


def test_queries_are_twelve_and_different(folder: Path) -> None:
    queries = [row["query"] for row in read_rows(folder / "queries.csv")]
    assert len(queries) == len(set(queries)) == 12


def test_a_language_takes_at_most_60_kilobytes(folder: Path, listed: Rows) -> None:
    sizes = Counter[str]()
    for row in listed:
        files = (folder / "repositories" / row["repo"]).rglob("*")
        sizes[row["language"]] += sum(file.stat().st_size for file in files if file.is_file())
    assert all(0 < size <= 60 * 1024 for size in sizes.values()), sizes


def test_annotations_are_of_listed_repositories_and_queries(
    folder: Path, listed: Rows, annotations: Rows
) -> None:
    queries = {row["query"] for row in read_rows(folder / "queries.csv")}
    known = {(row["language"], row["repo"], row["commit"]) for row in listed}
    for row in annotations:
        match = URL.fullmatch(row["GitHubUrl"])
        assert match, row
        assert (row["Language"], match[1], match[2]) in known, row
        assert (folder / "repositories" / match[1] / match[3]).is_file(), row
        assert row["Query"] in queries
        assert row["Relevance"] in set("0123")
    keys = [(row["Language"], row["Query"], row["GitHubUrl"]) for row in annotations]
    assert keys == sorted(keys)
