"""CosBench (Yan et al., 2020): queries, the ids of their answers, and code from elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from ncsbench.artifacts.csv_tables import read_utf8
from ncsbench.cleaning.benchmark_files import Code
from ncsbench.cleaning.named_functions import FoundCode
from ncsbench.comment_filter.comment_lines import open_lines, read_lines
from ncsbench.errors import DataError

COSBENCH = "cosbench"
"""What keys of its answers begin with."""
_DOUBLE_COMMA = re.compile(r'"(\s*),\s*,(\s*)"')
_MOST_FAULTS = 20


class CosBenchQuery(NamedTuple):
    """A query and the ids of what answers it, each once, in the order of the file."""

    text: str
    answers: tuple[str, ...]


def read_answers(path: Path) -> list[CosBenchQuery]:
    """Read ``query2answer.json``, which as published is no JSON: a comma stands there twice.

    Raises:
        DataError: naming file and place, for any other mistake of syntax and for what is no list of
            objects with ``query`` and ``answerList``.
    """
    entries = _parse(path, read_utf8(path))
    if not isinstance(entries, list) or not entries:
        raise DataError(f"{path}: must be a JSON list of at least one query")
    return [_read_query(f"{path}: query {row}", entry) for row, entry in enumerate(entries, 1)]


def read_code(path: Path, ids: Collection[str]) -> FoundCode:
    """Read the code of some answers: JSON Lines with ``id`` and ``code``, plain or gzip.

    A line that cannot be read is a fault, and so is an id that is there twice with other code: the
    first counts. Other ids are passed over.

    Raises:
        DataError: where the file cannot be read.
    """
    wanted, made, unreadable = set(ids), FoundCode(), 0
    with open_lines(str(path)) as stream:
        for line in read_lines(stream, str(path), "code"):
            name = line.fields.get("id")
            fault = line.fault
            if not fault and not isinstance(name, str):
                fault = "the field 'id' is no text"
            elif not fault and name in wanted:
                if not line.comment.strip():
                    fault = f"{name}: its code is empty"
                elif name not in made.found:
                    made.found[name] = Code(f"{COSBENCH}:{name}", "", line.comment, "")
                elif made.found[name].code != line.comment:
                    fault = f"{name} is there twice with other code; the first counts"
            if fault:
                unreadable += 1
                if unreadable <= _MOST_FAULTS:
                    made.faults.append(f"line {line.number} of the code: {fault}")
    if unreadable > _MOST_FAULTS:
        made.faults.append(f"{unreadable - _MOST_FAULTS} more lines of the code likewise")
    made.missing = dict.fromkeys(
        (one for one in ids if one not in made.found), "no code has its id"
    )
    return made


def _parse(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        repaired = _DOUBLE_COMMA.sub(r'"\1,\2"', text, count=1)
    try:
        return json.loads(repaired)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: is not valid JSON, beside one double comma ({error})") from error


def _read_query(where: str, entry: Any) -> CosBenchQuery:
    if not isinstance(entry, dict):
        raise DataError(f"{where}: must be an object")
    text, answers = entry.get("query"), entry.get("answerList")
    if not isinstance(text, str) or not text.strip():
        raise DataError(f"{where}: field 'query' is missing, empty or no text")
    if not isinstance(answers, list) or not all(isinstance(one, str) and one for one in answers):
        raise DataError(f"{where}: field 'answerList' must be a list of ids")
    return CosBenchQuery(_storable(text), tuple(dict.fromkeys(map(_storable, answers))))


def _storable(text: str) -> str:
    """The text; half a character in it, valid in JSON, cannot be stored as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
