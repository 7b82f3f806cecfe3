"""``table1_sensitivity.csv``: the figures of Table 1 under every similarity.

Every similarity has the threshold of Table 1; the project's own judge has also the one that the
judge study chose for it. The similarities are not on one scale, so that equal thresholds are not
equally strict: the figures say how much depends on the choice, not which similarity is right.
"""

from __future__ import annotations

from pathlib import Path

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import name_cells, write_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.ceiling import rank_ceiling
from ncsbench.evaluation.judged_rankings import read_judged_runs, read_study_questions
from ncsbench.evaluation.metrics import METRICS, measure_ranks
from ncsbench.evaluation.results import CEILING, Judge, format_value
from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.judge_study.study_settings import StudySettings

COLUMNS = ("dataset", "judge", "threshold", "model", "questions", *METRICS)
"""Columns, in order."""


def write_sensitivity(
    settings: StudySettings,
    questions: Path,
    judgements: Path,
    results: Path,
    matches: Path,
    output: Path,
) -> None:
    """Write Table 1 under every similarity.

    Args:
        settings: dataset, models, depth, and thresholds of Table 1 and of the own judge.
        questions: questions as Parquet.
        judgements: folder of the judgements.
        results: results folder of the dataset, with its runs.
        matches: best match of every question and similarity, where it is above the lowest threshold
            asked for here.
        output: CSV file to write.
    """
    asked = read_study_questions(questions).query_ids
    depth = settings.depth
    rankings = read_judged_runs(
        settings.models, query_ids=asked, depth=depth, results=results, judgements=judgements
    )
    found = read_table(matches, MATCH_SCHEMA, ["judge", "query_id", "similarity"])
    rows = []
    for judge in list_judges(settings):
        by = (judge.similarity, judge.threshold)
        ranked = {ranking.name: ranking.first_ranks(*by) for ranking in rankings}
        for name, ranks in {**ranked, CEILING: rank_ceiling(found, judge, asked)}.items():
            figures = (
                format_value(metric, measure_ranks(ranks, metric, depth)) for metric in METRICS
            )
            key = (settings.dataset, judge.similarity, f"{judge.threshold:.10g}", name)
            rows.append((*key, len(asked), *figures))
    write_rows(output, COLUMNS, name_cells(COLUMNS, rows))


def list_judges(settings: StudySettings) -> list[Judge]:
    """Every similarity with the threshold of Table 1, and the own one with its own."""
    judges = [Judge(similarity, settings.threshold) for similarity in SIMILARITIES]
    own = Judge(settings.own_judge, settings.own_threshold)
    return judges if own in judges else [*judges, own]
