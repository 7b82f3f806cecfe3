"""The results that people judge: what the rows of a dataset rank first, without who ranked it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncsbench.errors import ConfigurationError
from ncsbench.label_files.label_file import match_query
from ncsbench.labels.labelled_methods import name_methods
from ncsbench.runs.rankings import ranks_in_run
from ncsbench.runs.trec_files import read_run

if TYPE_CHECKING:
    from ncsbench.exports.built_dataset import BuiltDataset


@dataclass(frozen=True)
class PooledResult:
    """A question and a method that some row ranks among its first.

    Attributes:
        query: the question's text.
        id: method id.
        document: its name in a labels file.
    """

    query: str
    id: int
    document: str

    @property
    def pair(self) -> tuple[str, str]:
        """As ``Label.pair``."""
        return match_query(self.query), self.document


def pool_results(
    dataset: BuiltDataset, depth: int, rows: Sequence[str] | None = None
) -> list[PooledResult]:
    """The union of the first ``depth`` results of every row that was run, by question and id.

    Questions with the same text are one.

    Args:
        dataset: whose questions and runs are read.
        depth: how many results of each row.
        rows: names of the rows that count; None for all.

    Raises:
        ConfigurationError: for an unknown row.
        DataError: where there is no run.
    """
    texts = (dataset.read_questions()[name].to_pylist() for name in ("query_id", "question"))
    titles = dict(zip(*texts, strict=True))
    for name in rows or ():
        if name not in dataset.rows:
            known = ", ".join(dataset.rows)
            raise ConfigurationError(f"{dataset.name}: has no row {name}; it has {known}")
    runs = map(read_run, dataset.find_runs(rows).values())
    found: dict[tuple[str, int], str] = {}
    for run in runs:
        kept = ranks_in_run(run) <= depth
        for query_id, id_ in zip(run.query_ids[kept].tolist(), run.ids[kept].tolist(), strict=True):
            if query_id in titles:
                found.setdefault((match_query(titles[query_id]), id_), titles[query_id])
    names = name_methods(dataset.corpus, {id_ for _, id_ in found})
    return [PooledResult(found[key], key[1], names[key[1]]) for key in sorted(found)]


def order_pool(
    pool: Sequence[PooledResult], counts: Mapping[tuple[str, int], int], seed: int
) -> list[PooledResult]:
    """Results that the fewest people judged first, shuffled among those with as many.

    Args:
        pool: what is ordered.
        counts: number of labels by question, as ``match_query`` has it, and method id.
        seed: equal ones give an equal order.
    """
    shuffled = np.random.default_rng(seed).permutation(len(pool)).tolist()
    return sorted(
        (pool[position] for position in shuffled),
        key=lambda one: counts.get((one.pair[0], one.id), 0),
    )
