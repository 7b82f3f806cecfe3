"""What structural search finds for a snippet, as JSON and as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ncsbench.aroma.features import FeatureSet
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.structural_search.pruned_text import show_kept
from ncsbench.structural_search.search import (
    REFERENCE_CODE,
    SearchOptions,
    SearchResult,
)
from ncsbench.text.safe_text import show_visibly

_STANDARD_INPUT = Path("-")
_LOCATION = ["repository", "path", "start_line", "end_line", "class_name", "method_name", "url"]


def choose_options(
    variant: str, *, options: Mapping[str, Any], clusters: Mapping[str, Any]
) -> SearchOptions:
    """Options of a search.

    Args:
        variant: whose values the options have that are None, ``paper`` or ``code``.
        options: of ``SearchOptions``.
        clusters: of ``ClusterOptions``.
    """
    base = REFERENCE_CODE if variant == "code" else SearchOptions()
    return replace(base, **_given(options), clusters=replace(base.clusters, **_given(clusters)))


def describe_result(
    query: FeatureSet, result: SearchResult, corpus: Path, top: int
) -> dict[str, Any]:
    """What was found, ready for JSON: the ``top`` methods, and all recommendations."""
    methods = result.methods
    numbers = {*range(min(top, len(methods)))}
    numbers |= {member for each in result.recommendations for member in each.members}
    ids = {id_ for number in numbers for id_ in (methods[number].id, *methods[number].copies)}
    rows = CorpusFolder(corpus).read_methods(ids, [*_LOCATION, "code"])
    described = {
        number: {
            "rank": number + 1,
            "id": methods[number].id,
            "score": methods[number].score,
            "overlap": methods[number].overlap,
            **{name: rows[methods[number].id][name] for name in _LOCATION},
            "copies": [_place(rows[id_]) for id_ in methods[number].copies],
            "code": rows[methods[number].id]["code"],
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


def _place(row: Mapping[str, Any]) -> str:
    return f"{row['path']}:{row['start_line']}"


def format_result(found: dict[str, Any], *, recommend: bool) -> Iterator[str]:
    """Lines of text for what ``describe_result`` gives.

    Args:
        found: what it gives; a method may have a ``remark``.
        recommend: whether a line says that there is no recommendation.
    """
    yield f"the best {len(found['methods'])} of {found['found']} that share something with it"
    for method in found["methods"]:
        yield _format_method(method)
    if recommend and not found["recommendations"]:
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
    location = f"{method.get('repository', '')} {_place(method)}".strip()
    name = f"{method['class_name']}.{method['method_name']}"
    remark = f"  ({method['remark']})" if method.get("remark") else ""
    line = f"{method['rank']:4}  {method['score']:.4f}  {location}  {name}{also}{remark}"
    return show_visibly(line.replace("\n", " "))


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
