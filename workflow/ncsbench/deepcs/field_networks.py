"""DeepCS and CARLCS as networks over the fields of methods and descriptions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ncsbench.deepcs.field_lists import FIELDS, CodeLists
from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.deepcs.sequence_networks import (
    Convolutions,
    TwoWays,
    WordBag,
    find_places,
    make_dense,
)
from ncsbench.deepcs.word_attention import ColumnRows, attend_one, attend_padded, attend_words
from ncsbench.deepcs.word_windows import WIDTHS
from ncsbench.networks.id_lists import IdLists

_BEHIND = WIDTHS[-1] - 1  # So that a column begins at every word, also at the last one.
_LEAST_LOSS = 1e-6


def measure_loss(right: Tensor, wrong: Tensor, margin: float) -> Tensor:
    """max(1e-6, margin - right + wrong) of cosines; shape as theirs."""
    return (margin - right + wrong).clamp(min=_LEAST_LOSS)


class DeepcsNetwork(nn.Module):
    """Vectors of code and of descriptions (Gu et al., 2018, section 4).

    Args:
        sizes: of the vocabulary of each field and of ``description``.
        options: what it is.
    """

    def __init__(self, sizes: Mapping[str, int], options: FieldEncoderOptions) -> None:
        super().__init__()
        self.options = options
        lengths, both = options.lengths, 2 * options.cells
        self.name, self.api, self.description = (
            TwoWays(
                sizes[field],
                lengths[field],
                options.cells,
                options,
                skips_padding=field == "description",
            )
            for field in ("name", "api", "description")
        )
        self.tokens = WordBag(sizes["tokens"], lengths["tokens"], options)
        inputs = (both, both, options.embedding)
        if options.fusion == "concatenated":
            self.fused = make_dense(sum(inputs), options.output, options)
        else:
            self.parts = nn.ModuleList(make_dense(own, options.output, options) for own in inputs)
            self.fused = make_dense(options.output, options.output, options)
        if options.description == "projected":
            self.projected = make_dense(both, options.output, options)

    def embed_code(self, code: CodeLists) -> Tensor:
        """Vectors of methods, shape (n, output)."""
        found = [self.name(code.name), self.api(code.api), self.tokens(code.tokens)]
        if self.options.fusion == "concatenated":
            return torch.tanh(self.fused(torch.cat([torch.tanh(own) for own in found], dim=1)))
        added = sum(part(own) for part, own in zip(self.parts, found, strict=True))
        fused: Tensor = self.fused(torch.tanh(added))
        return fused

    def embed_descriptions(self, lists: IdLists) -> Tensor:
        """Vectors of descriptions, shape (n, output)."""
        found: Tensor = self.description(lists)
        if self.options.description == "projected":
            return self.projected(found)  # type: ignore[no-any-return]
        return torch.tanh(found)

    def compare(self, code: CodeLists, right: IdLists, wrong: IdLists) -> tuple[Tensor, Tensor]:
        """Cosines of methods with a right and a wrong description each, both of shape (n,)."""
        vectors = self.embed_code(code)
        both = self.embed_descriptions(right.join(wrong))
        return (
            functional.cosine_similarity(vectors, both[: len(right)]),
            functional.cosine_similarity(vectors, both[len(right) :]),
        )

    def compare_all(self, code: CodeLists, descriptions: IdLists) -> Tensor:
        """Cosines of all descriptions (rows) with all methods."""
        vectors = functional.normalize(self.embed_code(code), dim=1)
        return functional.normalize(self.embed_descriptions(descriptions), dim=1) @ vectors.T


class CarlcsNetwork(nn.Module):
    """Scores of descriptions with code by co-attention (Shuai et al., 2020, section 3).

    Args:
        sizes: of the vocabulary of each field and of ``description``.
        options: what it is.
    """

    def __init__(self, sizes: Mapping[str, int], options: FieldEncoderOptions) -> None:
        super().__init__()
        self.options = options
        self.readers = nn.ModuleDict()
        for field, length in options.lengths.items():
            if field == "api" and options.api_encoder == "lstm":
                reader: nn.Module = TwoWays(sizes[field], length, options.filters // 2, options)
            else:
                reader = Convolutions(sizes[field], length, options)
            self.readers[field] = reader
        self.attention = nn.Parameter(torch.empty(options.filters, options.filters))
        nn.init.xavier_uniform_(self.attention)

    def read(self, field: str, lists: IdLists) -> tuple[Tensor, Tensor]:
        """The columns of a field or of ``description``, and which of them look at a word.

        Shapes (n, p, filters) and (n, p). Where padding is masked, p is that of the longest list.
        """
        reader, width = self.readers[field], self.options.lengths[field]
        if self.options.padding == "masked":
            width = _BEHIND + max(1, int(lists.lengths.max(initial=0)))
        if isinstance(reader, Convolutions):
            return reader.columns(lists, width), find_places(lists, width)
        assert isinstance(reader, TwoWays)  # noqa: S101 - what a ModuleDict forgets
        return reader.states(lists, width), find_states(lists, width)

    def read_code(self, code: CodeLists) -> tuple[Tensor, Tensor]:
        """The same of all fields of methods, one behind the other."""
        parts = [self.read(field, code.of(field)) for field in FIELDS]
        columns, places = zip(*parts, strict=True)
        return torch.cat(columns, dim=1), torch.cat(places, dim=1)

    def compare(self, code: CodeLists, right: IdLists, wrong: IdLists) -> tuple[Tensor, Tensor]:
        """Cosines of methods with a right and a wrong description each, both of shape (n,)."""
        if self.options.padding == "as_published":
            found = self._compare_padded(code, right, wrong)
        else:
            columns, rows = self._read_words(code)
            asked, both = self._read_descriptions(right.join(wrong))
            pairs = np.arange(len(code))
            sides = both.take(pairs), both.take(pairs + len(code))
            found = attend_words(columns, rows, asked, sides, self.attention)
        return found[:, 0], found[:, 1]

    def compare_all(self, code: CodeLists, descriptions: IdLists) -> Tensor:
        """Cosines of all descriptions (rows) with all methods."""
        if self.options.padding == "as_published":
            columns, places = self.read_code(code)
            read, there = self.read("description", descriptions)
            places, there = torch.ones_like(places), torch.ones_like(there)
        else:
            columns, places = _pad_columns(*self._read_words(code))
            read, there = _pad_columns(*self._read_descriptions(descriptions))
        rows = [
            attend_one(columns, ~places, own[seen], turned[seen])
            for own, turned, seen in zip(read, read @ self.attention.T, there, strict=True)
        ]
        return torch.stack(rows)

    def _read_words(self, code: CodeLists) -> tuple[Tensor, ColumnRows]:
        """Columns that begin at a word of any field, and which ones each method has."""
        nothing = code.lengths == 0
        lists = [code.name.replace(_one_padding(len(code)), nothing), code.api, code.tokens]
        read = [self._read_field(field, own) for field, own in zip(FIELDS, lists, strict=True)]
        columns, lengths = zip(*read, strict=True)
        return torch.cat(columns), ColumnRows.gather(lengths)

    def _read_descriptions(self, lists: IdLists) -> tuple[Tensor, ColumnRows]:
        lists = lists.replace(_one_padding(len(lists)), lists.lengths == 0)
        columns, lengths = self._read_field("description", lists)
        return columns, ColumnRows.gather([lengths])

    def _read_field(self, field: str, lists: IdLists) -> tuple[Tensor, NDArray[np.int64]]:
        """Columns of all lists one after the other, and how many each has."""
        reader = self.readers[field]
        if isinstance(reader, Convolutions):
            return reader.read_words(lists).flatten(0, 1), len(WIDTHS) * lists.lengths
        assert isinstance(reader, TwoWays)  # noqa: S101 - what a ModuleDict forgets
        return reader.read_words(lists), lists.lengths

    def _compare_padded(self, code: CodeLists, right: IdLists, wrong: IdLists) -> Tensor:
        columns, _ = self.read_code(code)
        read, _ = self.read("description", right.join(wrong))
        asked = torch.cat([read[: len(code)], read[len(code) :]], dim=1)
        return attend_padded(columns, asked, self.attention)


def _pad_columns(columns: Tensor, rows: ColumnRows) -> tuple[Tensor, Tensor]:
    return columns[torch.from_numpy(rows.rows)], ~rows.hide()


def _one_padding(count: int) -> IdLists:
    """What is read of lists without a word."""
    return IdLists(np.arange(count + 1), np.zeros(count, np.uint16))


def find_states(lists: IdLists, width: int) -> Tensor:
    """Which states belong to a word, shape (n, width)."""
    return torch.arange(width) < torch.from_numpy(lists.lengths)[:, None]


NETWORKS: dict[str, type[DeepcsNetwork] | type[CarlcsNetwork]] = {
    "deepcs": DeepcsNetwork,
    "carlcs": CarlcsNetwork,
}
"""The networks by name."""
