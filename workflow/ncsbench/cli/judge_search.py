"""The command that searches a corpus for methods like a piece of code."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from ncsbench.cli.options import Corpus


def search(
    index: Annotated[Path, typer.Option(help="Folder of the judge's index of the corpus.")],
    corpus: Corpus,
    snippet: Annotated[
        Path, typer.Argument(help="File with a piece of Java; - is the standard input.")
    ] = Path("-"),
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
    snippets: Annotated[int | None, typer.Option(help="Most recommendations (K).", min=1)] = None,
) -> None:
    """Find methods like a piece of code, and recommend what groups of them share."""
    from ncsbench.structural_search.shown_results import format_result, search_snippet

    found = search_snippet(
        snippet,
        index=index,
        corpus=corpus,
        top=top,
        variant=variant,
        options={
            "candidates": candidates, "score": score, "similar": similar, "clustered": clustered,
            "snippets": snippets,
        },
        clusters={"gain": gain, "likeness": likeness},
    )  # fmt: skip
    typer.echo(json.dumps(found, indent=2) if as_json else "\n".join(format_result(found)))
