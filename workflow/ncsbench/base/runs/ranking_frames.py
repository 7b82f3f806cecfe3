"""Checks of arguments and of columns of frames that a user gives.

A value that cannot be understood ends in one line that names the column, the row from 0 and the
remedy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from csv import QUOTE_NONE
from functools import partial
from numbers import Real
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import one_corpus
from ncsbench.base.files.hashes import check_file
from ncsbench.base.files.storage import read_corpus_hash
from ncsbench.base.runs.rankings import Run, ranks_in_run
from ncsbench.base.runs.trec_files import read_lines, read_run
from ncsbench.base.text.safe_text import show_line
from ncsbench.errors import ConfigurationError, DataError

CORPUS = "ncsbench.corpus"
"""Key in ``DataFrame.attrs``: its value is the path of a file, and the hash of that file's corpus.
"""


_COLUMNS = ["query_id", "Q0", "method_id", "rank", "score", "tag"]
_SUFFIXES = (".csv", ".tsv", ".parquet", ".jsonl", ".trec", ".trec.gz")
# An empty cell is an unknown value; texts such as NF and None stay texts.
_read_cells = partial(pd.read_csv, keep_default_na=False, na_values=[""])


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a file that a run or an export wrote: a table, a ranking, or qrels, as a frame.

    Tables are CSV, TSV, Parquet or JSON lines. Rankings are TREC runs, whose methods may be named
    by document ids; qrels are ``qrels*.txt`` and become ``query_id``, ``method_id`` and ``grade``.

    Raises:
        DataError: where there is no such file, or it is damaged.
        ConfigurationError: for a file of another kind.
    """
    file = Path(path)
    qrels = file.name.startswith("qrels") and file.suffix == ".txt"
    if not qrels and not file.name.endswith(_SUFFIXES):
        raise ConfigurationError(f"{path}: is no table; give a {', '.join(_SUFFIXES)} or qrels.txt")
    check_file(file)
    try:
        if file.suffix == ".parquet":
            return mark_corpus(pd.read_parquet(file), file, read_corpus_hash(file))
        if file.suffix in (".csv", ".tsv"):
            return _read_cells(file, sep="," if file.suffix == ".csv" else "\t")
        if file.suffix == ".jsonl":
            return pd.read_json(file, lines=True, dtype=False)
        columns = [*_COLUMNS[:3], "grade"] if qrels else _COLUMNS
        if qrels or any(":" in "".join(line.split()[2:3]) for line in read_lines(file)[:1]):
            frame = _read_cells(file, sep=" ", names=columns, quoting=QUOTE_NONE, index_col=False)
            return frame.drop(columns=["Q0", "tag"], errors="ignore")
        with one_corpus() as noted:
            frame = show_run(read_run(file))
        return mark_corpus(frame, file, noted[0][1] if noted else "")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise DataError(f"{path}: is damaged ({error})") from error


def mark_corpus(frame: pd.DataFrame, source: Path, corpus_hash: str) -> pd.DataFrame:
    """Note in a frame which corpus its method ids belong to, where that is known; return it."""
    if corpus_hash:
        frame.attrs[CORPUS] = [str(source), corpus_hash]
    return frame


def show_run(run: Run) -> pd.DataFrame:
    """Return a run as a frame of ``query_id``, ``rank``, ``method_id`` and ``score``."""
    ranks = ranks_in_run(run)
    columns = {"query_id": run.query_ids, "rank": ranks, "method_id": run.ids, "score": run.scores}
    return pd.DataFrame(columns)


