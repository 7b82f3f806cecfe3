"""NCS with the six rules of post-ranking (NCS paper, section 5.2).

The base's best methods are ordered by these rules, the last one being the most important:

1. the method has at least 3 lines;
2. it has at least 10 tokens;
3. it has at least n - 1 of the n distinct words of the query;
4. it has all n words;
5. it has at least m - 1 of the m distinct unsplit tokens of the query;
6. it has all m tokens.

The paper gives no weights: methods are ordered by (r6, r5, r4, r3, r2, r1, cosine), descending,
which is the result of six stable sorts in ascending importance (DEV-19). The n words are those of
the pre-processed query, so without stop words. The m tokens are those of the original query, stop
words included, and are looked for in the text of the method (DEV-84). Where the base expands
queries, the rules look at the query as it was asked (DEV-60).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.base.text.words import split_tokens, split_words
from ncsbench.corpus.indexes.top_results import (
    Ranking,
    check_depth,
    collect_run,
    split_run,
    take_top,
)
from ncsbench.corpus.layout.documents import Documents, MethodTexts, TokenLists
from ncsbench.errors import ConfigurationError
from ncsbench.rankers.corpus_ranker import BasedRanker
from ncsbench.rankers.lexical.order_options import PostRankOptions
from ncsbench.rankers.protocol import Ranker

_COLUMNS = ["class_name", "comment", "code"]
_BATCH = 20_000
RULES = 6

_STEP = 4.0


class PostRank(BasedRanker, kind="ncs_postrank", options=PostRankOptions):
    """The base's candidates ordered by six rules, with the scores of ``score_rules``.

    Two cosines that differ by less than 2^-44 count as equal. The text of the candidates is read
    from the corpus during the search.
    """

    _options: PostRankOptions

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the ``k`` best of the base's candidates, ordered by the rules."""
        check_depth(k)
        candidates = split_run(self._base.search(queries, k=self._options.depth))
        asked = {query.query_id: query.text for query in queries}
        wanted = {token for row in candidates for token in self._split_unsplit(asked[row])}
        methods = {method for ids, _ in candidates.values() for method in ids.tolist()}
        tokens = self._find_tokens(sorted(methods), wanted)
        return collect_run(
            (row, self._reorder(asked[row], tokens, ranking, k))
            for row, ranking in candidates.items()
        )

    def _attach(self, corpus: Documents) -> None:
        if self._options.unsplit_in == "text" and corpus.methods is None:
            raise ConfigurationError(
                "ncs_postrank: needs the text of the methods; give the model file a line "
                "'source_text: true', or the option 'unsplit_in: identifiers'"
            )
        super()._attach(corpus)
        self._stop_words = frozenset(self._options.stop_words)
        self._word_ids = {word: i for i, word in enumerate(corpus.words.vocabulary)}

    def _split_unsplit(self, text: str) -> set[str]:
        """Return the m distinct unsplit tokens of a query."""
        tokens = set(split_tokens(text))
        return tokens if self._options.unsplit_counts == "all" else tokens - self._stop_words

    def _reorder(
        self, text: str, tokens: Mapping[int, set[str]], ranking: Ranking, k: int
    ) -> Ranking:
        ids, cosines = ranking
        words = set(split_words(text)) - self._stop_words
        words_missing = _count_missing(words, self._word_ids, self._corpus.words, ids)
        unsplit = self._split_unsplit(text)
        missing = (len(unsplit - tokens[method]) for method in ids.tolist())
        tokens_missing = np.fromiter(missing, dtype=np.int64, count=len(ids))
        offsets = self._corpus.words.offsets
        counts = self._corpus.token_counts[ids]
        if self._options.rule_2_tokens == "words":
            counts = offsets[ids + 1] - offsets[ids]
        rules = (
            self._corpus.lines[ids] >= 3,
            counts >= 10,
            words_missing <= 1,
            words_missing == 0,
            tokens_missing <= 1,
            tokens_missing == 0,
        )
        return take_top(ids, score_rules(rules, cosines), k=k)

    def _find_tokens(self, methods: list[int], wanted: set[str]) -> dict[int, set[str]]:
        """Return the wanted unsplit tokens that each method has."""
        if self._options.unsplit_in == "text" and self._corpus.methods is not None:
            return _read_tokens(self._corpus.methods, methods, wanted)
        lists = self._corpus.identifiers
        return {
            method: wanted.intersection(lists.vocabulary[i] for i in lists[method].tolist())
            for method in methods
        }


def _read_tokens(corpus: MethodTexts, methods: list[int], wanted: set[str]) -> dict[int, set[str]]:
    """Return the wanted tokens that the comment, the code or the class name of each method has.

    The class name is included since in the paper it belongs to the name of the method.
    """
    found = {}
    # In batches: the candidates of many queries together may be the whole corpus.
    for start in range(0, len(methods), _BATCH):
        rows = corpus.read_methods(methods[start : start + _BATCH], _COLUMNS)
        for method, row in rows.items():
            text = "\n".join(row[name] or "" for name in _COLUMNS)
            found[method] = wanted.intersection(split_tokens(text))
    return found


def _count_missing(
    wanted: set[str], known: Mapping[str, int], lists: TokenLists, methods: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the wanted words that each method lacks; 0 for every method where no word is wanted.

    A word that the whole corpus lacks is wanted, too, although no method can have it.
    """
    found = {known[term] for term in wanted if term in known}
    missing = (len(wanted) - len(found.intersection(lists[m].tolist())) for m in methods.tolist())
    return np.fromiter(missing, dtype=np.int64, count=len(methods))


def score_rules(
    rules: Sequence[NDArray[np.bool_]], cosines: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return 4 * (the rules as a binary number, the last rule highest) + cosine, float64.

    A cosine lies in [-1, 1], so that it never outweighs a rule.

    Args:
        rules: ``RULES`` arrays, in ascending importance, shape (methods,) each.
        cosines: cosines of methods and query, shape (methods,).
    """
    held = np.zeros(len(cosines), dtype=np.int64)
    for bit, rule in enumerate(rules):
        held |= rule.astype(np.int64) << bit
    scores: NDArray[np.float64] = _STEP * held + cosines
    return scores


RANKER: type[Ranker] = PostRank
