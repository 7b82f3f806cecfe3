"""Tables of a dataset made again from its ``per_question.parquet``, without runs and corpus."""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.files.csv_tables import Row, write_rows
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.evaluation.measures.per_question import read_measures
from ncsbench.evaluation.measures.rank_figures import (
    SIGNIFICANCE_COLUMNS,
    build_significance,
    measure_values,
)
from ncsbench.evaluation.measures.results import Judge, ModelResult, Ranks, Replicate
from ncsbench.evaluation.measures.score_sheet import ScoreSheet, read_score_sheet, write_score_sheet
from ncsbench.evaluation.published.sheet_agreement import (
    join_published_ranks,
    write_ncs_2018,
    write_sheet_agreement,
)
from ncsbench.evaluation.published.systems import read_published_table
from ncsbench.evaluation.published.verdicts import compare_cells
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.studies.ncsed.table1 import (
    add_published,
    build_paired_differences,
    build_table1,
    write_paired_differences,
)
from ncsbench.studies.ncsed.table1_files import CELLS, REPOSITORY_FIGURES, read_table1, write_table1

FILE = "per_question.parquet"
FOLLOWING = "following"
_COPIED = frozenset(
    {"trained_on", "median_lines", "training_pairs", *REPOSITORY_FIGURES}
    | {f"verdict_{metric}" for metric in METRICS}
)
"""Cells of Table 1 that need what the file does not have: corpus, trainings, the other judges."""


class Question(NamedTuple):
    """Row of a question, and its Stack Overflow id."""

    row: int
    stackoverflow_id: str


def make_question_tables(root: Path, folder: Path, output: Path) -> None:
    """Make what follows from the first ranks of a dataset; tests only where they are there.

    Rows and cells of Table 1 that do not follow from first ranks (the ceiling, ``_COPIED``) are
    taken from the table that is there; without them the tables lie in ``output/FOLLOWING``.

    Args:
        root: of the checkout, for the configuration and the published figures.
        folder: results of a dataset, with ``FILE``, ``table1.csv`` and ``table1_long.csv``.
        output: folder to write to.
    """
    options = RunOptions.parse(read_yaml(root / "config/config.yaml"), where="config/config.yaml")
    published, depth = root / "config/published", options.depth
    there, size = read_table1(folder / "table1.csv")
    dataset = there[0]["dataset"]
    questions, ranks = _read_ranks(folder / FILE)
    known_judges = {name: Judge(*judge) for name, judge in options.named_judges().items()}
    there_are = next(iter(ranks.values()))  # tables up to version 0.7.0 have no charged judge
    judges = {name: judge for name, judge in known_judges.items() if judge in there_are}
    models = [_describe(root, row, ranks, judges) for row in there if (row["model"], "") in ranks]
    by_judge = {
        judge: {model.name: ranks[model.name, ""][judge] for model in models}
        for judge in judges.values()
    }
    seed, resamples = options.seed, options.bootstrap_samples
    sampling = Sampling(seed, resamples)
    sheet = join_published_ranks(
        read_score_sheet(published / "score_sheet.csv"), _list_keys(questions)
    )
    common: dict[str, Any] = {"dataset": dataset, "depth": depth}
    pair: dict[str, Any] = {"judges": judges}

    write_score_sheet(
        output / "score_sheet.csv",
        ScoreSheet(
            np.array([one.row for one in questions], np.int32),
            tuple(one.stackoverflow_id for one in questions),
            tuple(model.name for model in models),
            np.stack([model.first_ranks for model in models], axis=1),
        ),
    )
    if (folder / "significance.csv").exists():  # it takes seconds
        tests = build_significance(
            first_ranks=by_judge, baseline=options.baseline, sampling=sampling, **common
        )
        write_rows(output / "significance.csv", SIGNIFICANCE_COLUMNS, tests)
    known = {model.name for model in models}
    asked = [two for two in options.comparisons if known.issuperset(two)]
    differences = build_paired_differences(
        results=models, comparisons=asked, sampling=sampling, **pair, **common
    )
    write_paired_differences(output / "paired_differences.csv", differences)
    write_sheet_agreement(
        output / "score_sheet_agreement.csv",
        dataset=dataset,
        first_ranks=by_judge,
        published_as={model.name: model.published_as for model in models},
        published_ranks=sheet,
        sampling=sampling,
        depth=depth,
    )
    write_ncs_2018(
        output / "ncs_2018.csv", dataset=dataset, first_ranks=by_judge, published=published
    )
    systems = read_published_table(published, sheet_ranks=sheet)
    cells = compare_cells(models, systems, sampling, depth=depth, options=options.verdicts)
    rows = build_table1(results=models, ceiling=None, sampling=sampling, **pair, **common)
    made = {
        row["model"]: row
        for row in add_published(
            rows, results=models, published=systems, cells=cells, reasons={}, depth=depth
        )
    }
    merged = [
        {**dict.fromkeys(CELLS, ""), **row, **_without_copied(made.get(row["model"], {}))}
        for row in there
    ]
    names = [model.name for model in models]
    measures = measure_values(read_measures(folder / FILE, names), names, sampling)
    write_table1(output, merged, size, measures)
    empty = dict.fromkeys(_COPIED, "")
    write_table1(output / FOLLOWING, [{**row, **empty} for row in made.values()], size, measures)


def _without_copied(row: Row) -> Row:
    return {column: cell for column, cell in row.items() if column not in _COPIED}


def _describe(
    root: Path,
    row: Row,
    ranks: dict[tuple[str, str], dict[Judge, NDArray[np.int32]]],
    judges: dict[str, Judge],
) -> ModelResult:
    """A row of Table 1 with its first ranks, and which published system it is of."""
    name = row["model"]
    file = root / "config/models" / f"{name}.yaml"
    given = read_yaml(file) if file.exists() else {}

    def of(found: dict[Judge, NDArray[np.int32]]) -> Ranks:
        return {by: found[judge] for by, judge in judges.items()}

    return ModelResult(
        name=name,
        trained_on=row["trained_on"],
        ranks=of(ranks[name, ""]),
        median_lines=None,
        published_as="" if given.get("beside") else row["published_as"],
        beside=str(given.get("beside", "")),
        replicates=tuple(
            Replicate(run, of(found))
            for (model, run), found in ranks.items()
            if model == name and run
        ),
    )


def _read_ranks(
    path: Path,
) -> tuple[list[Question], dict[tuple[str, str], dict[Judge, NDArray[np.int32]]]]:
    """The questions, and first ranks by model and replicate (empty: its own run), then by judge."""
    found: dict[tuple[str, str], dict[Judge, list[int]]] = {}
    questions: dict[Question, None] = {}
    for row in pq.read_table(path).to_pylist():
        judge = Judge(row["judge"], row["threshold"])
        runs = found.setdefault((row["model"], row["replicate"] or ""), {})
        runs.setdefault(judge, []).append(row["first_rank"])
        questions[Question(row["query_id"], row["stackoverflow_id"])] = None
    arrays = {
        run: {judge: np.array(ranks, np.int32) for judge, ranks in by_judge.items()}
        for run, by_judge in found.items()
    }
    return list(questions), arrays


def _list_keys(questions: list[Question]) -> list[tuple[str, int]]:
    """Stack Overflow id and occurrence, from 1, of each question."""
    seen: Counter[str] = Counter()
    keys = []
    for question in questions:
        seen[question.stackoverflow_id] += 1
        keys.append((question.stackoverflow_id, seen[question.stackoverflow_id]))
    return keys
