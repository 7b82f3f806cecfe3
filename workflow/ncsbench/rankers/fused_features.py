"""What is known of a query and its candidates, as numbers: docs/ranker-parts.md has a table.

Of the parts four are asked for more than their rankings: those that are called ``bm25f``, ``unif``,
``translation`` and ``translation_memory``. The features of one that is missing are missing too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.indexes.token_rows import gather_tokens
from ncsbench.rankers.bm25f import BM25F
from ncsbench.rankers.fused_candidates import Candidates, collect_candidates
from ncsbench.rankers.fused_options import FusedOptions
from ncsbench.rankers.partial_search import PartialRanker
from ncsbench.rankers.protocol import Ranker
from ncsbench.rankers.translation import TranslationRanker
from ncsbench.rankers.translation_memory import TranslationMemoryRanker
from ncsbench.rankers.unif import UNIF

Floats = NDArray[np.float64]
Columns = dict[str, Floats]
_Scorer = BM25F | UNIF | TranslationRanker | TranslationMemoryRanker


def find_scorers(parts: Mapping[str, Ranker]) -> dict[str, Ranker]:
    """The parts that score any method, by name, also those that search a part of the corpus."""
    found = {}
    for name in FusedOptions.parts_by_kind:
        part = parts.get(name)
        if isinstance(part, PartialRanker):
            part = part.ranker
        if part is not None:
            found[name] = part
    return found


class FeatureReader:
    """Reads the features of candidates of one corpus.

    Attributes:
        names: of the features, in the order of their columns.
        groups: the group of each by name, in the same order.
    """

    def __init__(
        self,
        parts: Mapping[str, Ranker],
        *,
        corpus: Documents,
        copies: NDArray[np.int64],
        options: FusedOptions,
    ) -> None:
        """Take what candidates are looked up in.

        Args:
            parts: ready to search, in the order of the columns of candidates.
            corpus: the corpus of the whole.
            copies: how many methods have the same words, at least 1, shape (methods,).
            options: of the whole.
        """
        scorers = find_scorers(parts)
        self._part_names = list(parts)
        self._scorers = cast("dict[str, _Scorer]", scorers)
        self._fields = cast("BM25F | None", scorers.get("bm25f"))
        self._vectors = cast("UNIF | None", scorers.get("unif"))
        self._translation = cast("TranslationRanker | None", scorers.get("translation"))
        self._memory = cast("TranslationMemoryRanker | None", scorers.get("translation_memory"))
        self._identifiers = corpus.identifiers
        self._names = pa.array(corpus.identifiers.vocabulary, pa.string())
        self._copies, self._options = copies, options
        nothing = collect_candidates([np.zeros(0, np.int64)] * len(parts), k=1)
        read = self._read_groups("", nothing)
        self.groups = {name: group for group, columns in read for name in columns}
        self.names = tuple(self.groups)

    def read(self, text: str, candidates: Candidates) -> NDArray[np.float32]:
        """Features of the candidates of a query, float32, shape (candidates, features), finite."""
        columns = [
            column for _, group in self._read_groups(text, candidates) for column in group.values()
        ]
        return np.stack(columns, axis=1).astype(np.float32)

    def _read_groups(self, text: str, candidates: Candidates) -> list[tuple[str, Columns]]:
        words = list(dict.fromkeys(self._options.split_query(text)))
        weights = np.array([self._weigh(word) for word in words], dtype=np.float64)
        methods = candidates.methods
        shares = self._cover(text, methods)
        groups: dict[str, Callable[[], Columns]] = {
            "ranks": lambda: self._read_ranks(text, candidates),
            "coverage": lambda: self._read_coverage(shares, words, weights, methods),
            "identifiers": lambda: self._read_identifiers(shares, words, methods),
            "late_interaction": lambda: self._read_words(words, methods),
            "agreement": lambda: self._read_agreement(candidates),
            "size": lambda: self._read_size(words, methods),
            "memory": lambda: self._read_memory(text, methods),
            "query": lambda: {
                "query_words": np.full(len(methods), float(len(words))),
                "query_idf": np.full(len(methods), _mean(weights)),
            },
        }
        return [(name, read()) for name, read in groups.items()]

    def _weigh(self, word: str) -> float:
        return 1.0 if self._fields is None else self._fields.find_idf(word)

    def _read_ranks(self, text: str, candidates: Candidates) -> Columns:
        columns = {}
        for part, name in enumerate(self._part_names):
            columns[f"{name}_rank"] = candidates.shares[:, part]
        for name, scorer in self._scorers.items():
            scores = scorer.score_methods(text, candidates.methods)
            columns |= {f"{name}_score": scores, f"{name}_standardised": _standardise(scores)}
        columns["found_by"] = np.count_nonzero(candidates.ranks, axis=1).astype(np.float64)
        columns["fusion"] = candidates.fusion
        return columns

    def _cover(self, text: str, methods: NDArray[np.int64]) -> Columns:
        if self._fields is None:
            return {}
        shares = self._fields.cover(text, methods)
        return {name: shares[:, column] for column, name in enumerate(self._fields.fields)}

    def _read_coverage(
        self, shares: Columns, words: list[str], weights: Floats, methods: NDArray[np.int64]
    ) -> Columns:
        columns = {f"covered_{name}": one for name, one in shares.items() if name != "unsplit"}
        if self._fields is not None:
            held = self._fields.hold(words, methods)
            columns["covered"] = _average(held, weights)
            columns["words_missing"] = np.count_nonzero(~held, axis=1).astype(np.float64)
        if self._translation is not None:
            held = self._translation.hold(words, methods)
            columns["covered_translated"] = _average(held, weights)
        return columns

    def _read_identifiers(
        self, shares: Columns, words: list[str], methods: NDArray[np.int64]
    ) -> Columns:
        columns = {f"covered_{name}": one for name, one in shares.items() if name == "unsplit"}
        rows, tokens = gather_tokens(self._identifiers, methods)
        distinct, places = np.unique(tokens, return_inverse=True)
        names = self._names.take(pa.array(distinct))

        def find(part: str) -> NDArray[np.bool_]:
            """Which of the identifiers, one list after the other, have a text within."""
            found = pc.match_substring(names, part).to_numpy(zero_copy_only=False)
            return np.asarray(found.astype(np.bool_)[places])

        pairs = [first + second for first, second in pairwise(words)]
        joined = np.zeros((len(methods), len(pairs)), dtype=np.bool_)
        for column, pair in enumerate(pairs):
            joined[rows[find(pair)], column] = True
        columns["pairs_joined"] = _average(joined, np.ones(len(pairs)))
        within = np.zeros(len(tokens), dtype=np.float64)
        for word in words:
            within += find(word)
        columns["words_in_identifier"] = np.zeros(len(methods), dtype=np.float64)
        np.maximum.at(columns["words_in_identifier"], rows, within / max(len(words), 1))
        return columns

    def _read_words(self, words: list[str], methods: NDArray[np.int64]) -> Columns:
        if self._vectors is None:
            return {}
        known, best = self._vectors.compare_words(words, methods)
        weights = np.array([self._weigh(word) for word in known], dtype=np.float64)
        return {
            "word_cosine_mean": _average(best, np.ones(len(known))),
            "word_cosine_weighted": _average(best, weights),
            "word_cosine_least": best.min(axis=1) if known else np.zeros(len(methods)),
        }

    def _read_agreement(self, candidates: Candidates) -> Columns:
        columns: Columns = {}
        if self._vectors is not None:
            order = np.lexsort((candidates.methods, -candidates.fusion))[: self._options.centroid]
            vectors = self._vectors.find_vectors(candidates.methods).astype(np.float64)
            mean = vectors[order].sum(axis=0)
            length = np.sqrt((mean * mean).sum())
            columns["centroid"] = (vectors * (mean / length if length > 0 else mean)).sum(axis=1)
        columns["copies"] = np.log(self._copies[candidates.methods])
        return columns

    def _read_size(self, words: list[str], methods: NDArray[np.int64]) -> Columns:
        if self._translation is None:
            return {}
        sizes = np.log1p(self._translation.count_words(methods))
        return {"size_fit": -np.abs(sizes - self._translation.predict_size(words))}

    def _read_memory(self, text: str, methods: NDArray[np.int64]) -> Columns:
        if self._memory is None:
            return {}
        return {
            "memory_covered": self._memory.cover(text, methods),
            "memory_nearest": np.full(len(methods), self._memory.find_nearest(text)),
        }


def _average(values: NDArray[np.bool_] | Floats, weights: Floats) -> Floats:
    """Weighted means of rows; 0 without columns, or with no weight."""
    total = weights.sum()
    if not total > 0:
        return np.zeros(len(values), dtype=np.float64)
    return np.asarray((values * weights).sum(axis=1) / total)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0


def _standardise(scores: Floats) -> Floats:
    """Scores less their mean, by their standard deviation; 0 where all are the same."""
    if not len(scores) or scores.min() == scores.max():
        return np.zeros(len(scores), dtype=np.float64)
    return np.asarray((scores - scores.mean()) / scores.std())
