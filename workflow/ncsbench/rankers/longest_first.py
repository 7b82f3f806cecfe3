"""Length baseline: another model's candidates, the longest first.

How much of a score is due to length alone: this ranking uses the words only to choose candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.indexes.top_results import check_depth, collect_run, split_run, take_top
from ncsbench.rankers.order_options import LongestFirstOptions
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.runs.rankings import Query, Run


class LongestFirst:
    """The base's candidates by lines, descending; the score is the number of lines.

    It has no index of its own: ``save`` and ``load`` are the base's, and an index that the base
    wrote can be loaded.
    """

    options_type: ClassVar[type[RankerOptions]] = LongestFirstOptions

    def __init__(self, *, options: Mapping[str, Any], base: Ranker | None, seed: int) -> None:
        if base is None:
            raise ValueError("longest_first needs a base")
        self._options = LongestFirstOptions.parse(options, where="longest_first")
        self._base = base
        self._lines: NDArray[np.int32] = np.zeros(0, np.int32)

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the base."""
        self._base.fit(corpus=corpus, **inputs)
        self._lines = corpus.lines

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The ``k`` longest of the base's candidates."""
        check_depth(k)
        candidates = split_run(self._base.search(queries, k=self._options.candidates))
        return collect_run(
            (row, take_top(ids, self._lines[ids].astype(np.float64), k=k))
            for row, (ids, _) in candidates.items()
        )

    def save(self, folder: Path) -> None:
        """Write the base's index."""
        self._base.save(folder)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the base's index."""
        self._base.load(folder, corpus=corpus)
        self._lines = corpus.lines


RANKER: type[Ranker] = LongestFirst
