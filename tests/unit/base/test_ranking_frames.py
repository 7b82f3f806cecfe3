"""Frames that others made: figures are right, or one line says what is wrong."""

import math
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ncsbench

QUESTIONS = pd.DataFrame({"query_id": [1, 2, 3]})
NAMES = {"query_id": ["query_id", "qid"], "method_id": ["method_id", "docno", "doc_id"]}
ODD = st.sampled_from([None, math.nan, math.inf, -1, 1.5, "x", "", "-1", True, 10**30, [1], pd.NA])


def evaluate(frame: pd.DataFrame, questions: pd.DataFrame = QUESTIONS) -> float:
    return ncsbench.evaluate_rankings(frame, questions, judge="hit", resamples=2)["mrr"]


def rank_plainly(rows: list[dict[str, Any]], ranked: bool) -> float:
    """MRR by nothing but Python."""
    total = 0.0
    for question in (1, 2, 3):
        own = [row for row in rows if int(row["query_id"]) == question]
        own.sort(key=lambda row: row["rank"] if ranked else (-row["score"], int(row["method_id"])))
        hits = [place for place, row in enumerate(own[:50], 1) if row["hit"] > 0.25]
        total += 1 / hits[0] if hits else 0.0
    return total / 3


@st.composite
def frames(draw: st.DrawFn) -> tuple[pd.DataFrame, float]:
    """A right frame in any of its forms, and its MRR."""
    first, ranked = draw(st.sampled_from([0, 1])), draw(st.booleans())
    rows = []
    for question in draw(st.lists(st.sampled_from([1, 2, 3]), unique=True)):
        ids = draw(st.lists(st.integers(0, 60), unique=True, max_size=8))
        scores = sorted(draw(st.lists(st.integers(-2, 2), min_size=8, max_size=8)), reverse=True)
        for place, (id_, score) in enumerate(zip(ids, scores, strict=False)):
            hit = draw(st.sampled_from([0.0, 0.25, 0.5]))
            made = {"query_id": question, "method_id": id_, "rank": place + first}
            rows.append(made | {"score": float(score), "hit": hit})
    rows = draw(st.permutations(rows))
    frame = pd.DataFrame(rows, columns=["query_id", "method_id", "rank", "score", "hit"])
    if not ranked:
        frame = frame.drop(columns="rank")
    elif draw(st.booleans()):
        frame = frame.drop(columns="score")
    for name in ("query_id", "method_id"):
        frame[name] = frame[name].astype(draw(st.sampled_from([int, float, str, object])))
    names = {name: draw(st.sampled_from(others)) for name, others in NAMES.items()}
    return frame.rename(columns=names), rank_plainly(rows, ranked)


@settings(max_examples=30, deadline=None)
@given(frames())
def test_right_frames_in_any_form_give_the_right_figure(made: tuple[pd.DataFrame, float]) -> None:
    assert evaluate(made[0]) == pytest.approx(made[1])


@settings(max_examples=40, deadline=None)
@given(frames(), st.data())
def test_damaged_frames_end_in_one_line(
    made: tuple[pd.DataFrame, float], data: st.DataObject
) -> None:
    frame, _ = made
    column = data.draw(st.sampled_from(list(frame)))
    damage = data.draw(st.sampled_from(["cell", "column", "twice", "again", "one value", "shift"]))
    if damage == "column":
        broken = frame.drop(columns=column)
        if column in ("rank", "score") and {"rank", "score"} <= {*frame}:
            return
    elif damage == "twice":
        broken = pd.concat([frame, frame[[column]]], axis=1)
        if column in ("rank", "score") and not len(frame):
            return
    elif len(frame) < 2:
        return
    elif damage == "again":
        broken = pd.concat([frame, frame.iloc[[0]]])
    elif damage == "shift" and "rank" in frame:
        broken = frame.assign(rank=frame["rank"] + 2)
    else:
        name = data.draw(st.sampled_from(list(frame)))
        values = frame[name].astype(object).tolist()
        values[data.draw(st.integers(0, len(values) - 1))] = data.draw(ODD)
        broken = frame.assign(**{name: pd.Series(values, dtype=object)})
    try:
        evaluate(broken)
    except ncsbench.NcsbenchError as error:
        assert "\n" not in str(error)
    else:
        # True is a number of a column of hits or scores.
        assert damage not in ("column", "twice", "again")


RANKED = pd.DataFrame(
    {"query_id": [1, 1, 2], "method_id": [7, 5, 7], "rank": [1, 2, 1], "hit": [0.0, 1.0, 1.0]}
)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (RANKED.assign(rank=1), "column 'rank', row 1: 1 is given where 2 is expected"),
        (RANKED.assign(rank=[0, 1, 1]), "column 'rank', row 2: 1 is given where 0 is expected"),
        (RANKED.assign(rank=[-1, 0, 0]), "column 'rank', row 0: -1 is no whole number"),
        (RANKED.assign(method_id=7), "column 'method_id', row 1: method 7 is in a row before"),
        (
            RANKED.assign(query_id=[0, 0, 1]),
            "column 'query_id', row 0: 0 is not one of the questions",
        ),
        (RANKED.assign(hit=[0, None, 1]), "column 'hit', row 1: nan is no finite number"),
        (RANKED.assign(score=[1.0, 2.0, 3.0]), "column 'score', row 1: is above that of the rank"),
        (RANKED.assign(qid=1), "several columns 'query_id' or 'qid'"),
        (RANKED.drop(columns="rank"), "no column 'score'"),
        ([1], "a pandas frame with a column 'query_id' is needed, not a list"),
    ],
)
def test_a_refused_frame_says_column_row_and_remedy(frame: Any, message: str) -> None:
    with pytest.raises(ncsbench.NcsbenchError) as caught:
        evaluate(frame)
    assert message in str(caught.value)


def test_ranks_from_0_count_as_those_from_1() -> None:
    assert evaluate(RANKED) == evaluate(RANKED.assign(rank=RANKED["rank"] - 1)) == 0.5


def test_questions_are_there_once() -> None:
    for questions in (QUESTIONS.assign(query_id=1), QUESTIONS[:0], QUESTIONS.assign(query_id="a")):
        with pytest.raises(ncsbench.NcsbenchError, match=r"column 'query_id', row|is empty"):
            evaluate(RANKED, questions)
