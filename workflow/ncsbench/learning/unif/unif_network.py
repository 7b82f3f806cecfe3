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
    """A concatenation of n bags of words.

    Attributes:
        words: words as rows of a table, int64, shape (words,).
        owners: number of the bag of each word, ascending, int64, shape (words,).
        count: n, the number of bags; a bag without words has the vector zero.
    """

    words: Tensor
    owners: Tensor
    count: int

    @classmethod
    def from_lists(cls, lists: TokenLists, device: torch.device) -> Bags:
        """Return the bags of token lists."""
        owners = np.repeat(np.arange(len(lists)), np.diff(lists.offsets))
        words = torch.from_numpy(lists.tokens.astype(np.int64))
        return cls(words.to(device), torch.from_numpy(owners).to(device), len(lists))


@dataclass(frozen=True)
class UnifNetwork:
    """The learnt parameters, with whole tables or only the rows that a batch needs.

    Attributes:
        query_table: vectors of the words of queries, shape (words, dimension).
        code_table: vectors of the words of code, shape (other words, dimension).
        attention: the attention vector, shape (dimension,).
    """

    query_table: Tensor
    code_table: Tensor
    attention: Tensor

    def embed_queries(self, bags: Bags) -> Tensor:
        """Return the average of each bag, scaled to length 1, shape (bags, dimension)."""
        # A sum has not the length of the average, but the same direction.
        vectors = functional.embedding(bags.words, self.query_table)
        return functional.normalize(_sum_by_owner(vectors, bags))

    def embed_codes(self, bags: Bags) -> Tensor:
        """Return the attention-weighted sum of each bag, scaled to length 1, (bags, dimension)."""
        vectors = functional.embedding(bags.words, self.code_table)
        scores = vectors @ self.attention
        highest = torch.full((bags.count,), -torch.inf, device=scores.device)
        highest = highest.scatter_reduce(0, bags.owners, scores.detach(), "amax")
        # Within a bag the divisor of the softmax is one number, which normalising cancels.
        weights = (scores - highest[bags.owners]).exp()
        return functional.normalize(_sum_by_owner(vectors * weights[:, None], bags))


def hinge_loss(queries: Tensor, codes: Tensor, wrong: Tensor, margin: float) -> Tensor:
    """Return the mean of max(0, margin - cos(code, query) + cos(code, wrong query)).

    Args:
        queries: unit vectors, shape (n, dimension).
        codes: unit vectors of the code of these queries, shape (n, dimension).
        wrong: unit vectors of other queries, shape (n, negatives, dimension).
        margin: margin in the formula above.
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
    """Return the mean cross entropy of the right code among all code of the batch (DEV-64).

    Args:
        queries: unit vectors, shape (n, dimension).
        codes: unit vectors of the code of these queries, shape (n, dimension); with hard negatives,
            theirs follow, pair by pair: shape (n + n * negatives, dimension).
        same: True for two pairs that share their query or code and so are no negatives of each
            other, bool, shape (n, n); false on the diagonal.
        scale: factor of the cosines.
        both: True where the entropy of the right query among all queries has the same weight; hard
            negatives have no part in it, since no query is right for them.
        absent: True for hard negatives that a pair lacks, bool, shape (n, negatives); None where
            there are no hard negatives.
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
