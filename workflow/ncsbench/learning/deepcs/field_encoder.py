"""A trained DeepCS or CARLCS: its folder, its vectors, and scores by CARLCS's co-attention.

Scoring keeps what does not depend on the query. For a method it computes only the columns that look
at words; U is multiplied with the columns of the query, since there is only one query. Columns that
look at padding alone are all equal: where padding is read as published, one of them counts for all,
with their number as its weight. The result is that of the network up to rounding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ncsbench.base.files.training_checkpoints import Tensors
from ncsbench.base.networks.id_lists import IdLists, ListBuilder
from ncsbench.base.networks.network_files import (
    Vocabularies,
    load_network,
    restore_parameters,
    save_network,
    save_parameters,
)
from ncsbench.base.networks.reproducible import reproducible
from ncsbench.learning.deepcs.field_networks import NETWORKS, CarlcsNetwork, DeepcsNetwork
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions
from ncsbench.learning.deepcs.method_fields import (
    DESCRIPTION,
    FIELDS,
    CodeLists,
    FieldVocabulary,
    MethodFields,
    drop_padding,
    unknown_id,
)
from ncsbench.learning.deepcs.sequence_networks import WIDTHS, Convolutions

_CHUNK = 512  # Largest number of methods that are in memory as vectors of their words.
_CPU = torch.device("cpu")


class FieldEncoder:
    """Turns fields of methods and words of queries into vectors, on one thread.

    Args:
        tensors: the parameters of the network by name.
        vocabularies: vocabularies of each field and of ``description``.
        about: record of data and options of the training; ``options`` are those of
            ``FieldEncoderOptions``.

    Attributes:
        network: the network.
        dimension: length of a vector.
        about: record of data and options of the training.

    Raises:
        ValueError: where the parts do not fit each other.
    """

    network: DeepcsNetwork | CarlcsNetwork

    def __init__(
        self, tensors: Tensors, vocabularies: Vocabularies, about: Mapping[str, Any]
    ) -> None:
        self.about, self.vocabularies = about, vocabularies
        options = FieldEncoderOptions.parse(about["options"], where="about.json", within="options")
        self.options, self.dimension = options, options.output
        with torch.random.fork_rng():  # first values are drawn, and replaced
            sizes = {name: len(vocabularies[name]) for name in options.lengths}
            self.network = NETWORKS[options.network](sizes, options)
        restore_parameters(self.network, tensors)
        self.network.eval()
        unknown = unknown_id(options)
        self._vocabularies = {
            name: FieldVocabulary(vocabularies[name], unknown) for name in options.lengths
        }

    def embed_code(self, fields: Sequence[MethodFields]) -> NDArray[np.float32]:
        """Return vectors of methods, shape (n, dimension); zeros for a method without a word."""
        assert isinstance(self.network, DeepcsNetwork)  # noqa: S101 - its ranker checks it
        found = np.empty((len(fields), self.dimension), np.float32)
        for start in range(0, len(fields), _CHUNK):
            some = fields[start : start + _CHUNK]
            lists = self.encode_code(some)
            with reproducible(1, _CPU), torch.inference_mode():
                found[start : start + len(some)] = self.network.embed_code(lists).numpy()
            found[start : start + len(some)][lists.lengths == 0] = 0
        return found

    def embed_queries(self, queries: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """Return vectors of queries in words, shape (n, dimension); zeros if no word is known."""
        assert isinstance(self.network, DeepcsNetwork)  # noqa: S101 - its ranker checks it
        lists = self.encode_queries(queries)
        with reproducible(1, _CPU), torch.inference_mode():
            found: NDArray[np.float32] = self.network.embed_descriptions(lists).numpy()
        found[lists.lengths == 0] = 0
        return found

    def encode_code(self, fields: Iterable[MethodFields]) -> CodeLists:
        """Return fields of methods as ids; ``fields`` is read once, and may be a stream."""
        builders, lengths = {field: ListBuilder() for field in FIELDS}, self.options.lengths
        for own in fields:
            for field, builder in builders.items():
                words = getattr(own, field)
                builder.add(self._vocabularies[field].spell(words, lengths[field]))
        return CodeLists(*(builder.build() for builder in builders.values()))

    def encode_queries(self, queries: Sequence[Sequence[str]]) -> IdLists:
        """Words of queries as ids; empty where no word is known and unknown ones are padding."""
        length = self.options.lengths[DESCRIPTION]
        spell = self._vocabularies[DESCRIPTION].spell
        return drop_padding(IdLists.gather(spell(words, length) for words in queries))

    def save(self, folder: Path) -> None:
        """Write the files ``weights.safetensors``, ``vocabularies.json`` and ``about.json``."""
        save_network(folder, save_parameters(self.network), self.vocabularies, self.about)


def load_field_encoder(folder: Path) -> FieldEncoder:
    """Read an encoder that ``FieldEncoder.save`` wrote; ``DataError`` if its files do not fit."""
    return load_network(folder, FieldEncoder)


_SCORED = 64  # Methods whose columns are computed at once.
_KEPT = 4000  # Methods whose columns stay in memory: 0.1 GB at 100 filters.
_DIGITS = 6  # Digits of a score: equal methods tie, wherever they are among the candidates.


@dataclass(frozen=True)
class _Columns:
    """Distinct columns of one side, float32, shape (p, d), and the count of each, shape (p,)."""

    values: NDArray[np.float32]
    counts: NDArray[np.float32]


class CoAttention:
    """Scores methods by a CARLCS, on one thread.

    Args:
        encoder: the network.
        code: the fields of all methods.

    Raises:
        ValueError: where the network is not a CARLCS.
    """

    def __init__(self, encoder: FieldEncoder, code: CodeLists) -> None:
        if not isinstance(encoder.network, CarlcsNetwork):
            raise ValueError("the network is no CARLCS")
        self._network, self._code, self._encoder = encoder.network, code, encoder
        self._kept: dict[int, _Columns] = {}
        self._padding = {name: self._find_padding(name) for name in (*FIELDS, DESCRIPTION)}

    def score(self, words: list[str], methods: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return scores of methods for a query, cosines, shape (n,).

        Methods without a word have -1; all methods have -1 where no word of the query is known.
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
        for start in range(0, len(missing), _SCORED):
            some = missing[start : start + _SCORED]
            lists = self._code.take(np.array(some))
            read = self._read([(field, lists.of(field)) for field in FIELDS])
            found |= dict(zip(some, read, strict=True))
        if len(found) <= _KEPT:
            self._kept = found
        return [found[method] for method in wanted]

    def _read(self, fields: list[tuple[str, IdLists]]) -> list[_Columns]:
        """Return the columns of each method or query, those of its fields one after the other."""
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
                ends = np.cumsum(self._blocks(len(there)))[:-1]
                found = np.array([own.sum() for own in np.split(there, ends)], np.float32)
                rest = padding.counts - found
                own.append(
                    _Columns(
                        np.concatenate([row[there], padding.values[rest > 0]]),
                        np.concatenate([np.ones(int(there.sum()), np.float32), rest[rest > 0]]),
                    )
                )
            parts.append(own)
        return [
            _Columns(
                # In Fortran order, in which sums over the columns of a method are twice as fast.
                np.asfortranarray(np.concatenate([own.values for own in side])),
                np.concatenate([own.counts for own in side]),
            )
            for side in zip(*parts, strict=True)
        ]

    @property
    def _masked(self) -> bool:
        return self._encoder.options.padding == "masked"

    def _find_padding(self, field: str) -> _Columns | None:
        """Find the column of each width that looks at padding alone, and its count in a list.

        The result is None where padding is masked, and where a state depends on the words before.
        """
        if self._masked or not isinstance(self._network.readers[field], Convolutions):
            return None
        with reproducible(1, _CPU), torch.inference_mode():
            columns = self._network.read(field, IdLists.gather([[]]))[0][0].numpy()
        counts = np.array(self._blocks(len(columns)), np.float32)
        firsts = np.cumsum([0, *self._blocks(len(columns))])[:-1]
        return _Columns(columns[firsts], counts)

    def _blocks(self, columns: int) -> list[int]:
        """Return the number of columns of each width of the convolutions."""
        width = (columns + sum(WIDTHS) - len(WIDTHS)) // len(WIDTHS)
        return [width - own + 1 for own in WIDTHS]
