"""The table ``micro_benchmark.csv``: shares of methods that were found again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import format_number, name_cells, write_rows
from ncsbench.base.files.storage import read_table
from ncsbench.base.runs.rankings import Run, ranks_in_run
from ncsbench.base.runs.trec_files import read_run
from ncsbench.corpus.layout.documents import (
    TokenLists,
    find_first_of_equal,
    hash_texts,
    load_documents,
)
from ncsbench.errors import DataError
from ncsbench.evaluation.published.printed_figures import read_published_cells
from ncsbench.evaluation.statistics.intervals import wilson_interval
from ncsbench.evaluation.statistics.significance import LEVEL, Outcome
from ncsbench.studies.ncs_2018.micro_options import DEPTH, MicroTableSettings
from ncsbench.studies.ncs_2018.micro_queries import CHOICES, MICRO_QUERY_SCHEMA, SHARES

EQUAL_METHODS = ("found", "not_found")
"""Treatment of a method with the same words as the wanted method: it counts as found, or not
(DEV-95)."""
Setting = tuple[str, str, str]
"""Elements of ``CHOICES`` (of words), ``SHARES`` and ``EQUAL_METHODS``."""
FoundRanks = dict[Setting, NDArray[np.int32]]
"""First ranks of the wanted methods, from 1, 0 = not found, shape (methods drawn,), in the order of
methods."""


class FoundMethods:
    """The queries of a corpus, and the sets of its methods with the same words."""

    def __init__(self, *, words: Path, queries: Path) -> None:
        """Read the queries and find equal methods.

        Args:
            words: folder of the corpus as words.
            queries: table of ``MICRO_QUERY_SCHEMA``.
        """
        lists = load_documents(words).words
        table = read_table(queries, MICRO_QUERY_SCHEMA)
        self.methods = len(lists)
        self.queries = len(table) // (len(CHOICES) * len(SHARES))
        self._targets: NDArray[np.int64] = table["method"].to_numpy()
        self._first_equal = find_equal_methods(lists)

    def read_ranks(self, path: Path) -> FoundRanks:
        """Return the first ranks of the wanted methods in a run file."""
        run = read_run(path)
        targets = self._targets[run.query_ids - 1]
        hits = {
            "found": self._first_equal[run.ids] == self._first_equal[targets],
            "not_found": run.ids == targets,
        }
        first = {name: self._rank_first(run, hit) for name, hit in hits.items()}
        return {
            (choice, share, equal): first[equal][number]
            for number, (choice, share) in enumerate(product(CHOICES, SHARES))
            for equal in EQUAL_METHODS
        }

    def _rank_first(self, run: Run, hit: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the first ranks of results in ``hit``, shape (sets of queries, methods drawn)."""
        query_ids, positions = np.unique(run.query_ids[hit], return_index=True)
        ranks = np.zeros(len(self._targets), dtype=np.int32)
        ranks[query_ids - 1] = ranks_in_run(run)[hit][positions]
        return ranks.reshape(-1, self.queries)


def find_equal_methods(lists: TokenLists) -> NDArray[np.int64]:
    """Return the lowest id of the methods with the same words as each, in any order.

    The array is int64, shape (methods,).
    """
    sorted_words = (np.sort(lists[method]).tolist() for method in range(len(lists)))
    return find_first_of_equal(hash_texts(" ".join(map(str, words)) for words in sorted_words))


MEASURES = {"top_1": 1, "top_9": DEPTH}
"""The last rank that counts, by the name of the measure."""

_SETTING = ("query_words", "share_of", "equal_methods")
MICRO_COLUMNS = (
    *("dataset", "table", "row", "model", *_SETTING, "measure"),
    *("published", "value", "low", "high", "verdict", "queries", "methods"),
)
"""Columns of ``micro_benchmark.csv``, in order; figures are shares."""


def decide_verdict(found: int, asked: int, published: float, *, margin: float) -> Outcome:
    """Say whether the share of ``found`` is the published share, which has no interval (DEV-95).

    The verdict of two one-sided tests is ``equivalent`` where the whole 90 % interval lies within
    ``margin`` of the published share; else ``different`` where the 95 % interval does not contain
    the published share; else ``inconclusive``.
    """
    close = wilson_interval(found, asked, level=1 - 2 * LEVEL)
    if published - margin < close.low and close.high < published + margin:
        return "equivalent"
    wide = wilson_interval(found, asked, level=1 - LEVEL)
    return "inconclusive" if wide.low <= published <= wide.high else "different"


def write_micro_benchmark(
    settings: MicroTableSettings,
    words: Path,
    queries: Path,
    runs: Path,
    published: Path,
    output: Path,
) -> None:
    """Write Tables 2 to 5 of the NCS paper, with our figures beside the published ones.

    Args:
        settings: rows, margin and name of the dataset.
        words: folder of the corpus as words.
        queries: queries of the micro-benchmark as Parquet.
        runs: folder of the runs, ``<model>.trec``.
        published: file of the figures of the paper.
        output: CSV file to write.

    Raises:
        DataError: where a row or measure is not among the published figures.
    """
    shares = _read_shares(published)
    asked = FoundMethods(words=words, queries=queries)
    ranks = {row.model: asked.read_ranks(runs / f"{row.model}.trec") for row in settings.rows}
    rows: list[tuple[object, ...]] = []
    for row in settings.rows:
        for setting, measure, found in _iterate_cells(ranks[row.model]):
            if setting[0] != row.query_words:
                continue
            share = shares.get((row.table, row.row, measure))
            if share is None:
                raise DataError(
                    f"{published}: has no {measure} for {row.table}, {row.row}; "
                    "mend micro_benchmark.rows of the configuration"
                )
            key = (settings.dataset, row.table, row.row, row.model, *setting, measure)
            verdict = decide_verdict(int(found.sum()), len(found), share, margin=settings.margin)
            beside = (format_number(share, 3), *_show_share(found), verdict)
            rows.append((*key, *beside, asked.queries, asked.methods))
    write_rows(output, MICRO_COLUMNS, name_cells(MICRO_COLUMNS, rows))


def _iterate_cells(ranks: FoundRanks) -> Iterator[tuple[Setting, str, NDArray[np.bool_]]]:
    for setting, first in ranks.items():
        for measure, depth in MEASURES.items():
            yield setting, measure, (first > 0) & (first <= depth)


def _show_share(found: NDArray[np.bool_]) -> list[str]:
    """Return a share and the ends of its interval as texts."""
    interval = wilson_interval(int(found.sum()), len(found))
    return [format_number(one, 4) for one in (float(found.mean()), interval.low, interval.high)]


def _read_shares(path: Path) -> Mapping[tuple[str, str, str], float]:
    """Read published shares by table, row and measure; some are printed in percent."""
    units = {"percent": 100.0, "share": 1.0}
    shares = {}
    for (table, row, column), value in read_published_cells(path).items():
        measure, _, unit = column.rpartition("_")
        if measure in MEASURES and unit in units:
            shares[table, row, measure] = float(value) / units[unit]
    return shares
