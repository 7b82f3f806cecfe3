from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.first_ranks import (
    AcceptedPairs,
    ceiling_ranks,
    first_ranks,
    read_accepted,
)
from ncsbench.records import JUDGEMENT_SCHEMA, MEASURES, Run
from ncsbench.storage import write_table


def pairs(*accepted: tuple[int, int]) -> AcceptedPairs:
    array = np.array(accepted, dtype=np.int64).reshape(-1, 2)
    return AcceptedPairs(rows=array[:, 0].astype(np.int32), ids=array[:, 1])


def rows(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int32)


RUN = Run(
    rows=rows(1, 1, 1, 2, 2, 4),
    ids=np.array([7, 3, 5, 3, 7, 2**60], dtype=np.int64),
    scores=np.array([3.0, 2.0, 1.0, 2.0, 1.0, 1.0]),
)


def test_first_accepted_rank_counts() -> None:
    accepted = pairs((1, 5), (1, 3), (2, 7), (4, 2**60), (2, 99), (3, 7))
    assert first_ranks(RUN, accepted, rows(1, 2, 3, 4), 50).tolist() == [2, 2, 0, 1]


def test_a_pair_of_another_question_does_not_count() -> None:
    assert first_ranks(RUN, pairs((2, 5), (1, 2**60)), rows(1, 2, 4), 50).tolist() == [0, 0, 0]


def test_depth_cuts() -> None:
    assert first_ranks(RUN, pairs((1, 5)), rows(1), 3).tolist() == [3]
    assert first_ranks(RUN, pairs((1, 5)), rows(1), 2).tolist() == [0]


def test_questions_asked_for_decide_order_and_length() -> None:
    found = first_ranks(RUN, pairs((1, 7), (2, 7)), rows(9, 2, 1), 50)
    assert found.tolist() == [0, 2, 1]
    assert found.dtype == np.int32


def test_nothing_retrieved_accepted_or_asked() -> None:
    empty = Run(rows=rows(), ids=np.zeros(0, dtype=np.int64), scores=np.zeros(0))
    assert first_ranks(empty, pairs((1, 7)), rows(1), 50).tolist() == [0]
    assert first_ranks(RUN, pairs(), rows(1), 50).tolist() == [0]
    assert first_ranks(RUN, pairs((1, 7)), rows(), 50).tolist() == []


def test_against_a_plain_loop() -> None:
    generator = np.random.default_rng(3)
    run_rows = np.repeat(np.arange(1, 41, dtype=np.int32), 20)
    ids = np.concatenate([generator.permutation(60)[:20] for _ in range(40)]).astype(np.int64)
    run = Run(rows=run_rows, ids=ids, scores=np.tile(np.arange(20, 0, -1.0), 40))
    chosen = {(int(generator.integers(1, 41)), int(generator.integers(60))) for _ in range(80)}
    expected = []
    for row in range(1, 41):
        ranking = ids[run_rows == row].tolist()
        hits = [rank for rank, id_ in enumerate(ranking, start=1) if (row, id_) in chosen]
        expected.append(hits[0] if hits and hits[0] <= 15 else 0)
    found = first_ranks(run, pairs(*chosen), np.arange(1, 41, dtype=np.int32), 15)
    assert found.tolist() == expected
    assert 0 in expected
    assert max(expected) > 1


def test_ceiling() -> None:
    assert ceiling_ranks(pairs((4, 1), (2, 9), (2, 8)), rows(1, 2, 3, 4)).tolist() == [0, 1, 0, 1]
    assert ceiling_ranks(pairs(), rows(1, 2)).tolist() == [0, 0]


@pytest.fixture
def judgements(tmp_path: Path) -> Path:
    similarities = {measure: [0.0, 0.0, 0.0] for measure in MEASURES}
    similarities["dice"] = [0.25, 0.2500001, 0.9]
    columns = {"row": [1, 1, 2], "id": [4, 5, 4], **similarities}
    path = tmp_path / "judgements.parquet"
    write_table(path, pa.table(columns), JUDGEMENT_SCHEMA)
    return path


def test_accepted_is_strictly_above(judgements: Path) -> None:
    accepted = read_accepted(judgements, measure="dice", threshold=0.25)
    assert list(zip(accepted.rows.tolist(), accepted.ids.tolist(), strict=True)) == [(1, 5), (2, 4)]
    assert accepted.rows.dtype == np.int32
    assert accepted.ids.dtype == np.int64
    assert len(read_accepted(judgements, measure="jaccard", threshold=0.0).rows) == 0


def test_mistakes_end_in_one_line(judgements: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="measure 'cosine' is unknown; choose"):
        read_accepted(judgements, measure="cosine", threshold=0.25)
    with pytest.raises(DataError, match="cannot be read"):
        read_accepted(tmp_path / "missing.parquet", measure="dice", threshold=0.25)
