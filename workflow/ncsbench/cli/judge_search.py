"""The command that searches a corpus for methods like a piece of code, and what it prints."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ncsbench.cli.options import Corpus
from ncsbench.errors import DataError
from ncsbench.safe_text import show_visibly

if TYPE_CHECKING:
    from ncsbench.judge.features import FeatureSet
    from ncsbench.judge.search import SearchResult

_STANDARD_INPUT = Path("-")
_PLACE = ["repository", "path", "start_line", "class_name", "method_name", "url"]


def search(
    index: Annotated[Path, typer.Option(help="Folder of the judge's index of the corpus.")],
    corpus: Corpus,
    snippet: Annotated[
        Path, typer.Argument(help="File with a piece of Java; - is the standard input.")
    ] = _STANDARD_INPUT,
    top: Annotated[int, typer.Option(help="Methods to list.", min=0)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    variant: Annotated[
        Literal["paper", "code"],
        typer.Option(help="Whose values the options below have: Aroma's paper or its code."),
    ] = "paper",
    candidates: Annotated[int | None, typer.Option(help="Methods that are pruned (eta1).")] = None,
    score: Annotated[
        Literal["jaccard", "containment"] | None, typer.Option(help="Score of a pruned method.")
    ] = None,
    similar: Annotated[
        float | None, typer.Option(help="Score above which methods are clustered (tau1).")
    ] = None,
    clustered: Annotated[
        int | None, typer.Option(help="Methods that are clustered (eta2).")
    ] = None,
    gain: Annotated[
        float | None, typer.Option(help="What members share, over the query's part of it (tau2).")
    ] = None,
    likeness: Annotated[
        float | None, typer.Option(help="Likeness of the members' pruned parts (tau3).")
    ] = None,
    snippets: Annotated[int | None, typer.Option(help="Most recommendations (K).")] = None,
) -> None:
    """Find methods like a piece of code, and recommend what groups of them share."""
    from ncsbench.judge.index import JudgeIndex
    from ncsbench.judge.search import REFERENCE_CODE, SearchOptions, search_methods

    base = REFERENCE_CODE if variant == "code" else SearchOptions()
    given: dict[str, Any] = {
        "candidates": candidates, "score": score, "similar": similar, "clustered": clustered,
        "snippets": snippets,
    }  # fmt: skip
    clusters: dict[str, Any] = {"gain": gain, "likeness": likeness}
    given["clusters"] = replace(base.clusters, **_without_none(clusters))
    options = replace(base, **_without_none(given))
    query = _read_query(snippet)
    judge_index = JudgeIndex(index)
    _check_corpus(judge_index.corpus_hash, index, corpus)
    found = describe_result(
        query, search_methods(query, judge_index.blocks(), options), corpus, top
    )
    typer.echo(json.dumps(found, indent=2) if as_json else "\n".join(format_result(found)))


def describe_result(
    query: FeatureSet, result: SearchResult, corpus: Path, top: int
) -> dict[str, Any]:
    """What was found, ready for JSON: the ``top`` methods, and all recommendations."""
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge.snippets import show_kept

    methods = result.methods
    numbers = {*range(min(top, len(methods)))}
    numbers |= {member for each in result.recommendations for member in each.members}
    ids = {methods[number].id for number in numbers}
    rows = CorpusFolder(corpus).read_methods(ids, [*_PLACE, "code"])
    places = {
        number: {
            "rank": number + 1,
            "id": methods[number].id,
            "score": methods[number].score,
            "overlap": methods[number].overlap,
            **{name: rows[methods[number].id][name] for name in _PLACE},
            "copies": list(methods[number].copies),
        }
        for number in sorted(numbers)
    }
    return {
        "query": {"features": query.size, "distinct_features": len(query.ids)},
        "found": len(methods),
        "methods": [places[number] for number in range(min(top, len(methods)))],
        "recommendations": [
            {
                "code": show_kept(rows[methods[each.members[0]].id]["code"], each.kept),
                "members": [places[member] for member in each.members],
            }
            for each in result.recommendations
        ],
    }


def format_result(found: dict[str, Any]) -> Iterator[str]:
    """Lines of text for what ``describe_result`` gives."""
    yield f"{len(found['methods'])} of {found['found']} methods"
    for method in found["methods"]:
        yield _format_method(method)
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
    place = f"{method['repository']} {method['path']}:{method['start_line']}"
    name = f"{method['class_name']}.{method['method_name']}"
    line = f"{method['rank']:4}  {method['score']:.4f}  {place}  {name}{also}"
    return show_visibly(line.replace("\n", " "))


def _read_query(snippet: Path) -> FeatureSet:
    from ncsbench.judge.answers import features_of_answer

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


def _check_corpus(corpus_hash: str, index: Path, corpus: Path) -> None:
    from ncsbench.corpus.layout import CorpusFolder

    if CorpusFolder(corpus).manifest()["corpus_hash"] != corpus_hash:
        raise DataError(f"{index}: is no index of {corpus}; build it with 'ncsbench judge index'")


def _without_none(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
