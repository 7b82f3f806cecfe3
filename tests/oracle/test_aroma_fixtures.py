"""The judge against the published reference implementation of Aroma, on files of its values."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ncsbench.code.java.java import parse_java
from ncsbench.code.java.java_methods import parse_methods
from ncsbench.code.java_trees.java_spt import method_records
from ncsbench.code.java_trees.java_spt_rules import Symbols
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import read_repositories
from ncsbench.evaluation.judge.answers import answer_records, features_of_answer
from tests import plain_spt
from tests.aroma_reference_values import (
    example_columns,
    feature_counts,
    inner_records,
    score_columns,
)
from tests.building import read_repository

pytestmark = pytest.mark.shared

PLACE = ("repo", "path", "start_line", "end_line")


@pytest.fixture(scope="module")
def examples(shared: Path) -> list[dict[str, str]]:
    path = shared / "data/aroma/example_scores_dev.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def answers(shared: Path) -> dict[str, str]:
    questions = json.loads((shared / "data/ncsed/questions-dev.json").read_text(encoding="utf-8"))
    return {question["stackoverflow_id"]: question["answer"] for question in questions}


def read_fixtures(shared: Path) -> list[dict[str, Any]]:
    path = shared / "data/aroma/spt_fixtures.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def differing(row: dict[str, str], found: dict[str, float], tolerance: float) -> list[str]:
    """The columns of a row whose value is not ours; nan is nobody's."""
    return [
        name
        for name in sorted(found.keys() & row.keys())
        if not abs(float(row[name]) - found[name]) <= tolerance
    ]


def test_features_are_those_of_the_reference(shared: Path) -> None:
    fixtures = read_fixtures(shared)
    assert len(fixtures) == 132
    for fixture in fixtures:
        found = feature_counts(fixture["source"])
        assert found == fixture["features"], fixture["id"]
        assert found.total() == fixture["n_features"], fixture["id"]
        assert len(found) == fixture["n_distinct"], fixture["id"]
        ours = [(name, sorted(counts.items())) for name, counts in inner_records(fixture["source"])]
        inner = [
            (one["method"], sorted(one["features"].items())) for one in fixture["inner_records"]
        ]
        assert sorted(ours) == sorted(inner), fixture["id"]


def test_scores_of_pairs_are_those_of_the_reference(shared: Path) -> None:
    path = shared / "data/aroma/similarity_fixtures.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        pairs = list(csv.DictReader(file))
    assert len(pairs) == 60
    for pair in pairs:
        found = score_columns(pair["query_source"], pair["candidate_source"])
        assert len(found.keys() & pair.keys()) == 21  # all but the texts and what names them
        assert differing(pair, found, 1e-9) == [], pair["pair_id"]


def test_published_examples_score_as_in_the_reference(
    root: Path, shared: Path, answers: dict[str, str], examples: list[dict[str, str]]
) -> None:
    folder = root / "clones"
    if not folder.is_dir():
        pytest.skip("needs clones/ (local clones of the NCSED repositories, docs/datasets.md)")
    code = example_code(folder, shared, {(row["repo"], row["path"]) for row in examples})
    places = [tuple(row[name] for name in PLACE) for row in examples]
    here = [
        (row, code[place]) for row, place in zip(examples, places, strict=True) if place in code
    ]
    assert len(here) == 156
    for row, method in here:
        found = example_columns(answers[row["stackoverflow_id"]], method)
        assert differing(row, found, 1e-6) == [], (row["stackoverflow_id"], row["method_id"])


def test_trees_are_those_of_the_reference(shared: Path) -> None:
    fixtures = read_fixtures(shared)
    assert len(fixtures) == 132
    assert [fixture["id"] for fixture in fixtures if not has_tree(fixture)] == []


def has_tree(fixture: dict[str, Any]) -> bool:
    """Whether labels, leaves and tree of the source are those of the fixture."""
    source = f"class C {{\n{fixture['source']}\n}}\n".encode()
    symbols = Symbols()
    record = method_records(parse_java(source), symbols, outermost_only=True)[0]
    tree = plain_spt.fold(record.codes, symbols)
    return (
        plain_spt.labels_of(tree) == fixture["labels"]
        and [list(leaf) for leaf in plain_spt.leaves_of(tree)] == fixture["leaves"]
        and (fixture["spt"] is None or as_json(tree) == fixture["spt"])
    )


def as_json(item: Any) -> Any:
    """A tree as the fixtures write it."""
    if isinstance(item, plain_spt.Leaf):
        return {"t": item.text, "v": item.is_variable}
    return [item[0], *map(as_json, item[1:])] if isinstance(item, list) else item


def test_answers_are_read_as_the_reference_reads_them_dev_21(
    answers: dict[str, str], examples: list[dict[str, str]]
) -> None:
    read = {number: answer_records(text, Symbols()) for number, text in answers.items()}
    assert Counter(how[0] for how in read.values() if how) == {"statements": 165, "members": 20}
    expected = {row["stackoverflow_id"]: int(row["n_answer_features_outer"]) for row in examples}
    sizes = {}
    for number in expected:
        features = features_of_answer(answers[number])
        sizes[number] = features.size if features else None
    assert len(expected) == 182
    assert sizes == expected


def example_code(
    clones: Path, shared: Path, files: set[tuple[str, str]]
) -> dict[tuple[str, str, str, str], str]:
    """Text of the methods in these files, by repository, path, first and last line."""
    source = open_source("git", str(clones / "{owner}" / "{repo}"))
    code = {}
    for repository in read_repositories(shared / "data/ncsed/repos-dev.csv").repositories:
        name = repository.full_name
        if not any(repo == name for repo, _ in files):
            continue
        for file in read_repository(source, repository):
            if (name, file.path) in files and file.data:
                for method in parse_methods(file.data).methods:
                    key = (name, file.path, str(method.start_line), str(method.end_line))
                    code.setdefault(key, method.code)
    return code
