"""The files of functions as CodeSearchNet released them: one JSON object a line, gzipped.

Their fields are those of the README of its repository: repo, path, func_name, original_string,
language, code, code_tokens, docstring, docstring_tokens, sha, url, partition. Files are hostile: a
line that cannot be used becomes a ``BadLine``.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ncsbench.artifacts.storage import atomic_folder, iterate_tables, read_json
from ncsbench.errors import DataError
from ncsbench.function_corpus.corpus_options import PARTS
from ncsbench.function_corpus.function_schema import FUNCTION_SCHEMA, make_url
from ncsbench.functions.function_texts import summarize

LONGEST_LINE = 2**23
"""Bytes of a line that is read."""
ROWS_OF_FILE = 30_000
"""Lines of a released file."""
_LISTS = ("code_tokens", "docstring_tokens")
_FIELDS = (
    *("repo", "path", "func_name", "original_string", "language", "code", "code_tokens"),
    *("docstring", "docstring_tokens", "sha", "url", "partition"),
)
_LINES = re.compile(r".*#L([0-9]{1,9})-L([0-9]{1,9})", re.DOTALL)
_REPO = re.compile(r"[^/\s]+/[^/\s]+")
_SHOWN = 60


@dataclass(frozen=True)
class ReleasedFunction:
    """A line: a row of ``EXTRACTED_SCHEMA``, and its part."""

    line: int
    row: dict[str, Any]
    part: str


@dataclass(frozen=True)
class BadLine:
    """A line that is of no use, from 1, and why."""

    line: int
    reason: str


def read_released_jsonl(
    stream: IO[bytes], language: str, *, name: str
) -> Iterator[ReleasedFunction | BadLine]:
    """Read the lines of an open file, in their order.

    Args:
        stream: of JSON Lines as bytes, unpacked.
        language: that every line must be of; its name, such as ``go``.
        name: of the file, for a message.

    Raises:
        DataError: where the file is damaged, as one of which the end is missing.
    """
    number = 0
    try:
        while line := stream.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                _skip_line(stream)
                yield BadLine(number, f"too long (at most {LONGEST_LINE} bytes)")
            elif line.strip():
                yield _read_line(number, line, language)
    except (EOFError, zlib.error, OSError) as error:
        raise DataError(
            f"{name}, line {number + 1}: the file is damaged, not readable from here on ({error}); "
            "get it again"
        ) from error


def open_released(path: Path) -> IO[bytes]:
    """Open a ``.jsonl`` or gzipped file; ``DataError`` where it cannot be read."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        opened: IO[bytes] = gzip.open(path) if packed else path.open("rb")  # type: ignore[assignment]
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    return opened


def write_released_jsonl(corpus: Path, output: Path) -> dict[str, int]:
    """Write the pairs of a corpus as they were released.

    The folder has ``<part>/<language>_<part>_<number>.jsonl.gz`` with 30,000 lines each; equal
    corpora give equal bytes.

    Args:
        corpus: folder of a corpus of one language.
        output: folder to write, in place of one that is there.

    Returns:
        How many pairs each part has.
    """
    language = read_json(corpus / "manifest.json")["language"]
    counts = Counter(dict.fromkeys(PARTS, 0))
    with atomic_folder(output) as folder, ExitStack() as stack:
        files: dict[str, gzip.GzipFile] = {}
        for table in iterate_tables(corpus / "functions.parquet", FUNCTION_SCHEMA):
            for row in table.filter(table["is_pair"]).to_pylist():
                part = row["part"]
                number, first = divmod(counts[part], ROWS_OF_FILE)
                if first == 0:
                    if part in files:
                        files[part].close()
                    path = folder / part / f"{language}_{part}_{number}.jsonl.gz"
                    path.parent.mkdir(exist_ok=True)
                    raw = stack.enter_context(path.open("wb"))
                    files[part] = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
                text = json.dumps(_make_line(row, language), ensure_ascii=False)
                files[part].write(f"{text}\n".encode())
                counts[part] += 1
        for file in files.values():
            file.close()
    return dict(counts)


def _make_line(row: Mapping[str, Any], language: str) -> dict[str, Any]:
    url = make_url(row["repo"], row["sha"], row["path"], row["start_line"], row["end_line"])
    cells = {
        **{name: row[name] for name in ("repo", "path", "code", "docstring", "sha", *_LISTS)},
        "func_name": row["identifier"],
        "original_string": row["code"],
        "language": language,
        "url": url,
        "partition": row["part"],
    }
    return {name: cells[name] for name in _FIELDS}


def _skip_line(stream: IO[bytes]) -> None:
    while part := stream.readline(LONGEST_LINE):
        if part.endswith(b"\n"):
            return


def _read_line(number: int, line: bytes, language: str) -> ReleasedFunction | BadLine:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return BadLine(number, "is no JSON")
    if not isinstance(value, dict):
        return BadLine(number, "is no JSON object")
    return read_fields(number, value, language)


def read_fields(number: int, value: Mapping[str, Any], language: str) -> ReleasedFunction | BadLine:
    """A released function by its fields, which may be anything.

    Args:
        number: of the line, from 1.
        value: the fields by their names.
        language: that it must be of.
    """
    reason = next(_find_faults(value, language), "")
    lines = None if reason else _LINES.fullmatch(value["url"])
    if lines is None or not 1 <= int(lines[1]) <= int(lines[2]):
        return BadLine(number, reason or f"url has no lines ({value['url'][-_SHOWN:]!r})")
    identifier = value["func_name"]
    row = {
        "name": identifier.rpartition(".")[2],
        **{name: value[name] for name in ("repo", "sha", "path", "docstring", "code", *_LISTS)},
        "start_line": int(lines[1]),
        "end_line": int(lines[2]),
        "identifier": identifier,
        "summary": summarize(value["docstring"]),
    }
    return ReleasedFunction(number, row, value["partition"])


def _find_faults(value: Mapping[str, Any], language: str) -> Iterator[str]:
    for name in _FIELDS:
        if name not in value:
            yield f"has no field {name}"
        texts = value[name] if name in _LISTS else [value[name]]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            yield f"{name} is no {'list of texts' if name in _LISTS else 'text'}"
        try:
            "".join(texts).encode()
        except UnicodeEncodeError:  # half of a pair of UTF-16
            yield f"{name} is no Unicode text"
        if any("\0" in text for text in texts):
            yield f"{name} has a NUL"
    if value["language"] != language:
        yield f"is of another language ({value['language'][:_SHOWN]})"
    if value["partition"] not in PARTS:
        yield f"partition is none of {', '.join(PARTS)} ({value['partition'][:_SHOWN]!r})"
    if not _REPO.fullmatch(value["repo"]):
        yield f"repo is not owner/name ({value['repo'][:_SHOWN]!r})"
