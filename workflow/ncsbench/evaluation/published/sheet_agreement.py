"""Our first ranks beside published ones: on the questions of the score sheet, and as shares.

On the published score sheet: agreement, by Spearman's correlation of the ranks and Cohen's kappa
(1960) on yes and no, and the questions that only one side answers.

``ncs_2018.csv``: the rows of the NCS paper beside ours, as shares of different questions. The
paper's 518 questions are not available, only the number that each system answers within ten
(Sachdev and others, MAPL 2018, section 6). So nothing can be paired: the shares are compared as
independent proportions (DEV-102). Corpus, questions and judge also differ, which no interval
covers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import PUBLISHED_DEPTH, answered_at
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.measures.score_sheet import ScoreSheet, join_score_sheet
from ncsbench.evaluation.published.nearest_rows import NEARNESS, measure_nearness
from ncsbench.evaluation.published.printed_figures import PublishedCells, read_published_cells
from ncsbench.evaluation.statistics.agreement import (
    correlate_ranks,
    rank_not_found_last,
    weighted_kappa,
)
from ncsbench.evaluation.statistics.figure_text import YES, format_columns, write_frame
from ncsbench.evaluation.statistics.intervals import independent_share_difference, wilson_interval
from ncsbench.evaluation.statistics.resampling import Sampling

_COUNTS = ("both", "ours_only", "published_only", "neither")
_SHARES = ("agreement", "kappa")
_SPEARMAN = ("spearman_found", "spearman_all")
_ANSWERED = 10
_WITHIN = ("found", f"answered_{_ANSWERED}")

AGREEMENT_COLUMNS = (
    *("dataset", "judge", "threshold", "model", "published", "counterpart", "nearest"),
    "questions",
    *(f"{within}_{count}" for within in _WITHIN for count in (*_COUNTS, *_SHARES)),
    *_SPEARMAN,
    *NEARNESS,
)
"""Columns of ``score_sheet_agreement.csv``, in order. ``counterpart``: yes where ours rebuilds the
published system; ``nearest``: yes where no published system has a higher ``spearman_all``; the last
are those of ``measure_nearness``."""

FLIP_COLUMNS = (
    *("dataset", "judge", "threshold", "model", "published", "query_id", "stackoverflow_id"),
    *("question", "rank", "published_rank", "direction"),
)
"""Columns of ``flips.csv``, in order."""

RanksByJudge = Mapping[Judge, Mapping[str, NDArray[np.int32]]]
"""First ranks of our models on the evaluated questions, 0 = not found, for every judge."""


def join_published_ranks(
    sheet: ScoreSheet, keys: Sequence[tuple[str, int]]
) -> dict[str, NDArray[np.int32]]:
    """Find the first ranks of every model of a sheet on the evaluated questions (DEV-30).

    Args:
        sheet: the published sheet.
        keys: Stack Overflow id and occurrence of every question, as in ``QUESTION_SCHEMA``.

    Returns:
        int32, shape (questions,), by model; 0 = not found, -1 = the sheet lacks the question.
    """
    positions = join_score_sheet(sheet, keys)
    known = positions >= 0
    joined = {}
    for column, model in enumerate(sheet.models):
        ranks = np.full(len(keys), -1, dtype=np.int32)
        ranks[known] = sheet.first_ranks[positions[known], column]
        joined[model] = ranks
    return joined


def compare_first_ranks(
    ours: NDArray[np.int32], published: NDArray[np.int32], depth: int = PUBLISHED_DEPTH
) -> dict[str, float | None]:
    """Compare the first ranks of two systems on the same questions.

    Args:
        ours: first ranks of our system, int32, shape (questions,), 0 = not found.
        published: first ranks of the published system, for the same questions in the same order.
        depth: the last rank that counts; a deeper first rank counts as not found.

    Returns:
        Columns of ``AGREEMENT_COLUMNS`` from ``questions`` on; None where a figure is undefined:
        without questions, or kappa where both systems find all or both find nothing.
        ``spearman_found`` is over the questions that both find, ``spearman_all`` over all
        questions, where a question that is not found gets the rank below the last.

    Raises:
        ValueError: where the numbers of questions differ.
    """
    if len(ours) != len(published):
        raise ValueError(f"{len(ours)} and {len(published)} questions cannot be compared")
    first, second = (rank_not_found_last(each, depth) for each in (ours, published))
    figures: dict[str, float | None] = {"questions": len(ours)}
    for within, last in zip(_WITHIN, (depth, min(_ANSWERED, depth)), strict=True):
        one, other = first <= last, second <= last
        cells = (one & other, one & ~other, ~one & other, ~one & ~other)
        counts = np.array([np.count_nonzero(cell) for cell in cells])
        observed = (counts[0] + counts[3]) / len(ours) if len(ours) else None
        kappa = weighted_kappa(counts.reshape(2, 2), 1 - np.eye(2))
        names = (f"{within}_{name}" for name in (*_COUNTS, *_SHARES))
        figures |= dict(zip(names, (*counts.tolist(), observed, kappa), strict=True))
    both = (first <= depth) & (second <= depth)
    correlations = correlate_ranks(first[both], second[both]), correlate_ranks(first, second)
    return figures | dict(zip(_SPEARMAN, correlations, strict=True))


def write_sheet_agreement(
    path: Path,
    *,
    dataset: str,
    first_ranks: RanksByJudge,
    published_as: Mapping[str, str],
    published_ranks: Mapping[str, NDArray[np.int32]],
    sampling: Sampling,
    depth: int = PUBLISHED_DEPTH,
) -> None:
    """Write one row per judge, model of ours and published model, atomically.

    Args:
        path: file to write.
        dataset: name of the dataset.
        first_ranks: for every judge, first ranks of our models, int32, shape (questions,).
        published_as: the published system that each of our models rebuilds; other models are left
            out, and so are systems without a column in the sheet.
        published_ranks: the result of ``join_published_ranks`` for these questions.
            Without any question of the sheet the table has only a header.
        sampling: seed and number of the draws behind the intervals.
        depth: the last rank that counts.
    """
    counterparts = {column: model for model, column in reversed([*published_as.items()])}
    # The sheet has a question for all of its models, or for no model.
    known = np.logical_and.reduce([theirs >= 0 for theirs in published_ranks.values()])
    theirs_known = {column: theirs[known] for column, theirs in published_ranks.items()}
    rows = []
    for judge, ranks in first_ranks.items() if np.any(known) else ():
        found = {model: ours[known] for model, ours in ranks.items()}
        nearness = measure_nearness(
            found, theirs_known, counterparts, sampling=sampling, depth=depth
        )
        rows += [
            (
                *(*judge.cells, model, column, YES[published_as.get(model) == column]),
                *compare_first_ranks(ours, theirs, depth).values(),
                *nearness[model, column].values(),
            )
            for model, ours in found.items()
            for column, theirs in theirs_known.items()
        ]
    columns = [name for name in AGREEMENT_COLUMNS if name not in ("dataset", "nearest")]
    frame = pd.DataFrame(rows, columns=columns)
    frame = frame.astype({"spearman_all": np.float64})
    best = frame.groupby(["judge", "threshold", "model"])["spearman_all"].transform("max")
    nearest = np.where(best.isna(), "", (frame["spearman_all"] == best).map(YES))
    shares = [f"{within}_{name}" for within in _WITHIN for name in _SHARES]
    shown = format_columns(frame, [*shares, *_SPEARMAN, *NEARNESS[:2]], 6)
    shown = format_columns(shown, list(NEARNESS[3:6]), 6, signed=True)
    shown = format_columns(shown, list(NEARNESS[6:]), 1)
    write_frame(path, shown.assign(dataset=dataset, nearest=nearest), AGREEMENT_COLUMNS)


def write_flips(
    path: Path,
    *,
    dataset: str,
    questions: pa.Table,
    first_ranks: RanksByJudge,
    published_as: Mapping[str, str],
    published_ranks: Mapping[str, NDArray[np.int32]],
    depth: int = PUBLISHED_DEPTH,
) -> None:
    """Write the questions that only a model or only its counterpart answers within ten results.

    Rows go by judge and model in the order given, then by question.

    Args:
        path: file to write.
        dataset: name of the dataset.
        questions: ``query_id``, ``stackoverflow_id`` and ``question`` of the questions.
        first_ranks: as for ``write_sheet_agreement``.
        published_as: as for ``write_sheet_agreement``.
        published_ranks: as for ``write_sheet_agreement``.
        depth: the last rank that is shown; a deeper first rank is shown as not found.
    """
    keys = questions.select(["query_id", "stackoverflow_id", "question"]).to_pandas()
    parts = [keys.iloc[:0]]
    for judge, ranks in first_ranks.items():
        for model, ours in ranks.items():
            theirs = published_ranks.get(published_as.get(model, ""))
            if theirs is None:
                continue
            gained, had = ((1 <= one) & (one <= _ANSWERED) for one in (ours, theirs))
            named = {"judge": judge.cells[0], "threshold": judge.cells[1], "model": model}
            part = keys.assign(
                **{**named, "published": published_as[model]},
                rank=_show_ranks(ours, depth),
                published_rank=_show_ranks(theirs, depth),
                direction=np.where(gained, "gained", "lost"),
            )
            parts.append(part[(theirs >= 0) & (gained != had)])
    frame = pd.concat(parts).assign(dataset=dataset)
    write_frame(path, frame.reindex(columns=list(FLIP_COLUMNS)), FLIP_COLUMNS)


def _show_ranks(ranks: NDArray[np.int32], depth: int) -> NDArray[np.str_]:
    return np.where((ranks >= 1) & (ranks <= depth), ranks.astype(np.str_), "NF")


FIGURES_FILE, MODELS_FILE = "ncs_2018.csv", "ncs_2018_systems.csv"
"""Files of the printed figures, and of our rows that represent each system."""

_TABLE = "Stack Overflow questions: 518 judged automatically"
_MODEL_COLUMNS = ("system", "model")

_DIFFERENCES = ["difference", "difference_low", "difference_high"]
NCS_2018_COLUMNS = (
    *("dataset", "published_as", "model", "judge", "threshold"),
    *("answered_10", "questions", "share", "low", "high"),
    *("published_answered_10", "published_questions"),
    *("published_share", "published_low", "published_high"),
    *_DIFFERENCES,
)
"""Columns of ``ncs_2018.csv``, in order. Shares of questions answered within ten results have
Wilson's intervals; the difference is ours minus the published one, with Newcombe's interval; all
intervals are at 95 %."""


def write_ncs_2018(
    path: Path,
    *,
    dataset: str,
    first_ranks: Mapping[Judge, Mapping[str, NDArray[np.int32]]],
    published: Path,
) -> None:
    """Write one row per judge, published system and row of ours that represents it, atomically.

    Args:
        path: file to write.
        dataset: name of the dataset.
        first_ranks: for every judge, first ranks of our models, int32, shape (questions,), 0 = not
            found.
        published: folder of ``FIGURES_FILE`` and ``MODELS_FILE``.

    Raises:
        DataError: where a file is malformed, or lists a system that is not printed.
    """
    figures = read_published_cells(published / FIGURES_FILE)
    asked = _find(published, figures, "all", "questions")
    rows = []
    for judge, ranks_of in first_ranks.items():
        for system, model in map(dict.values, read_rows(published / MODELS_FILE, _MODEL_COLUMNS)):
            answered = _find(published, figures, system, "answered_10")
            ranks = ranks_of.get(model)
            if ranks is not None and len(ranks):
                ours = answered_at(ranks, 10), len(ranks)
                figures_of_row = _compare(ours, (answered, asked))
                rows.append((dataset, system, model, *judge.cells, *figures_of_row))
    frame = pd.DataFrame(rows, columns=list(NCS_2018_COLUMNS))
    shares = [f"{of}{name}" for of in ("", "published_") for name in ("share", "low", "high")]
    shown = format_columns(format_columns(frame, shares, 6), _DIFFERENCES, 6, signed=True)
    write_frame(path, shown, NCS_2018_COLUMNS)


def _compare(ours: tuple[int, int], published: tuple[int, int]) -> list[float]:
    """Compute cells from ``answered_10`` on, of pairs (questions answered, all questions)."""
    cells: list[float] = []
    for found, asked in (ours, published):
        interval = wilson_interval(found, asked)
        cells += [found, asked, found / asked, interval.low, interval.high]
    both = zip(ours, published, strict=True)
    difference = independent_share_difference(*both)
    return [*cells, difference.value, difference.interval.low, difference.interval.high]


def _find(published: Path, cells: PublishedCells, row: str, column: str) -> int:
    value = cells.get((_TABLE, row, column), "")
    if value.isdigit() and int(value):
        return int(value)
    raise DataError(
        f"{published / FIGURES_FILE}: has no whole number for {row!r}, {column!r} in {_TABLE!r}; "
        f"add it or mend {MODELS_FILE}"
    )
