"""Checks of arguments and of columns of frames that a user gives.

A value that cannot be understood ends in one line that names the column, the row from 0 and the
remedy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
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
from ncsbench.base.runs.trec_files import read_run
from ncsbench.base.text.safe_text import show_line
from ncsbench.errors import ConfigurationError, DataError

CORPUS = "ncsbench.corpus"
"""Key in ``DataFrame.attrs``: its value is the path of a file, and the hash of that file's corpus.
"""


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a file that a run wrote: a table as CSV or Parquet, or a ranking as a TREC run.

    Raises:
        DataError: where there is no such file, or it is damaged.
        ConfigurationError: for a file of another kind.
    """
    file = Path(path)
    if file.suffix not in {".csv", ".parquet", ".trec", ".gz"}:
        raise ConfigurationError(f"{path}: is no table; give a .csv, .parquet, .trec or .trec.gz")
    check_file(file)
    try:
        if file.suffix == ".parquet":
            return mark_corpus(pd.read_parquet(file), file, read_corpus_hash(file))
        if file.suffix == ".csv":
            # An empty cell is an unknown value; texts such as NF and None stay texts.
            return pd.read_csv(file, keep_default_na=False, na_values=[""])
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


_OTHER_NAMES = {"query_id": ("qid",), "method_id": ("docno", "doc_id"), "question": ("query",)}
"""Names that PyTerrier and ir_datasets have for our columns."""
_KINDS = {
    "Integral": "a whole number", "Real": "a number", "str": "a text",
    "Iterable": "a frame, a text or texts", "Mapping": "a mapping of names to values",
    "Corpus": "what load_corpus returns",
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

    fault = f"no whole number from 0 to {last}; give an id that is, or leave out the row"
    return np.array(_read(values, name, read, fault), np.int64)


def read_numbers(frame: pd.DataFrame, name: str) -> NDArray[np.float64]:
    """Read a column of finite numbers."""
    fault = "no finite number; replace it, or leave out the row"
    return np.array(_read(find_column(frame, name), name, _read_finite, fault), np.float64)


def read_texts(values: Iterable[Any], name: str) -> list[str]:
    """Read a column of texts."""
    fault = "no text; write one, or leave out the row"
    return _read(values, name, lambda value: value if isinstance(value, str) else None, fault)


def read_query_ids(questions: pd.DataFrame) -> NDArray[np.int64]:
    """Read the ids of questions; each may occur once."""
    ids = read_ids(find_column(questions, "query_id"), "query_id", last=LAST_QUERY)
    for row in _find_repeated(ids):
        _refuse("query_id", row, f"question {ids[row]} is in a row before, too; leave out one")
    return ids


def read_asked(rankings: pd.DataFrame, questions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Read the query id of every row of rankings; each must be one of the questions."""
    ids = read_ids(find_column(rankings, "query_id"), "query_id", last=LAST_QUERY)
    for row in np.flatnonzero(~np.isin(ids, questions)).tolist():
        fault = f"{ids[row]} is not one of the questions; leave out its ranking, or give them all"
        _refuse("query_id", row, fault)
    return ids


def read_ranks(rankings: pd.DataFrame, query_ids: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the rank of every row within its question, from 1; ``docs/own-code.md`` has the rule.

    Args:
        rankings: with ``method_id``, and ``rank`` or ``score`` or both.
        query_ids: ids of the question of every row.
    """
    ids = read_ids(find_column(rankings, "method_id"), "method_id", last=LAST_METHOD)
    for row in _find_repeated(query_ids, ids):
        fault = f"method {ids[row]} is in a row before, too, for question {query_ids[row]}"
        _refuse("method_id", row, f"{fault}; leave out one")
    scored, ranked = "score" in rankings, "rank" in rankings
    scores = read_numbers(rankings, "score") if scored or not ranked else np.zeros(len(ids))
    if not ranked:
        return _count(query_ids, np.lexsort((ids, -scores, query_ids)))
    given = read_ids(find_column(rankings, "rank"), "rank", last=LAST_METHOD)
    order = np.lexsort((given, query_ids))
    ranks, first = _count(query_ids, order), min(1, given.min(initial=1))
    for row in order[(given - ranks + 1 != first)[order]].tolist():
        fault = f"{given[row]} is given where {ranks[row] - 1 + first} is expected"
        remedy = "count 1, 2, 3 or 0, 1, 2 alike in all questions, or drop 'rank' and give 'score'"
        _refuse("rank", row, f"{fault} in question {query_ids[row]}; {remedy}")
    risen = (np.diff(query_ids[order]) == 0) & (np.diff(scores[order]) > 0)
    for row in order[1:][risen].tolist():
        fault = f"is above that of the rank before in question {query_ids[row]}"
        _refuse("score", row, f"{fault}; drop 'rank' or 'score', whichever is not the order")
    return ranks


def _count(query_ids: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int32]:
    ranks = np.zeros(len(order), np.int32)
    ordered = Run(query_ids[order].astype(np.int32), order, np.zeros(len(order)))
    ranks[order] = ranks_in_run(ordered)
    return ranks


def _find_repeated(*keys: NDArray[np.int64]) -> list[int]:
    repeated = pd.DataFrame(dict(enumerate(keys))).duplicated()
    return np.flatnonzero(repeated).tolist()


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
