"""``study.csv``: the effect of each change of a study on the figures of a model."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ncsbench.base.files.storage import read_table
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.evaluation.measures.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.measures.rank_figures import DIFFERENCE_FIGURES, MEASURED, format_measures
from ncsbench.evaluation.statistics.figure_text import write_frame
from ncsbench.evaluation.statistics.figures import Figures, summarise
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.significance import adjust_by_holm
from ncsbench.studies.ncsed.table_settings import TableSettings

_FAMILY = ["judge", "threshold", "measure"]
_COMPARED = ("baseline", *DIFFERENCE_FIGURES[1:])
STUDY_COLUMNS = (
    *("dataset", *_FAMILY, "model", "runs", "questions"),
    *(*MEASURED, *_COMPARED, "p", "p_holm"),
)
"""Columns of ``study.csv``, in order. A row without a change has no ``baseline``; ``p_holm`` is
corrected for the number of changes under one judge and measure (DEV-76)."""


def write_study(settings: TableSettings, per_question: Path, output: Path) -> None:
    """Write the figures of every row of a study, and their differences from those of its base.

    A figure is the mean over the runs of a row, one for each seed. For its interval and p,
    questions and seeds are drawn together, the same questions for all rows (DEV-98).

    Args:
        settings: settings of the tables; ``comparisons`` has each row with its base.
        per_question: ``per_question.parquet`` of the same rows.
        output: CSV file to write.
    """
    found = read_table(per_question, PER_QUESTION_SCHEMA).to_pandas()
    named = list(dict.fromkeys(name for pair in settings.comparisons for name in pair[::-1]))
    figures = summarise(
        _list_units(found[found["model"].isin(named)]),
        [*_FAMILY, "model"],
        Sampling(settings.seed, settings.bootstrap_samples),
    )
    compared = figures.against("model", settings.comparisons)
    differences = _in_questions(compared).assign(p=compared.find_p())
    changes = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    differences = differences.drop(columns=["questions", "runs"]).rename(columns=changes)
    holm = differences.groupby(_FAMILY, sort=False)["p"].transform(
        lambda values: adjust_by_holm(values.tolist())
    )
    tested = differences.assign(
        p=differences["p"].map("{:.4g}".format), p_holm=holm.map("{:.4g}".format)
    )
    tested = format_measures(tested, _COMPARED[1:])
    frame = format_measures(_in_questions(figures), MEASURED)
    frame = frame.merge(tested, how="left", on=[*_FAMILY, "model"]).assign(dataset=settings.dataset)
    write_frame(output, frame, STUDY_COLUMNS)


def _list_units(found: pd.DataFrame) -> pd.DataFrame:
    """List units of ``figures.summarise``: one for each question, run, judge and measure."""
    values = {"mrr": "reciprocal_rank"}
    keys = found[["judge", "threshold", "model"]].assign(
        unit=found["query_id"], seed=found["replicate"].fillna("")
    )
    return pd.concat(
        keys.assign(measure=measure, value=found[values.get(measure, measure)].astype(float))
        for measure in METRICS
    )


def _in_questions(figures: Figures) -> pd.DataFrame:
    """Return the frame with Answered@k as numbers of questions, as in tables, not as shares."""
    frame = figures.frame.rename(columns={"n": "questions"})
    counted = frame["measure"] != "mrr"
    names = [name for name in (*MEASURED, "baseline_value") if name in frame]
    frame[names] = frame[names].mul(frame["questions"].where(counted, 1), axis=0)
    return frame
