"""Training pairs from a JSON Lines file: each line has a text and a snippet of code."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ncsbench.errors import DataError
from ncsbench.pairs.comment_filter.comment_lines import LONGEST_LINE, cut_lines, open_lines
from ncsbench.pairs.comment_filter.rules import is_unicode
from ncsbench.pairs.leak_checks.leaks import join_dots
from ncsbench.pairs.training_pairs.pair_files import (
    PAIR_STEPS,
    Candidate,
    Funnel,
    PairFiles,
    has_words,
)
from ncsbench.pairs.training_pairs.pair_options import FileOptions
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA

FILE_STEPS = (
    ("line", "readable"),
    ("row", "with a text and code"),
    ("row", "text long enough"),
    ("row", "code long enough"),
    *PAIR_STEPS,
)


def pair_file(settings: FileOptions, files: PairFiles) -> None:
    """Make pairs of the lines of a file of JSON Lines, which the settings name.

    Args:
        settings: options of the set: file, fields and limits.
        files: files to read and write that every set of pairs has.
    """
    counts = Funnel(FILE_STEPS)
    files.write(iterate_file_pairs(settings, counts), counts, settings.exact_duplicates)


def iterate_file_pairs(options: FileOptions, funnel: Funnel) -> Iterator[Candidate]:
    """Yield pairs of a file of JSON Lines, plain or gzip, in the order of its lines.

    Unknown columns of a pair (author, link) stay empty. Empty lines do not count.

    Args:
        options: file, fields and limits.
        funnel: counts of the steps, with ``FILE_STEPS``.

    Raises:
        DataError: where the file cannot be read or unpacked, too many of its lines cannot be read,
            or two of its pairs have the same key.
    """
    keys: set[str] = set()
    lines, broken, first = 0, 0, ""
    with open_lines(options.path) as stream:
        for number, line in cut_lines(stream, options.path):
            lines += 1
            try:
                query, code, *names = _read_line(line, options)
            except ValueError as error:
                broken += 1
                first = first or f"line {number} {error}"
                funnel.count("line", "readable", removed=1)
                continue
            funnel.count("line", "readable", kept=1)
            if not funnel.pass_all(
                "row",
                ("with a text and code", query.strip() and code.strip()),
                ("text long enough", has_words(query, options.minimum_query_words)),
                ("code long enough", has_words(code, options.minimum_code_words)),
            ):
                continue
            key = ":".join([options.source, *(names or [str(number)])])
            if key in keys:
                raise DataError(
                    f"{options.path}: line {number}: the key {key[:80]!r} occurred before; name "
                    "more 'key_fields', or none, which numbers the lines"
                )
            keys.add(key)
            yield _make_candidate(query, code, key, options)
    if broken > options.maximum_broken * lines:
        raise DataError(
            f"{options.path}: {broken} of {lines} lines cannot be read; {first}; mend the file, or "
            "raise 'maximum_broken'"
        )


def _read_line(line: bytes, options: FileOptions) -> list[str]:
    """Read text, code and parts of the key; ``ValueError`` says what is wrong with the line."""
    if len(line) > LONGEST_LINE:
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
        if not is_unicode(value):
            raise ValueError(f"has half a character in the field {name!r}")
        values.append(value)
    return values


def _make_candidate(query: str, code: str, key: str, options: FileOptions) -> Candidate:
    row = dict.fromkeys(PAIR_SCHEMA.names, "") | {
        "query": query,
        "code": code,
        "source": options.source,
        "key": key,
        "licence": options.licence,
        "query_licence": options.licence,
    }
    # Where blanks separate all tokens, a called method or a field must still be found behind its
    # dot.
    return Candidate(row, (), join_dots(code))
