"""Snakemake's own records of the jobs that it ran: one JSON file per output."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from ncsbench.errors import DataError
from ncsbench.storage import read_json

_LAST_SECOND = datetime(9999, 1, 1, tzinfo=UTC).timestamp()


@dataclass(frozen=True)
class Record:
    """What Snakemake knows of the job that made an output.

    Attributes:
        started, ended: seconds since 1970; None where not recorded.
        checksums: SHA-256 of its small inputs when it ended, by path.
    """

    rule: str
    command: str
    inputs: tuple[str, ...]
    started: float | None
    ended: float | None
    checksums: Mapping[str, str]

    @property
    def job(self) -> tuple[str, str, tuple[str, ...]]:
        """The outputs of one job have this in common."""
        return self.rule, self.command, self.inputs


class Metadata:
    """The records below a folder, ``.snakemake/metadata``; none where there is no such folder."""

    def __init__(self, folder: Path) -> None:
        self._files = dict(sorted(_find_records(folder)))
        self._records: dict[str, Record] = {}

    def __len__(self) -> int:
        return len(self._files)

    def outputs(self) -> list[str]:
        """All outputs with a record, sorted."""
        return list(self._files)

    def record(self, output: str) -> Record | None:
        """The record of an output, None where there is none.

        Raises:
            DataError: where it is broken.
        """
        if output not in self._records and output in self._files:
            self._records[output] = _read_record(self._files[output])
        return self._records.get(output)

    def outputs_of(self, record: Record) -> tuple[str, ...]:
        """All outputs of the job of a record, sorted."""
        return tuple(self._outputs.get(record.job, ()))

    @cached_property
    def _outputs(self) -> dict[tuple[str, str, tuple[str, ...]], list[str]]:
        found: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for output in self._files:
            try:
                record = self.record(output)
            except DataError:  # it matters only where a table depends on it; then it is read again
                continue
            if record is not None:
                found.setdefault(record.job, []).append(output)
        return found


def format_time(seconds: float | None) -> str | None:
    """Seconds since 1970 as ISO 8601 in UTC."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _find_records(folder: Path) -> list[tuple[str, Path]]:
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent) / name
            output = _decode_name(path.relative_to(folder).parts)
            if output is not None:
                found.append((output, path))
    return found


def _decode_name(parts: tuple[str, ...]) -> str | None:
    """The output that a record is of: Base64, long ones cut into folders marked with ``@``."""
    encoded = "".join(part.removeprefix("@") for part in parts[:-1]) + parts[-1]
    try:
        return base64.b64decode(encoded, altchars=b"-_", validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None  # another file


def _read_record(path: Path) -> Record:
    value = read_json(path)
    if not isinstance(value, dict):
        raise _broken(path, "is not a mapping")
    rule, command = value.get("rule"), value.get("shellcmd") or ""
    inputs, checksums = value.get("input") or [], value.get("input_checksums") or {}
    if not isinstance(rule, str) or not isinstance(command, str):
        raise _broken(path, "names no rule or no command")
    if not isinstance(inputs, list) or not isinstance(checksums, dict):
        raise _broken(path, "has no list of inputs")
    texts = [rule, command, *inputs]
    if not all(isinstance(text, str) and _is_writable(text) for text in texts):
        raise _broken(path, "holds what is not text")
    return Record(
        rule=rule,
        command=command,
        inputs=tuple(sorted(set(inputs))),
        started=_read_time(path, value.get("starttime")),
        ended=_read_time(path, value.get("endtime")),
        checksums={
            name: checksum.removeprefix("sha256:")
            for name, checksum in checksums.items()
            if isinstance(checksum, str) and checksum.startswith("sha256:")
        },
    )


def _read_time(path: Path, value: Any) -> float | None:
    if value is None:
        return None
    # NaN fails both comparisons.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _broken(path, "has a time that is not a number")
    if not 0 <= value < _LAST_SECOND:
        raise _broken(path, "has a time that cannot be")
    return float(value)


def _is_writable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _broken(path: Path, what: str) -> DataError:
    return DataError(
        f"{path}: {what}, so it is no record of Snakemake; remove it and run Snakemake again"
    )
