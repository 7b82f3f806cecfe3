"""The figures of a dataset's rows by labels of people, and how far the judges agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number, read_rows
from ncsbench.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.graded_rankings import (
    CUT,
    RELEVANT,
    Gain,
    grade_ranking,
    keep_judged,
    ndcg,
    precision,
    unjudged_as_zero,
)
from ncsbench.evaluation.intervals import draw_resamples, interval_of_sum
from ncsbench.evaluation.judged_rankings import JudgedRanking, read_judged_runs
from ncsbench.evaluation.metrics import mean_reciprocal_rank
from ncsbench.evaluation.rank_correlation import correlate_orders
from ncsbench.experiment.run_options import WHERE, RunOptions
from ncsbench.exports.built_dataset import BuiltDataset
from ncsbench.label_files.label_file import LANGUAGE, Label, match_query, mean_grades
from ncsbench.labels.judge_agreement import measure_similarities
from ncsbench.labels.matched_labels import MatchedLabels, match_labels
from ncsbench.rankers.given_rankings import hash_title, read_rankings
from ncsbench.runs.rankings import Run
from ncsbench.runs.trec_files import read_run
from ncsbench.tables.table1_files import LONG_COLUMNS

MEASURES = tuple(
    f"{measure}_{CUT}_{kind}" for measure in ("ndcg", "precision") for kind in ("judged", "all")
)
"""Leaving out results that nobody judged, and with 0 for them."""
PEOPLE = "people"
_DIGITS = 6
_CONFIGURATION = Path("config/config.yaml")
Grades = Mapping[int, Mapping[int, float]]
"""Mean grades by query id and method id."""


@dataclass(frozen=True)
class PeopleFigures:
    """What labels say of the rows of a dataset.

    Attributes:
        rows: of ``tables.table1_files.LONG_COLUMNS``.
        questions: number of questions with a label above 0.
        matched: the labels that count, and how many do not.
    """

    rows: Sequence[Row]
    questions: int
    matched: MatchedLabels


def check_replaceable(output: Path) -> None:
    """``ConfigurationError`` for a file that holds something else than figures of people."""
    if not output.exists():
        return
    try:
        rows = read_rows(output, LONG_COLUMNS)
    except DataError:
        rows = []
    if not any(row["measure"] == "labelled_pairs" for row in rows):
        raise ConfigurationError(f"{output}: holds other things; name a new file")


def measure_people(
    dataset: BuiltDataset,
    labels: Sequence[Label],
    *,
    given: Sequence[Path] = (),
    gain: Gain = "exponential",
) -> PeopleFigures:
    """NDCG and precision of every row that was run, and of given runs; AUC and tau of the judges.

    Figures are means over the questions that have a label above 0 (DEV-109, DEV-110), and
    undefined where none has: their cells are empty.

    Args:
        dataset: whose rows are measured.
        labels: of its methods.
        given: runs of other tools; the name of the file is that of the row.
        gain: what a grade counts in NDCG.

    Raises:
        DataError: where no label counts, and where a run does not fit the dataset.
    """
    options = RunOptions.parse(read_yaml(_CONFIGURATION), where=WHERE)
    titles = dict(
        zip(*(dataset.read_questions()[name].to_pylist() for name in ("query_id", "question")),
            strict=True)
    )  # fmt: skip
    matched = match_labels(dataset, labels)
    if not matched.labels:
        told = "; ".join(matched.describe_left_out())
        raise DataError(
            f"no label is of a question and a method of {dataset.name}"
            + (f" ({told})" if told else "")
        )
    grades = _grade_questions(matched, titles)
    asked = [id_ for id_, found in grades.items() if max(found.values()) > 0]
    present = dataset.list_runs()
    runs = {name: read_run(path) for name, path in present.items()}
    hashes = {id_: hash_title(title) for id_, title in titles.items()}
    for path in given:
        if path.stem in runs:
            raise DataError(f"{path}: there is a row {path.stem} already; rename the file")
        runs[path.stem] = read_rankings(path, dataset.corpus, hashes)
    if not runs:
        raise DataError(f"{dataset.results / 'runs'}: holds no run; name one with --run")
    draws = draw_resamples(
        len(asked), np.random.default_rng(options.seed), resamples=options.bootstrap_samples
    )
    rows: list[Row] = []
    means: dict[str, dict[str, float]] = {}
    for name, run in runs.items():
        values = _measure_run(run, grades, asked, gain)
        rows += [_measure_row(dataset, name, *item, draws) for item in values.items()]
        means[name] = {measure: found.mean() if asked else 0.0 for measure, found in values.items()}
    judged = [
        name for name in present if (dataset.data / "judgements" / f"{name}.parquet").is_file()
    ]
    if judged:
        rankings = read_judged_runs(
            judged, query_ids=np.array(list(grades), np.int32), depth=options.depth,
            results=dataset.results, judgements=dataset.data / "judgements",
        )  # fmt: skip
        rows += _measure_judges(dataset, rankings, asked, grades, means, options)
    return PeopleFigures(rows, len(asked), matched)


def _grade_questions(matched: MatchedLabels, titles: Mapping[int, str]) -> Grades:
    """Mean grades of the questions that have labels."""
    known = [label._replace(document=str(id_)) for label, id_ in matched.labels]
    means = mean_grades(known, LANGUAGE)
    return {
        query_id: {int(document): grade for document, grade in means[query].items()}
        for query_id, title in sorted(titles.items())
        if (query := match_query(title)) in means
    }


def _measure_row(
    dataset: BuiltDataset,
    name: str,
    measure: str,
    values: NDArray[np.float64],
    draws: NDArray[np.int32],
) -> Row:
    """A mean over questions with its interval; empty cells without a question."""
    if not len(values):
        return _row(dataset, name, PEOPLE, RELEVANT, measure, None)
    bounds = interval_of_sum(values, draws)
    return _row(dataset, name, PEOPLE, RELEVANT, measure, float(values.mean())) | {
        "low": format_number(bounds.low / len(values), _DIGITS),
        "high": format_number(bounds.high / len(values), _DIGITS),
    }


def _measure_run(
    run: Run, grades: Grades, asked: Sequence[int], gain: Gain
) -> dict[str, NDArray[np.float64]]:
    """Every measure on every question, float64, shape (questions,)."""
    found: dict[int, list[str]] = {query_id: [] for query_id in asked}
    for query_id, id_ in zip(run.query_ids.tolist(), run.ids.tolist(), strict=True):
        if query_id in found:
            found[query_id].append(str(id_))
    values: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    for query_id in asked:
        known = {str(id_): grade for id_, grade in grades[query_id].items()}
        ranking = grade_ranking(found[query_id], known)
        for kind, kept in (("judged", keep_judged(ranking)), ("all", unjudged_as_zero(ranking))):
            values[f"ndcg_{CUT}_{kind}"].append(ndcg(kept, known.values(), gain=gain) or 0.0)
            values[f"precision_{CUT}_{kind}"].append(precision(kept))
    return {measure: np.array(list_) for measure, list_ in values.items()}


def _measure_judges(
    dataset: BuiltDataset,
    rankings: Sequence[JudgedRanking],
    asked: Sequence[int],
    grades: Grades,
    means: Mapping[str, Mapping[str, float]],
    options: RunOptions,
) -> list[Row]:
    """``rankings`` are of all labelled questions, in the order of ``grades``."""
    pairs, areas = measure_similarities(rankings, list(grades), grades)
    counted = np.isin(list(grades), asked)
    rows = [
        _row(dataset, "", "", None, "labelled_pairs", None) | {"value": str(pairs)},
        *(_row(dataset, "", name, None, "auc", area) for name, area in areas.items()),
    ]
    for similarity, threshold in options.all_judges:
        found = [
            mean_reciprocal_rank(ranking.first_ranks(similarity, threshold)[counted], options.depth)
            for ranking in rankings
        ]
        for measure in (f"ndcg_{CUT}_judged", f"ndcg_{CUT}_all"):
            people = np.array([means[ranking.name][measure] for ranking in rankings])
            tau = correlate_orders(np.array(found), people)
            rows.append(_row(dataset, "", similarity, threshold, f"kendall_tau_{measure}", tau))
    return rows


def _row(
    dataset: BuiltDataset,
    model: str,
    judge: str,
    threshold: float | None,
    measure: str,
    value: float | None,
) -> Row:
    return dict.fromkeys(LONG_COLUMNS, "") | {
        "dataset": dataset.name,
        "model": model,
        "judge": judge,
        "threshold": "" if threshold is None else f"{threshold:g}",
        "measure": measure,
        "statistic": "value",
        "value": "" if value is None else format_number(value, _DIGITS),
    }
