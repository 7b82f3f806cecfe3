"""The files in which CodeSearchNet was released: functions as JSON Lines, and a zip a language.

The fields of a line are those of the README of its repository: repo, path, func_name,
original_string, language, code, code_tokens, docstring, docstring_tokens, sha, url, partition.
``java.zip`` has documented functions, ``java/final/jsonl/<part>/java_<part>_<number>.jsonl.gz``,
and all of them, ``java_dedupe_definitions_v2.pkl``. Files are hostile: a line that cannot be used
becomes a ``BadLine``, and no member is extracted to a path.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ncsbench.code.functions.function_texts import summarize
from ncsbench.code.functions.registry import LANGUAGES
from ncsbench.corpus.function_corpus.corpus_options import PARTS, PartShares
from ncsbench.corpus.function_corpus.function_corpus import Parts
from ncsbench.corpus.function_corpus.released_definitions import iterate_definitions
from ncsbench.corpus.sources.packed_streams import ArchiveError, open_member, open_zip
from ncsbench.errors import DataError

LONGEST_LINE = 2**23
"""Most bytes of a line that is read."""
LISTS = ("code_tokens", "docstring_tokens")
FIELDS = (
    *("repo", "path", "func_name", "original_string", "language", "code", "code_tokens"),
    *("docstring", "docstring_tokens", "sha", "url", "partition"),
)
_JSONL = re.compile(
    rf"(?:.*/)?({'|'.join(PARTS)})/({'|'.join(LANGUAGES)})_\1_([0-9]{{1,9}})\.jsonl\.gz"
)
_PICKLE = re.compile(rf"(?:.*/)?({'|'.join(LANGUAGES)})_dedupe_definitions_v2\.pkl")
_SHARES = PartShares()
_LINES = re.compile(r".*#L([0-9]{1,9})-L([0-9]{1,9})", re.DOTALL)
_REPO = re.compile(r"[^/\s]+/[^/\s]+")
_SHOWN = 60


@dataclass(frozen=True)
class ReleasedFunction:
    """A usable line: a row of ``EXTRACTED_SCHEMA``, and its part."""

    line: int
    row: dict[str, Any]
    part: str


@dataclass(frozen=True)
class BadLine:
    """The number of a line that is of no use, from 1, and the reason."""

    line: int
    reason: str


Lines = Iterator[ReleasedFunction | BadLine]
ReleasedFiles = Iterable[tuple[str, Iterable[ReleasedFunction | BadLine]]]
"""Names of files, for the ledger, and their lines."""


def read_released_jsonl(stream: IO[bytes], language: str, *, name: str) -> Lines:
    """Read the lines of an open file, in their order.

    Args:
        stream: of JSON Lines as bytes, unpacked.
        language: name of the language that every line must have, such as ``go``.
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
    """Read a released function from its fields, which may be anything.

    Args:
        number: of the line, from 1.
        value: the fields by their names.
        language: name of the language that the function must have.
    """
    reason = next(_find_faults(value, language), "")
    lines = None if reason else _LINES.fullmatch(value["url"])
    if lines is None or not 1 <= int(lines[1]) <= int(lines[2]):
        return BadLine(number, reason or f"url has no lines ({value['url'][-_SHOWN:]!r})")
    identifier = value["func_name"]
    row = {
        "name": identifier.rpartition(".")[2],
        **{name: value[name] for name in ("repo", "sha", "path", "docstring", "code", *LISTS)},
        "start_line": int(lines[1]),
        "end_line": int(lines[2]),
        "identifier": identifier,
        "summary": summarize(value["docstring"]),
    }
    return ReleasedFunction(number, row, value["partition"])


def _find_faults(value: Mapping[str, Any], language: str) -> Iterator[str]:
    for name in FIELDS:
        if name not in value:
            yield f"has no field {name}"
        texts = value[name] if name in LISTS else [value[name]]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            yield f"{name} is no {'list of texts' if name in LISTS else 'text'}"
        try:
            "".join(texts).encode()
        except UnicodeEncodeError:  # half of a pair of UTF-16
            yield f"{name} is no Unicode text"
        if any("\0" in text for text in texts):
            yield f"{name} has a NUL"
    if value["language"] != language:
        yield f"is of another language ({value['language'][:_SHOWN]})"
    if value["partition"] not in PARTS:
        yield f"partition is not one of {', '.join(PARTS)} ({value['partition'][:_SHOWN]!r})"
    if not _REPO.fullmatch(value["repo"]):
        yield f"repo is not owner/name ({value['repo'][:_SHOWN]!r})"


@dataclass(frozen=True)
class Released:
    """Released files of a language, or files of that form.

    Attributes:
        path: the zip, the folder, or the pickle of definitions alone.
        language: its name.
        pairs: parts and names of the jsonl files, by part and number.
        definitions: the name of the pickle; empty where there is no pickle.
    """

    path: Path
    language: str
    pairs: tuple[tuple[str, str], ...] = ()
    definitions: str = ""


