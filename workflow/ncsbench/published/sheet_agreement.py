"""Our first ranks beside the published score sheet: agreement, and the questions that flip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.evaluation.metrics import PUBLISHED_DEPTH
from ncsbench.evaluation.results import Judge
from ncsbench.published.rank_agreement import Agreement, RankAgreement, compare_first_ranks

_COUNTS = ("both", "ours_only", "published_only", "neither", "agreement", "kappa")

AGREEMENT_COLUMNS = (
    *("dataset", "judge", "threshold", "model", "published", "counterpart", "nearest"),
    "questions",
    *(f"found_{count}" for count in _COUNTS),
    *(f"answered_10_{count}" for count in _COUNTS),
    *("spearman_found", "spearman_all"),
)
"""Columns of ``score_sheet_agreement.csv``, in order. ``counterpart``: whether the published system
is the one ours rebuilds; ``nearest``: whether no published system has a higher ``spearman_all``."""

FLIP_COLUMNS = (
    *("dataset", "judge", "threshold", "model", "published", "query_id", "stackoverflow_id"),
    *("question", "rank", "published_rank", "direction"),
)
"""Columns of ``flips.csv``, in order."""

RanksByJudge = Mapping[Judge, Mapping[str, NDArray[np.int32]]]
"""First ranks of our models on the questions at hand, 0 = not found, for every judge."""

_ANSWERED = 10


def write_sheet_agreement(
    path: Path,
    *,
    dataset: str,
    first_ranks: RanksByJudge,
    published_as: Mapping[str, str],
    published_ranks: Mapping[str, NDArray[np.int32]],
    depth: int = PUBLISHED_DEPTH,
) -> None:
    """Write one row per judge, model of ours and published model, atomically.

    Args:
        path: file to write.
        dataset: name of the dataset.
        first_ranks: for every judge, first ranks of our models, int32, shape (questions,).
        published_as: the published system that one of ours rebuilds; others are left out, and so
            are systems that the sheet has no column of.
        published_ranks: what ``rank_agreement.join_published_ranks`` gave for these questions.
            Without any question of the sheet the table has only a header.
        depth: the last rank that counts.
    """
    rows: list[Row] = []
    for judge, ranks in first_ranks.items():
        for model, ours in ranks.items():
            compared = {
                column: compare_first_ranks(ours[theirs >= 0], theirs[theirs >= 0], depth)
                for column, theirs in published_ranks.items()
                if np.any(theirs >= 0)
            }
            known = [found.spearman_all for found in compared.values()]
            best = max((value for value in known if value is not None), default=None)
            rows += [
                {
                    **_describe_judge(dataset, judge),
                    "model": model,
                    "published": column,
                    "counterpart": "yes" if published_as.get(model) == column else "no",
                    "nearest": "" if best is None else _say(found.spearman_all == best),
                    **_describe_agreement(found),
                }
                for column, found in compared.items()
            ]
    write_rows(path, AGREEMENT_COLUMNS, rows)


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
    """Write the questions that only one of a model and its counterpart answers in ten results.

    Rows go by judge and model in the order given, then by question.

    Args:
        path: file to write.
        dataset: name of the dataset.
        questions: ``query_id``, ``stackoverflow_id`` and ``question`` of the questions.
        first_ranks: as for ``write_sheet_agreement``.
        published_as: as there.
        published_ranks: as there.
        depth: the last rank that is shown; deeper ones are not found.
    """
    keys = questions.select(["query_id", "stackoverflow_id", "question"]).to_pylist()
    rows: list[Row] = []
    for judge, ranks in first_ranks.items():
        for model, ours in ranks.items():
            theirs = published_ranks.get(published_as.get(model, ""))
            if theirs is None:
                continue
            for key, rank, printed in zip(keys, ours.tolist(), theirs.tolist(), strict=True):
                gained = 1 <= rank <= _ANSWERED
                if printed < 0 or gained == (1 <= printed <= _ANSWERED):
                    continue
                rows.append(
                    {
                        **_describe_judge(dataset, judge),
                        "model": model,
                        "published": published_as[model],
                        **{name: str(value) for name, value in key.items()},
                        "rank": _show_rank(rank, depth),
                        "published_rank": _show_rank(printed, depth),
                        "direction": "gained" if gained else "lost",
                    }
                )
    write_rows(path, FLIP_COLUMNS, rows)


def _describe_judge(dataset: str, judge: Judge) -> Row:
    return {
        "dataset": dataset,
        "judge": judge.similarity,
        "threshold": repr(float(judge.threshold)),
    }


def _describe_agreement(found: RankAgreement) -> Row:
    return {
        "questions": str(found.found.questions),
        **_describe_counts("found", found.found),
        **_describe_counts("answered_10", found.answered),
        "spearman_found": _show_share(found.spearman_found),
        "spearman_all": _show_share(found.spearman_all),
    }


def _describe_counts(prefix: str, agreement: Agreement) -> Row:
    cells: Sequence[str] = (
        str(agreement.both),
        str(agreement.first_only),
        str(agreement.second_only),
        str(agreement.neither),
        _show_share(agreement.observed),
        _show_share(agreement.kappa),
    )
    return {f"{prefix}_{count}": cell for count, cell in zip(_COUNTS, cells, strict=True)}


def _show_share(value: float | None) -> str:
    return "" if value is None else format_number(value, 6)


def _show_rank(rank: int, depth: int) -> str:
    return str(rank) if 1 <= rank <= depth else "NF"


def _say(yes: bool) -> str:
    return "yes" if yes else "no"
