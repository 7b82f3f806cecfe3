"""First ranks of rankings with their judgements, and those of a perfect ranking."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA, MATCH_SCHEMA
from ncsbench.evaluation.measures.judged_rankings import (
    JudgedRanking,
    join_judgements,
    rank_ceiling,
)
from ncsbench.evaluation.measures.results import Judge

Pairs = list[tuple[int, int]]
PATH = Path("judgements.parquet")
RANKED: Pairs = [(1, 7), (1, 3), (1, 5), (2, 3), (2, 7), (4, 2**40)]


def rows(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int32)


def judge_pairs(pairs: Pairs, dice: list[float]) -> pa.Table:
    """Judgements by ascending query id and method, as they are written."""
    table = sorted(zip(pairs, dice, strict=True))
    columns = {"query_id": [row for (row, _), _ in table], "id": [id_ for (_, id_), _ in table]}
    columns |= {similarity: [0.0] * len(table) for similarity in SIMILARITIES}
    return pa.table({**columns, "dice": [value for _, value in table]}, JUDGEMENT_SCHEMA)


def join(
    ranked: Pairs, accepted: Pairs, asked: np.ndarray, depth: int, similarity: float = 0.5
) -> JudgedRanking:
    asked_rows = np.array([row for row, _ in ranked], np.int32)
    ranks = np.array([sum(r == row for r, _ in ranked[:n]) for n, (row, _) in enumerate(ranked)])
    counted = ranks < depth
    part = (asked_rows, ranks.astype(np.int32) + 1, np.array([i for _, i in ranked], np.int64))
    judged = judge_pairs(ranked, [similarity if pair in accepted else 0.25 for pair in ranked])
    return join_judgements("m", tuple(a[counted] for a in part), judged, asked, depth, PATH)


def first_ranks(
    accepted: Pairs, asked: np.ndarray, depth: int = 50, ranked: Pairs = RANKED
) -> list[int]:
    found = join(ranked, accepted, asked, depth).first_ranks("dice", 0.25)
    assert found.dtype == np.int32
    return found.tolist()


def test_first_accepted_rank_counts() -> None:
    accepted = [(1, 5), (1, 3), (2, 7), (4, 2**40), (2, 99), (3, 7)]
    assert first_ranks(accepted, rows(1, 2, 3, 4)) == [2, 2, 0, 1]


def test_questions_asked_for_decide_order_and_length() -> None:
    assert first_ranks([(1, 7), (2, 7)], rows(9, 2, 1)) == [0, 2, 1]


def test_nothing_retrieved_accepted_or_asked() -> None:
    assert first_ranks([(1, 7)], rows(1), ranked=[]) == [0]
    assert first_ranks([], rows(1)) == [0]
    assert first_ranks([(1, 7)], rows()) == []


def test_accepted_is_strictly_above_and_by_its_own_judge() -> None:
    ranking = join(RANKED, [(1, 3)], rows(1, 2), 50, similarity=0.2500001)
    assert ranking.first_ranks("dice", 0.25).tolist() == [2, 0]
    assert ranking.first_ranks("dice", 0.2500001).tolist() == [0, 0]
    assert ranking.first_ranks("jaccard", 0.0).tolist() == [0, 0]
    assert ranking.accepted("dice", 0.25).sum() == 1


def test_what_is_retrieved_must_be_judged() -> None:
    ranked = (rows(1), rows(1), np.array([8]))
    with pytest.raises(DataError, match="method 8 of question 1 is not judged; judge again"):
        join_judgements("m", ranked, judge_pairs([(1, 7)], [0.5]), rows(1), 50, PATH)


def test_against_a_plain_loop() -> None:
    generator = np.random.default_rng(3)
    ranked = [(row, id_) for row in range(1, 41) for id_ in generator.permutation(60)[:20].tolist()]
    chosen = {(int(generator.integers(1, 41)), int(generator.integers(60))) for _ in range(80)}
    expected = []
    for row in range(1, 41):
        ranking = [id_ for asked, id_ in ranked if asked == row]
        hits = [rank for rank, id_ in enumerate(ranking, start=1) if (row, id_) in chosen]
        expected.append(hits[0] if hits and hits[0] <= 15 else 0)
    asked = np.arange(1, 41, dtype=np.int32)
    assert first_ranks([*chosen], asked, 15, ranked) == expected
    assert 0 in expected
    assert max(expected) > 1


def test_the_ceiling_answers_what_any_method_of_the_corpus_does() -> None:
    matches = pa.table(
        [["dice", "dice", "jaccard"], [4, 2, 1], [1, 1, 1], [1, 9, 3], [0.3, 0.25, 0.9]],
        schema=MATCH_SCHEMA,
    )
    asked = rows(1, 2, 3, 4)
    assert rank_ceiling(matches, Judge("dice", 0.25), asked).tolist() == [0, 0, 0, 1]
    assert rank_ceiling(matches, Judge("dice", 0.2), asked).tolist() == [0, 1, 0, 1]
    assert rank_ceiling(matches, Judge("jaccard", 0.2), rows(2)).tolist() == [0]
