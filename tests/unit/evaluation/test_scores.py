"""Scoring pairs, and the best matches of a corpus, on an index of a few methods."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.answers import AnswerFeatures, read_answers
from ncsbench.evaluation.judge.best_matches import find_matches, merge_matches
from ncsbench.evaluation.judge.judge_index import JudgeIndex, build_shard
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.evaluation.judge.scores import score_pairs

ANSWERS = {
    3: "Cursor c = db.query(t); while (c.moveToNext()) { names.add(c.getString(0)); } c.close();",
    1: 'Toast.makeText(this, "hello", 1).show();',
    2: "<xml/>",
    7: "int x = 1;",
}
METHODS = [
    "void a() { Toast.makeText(context, text, Toast.LENGTH_LONG).show(); }",
    "void b() { Cursor c = db.query(t); if (c.moveToNext()) { n = c.getString(0); } }",
    "int c() { int total = 1; for (int k : all) { total += k; } return total; }",
    "void broken( {",
    'void d() { Toast.makeText(this, "hello", 1).show(); }',
    'void d() { Toast.makeText(this, "hello", 1).show(); }',
]
ROWS, IDS = (array.ravel() for array in np.meshgrid([3, 1, 2, 7], range(len(METHODS))))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> JudgeIndex:
    """Two methods in the first shard, none in the second, the others in the third."""
    folder = tmp_path_factory.mktemp("index")
    for shard, part in enumerate((slice(2), slice(2, 2), slice(2, None))):
        build_shard(
            iter(METHODS[part]), shard=shard, shards=3, first_id=part.start or 0,
            corpus_hash="x", output=folder,
        )  # fmt: skip
    return JudgeIndex(folder)


@pytest.fixture(scope="module")
def answers() -> AnswerFeatures:
    return read_answers(ANSWERS)


def score(answers: AnswerFeatures, index: JudgeIndex, rows: object, ids: object) -> pa.Table:
    return score_pairs(
        answers=answers,
        index=index,
        query_ids=np.array(rows, np.int32),
        ids=np.array(ids, np.int64),
    )


def test_values(answers: AnswerFeatures, index: JudgeIndex) -> None:
    rows = score(answers, index, ROWS, IDS).to_pylist()
    found = {(row["query_id"], row["id"]): row for row in rows}
    assert all(found[1, 4][similarity] == 1.0 for similarity in SIMILARITIES)
    for row in rows:
        assert all(0.0 <= row[similarity] <= 1.0 for similarity in SIMILARITIES)
        assert row["pruned_jaccard_leaf"] <= row["containment"]
    for row in (1, 2, 3, 7):
        assert all(
            found[row, 3][similarity] == 0.0 for similarity in SIMILARITIES
        )  # a broken method
    for number in range(len(METHODS)):
        assert all(
            found[2, number][similarity] == 0.0 for similarity in SIMILARITIES
        )  # an unread answer


def test_a_pair_given_twice_is_scored_once(answers: AnswerFeatures, index: JudgeIndex) -> None:
    table = score(answers, index, [1, 7, 1], [4, 2, 4])
    assert table.select(["query_id", "id"]).to_pylist() == [
        {"query_id": 1, "id": 4},
        {"query_id": 7, "id": 2},
    ]
    assert score(answers, index, [], []).num_rows == 0


def test_pairs_of_many_methods_score_as_each_pair_alone(
    answers: AnswerFeatures, index: JudgeIndex
) -> None:
    alone = [score(answers, index, [row], [id_]) for row, id_ in zip(ROWS, IDS, strict=True)]
    order = [("query_id", "ascending"), ("id", "ascending")]
    assert score(answers, index, ROWS, IDS).equals(pa.concat_tables(alone).sort_by(order))


def test_a_method_that_is_not_there_is_an_error(answers: AnswerFeatures, index: JudgeIndex) -> None:
    with pytest.raises(DataError, match="method 77 is to be judged but is not in the corpus"):
        score(answers, index, [1], [77])


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.25, 0.6])
@pytest.mark.parametrize("count", [1, 3])
def test_the_best_matches_are_those_of_scoring_all_pairs(
    answers: AnswerFeatures, index: JudgeIndex, threshold: float, count: int
) -> None:
    limits = [(similarity, threshold) for similarity in SIMILARITIES]
    options = {"answers": answers, "limits": limits, "count": count}
    found = find_matches(index=index, **options)
    assert found.schema.equals(MATCH_SCHEMA)
    rows = score(answers, index, ROWS, IDS).to_pylist()
    expected = []
    for similarity in SIMILARITIES:
        for row in (1, 2, 3, 7):
            scored = [(-r[similarity], r["id"]) for r in rows if r["query_id"] == row]
            best = [pair for pair in sorted(scored) if -pair[0] > threshold][:count]
            expected += [
                {
                    "judge": similarity,
                    "query_id": row,
                    "rank": rank,
                    "id": id_,
                    "similarity": -value,
                }
                for rank, (value, id_) in enumerate(best, start=1)
            ]
    assert found.to_pylist() == expected
    opened = [JudgeIndex(index.path, shard) for shard in (2, 0, 1)]
    assert [one.methods for one in opened] == [len(METHODS) - 2, 2, 0]
    parts = [find_matches(index=one, **options) for one in opened]
    assert merge_matches(parts, count).equals(found)


def test_nothing_matches_in_nothing(index: JudgeIndex) -> None:
    none = read_answers({})
    found = find_matches(answers=none, index=index, limits=[("dice", 0.2)], count=2)
    assert merge_matches([found], 2).num_rows == 0
    assert merge_matches([], 2).schema.equals(MATCH_SCHEMA)


def test_a_missing_shard_and_a_foreign_one_are_told(tmp_path: Path) -> None:
    def build(shard: int, corpus_hash: str) -> None:
        build_shard(
            iter(METHODS), shard=shard, shards=2, first_id=0, corpus_hash=corpus_hash,
            output=tmp_path,
        )  # fmt: skip

    build(0, "one")
    with pytest.raises(DataError, match=r"0001/manifest.json: is missing; make it with"):
        JudgeIndex(tmp_path)
    assert JudgeIndex(tmp_path, 0).corpus_hash == "one"  # a shard is searched without the others
    build(1, "other")
    with pytest.raises(DataError, match="was made from another corpus"):
        JudgeIndex(tmp_path)
