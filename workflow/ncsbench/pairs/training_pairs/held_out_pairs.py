"""The choice of training pairs that are held out to decide when a training stops (DEV-160).

Pairs are held out by their query, as for UNIF: the choice depends neither on a seed nor on the
order of the pairs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from ncsbench.code.functions.function_texts import tokenize_docstring
from ncsbench.pairs.training_pairs.pair_options import HeldOutOptions
from ncsbench.pairs.training_pairs.pair_schema import iterate_pairs

_BYTES = 16  # Bytes of a digest, enough that no two texts share one.


class PairParts:
    """The pairs that are trained on, and the pairs that are held out.

    Where more than half of the queries would be held out, no query is held out.

    Args:
        paths: Parquet files of ``PAIR_SCHEMA``.
        options: numbers of held-out queries.

    Attributes:
        digest: digest of all pairs.
    """

    def __init__(self, paths: Sequence[Path], options: HeldOutOptions) -> None:
        every, queries = hashlib.sha256(), set()
        for query, code in _iterate_digests(paths):
            every.update(query + code)
            queries.add(query)
        self.digest = every.hexdigest()
        wanted = round(options.held_out * len(queries))
        wanted = min(max(wanted, options.minimum_held_out), options.maximum_held_out)
        if len(queries) < 2 * wanted:
            wanted = 0
        self._held_out = set(sorted(queries)[:wanted])
        self._trained = {
            code for query, code in _iterate_digests(paths) if query not in self._held_out
        }

    def find(self, query: str, code: str) -> str | None:
        """Return the part of a pair; None for held-out code that is trained with another query."""
        if _hash_query(query) not in self._held_out:
            return "train"
        return None if _hash_code(code) in self._trained else "valid"


def _iterate_digests(paths: Sequence[Path]) -> Iterator[tuple[bytes, bytes]]:
    for query, code in iterate_pairs(paths, "query", "code"):
        yield _hash_query(query), _hash_code(code)


def _hash_query(text: str) -> bytes:
    """Return a hash that is equal for queries with the same words in any order."""
    return _hash(" ".join(sorted(tokenize_docstring(text.lower()))))


def _hash_code(text: str) -> bytes:
    """Return a hash that is equal for code that differs in white space alone."""
    return _hash(" ".join(text.split()))


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()
