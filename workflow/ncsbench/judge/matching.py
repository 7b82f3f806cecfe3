"""The methods of a corpus that resemble an answer most, exactly, by bounds from the overlap.

Candidates are pruned in the order of an upper bound of their similarity, which follows from the
overlap alone, until no other can be among the best any more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.judge.answer_features import AnswerFeatures
from ncsbench.judge.collecting import collect_features
from ncsbench.judge.features import ALL_LEAVES, FeatureSet
from ncsbench.judge.index import IndexBlock, JudgeIndex
from ncsbench.judge.overlap import FIRST_UNSTRUCTURAL
from ncsbench.judge.pruning import find_places
from ncsbench.judge.similarity import (
    UNPRUNED,
    pruned_jaccard_leaf,
    pruned_jaccard_refeaturised,
    similarity_of_sizes,
)
from ncsbench.records import MATCH_SCHEMA, MEASURES


def find_matches(
    *,
    answers: AnswerFeatures,
    index: JudgeIndex,
    shards: list[int],
    limits: list[tuple[str, float]],
    count: int,
) -> pa.Table:
    """The best methods of some shards for every answer under each of some measures.

    Args:
        answers: features of the answers.
        index: index of the corpus.
        shards: shards to search.
        limits: measures of ``records.MEASURES`` and the similarity that must be exceeded.
        count: how many methods are wanted at most per answer and measure.

    Returns:
        A table of ``records.MATCH_SCHEMA``: methods above the limit by (measure, row, rank), equal
        ones by ascending id.
    """
    parts = [MATCH_SCHEMA.empty_table()]
    for measure, threshold in limits:
        best_ids = np.full((len(answers), count), -1, np.int64)
        best_scores = np.zeros((len(answers), count), np.float64)
        for block in index.blocks(shards):
            for place in range(len(answers)):
                _search_block(
                    block, answers[place], measure, threshold, best_ids[place], best_scores[place]
                )
        parts.append(_as_table(measure, answers.rows, best_ids, best_scores))
    return pa.concat_tables(parts)


def read_limits(settings: Any) -> tuple[list[tuple[str, float]], int]:
    """Limits and count of ``find_matches`` from settings, ``limits`` and ``count``.

    Raises:
        ConfigurationError: with one line, where they are not as they must be.
    """
    try:
        limits = [(str(measure), float(threshold)) for measure, threshold in settings["limits"]]
        count = int(settings["count"])
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigurationError(
            'the settings must hold "limits", a list of [measure, threshold], and "count"'
        ) from error
    unknown = [measure for measure, _ in limits if measure not in MEASURES]
    if unknown:
        raise ConfigurationError(f"measure {unknown[0]!r} is unknown; choose {', '.join(MEASURES)}")
    if count < 1 or not all(0 <= threshold <= 1 for _, threshold in limits):
        raise ConfigurationError("count must be at least 1, and each threshold from 0 to 1")
    return limits, count


def merge_matches(tables: list[pa.Table], count: int) -> pa.Table:
    """The best ``count`` matches of every answer and measure, from those of all shards."""
    table = pa.concat_tables([MATCH_SCHEMA.empty_table(), *tables])
    measures = np.array([MEASURES.index(name) for name in table["measure"].to_pylist()], np.int64)
    rows, ids, scores = (table[name].to_numpy() for name in ("row", "id", "similarity"))
    order = np.lexsort((ids, -scores, rows, measures))
    keys = measures[order] * (1 << 32) + rows[order]
    firsts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    ranks = np.arange(len(keys)) - np.repeat(firsts, np.diff(np.append(firsts, len(keys)))) + 1
    kept = order[ranks <= count]
    merged = table.take(kept)
    position = merged.schema.get_field_index("rank")
    ranked = pa.array(ranks[ranks <= count].astype(np.int32))
    return merged.set_column(position, MATCH_SCHEMA.field("rank"), ranked).cast(MATCH_SCHEMA)


def _as_table(
    measure: str, rows: NDArray[np.int32], ids: NDArray[np.int64], scores: NDArray[np.float64]
) -> pa.Table:
    places, ranks = np.nonzero(ids >= 0)
    columns = [
        pa.array([measure] * len(places), pa.string()),
        rows[places],
        (ranks + 1).astype(np.int32),
        ids[places, ranks],
        scores[places, ranks],
    ]
    return pa.table(columns, schema=MATCH_SCHEMA)


def _search_block(
    block: IndexBlock,
    answer: FeatureSet,
    measure: str,
    threshold: float,
    best_ids: NDArray[np.int64],
    best_scores: NDArray[np.float64],
) -> None:
    """Put the methods of a block that belong there among the best so far."""
    overlap = block.overlap(answer)
    best = (best_ids, best_scores)
    if measure in UNPRUNED:
        _search_unpruned(
            UNPRUNED.index(measure), overlap, block.sizes, block.distinct,
            answer.size, len(answer.ids), threshold, block.first_id, best,
        )  # fmt: skip
    elif measure == "pruned_jaccard_leaf":
        bounds = overlap.common
        _search_pruned(block.forest, answer.ids, answer.counts, bounds, False, threshold,
                       block.first_id, best)  # fmt: skip
    else:
        # New neighbours and uses may appear, so only tokens and parents are bounded.
        others = answer.counts[answer.ids >= FIRST_UNSTRUCTURAL].sum(dtype=np.int32)
        bounds = np.where(overlap.common > 0, overlap.structural + others, 0).astype(np.int32)
        _search_pruned(block.forest, answer.ids, answer.counts, bounds, True, threshold,
                       block.first_id, best)  # fmt: skip


@njit(cache=True)
def _search_unpruned(
    measure: Any, overlap: Any, sizes: Any, distinct: Any,
    answer: Any, answer_distinct: Any, threshold: Any, first_id: Any, best: Any,
) -> None:  # fmt: skip
    for method in range(len(sizes)):
        if overlap.common[method]:
            score = similarity_of_sizes(
                measure, overlap.common[method], answer, sizes[method],
                overlap.distinct[method], answer_distinct, distinct[method],
            )  # fmt: skip
            if score > threshold:
                _insert(best, first_id + method, score)


@njit(cache=True)
def _search_pruned(
    forest: Any, answer_ids: Any, answer_counts: Any, bounds: Any, anew: Any,
    threshold: Any, first_id: Any, best: Any,
) -> None:  # fmt: skip
    """Search by descending bound on the common features; see the module's docstring."""
    size = answer_counts.sum()
    methods, starts = _sort_by_bound(bounds)
    best_ids, best_scores = best
    for bound in range(len(starts) - 2, 0, -1):
        # A similarity is at most common / size of the answer: pruning only takes away.
        highest = bound / size
        if highest <= threshold or (best_ids[-1] >= 0 and highest < best_scores[-1]):
            return
        for place in range(starts[bound], starts[bound + 1]):
            method = methods[place]
            ids, owners = collect_features(forest, method, ALL_LEAVES)
            places = find_places(ids, answer_ids)
            leaves = forest.body_leaves[method + 1] - forest.body_leaves[method]
            score, kept = pruned_jaccard_leaf(answer_counts, places, owners, leaves)
            if anew:
                score = pruned_jaccard_refeaturised(answer_ids, answer_counts, forest, method, kept)
            if score > threshold:
                _insert(best, first_id + method, score)


@njit(cache=True)
def _sort_by_bound(bounds: Any) -> Any:
    """Methods by bound and id; those with bound b begin at ``starts[b]``."""
    starts = np.zeros(bounds.max() + 2, np.int64)
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
    """Keep the best by (score, ascending id); ids of -1 are free places."""
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
