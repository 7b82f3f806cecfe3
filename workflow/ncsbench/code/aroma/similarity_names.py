"""The similarities by name."""

from __future__ import annotations

from typing import Literal, get_args

Similarity = Literal[
    "pruned_jaccard_leaf",
    "pruned_jaccard_refeaturised",
    "containment",
    "set_containment",
    "jaccard",
    "dice",
    "set_cosine",
    "charged_overlap",
]
SIMILARITIES: tuple[Similarity, ...] = get_args(Similarity)
"""Similarities of an answer with a method, each in [0, 1]; formulas in
``code.aroma.similarity``."""

ANSWER_WEIGHT = 7
"""Charged overlap: weight of the answer's size, in parts of both weights together."""

METHOD_WEIGHT = 1
"""Charged overlap: weight of the method's size."""
