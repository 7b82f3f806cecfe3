"""DeepCS and CARLCS as networks over the fields of methods and descriptions.

Co-attention in CARLCS: C and D are the columns of code and of a description, and
F = tanh(C U D^T). The weight of a column of C is the softmax of its maximum in F over all columns
of D, and the other way round; the score is the cosine of the two weighted sums. As tanh is
monotonic, maxima are taken before it.

Where padding is masked, columns that look at no word are replaced by the first column that does,
which changes no maximum, and have no weight: they are called filling.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ncsbench.base.networks.id_lists import IdLists
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions
from ncsbench.learning.deepcs.method_fields import FIELDS, CodeLists
from ncsbench.learning.deepcs.sequence_networks import (
    WIDTHS,
    Convolutions,
    TwoWays,
    WordBag,
    find_places,
    make_dense,
)

_ROOM = 2048  # Columns of code, with filling, that are compared at once.


def attend_pairs(
    code: Tensor, filling: Tensor, asked: Tensor, sides: tuple[Tensor, Tensor], weights: Tensor
) -> Tensor:
    """Return the cosines of each piece of code with two descriptions, shape (n, 2).

    Args:
        code: columns of code, shape (n, p, d).
        filling: True for columns of code that are filling, bool, shape (n, p).
        asked: columns of the first description and then of the second; shape (n, 2 * q, d).
        sides: True for columns that are filling, one array for the first description and one for
            the second, both bool, shape (n, q).
        weights: U, shape (d, d).
    """
    size = max(1, _ROOM // code.shape[1])
    tables = (code, asked, asked @ weights.T, filling, *sides)
    parts = zip(*(torch.split(table, size) for table in tables), strict=True)
    return torch.cat([_attend_both(*own) for own in parts])


def attend_one(code: Tensor, filling: Tensor, asked: Tensor, wanted: Tensor) -> Tensor:
    """Return the cosines of all pieces of code with one description, shape (n,).

    Args:
        code: columns of code, shape (n, p, d).
        filling: True for columns of code that are filling, bool, shape (n, p).
        asked: columns of the description, shape (q, d).
        wanted: columns of the description times U.
    """
    # With the description first, the product and both maxima take half the time.
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
    """Return the cosines of ``attend_pairs`` for some pieces; ``first``, ``second``: its sides."""
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


_BEHIND = WIDTHS[-1] - 1  # Padding, so that a column begins at every word, also at the last one.
_LEAST_LOSS = 1e-6


def measure_loss(right: Tensor, wrong: Tensor, margin: float) -> Tensor:
    """Return max(1e-6, margin - right + wrong) of cosines, in their shape."""
    return (margin - right + wrong).clamp(min=_LEAST_LOSS)


class DeepcsNetwork(nn.Module):
    """Vectors of code and of descriptions (Gu et al., 2018, section 4).

    Args:
        sizes: sizes of the vocabularies of each field and of ``description``.
        options: options of the network.
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
        """Return vectors of methods, shape (n, output)."""
        found = [self.name(code.name), self.api(code.api), self.tokens(code.tokens)]
        if self.options.fusion == "concatenated":
            return torch.tanh(self.fused(torch.cat([torch.tanh(own) for own in found], dim=1)))
        added = sum(part(own) for part, own in zip(self.parts, found, strict=True))
        fused: Tensor = self.fused(torch.tanh(added))
        return fused

    def embed_descriptions(self, lists: IdLists) -> Tensor:
        """Return vectors of descriptions, shape (n, output)."""
        found: Tensor = self.description(lists)
        if self.options.description == "projected":
            return self.projected(found)  # type: ignore[no-any-return]
        return torch.tanh(found)

    def compare(self, code: CodeLists, right: IdLists, wrong: IdLists) -> tuple[Tensor, Tensor]:
        """Return cosines of methods with a right and a wrong description each, of shape (n,)."""
        vectors = self.embed_code(code)
        both = self.embed_descriptions(right.join(wrong))
        return (
            functional.cosine_similarity(vectors, both[: len(right)]),
            functional.cosine_similarity(vectors, both[len(right) :]),
        )

    def compare_all(self, code: CodeLists, descriptions: IdLists) -> Tensor:
        """Return the cosines of all descriptions (rows) with all methods (columns)."""
        vectors = functional.normalize(self.embed_code(code), dim=1)
        return functional.normalize(self.embed_descriptions(descriptions), dim=1) @ vectors.T


