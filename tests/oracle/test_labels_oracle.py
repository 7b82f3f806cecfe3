"""Graded metrics against ir-measures, and the real annotations from file to figure."""

from __future__ import annotations

import csv
import math
from collections import Counter
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from ir_measures import P, Qrel, ScoredDoc, nDCG
from typer.testing import CliRunner

from ncsbench.cli.main import app
from ncsbench.evaluation.graded_rankings import (
    grade_ranking,
    keep_judged,
    ndcg,
    precision,
    unjudged_as_zero,
)
from ncsbench.label_files.label_file import Label, mean_grades, read_labels, write_labels


def compare_with_ir_measures(
    grades: dict[str, dict[str, int]], rankings: dict[str, list[str]]
) -> int:
    """Compare all figures of every question; the number of questions."""
    run = [
        ScoredDoc(query, document, float(-rank))
        for query, ranking in rankings.items()
        for rank, document in enumerate(ranking)
    ]
    asked = 0
    for gain in ("linear", "exponential"):
        # trec_eval has linear gains only: exponential ones stand in the qrels.
        qrels = [
            Qrel(query, document, grade if gain == "linear" else 2**grade - 1)
            for query, found in grades.items()
            for document, grade in found.items()
        ]
        relevant = 2 if gain == "linear" else 3
        measures = {
            (kind, name): measure
            for kind, judged in (("judged", True), ("all", False))
            for name, measure in (
                ("ndcg", nDCG(judged_only=judged) @ 10),
                ("precision", P(rel=relevant, judged_only=judged) @ 10),
            )
        }
        theirs = {
            (one.query_id, one.measure): one.value
            for one in ir_measures.iter_calc(list(measures.values()), qrels, run)
        }
        for query, found in grades.items():
            ranking = grade_ranking(rankings[query], found)
            for kind, kept in (
                ("judged", keep_judged(ranking)),
                ("all", unjudged_as_zero(ranking)),
            ):
                ours = {
                    "ndcg": ndcg(kept, found.values(), gain=gain) or 0.0,
                    "precision": precision(kept),
                }
                for name, value in ours.items():
                    assert value == pytest.approx(theirs[query, measures[kind, name]]), query
            asked += 1
    return asked // 2


@pytest.mark.parametrize("seed", range(5))
def test_graded_metrics_are_those_of_ir_measures(seed: int) -> None:
    generator = np.random.default_rng(seed)
    documents = [f"d{number}" for number in range(60)]
    grades, rankings = {}, {}
    for number in range(20):
        judged = generator.choice(documents, 15, replace=False).tolist()
        grades[f"q{number}"] = {one: int(generator.integers(4)) for one in judged}
        rankings[f"q{number}"] = generator.permutation(documents)[:40].tolist()
    assert compare_with_ir_measures(grades, rankings) == 20


@pytest.mark.shared
def test_the_annotations_of_codesearchnet_from_file_to_figure(shared: Path, tmp_path: Path) -> None:
    path = shared / "data/codesearchnet/annotationStore.csv"
    labels = read_labels(path)
    assert len(labels) == 4006
    assert Counter(label.grade for label in labels) == {0: 1314, 1: 982, 2: 863, 3: 847}
    write_labels(tmp_path / "again.csv", labels)
    assert [label.pair for label in read_labels(tmp_path / "again.csv")] == [
        label.pair for label in labels
    ]
    # 880 pairs have several labels; the paper has 0.47 for 891 (section 4.1).
    done = CliRunner().invoke(app, ["labels", "agreement", str(path)])
    assert done.stdout.splitlines()[:5] == [
        "pairs graded twice: 880",
        "graded once: 2,034",
        "same grade: 0.3773",
        "Cohen's kappa: 0.1697",
        "quadratic kappa: 0.4670",
    ]
    # The same two labels of each pair as two files.
    files: tuple[list[Label], list[Label]] = ([], [])
    seen: Counter[tuple[str, ...]] = Counter()
    for label in labels:
        key = (label.language, *label.pair)
        if seen[key] < 2:
            files[seen[key]].append(label)
        seen[key] += 1
    for name, part in zip("ab", files, strict=True):
        write_labels(tmp_path / f"{name}.csv", part)
    two = CliRunner().invoke(
        app, ["labels", "agreement", *(str(tmp_path / f) for f in ("a.csv", "b.csv"))]
    )
    assert "quadratic kappa: 0.4670" in two.stdout
    # Java, one ranking of all judged methods: whole grades are ir-measures', by question.
    java = mean_grades(labels, "Java")
    assert len(java) == 99
    assert sum(map(len, java.values())) == 813
    pool = sorted({document for found in java.values() for document in found})
    order = np.random.default_rng(2019).permutation(pool).tolist()
    whole = {
        query: {one: round(grade) for one, grade in found.items()} for query, found in java.items()
    }
    assert whole == java  # no pair of Java has two labels
    assert compare_with_ir_measures(whole, dict.fromkeys(whole, order)) == 99


@pytest.mark.shared
def test_codesearchnets_own_ndcg_of_the_annotations_dev_109(shared: Path) -> None:
    """Without a cut: its formula, with means of several labels as grades."""
    python = mean_grades(read_labels(shared / "data/codesearchnet/annotationStore.csv"), "Python")
    assert any(grade % 1 for found in python.values() for grade in found.values())
    asked = 0
    for found in python.values():
        order = [*sorted(found), "elsewhere"]
        dcg = sum(
            (2 ** found[one] - 1) / math.log2(rank + 1)
            for rank, one in enumerate(order, 1)
            if one in found
        )
        best = sorted(found.values(), reverse=True)
        ideal = sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(best, 1))
        value = ndcg(keep_judged(grade_ranking(order, found)), found.values(), cut=None)
        assert value is None if ideal == 0 else value == pytest.approx(dcg / ideal)
        asked += ideal > 0
    assert asked == 99


@pytest.mark.shared
def test_the_figures_of_cosobe(shared: Path) -> None:
    """Those that the notes beside the file have."""
    path = shared / "data/metrics/cosobe-graded.csv"
    done = CliRunner().invoke(app, ["labels", "shown", str(path)])
    assert done.stdout.splitlines()[:3] == [
        "queries: 280; with a relevant result: 265",
        "NDCG@10, exponential gain: 0.735153 over all, 0.776766 over those with one",
        "NDCG@10, linear gain: 0.747546 over all, 0.789860 over those with one",
    ]
    with path.open(newline="", encoding="utf-8") as file:
        kept = [row for row in csv.DictReader(file) if row["label"] != "0"]
    assert f"precision@10: {len(kept) / 2800:.6f}" in done.stdout
