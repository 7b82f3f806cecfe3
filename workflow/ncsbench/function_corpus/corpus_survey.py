"""The first pass over extracted functions: which are copies, which are annotated, which stay."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.corpus.near_join import Nearness
from ncsbench.function_corpus.corpus_options import DuplicateOptions
from ncsbench.function_corpus.function_duplicates import TokenBags, choose_kept
from ncsbench.function_corpus.function_schema import EXTRACTED_SCHEMA
from ncsbench.function_corpus.unseen_functions import AnnotatedFunctions, Place
from ncsbench.functions.registry import find_language

IDENTICAL, NEAR = "identical tokens", "near duplicate"
"""Why a function is removed, beside the unstated filter."""
_COLUMNS = [*Place._fields, "docstring_tokens", "code_tokens"]


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
    keep_annotated: bool,
    options: DuplicateOptions,
) -> Survey:
    """Read all functions once and decide which stay.

    Args:
        extracted: shards in order (``EXTRACTED_SCHEMA``).
        language: its keywords are no identifiers.
        ranks: of repositories; of copies the one of the lowest stays. One without comes last.
        annotated: places of functions that training may not see.
        keep_annotated: whether these stay, and are preferred to their copies.
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
    always = is_exact if keep_annotated else np.zeros(len(own), bool)
    seen_in = np.zeros(len(own), bool)
    seen_in[clusters.near[is_shared]] = True
    few = clusters.identifiers < options.minimum
    return Survey(
        documented=told,
        kept=choose_kept(clusters.near, order, always),
        identical=choose_kept(clusters.identical, order, always) != own,
        few=few & ~always if options.fewer == "as_released" else np.zeros(len(own), bool),
        unseen=is_shared | seen_in[clusters.near],
    )


def has_tokens(table: pa.Table, least: int) -> NDArray[np.bool_]:
    """Whether the documentation of functions has at least so many tokens."""
    lengths = pc.list_value_length(table["docstring_tokens"]).to_numpy()
    enough: NDArray[np.bool_] = lengths >= least
    return enough
