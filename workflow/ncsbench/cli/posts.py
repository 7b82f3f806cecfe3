"""The command that reads a Stack Exchange dump."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output

app = typer.Typer(help="Read a dump of Stack Exchange.")


@app.command()
def read(
    dump: Annotated[Path, typer.Argument(help="Posts.xml, plain, as gzip or in a 7z archive.")],
    tags: Annotated[list[str], typer.Option(help="Tag of the wanted questions; repeat for more.")],
    output: Output,
    maximum_broken: Annotated[
        float, typer.Option(help="Greatest share of errors in rows.", min=0, max=1)
    ] = 0.001,
    users: Annotated[
        Path | None, typer.Option(help="Users.xml of the dump, for the names of authors.")
    ] = None,
) -> None:
    """Read a whole dump in one go."""
    from ncsbench.posts.dump_options import PostSettings
    from ncsbench.posts.merged_dumps import read_dump

    given = {"path": dump, "tags": tags, "maximum_broken": maximum_broken, "users": users}
    read_dump(PostSettings.parse(given, where="posts"), output)
