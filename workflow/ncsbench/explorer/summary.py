"""What the first page shows: the tables, the numbers behind the figures, the list of questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.corpus_stamps import tag_run
from ncsbench.artifacts.csv_tables import Row, read_headed_rows, read_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.corpus.corpus_record import describe_corpus
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.evaluation.evaluation_options import NEAR
from ncsbench.evaluation.metrics import mean_reciprocal_rank
from ncsbench.evaluation.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.rank_figures import SIGNIFICANCE_COLUMNS
from ncsbench.evaluation.results import CEILING
from ncsbench.explorer.shown_results import TOP, ShownResults
from ncsbench.judge.judgement_schemas import ANSWER_COLUMNS, UNREAD
from ncsbench.tables.model_names import read_model_names
from ncsbench.tables.table_settings import TableSettings
from ncsbench.text.safe_text import show_line
from ncsbench.version import __version__

FORMAT = 1
"""Of the data; a page says so where it was written for another one."""

_QUANTILES = {"low": 0.05, "lower": 0.25, "median": 0.5, "upper": 0.75, "high": 0.95}
_FIGURES = ("difference", "difference_low", "difference_high", "p_holm", "wins", "ties", "losses")


def summarise(
    settings: TableSettings,
    shown: ShownResults,
    *,
    questions: Sequence[Mapping[str, Any]],
    corpus: CorpusFolder,
    tables: Path,
    answers: Path,
    funnel: Path | None,
) -> dict[str, Any]:
    """The value of ``data/summary.js``.

    Args:
        settings: rows, judges, baseline.
        shown: what the rows rank.
        questions: rows of ``QUESTION_SCHEMA``.
        corpus: the methods that were searched.
        tables: folder with ``table1.csv``, ``significance.csv`` and ``per_question.parquet``.
        answers: ``answers.csv``.
        funnel: how the questions were selected; None where they were given.
    """
    columns, rows = read_headed_rows(tables / "table1.csv")
    lines, manifest = corpus.read_lines(), corpus.manifest()
    ranks = _read_ranks(tables / "per_question.parquet", settings)
    listed = [_list_question(shown, position, row, ranks) for position, row in enumerate(questions)]
    return {
        "format": FORMAT,
        "dataset": settings.dataset,
        "version": __version__,
        "corpus": tag_run("ncs", manifest["corpus_hash"]),
        "judge": _describe_judge(settings.judge, settings.threshold),
        "strict": _describe_judge(settings.strict_judge, settings.strict_threshold),
        "judges": list(SIMILARITIES),
        "near": NEAR,
        "depth": settings.depth,
        "top": TOP,
        "models": [ranking.name for ranking in shown.rankings],
        "baseline": settings.baseline,
        "facts": [
            ["methods", len(lines)],
            ["repositories", describe_corpus(manifest).repositories.get("taken", 0)],
            ["questions", len(questions)],
            ["models", len(shown.rankings)],
        ],
        "table": {
            "columns": columns,
            "rows": [[show_line(row[column]) for column in columns] for row in rows],
        },
        "names": {name: one.name for name, one in read_model_names().items()},
        "differences": _read_differences(tables / "significance.csv"),
        "sensitivity": [
            [
                round(mean_reciprocal_rank(ranking.first_ranks(one, settings.threshold)), 6)
                for one in SIMILARITIES
            ]
            for ranking in shown.rankings
        ],
        "lengths": _summarise_lengths(shown, lines),
        "funnel": _count_steps(rows, listed, questions, answers, funnel),
        "questions": listed,
    }


def _describe_judge(name: str, threshold: float) -> dict[str, Any]:
    return {"name": name, "threshold": threshold}


def _read_ranks(path: Path, settings: TableSettings) -> dict[tuple[str, str], dict[int, Any]]:
    """By model and column, the value of each question: ranks of both judges, published ranks."""
    table = read_table(path, PER_QUESTION_SCHEMA)
    judges = {
        (settings.judge, settings.threshold): "ranks",
        (settings.strict_judge, settings.strict_threshold): "strict",
    }
    found: dict[tuple[str, str], dict[int, Any]] = {}
    for row in table.filter(pc.is_null(table["replicate"])).to_pylist():
        column = judges.get((row["judge"], row["threshold"]))
        if column is None:  # the pages show two judges
            continue
        found.setdefault((row["model"], column), {})[row["query_id"]] = row["first_rank"]
        found.setdefault((row["model"], "published"), {})[row["query_id"]] = row["published_rank"]
    return found


def _list_question(
    shown: ShownResults,
    position: int,
    question: Mapping[str, Any],
    ranks: Mapping[tuple[str, str], Mapping[int, Any]],
) -> dict[str, Any]:
    names = [ranking.name for ranking in shown.rankings]
    default = SIMILARITIES.index(shown.judge.similarity)
    near = [
        int((ranking.similarities[default, position, :TOP] > NEAR).any())
        for ranking in shown.rankings
    ]
    return {
        "id": question["query_id"],
        "so": show_line(question["stackoverflow_id"]),
        "title": show_line(question["question"]),
        **{
            column: [ranks[name, column][question["query_id"]] for name in names]
            for column in ("ranks", "strict", "published")
        },
        "near": near,
    }


def _read_differences(path: Path) -> list[dict[str, Any]]:
    kept = ("model", "baseline", "measure", "judge")
    return [
        {
            **{name: row[name] for name in kept},
            **{name: float(row[name]) if row[name] else None for name in _FIGURES},
        }
        for row in read_rows(path, SIGNIFICANCE_COLUMNS)
    ]


def _summarise_lengths(shown: ShownResults, lines: NDArray[np.int32]) -> list[dict[str, Any]]:
    """Quantiles of lines: of the first results of each row, and of the corpus."""
    found = {
        ranking.name: lines[ranking.ids[:, :TOP][ranking.ids[:, :TOP] >= 0]]
        for ranking in shown.rankings
    }
    return [
        {"name": name, **{key: float(np.quantile(of, part)) for key, part in _QUANTILES.items()}}
        for name, of in {**found, "corpus": lines}.items()
        if len(of)
    ]


def _count_steps(
    table: Sequence[Row],
    listed: Sequence[Mapping[str, Any]],
    questions: Sequence[Mapping[str, Any]],
    answers: Path,
    funnel: Path | None,
) -> list[dict[str, Any]]:
    """Steps from what there was to what is answered, each with how many are left."""
    read = [row for row in read_rows(answers, ANSWER_COLUMNS) if row["wrapping"] != UNREAD]
    steps: list[tuple[str, int]] = [
        ("questions asked", len(questions)),
        ("answer read as Java", len(read)),
    ]
    ceiling = [row for row in table if row["model"] == CEILING]
    if ceiling:
        steps.append(("with a right method in the corpus", int(ceiling[0]["answered_10"])))
    for limit in (10, 1):
        answered = [any(0 < rank <= limit for rank in one["ranks"]) for one in listed]
        steps.append((f"answered at {limit} by some model", sum(answered)))
    found = [{"step": step, "count": count, "published": None} for step, count in steps]
    if funnel is None:
        return [{"name": "questions", "steps": found}]
    _, rows = read_headed_rows(funnel)
    selected = [
        {
            "step": show_line(row["step"]),
            "count": int(row["kept"]),
            "published": int(row["published"]) if row["published"] else None,
        }
        for row in rows
    ]
    return [{"name": "selection", "steps": selected}, {"name": "questions", "steps": found}]
