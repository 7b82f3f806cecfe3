"""Commands that read a Stack Exchange dump."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncsbench.cli.options import Output, Settings

if TYPE_CHECKING:
    from ncsbench.posts.dump_options import PostSettings

app = typer.Typer(help="Questions and answers of a Stack Exchange dump.")

Part = Annotated[int, typer.Option(help="Which part of the dump, from 0.", min=0)]
QuestionParts = Annotated[Path, typer.Option(help="Folder of the first pass, a part in each.")]
AnswerParts = Annotated[Path, typer.Option(help="Folder of the second pass, a part in each.")]


@app.command()
def questions(settings: Settings, part: Part, output: Output) -> None:
    """First pass: read the questions of a part of the dump."""
    from ncsbench.posts.dump_passes import read_questions

    read_questions(_read_settings(settings), part=part, output=output)


@app.command()
def ids(settings: Settings, questions: QuestionParts, output: Output) -> None:
    """Join what the first pass knows of questions, for the second."""
    from ncsbench.posts.dump_passes import part_folders
    from ncsbench.posts.merged_dumps import join_ids

    join_ids(part_folders(questions, _read_settings(settings).parts), output)


@app.command()
def answers(
    settings: Settings,
    part: Part,
    ids: Annotated[Path, typer.Option(help="Folder of the joined ids.")],
    output: Output,
) -> None:
    """Second pass: read the answers of a part of the dump to the questions taken."""
    from ncsbench.posts.dump_passes import read_answers

    read_answers(_read_settings(settings), part=part, ids=ids, output=output)


@app.command()
def ledger(
    settings: Settings, questions: QuestionParts, answers: AnswerParts, output: Output
) -> None:
    """Join the ledgers and counts of all parts."""
    from ncsbench.posts.dump_passes import part_folders
    from ncsbench.posts.merged_dumps import join_ledgers

    parts = _read_settings(settings).parts
    join_ledgers(part_folders(questions, parts), part_folders(answers, parts), output)


@app.command()
def users(
    settings: Settings, questions: QuestionParts, answers: AnswerParts, output: Output
) -> None:
    """Read the names of the authors of posts from the users of the dump."""
    from ncsbench.artifacts.storage import write_table
    from ncsbench.errors import ConfigurationError
    from ncsbench.posts.dump_passes import part_folders
    from ncsbench.posts.users import USER_SCHEMA, find_authors, read_users

    options = _read_settings(settings)
    if options.users is None:
        raise ConfigurationError(f"{settings}: names no file of users")
    folders = (part_folders(made, options.parts) for made in (questions, answers))
    write_table(output, read_users(options.users, find_authors(*folders)), USER_SCHEMA)


@app.command()
def links(
    settings: Settings,
    questions: Annotated[Path, typer.Option(help="Questions of the dump as Parquet.")],
    output: Output,
) -> None:
    """Count the links and duplicates that point to each question."""
    from ncsbench.artifacts.storage import write_table
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.posts.dump_options import LinkSettings
    from ncsbench.posts.links import LINK_SCHEMA, count_links

    counted = count_links(read_settings(settings, LinkSettings).path, questions)
    write_table(output, counted, LINK_SCHEMA)


@app.command()
def merge(
    settings: Settings,
    counts: Annotated[Path, typer.Option(help="Joined counts, beside the ledger.")],
    questions: QuestionParts,
    answers: AnswerParts,
    output: Output,
    users: Annotated[Path | None, typer.Option(help="Names of authors as Parquet.")] = None,
) -> None:
    """Join the posts of all parts, unless too much of the dump is broken."""
    from ncsbench.posts.dump_passes import part_folders
    from ncsbench.posts.merged_dumps import check_counts, merge_posts

    options = _read_settings(settings)
    check_counts(options, counts)
    merge_posts(
        part_folders(questions, options.parts), part_folders(answers, options.parts), output, users
    )


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
    from ncsbench.posts.dumps import read_dump

    given = {"path": dump, "tags": tags, "maximum_broken": maximum_broken, "users": users}
    read_dump(PostSettings.parse(given, where="posts"), output)


def _read_settings(path: Path) -> "PostSettings":
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.posts.dump_options import PostSettings

    return read_settings(path, PostSettings)
