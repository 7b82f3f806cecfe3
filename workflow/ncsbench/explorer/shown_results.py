"""The first results of every row, and what each judge says of them."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.results import Judge
from ncsbench.tables.table_settings import TableSettings

TOP = 10
"""Results of a row that are shown for a question."""


@dataclass(frozen=True)
class ShownResults:
    """Rankings of a dataset with every similarity, and which of their results are shown.

    Attributes:
        judge: the lenient judge.
        strict: the strict one.
        query_ids: of the questions, in order.
        rankings: of the rows of Table 1, in order, to the depth of the tables.
    """

    judge: Judge
    strict: Judge
    query_ids: tuple[int, ...]
    rankings: tuple[JudgedRanking, ...]

    def list_results(self, question: int) -> list[list[int]]:
        """Method ids of the first results of every row, for a question by its position."""
        rows = (ranking.ids[question, :TOP].tolist() for ranking in self.rankings)
        return [[id_ for id_ in row if id_ >= 0] for row in rows]

    def describe_pairs(self, question: int) -> dict[int, tuple[list[int], int]]:
        """Similarities and verdicts of what is shown for a question, by ascending method id.

        Returns:
            Ten-thousandths under every similarity of ``SIMILARITIES``, rounded, and bits: bit i is
            set where similarity i exceeds the threshold of the lenient judge, bit 16 where the
            lenient judge accepts the method and bit 17 where the strict one does.
        """
        found: dict[int, tuple[list[int], int]] = {}
        for ranking in self.rankings:
            for rank, id_ in enumerate(ranking.ids[question, :TOP].tolist()):
                if id_ >= 0 and id_ not in found:
                    values = ranking.similarities[:, question, rank]
                    bits = sum(
                        1 << bit for bit in np.flatnonzero(values > self.judge.threshold).tolist()
                    )
                    for bit, judge in ((16, self.judge), (17, self.strict)):
                        value = values[SIMILARITIES.index(judge.similarity)]
                        bits |= int(value > judge.threshold) << bit
                    found[id_] = (np.rint(values * 10_000).astype(int).tolist(), bits)
        return dict(sorted(found.items()))

    @cached_property
    def questions_of(self) -> dict[int, list[int]]:
        """The positions of the questions for which a method is shown, ascending, by its id."""
        found: dict[int, list[int]] = defaultdict(list)
        for question in range(len(self.query_ids)):
            for id_ in {id_ for ids in self.list_results(question) for id_ in ids}:
                found[id_].append(question)
        return dict(sorted(found.items()))


def read_shown_results(
    settings: TableSettings, *, questions: Path, judgements: Path, results: Path
) -> ShownResults:
    """Read the runs of the rows of Table 1 with their judgements.

    Args:
        settings: rows, judges and depth.
        questions: table of ``QUESTION_SCHEMA``.
        judgements: folder with ``<model>.parquet``.
        results: folder with ``runs/<model>.trec.gz``.
    """
    asked = read_study_questions(questions)
    rankings = read_judged_runs(
        [model.name for model in settings.models],
        query_ids=asked.query_ids,
        depth=max(settings.depth, TOP),
        results=results,
        judgements=judgements,
    )
    return ShownResults(
        judge=Judge(settings.judge, settings.threshold),
        strict=Judge(settings.strict_judge, settings.strict_threshold),
        query_ids=tuple(asked.query_ids.tolist()),
        rankings=tuple(rankings),
    )


def write_script(folder: Path, name: str, value: Any) -> None:
    """Write ``data/<name>.js``, which hands a value to the page under this name.

    Args:
        folder: of the page.
        name: letters, digits and ``-``.
        value: JSON, without NaN; no key is a text of others.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    path = folder / "data" / f"{name}.js"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(f"ncsbench.receive({json.dumps(name)},{text});\n".encode())
