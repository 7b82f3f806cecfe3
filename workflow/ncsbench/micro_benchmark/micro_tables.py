"""``micro_benchmark.csv`` and ``micro_choices.csv``: shares of methods that were found again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.artifacts.storage import read_table
from ncsbench.corpus.documents import TokenLists, load_documents
from ncsbench.errors import DataError
from ncsbench.evaluation.equivalence import LEVEL, Outcome
from ncsbench.evaluation.figure_text import format_columns, write_frame
from ncsbench.evaluation.proportions import paired_share_interval, wilson_interval
from ncsbench.micro_benchmark.micro_options import DEPTH, MicroChoiceSettings, MicroTableSettings
from ncsbench.micro_benchmark.micro_queries import CHOICES, MICRO_QUERY_SCHEMA, SHARES
from ncsbench.published.printed_cells import read_published_cells
from ncsbench.runs.rankings import Run, ranks_in_run
from ncsbench.runs.trec_files import read_run

EQUAL_METHODS = ("found", "not_found")
"""Whether a method with the same words counts as the one that is looked for (DEV-95)."""
Setting = tuple[str, str, str]
"""How words are chosen, what the share is of, whether equal methods count."""
FoundRanks = dict[Setting, NDArray[np.int32]]
"""First ranks, from 1, 0 = not found, shape (methods drawn,), in the order of methods."""


class FoundMethods:
    """The queries of a corpus, and which of its methods have the same words."""

    def __init__(self, *, words: Path, queries: Path) -> None:
        """Read them.

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
        """First ranks of a run file."""
        run = read_run(path)
        targets = self._targets[run.query_ids - 1]
        hits = {
            "found": self._first_equal[run.ids] == self._first_equal[targets],
            "not_found": run.ids == targets,
        }
        first = {name: self._rank_first(run, hit) for name, hit in hits.items()}
        return {
            (choice, share, equal): first[equal][number]
            for number, (choice, share) in enumerate(_query_sets())
            for equal in EQUAL_METHODS
        }

    def _rank_first(self, run: Run, hit: NDArray[np.bool_]) -> NDArray[np.int32]:
        """First ranks, shape (sets of queries, methods drawn)."""
        query_ids, positions = np.unique(run.query_ids[hit], return_index=True)
        ranks = np.zeros(len(self._targets), dtype=np.int32)
        ranks[query_ids - 1] = ranks_in_run(run)[hit][positions]
        return ranks.reshape(-1, self.queries)


def find_equal_methods(lists: TokenLists) -> NDArray[np.int64]:
    """The lowest id of the methods with the same words, in any order; int64, shape (methods,)."""
    first: dict[bytes, int] = {}
    equal = np.empty(len(lists), dtype=np.int64)
    for method in range(len(lists)):
        words = np.sort(lists[method]).tobytes()
        equal[method] = first.setdefault(hashlib.blake2b(words, digest_size=16).digest(), method)
    return equal


def _query_sets() -> Iterator[tuple[str, str]]:
    return ((choice, share) for choice in CHOICES for share in SHARES)


MEASURES = {"top_1": 1, "top_9": DEPTH}
"""The last rank that counts, by the name of the measure."""

_SHARES = ("ours", "low", "high")
_DIFFERENCES = ("difference", "difference_low", "difference_high")
_SETTING = ("query_words", "share_of", "equal_methods")
MICRO_COLUMNS = (
    *("dataset", "table", "row", "model", *_SETTING, "measure"),
    *("published", *_SHARES, "verdict", "queries", "methods"),
)
"""Columns of ``micro_benchmark.csv``, in order; figures are shares."""
CHOICE_COLUMNS = (
    *("dataset", "model", *_SETTING, "measure", *_SHARES),
    *(*_DIFFERENCES, "queries", "methods"),
)
"""Columns of ``micro_choices.csv``, in order; differences from the first model, paired by query."""


def decide_verdict(found: int, asked: int, published: float, *, margin: float) -> Outcome:
    """Whether the share of ``found`` is the published one, which has no interval (DEV-95).

    By two one-sided tests, ``equivalent`` where the whole 90 % interval lies within ``margin`` of
    the published share; else ``different`` where the 95 % interval does not hold it; else
    ``inconclusive``.
    """
    close = wilson_interval(found, asked, level=1 - 2 * LEVEL)
    if published - margin < close.low and close.high < published + margin:
        return "equivalent"
    wide = wilson_interval(found, asked, level=1 - LEVEL)
    return "inconclusive" if wide.low <= published <= wide.high else "different"


