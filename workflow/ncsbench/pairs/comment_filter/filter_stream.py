"""JSON Lines through a filter of comments, in constant memory: kept lines and rejected lines."""

from __future__ import annotations

import errno
import gzip
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.base.files.storage import atomic_path
from ncsbench.base.text.progress_line import report
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter.comment_filter import CommentFilter, Decision
from ncsbench.pairs.comment_filter.comment_lines import STREAM, Line, open_lines, read_lines
from ncsbench.pairs.comment_filter.rule_sets import RuleCount, RuleCounts

_LINES = 512
_BYTES = 1 << 22
"""Largest number of bytes of lines that are judged together."""
_SHOWN = 200
"""Number of bytes of an unreadable line that are written to the rejected lines."""


@dataclass
class StreamCounts:
    """Counts of the lines of a stream; ``read`` is ``kept`` and all that were rejected.

    Attributes:
        read: number of lines that are not blank.
        kept: number of lines that were kept.
        changed: number of kept lines whose comment was changed.
        rejected: number of rejected lines by reason, without the part after a colon.
        rules: counts of each rule, over comments that could be read and are not empty.
        unreadable: number of lines that cannot be read.
        first_fault: the first unreadable line, with the reason.
    """

    rules: RuleCounts
    read: int = 0
    kept: int = 0
    changed: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    first_fault: str = ""

    def add(self, line: Line, decision: Decision) -> None:
        """Count a line."""
        self.read += 1
        if line.fault:
            self.unreadable += 1
            self.first_fault = self.first_fault or f"line {line.number:,}: {line.fault}"
        if decision.kept:
            self.kept += 1
            self.changed += decision.changed
        else:
            self.rejected[decision.reason.partition(":")[0]] += 1

    def check_readable(self, source: str) -> None:
        """Raise ``DataError`` naming ``source`` where not one of its lines can be read."""
        if self.read and self.read == self.unreadable:
            raise DataError(
                f"{source}: none of {self.read:,} lines can be read; {self.first_fault}"
            )

    def describe(self) -> str:
        """Return the counts as one line, with the reasons by descending number, then by name."""
        order = sorted(self.rejected.items(), key=lambda item: (-item[1], item[0]))
        reasons = ", ".join(f"{reason} {number:,}" for reason, number in order)
        return (
            f"read {self.read:,}: kept {self.kept:,} ({self.changed:,} of them changed), rejected "
            f"{self.rejected.total():,}" + (f": {reasons}" if reasons else "")
        )

    def describe_most_rejected(self) -> str:
        """Return a line on a rule that rejects more than half of all comments; else empty."""
        rule = max(self.rules.rows(), key=lambda row: row.rejected, default=None)
        if rule is None or 2 * rule.rejected <= self.read:
            return ""
        return (
            f"rule {rule.rule} rejects {rule.rejected:,} of {self.read:,} comments: give "
            "summaries, such as the first sentence of a Javadoc without its tags (@param)"
        )


def filter_stream(
    comment_filter: CommentFilter,
    source: str,
    *,
    kept: str,
    rejected: str | None = None,
    field: str = "comment",
    original: str | None = None,
) -> StreamCounts:
    """Write the lines of a file that a filter keeps, and rejected lines with the reasons.

    A line whose comment was not changed is kept byte by byte. Outputs get their names when all is
    read; standard output, and an output that is no regular file, is written to at once.

    Args:
        comment_filter: filter that decides on each comment.
        source: JSON Lines with a comment each, plain or gzipped; ``-`` for standard input.
        kept: file to write; ``.gz`` at its end packs it; ``-`` for standard output.
        rejected: file to write likewise: ``line`` from 1, ``reason``, ``loss`` where the model
            rejects, and ``record``, the line, or ``text``, the beginning of a line that cannot be
            read; None: rejected lines are only counted.
        field: name of the field that holds the comment.
        original: new field for the text of a comment before it was changed; None: no such field.

    Raises:
        ConfigurationError: for paths that name the same file, and where a line has the field
            ``original`` already.
        DataError: where the source, or every line of it, cannot be read, or an output not be
            written.
    """
    _check_paths(source, kept, rejected)
    counts = StreamCounts(RuleCounts(comment_filter.rule_set))
    try:
        with (
            open_lines(source) as stream,
            _open_output(kept) as kept_file,
            _open_output(os.devnull if rejected is None else rejected) as rejected_file,
        ):
            for batch in cut_batches(read_lines(stream, source, field)):
                for line, decision in judge_lines(comment_filter, batch, counts.rules):
                    counts.add(line, decision)
                    if decision.kept:
                        kept_file.write(_write_kept(line, decision, field, original))
                    else:
                        rejected_file.write(_write_rejected(line, decision))
                report("comments read,", counts.read, 0)
            counts.check_readable(source)
            # Both files are closed before one of them gets its name.
            kept_file.close()
            rejected_file.close()
    except _ReaderLeftError as error:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error
    return counts


