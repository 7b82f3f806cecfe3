"""Trees, features, similarities and pruning against the published reference implementation."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ncsbench.corpus.repositories import read_repositories
from ncsbench.corpus.sources import open_source
from ncsbench.judge.answer_index import index_answers
from ncsbench.judge.answers import answer_records, features_of_answer
from ncsbench.judge.features import features_of_bodies, features_of_method, leaf_features
from ncsbench.judge.pruning import index_leaves, prune_leaves
from ncsbench.judge.scoring import score_pairs
from ncsbench.judge.similarity import UNPRUNED
from ncsbench.languages.java import parse_java
from ncsbench.languages.java_methods import parse_methods
from ncsbench.languages.java_spt import Item, Leaf, SptNode, method_records

pytestmark = pytest.mark.shared

MISSED: set[str] = set()
"""Fixtures whose tree or features are not those of the reference: none of the 132."""


@pytest.fixture(scope="module")
def fixtures(shared: Path) -> list[dict[str, Any]]:
    with gzip.open(shared / "data/aroma/spt_fixtures.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="module")
def pairs(shared: Path) -> list[dict[str, str]]:
    path = shared / "data/aroma/similarity_fixtures.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def examples(shared: Path) -> list[dict[str, str]]:
    path = shared / "data/aroma/example_scores_dev.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def answers(shared: Path) -> dict[str, str]:
    questions = json.loads((shared / "data/ncsed/questions-dev.json").read_text(encoding="utf-8"))
    return {question["stackoverflow_id"]: question["answer"] for question in questions}


def as_json(item: Item) -> Any:
    """The tree as the fixtures write it."""
    if isinstance(item, str):
        return item
    if isinstance(item, Leaf):
        return {"t": item.text, "v": item.is_variable}
    return [item.label, *map(as_json, item.items)]


def preorder(body: SptNode) -> list[Item]:
    found: list[Item] = []
    pending: list[Item] = [body]
    while pending:
        item = pending.pop()
        found.append(item)
        if isinstance(item, SptNode):
            pending.extend(reversed(item.items))
    return found


def agrees(fixture: dict[str, Any]) -> bool:
    tree = parse_java(f"class C {{\n{fixture['source']}\n}}\n".encode())
    outermost, *inner = sorted(method_records(tree), key=lambda record: record.nesting)
    items = preorder(outermost.body)
    features = features_of_method(fixture["source"])
    return (
        [item.label for item in items if isinstance(item, SptNode)] == fixture["labels"]
        and [list(item) for item in items if isinstance(item, Leaf)] == fixture["leaves"]
        and (fixture["spt"] is None or as_json(outermost.body) == fixture["spt"])
        and features.counts == fixture["features"]
        and features.counts.total() == fixture["n_features"]
        and sorted(record_key(record.name, record.body) for record in inner)
        == sorted(
            (record["method"], sorted(record["features"].items()))
            for record in fixture["inner_records"]
        )
    )


def record_key(name: str, body: SptNode) -> tuple[str, list[tuple[str, int]]]:
    return name, sorted(features_of_bodies([body]).counts.items())


def test_trees_and_features_are_those_of_the_reference(fixtures: list[dict[str, Any]]) -> None:
    assert len(fixtures) == 132
    assert {fixture["id"] for fixture in fixtures if not agrees(fixture)} == MISSED


def test_similarities_and_pruning_are_those_of_the_reference(pairs: list[dict[str, str]]) -> None:
    assert len(pairs) == 60
    wrong = [
        (pair["pair_id"], column, pair[column], value)
        for pair in pairs
        for column, value in scores(pair).items()
        if abs(float(pair[column]) - value) > 1e-9
    ]
    assert wrong == []


def scores(pair: dict[str, str]) -> dict[str, float]:
    """Every numeric column of the fixture, by the library."""
    index = index_answers({1: pair["query_source"]})
    query = index.counts[0]
    method = features_of_method(pair["candidate_source"])
    overlap = index.overlap(method)
    pruned = prune_leaves(query, index_leaves(method, index.features))
    kept = leaf_features(method.bodies[0], set(pruned.kept))
    again = features_of_leaves(kept)
    known = index.features.known(again)
    common = sum(min(count, query[feature]) for feature, count in known.items())
    row = score_pairs(
        answers={1: pair["query_source"]},
        methods=[(0, pair["candidate_source"])],
        pairs={0: [1]},
    ).to_pylist()[0]
    distinct = overlap.answer_distinct[0] + overlap.method_distinct - overlap.common_distinct[0]
    return {
        **{name: row[name] for name in (*UNPRUNED, *PRUNED)},
        "n_query": overlap.answer[0],
        "n_candidate": overlap.method,
        "n_query_distinct": overlap.answer_distinct[0],
        "n_candidate_distinct": overlap.method_distinct,
        "intersection": overlap.common[0],
        "set_intersection": overlap.common_distinct[0],
        "set_jaccard": overlap.common_distinct[0] / distinct,
        "n_leaves_candidate": len(method.leaves),
        "n_leaves_kept": len(pruned.kept),
        "n_pruned_leaf_features": pruned.size,
        "pruned_intersection_leaf": pruned.common,
        "n_pruned_refeaturised": again.total(),
        "pruned_intersection_refeaturised": common,
        "pruned_containment_refeaturised": common / overlap.answer[0],
    }


PRUNED = ("pruned_jaccard_leaf", "pruned_jaccard_refeaturised")


def features_of_leaves(leaves: list[list[str]]) -> Counter[str]:
    return Counter(feature for leaf in leaves for feature in leaf)


def test_answers_are_read_as_the_reference_reads_them_dev_21(
    answers: dict[str, str], examples: list[dict[str, str]]
) -> None:
    read = {number: answer_records(text) for number, text in answers.items()}
    assert Counter(how[0] for how in read.values() if how) == {"statements": 165, "members": 20}
    expected = {row["stackoverflow_id"]: int(row["n_answer_features_outer"]) for row in examples}
    sizes = {}
    for number in expected:
        features = features_of_answer(answers[number])
        sizes[number] = features.counts.total() if features else None
    assert len(expected) == 182
    assert sizes == expected


def test_published_examples_score_as_in_the_reference(
    root: Path, shared: Path, answers: dict[str, str], examples: list[dict[str, str]]
) -> None:
    folder = root / "clones"
    if not folder.is_dir():
        pytest.skip("needs clones/ (local clones of the NCSED repositories, docs/datasets.md)")
    code = example_code(folder, shared, {(row["repo"], row["path"]) for row in examples})
    compared = 0
    wrong = []
    for row in examples:
        text = code.get((row["repo"], row["path"], row["start_line"], row["end_line"]))
        if text is None:
            continue
        compared += 1
        answer = answers[row["stackoverflow_id"]]
        found = score_pairs(answers={1: answer}, methods=[(0, text)], pairs={0: [1]}).to_pylist()[0]
        values = {
            "n_method_features": features_of_method(text).counts.total(),
            "containment_outer": found["containment"],
        }
        if row["n_answer_features"] == row["n_answer_features_outer"]:
            values["jaccard"] = found["jaccard"]
            values["dice"] = found["dice"]
            values["pruned_jaccard_leaf"] = found["pruned_jaccard_leaf"]
            values["pruned_jaccard"] = found["pruned_jaccard_refeaturised"]
        wrong += [
            (row["stackoverflow_id"], row["method_id"], column, row[column], value)
            for column, value in values.items()
            if abs(float(row[column]) - value) > 1e-6
        ]
    assert wrong == []
    assert compared == 156


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
        for file in source.java_files(repository):
            if (name, file.path) in files and file.data:
                for method in parse_methods(file.data).methods:
                    key = (name, file.path, str(method.start_line), str(method.end_line))
                    code.setdefault(key, method.code)
    return code
