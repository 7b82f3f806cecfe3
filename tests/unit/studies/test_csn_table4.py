"""Table 4 of the CodeSearchNet paper: pools, chance, the ensemble, intervals and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from ncsbench.base.files.csv_tables import Row
from ncsbench.corpus.function_corpus.annotations import Annotations
from ncsbench.corpus.function_corpus.function_schema import make_url
from ncsbench.errors import DataError
from ncsbench.evaluation.statistics.intervals import draw_resamples, interval_of_sum
from ncsbench.studies.codesearchnet.challenge_scores import (
    mean_score,
    merge_candidates,
    score_chance,
    score_queries,
)
from ncsbench.studies.codesearchnet.submission import Prediction, Ranking
from ncsbench.studies.codesearchnet.system_ranks import (
    FunctionPool,
    read_challenge_ranks,
    read_pool,
    read_pools,
    write_challenge_ranks,
    write_pools,
)
from ncsbench.studies.codesearchnet.table4 import (
    COLUMNS,
    Table4Scores,
    list_differences,
    list_figures,
    score_models,
    write_table4,
)
from ncsbench.studies.codesearchnet.table_options import TableSettings
from tests.functions_corpus import write_challenge, write_functions

PRINTED = {
    ("Table 1", "Go", "all"): "1000",
    ("Table 1", "All", "all"): "9000",
    ("Table 4, Within", "NBoW", "Go"): "0.5",
    ("Table 4, All", "NBoW", "Go"): "0.99",
    ("Table 4, Within", "ElasticSearch", "Go"): "0.25",
    ("Table 4, All", "ElasticSearch", "Go"): "0.2",
    ("Table 4, All", "NBoW", "Avg"): "0.164",
    ("benchmarks, 200 trees, All", "NBoW", "Avg"): "0.341",
}
Judged = dict[str, dict[str, tuple[int, ...]]]


def settings(*systems: str, **options: object) -> TableSettings:
    given = {"languages": ["go"], "systems": list(systems), "bootstrap_samples": 200, **options}
    return TableSettings.parse(given, where="test")


def judged(queries: int, *, functions: int = 3) -> Annotations:
    """As many queries with as many functions in Go, of which the first one is relevant."""
    grades: Judged = {
        f"q{query}": {
            f"u{query}-{number}": (3 if number == 0 else 0,) for number in range(functions)
        }
        for query in range(queries)
    }
    return Annotations(tuple(grades), {"go": grades})


def all_of(annotations: Annotations) -> frozenset[str]:
    return frozenset(url for found in annotations.grades["go"].values() for url in found)


def find_first(queries: range) -> dict[tuple[str, str], list[str]]:
    """Rankings that have the relevant function first for some queries, and nothing for others."""
    return {("go", f"q{query}"): [f"u{query}-0"] for query in queries}


def one_run_each(
    found: Mapping[str, Mapping[Ranking, Sequence[str]]],
) -> dict[str, list[Mapping[Ranking, Sequence[str]]]]:
    return {system: [rankings] for system, rankings in found.items()}


def choose(rows: list[Row], **cells: str) -> Row:
    (row,) = [one for one in rows if cells.items() <= one.items()]
    return row


def test_candidates_are_merged_by_rank_then_by_system_dev_141() -> None:
    first = {("go", "q"): ["a", "b", "c"], ("go", "p"): ["x"]}
    second = {("go", "q"): ["b", "d"], ("ruby", "q"): ["z"]}
    assert merge_candidates([first, second]) == {
        ("go", "q"): ["a", "b", "d", "c"],
        ("go", "p"): ["x"],
        ("ruby", "q"): ["z"],
    }
    assert merge_candidates([second, first], depth=1)["go", "q"] == ["b", "a"]


@pytest.mark.parametrize("depth", [1, 3, 5, 9])
def test_chance_is_the_mean_over_all_orders_of_the_pool_dev_142(depth: int) -> None:
    functions = ["a", "b", "c", "d", "e"]
    relevances: Mapping[str, Mapping[str, float]] = {
        "q": {"a": 3.0, "b": 0.0, "c": 1.5, "elsewhere": 2.0},
        "none": {"elsewhere": 1.0},
        "zero": {"a": 0.0},
    }
    pool = FunctionPool(5, frozenset("abc"))
    expected = score_chance(relevances, pool, depth=depth)
    assert [score.query for score in expected] == ["q", "none"]
    orders = [
        score_queries({"q": order[:depth]}, relevances)[0] for order in permutations(functions)
    ]
    assert expected[0].within == pytest.approx(mean_score(orders, "within"))
    assert expected[0].all == pytest.approx(mean_score(orders, "all"))
    assert expected[1].all == expected[1].within == 0


def test_a_pool_counts_functions_and_finds_the_annotated_ones(tmp_path: Path) -> None:
    folder = write_functions(tmp_path, "go", [("a", "d", "c"), ("b", "d", "c"), ("c", "d", "c")])
    inside = make_url("owner/go", "c" * 40, "src/file", 11, 15)
    beside = make_url("owner/go", "c" * 40, "src/file", 11, 16)
    other = make_url("owner/ruby", "c" * 40, "src/file", 1, 5)
    expected = FunctionPool(3, frozenset([inside]), ("owner/go",), (0,))
    assert read_pool(folder, [inside, beside, other]) == expected


def test_pools_are_kept_as_functions_and_addresses(tmp_path: Path) -> None:
    corpus = write_functions(tmp_path, "go", [("a", "d", "c"), ("b", "d", "c")])
    inside = make_url("owner/go", "c" * 40, "src/file", 11, 15)
    elsewhere = make_url("owner/other", "c" * 40, "src/file", 1, 5)
    path = tmp_path / "pools.parquet"
    rows = (f"q,{elsewhere},1", f"p,{inside},3", f"p,{elsewhere},0")
    write_pools({"go": corpus}, **write_challenge(tmp_path, *rows), output=path)
    expected = FunctionPool(2, frozenset([inside]), ("owner/go",), (0,))
    assert read_pools(path, ["go"]) == {"go": expected}
    with pytest.raises(DataError, match=r"pools\.parquet: has no ruby; make it anew for all"):
        read_pools(path, ["go", "ruby"])


def find(scores: Table4Scores, model: str, measure: str) -> dict[str, float]:
    """A figure of Go."""
    frame = scores.figures.frame.set_index(["model", "language", "measure"])
    return dict(frame.loc[(model, "go", measure)])


def test_the_ideal_of_the_pool_leaves_out_what_is_not_in_it_dev_140() -> None:
    grades: Judged = {"q": {"a": (3,), "b": (3,)}, "p": {"c": (1,)}, "zero": {"d": (0,)}}
    annotations = Annotations(tuple(grades), {"go": grades})
    scores = score_models(
        settings("s"),
        annotations,
        {"s": [{("go", "q"): ["a"]}]},
        {"go": FunctionPool(9, frozenset("ad"))},
    )
    figures = {
        measure: find(scores, "s", measure)["value"]
        for measure in ("within", "all", "within_pool_idcg", "all_pool_idcg")
    }
    assert figures["all"] == figures["within"] == pytest.approx(0.5 / (1 + 1 / np.log2(3)))
    assert figures["all_pool_idcg"] == figures["within_pool_idcg"] == 1
    counts = scores.counts.loc["go"]
    assert (counts.judged, counts.judged_at_hand) == (4, 2)
    assert (counts.positives, counts.positives_at_hand) == (3, 1)
    assert (counts.queries, counts.queries_at_hand, counts.queries_with_three) == (2, 1, 0)


def test_intervals_are_over_queries_and_the_same_for_every_system() -> None:
    annotations = judged(40)
    pools = {"go": FunctionPool(200, all_of(annotations))}
    found = {"s": find_first(range(10)), "t": find_first(range(20))}
    scores = score_models(settings("s", "t"), annotations, one_run_each(found), pools)
    alone = score_models(settings("t"), annotations, {"t": [found["t"]]}, pools)
    figure = find(scores, "t", "all")
    assert figure["low"] == find(alone, "t", "all")["low"]
    draws = draw_resamples(40, np.random.default_rng([2019, 0]), resamples=200)
    expected = interval_of_sum(np.repeat([1.0, 0.0], 20) / 40, draws)
    assert (figure["low"], figure["high"]) == pytest.approx((expected.low, expected.high))
    differences = list_differences(scores, {}, {})
    row = choose(differences, language="Go", measure="all", model="t", baseline="s")
    assert row["difference"] == "+0.2500"
    assert 0 < float(row["difference_low"]) < 0.25 < float(row["difference_high"])


def test_a_system_that_has_seen_the_data_says_so_and_is_not_in_the_ensemble() -> None:
    annotations = judged(4)
    pools = {"go": FunctionPool(200, all_of(annotations))}
    found = one_run_each({"s": find_first(range(1)), "t": find_first(range(4))})
    options = settings("s", "t", seen={"t": "code likely"})
    scores = score_models(options, annotations, found, pools)
    ensembles = [find(scores, name, "all")["value"] for name in ("s", "ensemble", "t")]
    assert ensembles[0] == ensembles[1] < ensembles[2]
    rows = list_figures(scores, {}, {})
    assert [(row["model"], row["seen"]) for row in rows if row["language"] == "Go"] == [
        *(("s", ""), ("t", "code likely"), ("ensemble", ""), ("random", "")),
    ]


def test_a_pool_that_is_not_the_published_one_is_not_compared_dev_140() -> None:
    annotations = judged(40)
    found = {"s": find_first(range(20))}

    def verdict(functions: int, missing: str = "") -> str:
        pool = FunctionPool(functions, all_of(annotations) - {missing})
        scores = score_models(settings("s"), annotations, one_run_each(found), {"go": pool})
        rows = list_figures(scores, {"s": "NBoW"}, PRINTED)
        return choose(rows, model="s", language="Go")["verdict"]

    assert verdict(990) == "within: inconclusive; all: different"
    assert verdict(989) == ("not comparable: pool (989 of 1,000 functions, 120 of 120 judged)")
    assert verdict(1000, "u0-0") == (
        "not comparable: pool (1,000 of 1,000 functions, 119 of 120 judged)"
    )


def test_rows_have_all_systems_the_ensemble_and_chance() -> None:
    annotations = judged(40)
    pools = {"go": FunctionPool(1000, all_of(annotations))}
    found = {"s": find_first(range(10)), "t": find_first(range(10, 30))}
    scores = score_models(settings("s", "t"), annotations, one_run_each(found), pools)
    rows = list_figures(scores, {"s": "NBoW"}, PRINTED)
    assert [(row["model"], row["language"]) for row in rows] == [
        (system, language)
        for system in ("s", "t", "ensemble", "random")
        for language in ("Go", "Avg")
    ]
    assert all(row.keys() == set(COLUMNS) for row in rows)
    assert choose(rows, model="ensemble", language="Go")["all"] == "0.7500"
    assert choose(rows, model="random", language="Go")["all"] == "0.0209"
    average = choose(rows, model="s", language="Avg")
    assert (average["published_all"], average["published_all_200_trees"]) == ("0.164", "0.341")
    assert average["all"] == choose(rows, model="s", language="Go")["all"] == "0.2500"


def test_systems_are_compared_from_thirty_queries_with_three_functions_dev_142() -> None:
    published = {"s": "ElasticSearch", "t": "NBoW", "u": "ElasticSearch"}

    def compare(annotations: Annotations) -> list[Row]:
        found = {
            "s": find_first(range(5)),
            "t": find_first(range(25)),
            "u": find_first(range(25)),
        }
        pools = {"go": FunctionPool(1000, all_of(annotations))}
        scores = score_models(settings("s", "t", "u"), annotations, one_run_each(found), pools)
        return list_differences(scores, published, PRINTED)

    rows = compare(judged(30))
    higher = choose(rows, language="Go", measure="all", model="t", baseline="s")
    assert (higher["difference"], higher["verdict"]) == ("+0.6667", "higher")
    assert (higher["published_difference"], higher["order"]) == ("+0.790", "as published")
    equal = choose(rows, language="Go", measure="all_pool_idcg", model="u", baseline="t")
    assert (equal["difference"], equal["difference_low"], equal["difference_high"]) == (
        "0.0000",
        "0.0000",
        "0.0000",
    )
    assert (equal["verdict"], equal["order"]) == ("not shown to differ", "open")
    lower = choose(rows, language="Go", measure="all", model="random", baseline="t")
    assert (lower["verdict"], lower["published_difference"], lower["order"]) == ("lower", "", "")
    for few, told in ((judged(29), 29), (judged(40, functions=2), 0)):
        one = choose(compare(few), language="Go", measure="all", model="t", baseline="s")
        assert one["difference"] == ""
        assert one["verdict"] == (
            f"no comparison of systems: {told} queries with 3 judged functions in the pool, "
            "30 are needed"
        )


def test_a_language_without_predictions_has_no_figure_and_leaves_the_average_out() -> None:
    of_go = judged(3).grades["go"]
    annotations = Annotations(tuple(of_go), {"go": of_go, "ruby": of_go})
    pool = FunctionPool(100, all_of(annotations))
    scores = score_models(
        settings("s", languages=["go", "ruby"]),
        annotations,
        {"s": [find_first(range(3))]},
        {"go": pool, "ruby": pool},
    )
    rows = list_figures(scores, {}, {})
    assert choose(rows, model="s", language="Go")["all"] == "1.0000"
    for language in ("Ruby", "Avg"):
        row = choose(rows, model="s", language=language)
        assert row["all"] == row["all_low"] == ""
        assert row["verdict"].startswith("no figure: not every language has")
    assert choose(rows, model="random", language="Avg")["all"]
    differences = list_differences(scores, {}, {})
    row = choose(differences, language="Ruby", measure="all", model="random", baseline="s")
    assert row["verdict"] == "no figure"


def test_figures_of_a_system_are_means_over_its_runs() -> None:
    annotations = judged(2)
    pool = {"go": FunctionPool(100, all_of(annotations))}
    runs = [find_first(range(2)), {query: [] for query in find_first(range(2))}]
    chosen = settings("s", "t", runs={"s": ["s-seed1", "s-seed2"]})
    scores = score_models(chosen, annotations, {"s": runs, "t": runs[:1]}, pool)
    values = [find(scores, system, "all")["value"] for system in ("s", "t", "ensemble")]
    assert values == [0.5, 1, 1]


def test_the_first_ten_and_the_annotated_results_are_kept_with_their_ranks(tmp_path: Path) -> None:
    found = [Prediction("go", query, f"{query}{rank}") for query in "PQ" for rank in range(1, 31)]
    write_challenge_ranks(tmp_path / "run.parquet", found, {"P13", "Q5", "Q40"})
    kept = read_challenge_ranks(tmp_path / "run.parquet")
    first = [f"P{rank}" for rank in range(1, 11)]
    assert kept["go", "p"] == [*first, "rank 11", "rank 12", "P13"]
    assert kept["go", "q"] == [f"Q{rank}" for rank in range(1, 11)]


def test_a_system_without_a_file_is_said_in_one_line(root: Path, tmp_path: Path) -> None:
    corpus = write_functions(tmp_path, "go", [("a", "d", "c")])
    files = write_challenge(tmp_path, f"Sort,{make_url('o/r', '0', 'f', 1, 2)},2")
    write_challenge_ranks(tmp_path / "bm25.parquet", [], [])
    write_pools({"go": corpus}, **files, output=tmp_path / "pools.parquet")
    with pytest.raises(DataError, match="absent: there is no such file"):
        write_table4(
            settings("absent"),
            **files,
            ranks=[tmp_path / "bm25.parquet"],
            pools=tmp_path / "pools.parquet",
            published=root / "config/published/codesearchnet_tables.csv",
            output=tmp_path / "table4.csv",
            differences=tmp_path / "differences.csv",
        )
