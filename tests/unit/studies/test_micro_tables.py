"""The micro-benchmark: its queries, what counts as found, intervals, verdicts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import Row, read_rows, write_rows
from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.corpus.layout.documents import TokenLists, save_documents
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.published.printed_figures import FIGURE_COLUMNS
from ncsbench.studies.ncs_2018.micro_options import (
    MicroBenchmarkOptions,
    MicroTableSettings,
    TableRow,
)
from ncsbench.studies.ncs_2018.micro_queries import (
    MICRO_QUERY_SCHEMA,
    draw_queries,
    read_micro_queries,
)
from ncsbench.studies.ncs_2018.micro_tables import (
    MICRO_COLUMNS,
    decide_verdict,
    find_equal_methods,
    write_micro_benchmark,
)
from tests.ranked_runs import make_run
from tests.synthetic_documents import make_documents, make_lists, make_random_texts

# Methods 1 and 3 have the same words, in another order.
TEXTS = ["a b c d e f", "g h i j k l", "m n o p q r", "l k j i h g"]
SETS = 4


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Words, queries for all four methods, and published figures of one row."""
    documents = make_documents(TEXTS)
    save_documents(documents, tmp_path / "words")
    queries = draw_queries(documents.words, count=4, seed=1)
    write_table(tmp_path / "queries", queries, MICRO_QUERY_SCHEMA)
    cells = [("top_1_percent", "46.1"), ("top_9_share", "0.744"), ("methods", "4")]
    rows = [
        dict(zip(FIGURE_COLUMNS, ("T", "random", column, value, "paper", ""), strict=True))
        for column, value in cells
    ]
    write_rows(tmp_path / "published.csv", FIGURE_COLUMNS, rows)
    return tmp_path


def write_ranking(folder: Path, name: str, best_first: list[list[int]]) -> None:
    """One ranking for each of the four methods, the same in every set of queries."""
    listed = [
        (number * 4 + position + 1, id_, -rank)
        for number in range(SETS)
        for position, ids in enumerate(best_first)
        for rank, id_ in enumerate(ids)
    ]
    query_ids, ids, scores = (np.array(column) for column in zip(*listed, strict=True))
    run = make_run(query_ids=query_ids, ids=ids, scores=scores.astype(float), depth=9)
    (folder / "runs").mkdir(exist_ok=True)
    write_run(folder / "runs" / f"{name}.trec", run, tag=name)


def table(folder: Path, row: str = "random") -> list[Row]:
    line = TableRow(table="T", row=row, query_words="random", model="ncs")
    settings = MicroTableSettings(dataset="tiny", margin=0.03, rows=(line,))
    write_micro_benchmark(
        settings,
        words=folder / "words",
        queries=folder / "queries",
        runs=folder / "runs",
        published=folder / "published.csv",
        output=folder / "table.csv",
    )
    return read_rows(folder / "table.csv", MICRO_COLUMNS)


def test_equal_methods_have_the_same_words_as_often() -> None:
    lists = make_lists([text.split() for text in ["a b b", "b a b", "a a b", "", "b b a", ""]])
    assert find_equal_methods(lists).tolist() == [0, 0, 2, 3, 0, 3]


def test_a_method_with_the_same_words_counts_as_found_and_not_dev_95(files: Path) -> None:
    # Method 0 stands first, 1 behind its copy, 2 is not found, 3 behind another one.
    write_ranking(files, "ncs", [[0], [3, 1], [0, 1], [2, 3]])
    rows = {(r["share_of"], r["equal_methods"], r["measure"]): r for r in table(files)}
    assert len(rows) == 8
    assert {row["query_words"] for row in rows.values()} == {"random"}
    for share in ("occurrences", "distinct"):
        found = {key[1:]: row["value"] for key, row in rows.items() if key[0] == share}
        assert found == {
            ("found", "top_1"): "0.5000",
            ("found", "top_9"): "0.7500",
            ("not_found", "top_1"): "0.2500",
            ("not_found", "top_9"): "0.7500",
        }
    cell = rows["distinct", "not_found", "top_1"]
    assert (cell["published"], cell["queries"], cell["methods"]) == ("0.461", "4", "4")
    assert (cell["low"], cell["high"]) == ("0.0456", "0.6994")
    assert cell["verdict"] == "inconclusive"
    assert rows["distinct", "found", "top_9"]["published"] == "0.744"


def test_a_row_that_is_not_published_ends_in_one_line(files: Path) -> None:
    write_ranking(files, "ncs", [[0], [1], [2], [3]])
    message = r"published\.csv: has no top_1 for T, by chance; mend micro_benchmark\.rows"
    with pytest.raises(DataError, match=message):
        table(files, row="by chance")


@pytest.mark.parametrize(
    ("found", "asked", "verdict"),
    [
        (6890, 10000, "equivalent"),
        (6700, 10000, "equivalent"),  # surely lower, and by less than the margin
        (6600, 10000, "different"),
        (3000, 10000, "different"),
        (69, 100, "inconclusive"),  # the same figure, of too few
        (650, 1000, "different"),
        (665, 1000, "inconclusive"),
    ],
)
def test_a_verdict_can_fail_dev_95(found: int, asked: int, verdict: str) -> None:
    assert decide_verdict(found, asked, 0.689, margin=0.03) == verdict


def test_a_margin_of_0_is_none() -> None:
    with pytest.raises(ConfigurationError, match="margin: 0 is no margin"):
        MicroBenchmarkOptions.parse({"margin": 0}, where="x")


