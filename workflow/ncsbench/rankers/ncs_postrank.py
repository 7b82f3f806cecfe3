"""NCS with the six rules of post-ranking (NCS paper, section 5.2).

Of the base's best methods, those move up for which a rule holds, in ascending importance:

1. the method has at least 3 lines;
2. it has at least 10 tokens;
3. it has at least n - 1 of the n distinct words of the query;
4. it has all n;
5. it has at least m - 1 of the m distinct tokens of the query, unsplit;
6. it has all m.

The paper gives no weights: methods are ordered by (r6, r5, r4, r3, r2, r1, cosine), descending,
which is what six stable sorts in ascending importance give (DEV-19). The n words are those of the
pre-processed query, so without stop words; the m tokens those of the original query, with them, and
are looked for in the text of the method (DEV-84). Where the base expands queries, the rules look
at the query as it was asked (DEV-60).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents, MethodTexts, TokenLists
from ncsbench.errors import ConfigurationError
from ncsbench.indexes.top_results import Ranking, check_depth, collect_run, split_run, take_top
from ncsbench.rankers.order_options import PostRankOptions
from ncsbench.rankers.postrank_rules import score_rules
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.runs.rankings import Query, Run
from ncsbench.text.words import split_tokens, split_words

_COLUMNS = ["class_name", "comment", "code"]
_BATCH = 20_000


class PostRank:
    """The base's candidates by six rules, scored as ``postrank_rules.score_rules`` says.

    Two cosines closer than 2^-44 count as equal. It has no index of its own: ``save`` and ``load``
    are the base's, and an index that the base wrote can be loaded. The text of the candidates is
    read from the corpus when they are searched for.
    """

    options_type: ClassVar[type[RankerOptions]] = PostRankOptions

    def __init__(self, *, options: Mapping[str, Any], base: Ranker | None, seed: int) -> None:
        if base is None:
            raise ValueError("ncs_postrank needs a base")
        self._options = PostRankOptions.parse(options, where="ncs_postrank")
        self._stop_words = frozenset(self._options.stop_words)
        self._base = base
        self._corpus: Documents | None = None

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the base."""
        self._base.fit(corpus=corpus, **inputs)
        self._attach(corpus)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The ``k`` best of the base's candidates after the rules."""
        check_depth(k)
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        candidates = split_run(self._base.search(queries, k=self._options.depth))
        asked = {query.query_id: query.text for query in queries}
        wanted = {token for row in candidates for token in self._split_unsplit(asked[row])}
        methods = {method for ids, _ in candidates.values() for method in ids.tolist()}
        tokens = self._find_tokens(self._corpus, sorted(methods), wanted)
        return collect_run(
            (row, self._reorder(asked[row], tokens, ranking, k, self._corpus))
            for row, ranking in candidates.items()
        )

    def save(self, folder: Path) -> None:
        """Write the base's index."""
        self._base.save(folder)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the base's index."""
        self._base.load(folder, corpus=corpus)
        self._attach(corpus)

    def _attach(self, corpus: Documents) -> None:
        if self._options.unsplit_in == "text" and corpus.methods is None:
            raise ConfigurationError(
                "ncs_postrank: needs the text of the methods; give the model file a line "
                "'source_text: true', or the option 'unsplit_in: identifiers'"
            )
        self._word_ids = {word: i for i, word in enumerate(corpus.words.vocabulary)}
        self._corpus = corpus

    def _split_unsplit(self, text: str) -> set[str]:
        """The m tokens of a query."""
        tokens = set(split_tokens(text))
        return tokens if self._options.unsplit_counts == "all" else tokens - self._stop_words

    def _reorder(
        self,
        text: str,
        tokens: Mapping[int, set[str]],
        ranking: Ranking,
        k: int,
        corpus: Documents,
    ) -> Ranking:
        ids, cosines = ranking
        words = set(split_words(text)) - self._stop_words
        words_missing = _count_missing(words, self._word_ids, corpus.words, ids)
        unsplit = self._split_unsplit(text)
        missing = (len(unsplit - tokens[method]) for method in ids.tolist())
        tokens_missing = np.fromiter(missing, dtype=np.int64, count=len(ids))
        rules = (
            corpus.lines[ids] >= 3,
            self._token_counts(corpus, ids) >= 10,
            words_missing <= 1,
            words_missing == 0,
            tokens_missing <= 1,
            tokens_missing == 0,
        )
        return take_top(ids, score_rules(rules, cosines), k=k)

    def _token_counts(self, corpus: Documents, ids: NDArray[np.int64]) -> NDArray[np.integer]:
        if self._options.rule_2_tokens == "lexer":
            return corpus.token_counts[ids]
        return corpus.words.offsets[ids + 1] - corpus.words.offsets[ids]

    def _find_tokens(
        self, corpus: Documents, methods: list[int], wanted: set[str]
    ) -> dict[int, set[str]]:
        """Which of the wanted unsplit tokens each method has."""
        if self._options.unsplit_in == "text" and corpus.methods is not None:
            return _read_tokens(corpus.methods, methods, wanted)
        lists = corpus.identifiers
        return {
            method: wanted.intersection(lists.vocabulary[i] for i in lists[method].tolist())
            for method in methods
        }


def _read_tokens(corpus: MethodTexts, methods: list[int], wanted: set[str]) -> dict[int, set[str]]:
    """Which of the wanted tokens stand in the comment, the code or the class name of each method.

    The class name is looked at too: for the paper it belongs to the name of the method.
    """
    found = {}
    # In batches: the text of all candidates of many queries may be that of the whole corpus.
    for start in range(0, len(methods), _BATCH):
        rows = corpus.read_methods(methods[start : start + _BATCH], _COLUMNS)
        for method, row in rows.items():
            text = "\n".join(row[name] or "" for name in _COLUMNS)
            found[method] = wanted.intersection(split_tokens(text))
    return found


def _count_missing(
    wanted: set[str], known: Mapping[str, int], lists: TokenLists, methods: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many of the wanted words each method lacks; 0 throughout where none is wanted.

    A word that the whole corpus lacks counts as wanted: no method can have it.
    """
    found = {known[term] for term in wanted if term in known}
    missing = (len(wanted) - len(found.intersection(lists[m].tolist())) for m in methods.tolist())
    return np.fromiter(missing, dtype=np.int64, count=len(methods))


RANKER: type[Ranker] = PostRank
