"""Sizes of answers against a plain solution, as tables, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.artifacts.storage import write_table
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.training.answer_sizes import SIZE_SCHEMA, AnswerSizes, fit_sizes, read_sizes
from ncsbench.training.translation_model import build_translation, read_word_sets
from ncsbench.training.translation_options import TranslationSettings
from ncsbench.training.translation_tables import load_translation, save_translation
from ncsbench.training.word_sets import WordSetBuilder, WordSets
from tests.unit.test_translation import SIZES, make_translation
from tests.unit.test_translation_model import WordLists, parse

WORD = st.sampled_from("abcdef")
QUERIES = st.lists(st.tuples(st.lists(WORD, unique=True), st.integers(1, 60)), min_size=1)


def make_sets(queries: list[list[str]]) -> WordSets:
    builder = WordSetBuilder()
    for words in queries:
        builder.append(words)
    return builder.finish(1)


def solve_plainly(queries: WordSets, sizes: np.ndarray, ridge: float) -> tuple[float, np.ndarray]:
    """Intercept and weights by the normal equations, of a column of ones that has no penalty."""
    words = len(queries.vocabulary)
    rows = np.repeat(np.arange(len(queries)), np.diff(queries.offsets))
    asked = np.zeros((len(queries), words + 1))
    asked[:, 0] = 1
    asked[rows, queries.tokens + 1] = 1
    penalty = np.diag([0.0, *[ridge] * words])
    found = np.linalg.solve(asked.T @ asked + penalty, asked.T @ np.log(1 + sizes))
    return float(found[0]), found[1:]


@given(QUERIES, st.sampled_from([0.1, 1.0, 30.0]))
def test_the_regression_is_that_of_a_plain_solution(
    pairs: list[tuple[list[str], int]], ridge: float
) -> None:
    queries = make_sets([words for words, _ in pairs])
    sizes = np.array([size for _, size in pairs], dtype=np.float64)
    fitted = fit_sizes(queries, sizes, ridge=ridge)
    intercept, weights = solve_plainly(queries, sizes, ridge)
    assert fitted.intercept == pytest.approx(intercept, abs=1e-8)
    assert list(fitted.weights) == queries.vocabulary
    np.testing.assert_allclose(list(fitted.weights.values()), weights, atol=1e-8)
    assert fit_sizes(queries, sizes, ridge=ridge) == fitted


def test_a_prediction_by_hand() -> None:
    # Two sizes, one word: the weight is shrunk, the intercept is not.
    pairs = [("open", "a b c"), ("go", "a"), ("open", "a b c"), ("go", "a")]
    sizes = build_translation(WordLists(pairs), parse(ridge=1.0)).sizes
    low, high = math.log(2), math.log(4)
    half = (high - low) / 2 * 2 / 3  # of two opposite words, 4 pairs and a penalty of 1 each
    assert sizes.predict(["open"]) == pytest.approx((low + high) / 2 + half)
    assert sizes.predict(["go", "go"]) == pytest.approx((low + high) / 2 - half)


def test_unknown_words_and_none_have_the_intercept() -> None:
    assert SIZES.predict(["unknown"]) == SIZES.predict([]) == SIZES.intercept
    assert SIZES.predict(["file", "unknown", "file"]) == 1.75


def test_all_words_of_code_count_and_words_of_few_queries_do_not() -> None:
    pairs = [("a b", "x y z"), ("a", "x x y"), ("a c", "x")]
    read = read_word_sets(WordLists(pairs), parse(maximum_code_words=2, minimum_count=2))
    assert read.sizes.tolist() == [3, 2, 1]
    assert read.sized_queries.vocabulary == ["a"]


def test_tables_are_read_back(tmp_path: Path) -> None:
    made = make_translation([("file", "path", 0.5, 0.5)])
    save_translation(made, tmp_path / "made")
    again = load_translation(tmp_path / "made")
    assert again.sizes == SIZES and again.table.equals(made.table)
    assert again.predict_size(["file"]) == 1.75


@pytest.mark.parametrize(
    "rows",
    [
        [("file", 0.5)],
        [],
        [("", 1.0), ("file", 0.5), ("file", 0.5)],
        [("", 1.0), ("file", math.nan)],
    ],
)
def test_a_bad_table_is_one_line(rows: list[tuple[str, float]]) -> None:
    dicts = [{"word": word, "weight": weight} for word, weight in rows]
    with pytest.raises(DataError, match=r"^here: is no table of sizes: .* learn it again$"):
        read_sizes(pa.Table.from_pylist(dicts, schema=SIZE_SCHEMA), where="here")


def test_a_table_of_another_schema_or_none_is_one_line(tmp_path: Path) -> None:
    save_translation(make_translation([]), tmp_path)
    other = pa.schema([pa.field("word", pa.string())])
    write_table(tmp_path / "sizes.parquet", pa.table({"word": ["a"]}), other)
    for _ in range(2):
        with pytest.raises(DataError, match=r"sizes\.parquet") as error:
            load_translation(tmp_path)
        assert "\n" not in str(error.value)
        (tmp_path / "sizes.parquet").unlink(missing_ok=True)


def test_sets_for_sizes_are_among_the_sets() -> None:
    with pytest.raises(ConfigurationError, match="'size_pairs' names 'y'"):
        parse(size_pairs=["y"])
    assert parse(size_pairs=["x"]).translation.sized == parse().translation.sized == ("x",)


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        ([("a", "b")], {"pairs": ["x", "y"]}, "1 files of pairs are given for the sets x, y"),
    ],
)
def test_sets_that_do_not_fit_are_one_line(
    pairs: list[tuple[str, str]], options: dict[str, Any], message: str
) -> None:
    settings: TranslationSettings = parse(**options)
    with pytest.raises(DataError, match=message):
        build_translation(WordLists(pairs), settings)


def test_a_regression_is_a_table_by_word() -> None:
    table = AnswerSizes(2.0, {"b": 1.0, "a": -1.0}).make_table()
    assert table.to_pylist() == [
        {"word": "", "weight": 2.0},
        {"word": "a", "weight": -1.0},
        {"word": "b", "weight": 1.0},
    ]
