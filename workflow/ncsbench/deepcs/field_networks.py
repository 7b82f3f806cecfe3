"""DeepCS and CARLCS as networks over the fields of methods and descriptions.

C and D are the columns of code and of a description, and F = tanh(C U D^T). The weights of the
columns of C are the softmax of their maxima in F over those of D, and the other way round; compared
are the weighted sums, by their cosine. As tanh rises, the maxima are found before it.

Columns that begin at words are those of all lists one after the other. Lists go through in groups
of like length; what is short is filled with its own first column, which changes no maximum, and
gets no weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.deepcs.method_fields import FIELDS, CodeLists
from ncsbench.deepcs.sequence_networks import (
    WIDTHS,
    Convolutions,
    TwoWays,
    WordBag,
    cut_groups,
    find_places,
    make_dense,
)
from ncsbench.networks.id_lists import IdLists

_ROOM = 2048  # Columns of code, with filling, of a group.


@dataclass(frozen=True)
class ColumnRows:
    """Which columns belong to each of n lists.

    Attributes:
        rows: their numbers, int64, shape (n, longest).
        lengths: how many of them count, at least one; shape (n,).
    """

    rows: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def gather(cls, parts: Sequence[NDArray[np.int64]]) -> ColumnRows:
        """Of lists whose parts lie in tables that stand one after the other.

        Args:
            parts: columns of each list in each table, of shape (n,).
        """
        lengths: NDArray[np.int64] = np.sum(parts, axis=0)
        rows = np.zeros((len(lengths), int(lengths.max(initial=1))), np.int64)
        before, base = np.zeros(len(lengths), np.int64), 0
        for own in parts:
            numbers = np.arange(own.sum())
            lists = np.repeat(np.arange(len(own)), own)
            starts = np.cumsum(own) - own
            rows[lists, numbers + np.repeat(before - starts, own)] = base + numbers
            before, base = before + own, base + len(numbers)
        filled = np.arange(rows.shape[1]) < lengths[:, None]
        return cls(np.where(filled, rows, rows[:, :1]), lengths)

    def take(self, some: NDArray[np.int64]) -> ColumnRows:
        """Those of some lists, as wide as the longest of them."""
        lengths = self.lengths[some]
        return ColumnRows(self.rows[some, : int(lengths.max(initial=1))], lengths)

    def hide(self) -> Tensor:
        """What is filling, bool, shape (n, longest)."""
        return torch.from_numpy(np.arange(self.rows.shape[1]) >= self.lengths[:, None])


def attend_words(
    columns: Tensor,
    code: ColumnRows,
    asked_columns: Tensor,
    sides: tuple[ColumnRows, ColumnRows],
    weights: Tensor,
) -> Tensor:
    """Cosines of each piece of code with two descriptions, shape (n, 2).

    Args:
        columns: of code, shape (any, d).
        code: which of them each piece has.
        asked_columns: of descriptions, shape (any, d).
        sides: which of them the first and the second description of each piece have.
        weights: U, shape (d, d).
    """
    cut, back = cut_groups(code.lengths, _ROOM)
    groups = [(code.take(some), *(side.take(some) for side in sides)) for some in cut]
    # All at once: the slopes of a table are added up once.
    codes = _read(columns, [group[:1] for group in groups])
    asked = _read(asked_columns, [group[1:] for group in groups])
    wanted = _read(asked_columns @ weights.T, [group[1:] for group in groups])
    found = [
        _attend_both(one, both, turned, *(own.hide() for own in group))
        for one, both, turned, group in zip(codes, asked, wanted, groups, strict=True)
    ]
    return torch.cat(found)[back]


def _read(table: Tensor, groups: Sequence[Sequence[ColumnRows]]) -> list[Tensor]:
    """The columns of the lists of each group, those of several kinds side by side."""
    rows = [np.concatenate([own.rows for own in group], axis=1) for group in groups]
    every = torch.from_numpy(np.concatenate([own.ravel() for own in rows]))
    parts = torch.split(functional.embedding(every, table), [own.size for own in rows])
    return [part.view(*own.shape, -1) for part, own in zip(parts, rows, strict=True)]


def attend_padded(code: Tensor, asked: Tensor, weights: Tensor) -> Tensor:
    """The same where every column counts, shape (n, 2).

    Args:
        code: shape (n, p, d).
        asked: of two descriptions, those of the second behind those of the first; (n, 2 * q, d).
        weights: U, shape (d, d).
    """
    size = max(1, _ROOM // code.shape[1])
    filling = torch.zeros(1, code.shape[1], dtype=torch.bool)
    side = torch.zeros(1, asked.shape[1] // 2, dtype=torch.bool)
    parts = (torch.split(table, size) for table in (code, asked, asked @ weights.T))
    found = [
        _attend_both(one, both, turned, filling, side, side)
        for one, both, turned in zip(*parts, strict=True)
    ]
    return torch.cat(found)


def attend_one(code: Tensor, filling: Tensor, asked: Tensor, wanted: Tensor) -> Tensor:
    """Cosines of all pieces of code with one description, shape (n,).

    Args:
        code: shape (n, p, d).
        filling: which of its columns are filling, bool, shape (n, p).
        asked: columns of the description, shape (q, d).
        wanted: the same times U.
    """
    # This way round the product and both maxima take half the time.
    scores = (wanted @ code.flatten(0, 1).T).view(-1, *code.shape[:2])
    of_code = scores.amax(dim=0).tanh().masked_fill(filling, -torch.inf).softmax(dim=1)
    of_asked = scores.amax(dim=2).tanh().softmax(dim=0).T @ asked
    return functional.cosine_similarity((of_code[:, None] @ code)[:, 0], of_asked)


def _attend_both(
    code: Tensor,
    asked: Tensor,
    wanted: Tensor,
    filling: Tensor,
    first: Tensor,
    second: Tensor,
) -> Tensor:
    """The same of a group, with what is filling: of the code and of each side."""
    scores = code @ wanted.transpose(1, 2)
    split = first.shape[1]
    of_code = torch.stack([scores[:, :, :split].amax(2), scores[:, :, split:].amax(2)], dim=1)
    of_code = of_code.tanh().masked_fill(filling[:, None], -torch.inf).softmax(dim=2)
    hidden = torch.stack(
        [
            torch.cat([first, torch.ones_like(second)], dim=1),
            torch.cat([torch.ones_like(first), second], dim=1),
        ],
        dim=1,
    )
    of_asked = scores.amax(dim=1).tanh()[:, None].masked_fill(hidden, -torch.inf).softmax(dim=2)
    return functional.cosine_similarity(of_code @ code, of_asked @ asked, dim=2)


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
