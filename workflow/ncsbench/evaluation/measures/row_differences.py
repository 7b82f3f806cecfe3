"""Two rows of tables on the same questions, compared question by question.

Both are read from the ``per_question.parquet`` of their tables; differences of models within one
table are in ``paired_differences.csv``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import check_same_corpus
from ncsbench.base.files.csv_tables import Row
from ncsbench.base.files.storage import read_corpus_hash, read_table
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.per_question import PER_QUESTION_SCHEMA, read_measures
from ncsbench.evaluation.measures.pooled_truth import MeasuredRuns
from ncsbench.evaluation.measures.rank_figures import build_significance
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.evaluation_options import EvaluationOptions
from ncsbench.evaluation.statistics.measure_names import needs_all
from ncsbench.evaluation.statistics.resampling import Sampling

_COLUMNS = ["judge", "threshold", "query_id", "stackoverflow_id", "model", "replicate"]


def read_first_ranks(
    path: Path,
) -> tuple[Sequence[str], dict[tuple[Judge, str], NDArray[np.int32]]]:
    """Read the first ranks of a table's rows.

    Args:
        path: a ``per_question.parquet``, or the folder with it.

    Returns:
        Stack Overflow ids of the questions; first ranks, int32, shape (questions,), 0 = not found,
        by judge (in the order of the file) and row, without replicates.
    """
    file = path / "per_question.parquet" if path.is_dir() else path
    table = read_table(file, PER_QUESTION_SCHEMA, [*_COLUMNS, "first_rank"])
    table = table.filter(pc.is_null(table["replicate"]))
    questions: list[str] = []
    ranks: dict[tuple[Judge, str], list[int]] = {}
    for row in table.to_pylist():
        key = Judge(row["judge"], row["threshold"]), row["model"]
        ranks.setdefault(key, []).append(row["first_rank"])
        if len(ranks) == 1:
            questions.append(row["stackoverflow_id"])
    return questions, {key: np.array(found, dtype=np.int32) for key, found in ranks.items()}


@dataclass(frozen=True)
class TableRow:
    """A row of a table.

    Attributes:
        table: the ``per_question.parquet`` of the table.
        name: name of the row.
    """

    table: Path
    name: str


def compare_rows(
    model: TableRow, baseline: TableRow, *, dataset: str, options: EvaluationOptions
) -> list[Row]:
    """Rows of ``SIGNIFICANCE_COLUMNS``, by judge of both tables and measure.

    Rows of two tables are not compared by measures that need everything that is right, since each
    table has the pool of its own runs (``pooled_truth``).

    Args:
        model: the row that is compared.
        baseline: the row that it is compared with, which has another name.
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
        measured=_join_measures(model, baseline),
    )


def _join_measures(model: TableRow, baseline: TableRow) -> dict[Judge, MeasuredRuns]:
    """Read the values of both rows, by judge, of the measures by which both can be compared."""
    one, other = (read_measures(row.table, [row.name]) for row in (model, baseline))
    alone = model.table == baseline.table
    joined: dict[Judge, MeasuredRuns] = {}
    for judge in one.keys() & other.keys():
        mine, base = one[judge][model.name], other[judge][baseline.name]
        kept = [name for name in mine if name in base and (alone or not needs_all(name))]
        joined[judge] = {
            model.name: {name: mine[name] for name in kept},
            baseline.name: {name: base[name] for name in kept},
        }
    return joined
