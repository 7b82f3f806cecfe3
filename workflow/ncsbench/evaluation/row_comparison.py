"""Two rows of a table, or of two tables on the same questions and corpus, beside each other.

The figures are those that ``significance.csv`` has of a model and its baseline.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ncsbench.artifacts.corpus_stamps import check_same_corpus
from ncsbench.artifacts.csv_tables import Row
from ncsbench.artifacts.storage import read_corpus_hash
from ncsbench.errors import DataError
from ncsbench.evaluation.evaluation_options import EvaluationOptions
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.run_differences import read_first_ranks
from ncsbench.evaluation.significance_table import build_significance


@dataclass(frozen=True)
class TableRow:
    """A row of a table.

    Attributes:
        table: its ``per_question.parquet``.
        name: the row.
    """

    table: Path
    name: str


def compare_rows(
    model: TableRow, baseline: TableRow, *, dataset: str, options: EvaluationOptions
) -> list[Row]:
    """Rows of ``SIGNIFICANCE_COLUMNS``, by judge of both tables and measure.

    Args:
        model: the row that is looked at.
        baseline: the row that it is compared with, of another name.
        dataset: name of the dataset.
        options: seed, resamples and depth.

    Raises:
        DataError: where the rows are of other questions, corpora or judges.
    """
    (questions, ranks), (others, other_ranks) = map(read_first_ranks, (model.table, baseline.table))
    if model.table != baseline.table:
        check_same_corpus(
            model.table, read_corpus_hash(model.table),
            baseline.table, read_corpus_hash(baseline.table),
        )  # fmt: skip
    if questions != others:
        raise DataError(f"{model.table}: has other questions than {baseline.table}; make it again")
    if model.table != baseline.table:
        for key, own in ranks.items():
            if not np.array_equal(own, other_ranks.get(key, own)):
                raise DataError(
                    f"{model.table}: has other figures of {key[1]} than {baseline.table}: one of "
                    "them is of former questions, answers or code; make both again"
                )
    found = {
        judge: {
            baseline.name: other_ranks[judge, baseline.name],
            model.name: ranks[judge, model.name],
        }
        for judge, name in ranks
        if name == model.name and (judge, baseline.name) in other_ranks
    }
    if not found:
        raise DataError(f"{model.table}: has other judges than {baseline.table}; make it again")
    return build_significance(
        dataset=dataset,
        first_ranks=found,
        baseline=baseline.name,
        sampling=Sampling(options.seed, options.bootstrap_samples),
        depth=options.depth,
    )
