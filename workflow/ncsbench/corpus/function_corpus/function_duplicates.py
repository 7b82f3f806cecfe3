"""Decides which extracted functions are copies of another, are annotated, and stay.

Copies are found by all tokens, and near ones by identifiers, as CodeSearchNet removed them with
dpu_utils (its ``process.py``; DEV-133): exact copies, then near ones by Allamanis, of whose
clusters one function stays. Here the choice of that function does not depend on chance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables
from ncsbench.code.functions.registry import find_language
from ncsbench.corpus.function_corpus.annotations import AnnotatedFunctions, Place
from ncsbench.corpus.function_corpus.corpus_options import DuplicateOptions
from ncsbench.corpus.function_corpus.function_schema import EXTRACTED_SCHEMA
from ncsbench.corpus.layout.documents import find_first_of_equal, hash_texts
from ncsbench.corpus.methods.near_join import Nearness, find_first_near
from ncsbench.corpus.methods.word_extraction import WordCollector

IDENTICAL, NEAR = "identical tokens", "near duplicate"
"""Reasons for which a function is removed, beside the unstated filter."""
_COLUMNS = [*Place._fields, "docstring_tokens", "code_tokens"]
_IDENTIFIER = re.compile(r"[^\W\d]\w*", re.ASCII)


@dataclass(frozen=True)
class Survey:
    """Decisions on each extracted function, by position; arrays have shape (functions,).

    Attributes:
        documented: bool; the function has documentation.
        kept: int64; the position of the function that represents it, its own where it stays.
        identical: bool; the function has the tokens of another one that is preferred.
        few: bool; the function is dropped by the unstated filter.
        unseen: bool; the function is annotated, shares lines with an annotated one, or is a copy
            of one.
    """

    documented: NDArray[np.bool_]
    kept: NDArray[np.int64]
    identical: NDArray[np.bool_]
    few: NDArray[np.bool_]
    unseen: NDArray[np.bool_]

    @property
    def stays(self) -> NDArray[np.bool_]:
        """Bool, True for functions that the corpus has."""
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
        options: thresholds from which two functions are copies.
    """
    keywords = find_language(language).keywords
    collector = WordCollector(
        lambda word: [word] if _IDENTIFIER.fullmatch(word) and word not in keywords else []
    )
    hashes = [np.zeros(0, "S16")]
    places = AnnotatedFunctions(annotated)
    orders = [np.zeros(0, np.int64)]
    flags = [np.zeros((3, 0), bool)]
    for path in extracted:
        for table in iterate_tables(path, EXTRACTED_SCHEMA, _COLUMNS):
            if options.kept == "one":
                tokens = table["code_tokens"].combine_chunks()
                owners = np.repeat(np.arange(len(tokens)), tokens.value_lengths().to_numpy())
                collector.add(tokens.flatten(), owners, len(tokens))
                hashes.append(hash_texts(pc.binary_join(tokens, " ").to_pylist()))
            repos = table["repo"].to_pylist()
            orders.append(np.array([ranks.get(repo, len(ranks)) for repo in repos], np.int64))
            flags.append(np.stack([has_tokens(table, 1), *places.find(table)]))
    told, is_exact, is_shared = np.concatenate(flags, axis=1)
    own = np.arange(len(told))
    if options.kept == "all":
        none = np.zeros(len(own), bool)
        return Survey(told, own, none, none, is_shared)
    nearness = Nearness(options.set_jaccard, options.multiset_jaccard, options.minimum)
    bags = collector.finish()
    few = np.diff(bags.offsets) < options.minimum
    identical = find_first_of_equal(np.concatenate(hashes))
    # Those of too few identifiers are near to nothing, and yet copies of their like.
    near = np.where(few, identical, find_first_near(bags.offsets, bags.tokens, nearness))
    order = np.concatenate(orders)
    seen_in = np.zeros(len(own), bool)
    seen_in[near[is_shared]] = True
    return Survey(
        documented=told,
        kept=choose_kept(near, order, is_exact),
        identical=choose_kept(identical, order, is_exact) != own,
        few=few & ~is_exact if options.fewer == "as_released" else np.zeros(len(own), bool),
        unseen=is_shared | seen_in[near],
    )


def has_tokens(table: pa.Table, least: int) -> NDArray[np.bool_]:
    """Say of each function whether its documentation has at least so many tokens."""
    lengths = pc.list_value_length(table["docstring_tokens"]).to_numpy()
    enough: NDArray[np.bool_] = lengths >= least
    return enough


def choose_kept(
    clusters: NDArray[np.int64], order: NDArray[np.int64], always: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Position of the function that represents each one: its own where it stays.

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
