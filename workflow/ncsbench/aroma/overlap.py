"""Compiled overlap of an answer with the methods of a block, from the inverted index."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ncsbench.aroma.feature_collection import NEIGHBOUR

FIRST_UNSTRUCTURAL = np.uint64(NEIGHBOUR << 62)
"""Ids of token and parent features are below, those of neighbours and uses are not."""


@njit(cache=True)
def add_postings(
    postings: Any, places: Any, answer_ids: Any, answer_counts: Any, overlap: Any
) -> None:
    """Add the overlap of an answer's features with each method of a block.

    Args:
        postings: a ``judge_index.Postings``.
        places: int64, where each id of the answer is in the vocabulary, or would be.
        answer_ids: uint64, ascending.
        answer_counts: int32.
        overlap: a ``judge_index.Overlap`` of zeros.
    """
    for feature in range(len(answer_ids)):
        place = places[feature]
        id_ = answer_ids[feature]
        if place == len(postings.vocabulary) or postings.vocabulary[place] != id_:
            continue
        wanted = answer_counts[feature]
        for entry in range(postings.starts[place], postings.starts[place + 1]):
            method = postings.methods[entry]
            common = min(wanted, np.int32(postings.counts[entry]))
            overlap.common[method] += common
            overlap.distinct[method] += 1
            if id_ < FIRST_UNSTRUCTURAL:
                overlap.structural[method] += common
