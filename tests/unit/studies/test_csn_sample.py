"""The embedded sample of CodeSearchNet's form is what resources/csn_sample/README.md says."""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.registry import LANGUAGES as KNOWN
from ncsbench.code.functions.registry import Function, FunctionLanguage, ParsedFile

LANGUAGES = ["Go", "Java", "JavaScript", "PHP", "Python", "Ruby"]
URL = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/([0-9a-f]{40})/(.+)#L(\d+)-L(\d+)")

IDENTIFIER = re.compile(r"[A-Za-z_]\w*")

Rows = list[dict[str, str]]
Files = dict[tuple[str, str], ParsedFile]
"""A repository and a path in it: its functions."""


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


@pytest.fixture(scope="module")
def parsed(folder: Path, listed: Rows) -> dict[str, Files]:
    """The files of each language that the extraction reads."""
    found: dict[str, Files] = {title: {} for title in LANGUAGES}
    for row in listed:
        language = language_of(row["language"])
        root = folder / "repositories" / row["repo"]
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            name = path.relative_to(root).as_posix()
            if name.endswith(language.suffixes) and not language.refuse_path(name):
                file = parse_functions(path.read_bytes(), language.name)
                found[row["language"]][row["repo"], name] = file
    return found


def language_of(title: str) -> FunctionLanguage:
    return next(language for language in KNOWN.values() if language.title == title)


def is_pair(function: Function) -> bool:
    """Whether the paper's filters keep it."""
    lines = function.end_line - function.start_line + 1
    enough = len(function.docstring_tokens) >= 3 and lines >= 3
    return enough and "test" not in function.name.lower()


def test_every_annotation_is_of_a_function(parsed: dict[str, Files], annotations: Rows) -> None:
    for row in annotations:
        match = URL.fullmatch(row["GitHubUrl"])
        assert match
        file = parsed[row["Language"]][match[1], match[3]]
        lines = [(function.start_line, function.end_line) for function in file.functions]
        assert (int(match[4]), int(match[5])) in lines, row


def test_a_repository_has_pairs_and_what_is_left_out(
    parsed: dict[str, Files], listed: Rows, folder: Path
) -> None:
    least = {"train": 70, "valid": 22, "test": 35}
    for row in listed:
        files = parsed[row["language"]]
        mine = [file for (repo, _), file in files.items() if repo == row["repo"]]
        assert not any(file.has_errors for file in mine), row
        functions = [function for file in mine for function in file.functions]
        assert sum(is_pair(function) for function in functions) >= least[row["part"]], row
        assert sum(not function.docstring for function in functions) >= 5, row
        if row["language"] != "Go":  # no name is dropped there
            assert any(file.dropped for file in mine), row
        language = language_of(row["language"])
        paths = list((folder / "repositories" / row["repo"]).rglob("*.*"))
        skipped = [path for path in paths if path.name.endswith(language.suffixes)]
        assert len(skipped) > len(mine), row


def test_near_copies_are_within_the_repository_for_training(
    parsed: dict[str, Files], listed: Rows
) -> None:
    """As the paper's removal sees them: identifiers, set Jaccard 0.8 and multiset 0.7."""
    for language, files in parsed.items():
        train = next(row["repo"] for row in listed if row["language"] == language)
        keywords = language_of(language).keywords
        bags = [
            (repo, Counter(word for word in words if word not in keywords))
            for (repo, _), file in files.items()
            for function in file.functions
            if is_pair(function) and (words := IDENTIFIER.findall(" ".join(function.code_tokens)))
        ]
        near = [
            {one, other}
            for (one, first), (other, second) in combinations(bags, 2)
            if len(first.keys() & second.keys()) >= 0.8 * len(first.keys() | second.keys())
            and (first & second).total() >= 0.7 * (first | second).total()
        ]
        assert near, language
        assert all(repositories == {train} for repositories in near), (language, near)
