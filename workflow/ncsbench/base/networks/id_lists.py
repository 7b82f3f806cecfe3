"""Lists of ids as arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class IdLists:
    """A sequence of n lists of ids, one after the other in one array.

    Attributes:
        offsets: int64, shape (n + 1,); list i is ``ids[offsets[i]:offsets[i + 1]]``.
        ids: ids of all lists, uint16.
    """

    offsets: NDArray[np.int64]
    ids: NDArray[np.uint16]

    def __len__(self) -> int:
        """Return the number of lists."""
        return len(self.offsets) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of ids of each list, shape (n,)."""
        return np.diff(self.offsets)

    @classmethod
    def gather(cls, lists: Iterable[Sequence[int]]) -> IdLists:
        """Make arrays of lists."""
        builder = ListBuilder()
        for ids in lists:
            builder.add(ids)
        return builder.build()

    def take(self, rows: NDArray[np.int64]) -> IdLists:
        """Return the lists of some rows, in the order of ``rows``."""
        starts, lengths = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return IdLists(offsets, self.ids[places])

    def replace(self, others: IdLists, where: NDArray[np.bool_]) -> IdLists:
        """Replace the lists where ``where`` is true, shape (n,), by those of n other lists."""
        if not where.any():
            return self
        return self.join(others).take(np.arange(len(self)) + np.where(where, len(self), 0))

    def join(self, others: IdLists) -> IdLists:
        """Return these lists followed by other lists."""
        offsets = np.concatenate([self.offsets, others.offsets[1:] + self.offsets[-1]])
        return IdLists(offsets, np.concatenate([self.ids, others.ids]))


class ListBuilder:
    """A growing collection of lists, with two bytes for each id, or four with ``kind`` "i"."""

    def __init__(self, kind: Literal["H", "i"] = "H") -> None:
        self._ids, self._offsets = array(kind), array("q", [0])

    def add(self, ids: Sequence[int]) -> None:
        """Add a list."""
        self._ids.extend(ids)
        self._offsets.append(len(self._ids))

    def build(self) -> IdLists:
        """Return the lists added so far, in the order in which they were added."""
        return IdLists(*self.finish())

    def finish(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Return offsets, shape (n + 1,), and ids, uint16 or int32, one list after the other."""
        return np.array(self._offsets, np.int64), np.array(self._ids)
