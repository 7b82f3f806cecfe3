"""Tables 1 to 3 of CodeSearchNet, by hand and on the released annotations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import cohen_kappa_score

from ncsbench.base.files.csv_tables import Row, read_headed_rows, read_rows
from ncsbench.base.files.storage import write_json, write_table
from ncsbench.corpus.function_corpus.annotations import Annotations
from ncsbench.errors import DataError
from ncsbench.evaluation.published.printed_figures import read_published_cells
from ncsbench.studies.codesearchnet.corpus_tables import (
    ANNOTATOR_COLUMNS,
    COLUMNS,
    COUNT_COLUMNS,
    count_annotations,
    count_functions,
    describe_annotators,
    write_table2,
)
from ncsbench.studies.codesearchnet.system_ranks import (
    POOL_SCHEMA,
    RANK_SCHEMA,
    draw_pools,
    rank_pool,
)
from ncsbench.studies.codesearchnet.table3 import (
    random_reciprocal_rank,
    table3_columns,
    write_table3,
)
from ncsbench.studies.codesearchnet.table_options import TableSettings

PUBLISHED = """table,row,column,value,source,note
Table 1,Go,all,726768,test,
Table 1,Go,with_documentation,347789,test,
released pairs,Go,train,317832,test,
released pairs,All,train,200,test,
Table 3,NBoW,Go,0.6409,test,
Table 3,NBoW,Avg,0.6167,test,
"""


def write_manifest(folder: Path, language: str, functions: int) -> None:
    stages = ["extracted", "without near duplicates", "at least 3 tokens"]
    write_json(
        folder / language / "manifest.json",
        {
            "language": language,
            "funnel": [
                {"stage": stage, "functions": functions - row, "documented": 5 - row}
                for row, stage in enumerate(stages)
            ],
            "parts": {part: {"functions": 2} for part in ("train", "valid", "test")},
            "pairs": {"train": 3, "valid": 1, "test": 0},
        },
    )


def test_table_1_counts_every_stage_beside_the_published_numbers(tmp_path: Path) -> None:
    write_manifest(tmp_path, "go", 20)
    write_manifest(tmp_path, "java", 30)
    corpora = {name: tmp_path / name for name in ("go", "java")}
    (tmp_path / "published.csv").write_text(PUBLISHED)
    count_functions(corpora, tmp_path / "table1.csv", tmp_path / "published.csv")
    rows = read_rows(tmp_path / "table1.csv", COUNT_COLUMNS)
    cells = {(row["language"], row["stage"]): [*row.values()][2:] for row in rows}
    assert cells["Go", "extracted"] == ["20", "5", "", ""]
    assert cells["Go", "without near duplicates"] == ["19", "4", "726768", "347789"]
    assert cells["Go", "pairs of train"] == ["2", "3", "", "317832"]
    assert cells["All", "without near duplicates"] == ["48", "8", "", ""]


def write_ranks(path: Path, ranks: dict[str, list[tuple[int, int]]], pool: int) -> Path:
    rows = [
        {
            "language": "go" if scope == "all" else scope,
            "function_id": row,
            "scope": scope,
            "pool": pool,
            "code_rank": code,
            "query_rank": query,
        }
        for scope, some in ranks.items()
        for row, (code, query) in enumerate(some)
    ]
    write_table(path, pa.Table.from_pylist(rows, RANK_SCHEMA), RANK_SCHEMA)
    return path


def write_repositories(path: Path, first_ids: list[int], functions: int) -> Path:
    repositories = [f"owner/{first}" for first in first_ids]
    row = {"functions": functions, "repositories": repositories, "first_ids": first_ids}
    rows = [{"language": one, "judged": [], **row} for one in ("go", "java")]
    write_table(path, pa.Table.from_pylist(rows, POOL_SCHEMA), POOL_SCHEMA)
    return path


def build(
    paths: list[Path],
    pools: list[int],
    trained: int = 191,
    first_ids: list[int] | None = None,
    functions: int = 20,
) -> dict[tuple[str, str, str], dict[str, str]]:
    for path in paths:
        pairs = {"pairs": {"trained": trained}}
        write_json(path.with_suffix(".json"), {"training": {"all": pairs}})
    settings = {
        "systems": ["nbow"],
        "runs": {"nbow": [path.stem for path in paths]},
        "published_as": {"nbow": "NBoW"},
        "languages": ["go", "java"],
        "pools": pools,
        "bootstrap_samples": 200,
        "seen": {"nbow": "code likely"},
    }
    options = TableSettings.parse(settings, where="settings")
    records = [path.with_suffix(".json") for path in paths]
    output, published = (paths[0].with_name(name) for name in ("table3.csv", "published.csv"))
    published.write_text(PUBLISHED)
    of_repositories = paths[0].with_name("pools.parquet")
    write_repositories(of_repositories, first_ids or [0, 1], functions)
    write_table3(options, paths, records, of_repositories, output, published)
    header, rows = read_headed_rows(output)
    assert tuple(header) == table3_columns(pools)
    return {(row["model"], row["direction"], row["language"]): row for row in rows}


def test_table_3_has_both_directions_seeds_and_means(tmp_path: Path) -> None:
    first = {"go": [(1, 2), (2, 1)], "java": [(1, 1)], "all": [(1, 4)]}
    second = {"go": [(1, 2), (1, 1)], "java": [(2, 1)], "all": [(1, 2)]}
    paths = [
        write_ranks(tmp_path / f"{i}.parquet", one, 1000) for i, one in enumerate((first, second))
    ]
    rows = build(paths, [1000])
    assert rows["nbow", "query_to_code", "Go"]["mrr_1000"] == "0.8750"
    assert rows["nbow", "code_to_query", "Go"]["mrr_1000"] == "0.7500"
    assert rows["nbow", "query_to_code", "mean"]["mrr_1000"] == "0.8125"
    assert rows["nbow", "code_to_query", "pooled"]["mrr_1000"] == "0.3750"
    assert rows["nbow", "code_to_query", "pooled"]["published"] == "0.6167"
    assert rows["nbow", "code_to_query", "pooled"]["verdict"] == "not comparable: margin"
    assert rows["nbow", "query_to_code", "Go"]["published"] == ""
    go = rows["nbow", "code_to_query", "Go"]
    assert (go["seeds"], go["pairs_1000"], go["published"]) == ("2", "2", "0.6409")
    low, high = float(go["mrr_1000_low"]), float(go["mrr_1000_high"])
    assert (low, high) == (0.5, 1.0) and go["verdict"] == "not comparable: margin"
    assert go["seen"] == "code likely" and rows["random order", "query_to_code", "Go"]["seen"] == ""
    assert rows["random order", "query_to_code", "Go"]["mrr_1000"] == "0.0075"


def test_intervals_over_repositories_draw_all_pairs_of_one_dev_154(tmp_path: Path) -> None:
    ranks = {"go": [(1, 1)] * 10 + [(2, 2)] * 10, "java": [(1, 1)] * 9, "all": [(1, 1), (2, 2)]}
    path = write_ranks(tmp_path / "ranks.parquet", ranks, 50)
    rows = build([path], [50], first_ids=[0, 10])
    go, java, mean = (rows["nbow", "code_to_query", name] for name in ("Go", "Java", "mean"))
    bounds = ("mrr_50_repositories_low", "mrr_50_repositories_high")
    assert [go[bound] for bound in bounds] == ["0.5000", "1.0000"]
    assert 0.5 < float(go["mrr_50_low"]) < float(go["mrr_50_high"]) < 1
    # Nothing is known about other repositories where all pairs are of one.
    assert [row[bound] for row in (java, mean) for bound in bounds] == [""] * 4
    assert java["mrr_50_low"] == "1.0000"
    with pytest.raises(DataError, match=r"ranks\.parquet: function 19 of go is not among the 19 "):
        build([path], [50], first_ids=[0, 10], functions=19)


def test_verdicts_of_table_3_need_pairs_like_the_published_dev_154(tmp_path: Path) -> None:
    path = write_ranks(tmp_path / "ranks.parquet", {"go": [(9, 9)], "java": [], "all": []}, 1000)
    found = {
        trained: build([path], [1000], trained)["nbow", "code_to_query", "Go"]["verdict"]
        for trained in (200, 191, 189, 211)
    }
    assert found == {
        **dict.fromkeys((200, 191), "not comparable: margin"),  # of two pairs
        **{n: f"not comparable: pairs ({n} for 200)" for n in (189, 211)},
    }


@pytest.mark.parametrize(("pool", "verdict"), [(50, "not comparable: pool"), (1000, "")])
def test_what_has_no_pool_of_that_size_has_no_figure(
    tmp_path: Path, pool: int, verdict: str
) -> None:
    path = write_ranks(
        tmp_path / "ranks.parquet", {"go": [(1, 1)], "java": [], "all": [(1, 1)]}, 50
    )
    rows = build([path], [pool])
    go, java, mean = (rows["nbow", "code_to_query", name] for name in ("Go", "Java", "mean"))
    assert go["verdict"] == verdict
    assert java[f"mrr_{pool}"] == mean[f"mrr_{pool}"] == ""
    assert java[f"pairs_{pool}"] == "0"


def test_both_directions_are_ranked_dev_154() -> None:
    scores = np.array([[0.9, 0.1, 0.5], [0.3, 0.2, 0.4], [0.8, 0.7, 0.6]])
    code_ranks, query_ranks = rank_pool(scores)
    assert code_ranks.tolist() == [1, 3, 3]  # along the rows
    assert query_ranks.tolist() == [1, 2, 1]  # along the columns


def test_ties_count_against_the_system() -> None:
    code_ranks, query_ranks = rank_pool(np.zeros((4, 4)))
    assert code_ranks.tolist() == query_ranks.tolist() == [4, 4, 4, 4]


def test_what_a_ranking_lacks_ranks_last_dev_154() -> None:
    scores = np.array([[0.9, -np.inf], [0.2, -np.inf]])
    code_ranks, query_ranks = rank_pool(scores)
    assert code_ranks.tolist() == query_ranks.tolist() == [1, 2]


def test_pools_are_full_and_hold_each_pair_once() -> None:
    pools = draw_pools(10, 4, seed=0)
    assert [len(pool) for pool in pools] == [4, 4]
    assert len(set(np.concatenate(pools).tolist())) == 8
    assert draw_pools(3, 4, seed=0) == []
    assert all((a == b).all() for a, b in zip(pools, draw_pools(10, 4, seed=0), strict=True))


def test_what_chance_gives() -> None:
    assert random_reciprocal_rank(2) == 0.75
    generator = np.random.default_rng(1)
    drawn = [1 / rank_pool(generator.random((20, 20)))[0] for _ in range(400)]
    assert np.mean(drawn) == pytest.approx(random_reciprocal_rank(20), abs=0.01)


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
    page = " ".join((root / "docs/codesearchnet.md").read_text(encoding="utf-8").split())
    python, everything = (list(annotators[name].values()) for name in ("Python", "All"))
    assert f"{python[2]} of the {everything[2]} pairs are of Python" in page
    same, _, by_1, by_2, by_3 = everything[3:8]
    assert f"{same} pairs have the same grade, {by_1} differ by 1, {by_2} by 2 and {by_3}" in page
    total, published = int(by_measure(rows, "All")["annotations"]), 4_026
    assert f"has {total:,} annotations, {published - total} fewer than the paper" in page
    for name in ("table2.csv", "annotators.csv"):
        committed = root / "results/csn" / name
        assert (tmp_path / name).read_bytes() == committed.read_bytes()
