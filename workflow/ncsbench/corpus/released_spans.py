"""Methods by the lines that a released list names, with the code that stands there."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ncsbench.artifacts.hashes import check_file
from ncsbench.artifacts.storage import write_json, write_tables
from ncsbench.corpus.corpus_settings import ReleasedSettings
from ncsbench.corpus.released_methods import RELEASED_SCHEMA, read_released_methods
from ncsbench.errors import DataError
from ncsbench.languages.java_methods import Method, parse_methods

_ROWS = 2**15  # methods of one row group: a shard reads some, not all


@dataclass(frozen=True)
class Span:
    """The lines of a method, both included, from 1, and its name."""

    start: int
    end: int
    name: str


@dataclass(frozen=True)
class ReleasedSpans:
    """The released methods of a dataset, by repository (table of ``RELEASED_SCHEMA``, sorted)."""

    path: Path

    def find(self, repository: str) -> dict[str, list[Span]]:
        """The spans of a repository by path of the file, in order of lines."""
        check_file(self.path)
        try:
            rows = pq.read_table(self.path, filters=[("repository", "=", repository)]).to_pylist()
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{self.path}: cannot be read as Parquet ({error})") from error
        found: dict[str, list[Span]] = defaultdict(list)
        for row in rows:
            span = Span(row["start_line"], row["end_line"], row["method_name"])
            found[row["path"]].append(span)
        return found


def write_spans(settings: ReleasedSettings, spans: Path, counts: Path) -> None:
    """Sort a released list of methods, so that a corpus can be made of its methods.

    Args:
        settings: files of the list (``read_released_methods``).
        spans: table to write, ``RELEASED_SCHEMA``.
        counts: JSON file to write: numbers of ``methods`` and of lines that name no method.
    """
    found = read_released_methods(settings.released)
    parts = range(0, len(found.methods), _ROWS)
    write_tables(spans, (found.methods.slice(at, _ROWS) for at in parts), RELEASED_SCHEMA)
    rejected = {"lines": found.rejected.count, "first": found.rejected.first}
    write_json(counts, {"methods": len(found.methods), "rejected": rejected})


def take_spans(
    text: str, methods: Sequence[Method], spans: Sequence[Span]
) -> tuple[list[Method], int]:
    """The methods at some lines of a file.

    Of the methods that the parser finds, one has these lines and this name; where none has the
    name, one that no other span names. Where none has the lines, they are cut out and read on their
    own. Each method is taken once: a place that is listed twice with a name stands for two methods.

    Args:
        text: of the file.
        methods: all methods of the file, in text order.
        spans: the lines asked for.

    Returns:
        The methods in text order, and the number of spans that have none.
    """
    lines = text.split("\n")
    known = {(method.start_line, method.end_line) for method in methods}
    found = list(methods)
    for start, end in sorted({(span.start, span.end) for span in spans} - known):
        found += _cut(lines, start, end)
    numbers: dict[Span, deque[int]] = defaultdict(deque)
    for number, method in enumerate(found):
        numbers[Span(method.start_line, method.end_line, method.name)].append(number)
    taken = []
    unnamed = []
    for span in spans:
        here = numbers.get(span)
        if here:
            taken.append(here.popleft())
        elif here is None:
            unnamed.append((span.start, span.end))
    left: dict[tuple[int, int], deque[int]] = defaultdict(deque)
    for number in sorted(chain.from_iterable(numbers.values())):
        left[found[number].start_line, found[number].end_line].append(number)
    taken += [left[place].popleft() for place in unnamed if left[place]]
    taken.sort(key=lambda number: (found[number].start_line, number))
    return [found[number] for number in taken], len(spans) - len(taken)


def _cut(lines: Sequence[str], start: int, end: int) -> list[Method]:
    """The methods that fill some lines when these are read on their own."""
    text = "\n".join(lines[start - 1 : end])
    # In a class, or a method is none; on its first line, so that lines are counted from there.
    found = parse_methods(f"class C {{ {text}\n}}".encode("utf-8", "replace")).methods
    return [
        replace(method, class_name="", start_line=start, end_line=end)
        for method in found
        if (method.start_line, method.end_line) == (1, end - start + 1)
    ]
