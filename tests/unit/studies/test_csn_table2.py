"""Table 2 of the CodeSearchNet paper, by hand and on the released annotations."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.metrics import cohen_kappa_score

from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.corpus.function_corpus.annotations import Annotations
from ncsbench.evaluation.published.printed_figures import read_published_cells
from ncsbench.studies.codesearchnet.corpus_tables import (
    ANNOTATOR_COLUMNS,
    COLUMNS,
    count_annotations,
    describe_annotators,
    write_table2,
)

GRADES = {
    "python": {"a": {"u1": (3, 1, 1), "u2": (0, 0), "u3": (2,)}, "b": {"u1": (0,)}},
    "go": {"a": {"u1": (1,)}, "c": {"u4": (3, 0)}},
}
ANNOTATIONS = Annotations(("a", "b", "c"), GRADES)


def by_measure(rows: list[Row], language: str) -> dict[str, str]:
    return {row["measure"]: row["value"] for row in rows if row["language"] == language}


def test_counts_by_language_and_relevance() -> None:
    rows = count_annotations(ANNOTATIONS, {})
    assert [row["language"] for row in rows[::9]] == ["Go", "Python", "All", "All"]
    assert by_measure(rows, "Python") == {
        **{"relevance_0": "3", "relevance_1": "2", "relevance_2": "1", "relevance_3": "1"},
        **{"annotations": "7", "pairs": "4", "pairs_judged_several_times": "2"},
        **{"queries": "2", "queries_with_positive": "1"},
    }
    assert by_measure(rows, "All")["annotations"] == "10"
    assert {row["published"] for row in rows} == {row["difference"] for row in rows} == {""}


def test_published_counts_stand_beside_with_the_difference() -> None:
    published = {
        ("Table 2", "Go", "annotations"): "5",
        ("Table 2", "All", "quadratic_kappa"): "0.47",
    }
    rows = count_annotations(ANNOTATIONS, published)
    (counted,) = [row for row in rows if row["published"] == "5"]
    assert (counted["measure"], counted["value"], counted["difference"]) == (
        "annotations",
        "3",
        "-2",
    )
    assert [row["measure"] for row in rows if row["published"] == "0.47"] == [
        "quadratic_kappa_first_two",
        "quadratic_kappa_all_ordered",
    ]


def test_disagreement_and_both_kappas_dev_139() -> None:
    go, python, everything = describe_annotators(ANNOTATIONS)
    assert (go["language"], go["pairs"], go["spread_3"], go["mean_difference"]) == (
        *("Go", "2", "1"),
        "3.000",
    )
    options = {"labels": [0, 1, 2, 3], "weights": "quadratic"}
    first_two = cohen_kappa_score([3, 0], [1, 0], **options)
    ordered = [(3, 1), (3, 1), (1, 3), (1, 1), (1, 3), (1, 1), (0, 0), (0, 0)]
    all_ordered = cohen_kappa_score(*zip(*ordered, strict=True), **options)
    assert python == {
        **{"language": "Python", "pairs": "4", "pairs_judged_several_times": "2"},
        **{"same_grade": "1", "different_grades": "1"},
        **{"spread_1": "0", "spread_2": "1", "spread_3": "0", "mean_difference": "1.000"},
        "quadratic_kappa_first_two": f"{first_two:.3f}",
        "quadratic_kappa_all_ordered": f"{all_ordered:.3f}",
    }
    assert everything["pairs_judged_several_times"] == "3"
    once = Annotations(("a",), {"go": {"a": {"u": (1,)}}})
    (one,) = describe_annotators(once)[:1]
    assert one["quadratic_kappa_first_two"] == one["mean_difference"] == ""
    assert by_measure(count_annotations(once, {}), "All")["quadratic_kappa_first_two"] == ""


def test_the_published_figures_add_up(root: Path) -> None:
    cells = read_published_cells(root / "config/published/codesearchnet_tables.csv")
    languages = ("Go", "Java", "JavaScript", "PHP", "Python", "Ruby")
    for table, columns in (
        ("Table 1", ("with_documentation", "all")),
        ("released pairs", ("train", "valid", "test")),
        ("Table 2", ("annotations",)),
    ):
        for column in columns:
            parts = [int(cells[table, language, column]) for language in languages]
            assert sum(parts) == int(cells[table, "All", column])
    for language in languages:
        grades = [int(cells["Table 2", language, f"relevance_{grade}"]) for grade in range(4)]
        assert sum(grades) == int(cells["Table 2", language, "annotations"])
    for table in ("Table 4, Within", "Table 4, All"):
        for system in ("ElasticSearch", "NBoW", "1D-CNN", "biRNN", "SelfAtt"):
            mean = sum(float(cells[table, system, language]) for language in languages) / 6
            assert mean == pytest.approx(float(cells[table, system, "Avg"]), abs=1e-3)
    assert len([key for key in cells if key[0] == "Table 3"]) == 28


@pytest.mark.shared
def test_table_2_of_the_released_annotations_dev_139(
    root: Path, shared: Path, tmp_path: Path
) -> None:
    folder = shared / "data/codesearchnet"
    paths = {
        "annotations": folder / "annotationStore.csv",
        "queries": folder / "queries.csv",
        "published": root / "config/published/codesearchnet_tables.csv",
        "output": tmp_path / "table2.csv",
        "annotators": tmp_path / "annotators.csv",
    }
    write_table2(**paths)
    rows = read_rows(paths["output"], COLUMNS)
    differing = {
        (row["language"], row["measure"]): row["difference"]
        for row in rows
        if row["difference"] not in {"", "0"}
    }
    assert differing == {
        ("Java", "relevance_0"): "-7",
        ("Java", "relevance_1"): "-2",
        ("Java", "relevance_2"): "-1",
        ("Java", "annotations"): "-10",
        ("Python", "relevance_0"): "-1",
        ("Python", "relevance_1"): "-3",
        ("Python", "relevance_2"): "-4",
        ("Python", "relevance_3"): "-2",
        ("Python", "annotations"): "-10",
        ("All", "annotations"): "-20",
        ("All", "pairs_judged_several_times"): "-11",
        ("All", "quadratic_kappa_first_two"): "-0.003",
        ("All", "quadratic_kappa_all_ordered"): "+0.001",
    }
    assert by_measure(rows, "All")["quadratic_kappa_first_two"] == "0.467"
    assert by_measure(rows, "All")["quadratic_kappa_all_ordered"] == "0.471"
    annotators = {row["language"]: row for row in read_rows(paths["annotators"], ANNOTATOR_COLUMNS)}
    # The README of the data says so, too.
    assert [annotators["Python"][name] for name in ANNOTATOR_COLUMNS[1:5]] == [
        *("989", "878", "305", "573"),
    ]
    page = (root / "docs/codesearchnet.md").read_text(encoding="utf-8")
    for row in annotators.values():
        cells = [row["language"], *(row[name] for name in ANNOTATOR_COLUMNS[1:9])]
        assert f"| {' | '.join(cells)} |" in page
    for language in annotators:
        counts = list(by_measure(rows, language).values())[:5]
        counts += [row["published"] for row in rows if row["language"] == language][4:5]
        assert f"| {language} | {' | '.join(f'{int(count):,}' for count in counts)} |" in page
    for name in ("table2.csv", "annotators.csv"):
        committed = root / "results/csn" / name
        assert (tmp_path / name).read_bytes() == committed.read_bytes()
