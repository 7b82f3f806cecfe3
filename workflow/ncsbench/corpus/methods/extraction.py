"""Extracts the methods of repositories, one shard at a time, as a stream, with a ledger."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from ncsbench.code.java.java_methods import Method, parse_methods
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.corpus.layout.corpus_schemas import EXTRACTED_SCHEMA
from ncsbench.corpus.layout.corpus_settings import CorpusSettings, MethodOptions
from ncsbench.corpus.layout.ledger_schema import CR_LINES, DEEP_TYPES, LEDGER_SCHEMA, SYNTAX_ERRORS
from ncsbench.corpus.methods.file_extraction import Taken, extract_files
from ncsbench.corpus.methods.released_methods import ReleasedSpans, Span
from ncsbench.corpus.sources.inventory import Part, iterate_shard
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.source_protocol import Source

_DEFAULT = MethodOptions()


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
        settings: source of the files, number of shards, and options of the methods.
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
        documents=settings.source.kind == "collection",
    )


def extract_methods(
    parts: Iterable[Part],
    source: Source,
    *,
    methods: Path,
    ledger: Path,
    options: MethodOptions = _DEFAULT,
    spans: ReleasedSpans | None = None,
    documents: bool = False,
) -> None:
    """Write the methods of files and a ledger of what was taken or left out.

    Args:
        parts: the files in corpus order.
        source: the source of the files.
        methods: Parquet file of ``EXTRACTED_SCHEMA``.
        ledger: Parquet file of ``LEDGER_SCHEMA``, with a line for each file.
        options: choice of the methods; a method around one that is left out keeps its items.
        spans: a released list; its methods are taken instead, whatever the options say.
        documents: True where each file is taken whole, in any language, as if it were one method.

    Raises:
        DataError: where a repository is gone that was listed before.
    """
    # Files of a repository follow each other.
    find = None if spans is None else lru_cache(maxsize=1)(spans.find)

    def take(part: Part, path: str, text: str) -> Taken:
        if documents:
            return Taken([_document_row(part, path, text)], {"methods": 1}, [])
        wanted = None if find is None else find(part.repository.full_name).get(path, [])
        return take_methods(part, path, text, options, wanted)

    extract_files(
        parts,
        source,
        take,
        rows=(methods, EXTRACTED_SCHEMA),
        ledger=(ledger, LEDGER_SCHEMA),
        counted="methods",
    )


def take_methods(
    part: Part, path: str, text: str, options: MethodOptions, spans: list[Span] | None
) -> Taken:
    """Return the rows of a Java file, of ``EXTRACTED_SCHEMA``, as ``extract_methods`` has them."""
    parsed = parse_methods(text.encode("utf-8", "replace"), file_class=PurePosixPath(path).stem)
    remarks = [
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
    url = _file_url(part, path)
    return Taken([_row(part, path, url, method) for method in methods], Counter(reasons), remarks)


def _row(part: Part, path: str, url: str | None, method: Method) -> dict[str, object]:
    return {
        **vars(method),
        "repository": part.repository.full_name,
        "commit": part.commit,
        "path": path,
        "filepath": f"{part.repository.full_name}/{path}",
        "method_name": method.name,
        "url": url and f"{url}#L{method.start_line}-L{method.end_line}",
        "lines": method.end_line - method.start_line + 1,
    }


def _document_row(part: Part, path: str, text: str) -> dict[str, object]:
    title, _, body = text.partition("\n")
    lines = body.count("\n") + 1
    return {
        "repository": part.repository.full_name,
        "commit": part.commit,
        "path": path,
        "filepath": f"{part.repository.full_name}/{path}",
        "method_name": PurePosixPath(path).name,
        "class_name": "",
        **{"start_line": 1, "end_line": lines, "lines": lines},
        "url": None,
        "code": body,
        "comment": title or None,
        "tokens": len(body.split()),
        **{"kinds": [ItemKind.COMMENT, ItemKind.STRING], "texts": [title, body]},
    }


def _file_url(part: Part, path: str) -> str | None:
    if part.commit is None:
        return None
    name = part.repository.full_name
    return f"https://github.com/{name}/blob/{part.commit}/{quote(path)}"


def take_spans(
    text: str, methods: Sequence[Method], spans: Sequence[Span]
) -> tuple[list[Method], int]:
    """The methods at some lines of a file.

    Of the methods that the parser finds, one has these lines and this name; where none has the
    name, one that no other span names. Where none has the lines, they are cut out and read on their
    own. Each method is taken once: a place that is listed twice with a name stands for two methods.

    Args:
        text: of the file.
        methods: all methods of the file, in text order.
        spans: the lines asked for.

    Returns:
        The methods in text order, and the number of spans that have none.
    """
    lines = text.split("\n")
    known = {(method.start_line, method.end_line) for method in methods}
    found = list(methods)
    for start, end in sorted({(span.start, span.end) for span in spans} - known):
        found += _cut(lines, start, end)
    numbers: dict[Span, deque[int]] = defaultdict(deque)
    for number, method in enumerate(found):
        numbers[Span(method.start_line, method.end_line, method.name)].append(number)
    taken = []
    unnamed = []
    for span in spans:
        here = numbers.get(span)
        if here:
            taken.append(here.popleft())
        elif here is None:
            unnamed.append((span.start, span.end))
    left: dict[tuple[int, int], deque[int]] = defaultdict(deque)
    for number in sorted(chain.from_iterable(numbers.values())):
        left[found[number].start_line, found[number].end_line].append(number)
    taken += [left[place].popleft() for place in unnamed if left[place]]
    taken.sort(key=lambda number: (found[number].start_line, number))
    return [found[number] for number in taken], len(spans) - len(taken)


def _cut(lines: Sequence[str], start: int, end: int) -> list[Method]:
    """The methods that fill some lines when these are read on their own."""
    text = "\n".join(lines[start - 1 : end])
    # A method is read inside a class alone; on its first line, so that lines count from there.
    found = parse_methods(f"class C {{ {text}\n}}".encode("utf-8", "replace")).methods
    return [
        replace(method, class_name="", start_line=start, end_line=end)
        for method in found
        if (method.start_line, method.end_line) == (1, end - start + 1)
    ]
