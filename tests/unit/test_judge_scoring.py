"""Scoring of pairs and the ceiling of a corpus."""

from __future__ import annotations

import pytest

from ncsbench.errors import DataError
from ncsbench.judge.scoring import accepted_by_any, score_pairs
from ncsbench.records import JUDGEMENT_SCHEMA, MEASURES

ANSWERS = {
    3: "Cursor c = db.query(t); while (c.moveToNext()) { names.add(c.getString(0)); } c.close();",
    1: 'Toast.makeText(this, "hello", 1).show();',
    2: "<xml/>",
    7: "int x = 1;",
}
METHODS = [
    (0, "void a() { Toast.makeText(context, text, Toast.LENGTH_LONG).show(); }"),
    (1, "void b() { Cursor c = db.query(t); if (c.moveToNext()) { n = c.getString(0); } }"),
    (2, "int c() { int total = 1; for (int k : all) { total += k; } return total; }"),
    (3, "void broken( {"),
    (4, 'void d() { Toast.makeText(this, "hello", 1).show(); }'),
]
ALL_PAIRS = {number: [3, 1, 2, 7] for number, _ in METHODS}


def test_rows_are_sorted_and_complete() -> None:
    table = score_pairs(answers=ANSWERS, methods=METHODS, pairs=ALL_PAIRS)
    assert table.schema.equals(JUDGEMENT_SCHEMA)
    keys = list(zip(table["row"].to_pylist(), table["id"].to_pylist(), strict=True))
    assert keys == [(row, number) for row in (1, 2, 3, 7) for number in range(5)]


def test_values() -> None:
    rows = score_pairs(answers=ANSWERS, methods=METHODS, pairs=ALL_PAIRS).to_pylist()
    found = {(row["row"], row["id"]): row for row in rows}
    assert all(found[1, 4][measure] == 1.0 for measure in MEASURES)
    for row in rows:
        assert all(0.0 <= row[measure] <= 1.0 for measure in MEASURES)
        assert row["pruned_jaccard_leaf"] <= row["containment"]
    for row in (1, 2, 3, 7):
        assert all(found[row, 3][measure] == 0.0 for measure in MEASURES)  # a broken method
    for number in range(5):
        assert all(found[2, number][measure] == 0.0 for measure in MEASURES)  # an unread answer


def test_only_the_wanted_pairs_are_scored_once() -> None:
    table = score_pairs(answers=ANSWERS, methods=METHODS, pairs={4: [1, 1], 0: [], 2: [7]})
    assert table.select(["row", "id"]).to_pylist() == [{"row": 1, "id": 4}, {"row": 7, "id": 2}]
    assert score_pairs(answers=ANSWERS, methods=METHODS, pairs={}).num_rows == 0


@pytest.mark.parametrize(
    ("pairs", "message"), [({0: [9]}, "question row 9"), ({77: [1]}, "method 77")]
)
def test_a_pair_of_what_is_not_there_is_an_error(pairs: dict[int, list[int]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        score_pairs(answers=ANSWERS, methods=METHODS, pairs=pairs)


@pytest.mark.parametrize("threshold", [0.1, 0.25, 0.6])
def test_the_ceiling_is_what_scoring_all_pairs_gives(threshold: float) -> None:
    rows = score_pairs(answers=ANSWERS, methods=METHODS, pairs=ALL_PAIRS).to_pylist()
    limits = [(measure, limit) for measure in MEASURES for limit in (threshold, 0.3)]
    accepted = accepted_by_any(answers=ANSWERS, methods=METHODS, limits=limits)
    assert accepted == {
        (measure, limit): sorted({row["row"] for row in rows if row[measure] > limit})
        for measure, limit in limits
    }


def test_the_corpus_is_read_no_further_than_needed() -> None:
    def endless():
        number = 0
        while True:
            yield number, METHODS[4][1]
            number += 1

    accepted = accepted_by_any(answers={1: ANSWERS[1]}, methods=endless(), limits=[("dice", 0.25)])
    assert accepted == {("dice", 0.25): [1]}


def test_the_number_of_workers_changes_nothing() -> None:
    many = [(number, METHODS[number % 5][1]) for number in range(600)]
    pairs = {number: [1, 3] for number, _ in many}
    alone = score_pairs(answers=ANSWERS, methods=many, pairs=pairs)
    assert score_pairs(answers=ANSWERS, methods=many, pairs=pairs, workers=2).equals(alone)
    options = {"answers": ANSWERS, "limits": [(measure, 0.25) for measure in MEASURES]}
    assert accepted_by_any(methods=many, workers=2, **options) == accepted_by_any(
        methods=many, **options
    )