_OTHER_NAMES = {
    "query_id": ("qid", "query-id", "q_id"),
    "method_id": ("docno", "doc_id", "corpus-id"),
    "question": ("query",),
}
"""Names that PyTerrier, ir_datasets, ranx and BEIR have for our columns."""
_KINDS = {
    "Integral": "a whole number", "Real": "a number", "str": "a text", "list": "a list",
    "Iterable": "a frame, a text or texts", "Mapping": "a mapping of names to values",
    "Corpus": "what load_corpus returns", "Dataset": "a dataset, as load_sample returns",
    "Callable": "a ranker, the name of a model, or a frame",
}  # fmt: skip
_DIGITS = re.compile("[0-9]{1,18}")
LAST_QUERY, LAST_METHOD = 2**31 - 1, 2**63 - 1


def check_argument(name: str, value: Any, kind: Any, *, least: float = -math.inf) -> None:
    """Refuse an argument of another type, and a number that is below ``least`` or not finite."""
    if not isinstance(value, kind) or isinstance(value, bool):
        kinds = [one.__name__ for one in getattr(kind, "__args__", (kind,))]
        words = " or ".join(_KINDS.get(one, one) for one in kinds)
        raise ConfigurationError(f"{name}: must be {words}, not {type(value).__name__}")
    if isinstance(value, Real) and not least <= float(value) < math.inf:
        raise ConfigurationError(f"{name}: must be at least {least:g} and finite, not {value}")


def find_column(frame: Any, name: str) -> list[Any]:
    """Return the values of a column, found by our name for it or by another tool's.

    Raises:
        ConfigurationError: for something that is no frame, and for no or several such columns.
    """
    if not isinstance(frame, pd.DataFrame):
        given = type(frame).__name__
        raise ConfigurationError(f"a pandas frame with a column {name!r} is needed, not a {given}")
    names = (name, *_OTHER_NAMES.get(name, ()))
    found = [place for place, column in enumerate(frame.columns) if column in names]
    if len(found) != 1:
        fault = "several columns" if found else "no column"
        columns = show_line(str(list(frame.columns)))
        raise ConfigurationError(
            f"the frame has {fault} {' or '.join(map(repr, names))}: it has {columns}; keep or "
            "name one"
        )
    return list(frame.iloc[:, found[0]])


def read_ids(values: Iterable[Any], name: str, *, last: int) -> NDArray[np.int64]:
    """Read whole numbers from 0 to ``last``; texts of digits, and 3.0 for 3, are understood."""

    def read(value: Any) -> int | None:
        whole = _read_whole(value)
        return whole if whole is not None and 0 <= whole <= last else None

    what = "document of this corpus, and no id" if name == "method_id" else "whole number"
    fault = f"no {what} from 0 to {last}; give an id that is, or leave out the row"
    return np.array(_read(values, name, read, fault), np.int64)


