"""Methods by the lines that a released list names, with the code that stands there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ncsbench.artifacts.hashes import check_file
from ncsbench.artifacts.storage import write_json, write_tables
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
        """The spans of a repository by path of the file, each listed once, in order of lines."""
        check_file(self.path)
        try:
            rows = pq.read_table(self.path, filters=[("repository", "=", repository)]).to_pylist()
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{self.path}: cannot be read as Parquet ({error})") from error
        found: dict[str, dict[Span, None]] = defaultdict(dict)
        for row in rows:
            span = Span(row["start_line"], row["end_line"], row["method_name"])
            found[row["path"]][span] = None
        return {path: list(spans) for path, spans in found.items()}


def write_spans(released: Sequence[Path], *, output: Path, counts: Path) -> None:
    """Sort a released list of methods.

    Args:
        released: its files (``read_released_methods``).
        output: Parquet file of ``RELEASED_SCHEMA``.
        counts: JSON file: number of ``methods``, and of lines that are none.
    """
    found = read_released_methods(released)
    parts = range(0, len(found.methods), _ROWS)
    write_tables(output, (found.methods.slice(at, _ROWS) for at in parts), RELEASED_SCHEMA)
    rejected = {"lines": found.rejected.count, "first": found.rejected.first}
    write_json(counts, {"methods": len(found.methods), "rejected": rejected})


def take_spans(
    text: str, methods: Sequence[Method], spans: Sequence[Span]
) -> tuple[list[Method], int]:
    """The methods at some lines of a file.

    Of the methods that the parser finds, one has these lines and, where several have, this name.
    Where none has, the lines are cut out and read on their own.

    Args:
        text: of the file.
        methods: all methods of the file, in text order.
        spans: the lines asked for.

    Returns:
        The methods in the order of the spans, and the number of spans where none stands.
    """
    known: dict[tuple[int, int], list[Method]] = defaultdict(list)
    for method in methods:
        known[method.start_line, method.end_line].append(method)
    lines = text.split("\n")
    taken = []
    for span in spans:
        here = known[span.start, span.end] or _cut(lines, span)
        named = [method for method in here if method.name == span.name]
        taken += (named or here)[:1]
    return taken, len(spans) - len(taken)


def _cut(lines: Sequence[str], span: Span) -> list[Method]:
    """The method that fills some lines on their own: none, or one."""
    text = "\n".join(lines[span.start - 1 : span.end])
    # In a class, or a method is none; on its first line, so that lines are counted from there.
    found = parse_methods(f"class C {{ {text}\n}}".encode("utf-8", "replace")).methods
    return [
        replace(method, class_name="", start_line=span.start, end_line=span.end)
        for method in found
        if (method.start_line, method.end_line) == (1, span.end - span.start + 1)
    ][:1]
