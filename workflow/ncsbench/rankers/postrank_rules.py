"""What the score of a post-ranked method says of the six rules, and how often each rule held."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.errors import DataError
from ncsbench.indexes.top_results import split_run
from ncsbench.runs.rankings import Run
from ncsbench.runs.trec_files import read_run

RULES = 6

RULE_COLUMNS = (
    *("dataset", "model", "rule", "questions", "questions_first", "questions_any"),
    *("questions_every", "results", "results_held"),
)
"""Columns of ``postrank_rules.csv``, in order."""

_STEP = 4.0


def score_rules(
    rules: Sequence[NDArray[np.bool_]], cosines: NDArray[np.float64]
) -> NDArray[np.float64]:
    """4 * (the rules as a binary number, the last one highest) + cosine, float64.

    A cosine lies in [-1, 1], so that it never outweighs a rule.

    Args:
        rules: ``RULES`` arrays, in ascending importance, shape (methods,) each.
        cosines: shape (methods,).
    """
    held = np.zeros(len(cosines), dtype=np.int64)
    for bit, rule in enumerate(rules):
        held |= rule.astype(np.int64) << bit
    scores: NDArray[np.float64] = _STEP * held + cosines
    return scores


def read_rules(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rules held, shape (methods, ``RULES``), from scores of ``score_rules``.

    Raises:
        DataError: for a score that ``score_rules`` does not give.
    """
    held = np.floor(scores / _STEP + 0.5).astype(np.int64)
    # Run files have single precision and no equal scores: a cosine may be a little off.
    strange = (held < 0) | (held >= 1 << RULES) | (np.abs(scores - _STEP * held) > 1.01)
    if strange.any():
        raise DataError(f"the score {scores[strange][0]:g} is none of post-ranking")
    rules: NDArray[np.bool_] = (held[:, None] >> np.arange(RULES)) & 1 == 1
    return rules


def count_rules(run: Run) -> list[Row]:
    """How often each rule held in a post-ranked run: the columns from ``rule`` on, a row for each.

    Questions are those with a result. ``questions_first``: the rule held for the first result;
    ``questions_any``, ``questions_every``: for one of the results at least, and for all of them.
    What was ranked below the depth of the run is not seen.

    Raises:
        DataError: where the scores are none of ``score_rules``.
    """
    held = [read_rules(scores) for _, scores in split_run(run).values()]
    figures = {
        "questions_first": [each[0] for each in held],
        "questions_any": [each.any(axis=0) for each in held],
        "questions_every": [each.all(axis=0) for each in held],
        "results_held": [each.sum(axis=0) for each in held],
    }
    return [
        {
            "rule": str(rule + 1),
            "questions": str(len(held)),
            "results": str(len(run.scores)),
            **{name: str(sum(int(one[rule]) for one in each)) for name, each in figures.items()},
        }
        for rule in range(RULES)
    ]


def write_rule_counts(dataset: str, runs: Sequence[Path], output: Path) -> None:
    """Write how often each of the six rules of post-ranking held (``count_rules``).

    Args:
        dataset: its name.
        runs: TREC files of models of kind ``ncs_postrank``, whose names they have.
        output: CSV file to write, ``RULE_COLUMNS``.

    Raises:
        DataError: naming the run that is damaged or none of post-ranking.
    """
    rows = []
    for path_of_run in runs:
        run = read_run(path_of_run)
        try:
            counted = count_rules(run)
        except DataError as error:
            raise DataError(f"{path_of_run}: {error}; leave this run out") from error
        rows += [{"dataset": dataset, "model": path_of_run.stem, **row} for row in counted]
    write_rows(output, RULE_COLUMNS, rows)
