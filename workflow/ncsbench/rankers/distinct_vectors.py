"""Vectors of methods of which equal ones are embedded once, so that they have the same bits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ncsbench.errors import DataError
from ncsbench.indexes.vector_rows import blocks_of, make_rows

_CHUNK = 1 << 12  # Methods that are embedded at once.
_Item = TypeVar("_Item")


def embed_distinct(
    items: Iterable[_Item],
    count: int,
    dimension: int,
    *,
    digest: Callable[[_Item], bytes],
    embed: Callable[[list[_Item]], NDArray[np.float32]],
    path: Path,
    kind: str,
    remedy: str = "train it with a lower 'learning_rate'",
) -> NDArray[np.float32]:
    """Vectors of all methods, float32, shape (count, dimension), in a temporary file.

    Chunks do not depend on shards.

    Args:
        items: what is embedded of each method, in the order of ids.
        count: of methods.
        dimension: of a vector.
        digest: equal for equal items alone.
        embed: vectors of some items, shape (n, dimension).
        path: of the methods, for messages.
        kind: of the ranker, likewise.
        remedy: for a vector that is not finite, likewise.

    Raises:
        DataError: for another number of methods, and a vector that is not finite.
    """
    vectors = make_rows(count, dimension)
    sources = np.zeros(count, np.int64)  # where each item stands first
    number = 0

    def iterate_firsts() -> Iterator[tuple[int, _Item]]:
        nonlocal number
        seen: dict[bytes, int] = {}
        for number, item in enumerate(items, 1):
            if number > count:
                break
            first = seen.setdefault(digest(item), number - 1)
            sources[number - 1] = first
            if first == number - 1:
                yield first, item

    firsts = iterate_firsts()
    while chunk := list(islice(firsts, _CHUNK)):
        rows = [row for row, _ in chunk]
        found = embed([item for _, item in chunk])
        wrong = np.flatnonzero(~np.isfinite(found).all(axis=1))
        if len(wrong):
            raise DataError(
                f"{kind}: gives method {rows[wrong[0]]} a vector that is not finite; {remedy}"
            )
        vectors[rows] = found
    if number != count:
        raise DataError(f"{path}: holds another number of methods than its words; build it")
    for block in blocks_of(vectors):
        vectors[block] = vectors[sources[block]]
    return vectors
