"""Commands that look at what was learnt."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Look at what was learnt.")


@app.command()
def expand(
    query: Annotated[str, typer.Argument(help="A query in words.")],
    expansion: Annotated[Path, typer.Option(help="Table of expansions as Parquet.")],
    minimum_value: Annotated[float, typer.Option(help="Least value that is added.")] = 0.05,
    stop_words: Annotated[Path | None, typer.Option(help="File with one stop word a line.")] = None,
) -> None:
    """Show which code word each word of a query brings: word, code word, value, added or not."""
    from ncsbench.artifacts.storage import read_table
    from ncsbench.experiment.model_files import read_stop_words
    from ncsbench.training.query_expansion import EXPANSION_SCHEMA, Expansion

    table = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    known = frozenset(read_stop_words(stop_words) if stop_words else ())
    for line in table.describe_additions(query, minimum_value=minimum_value, stop_words=known):
        typer.echo(line)