class CarlcsNetwork(nn.Module):
    """Scores of descriptions with code by co-attention (Shuai et al., 2020, section 3).

    Args:
        sizes: sizes of the vocabularies of each field and of ``description``.
        options: options of the network.
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
        """Return the columns of a field or of ``description``, and True where one looks at a word.

        Shapes (n, p, filters) and (n, p). Where padding is masked, p is that of the longest list.
        """
        reader, width = self.readers[field], self.options.lengths[field]
        if self.options.padding == "masked":
            width = _BEHIND + max(1, int(lists.lengths.max(initial=0)))
        if isinstance(reader, Convolutions):
            return reader.columns(lists, width), find_places(lists, width)
        assert isinstance(reader, TwoWays)  # noqa: S101 - what a ModuleDict forgets
        of_words = torch.arange(width) < torch.from_numpy(lists.lengths)[:, None]
        return reader.states(lists, width), of_words

    def read_code(self, code: CodeLists) -> tuple[Tensor, Tensor]:
        """Return the results of ``read`` for all fields of methods, one after the other."""
        parts = [self.read(field, code.of(field)) for field in FIELDS]
        columns, places = zip(*parts, strict=True)
        return torch.cat(columns, dim=1), torch.cat(places, dim=1)

    def compare(self, code: CodeLists, right: IdLists, wrong: IdLists) -> tuple[Tensor, Tensor]:
        """Return cosines of methods with a right and a wrong description each, of shape (n,)."""
        columns, filling = self._fill_code(code)
        read, hidden = self._fill_descriptions(right.join(wrong))
        asked, sides = torch.cat(read.tensor_split(2), dim=1), hidden.tensor_split(2)
        found = attend_pairs(columns, filling, asked, (sides[0], sides[1]), self.attention)
        return found[:, 0], found[:, 1]

    def compare_all(self, code: CodeLists, descriptions: IdLists) -> Tensor:
        """Return the cosines of all descriptions (rows) with all methods (columns)."""
        columns, filling = self._fill_code(code)
        read, hidden = self._fill_descriptions(descriptions)
        rows = [
            attend_one(columns, filling, own[~left], turned[~left])
            for own, turned, left in zip(read, read @ self.attention.T, hidden, strict=True)
        ]
        return torch.stack(rows)

    def _fill_code(self, code: CodeLists) -> tuple[Tensor, Tensor]:
        """Return columns of methods, and True for filling; shapes (n, p, d) and (n, p)."""
        name = code.name.replace(_one_padding(len(code)), code.lengths == 0)
        return self._fill(*self.read_code(CodeLists(name, code.api, code.tokens)))

    def _fill_descriptions(self, lists: IdLists) -> tuple[Tensor, Tensor]:
        """Return columns of descriptions, and True for filling; shapes (n, q, d) and (n, q)."""
        lists = lists.replace(_one_padding(len(lists)), lists.lengths == 0)
        return self._fill(*self.read("description", lists))

    def _fill(self, columns: Tensor, places: Tensor) -> tuple[Tensor, Tensor]:
        if self.options.padding == "as_published":
            return columns, torch.zeros_like(places)
        first = places.int().argmax(dim=1, keepdim=True)
        rows = torch.where(places, torch.arange(places.shape[1]), first)
        return columns.gather(1, rows[:, :, None].expand_as(columns)), ~places


def _one_padding(count: int) -> IdLists:
    """Return lists of one padding id each, which are read in place of lists without a word."""
    return IdLists(np.arange(count + 1), np.zeros(count, np.uint16))


NETWORKS: dict[str, type[DeepcsNetwork] | type[CarlcsNetwork]] = {
    "deepcs": DeepcsNetwork,
    "carlcs": CarlcsNetwork,
}
"""The networks by name."""