def find_released(path: Path) -> Released:
    """Look into a released zip or a folder of its files, or at the name of a pickle of definitions.

    Raises:
        DataError: where the zip is damaged, or the files are not those of one language.
    """
    if found := _PICKLE.fullmatch(path.name):
        return Released(path, found[1], definitions=path.name)
    with named_damage(path), ExitStack() as stack:
        if path.is_dir():
            names = [one.relative_to(path).as_posix() for one in path.rglob("*.*")]
        else:
            names = [info.filename for info in open_zip(stack, path).infolist()]
    jsonl = sorted(
        (PARTS.index(found[1]), int(found[3]), found[2], name)
        for name in names
        if (found := _JSONL.fullmatch(name))
    )
    pickles = [(found[1], name) for name in names if (found := _PICKLE.fullmatch(name))]
    languages = {one[2] for one in jsonl} | {language for language, _ in pickles}
    if len(languages) != 1 or len(pickles) > 1:
        raise DataError(
            f"{path}: is no released zip or folder of one language, with files such as "
            "java/final/jsonl/train/java_train_0.jsonl.gz or java_dedupe_definitions_v2.pkl "
            f"(languages found: {', '.join(sorted(languages)) or 'none'})"
        )
    pairs = tuple((PARTS[part], name) for part, _, _, name in jsonl)
    return Released(path, languages.pop(), pairs, pickles[0][1] if pickles else "")


def iterate_pairs(released: Released, published: Mapping[str, int] | None = None) -> ReleasedFiles:
    """The jsonl files that were released, one open at a time.

    Args:
        released: the place of the files.
        published: total number of lines of the files of a part; any number where it is not given.

    Raises:
        DataError: where the zip is damaged or, behind the last line of all,
            a part has another number of lines.
    """
    counts: Counter[str] = Counter()
    for part, name in released.pairs:
        yield name, _count(iterate_lines(released, name), part, counts)
    for part, wanted in (published or {}).items():
        if counts[part] != wanted:
            raise DataError(
                f"{released.path}: has {counts[part]:,} lines in the part {part}, but {wanted:,} "
                "were published; get it again"
            )


def iterate_all(released: Released, published: Mapping[str, int] | None = None) -> ReleasedFiles:
    """The definitions that were released, documented or not.

    A repository is in the part in which the jsonl files have it, if they do, else in the one that
    is drawn for it (DEV-155).

    Args:
        released: the place of the files.
        published: as for ``iterate_pairs``, of the jsonl files where there are any.

    Raises:
        DataError: where there is no pickle, zip or pickle cannot be read, or a part of the jsonl
            files has another number of lines.
    """
    if not released.definitions:
        raise DataError(f"{released.path}: has no pickle of definitions")
    known: dict[str, str] = {}
    for _, lines in iterate_pairs(released, published) if released.pairs else ():
        for line in lines:
            if isinstance(line, ReleasedFunction):
                known.setdefault(line.row["repo"].lower(), line.part)
    path, member = released.path, released.definitions
    if path.is_dir():
        path, member = path / member, ""
    elif member == path.name:
        member = ""
    entries = iterate_definitions(path, member)
    yield released.definitions, _read_entries(entries, released.language, known)


def iterate_lines(released: Released, name: str) -> Lines:
    """The lines of one of the jsonl files; ``DataError`` where it or the zip is damaged."""
    with named_damage(released.path), ExitStack() as stack:
        packed: IO[bytes]
        if released.path.is_dir():
            packed = stack.enter_context((released.path / name).open("rb"))
        else:
            archive = open_zip(stack, released.path)
            member = next(info for info in archive.infolist() if info.filename == name)
            packed = stack.enter_context(open_member(archive, member))
        unpacked = io.BufferedReader(gzip.GzipFile(fileobj=packed))
        yield from read_released_jsonl(unpacked, released.language, name=f"{released.path}: {name}")


@contextmanager
def named_damage(path: Path) -> Iterator[None]:
    """Say which zip is damaged, or cannot be read."""
    try:
        yield
    except ArchiveError as error:
        raise DataError(f"{path}: {error}") from error
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def _count(lines: Iterable[ReleasedFunction | BadLine], part: str, counts: Counter[str]) -> Lines:
    for line in lines:
        counts[part] += 1
        yield line


def _read_entries(
    entries: Iterable[Mapping[str, object] | str], language: str, known: Mapping[str, str]
) -> Lines:
    drawn = Parts(_SHARES, {})
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, str):
            yield BadLine(number, entry)
            continue
        repo = str(entry["repo"])
        part = known.get(repo.lower()) or drawn.find(repo)
        read = read_fields(
            number, {**entry, "partition": part, "original_string": entry["code"]}, language
        )
        summary = entry["docstring_summary"]
        if isinstance(read, ReleasedFunction) and isinstance(summary, str):
            read.row["summary"] = summary
        yield read
