"""Extracts the methods of repositories, one shard at a time, as a stream, with a ledger."""

from __future__ import annotations

import gc
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import quote

import pyarrow as pa

from ncsbench.artifacts.storage import write_table, write_tables
from ncsbench.corpus.corpus_schemas import EXTRACTED_SCHEMA
from ncsbench.corpus.corpus_settings import CorpusSettings, MethodOptions
from ncsbench.corpus.file_texts import decode_source, describe_text
from ncsbench.corpus.ledger_schema import (
    COUNTS,
    CR_LINES,
    DEEP_TYPES,
    LEDGER_SCHEMA,
    SYNTAX_ERRORS,
)
from ncsbench.corpus.released_spans import ReleasedSpans, Span, take_spans
from ncsbench.errors import DataError
from ncsbench.languages.java_methods import Method, parse_methods
from ncsbench.sources.inventory import Part, iterate_shard
from ncsbench.sources.open_sources import open_source
from ncsbench.sources.source_protocol import Source, SourceError, SourceFile

_ROWS = 4096
_DEFAULT = MethodOptions()
_LOG = logging.getLogger(__name__)


def extract_shard(
    settings: CorpusSettings,
    inventory: Path,
    shard: int,
    methods: Path,
    ledger: Path,
    spans: ReleasedSpans | None = None,
) -> None:
    """Extract the methods of one shard of the listed files.

    Args:
        settings: where the files are, in how many shards, and which methods are left out.
        inventory: table of the files, ``INVENTORY_SCHEMA``.
        shard: number of the shard, from 0.
        methods: table to write, ``EXTRACTED_SCHEMA``.
        ledger: table to write of what was taken or left out, ``LEDGER_SCHEMA``.
        spans: table of the methods of a released list, which are taken instead.
    """
    extract_methods(
        iterate_shard(inventory, shard=shard, shards=settings.shards),
        open_source(settings.source.kind, settings.source.path),
        methods=methods,
        ledger=ledger,
        options=settings,
        spans=spans,
    )


def extract_methods(
    parts: Iterable[Part],
    source: Source,
    *,
    methods: Path,
    ledger: Path,
    options: MethodOptions = _DEFAULT,
    spans: ReleasedSpans | None = None,
) -> None:
    """Write the methods of files and a ledger of what was taken or left out.

    Args:
        parts: the files in corpus order.
        source: where they come from.
        methods: Parquet file of ``EXTRACTED_SCHEMA``.
        ledger: Parquet file of ``LEDGER_SCHEMA``, with a line for each file.
        options: which methods are left out; the items of the method around them stay as they are.
        spans: a released list; its methods are taken instead, whatever the options say.

    Raises:
        DataError: where a repository is gone that was listed before.
    """
    lines: list[dict[str, object]] = []
    # Millions of syntax nodes are created and none is part of a cycle: the search for cycles would
    # take about a twentieth of the time.
    gc.disable()
    try:
        write_tables(methods, _batches(parts, source, options, spans, lines), EXTRACTED_SCHEMA)
    finally:
        gc.enable()
    write_table(ledger, pa.Table.from_pylist(lines, LEDGER_SCHEMA), LEDGER_SCHEMA)


def _batches(
    parts: Iterable[Part],
    source: Source,
    options: MethodOptions,
    spans: ReleasedSpans | None,
    lines: list[dict[str, object]],
) -> Iterator[pa.Table]:
    rows: list[dict[str, object]] = []
    for part in parts:
        start = len(lines)
        listed = None if spans is None else spans.find(part.repository.full_name)
        for file in _read_files(part, source):
            wanted = None if listed is None else listed.get(file.path, [])
            rows += _file_rows(part, file, options, wanted, lines)
            if len(rows) >= _ROWS:
                yield pa.Table.from_pylist(rows, EXTRACTED_SCHEMA)
                rows = []
        found = sum(int(str(line["methods"])) for line in lines[start:])
        files = len(lines) - start
        _LOG.info("%s: %d methods in %d files", part.repository.full_name, found, files)
    if rows:
        yield pa.Table.from_pylist(rows, EXTRACTED_SCHEMA)


def _read_files(part: Part, source: Source) -> Iterator[SourceFile]:
    wanted = [file.path for file in part.files if not file.reason]
    try:
        found = source.read_files(part.repository, part.commit, wanted)
        for file in part.files:
            yield SourceFile(file.path, None, file.reason) if file.reason else next(found)
    except (SourceError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DataError(
            f"{part.repository.full_name}: was listed and cannot be read now ({reason}); "
            "make its source readable and run the same command again"
        ) from error


def _file_rows(
    part: Part,
    file: SourceFile,
    options: MethodOptions,
    spans: list[Span] | None,
    lines: list[dict[str, object]],
) -> list[dict[str, object]]:
    if file.data is None:
        lines.append(_line(part, file, file.reason, {}))
        return []
    text, remark = decode_source(file.data)
    stem = PurePosixPath(file.path).stem
    parsed = parse_methods(text.encode("utf-8", "replace"), file_class=stem)
    remarks = [
        remark,
        CR_LINES if "\r" in text and "\n" not in text else "",
        SYNTAX_ERRORS if parsed.has_errors else "",
        DEEP_TYPES if parsed.has_deep_types else "",
    ]
    if spans is None:
        reasons = [options.leaves_out(method.place) or "methods" for method in parsed.methods]
        pairs = zip(parsed.methods, reasons, strict=True)
        methods = [method for method, reason in pairs if reason == "methods"]
    else:
        methods, missing = take_spans(text, parsed.methods, spans)
        reasons = ["methods"] * len(methods)
        remarks.append(f"no method at listed lines ({missing} times)" if missing else "")
    lines.append(_line(part, file, ", ".join(filter(None, remarks)), Counter(reasons)))
    lines[-1] |= describe_text(file.data, text)
    url = _file_url(part, file.path)
    return [_row(part, file.path, url, method) for method in methods]


def _line(
    part: Part, file: SourceFile, reason: str, counts: Mapping[str, int]
) -> dict[str, object]:
    return {
        "repository": part.repository.full_name,
        "path": file.path,
        "status": "skipped" if file.data is None else "taken",
        "reason": reason or None,
        **{name: counts.get(name, 0) for name in COUNTS},
    }


def _row(part: Part, path: str, url: str | None, method: Method) -> dict[str, object]:
    return {
        "repository": part.repository.full_name,
        "commit": part.commit,
        "path": path,
        "filepath": f"{part.repository.full_name}/{path}",
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


def _file_url(part: Part, path: str) -> str | None:
    if part.commit is None:
        return None
    name = part.repository.full_name
    return f"https://github.com/{name}/blob/{part.commit}/{quote(path)}"
