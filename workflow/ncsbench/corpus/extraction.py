"""Extracts the methods of repositories, one shard at a time, as a stream, with a ledger."""

from __future__ import annotations

import codecs
import gc
import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa

from ncsbench.artifacts.storage import write_table, write_tables
from ncsbench.corpus.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.corpus_settings import MethodOptions
from ncsbench.corpus.file_texts import describe_text
from ncsbench.corpus.ledger_schema import COUNTS, LEDGER_SCHEMA
from ncsbench.corpus.repositories import Repository
from ncsbench.corpus.source_protocol import Source, SourceError, SourceFile, read_repository
from ncsbench.languages.java_methods import Method, parse_methods

EXTRACTED_SCHEMA = pa.schema(
    [*list(METHOD_SCHEMA)[1:], *list(ITEM_SCHEMA)[1:]],
)
"""Methods with their items, in the order of the ids that they will get."""

_ROWS = 4096
_DEFAULT = MethodOptions()
_LOG = logging.getLogger(__name__)


def extract_methods(
    repositories: list[Repository],
    source: Source,
    *,
    methods: Path,
    ledger: Path,
    options: MethodOptions = _DEFAULT,
) -> None:
    """Write the methods of the repositories and a ledger of what was taken or left out.

    Args:
        repositories: in corpus order.
        source: where their files come from.
        methods: Parquet file of ``EXTRACTED_SCHEMA``.
        ledger: Parquet file of ``LEDGER_SCHEMA``.
        options: which methods are left out; the items of the method around them stay as they are.
    """
    lines: list[dict[str, object]] = []
    # Millions of syntax nodes are created and none is part of a cycle: the search for cycles would
    # take about a twentieth of the time.
    gc.disable()
    try:
        write_tables(methods, _batches(repositories, source, options, lines), EXTRACTED_SCHEMA)
    finally:
        gc.enable()
    write_table(ledger, pa.Table.from_pylist(lines, LEDGER_SCHEMA), LEDGER_SCHEMA)


def decode_source(data: bytes) -> tuple[str, str]:
    """The text of a Java file, with a remark where it is not plain UTF-8."""
    remarks = []
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
        remarks.append("read as UTF-16")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
            remarks.append("read as Latin-1")
    if "\0" in text:
        text = text.replace("\0", " ")
        remarks.append("NUL bytes read as blanks")
    return text, ", ".join(remarks)


def _batches(
    repositories: list[Repository],
    source: Source,
    options: MethodOptions,
    lines: list[dict[str, object]],
) -> Iterator[pa.Table]:
    rows: list[dict[str, object]] = []
    for repository in repositories:
        start, reason = len(lines), ""
        try:
            for file in read_repository(source, repository):
                rows += _file_rows(repository, file, options, lines)
                if len(rows) >= _ROWS:
                    yield pa.Table.from_pylist(rows, EXTRACTED_SCHEMA)
                    rows = []
        except SourceError as error:
            reason = str(error)
        except OSError as error:
            reason = f"cannot be read ({error.strerror})"
        if not reason and len(lines) == start:
            reason = "no Java file"
        counts = {name: sum(int(str(line[name])) for line in lines[start:]) for name in COUNTS}
        lines.insert(start, _line(repository, None, reason, counts, skipped=bool(reason)))
        _LOG.info("%s: %s", repository.full_name, reason or f"{counts['methods']} methods")
    if rows:
        yield pa.Table.from_pylist(rows, EXTRACTED_SCHEMA)


def _file_rows(
    repository: Repository,
    file: SourceFile,
    options: MethodOptions,
    lines: list[dict[str, object]],
) -> list[dict[str, object]]:
    if file.data is None:
        lines.append(_line(repository, file.path, file.reason, {}, skipped=True))
        return []
    text, remark = decode_source(file.data)
    parsed = parse_methods(text.encode("utf-8", "replace"))
    if parsed.has_errors:
        remark = ", ".join(filter(None, [remark, "syntax errors"]))
    reasons = [options.leaves_out(method.place) or "methods" for method in parsed.methods]
    lines.append(_line(repository, file.path, remark, Counter(reasons), skipped=False))
    lines[-1] |= describe_text(file.data, text)
    url = _file_url(repository, file.path)
    return [
        _row(repository, file.path, url, method)
        for method, reason in zip(parsed.methods, reasons, strict=True)
        if reason == "methods"
    ]


def _line(
    repository: Repository,
    path: str | None,
    reason: str,
    counts: Mapping[str, int],
    *,
    skipped: bool,
) -> dict[str, object]:
    return {
        "repository": repository.full_name,
        "path": path,
        "status": "skipped" if skipped else "taken",
        "reason": reason or None,
        **{name: counts.get(name, 0) for name in COUNTS},
    }


def _row(repository: Repository, path: str, url: str | None, method: Method) -> dict[str, object]:
    return {
        "repository": repository.full_name,
        "commit": repository.commit,
        "path": path,
        "filepath": f"{repository.full_name}/{path}",
        "method_name": method.name,
        "class_name": method.class_name,
        "start_line": method.start_line,
        "end_line": method.end_line,
        "url": url and f"{url}#L{method.start_line}-L{method.end_line}",
        "code": method.code,
        "comment": method.comment,
        "lines": method.end_line - method.start_line + 1,
        "tokens": method.tokens,
        "kinds": method.kinds,
        "texts": method.texts,
    }


def _file_url(repository: Repository, path: str) -> str | None:
    if repository.commit is None:
        return None
    name, commit = repository.full_name, repository.commit
    return f"https://github.com/{name}/blob/{commit}/{quote(path)}"
