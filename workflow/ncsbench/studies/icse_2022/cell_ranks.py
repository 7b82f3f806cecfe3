"""The ranks that a cell gives the right code of benchmarks, among their distractors.

Scores are those of the rankers ``deepcs`` and ``carlcs``, for all candidates: no other ranker
chooses candidates first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_json, write_json, write_table
from ncsbench.corpus.indexes.vector_search import find_nearest
from ncsbench.errors import DataError
from ncsbench.learning.deepcs.field_encoder import CoAttention, FieldEncoder, load_field_encoder
from ncsbench.learning.deepcs.method_fields import MethodFields, read_fields, split_query
from ncsbench.pairs.cleaned_pairs.benchmark_files import RANK_SCHEMA, Benchmark, load_benchmark
from ncsbench.rankers.vectors.deepcs import embed_methods, embed_query
from ncsbench.studies.icse_2022.cell_settings import CellSettings
from ncsbench.studies.icse_2022.cell_training import RECORD

_Scores = Callable[[str, NDArray[np.int64]], NDArray[np.float64]]
"""Function that scores some methods for a query; minus infinity marks methods never found."""


def rank_cell(
    settings: CellSettings,
    encoder: Path,
    record: Path,
    benchmarks: Sequence[Path],
    ranks: Path,
    cell: Path,
) -> None:
    """Rank the right code of every query among the distractors with a trained cell.

    Args:
        settings: settings of the cell.
        encoder: folder of the cell's network.
        record: folder of the record of the cell's training.
        benchmarks: folders of the benchmarks, each named like its benchmark.
        ranks: Parquet file of ``RANK_SCHEMA`` to write.
        cell: JSON file to write: settings, training and benchmarks behind the ranks.

    Raises:
        DataError: where a file is damaged or of another cell, and for scores that are no numbers.
    """
    about, trained = _read_record(settings, record)
    network = load_field_encoder(encoder)
    if network.about != about:
        raise DataError(f"{encoder}: is not what {record} describes; train {settings.name} again")
    tables, counts = [], {}
    for folder in benchmarks:
        benchmark = load_benchmark(folder)
        tables.append(_rank_benchmark(network, benchmark, folder))
        counts[folder.name] = {
            "queries": len(benchmark.queries),
            "positives": len(benchmark.positives),
            "distractors": len(benchmark.distractors),
        }
    table = pa.concat_tables(tables) if tables else RANK_SCHEMA.empty_table()
    write_table(ranks, table, RANK_SCHEMA)
    write_json(cell, {"settings": settings.as_json(), **trained, "benchmarks": counts})


def _read_record(settings: CellSettings, record: Path) -> tuple[Any, dict[str, Any]]:
    """Read the description that the encoder must have, and facts about the cell's training."""
    about, own = read_json(record / "about.json"), read_json(record / RECORD)
    try:
        of_cell = settings.field_encoder.model_dump(mode="json"), settings.seed
        if (about["options"], about["seed"]) != of_cell:
            raise DataError(f"{record}: is that of another cell; train {settings.name} again")
        return about, {
            **{name: getattr(settings, name) for name in ("set", "model", "seed", "draw")},
            **{name: own[name] for name in ("pairs", "epochs", "processor_seconds")},
            **{name: about["pairs"][name] for name in ("trained", "held_out")},
            **{name: about[name] for name in ("kept_epoch", "held_out_mrr")},
        }
    except (KeyError, TypeError) as error:
        raise DataError(f"{record}: is damaged ({error}); train {settings.name} again") from error


def _rank_benchmark(encoder: FieldEncoder, benchmark: Benchmark, folder: Path) -> pa.Table:
    rows = benchmark.queries.to_pylist()
    code = pa.concat_tables([benchmark.positives, benchmark.distractors])
    right = len(benchmark.positives)
    if any(not 0 <= one < right for row in rows for one in row["positives"]):
        raise DataError(f"{folder}: its queries name code that is not there; make it again")
    fields = [
        read_fields(text, own_class)
        for text, own_class in zip(
            *(code[column].to_pylist() for column in ("code", "class_name")), strict=True
        )
    ]
    prepare = _prepare_deepcs if encoder.options.network == "deepcs" else _prepare_carlcs
    found = find_first_ranks(rows, prepare(encoder, fields, folder), right, len(code))
    groups = {row["group"]: str(row["query"]) for row in reversed(rows)}
    return pa.Table.from_pylist(
        [
            {
                "benchmark": folder.name,
                "query": row["query"],
                "group": groups[row["group"]],
                "positives": len(row["positives"]),
                "candidates": len(row["positives"]) + len(code) - right,
                "first_rank": rank,
            }
            for row, rank in zip(rows, found, strict=True)
        ],
        schema=RANK_SCHEMA,
    )


def find_first_ranks(
    queries: list[dict[str, Any]], score: _Scores, right: int, count: int
) -> list[int]:
    """Find the rank of the best right code of each query among its right code and the distractors.

    Distractors rank before right code of the same score, so that equal scores for all code earn
    nothing (DEV-195). Texts that are asked several times are scored once.

    Args:
        queries: queries with ``text`` and ``positives``, ids of right code.
        score: scores methods by id; ids count the right code of all queries, then the distractors.
        right: number of methods that are right code.
        count: number of all methods.
    """
    asked: dict[str, set[int]] = {}
    for row in queries:
        asked.setdefault(row["text"], set()).update(row["positives"])
    own: dict[str, dict[int, int]] = {}
    for text, positives in asked.items():
        known = sorted(positives)
        scores = score(text, np.concatenate([np.array(known, np.int64), np.arange(right, count)]))
        if np.isnan(scores).any():
            raise DataError("a cell's scores are no numbers; train it with a lower 'learning_rate'")
        wrong = np.sort(scores[len(known) :])
        better = len(wrong) - np.searchsorted(wrong, scores[: len(known)])
        own[text] = dict(zip(known, (better + 1).tolist(), strict=True))
    return [min(own[row["text"]][one] for one in row["positives"]) for row in queries]


def _prepare_deepcs(encoder: FieldEncoder, fields: list[MethodFields], folder: Path) -> _Scores:
    ids, vectors = embed_methods(encoder, fields, len(fields), path=folder)

    def score(text: str, methods: NDArray[np.int64]) -> NDArray[np.float64]:
        scores = np.full(len(fields), -np.inf)
        query = embed_query(encoder, text)
        if query is not None and len(ids):
            ((found, cosines),) = find_nearest(query[None], vectors, ids, k=len(ids))
            scores[found] = cosines
        return scores[methods]

    return score


def _prepare_carlcs(encoder: FieldEncoder, fields: list[MethodFields], folder: Path) -> _Scores:
    scorer = CoAttention(encoder, encoder.encode_code(fields))
    return lambda text, methods: scorer.score(split_query(text), methods)
