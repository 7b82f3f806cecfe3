"""What structural search finds for a snippet, as JSON and as lines of text."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ncsbench.aroma.features import FeatureSet
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.judge.answers import features_of_answer
from ncsbench.judge.judge_index import JudgeIndex
from ncsbench.structural_search.pruned_text import show_kept
from ncsbench.structural_search.search import (
    REFERENCE_CODE,
    SearchOptions,
    SearchResult,
    search_methods,
)
from ncsbench.text.safe_text import show_visibly

_STANDARD_INPUT = Path("-")
_LOCATION = ["repository", "path", "start_line", "class_name", "method_name", "url"]


def search_snippet(
    snippet: Path,
    *,
    index: Path,
    corpus: Path,
    top: int,
    variant: str,
    options: dict[str, Any],
    clusters: dict[str, Any],
) -> dict[str, Any]:
    """Search a corpus for methods like a piece of Java, and describe what was found.

    Args:
        snippet: file with the piece; ``-`` is the standard input.
        index: folder of the judge's index of the corpus.
        corpus: folder of the corpus.
        top: how many methods are listed.
        variant: whose values the options have that are None, ``paper`` or ``code``.
        options: of ``SearchOptions``.
        clusters: of ``ClusterOptions``.

    Returns:
        What ``describe_result`` says.

    Raises:
        DataError: for what is no Java, and an index of another corpus.
    """
    base = REFERENCE_CODE if variant == "code" else SearchOptions()
    chosen = replace(base, **_given(options), clusters=replace(base.clusters, **_given(clusters)))
    query = read_query(snippet)
    opened = JudgeIndex(index)
    if CorpusFolder(corpus).manifest()["corpus_hash"] != opened.corpus_hash:
        raise DataError(f"{index}: is no index of {corpus}; build it with 'ncsbench judge index'")
    return describe_result(query, search_methods(query, opened.blocks(), chosen), corpus, top)


def describe_result(
    query: FeatureSet, result: SearchResult, corpus: Path, top: int
) -> dict[str, Any]:
    """What was found, ready for JSON: the ``top`` methods, and all recommendations."""
    methods = result.methods
    numbers = {*range(min(top, len(methods)))}
    numbers |= {member for each in result.recommendations for member in each.members}
    ids = {methods[number].id for number in numbers}
    rows = CorpusFolder(corpus).read_methods(ids, [*_LOCATION, "code"])
    described = {
        number: {
            "rank": number + 1,
            "id": methods[number].id,
            "score": methods[number].score,
            "overlap": methods[number].overlap,
            **{name: rows[methods[number].id][name] for name in _LOCATION},
            "copies": list(methods[number].copies),
        }
        for number in sorted(numbers)
    }
    return {
        "query": {"features": query.size, "distinct_features": len(query.ids)},
        "found": len(methods),
        "methods": [described[number] for number in range(min(top, len(methods)))],
        "recommendations": [
            {
                "code": show_kept(rows[methods[each.members[0]].id]["code"], each.kept),
                "members": [described[member] for member in each.members],
            }
            for each in result.recommendations
        ],
    }


def format_result(found: dict[str, Any]) -> Iterator[str]:
    """Lines of text for what ``describe_result`` gives."""
    yield f"{len(found['methods'])} of {found['found']} methods"
    for method in found["methods"]:
        yield _format_method(method)
    if not found["recommendations"]:
        yield "No recommendation: no group of these methods shares enough beyond the snippet"
    for number, recommendation in enumerate(found["recommendations"], start=1):
        yield ""
        members = recommendation["members"]
        yield f"Recommendation {number}, shared by {len(members)} methods"
        yield textwrap.indent(recommendation["code"], "    ")
        for method in members:
            yield _format_method(method)


def _format_method(method: dict[str, Any]) -> str:
    copies = len(method["copies"])
    also = f" (and {copies} {'copy' if copies == 1 else 'copies'})" if copies else ""
    location = f"{method['repository']} {method['path']}:{method['start_line']}"
    name = f"{method['class_name']}.{method['method_name']}"
    line = f"{method['rank']:4}  {method['score']:.4f}  {location}  {name}{also}"
    return show_visibly(line.replace("\n", " "))


def read_query(snippet: Path) -> FeatureSet:
    """Features of a piece of Java in a file; ``DataError`` where it cannot be read."""
    name = "the standard input" if snippet == _STANDARD_INPUT else str(snippet)
    try:
        data = sys.stdin.buffer.read() if snippet == _STANDARD_INPUT else snippet.read_bytes()
        query = features_of_answer(data.decode("utf-8-sig"))
    except OSError as error:
        raise DataError(f"{name}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: is not UTF-8 text ({error})") from error
    if query is None or not query.size:
        raise DataError(
            f"{name}: cannot be read as Java; give statements, methods or a class with names in it"
        )
    return query


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