def write_counts(path: Path, counts: StreamCounts) -> None:
    """Write the counts of each rule as CSV: ``rule``, ``changed``, ``rejected``, ``retained``."""
    columns = RuleCount._fields
    write_rows(path, columns, name_cells(columns, counts.rules.rows()))


def cut_batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Yield lines in groups that fit into memory, however long the lines are."""
    batch: list[Line] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line.raw)
        if len(batch) == _LINES or size > _BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def judge_lines(
    comment_filter: CommentFilter, lines: list[Line], counts: RuleCounts
) -> Iterator[tuple[Line, Decision]]:
    """Yield each line with the decision on it, in order, also lines that cannot be read."""
    readable = [line.comment for line in lines if not line.fault]
    decisions = iter(comment_filter.judge(readable, counts))
    for line in lines:
        yield line, Decision("", line.fault) if line.fault else next(decisions)


def _write_kept(line: Line, decision: Decision, field: str, original: str | None) -> bytes:
    if original is not None and original in line.fields:
        raise ConfigurationError(
            f"line {line.number:,} has a field {original!r} already; name another with --original"
        )
    if not decision.changed:
        return line.raw + b"\n"
    fields = line.fields | {field: decision.comment}
    if original is not None:
        fields[original] = line.comment
    return _dump(fields) + b"\n"


def _write_rejected(line: Line, decision: Decision) -> bytes:
    about: dict[str, Any] = {"line": line.number, "reason": decision.reason}
    if decision.loss is not None:
        about["loss"] = decision.loss
    if line.fault and not line.fields:
        about["text"] = line.raw[:_SHOWN].decode("utf-8", "backslashreplace")
        return _dump(about) + b"\n"
    # The line, a JSON object, is inserted unchanged.
    return b'%s, "record": %s}\n' % (_dump(about)[:-1], line.raw)


def _dump(value: dict[str, Any]) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # an unpaired surrogate in another field
        return json.dumps(value).encode()


def _check_paths(source: str, kept: str, rejected: str | None) -> None:
    if kept == rejected == STREAM:
        raise ConfigurationError("kept and rejected lines cannot both go to standard output")
    named = {"the comments": source, "kept lines": kept}
    if rejected is not None:
        named["rejected lines"] = rejected
    seen: dict[Path, str] = {}
    for what, path in named.items():
        if path == STREAM:
            continue
        if what != "the comments" and Path(path).is_dir():
            raise ConfigurationError(f"{path}: is a folder; name a file for {what}")
        place = Path(path).resolve()
        if place in seen and (not place.exists() or place.is_file()):
            raise ConfigurationError(f"{path}: is named for {seen[place]} and for {what}")
        seen[place] = what


class _ReaderLeftError(Exception):
    """The reader of standard output is gone, such as ``head`` after its last line."""


class _Output:
    """A file whose errors name the file; writing goes to the outermost of its layers."""

    def __init__(self, name: str, layers: list[IO[bytes]]) -> None:
        self._name, self._layers = name, layers

    def write(self, data: bytes) -> None:
        with self._explained():
            self._layers[0].write(data)

    def close(self) -> None:
        """Write out all buffers and close the file; standard output stays open."""
        with self._explained():
            for layer in self._layers:
                layer.flush() if self._name == STREAM else layer.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if self._name == STREAM and isinstance(error, BrokenPipeError):
                raise _ReaderLeftError from error
            reason = error.strerror or error
            raise DataError(f"{self._name}: cannot be written ({reason})") from error


@contextmanager
def _open_output(path: str) -> Iterator[_Output]:
    with ExitStack() as stack:
        if path == STREAM:
            layers: list[Any] = [sys.stdout.buffer]
        else:
            place = Path(path)
            if not place.exists() or place.is_file():
                place = stack.enter_context(atomic_path(place))
            # otherwise a device or a pipe, which no file may replace
            layers = [stack.enter_context(place.open("wb"))]
            if path.endswith(".gz"):
                # No name and no time: the same bytes each time.
                layers = [gzip.GzipFile("", "wb", fileobj=layers[0], mtime=0), *layers]
        yield _Output(path, layers)
