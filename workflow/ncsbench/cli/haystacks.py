"""The command that draws distractors for haystacks."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output

app = typer.Typer(help="Draw repositories to search among more.")


@app.command()
def draw(
    listed: Annotated[Path, typer.Option("--list", help="Repositories to draw from.")],
    keep: Annotated[Path, typer.Option(help="Repositories that come first and are not drawn.")],
    count: Annotated[int, typer.Option(help="How many to draw.", min=1)],
    output: Output,
    seed: Annotated[int, typer.Option(help="Seed of the drawing.", min=0)] = 1,
) -> None:
    """Draw repositories from a published list, for a list with distractors."""
    from ncsbench.haystacks.members import draw_repositories

    draw_repositories(listed=listed, kept=keep, count=count, seed=seed, output=output)