def write_micro_benchmark(
    settings: MicroTableSettings,
    *,
    words: Path,
    queries: Path,
    runs: Path,
    published: Path,
    output: Path,
) -> None:
    """Write the published rows with ours beside them.

    Args:
        settings: the rows.
        words: folder of the corpus as words.
        queries: table of ``MICRO_QUERY_SCHEMA``.
        runs: folder with ``<model>.trec``.
        published: figures of the paper.
        output: the table to write.

    Raises:
        DataError: where a row is not published.
    """
    shares = _read_shares(published)
    found = _find_shares({row.model for row in settings.rows}, words, queries, runs)
    listed = pd.DataFrame([row.model_dump() for row in settings.rows])
    frame = listed.merge(found, on=["model", "query_words"]).assign(dataset=settings.dataset)
    keys = list(zip(frame["table"], frame["row"], frame["measure"], strict=True))
    if missing := [key for key in keys if key not in shares]:
        table, row, measure = missing[0]
        raise DataError(
            f"{published}: has no {measure} for {table}, {row}; "
            "mend micro_benchmark.rows of the configuration"
        )
    frame["published"] = [shares[key] for key in keys]
    frame["verdict"] = [
        decide_verdict(int(found.sum()), len(found), share, margin=settings.margin)
        for found, share in zip(frame["found"], frame["published"], strict=True)
    ]
    frame = format_columns(format_columns(frame, ["published"], 3), _SHARES, 4)
    write_frame(output, frame, MICRO_COLUMNS)


def write_micro_choices(
    settings: MicroChoiceSettings, *, words: Path, queries: Path, runs: Path, output: Path
) -> None:
    """Write what models with other options find, and how far that is from the first one.

    Args:
        settings: the models.
        words: folder of the corpus as words.
        queries: table of ``MICRO_QUERY_SCHEMA``.
        runs: folder with ``<model>.trec``.
        output: the table to write.
    """
    found = _find_shares(settings.models, words, queries, runs).assign(dataset=settings.dataset)
    bases = found.groupby([*_SETTING, "measure"])["found"].transform("first")
    found[list(_DIFFERENCES)] = [
        (np.nan,) * 3 if one is base else _compare(one, base)
        for one, base in zip(found["found"], bases, strict=True)
    ]
    frame = format_columns(format_columns(found, _SHARES, 4), _DIFFERENCES, 4, signed=True)
    write_frame(output, frame, CHOICE_COLUMNS)


def _find_shares(models: Iterable[str], words: Path, queries: Path, runs: Path) -> pd.DataFrame:
    """What each model finds by setting and measure, the shares of that and their intervals."""
    asked = FoundMethods(words=words, queries=queries)
    rows = []
    for model in models:
        for setting, first in asked.read_ranks(runs / f"{model}.trec").items():
            for measure, depth in MEASURES.items():
                found = (first > 0) & (first <= depth)
                bounds = wilson_interval(int(found.sum()), len(found))
                shares = (float(found.mean()), bounds.low, bounds.high)
                rows.append((model, *setting, measure, found, *shares))
    frame = pd.DataFrame(rows, columns=["model", *_SETTING, "measure", "found", *_SHARES])
    return frame.assign(queries=asked.queries, methods=asked.methods)


def _compare(found: NDArray[np.bool_], base: NDArray[np.bool_]) -> tuple[float, float, float]:
    """The share found less that of the base, with its interval, paired by query."""
    gained, lost = int((found & ~base).sum()), int((base & ~found).sum())
    interval = paired_share_interval(gained, lost, len(found))
    return (gained - lost) / len(found), interval.low, interval.high


def _read_shares(path: Path) -> Mapping[tuple[str, str, str], float]:
    """Published shares by table, row and measure; some are printed in percent."""
    units = {"percent": 100.0, "share": 1.0}
    shares = {}
    for (table, row, column), value in read_published_cells(path).items():
        measure, _, unit = column.rpartition("_")
        if measure in MEASURES and unit in units:
            shares[table, row, measure] = float(value) / units[unit]
    return shares
