"""Training pairs from a JSON Lines file: each line has a text and a snippet of code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ncsbench.errors import DataError
from ncsbench.pairs.leaks import join_dots
from ncsbench.pairs.pair_files import PAIR_STEPS, Candidate, Funnel, PairFiles
from ncsbench.pairs.pair_options import FileOptions
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.posts.streams import iterate_blocks
from ncsbench.text.words import split_words

FILE_STEPS = (
    ("line", "readable"),
    ("row", "with a text and code"),
    ("row", "text long enough"),
    ("row", "code long enough"),
    *PAIR_STEPS,
)

LONGEST_LINE = 1 << 22
"""Longer lines, in bytes, count as unreadable: no pair is as long, and memory stays bounded."""


def pair_file(settings: FileOptions, files: PairFiles) -> None:
    """Make pairs of the lines of a file of JSON Lines, which the settings name.

    Args:
        settings: file, fields and what is taken.
        files: what every set of pairs has.
    """
    counts = Funnel(FILE_STEPS)
    files.write(iterate_file_pairs(settings, counts), counts, settings.exact_duplicates)


def iterate_file_pairs(options: FileOptions, funnel: Funnel) -> Iterator[Candidate]:
    """Pairs of a file of JSON Lines, plain or gzip, in the order of its lines.

    What is not known of a pair (author, link) stays empty. Empty lines do not count.

    Args:
        options: file, fields and what is taken.
        funnel: has ``FILE_STEPS``.

    Raises:
        DataError: where the file cannot be read or unpacked, too many of its lines cannot be read,
            or two of its pairs have the same key.
    """
    path = Path(options.path)
    keys: set[str] = set()
    lines, broken, first = 0, 0, ""
    for number, line in enumerate(_iterate_lines(path), 1):
        if line is not None and not line.strip():
            continue
        lines += 1
        try:
            query, code, *names = _read_line(line, options)
        except ValueError as error:
            broken += 1
            first = first or f"line {number} {error}"
            funnel.count("line", "readable", removed=1)
            continue
        funnel.count("line", "readable", kept=1)
        if not _passes_filters(query, code, options, funnel):
            continue
        key = ":".join([options.source, *(names or [str(number)])])
        if key in keys:
            raise DataError(
                f"{path}: line {number}: the key {key[:80]!r} occurred before; name more "
                "'key_fields', or none, which numbers the lines"
            )
        keys.add(key)
        yield _make_candidate(query, code, key, options)
    if broken > options.maximum_broken * lines:
        raise DataError(
            f"{path}: {broken} of {lines} lines cannot be read; {first}; mend the file, or raise "
            "'maximum_broken'"
        )


def _iterate_lines(path: Path) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is too long."""
    rest, too_long = bytearray(), False
    for block in iterate_blocks(path, member=".jsonl"):
        *parts, last = block.split(b"\n")
        for part in parts:
            rest += part
            yield None if too_long or len(rest) > LONGEST_LINE else bytes(rest)
            rest, too_long = bytearray(), False
        rest += last
        if len(rest) > LONGEST_LINE:
            rest, too_long = bytearray(), True
    if rest or too_long:
        yield None if too_long else bytes(rest)


def _read_line(line: bytes | None, options: FileOptions) -> list[str]:
    """Text, code and parts of the key; ``ValueError`` says what is wrong with the line."""
    if line is None:
        raise ValueError(f"is longer than {LONGEST_LINE:,} bytes")
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ValueError("is not JSON in UTF-8") from None
    if not isinstance(row, dict):
        raise ValueError("is not a JSON object")
    values = []
    for name in (options.query_field, options.code_field, *options.key_fields):
        value = row.get(name)
        if name in options.key_fields and type(value) is int:
            value = str(value)
        if not isinstance(value, str):
            raise ValueError(f"has no text in the field {name!r}")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"has half a character in the field {name!r}") from None
        values.append(value)
    return values


def _passes_filters(query: str, code: str, options: FileOptions, funnel: Funnel) -> bool:
    return (
        funnel.passes("row", "with a text and code", query.strip() and code.strip())
        and funnel.passes(
            "row", "text long enough", len(split_words(query)) >= options.minimum_query_words
        )
        and funnel.passes(
            "row",
            "code long enough",
            options.minimum_code_words == 0 or len(split_words(code)) >= options.minimum_code_words,
        )
    )


def _make_candidate(query: str, code: str, key: str, options: FileOptions) -> Candidate:
    row = dict.fromkeys(PAIR_SCHEMA.names, "") | {
        "query": query,
        "code": code,
        "source": options.source,
        "key": key,
        "licence": options.licence,
        "query_licence": options.licence,
    }
    # Where all tokens stand apart, a called method or a field must still be found behind its dot.
    return Candidate(row, (), join_dots(code))
