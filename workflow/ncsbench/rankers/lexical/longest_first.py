"""Length baseline: another model's candidates, the longest first.

It shows how much of a score is due to length alone: words only choose the candidates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.top_results import check_depth, collect_run, split_run, take_top
from ncsbench.rankers.corpus_ranker import BasedRanker
from ncsbench.rankers.lexical.order_options import LongestFirstOptions
from ncsbench.rankers.protocol import Ranker


class LongestFirst(BasedRanker, kind="longest_first", options=LongestFirstOptions):
    """The base's candidates by number of lines, descending; this number is the score."""

    _options: LongestFirstOptions

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the ``k`` longest of the base's candidates."""
        check_depth(k)
        lines = self._corpus.lines
        candidates = split_run(self._base.search(queries, k=self._options.candidates))
        return collect_run(
            (row, take_top(ids, lines[ids].astype(np.float64), k=k))
            for row, (ids, _) in candidates.items()
        )


RANKER: type[Ranker] = LongestFirst