def read_numbers(frame: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """Read a column of finite numbers."""
    fault = "no finite number; replace it, or leave out the row"
    return np.array(_read(find_column(frame, name), name, _read_finite, fault), np.float64)


def read_texts(values: Iterable[Any], name: str) -> list[str]:
    """Read a column of texts."""
    fault = "no text; write one, or leave out the row"
    return _read(values, name, lambda value: value if isinstance(value, str) else None, fault)


def read_keys(values: Iterable[Any], name: str, *, last: int) -> pd.Index[Any]:
    """Read ids that may be texts: int64 where all are whole numbers or digits, else all texts."""

    def read(value: Any) -> int | str | None:
        whole = _read_whole(value)
        if whole is not None:
            return whole if 0 <= whole <= last else None
        return value if isinstance(value, str) and value.strip() else None

    fault = f"neither a whole number from 0 to {last} nor a text; give an id, or leave out the row"
    keys = _read(values, name, read, fault)
    texts = any(isinstance(key, str) for key in keys)
    return pd.Index(list(map(str, keys)), object) if texts else pd.Index(keys, np.int64)


def read_query_ids(questions: pd.DataFrame) -> pd.Index[Any]:
    """Read the ids of questions, numbers or texts; each may occur once."""
    ids = read_keys(find_column(questions, "query_id"), "query_id", last=LAST_QUERY)
    for row in np.flatnonzero(ids.duplicated()).tolist():
        fault = f"question {show_line(str(ids[row]))} is in a row before, too; leave out one"
        _refuse("query_id", row, fault)
    return ids


def read_asked(rankings: pd.DataFrame, questions: pd.Index[Any]) -> NDArray[np.int64]:
    """Read which question each row of rankings is for, by its position among the questions."""
    ids = read_keys(find_column(rankings, "query_id"), "query_id", last=LAST_QUERY)
    places: NDArray[np.int64] = questions.map(str).get_indexer(ids.map(str))
    for row in np.flatnonzero(places < 0).tolist():
        fault = "is not one of the questions; leave out its ranking, or give them all"
        _refuse("query_id", row, f"{show_line(str(ids[row]))[:60]} {fault}")
    return places


def read_ranks(
    rankings: pd.DataFrame, rows: NDArray[np.int64], ids: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Return the rank of every row within its question, from 1; ``docs/own-code.md`` has the rule.

    Args:
        rankings: with ``query_id``, ``method_id``, and ``rank`` or ``score`` or both.
        rows: position of the question of every row (``read_asked``).
        ids: id of the method of every row, or numbers in the order of such ids.
    """

    def show(name: str, row: int) -> str:
        return show_line(str(find_column(rankings, name)[row]))[:60]

    for row in np.flatnonzero(pd.DataFrame({0: rows, 1: ids}).duplicated()).tolist():
        fault = f"method {show('method_id', row)} is in a row before, too, for question"
        _refuse("method_id", row, f"{fault} {show('query_id', row)}; leave out one")
    scored, ranked = "score" in rankings, "rank" in rankings
    scores = read_numbers(rankings, "score") if scored or not ranked else np.zeros(len(ids))
    if not ranked:
        return _count(rows, np.lexsort((ids, -scores, rows)))
    given = read_ids(find_column(rankings, "rank"), "rank", last=LAST_METHOD)
    order = np.lexsort((given, rows))
    ranks, first = _count(rows, order), min(1, given.min(initial=1))
    for row in order[(given - ranks + 1 != first)[order]].tolist():
        fault = f"{given[row]} is given where {ranks[row] - 1 + first} is expected"
        remedy = "count 1, 2, 3 or 0, 1, 2 alike in all questions, or drop 'rank' and give 'score'"
        _refuse("rank", row, f"{fault} in question {show('query_id', row)}; {remedy}")
    risen = (np.diff(rows[order]) == 0) & (np.diff(scores[order]) > 0)
    for row in order[1:][risen].tolist():
        fault = f"is above that of the rank before in question {show('query_id', row)}"
        _refuse("score", row, f"{fault}; drop 'rank' or 'score', whichever is not the order")
    return ranks


def _count(rows: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int32]:
    ranks = np.zeros(len(order), np.int32)
    ordered = Run(rows[order].astype(np.int32), order, np.zeros(len(order)))
    ranks[order] = ranks_in_run(ordered)
    return ranks


def _read(
    values: Iterable[Any], name: str, read: Callable[[Any], Any | None], fault: str
) -> list[Any]:
    found = []
    for row, value in enumerate(values):
        found.append(read(value))
        if found[-1] is None:
            _refuse(name, row, f"{show_line(repr(value))[:60]} is {fault}")
    return found


def _read_whole(value: Any) -> int | None:
    if isinstance(value, str):
        return int(value) if _DIGITS.fullmatch(value) else None
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, np.integer)):
        return int(value)
    return int(value) if isinstance(value, (float, np.floating)) and value.is_integer() else None


def _read_finite(value: Any) -> float | None:
    try:
        number = float(value) if isinstance(value, (int, float, np.number, np.bool_)) else math.nan
    except (OverflowError, TypeError):
        return None
    return number if math.isfinite(number) else None


def _refuse(name: str, row: int, fault: str) -> NoReturn:
    raise DataError(f"column {name!r}, row {row}: {fault}")
