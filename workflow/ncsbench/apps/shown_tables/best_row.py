"""The answer that a Table 1 gives: which row is best, by how much, how sure, on how many questions.

The best row of each judge is compared with all others, paired by question: differences of MRR with
bootstrap intervals, p by randomisation, corrected by Holm for the number of rows
(``rank_figures.build_significance``). Rows of chance and length and the ceiling are not compared.
The best row is chosen after looking at the figures, so that its own figure tends to be high.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from ncsbench.base.files.csv_tables import Row, format_number
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import reciprocal_ranks
from ncsbench.evaluation.measures.rank_figures import build_significance
from ncsbench.evaluation.measures.results import CEILING, JUDGE_PREFIXES, Judge
from ncsbench.evaluation.measures.row_differences import read_first_ranks
from ncsbench.evaluation.statistics.evaluation_options import EvaluationOptions
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.pipeline.files.model_files import CHANCE_BASELINES
from ncsbench.studies.ncsed.model_names import read_model_names
from ncsbench.studies.ncsed.table1_files import read_table1

PER_QUESTION_FILE = "per_question.parquet"
"""File beside a Table 1 without which its best row cannot be compared with others."""
_LEVEL = 0.05
_POWER = 1.959964 + 0.841621
"""Standard errors of a difference that a two-sided test at 5 % shows with a power of 80 %."""
_NAMED = 3  # rows that a sentence names before it counts the others
_WORDS = {
    "strict": "under the strict judge, which does not reward long methods",
    "lenient": "under the lenient judge, which is nearest to the paper's",
}
"""Judges that the answer is about, in order, with words of its sentences."""


@dataclass(frozen=True)
class BestRow:
    """The row with the highest MRR under one judge.

    Attributes:
        judge: ``strict`` or ``lenient``.
        model: the row; of equal rows the first.
        value: its MRR.
        low: lower bound of the 95 % interval of the MRR.
        high: upper bound of the interval.
        same: rows whose difference from it is not shown (p of 0.05 or more), the best first.
        following: the next row by MRR.
        difference: MRR of the best minus that of the next row.
        difference_low: lower bound of the 95 % interval of the difference.
        difference_high: upper bound of the interval.
        p: of this difference, corrected by Holm for all compared rows.
        smallest: the smallest difference between both that a test of this many questions shows
            with a power of 80 %.
        questions: number of questions.
    """

    judge: str
    model: str
    value: float
    low: float
    high: float
    same: tuple[str, ...]
    following: str
    difference: float
    difference_low: float
    difference_high: float
    p: float
    smallest: float
    questions: int


def find_best_rows(table: Path) -> list[BestRow]:
    """Find the best row of a Table 1 under the strict and the lenient judge.

    Args:
        table: ``table1.csv``, with ``table1_long.csv`` and ``per_question.parquet`` beside it.

    Returns:
        One row for each judge that the table has; empty where fewer than two rows are comparable.

    Raises:
        DataError: where a file is missing, or the files are not of one run.
    """
    rows = [row for row in read_table1(table)[0] if row["questions"]]
    compared = [row for row in rows if row["model"] not in (*CHANCE_BASELINES, CEILING)]
    if len(compared) < 2:
        return []
    _, ranks = read_first_ranks(table.parent)
    names = [row["model"] for row in compared]
    found = []
    for name in (one for one in _WORDS if compared[0][f"{JUDGE_PREFIXES[one]}judge"]):
        prefix = JUDGE_PREFIXES[name]
        judge = Judge(compared[0][f"{prefix}judge"], float(compared[0][f"{prefix}threshold"]))
        if missing := [one for one in names if (judge, one) not in ranks]:
            raise DataError(
                f"{table.parent / PER_QUESTION_FILE}: has no ranks of {missing[0]}, which "
                f"{table.name} has; make both again"
            )
        best = max(compared, key=lambda row: float(row[f"{prefix}mrr"]))
        found.append(_compare(name, best, prefix, {one: ranks[judge, one] for one in names}, judge))
    return found


def _compare(name: str, best: Row, prefix: str, ranks: dict[str, Any], judge: Judge) -> BestRow:
    options = EvaluationOptions()
    model = best["model"]
    tests = build_significance(
        dataset=best["dataset"],
        first_ranks={judge: ranks},
        baseline=model,
        sampling=Sampling(options.seed, options.bootstrap_samples),
        metrics=["mrr"],
    )
    tests.sort(key=lambda row: -float(row["value"]))  # stable: of equal rows the first
    following = tests[0]
    of_both = (reciprocal_ranks(ranks[one], options.depth) for one in (model, following["model"]))
    spread = np.std(np.subtract(*of_both), ddof=1)
    return BestRow(
        judge=name,
        model=model,
        value=float(best[f"{prefix}mrr"]),
        low=float(best[f"{prefix}mrr_low"]),
        high=float(best[f"{prefix}mrr_high"]),
        same=tuple(row["model"] for row in tests if float(row["p_holm"]) >= _LEVEL),
        following=following["model"],
        difference=-float(following["difference"]),
        difference_low=-float(following["difference_high"]),
        difference_high=-float(following["difference_low"]),
        p=float(following["p_holm"]),
        smallest=float(_POWER * spread / sqrt(len(ranks[model]))),
        questions=len(ranks[model]),
    )


def describe_best_rows(found: Sequence[BestRow], label: Callable[[str], str] = str) -> str:
    """Describe the answer in sentences; empty where no row is best.

    Args:
        found: the result of ``find_best_rows``.
        label: name of a row for its readers.
    """
    sentences = [
        f"Best on {one.questions} questions {_WORDS[one.judge]}: {label(one.model)}, MRR "
        f"{_show(one.value)} (95 %: {_show(one.low)} to {_show(one.high)}), "
        f"{_describe_others(one, label)}."
        for one in found
    ]
    if found:
        smallest = format_number(found[0].smallest, 2)
        sentences.append(
            f"With {found[0].questions} questions, a difference of {smallest} is found in four "
            "cases of five, smaller ones less often."
        )
    return " ".join(sentences)


def label_model(model: str) -> str:
    """Return the name of a model for people; its id where it has no name."""
    known = read_model_names().get(model)
    return known.name if known else model


def _describe_others(one: BestRow, label: Callable[[str], str]) -> str:
    if not one.same:
        low, high = _show(one.difference_low), _show(one.difference_high)
        above = f"{_show(one.difference)} above the next model, {label(one.following)}"
        return f"{above} (95 %: {low} to {high}; p {one.p:.2g}, corrected for all models)"
    names = [label(name) for name in one.same[:_NAMED]]
    if len(one.same) > _NAMED:
        names.append(f"{len(one.same) - _NAMED} more")
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"which cannot be distinguished from {listed}"


def _show(value: float) -> str:
    return format_number(value, 3)


def pack_answer(found: Sequence[BestRow], label: Callable[[str], str]) -> dict[str, Any] | None:
    """Pack the answer as JSON for the explorer; None where no row is best."""
    if not found:
        return None
    return {
        "text": describe_best_rows(found, label),
        "questions": found[0].questions,
        "smallest": round(found[0].smallest, 3),
        "judges": [asdict(one) for one in found],
    }
