"""The judge against the published reference implementation, and its command ``judge check``."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ncsbench.judge.answers import answer_records, features_of_answer
from ncsbench.judge.reference_check import Evidence, FileReport, check_folder
from ncsbench.languages.java import parse_java
from ncsbench.languages.java_methods import parse_methods
from ncsbench.languages.java_spt import method_records
from ncsbench.languages.java_spt_rules import Symbols
from ncsbench.sources.listing import open_source
from ncsbench.sources.repositories import read_repositories
from tests import plain_spt
from tests.building import read_repository

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def examples(shared: Path) -> list[dict[str, str]]:
    path = shared / "data/aroma/example_scores_dev.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def answers(shared: Path) -> dict[str, str]:
    questions = json.loads((shared / "data/ncsed/questions-dev.json").read_text(encoding="utf-8"))
    return {question["stackoverflow_id"]: question["answer"] for question in questions}


def check(shared: Path, evidence: Evidence) -> dict[str, FileReport]:
    reports = check_folder(shared / "data" / "aroma", evidence)
    return {report.name: report for report in reports if report.kind is not None}


def test_features_and_scores_are_those_of_the_reference(shared: Path) -> None:
    reports = check(shared, Evidence())
    fixtures = reports["spt_fixtures.jsonl.gz"]
    assert (fixtures.identical, fixtures.total) == (132, 132), list(fixtures.lines())
    pairs = reports["similarity_fixtures.csv.gz"]
    assert (pairs.identical, pairs.total) == (60, 60), list(pairs.lines())
    assert reports["example_scores_dev.csv"].absent == 422


def test_published_examples_score_as_in_the_reference(
    root: Path, shared: Path, answers: dict[str, str], examples: list[dict[str, str]]
) -> None:
    folder = root / "clones"
    if not folder.is_dir():
        pytest.skip("needs clones/ (local clones of the NCSED repositories, docs/datasets.md)")
    code = example_code(folder, shared, {(row["repo"], row["path"]) for row in examples})
    report = check(shared, Evidence(answers, code))["example_scores_dev.csv"]
    assert (report.identical, report.total) == (156, 156), list(report.lines())


def test_trees_are_those_of_the_reference(shared: Path) -> None:
    path = shared / "data/aroma/spt_fixtures.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        fixtures = [json.loads(line) for line in file]
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