def list_rows(path: Path) -> list[str]:
    """Lines of the other table there: published beside what is found first, in percent."""
    lines: dict[tuple[str, str], list[str]] = {}
    for row in read_rows(path, MICRO_COLUMNS):
        if (row["equal_methods"], row["measure"]) == ("not_found", "top_1"):
            cells = lines.setdefault((row["table"].partition(": ")[2], row["row"]), [])
            figures = ("published", "value") if not cells else ("value",)
            cells += [f"{100 * float(row[name]):.1f}" for name in figures]
    return [f"| {' | '.join([*names, *cells])} |" for names, cells in lines.items()]


@pytest.mark.parametrize("dataset", ["ncsed", "ncsed_383"])
def test_the_page_shows_the_committed_rows(root: Path, dataset: str) -> None:
    page = (root / "docs/micro-benchmark.md").read_text(encoding="utf-8")
    assert "\n".join(list_rows(root / "results" / dataset / "micro_benchmark.csv")) in page


# 30 words, 12 of them distinct; "common" is in every method, "rare" words are in one.
LONG = "common common " + "often " * 14 + " ".join(f"rare{i}" for i in range(10)) + " often" * 4
MIXED = [
    LONG,
    "common often a b c d",
    "common often",
    "common x y z",
    "common often e f g",
]


def lists_of(texts: list[str]) -> TokenLists:
    return make_lists([text.split() for text in texts])


def words_of(table: pa.Table, method: int, choice: str, share: str) -> list[str]:
    (row,) = (
        row
        for row in table.to_pylist()
        if (row["method"], row["query_words"], row["share_of"]) == (method, choice, share)
    )
    text: str = row["text"]
    return text.split()


def test_a_fifth_of_the_words_but_at_least_five_dev_93() -> None:
    table = draw_queries(lists_of(MIXED), count=3, seed=1)
    # 20 % of 30 words are six, of 12 distinct ones two, and so five.
    for choice in ("random", "tf_idf"):
        assert len(words_of(table, 0, choice, "occurrences")) == 6
        assert len(words_of(table, 0, choice, "distinct")) == 5
        assert len(words_of(table, 1, choice, "occurrences")) == 5
    # Four words and two are too few to be drawn.
    assert sorted(set(table["method"].to_pylist())) == [0, 1, 4]


@pytest.mark.parametrize(("words", "expected"), [(5, 5), (27, 5), (28, 6), (32, 6), (33, 7)])
def test_a_fifth_is_rounded_to_the_nearest_number_dev_93(words: int, expected: int) -> None:
    table = draw_queries(lists_of([" ".join(f"w{i}" for i in range(words))]), count=1, seed=1)
    assert {len(text.split()) for text in table["text"].to_pylist()} == {expected}


def test_tf_idf_takes_each_word_once_and_the_rarest_first_dev_93() -> None:
    table = draw_queries(lists_of(MIXED), count=3, seed=1)
    # Ties go by the alphabet.
    assert words_of(table, 0, "tf_idf", "occurrences") == [f"rare{i}" for i in range(6)]
    assert words_of(table, 1, "tf_idf", "distinct") == ["a", "b", "c", "d", "often"]


def test_a_word_is_drawn_at_random_no_more_often_than_it_stands_there_dev_93() -> None:
    text = "often often often a b c d e f g " * 3
    for seed in range(20):
        table = draw_queries(lists_of([text, "x y"]), count=1, seed=seed)
        drawn = Counter(words_of(table, 0, "random", "occurrences"))
        assert drawn["often"] <= 9
        assert all(count <= 3 for word, count in drawn.items() if word != "often")
        assert max(Counter(words_of(table, 0, "random", "distinct")).values()) == 1


def test_a_method_of_few_distinct_words_gives_all_of_them() -> None:
    table = draw_queries(lists_of(["a a a a b b b b"]), count=1, seed=1)
    assert words_of(table, 0, "random", "distinct") in (["a", "b"], ["b", "a"])
    assert sorted(words_of(table, 0, "tf_idf", "occurrences")) == ["a", "b"]


def test_a_seed_decides_and_all_sets_ask_for_the_same_methods(tmp_path: Path) -> None:
    lists = lists_of(make_random_texts(np.random.default_rng(3), methods=200, words=60))
    table = draw_queries(lists, count=50, seed=5)
    assert table.schema == MICRO_QUERY_SCHEMA
    assert table.equals(draw_queries(lists, count=50, seed=5))
    assert not table.equals(draw_queries(lists, count=50, seed=6))
    methods = table["method"].to_numpy().reshape(4, 50)
    assert (methods == methods[0]).all() and (np.diff(methods[0]) > 0).all()
    write_table(tmp_path / "q", table, MICRO_QUERY_SCHEMA)
    queries = read_micro_queries(tmp_path / "q")
    assert [query.query_id for query in queries] == list(range(1, 201))
    assert [query.text for query in queries] == table["text"].to_pylist()


@pytest.mark.parametrize(
    ("texts", "found"),
    [(["a b c d e", "a b"], "has 1 methods"), (["a b c d"] * 5, "has no method"), ([], "has no")],
)
def test_too_few_methods_end_in_one_line(texts: list[str], found: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        draw_queries(lists_of(texts), count=2, seed=1)
    message = str(caught.value)
    assert message.startswith(
        "config/config.yaml or --config: micro_benchmark.queries: the corpus " + found
    )
    assert "2 are asked for; get more clones" in message and "\n" not in message
