"""Pairs of the judge study: published examples and methods by chance."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.judge_study.study_pairs import (
    LENGTH_CLASSES,
    STUDY_PAIR_SCHEMA,
    STUDY_RUNS,
    draw_study_pairs,
    find_examples,
)

LINES = np.array([1, 2, 4, 5, 12, 40, 150, 150, 9, 3, 200, 8], np.int32)
SIZES = np.array([0, 5, 40, 0, 100, 400, 900, 950, 80, 30, 1500, 90], np.int32)


def method(id_: int, path: str, start: int, end: int) -> dict[str, object]:
    return {
        "id": id_, "repository": "a/b", "path": path, "start_line": start, "end_line": end,
    }  # fmt: skip


def draw(**changes: object) -> pa.Table:
    options = {
        "answer_sizes": {7: 100, 2: 0, 5: 40}, "lines": LINES, "sizes": SIZES,
        "depth": 3, "count": 2, "seed": 1,
    } | changes  # fmt: skip
    return draw_study_pairs(**options)  # type: ignore[arg-type]


def ids_of(table: pa.Table, subject: str, row: int) -> list[int]:
    return [r["id"] for r in table.to_pylist() if (r["subject"], r["query_id"]) == (subject, row)]


def test_examples_are_found_by_repository_path_and_lines_dev_39() -> None:
    tables = [
        pa.Table.from_pylist([method(0, "x y/C.java", 10, 12), method(1, "x y/C.java", 14, 20)]),
        pa.Table.from_pylist([method(2, "D.java", 3, 3), method(3, "D.java", 3, 3)]),
    ]
    links = {
        4: [
            "https://github.com/a/b/blob/0f0f/x%20y/C.java#L14-L20",
            "https://github.com/a/b/blob/another/x%20y/C.java#L10-L13",
            "https://github.com/a/b/blob/0f0f/D.java#L3",
        ],
        2: ["https://github.com/a/b/blob/0f0f/x%20y/C.java#L14-L20", "https://example.invalid/"],
        3: [],
    }
    found = find_examples(links, tables)
    assert found.schema.equals(STUDY_PAIR_SCHEMA)
    assert [(r["query_id"], r["rank"], r["id"]) for r in found.to_pylist()] == [
        (2, 1, 1), (4, 1, 1), (4, 3, 2),
    ]  # fmt: skip
    assert find_examples({}, tables).num_rows == 0


def test_random_pairs_have_the_lengths_of_their_class() -> None:
    table = draw(count=100)
    for subject, (first, last) in LENGTH_CLASSES.items():
        expected = np.flatnonzero((first <= LINES) & (last >= LINES)).tolist()
        for row in (2, 5, 7):
            assert sorted(ids_of(table, subject, row)) == expected
    assert sorted(ids_of(table, "pairs_any", 2)) == list(range(len(LINES)))
    assert max(r["rank"] for r in draw().to_pylist() if r["subject"] in LENGTH_CLASSES) == 2


def test_controls_pay_for_length_and_for_shortness() -> None:
    table = draw()
    assert all(ids_of(table, "same_longest", row) == [10, 6, 7] for row in (2, 5, 7))
    assert set(ids_of(table, "random_short", 5)) < {2, 8, 9, 11}
    assert sorted(ids_of(table, "same_size", 7)) == [4, 8, 11]  # 80 to 125 features
    assert sorted(ids_of(table, "larger", 5)) == [4, 8, 11]  # 80 to 120 features
    assert ids_of(table, "same_size", 2) == ids_of(table, "larger", 2) == []


def test_a_question_is_drawn_for_by_itself_and_the_same_each_time() -> None:
    table = draw()
    assert table.equals(draw())
    alone = draw(answer_sizes={7: 100})
    for subject in (*LENGTH_CLASSES, *STUDY_RUNS):
        assert ids_of(alone, subject, 7) == ids_of(table, subject, 7)
    assert not table.equals(draw(seed=2))


@pytest.mark.parametrize(
    "changes", [{"answer_sizes": {}}, {"lines": LINES[:0], "sizes": SIZES[:0]}]
)
def test_nothing_is_drawn_from_nothing(changes: dict[str, object]) -> None:
    assert draw(**changes).num_rows == 0
