"""How far a judge agrees with people: on methods by the AUC, on systems by Kendall's tau."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.graded_rankings import RELEVANT
from ncsbench.evaluation.judged_rankings import JudgedRanking


def area_under_curve(
    similarities: NDArray[np.float64], relevant: NDArray[np.bool_]
) -> float | None:
    """How often a relevant method has a higher similarity than one that is not; ties count half.

    The area under the ROC curve, which is the statistic of Mann and Whitney (1947) as a share
    (Hanley and McNeil, Radiology 143, 1982).

    Args:
        similarities: shape (pairs,).
        relevant: shape (pairs,).

    Returns:
        From 0 to 1; None where all pairs are relevant, or none is.
    """
    right = int(relevant.sum())
    wrong = len(relevant) - right
    if not right or not wrong:
        return None
    ranks = rankdata(similarities)
    return float((ranks[relevant].sum() - right * (right + 1) / 2) / (right * wrong))


def measure_similarities(
    rankings: Sequence[JudgedRanking],
    query_ids: Sequence[int],
    grades: Mapping[int, Mapping[int, float]],
) -> tuple[int, dict[str, float | None]]:
    """The AUC of every similarity over all pairs that people graded and some row retrieved.

    Args:
        rankings: rows with their similarities; their first axis is that of ``query_ids``.
        query_ids: of the questions.
        grades: mean grades by query id and method id; relevant from ``RELEVANT`` on.

    Returns:
        The number of pairs, and the AUC by similarity.
    """
    pairs: dict[tuple[int, int], tuple[float, NDArray[np.float64]]] = {}
    for ranking in rankings:
        for row, query_id in enumerate(query_ids):
            known = grades.get(query_id, {})
            for rank, id_ in enumerate(ranking.ids[row].tolist()):
                if id_ in known:
                    pairs[query_id, id_] = (known[id_], ranking.similarities[:, row, rank])
    if not pairs:
        return 0, dict.fromkeys(SIMILARITIES)
    found = [pairs[pair] for pair in sorted(pairs)]
    relevant = np.array([grade >= RELEVANT for grade, _ in found], np.bool_)
    values = np.stack([similarities for _, similarities in found])
    return len(found), {
        name: area_under_curve(values[:, column], relevant)
        for column, name in enumerate(SIMILARITIES)
    }
