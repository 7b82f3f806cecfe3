"""The published systems of Table 1: printed figures, and their ranks on the evaluated questions.

``SYSTEMS_FILE``, in the folder with the published figures, lists the systems and the places where
their figures are printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import METRICS, Metric
from ncsbench.evaluation.published.printed_figures import PublishedFigure, read_published
from ncsbench.evaluation.published.verdict_options import SYSTEM_COLUMNS, SYSTEMS_FILE


@dataclass(frozen=True)
class PublishedSystem:
    """One system of the published tables.

    Attributes:
        name: name of the system; that of its column in the score sheet, if it has one.
        trained_on: the training data of the system, as published.
        printed: the printed figure of every metric.
        first_ranks: first ranks on the joined questions, int32, 0 = not found; None if the sheet
            lacks the system.
    """

    name: str
    trained_on: str
    printed: Mapping[Metric, PublishedFigure]
    first_ranks: NDArray[np.int32] | None


@dataclass(frozen=True)
class PublishedTable:
    """The published systems, and the places of the evaluated questions that the score sheet has.

    Attributes:
        systems: the systems, in the order of ``SYSTEMS_FILE``.
        joined: positions among the evaluated questions, int64, ascending; the ``first_ranks`` of
            the systems are of these questions, in this order.
    """

    systems: tuple[PublishedSystem, ...]
    joined: NDArray[np.int64]

    @property
    def notes(self) -> dict[tuple[str, str], str]:
        """Known inconsistencies of printed figures, by system and metric."""
        return {
            (system.name, metric): figure.note
            for system in self.systems
            for metric, figure in system.printed.items()
            if figure.note
        }


def read_published_table(
    folder: Path, *, sheet_ranks: Mapping[str, NDArray[np.int32]]
) -> PublishedTable:
    """Read the published systems, with their ranks on the evaluated questions (DEV-30).

    Args:
        folder: folder with ``SYSTEMS_FILE`` and the files it names.
        sheet_ranks: the result of ``sheet_agreement.join_published_ranks`` for these questions.

    Raises:
        DataError: where a file is malformed, or a system is listed twice or lacks a figure.
    """
    # A sheet has a question for all of its models or for no model.
    joined = np.flatnonzero(next(iter(sheet_ranks.values())) >= 0)
    path = folder / SYSTEMS_FILE
    listed = read_rows(path, SYSTEM_COLUMNS)
    names = [row["system"] for row in listed]
    if len(set(names)) != len(names) or not all(names):
        raise DataError(f"{path}: the systems must have distinct names, not {', '.join(names)}")
    files = {row["file"]: _read_figures(path, row["file"]) for row in listed}
    systems = []
    for row in listed:
        figures = files[row["file"]]
        ranks = sheet_ranks.get(row["system"])
        place = (row["table"], row["row"])
        for metric in METRICS:
            if (*place, metric) not in figures:
                raise DataError(
                    f"{path}: the system {row['system']!r} has no figure {metric!r} in "
                    f"{', '.join((row['file'], *place))}"
                )
        systems.append(
            PublishedSystem(
                name=row["system"],
                trained_on=row["trained_on"],
                printed={metric: figures[*place, metric] for metric in METRICS},
                first_ranks=None if ranks is None else ranks[joined],
            )
        )
    return PublishedTable(tuple(systems), joined)


def _read_figures(path: Path, file: str) -> dict[tuple[str, str, str], PublishedFigure]:
    """Read the figures of a file beside the list, by table, row and column."""
    if Path(file).name != file:
        raise DataError(f"{path}: {file!r} is not the name of a file beside it")
    figures = read_published(path.parent / file)
    return {(figure.table, figure.row, figure.column): figure for figure in figures}
