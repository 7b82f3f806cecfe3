"""Snakemake's own records of the jobs that it ran: one JSON file per output.

How they are named and what they hold is private to Snakemake (``snakemake.persistence``); no other
module of this package knows it.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ncsbench.errors import DataError

FOLDER = Path(".snakemake/metadata")
_LAST_SECOND = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
_Seconds = Annotated[float, Field(ge=0, lt=_LAST_SECOND)] | None


class _File(BaseModel):
    """What is used here of a record, under Snakemake's names."""

    model_config = ConfigDict(strict=True)

    rule: str
    shellcmd: str | None = None
    input: list[str] | None = None
    input_checksums: dict[str, Any] | None = None
    starttime: _Seconds = None
    endtime: _Seconds = None


@dataclass(frozen=True)
class Record:
    """What Snakemake knows of the job that made an output.

    Attributes:
        inputs: paths, sorted.
        started, ended: in UTC; None where not recorded.
        checksums: SHA-256 of its small inputs when it ended, by path.
    """

    rule: str
    command: str
    inputs: tuple[str, ...]
    started: datetime | None
    ended: datetime | None
    checksums: Mapping[str, str]

    @property
    def job(self) -> tuple[str, str, tuple[str, ...]]:
        """The outputs of one job have this in common."""
        return self.rule, self.command, self.inputs


class Metadata:
    """The records below a folder; none where there is no such folder."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._records: dict[str, Record | DataError] = {}
        self._outputs: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for output, path in sorted(_find_records(folder)):
            try:
                found = self._records[output] = _read_record(path)
                self._outputs.setdefault(found.job, []).append(output)
            except DataError as error:  # it matters only where a table depends on it
                self._records[output] = error

    def outputs(self) -> list[str]:
        """All outputs with a record, sorted."""
        return sorted(self._records)

    def record(self, output: str) -> Record | None:
        """The record of an output, None where there is none; ``DataError`` where it is broken."""
        found = self._records.get(output)
        if isinstance(found, DataError):
            raise found
        return found

    def outputs_of(self, record: Record) -> list[str]:
        """All outputs of the job of a record, sorted."""
        return self._outputs.get(record.job, [])


def _find_records(folder: Path) -> Iterator[tuple[str, Path]]:
    """Outputs with the files of their records.

    A file has the output's name in Base64; long names are cut into folders marked with ``@``.
    """
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent) / name
            *folders, last = path.relative_to(folder).parts
            encoded = "".join(part.removeprefix("@") for part in folders) + last
            try:
                yield base64.b64decode(encoded, altchars=b"-_", validate=True).decode(), path
            except (binascii.Error, ValueError):
                continue  # another file


def _read_record(path: Path) -> Record:
    try:
        # Not read_json: pydantic's reader also refuses text that cannot be written as UTF-8.
        read = _File.model_validate_json(path.read_bytes())
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except ValidationError as error:
        first = error.errors()[0]
        what = ".".join(map(str, first["loc"])) or "its content"
        raise DataError(
            f"{path}: is no record of Snakemake ({what}: {first['msg']}); "
            "remove it and run Snakemake again"
        ) from error
    return Record(
        rule=read.rule,
        command=read.shellcmd or "",
        inputs=tuple(sorted(set(read.input or []))),
        started=_to_time(read.starttime),
        ended=_to_time(read.endtime),
        checksums={
            name: str(checksum).removeprefix("sha256:")
            for name, checksum in (read.input_checksums or {}).items()
            if str(checksum).startswith("sha256:")
        },
    )


def _to_time(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
