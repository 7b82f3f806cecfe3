"""The result of a structural search for a snippet, as JSON and as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from ncsbench.base.text.safe_text import show_visibly
from ncsbench.code.aroma.features import FeatureSet
from ncsbench.code.java.java import parse_java, walk
from ncsbench.code.java_trees.java_spt_rules import LEAVES
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.structural_search.search import (
    REFERENCE_CODE,
    SearchOptions,
    SearchResult,
)

GAP = "…"
"""Represents lines that were left out between others."""

_BEFORE = b"class C {\n"


def show_kept(code: str, kept: NDArray[np.bool_]) -> str:
    """Show the lines of a method that contain kept leaves; each gap between them is one ``…``.

    Args:
        code: text of one method declaration.
        kept: bool, shape (leaves of its body,), in text order. If the body has another number of
            leaves, as beyond the cap of the depth (DEV-24), the whole method is shown.

    Returns:
        Lines without common indentation and without a line end at the end.
    """
    lines = code.split("\n")
    spans = leaf_lines(code)
    if len(spans) != len(kept):
        return _join_lines(lines)
    shown = sorted(
        {
            line
            for (first, last), keep in zip(spans, kept.tolist(), strict=True)
            if keep
            for line in range(first, last + 1)
        }
    )
    picked: list[str] = []
    previous = None
    for line in shown:
        if previous is not None and any(lines[i].strip() for i in range(previous + 1, line)):
            picked.append(lines[line].removesuffix(lines[line].lstrip()) + GAP)
        picked.append(lines[line])
        previous = line
    return _join_lines(picked)


def leaf_lines(code: str) -> list[tuple[int, int]]:
    """Find first and last line, from 0, of each leaf of a method's body in text order.

    Leaves are those of the tree that the features come from (``code.java_trees.java_spt``).
    """
    tree = parse_java(_BEFORE + code.encode("utf-8", "replace") + b"\n}\n")
    body = _first_body(tree.root_node)
    if body is None:
        return []
    return [
        (node.start_point[0] - 1, node.end_point[0] - 1)
        for node in walk(body)
        if node.type in LEAVES
    ]


def _first_body(root: Node) -> Node | None:
    for node in walk(root):
        if node.type == "method_declaration":
            body = node.child_by_field_name("body")
            if body is not None:
                return body
    return None


def _join_lines(lines: Sequence[str]) -> str:
    return show_visibly(textwrap.dedent("\n".join(line.rstrip() for line in lines)))


_LOCATION = ["repository", "path", "start_line", "end_line", "class_name", "method_name", "url"]


def choose_options(
    variant: str, *, options: Mapping[str, Any], clusters: Mapping[str, Any]
) -> SearchOptions:
    """Choose the options of a search.

    Args:
        variant: ``paper`` or ``code``; options that are None get its values.
        options: options of ``SearchOptions``.
        clusters: options of ``ClusterOptions``.
    """
    base = REFERENCE_CODE if variant == "code" else SearchOptions()
    return replace(base, **_given(options), clusters=replace(base.clusters, **_given(clusters)))


def describe_result(
    query: FeatureSet, result: SearchResult, corpus: Path, top: int
) -> dict[str, Any]:
    """Describe the ``top`` methods found, and all recommendations, ready for JSON."""
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
    """Write the result of ``describe_result`` as lines of text.

    Args:
        found: the result of ``describe_result``; a method may have a ``remark``.
        recommend: True to say in a line if there is no recommendation.
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
