"""What is among the candidates of a ranker, and what their order has to do with length.

Three orders of the same candidates are looked at: that of the trees, that of the sum of reciprocal
ranks, and longest first, which a ranker that has learnt nothing but the judge's taste for length
comes near. Near copies of earlier results, which a search leaves out, are among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from ncsbench.aroma.similarity_names import Similarity
from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.evaluation.rank_correlation import correlate_ranks
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.learning_to_rank.candidate_options import CandidateStudySettings
from ncsbench.learning_to_rank.feature_schema import (
    KEYS,
    feature_schema,
    iterate_features,
    read_groups,
)
from ncsbench.learning_to_rank.gains import find_judgements
from ncsbench.learning_to_rank.trees import load_trees

CUTS = (100, 200, 400)
"""How many candidates of a question are looked at for a right one."""
STUDY_COLUMNS = (
    *("order", "judge", "threshold", "questions", "candidates", "right"),
    *(f"recall_{cut}" for cut in CUTS),
    *("recall", "mrr", "lines_first", "length_correlation", "concordance", "concordance_same_size"),
)
"""Columns of ``candidates_<model>.csv``, in order."""
_FUSION = "fusion"

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Question:
    """The candidates of a question, ascending by id.

    Attributes:
        lines: of each method, int32, shape (candidates,).
        scores: by order, float64, shape (candidates,); high is first, ties by ascending id.
        right: whether each judge accepts them, by judge.
    """

    lines: NDArray[np.int32]
    scores: Mapping[str, Floats]
    right: Mapping[str, Mask]


def write_candidate_study(
    settings: CandidateStudySettings,
    *,
    features: Path,
    judgements: Path,
    corpus: Path,
    trees: Path | None,
    output: Path,
) -> None:
    """Write a row of ``STUDY_COLUMNS`` for each order and judge.

    Args:
        settings: the judges, and how deep a reciprocal rank counts.
        features: candidates with their features, of ``rankers features``.
        judgements: what ``judge score`` says of them.
        corpus: folder of the corpus.
        trees: folder of trees; None for the other orders alone.
        output: the table to write.

    Raises:
        DataError: where there is no candidate, one was not judged, or files do not fit.
    """
    judges = {
        name: (similarity, threshold)
        for name, similarity, threshold in (
            ("default", settings.judge, settings.threshold),
            ("strict", settings.strict_judge, settings.strict_threshold),
            ("own", settings.own_judge, settings.own_threshold),
        )
    }
    questions = list(_read(judges, features, judgements, corpus, trees))
    if not questions:
        raise DataError(f"{features}: has no candidate")
    rows = []
    for order in questions[0].scores:
        for judge, (_, threshold) in judges.items():
            figures = _describe(questions, order, judge, settings.depth)
            head = {"order": order, "judge": judge, "threshold": f"{threshold:g}"}
            rows.append(head | figures)
    write_rows(output, STUDY_COLUMNS, rows)


def _read(
    judges: Mapping[str, tuple[Similarity, float]],
    features: Path,
    judgements: Path,
    corpus: Path,
    trees: Path | None,
) -> Iterator[_Question]:
    groups = read_groups(features)
    if _FUSION not in groups:
        raise DataError(f"{features}: has no feature {_FUSION!r}; make the features again")
    keys = read_table(features, feature_schema(groups), list(KEYS))
    query_ids, methods = keys["query_id"].to_numpy(), keys["method"].to_numpy()
    judged = read_table(judgements, JUDGEMENT_SCHEMA)
    rows = find_judgements(query_ids, methods, judged)
    right = {
        name: judged[similarity].to_numpy()[rows] > threshold
        for name, (similarity, threshold) in judges.items()
    }
    lines = CorpusFolder(corpus).read_lines()[methods]
    fusion = list(groups).index(_FUSION)
    model = None if trees is None else load_trees(trees, list(groups))
    blocks = [
        (block[:, fusion].astype(np.float64), None if model is None else model.predict(block))
        for block in iterate_features(features, groups)
    ]
    scores: dict[str, Floats] = {}
    if model is not None:
        scores["trees"] = np.concatenate([found for _, found in blocks if found is not None])
    scores[_FUSION] = np.concatenate([found for found, _ in blocks] or [np.zeros(0)])
    scores["longest_first"] = lines.astype(np.float64)
    starts = np.flatnonzero(np.diff(query_ids, prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(query_ids)]):
        part = slice(start, end)
        yield _Question(
            lines[part],
            {name: values[part] for name, values in scores.items()},
            {name: values[part] for name, values in right.items()},
        )


def _describe(questions: Sequence[_Question], order: str, judge: str, depth: int) -> Row:
    firsts: list[float] = []
    lines_first: list[int] = []
    alike: list[float | None] = []
    before: list[float | None] = []
    before_same: list[float | None] = []
    for one in questions:
        scores, right = one.scores[order], one.right[judge]
        places = np.lexsort((np.arange(len(scores)), -scores))
        firsts.append(float(np.argmax(right[places])) + 1 if right.any() else np.inf)
        lines_first.append(int(one.lines[places[0]]))
        alike.append(correlate_ranks(rankdata(scores), rankdata(one.lines)))
        before.append(find_concordance(scores, right, np.zeros(len(right), np.int64)))
        before_same.append(find_concordance(scores, right, np.log2(one.lines).astype(np.int64)))
    ranks = np.array(firsts)
    return {
        "questions": str(len(questions)),
        "candidates": format_number(float(np.mean([len(one.lines) for one in questions])), 1),
        "right": format_number(float(np.mean([one.right[judge].sum() for one in questions])), 2),
        **{f"recall_{cut}": format_number(float((ranks <= cut).mean()), 4) for cut in CUTS},
        "recall": format_number(float(np.isfinite(ranks).mean()), 4),
        "mrr": format_number(float(np.where(ranks <= depth, 1 / ranks, 0).mean()), 4),
        "lines_first": format_number(float(np.median(lines_first)), 1),
        "length_correlation": _mean(alike),
        "concordance": _mean(before),
        "concordance_same_size": _mean(before_same),
    }


def find_concordance(scores: Floats, right: Mask, classes: NDArray[np.int64]) -> float | None:
    """How often a right candidate stands before a wrong one of its class, ties half.

    Args:
        scores: of candidates, shape (candidates,).
        right: whether each is right, shape (candidates,).
        classes: of each, shape (candidates,).

    Returns:
        The share of such pairs; None where there is none. One half is chance.
    """
    won = pairs = 0.0
    for own in np.unique(classes[right]):
        some = classes == own
        good = right[some]
        hits, misses = int(good.sum()), int((~good).sum())
        won += float(rankdata(scores[some])[good].sum()) - hits * (hits + 1) / 2
        pairs += hits * misses
    return won / pairs if pairs else None


def _mean(values: Sequence[float | None]) -> str:
    """The mean of those that are there; empty where none is."""
    known = [value for value in values if value is not None]
    return format_number(float(np.mean(known)), 4) if known else ""
