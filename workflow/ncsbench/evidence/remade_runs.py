"""Whether runs that were made again are those of the evidence."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ncsbench.artifacts.storage import read_table, write_text
from ncsbench.errors import DataError
from ncsbench.evidence.judged_pairs import join_pairs, read_pairs
from ncsbench.evidence.publishing import FinishedRun
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.runs.trec_files import path_of_run, read_run


class Agreement(NamedTuple):
    """What a run made again has of the evidence.

    Attributes:
        compared: runs that are here and in the evidence.
        different: those of them with another ranking, or with other judgements.
        absent: runs of the evidence that are not here.
    """

    compared: list[str]
    different: list[str]
    absent: list[str]

    def describe(self, dataset: str) -> str:
        """One line."""
        rest = f"; not made here: {', '.join(self.absent)}" if self.absent else ""
        if not self.different:
            return f"{dataset}: {len(self.compared)} runs and their judgements as published{rest}"
        return (
            f"{dataset}: {len(self.different)} of {len(self.compared)} runs differ from the "
            f"evidence: {', '.join(self.different)}{rest}"
        )


def write_agreement(dataset: str, output: Path) -> None:
    """Compare runs made again with the evidence of a dataset; an error says which differ.

    Args:
        dataset: name of the dataset.
        output: text file to write, of one line.

    Raises:
        DataError: where runs differ, or no run is here.
    """
    found = compare_with_evidence(dataset)
    if found.different or not found.compared:
        raise DataError(found.describe(dataset))
    write_text(output, f"{found.describe(dataset)}\n")


def compare_with_evidence(dataset: str) -> Agreement:
    """Compare the finished runs of a dataset in the working directory with its evidence.

    A run is the same where each question has the same methods in the same order, each with the same
    similarities.

    Raises:
        DataError: where the evidence is not whole, or of another corpus.
    """
    finished = FinishedRun(dataset)
    evidence = finished.evidence
    record, pairs = evidence.check(), read_pairs(evidence.judgements)
    found = Agreement([], [], [])
    for run in record.commits:
        ranking, judged = finished.of(run)
        if not (ranking.is_file() and judged.is_file()):
            found.absent.append(run)
            continue
        found.compared.append(run)
        here, there = read_run(ranking), read_run(path_of_run(evidence.path, run))
        same = np.array_equal(here.query_ids, there.query_ids) and np.array_equal(
            here.ids, there.ids
        )
        if not same or not _has_pairs(pairs, judged):
            found.different.append(run)
    return found


def _has_pairs(pairs: pa.Table, judgements: Path) -> bool:
    """Whether judgements are all among judged pairs, with the same similarities."""
    try:
        joined = join_pairs([pairs, read_table(judgements, JUDGEMENT_SCHEMA)])
    except DataError:
        return False
    return len(joined) == len(pairs)
