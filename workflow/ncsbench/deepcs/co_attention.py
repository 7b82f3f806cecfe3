"""Scores of methods for a query by CARLCS, with what does not depend on the query kept.

The columns of a method are those of its words alone; U is multiplied with the columns of the query,
of which there is one set. Columns that look at padding alone are all the same: where padding is
read as published, one of them stands for all, with their number as its weight. The result is that
of the network up to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ncsbench.deepcs.field_encoder import FieldEncoder
from ncsbench.deepcs.field_lists import FIELDS, CodeLists
from ncsbench.deepcs.field_networks import CarlcsNetwork
from ncsbench.deepcs.field_pairs import DESCRIPTION
from ncsbench.deepcs.sequence_networks import Convolutions
from ncsbench.deepcs.word_windows import WIDTHS
from ncsbench.networks.id_lists import IdLists
from ncsbench.networks.reproducible import reproducible

_CPU = torch.device("cpu")
_CHUNK = 64  # Methods whose columns are computed at once.
_KEPT = 4000  # Methods whose columns stay in memory: 0.1 GB at 100 filters.
_DIGITS = 6  # Of a score: equal methods tie, wherever they stand among the candidates.


@dataclass(frozen=True)
class _Columns:
    """Columns of one side, float32, shape (p, d), and how often each stands there, shape (p,)."""

    values: NDArray[np.float32]
    counts: NDArray[np.float32]


class CoAttention:
    """Scores methods by a CARLCS, on one thread.

    Args:
        encoder: the network.
        code: the fields of all methods.

    Raises:
        ValueError: where the network is another one.
    """

    def __init__(self, encoder: FieldEncoder, code: CodeLists) -> None:
        if not isinstance(encoder.network, CarlcsNetwork):
            raise ValueError("the network is no CARLCS")
        self._network, self._code, self._encoder = encoder.network, code, encoder
        self._kept: dict[int, _Columns] = {}
        self._padding = {name: self._find_padding(name) for name in (*FIELDS, DESCRIPTION)}

    def score(self, words: list[str], methods: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores of methods for a query, cosines, shape (n,).

        Those without a word have -1; all have it where no word of the query is known.
        """
        scores = np.full(len(methods), -1.0)
        asked = self._encoder.encode_queries([words])
        known = np.flatnonzero(self._code.take(methods).lengths > 0)
        if not asked.ids.size or not len(known):
            return scores
        with reproducible(1, _CPU), torch.inference_mode():
            query = self._read([(DESCRIPTION, asked)])[0]
            sides = self._find_columns(methods[known])
            code = np.concatenate([own.values for own in sides])
            wanted = torch.from_numpy(query.values) @ self._network.attention.T
            found = torch.tanh(torch.from_numpy(code) @ wanted.T).numpy()
        counts = np.concatenate([own.counts for own in sides])
        starts = np.cumsum([0, *(len(own.counts) for own in sides)])[:-1]
        weights = counts * np.exp(found.max(axis=1))
        of_code = np.add.reduceat(weights[:, None] * code, starts)
        columns = np.maximum.reduceat(found, starts)
        of_query = (query.counts * np.exp(columns)) @ query.values
        products = (of_code * of_query).sum(axis=1, dtype=np.float64)
        lengths = np.linalg.norm(of_code, axis=1) * np.linalg.norm(of_query, axis=1)
        scores[known] = np.round(products / np.maximum(lengths, 1e-8), _DIGITS)
        return scores

    def _find_columns(self, methods: NDArray[np.int64]) -> list[_Columns]:
        wanted = methods.tolist()
        missing = [method for method in wanted if method not in self._kept]
        if len(self._kept) + len(missing) > _KEPT:
            self._kept = {method: self._kept[method] for method in wanted if method in self._kept}
        found = dict(self._kept)
        for start in range(0, len(missing), _CHUNK):
            some = missing[start : start + _CHUNK]
            lists = self._code.take(np.array(some))
            read = self._read([(field, lists.of(field)) for field in FIELDS])
            found |= dict(zip(some, read, strict=True))
        if len(found) <= _KEPT:
            self._kept = found
        return [found[method] for method in wanted]

    def _read(self, fields: list[tuple[str, IdLists]]) -> list[_Columns]:
        """The columns of each list, those of all its fields one behind the other."""
        parts: list[list[_Columns]] = []
        for field, lists in fields:
            columns, places = (own.numpy() for own in self._network.read(field, lists))
            padding = self._padding[field]
            own = []
            for row, there in zip(columns, places, strict=True):
                if padding is None:
                    kept = there if self._masked else np.ones_like(there)
                    own.append(_Columns(row[kept], np.ones(int(kept.sum()), np.float32)))
                    continue
                rest = padding.counts - self._count_places(there)
                own.append(
                    _Columns(
                        np.concatenate([row[there], padding.values[rest > 0]]),
                        np.concatenate([np.ones(int(there.sum()), np.float32), rest[rest > 0]]),
                    )
                )
            parts.append(own)
        return [
            _Columns(
                # One column of numbers after the other: sums over the columns of a method are
                # twice as fast.
                np.asfortranarray(np.concatenate([own.values for own in side])),
                np.concatenate([own.counts for own in side]),
            )
            for side in zip(*parts, strict=True)
        ]

    @property
    def _masked(self) -> bool:
        return self._encoder.options.padding == "masked"

    def _find_padding(self, field: str) -> _Columns | None:
        """Columns of each width that look at padding alone, and how many of each a list has.

        None where padding is masked, and where states depend on what was read before.
        """
        if self._masked or not isinstance(self._network.readers[field], Convolutions):
            return None
        with reproducible(1, _CPU), torch.inference_mode():
            columns = self._network.read(field, IdLists.gather([[]]))[0][0].numpy()
        counts = np.array(self._blocks(len(columns)), np.float32)
        firsts = np.cumsum([0, *self._blocks(len(columns))])[:-1]
        return _Columns(columns[firsts], counts)

    def _count_places(self, there: NDArray[np.bool_]) -> NDArray[np.float32]:
        ends = np.cumsum(self._blocks(len(there)))
        return np.array([own.sum() for own in np.split(there, ends[:-1])], np.float32)

    def _blocks(self, columns: int) -> list[int]:
        """How many columns each width has."""
        width = (columns + sum(WIDTHS) - len(WIDTHS)) // len(WIDTHS)
        return [width - own + 1 for own in WIDTHS]
