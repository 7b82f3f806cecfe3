"""Tables of rows by gold: measures by the names of ir_measures, with intervals over questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_corpus_hash, read_table
from ncsbench.base.runs.rankings import Run, ranks_in_run
from ncsbench.base.runs.trec_files import path_of_run, read_run
from ncsbench.evaluation.measures.graded_measures import Values, measure_questions
from ncsbench.evaluation.measures.judged_rankings import first_hits
from ncsbench.evaluation.measures.per_question import write_per_question
from ncsbench.evaluation.measures.rank_figures import measure_values
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.evaluation_options import GoldTableSettings
from ncsbench.evaluation.statistics.figure_text import spread, write_frame
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.gold.gold_methods import GOLD_SCHEMA, grade_ranking
from ncsbench.studies.ncsed.table1_files import LONG_COLUMNS

JUDGE = Judge("gold", 0.0)
"""The judge in tables by gold: a grade above 0 is right."""


def write_gold_tables(
    settings: GoldTableSettings,
    questions: Path,
    gold: Path,
    results: Path,
    output: Path,
    per_question: Path,
) -> None:
    """Write ``gold.csv``, a line for each row, and ``gold_long.csv``, a line for each figure.

    Figures are means over the questions that gold names, as those of the trec_eval family are.

    Args:
        settings: dataset, rows, measures, depth and resamples.
        questions: table of ``QUESTION_SCHEMA``.
        gold: table of ``GOLD_SCHEMA``.
        results: folder with ``runs/<model>.trec.gz``.
        output: folder of the tables to write.
        per_question: table of ``PER_QUESTION_SCHEMA`` to write.
    """
    found = read_table(gold, GOLD_SCHEMA)
    asked = read_table(questions, QUESTION_SCHEMA, ["query_id", "stackoverflow_id"])
    asked = asked.filter(pc.is_in(asked["query_id"], found["query_id"]))
    query_ids = asked["query_id"].to_numpy().astype(np.int32)
    measured: dict[str, dict[str, Values]] = {}
    ranks: dict[str, NDArray[np.int32]] = {}
    for model in settings.models:
        ids = arrange_ids(read_run(path_of_run(results, model)), query_ids, settings.depth)
        truth = grade_ranking(ids, found, query_ids)
        measured[model] = {name: measure_questions(name, truth) for name in settings.measures}
        ranks[model] = first_hits(truth.grades > 0)
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    figures = pd.DataFrame(measure_values({JUDGE: measured}, settings.models, sampling))
    figures = figures.assign(dataset=settings.dataset, statistic="value")
    write_frame(output / "gold_long.csv", figures, LONG_COLUMNS)
    wide = spread(figures, "measure", settings.measures, _WIDE)
    wide["questions"] = str(len(query_ids))
    write_frame(output / "gold.csv", wide, gold_columns(settings.measures))
    write_per_question(
        per_question,
        questions=asked,
        first_ranks={JUDGE: ranks},
        replicate_of={},
        published_ranks={},
        depth=settings.depth,
        corpus_hash=read_corpus_hash(gold),
        measured={JUDGE: measured},
    )


_WIDE = {"value": "{}", "low": "{}_low", "high": "{}_high"}


def gold_columns(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of ``gold.csv``, in order."""
    of_measures = (name.format(measure) for measure in measures for name in _WIDE.values())
    return ("dataset", "model", "questions", *of_measures)


def arrange_ids(run: Run, query_ids: NDArray[np.int32], depth: int) -> NDArray[np.int64]:
    """Return method ids by question and rank, shape (questions, depth), -1 without a result."""
    ids = np.full((len(query_ids), depth), -1, np.int64)
    order = np.argsort(query_ids, kind="stable")
    ranks = ranks_in_run(run)
    counted = (ranks <= depth) & np.isin(run.query_ids, query_ids)
    rows = order[np.searchsorted(query_ids[order], run.query_ids[counted])]
    ids[rows, ranks[counted] - 1] = run.ids[counted]
    return ids
