"""Exact search for the methods of a corpus that are most similar to an answer.

The overlap alone gives an upper bound of each similarity. Candidates are pruned and scored in
descending order of this upper bound, until no other candidate can be among the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from ncsbench.code.aroma.features import FeatureSet
from ncsbench.code.aroma.similarity import UNPRUNED, score_bodies, similarity_of_sizes
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge.answers import AnswerFeatures
from ncsbench.evaluation.judge.judge_index import FIRST_UNSTRUCTURAL, IndexBlock, JudgeIndex
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA


def find_matches(
    *,
    answers: AnswerFeatures,
    index: JudgeIndex,
    limits: Sequence[tuple[str, float]],
    count: int,
) -> pa.Table:
    """Find the methods that are most similar to each answer, under each of several similarities.

    Args:
        answers: features of the answers.
        index: index of the corpus, or of one of its shards.
        limits: similarities of ``SIMILARITIES``, each with the value that must be exceeded.
        count: largest number of methods per answer and similarity.

    Returns:
        A table of ``MATCH_SCHEMA``: methods above the limit by (similarity, query_id, rank),
        equally similar methods by ascending id.
    """
    parts = [MATCH_SCHEMA.empty_table()]
    for similarity, threshold in limits:
        best_ids = np.full((len(answers), count), -1, np.int64)
        best_scores = np.zeros((len(answers), count), np.float64)
        for block in index.blocks():
            for place in range(len(answers)):
                _search_block(
                    block,
                    answers[place],
                    similarity,
                    threshold,
                    best_ids[place],
                    best_scores[place],
                )
        parts.append(_as_table(similarity, answers.query_ids, best_ids, best_scores))
    return pa.concat_tables(parts)


def merge_matches(tables: list[pa.Table], count: int) -> pa.Table:
    """Merge the matches of all shards: the best ``count`` of every answer and similarity."""
    table = pa.concat_tables([MATCH_SCHEMA.empty_table(), *tables])
    similarities = np.array(
        [SIMILARITIES.index(name) for name in table["judge"].to_pylist()], np.int64
    )
    query_ids, ids, scores = (table[name].to_numpy() for name in ("query_id", "id", "similarity"))
    order = np.lexsort((ids, -scores, query_ids, similarities))
    keys = similarities[order] * (1 << 32) + query_ids[order]
    firsts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    ranks = np.arange(len(keys)) - np.repeat(firsts, np.diff(np.append(firsts, len(keys)))) + 1
    kept = order[ranks <= count]
    merged = table.take(kept)
    position = merged.schema.get_field_index("rank")
    ranked = pa.array(ranks[ranks <= count].astype(np.int32))
    return merged.set_column(position, MATCH_SCHEMA.field("rank"), ranked).cast(MATCH_SCHEMA)


def _as_table(
    similarity: str,
    query_ids: NDArray[np.int32],
    ids: NDArray[np.int64],
    scores: NDArray[np.float64],
) -> pa.Table:
    places, ranks = np.nonzero(ids >= 0)
    columns = [
        pa.array([similarity] * len(places), pa.string()),
        query_ids[places],
        (ranks + 1).astype(np.int32),
        ids[places, ranks],
        scores[places, ranks],
    ]
    return pa.table(columns, schema=MATCH_SCHEMA)


def _search_block(
    block: IndexBlock,
    answer: FeatureSet,
    similarity: str,
    threshold: float,
    best_ids: NDArray[np.int64],
    best_scores: NDArray[np.float64],
) -> None:
    """Add the methods of a block to the best methods so far."""
    overlap = block.overlap(answer)
    best = (best_ids, best_scores)
    if similarity in UNPRUNED:
        _search_unpruned(
            UNPRUNED.index(similarity), overlap, block.sizes, block.distinct,
            answer.size, len(answer.ids), threshold, block.first_id, best,
        )  # fmt: skip
        return
    bounds = overlap.common
    if similarity != "pruned_jaccard_leaf":
        # Pruning may create new neighbours and uses, so only tokens and parents are bounded.
        others = answer.counts[answer.ids >= FIRST_UNSTRUCTURAL].sum(dtype=np.int32)
        bounds = np.where(overlap.common > 0, overlap.structural + others, 0).astype(np.int32)
    _search_pruned(
        block.forest, block.distinct, answer.ids, answer.counts, bounds,
        SIMILARITIES.index(similarity), threshold, block.first_id, best,
    )  # fmt: skip


@njit(cache=True)
def _search_unpruned(
    similarity: Any, overlap: Any, sizes: Any, distinct: Any,
    answer: Any, answer_distinct: Any, threshold: Any, first_id: Any, best: Any,
) -> None:  # fmt: skip
    for method in range(len(sizes)):
        if overlap.common[method]:
            score = similarity_of_sizes(
                similarity, overlap.common[method], answer, sizes[method],
                overlap.distinct[method], answer_distinct, distinct[method],
            )  # fmt: skip
            if score > threshold:
                _insert(best, first_id + method, score)


@njit(cache=True)
def _search_pruned(
    forest: Any, distinct: Any, answer_ids: Any, answer_counts: Any, bounds: Any,
    similarity: Any, threshold: Any, first_id: Any, best: Any,
) -> None:  # fmt: skip
    """Search by descending upper bound of the common features; see the module's docstring."""
    size = answer_counts.sum()
    methods, starts = _sort_by_bound(bounds)
    best_ids, best_scores = best
    whole = np.array([0, len(answer_ids)])
    for bound in range(len(starts) - 2, 0, -1):
        # A similarity is at most common / size of the answer: pruning only takes away.
        highest = bound / size
        if highest <= threshold or (best_ids[-1] >= 0 and highest < best_scores[-1]):
            return
        equal = methods[starts[bound] : starts[bound + 1]]
        answers = np.zeros(len(equal), np.int64)
        scores = score_bodies(forest, distinct, equal, answers, whole, answer_ids, answer_counts)
        for place in range(len(equal)):
            if scores[place, similarity] > threshold:
                _insert(best, first_id + equal[place], scores[place, similarity])


@njit(cache=True)
def _sort_by_bound(bounds: Any) -> Any:
    """Sort methods by upper bound and id; methods with upper bound b begin at ``starts[b]``."""
    highest = 0
    for bound in bounds:
        highest = max(highest, bound)
    starts = np.zeros(highest + 2, np.int64)
    for bound in bounds:
        starts[bound + 1] += 1
    for bound in range(len(starts) - 1):
        starts[bound + 1] += starts[bound]
    filled = starts.copy()
    methods = np.empty(len(bounds), np.int64)
    for method in range(len(bounds)):
        methods[filled[bounds[method]]] = method
        filled[bounds[method]] += 1
    return methods, starts


@njit(cache=True)
def _insert(best: Any, id_: Any, score: Any) -> None:
    """Keep the best methods by (score, ascending id); an id of -1 marks a free slot."""
    best_ids, best_scores = best
    place = len(best_ids)
    while place and (
        best_ids[place - 1] < 0
        or best_scores[place - 1] < score
        or (best_scores[place - 1] == score and best_ids[place - 1] > id_)
    ):
        place -= 1
    for later in range(len(best_ids) - 1, place, -1):
        best_ids[later], best_scores[later] = best_ids[later - 1], best_scores[later - 1]
    if place < len(best_ids):
        best_ids[place], best_scores[place] = id_, score
