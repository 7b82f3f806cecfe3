"""Which extracted functions are copies of another, which are annotated, and which stay.

Copies are found by all tokens, and near ones by identifiers, as CodeSearchNet removed them with
dpu_utils (its ``process.py``; DEV-133): exact copies, then near ones by Allamanis, of whose
clusters one function stays. Here that one does not depend on chance.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.corpus.documents import find_first_of_equal
from ncsbench.corpus.near_join import Nearness, find_first_near
from ncsbench.function_corpus.annotations import AnnotatedFunctions, Place
from ncsbench.function_corpus.corpus_options import DuplicateOptions
from ncsbench.function_corpus.function_schema import EXTRACTED_SCHEMA
from ncsbench.functions.registry import find_language

IDENTICAL, NEAR = "identical tokens", "near duplicate"
"""Why a function is removed, beside the unstated filter."""
_COLUMNS = [*Place._fields, "docstring_tokens", "code_tokens"]
_IDENTIFIER = re.compile(r"[^\W\d]\w*", re.ASCII)


@dataclass(frozen=True)
class Survey:
    """What is to become of each extracted function, by position; arrays have shape (functions,).

    Attributes:
        documented: bool; it has documentation.
        kept: int64; the function that stands for it, its own position where it is the one.
        identical: bool; it has the tokens of another that is preferred.
        few: bool; it is dropped by the unstated filter.
        unseen: bool; it is annotated, shares lines with such a one, or is a copy of one.
    """

    documented: NDArray[np.bool_]
    kept: NDArray[np.int64]
    identical: NDArray[np.bool_]
    few: NDArray[np.bool_]
    unseen: NDArray[np.bool_]

    @property
    def stays(self) -> NDArray[np.bool_]:
        """Whether the corpus has the function."""
        stays: NDArray[np.bool_] = (self.kept == np.arange(len(self.kept))) & ~self.few
        return stays


def survey_functions(
    extracted: Sequence[Path],
    *,
    language: str,
    ranks: Mapping[str, int],
    annotated: Sequence[Place],
    options: DuplicateOptions,
) -> Survey:
    """Read all functions once and decide which stay.

    Args:
        extracted: shards in order (``EXTRACTED_SCHEMA``).
        language: its keywords are no identifiers.
        ranks: of repositories; of copies the one of the lowest stays. One without comes last.
        annotated: places of functions that training may not see; they stay, and are preferred to
            their copies.
        options: when two functions are copies.
    """
    bags = TokenBags(find_language(language).keywords)
    places = AnnotatedFunctions(annotated)
    orders, documented = array("q"), bytearray()
    exact, shared = bytearray(), bytearray()
    for path in extracted:
        for table in iterate_tables(path, EXTRACTED_SCHEMA, _COLUMNS):
            if options.kept == "one":
                bags.add(table["code_tokens"].combine_chunks())
            orders.extend([ranks.get(repo, len(ranks)) for repo in table["repo"].to_pylist()])
            documented += has_tokens(table, 1).tobytes()
            found = places.find(table)
            exact += found[0].tobytes()
            shared += found[1].tobytes()
    own = np.arange(len(documented))
    is_exact, is_shared = (np.frombuffer(bytes(flags), bool) for flags in (exact, shared))
    told = np.frombuffer(bytes(documented), bool)
    if options.kept == "all":
        none = np.zeros(len(own), bool)
        return Survey(told, own, none, none, is_shared)
    clusters = bags.cluster(
        Nearness(options.set_jaccard, options.multiset_jaccard, options.minimum)
    )
    order = np.frombuffer(bytes(orders), np.int64)
    seen_in = np.zeros(len(own), bool)
    seen_in[clusters.near[is_shared]] = True
    few = clusters.identifiers < options.minimum
    return Survey(
        documented=told,
        kept=choose_kept(clusters.near, order, is_exact),
        identical=choose_kept(clusters.identical, order, is_exact) != own,
        few=few & ~is_exact if options.fewer == "as_released" else np.zeros(len(own), bool),
        unseen=is_shared | seen_in[clusters.near],
    )


def has_tokens(table: pa.Table, least: int) -> NDArray[np.bool_]:
    """Whether the documentation of functions has at least so many tokens."""
    lengths = pc.list_value_length(table["docstring_tokens"]).to_numpy()
    enough: NDArray[np.bool_] = lengths >= least
    return enough


@dataclass(frozen=True)
class Clusters:
    """Copies among functions, by position.

    Attributes:
        identical: int64, shape (functions,); the first function with the same tokens.
        near: int64, likewise; the first of the cluster of near ones, before any is removed.
        identifiers: int64, likewise; how many identifiers a function has, repetitions counted.
    """

    identical: NDArray[np.int64]
    near: NDArray[np.int64]
    identifiers: NDArray[np.int64]


class TokenBags:
    """Identifiers of functions as numbers; of the words themselves each distinct one is held once.

    For two million functions these are about 100 million numbers.
    """

    def __init__(self, keywords: Collection[str]) -> None:
        """Begin without functions.

        Args:
            keywords: identifiers that do not count.
        """
        self._keywords = frozenset(keywords)
        self._numbers: dict[str, int] = {}
        self._tokens = array("i")
        self._sizes = array("q")
        self._hashes = array("Q")

    def add(self, lists: pa.ListArray) -> None:
        """Take in the tokens of functions, in the order of their positions."""
        values = lists.flatten().dictionary_encode()
        words = values.dictionary.to_pylist()
        numbers = np.array([self._number(word) for word in words], np.int32)
        tokens = numbers[values.indices.to_numpy()] if words else numbers
        owners = np.repeat(np.arange(len(lists)), pc.list_value_length(lists).to_numpy())
        counted = tokens >= 0
        self._tokens.frombytes(tokens[counted].tobytes())
        sizes = np.bincount(owners[counted], minlength=len(lists))
        self._sizes.frombytes(sizes.astype(np.int64).tobytes())
        for text in pc.binary_join(lists, " ").to_pylist():
            digest = blake2b(text.encode(), digest_size=8).digest()
            self._hashes.frombytes(digest)

    def cluster(self, nearness: Nearness) -> Clusters:
        """Find the copies among all functions that were added."""
        sizes = np.frombuffer(self._sizes, np.int64)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        hashes = np.frombuffer(self._hashes, np.uint64)
        identical = find_first_of_equal(hashes)
        tokens = np.frombuffer(self._tokens, np.int32)
        near = find_first_near(offsets, tokens, nearness)
        # Those of too few identifiers are near to nothing, and yet copies of their like.
        return Clusters(identical, np.where(sizes < nearness.minimum, identical, near), sizes)

    def _number(self, word: str) -> int:
        if _IDENTIFIER.fullmatch(word) is None or word in self._keywords:
            return -1
        return self._numbers.setdefault(word, len(self._numbers))


def choose_kept(
    clusters: NDArray[np.int64], order: NDArray[np.int64], always: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Position of the function that stands for each one: its own where it stays.

    Args:
        clusters: int64, shape (functions,); equal for the functions of a cluster.
        order: int64, likewise; which function is preferred: the lowest, of equal ones the first.
        always: bool, likewise; these are preferred to all others, and each of them stays.

    Returns:
        int64, shape (functions,).
    """
    count = len(clusters)
    preferred = np.lexsort((np.arange(count), order, ~always))
    places = np.empty(count, np.int64)
    places[preferred] = np.arange(count)
    best = np.full(count, count, np.int64)
    np.minimum.at(best, clusters, places)
    kept = preferred[best[clusters]] if count else clusters
    return np.where(always, np.arange(count), kept)
