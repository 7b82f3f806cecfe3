"""What makes a method a duplicate of an earlier one, by the name of the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.corpus.corpus_settings import DuplicateRule
from ncsbench.corpus.equal_lines import COLUMNS, find_first_copies
from ncsbench.corpus.equal_words import find_first_methods


def find_first(
    rule: DuplicateRule, read: Callable[[list[str]], Iterable[pa.Table]]
) -> NDArray[np.int64]:
    """Position of the first method of which each method is a duplicate.

    Args:
        rule: which methods are duplicates.
        read: streams some columns of all methods, those of items among them, in the order of their
            positions.

    Returns:
        int64, shape (methods,); a method that is no duplicate has its own position.
    """
    if rule == "equal_lines":
        return find_first_copies(read(COLUMNS))
    if rule == "equal_words":
        return find_first_methods(read(["kinds", "texts"]))
    # It loads numba, which no other corpus needs.
    from ncsbench.corpus.near_methods import find_first_near_methods

    return find_first_near_methods(read(["code"]))
