"""The embedded sample is what resources/sample/README.md says."""

import csv
import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ncsbench.code.java.java_methods import Method, parse_methods
from ncsbench.corpus.function_corpus.annotations import read_url
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import read_repositories
from ncsbench.evaluation.judge.answers import features_of_answer
from ncsbench.posts.questions.questions_file import read_questions
from tests.building import read_repository
from tests.plain_spt import features_of_method

Key = tuple[str, str]


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "resources" / "sample"


@pytest.fixture(scope="module")
def methods(folder: Path) -> list[tuple[str, Method]]:
    """File path and method, in corpus order."""
    source = open_source("directory", str(folder / "repositories"))
    found = []
    for repository in read_repositories(folder / "repositories.csv").repositories:
        for file in read_repository(source, repository):
            assert file.data is not None
            parsed = parse_methods(file.data)
            assert not parsed.has_errors, file.path
            path = f"{repository.full_name}/{file.path}"
            found += [(path, method) for method in parsed.methods]
    return found


@pytest.fixture(scope="module")
def dice(methods: list[tuple[str, Method]], folder: Path) -> np.ndarray:
    """Dice of every method with every method and, in the last 40 columns, every answer."""
    answers = read_questions([folder / "questions.json"])["answer"].to_pylist()
    features = [features_of_method(method.code) for _, method in methods]
    features += [features_of_answer(answer) for answer in answers]
    # A multiset is the set of its (feature, n-th copy): minima of counts become a product.
    index: dict[tuple[int, int], int] = {}
    rows = [
        [
            index.setdefault((id_, n), len(index))
            for id_, many in zip(one.ids.tolist(), one.counts.tolist(), strict=True)
            for n in range(many)
        ]
        for one in features
    ]
    members = np.zeros((len(rows), len(index)), np.float32)
    for row, columns in enumerate(rows):
        members[row, columns] = 1
    sizes = members.sum(axis=1)
    common = members[: len(methods)] @ members.T
    return 2 * common / np.maximum(sizes[: len(methods), None] + sizes[None], 1)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_numbers(folder: Path, methods: list[tuple[str, Method]]) -> None:
    assert len(read_repositories(folder / "repositories.csv").repositories) == 12
    assert len(methods) >= 400
    assert sum(method.end_line - method.start_line >= 99 for _, method in methods) >= 30
    assert sum(bool(method.comment) for _, method in methods) >= 300


def test_no_two_methods_are_alike_but_for_the_marked_copies(
    folder: Path, methods: list[tuple[str, Method]], dice: np.ndarray
) -> None:
    names = [(path, method.name) for path, method in methods]
    marked = {
        frozenset([(row["filepath_a"], row["method_a"]), (row["filepath_b"], row["method_b"])])
        for row in read(folder / "copies.csv")
    }
    rows, columns = np.nonzero(np.triu(dice[:, : len(methods)] > 0.8, 1))
    alike = {frozenset([names[a], names[b]]) for a, b in zip(rows, columns, strict=True)}
    assert alike == marked


def test_every_question_has_methods_that_answer_it(
    folder: Path, methods: list[tuple[str, Method]], dice: np.ndarray
) -> None:
    ids = read_questions([folder / "questions.json"])["stackoverflow_id"].to_pylist()
    relevant = read(folder / "relevant.csv")
    assert len(ids) == len(set(ids)) == 40
    assert {row["stackoverflow_id"] for row in relevant} == set(ids)
    assert set(Counter(row["stackoverflow_id"] for row in relevant).values()) <= {1, 2, 3, 4}
    where = {(path, method.name): i for i, (path, method) in enumerate(methods)}
    for row in relevant:
        method = where[row["filepath"], row["method_name"]]
        assert dice[method, len(methods) + ids.index(row["stackoverflow_id"])] > 0.25, row


def test_examples_are_the_three_most_similar_methods(
    folder: Path, methods: list[tuple[str, Method]], dice: np.ndarray
) -> None:
    questions = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    for number, question in enumerate(questions):
        similarities = dice[:, len(methods) + number]
        best = np.lexsort((np.arange(len(methods)), -similarities))[:3]
        assert question["examples"] == best.tolist()
        assert question["examples_url"] == []


def test_example_questions_have_the_addresses_of_what_answers_them(folder: Path) -> None:
    """Made-up commits, and the lines of ``relevant.csv``."""
    questions = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    asked = json.loads((folder / "example_questions.json").read_text(encoding="utf-8"))
    shared = ("stackoverflow_id", "question", "answer")
    assert [[one[name] for name in shared] for one in asked] == [
        [one[name] for name in shared] for one in questions
    ]
    commits = {row["repo"]: row["commit"] for row in read(folder / "java_repositories.csv")}
    named = [(one["stackoverflow_id"], url) for one in asked for url in one["examples_url"]]
    relevant = {row["stackoverflow_id"]: [] for row in read(folder / "relevant.csv")}
    for row in read(folder / "relevant.csv"):
        relevant[row["stackoverflow_id"]].append(row)
    expected = [row for one in asked for row in relevant[one["stackoverflow_id"]]]
    for (number, url), row in zip(named, expected, strict=True):
        place = read_url(url)
        assert place is not None
        assert place.sha == commits[place.repo]
        assert (number, row["filepath"]) == (row["stackoverflow_id"], f"{place.repo}/{place.path}")
        text = (folder / "repositories" / row["filepath"]).read_text(encoding="utf-8")
        lines = text.splitlines()[place.start_line - 1 : place.end_line]
        assert f" {row['method_name']}(" in "\n".join(lines[:4])
        assert lines[-1].strip().startswith("}")


def test_posts_have_the_format_of_the_dump(folder: Path) -> None:
    posts = ET.parse(folder / "posts.xml").getroot()  # noqa: S314  (our own file)
    ids = [int(post.attrib["Id"]) for post in posts]
    kinds = Counter(post.attrib["PostTypeId"] for post in posts)
    assert len(ids) >= 300
    assert ids == sorted(set(ids))
    assert kinds["1"] >= 100
    assert kinds["2"] >= 150
    known = set(ids)
    assert all(int(post.attrib["ParentId"]) in known for post in posts if "ParentId" in post.attrib)
