"""The network of UNIF: two tables of word vectors and one attention vector (UNIF paper, section 4).

For the words of a piece of code with vectors e_i (duplicates kept) and the attention vector a::

    alpha_i = exp(a . e_i) / SUM over j of exp(a . e_j)
    e_code  = SUM over i of alpha_i * e_i
    e_query = plain average of the vectors of the query's words, from a table of its own
    score   = cos(e_query, e_code)

Bags are flat, without padding, so that nothing has to be masked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ncsbench.corpus.layout.documents import TokenLists


@dataclass(frozen=True)
class Bags:
    """n concatenated bags of words.

    Attributes:
        words: rows of a table, int64, shape (words,).
        owners: bag of each word, ascending, int64, shape (words,).
        count: n; a bag without words has the vector zero.
    """

    words: Tensor
    owners: Tensor
    count: int

    @classmethod
    def from_lists(cls, lists: TokenLists, device: torch.device) -> Bags:
        """Bags of token lists."""
        owners = np.repeat(np.arange(len(lists)), np.diff(lists.offsets))
        words = torch.from_numpy(lists.tokens.astype(np.int64))
        return cls(words.to(device), torch.from_numpy(owners).to(device), len(lists))


@dataclass(frozen=True)
class UnifNetwork:
    """The learnt parameters, whole tables or those of their rows that a batch has.

    Attributes:
        query_table: vectors of the words of queries, shape (words, dimension).
        code_table: vectors of the words of code, shape (other words, dimension).
        attention: shape (dimension,).
    """

    query_table: Tensor
    code_table: Tensor
    attention: Tensor

    def embed_queries(self, bags: Bags) -> Tensor:
        """Unit averages, shape (bags, dimension)."""
        # The length of a sum is not that of the average, but its direction is.
        vectors = functional.embedding(bags.words, self.query_table)
        return functional.normalize(_sum_by_owner(vectors, bags))

    def embed_codes(self, bags: Bags) -> Tensor:
        """Unit sums weighted by attention, shape (bags, dimension)."""
        vectors = functional.embedding(bags.words, self.code_table)
        scores = vectors @ self.attention
        highest = torch.full((bags.count,), -torch.inf, device=scores.device)
        highest = highest.scatter_reduce(0, bags.owners, scores.detach(), "amax")
        # Within a bag the divisor of the softmax is one number: normalising takes it away.
        weights = (scores - highest[bags.owners]).exp()
        return functional.normalize(_sum_by_owner(vectors * weights[:, None], bags))


def hinge_loss(queries: Tensor, codes: Tensor, wrong: Tensor, margin: float) -> Tensor:
    """Mean of max(0, margin - cos(code, query) + cos(code, wrong query)).

    Args:
        queries: unit vectors, shape (n, dimension).
        codes: unit vectors of their code, shape (n, dimension).
        wrong: unit vectors of other queries, shape (n, negatives, dimension).
        margin: see above.
    """
    right = (queries * codes).sum(dim=1, keepdim=True)
    return (margin - right + (wrong * codes[:, None]).sum(dim=2)).clamp(min=0).mean()


def softmax_loss(
    queries: Tensor,
    codes: Tensor,
    same: Tensor,
    *,
    scale: float,
    both: bool,
    absent: Tensor | None = None,
) -> Tensor:
    """Mean cross entropy of the right code among all code of the batch (DEV-64).

    Args:
        queries: unit vectors, shape (n, dimension).
        codes: unit vectors of their code, shape (n, dimension); with hard negatives those of each
            pair behind them, shape (n + n * negatives, dimension).
        same: bool, shape (n, n): pairs that share their query or code, which are no negatives of
            each other; false on the diagonal.
        scale: factor of the cosines.
        both: whether the right query among all queries counts as much; hard negatives are code for
            which no query is right, and have no part in it.
        absent: bool, shape (n, negatives): hard negatives that a pair lacks; None for none at all.
    """
    count = len(queries)
    logits = (scale * (queries @ codes[:count].T)).masked_fill(same, -torch.inf)
    right = torch.arange(count, device=logits.device)
    among = logits
    if absent is not None:
        hard = codes[count:].view(*absent.shape, -1)
        found = scale * (hard @ queries[:, :, None])[:, :, 0]
        among = torch.cat([logits, found.masked_fill(absent, -torch.inf)], dim=1)
    loss = functional.cross_entropy(among, right)
    return (loss + functional.cross_entropy(logits.T, right)) / 2 if both else loss


def _sum_by_owner(vectors: Tensor, bags: Bags) -> Tensor:
    sums = torch.zeros((bags.count, vectors.shape[1]), device=vectors.device)
    return sums.index_add(0, bags.owners, vectors)
