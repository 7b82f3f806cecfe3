"""The stage that draws what every query of a benchmark is ranked among (DEV-191)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic import Field

from ncsbench.artifacts.storage import iterate_tables, read_json
from ncsbench.cleaning.benchmark_files import (
    FUNCTION_COLUMNS,
    Code,
    describe_function,
    write_codes,
)
from ncsbench.cleaning.benchmark_guard import read_positives
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import DataError
from ncsbench.function_corpus.annotations import read_url
from ncsbench.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.pairs.benchmark_overlap import BenchmarkGuard
from ncsbench.pairs.pair_schema import PAIR_SCHEMA

_TRAINED = "train"
_SPARE = 1.1  # of the functions that are looked at in one pass, those that may be near a positive


class DistractorSettings(StrictModel):
    """Settings of the stage ``cleaning_distractors``."""

    name: str
    """Name of the benchmark."""
    count: int = Field(999, ge=1)
    """Distractors, the same for all queries."""
    seed: int = Field(ge=0)
    """What the draw depends on."""


def draw_distractors(
    settings: DistractorSettings,
    corpus: Path,
    positives: Path,
    raw: Sequence[Path],
    output: Path,
) -> None:
    """Draw what the right code of a benchmark is ranked among.

    Distractors are pairs of a corpus, of parts other than ``train`` and of repositories without raw
    pairs, as the published ones are of the part ``test``; no one shares a line with a positive of
    the benchmark, is equal to one or near to it.

    Args:
        settings: of the stage.
        corpus: folder of the corpus of Java functions.
        positives: what the benchmark counts as right (``CODE_SCHEMA``).
        raw: files of all raw pairs, of every source.
        output: file of ``CODE_SCHEMA`` to write, in a random order.

    Raises:
        DataError: where there are too few such functions.
    """
    language = read_json(corpus / "manifest.json")["language"]
    if language != "java":
        raise DataError(f"{corpus}: holds functions of {language}; distractors are of Java")
    functions = corpus / "functions.parquet"
    candidates = _find_candidates(functions, find_repositories(raw))
    order = np.random.default_rng(settings.seed).permutation(candidates)
    guard = BenchmarkGuard(read_positives(positives))
    chosen: list[Code] = []
    step = int(settings.count * _SPARE) + 1
    for start in range(0, len(order), step):
        for row in _read_functions(functions, order[start : start + step]):
            code = describe_function(row)
            if len(chosen) < settings.count and guard.find_code(code.code, code.url) is None:
                chosen.append(code)
        if len(chosen) == settings.count:
            break
    else:
        raise DataError(
            f"{corpus}: has {len(chosen)} pairs that can be distractors of {settings.name}, of "
            f"{len(candidates)} in repositories that are not trained on, and {settings.count} are "
            "asked for; ask for fewer as 'distractors', or take more repositories"
        )
    write_codes(output, chosen)


def find_repositories(raw: Iterable[Path]) -> set[str]:
    """The repositories of training pairs, in lower case."""
    found: set[str] = set()
    for path in raw:
        for table in iterate_tables(path, PAIR_SCHEMA, ["code_url"]):
            places = map(read_url, table["code_url"].to_pylist())
            found.update(place.repo.lower() for place in places if place is not None)
    return found


def _find_candidates(functions: Path, trained: Collection[str]) -> NDArray[np.int64]:
    """Ids of the pairs of other parts and repositories, ascending."""
    names = pa.array(sorted(trained), pa.string())
    found = [np.empty(0, np.int64)]
    columns = ["function_id", "repo", "part", "is_pair"]
    for table in iterate_tables(functions, FUNCTION_SCHEMA, columns):
        known = pc.is_in(pc.utf8_lower(table["repo"]), names)
        free = pc.and_(pc.not_equal(table["part"], _TRAINED), pc.invert(known))
        chosen = table.filter(pc.and_(free, table["is_pair"]))
        found.append(chosen["function_id"].to_numpy())
    return np.concatenate(found)


def _read_functions(functions: Path, ids: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    """Functions in the order of the ids."""
    columns = ["function_id", *FUNCTION_COLUMNS]
    wanted, rows = pa.array(np.sort(ids)), {}
    for table in iterate_tables(functions, FUNCTION_SCHEMA, columns):
        chosen = table.filter(pc.is_in(table["function_id"], wanted))
        rows.update({row["function_id"]: row for row in chosen.to_pylist()})
    yield from (rows[one] for one in ids.tolist())
