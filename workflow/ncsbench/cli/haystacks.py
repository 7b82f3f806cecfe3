"""Commands for what more methods to search among do."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Corpus, Judgements, Output, Questions, Results, Settings

app = typer.Typer(help="What do more methods to search among do?")


@app.command()
def draw(
    listed: Annotated[Path, typer.Option("--list", help="Repositories to draw from.")],
    keep: Annotated[Path, typer.Option(help="Repositories that come first and are not drawn.")],
    count: Annotated[int, typer.Option(help="How many to draw.", min=1)],
    output: Output,
    seed: Annotated[int, typer.Option(help="Seed of the drawing.", min=0)] = 1,
) -> None:
    """Draw repositories from a published list, for a list with distractors."""
    from ncsbench.haystacks.drawing import draw_repositories

    draw_repositories(listed=listed, kept=keep, count=count, seed=seed, output=output)


@app.command()
def members(
    settings: Settings,
    questions: Questions,
    corpus: Corpus,
    index: Annotated[Path, typer.Option(help="Folder of the judge's index of the corpus.")],
    output: Output,
) -> None:
    """Say of every method from which haystack on it is searched."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.haystacks.haystack_options import MemberSettings
    from ncsbench.haystacks.members import write_members
    from ncsbench.judge.compiled_code import compile_once
    from ncsbench.judge.judge_index import JudgeIndex

    compile_once()
    write_members(
        read_settings(settings, MemberSettings),
        questions=questions,
        corpus=CorpusFolder(corpus),
        index=JudgeIndex(index),
        output=output,
    )


@app.command()
def table(
    settings: Settings,
    members: Annotated[Path, typer.Option(help="What 'members' wrote.")],
    questions: Questions,
    results: Results,
    judgements: Judgements,
    output: Output,
    figure: Annotated[Path, typer.Option(help="The figure to draw, as SVG.")],
) -> None:
    """The figures of Table 1 in every haystack."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.haystacks.haystack_figure import draw_haystacks
    from ncsbench.haystacks.haystack_options import HaystackTableSettings
    from ncsbench.haystacks.haystack_table import write_haystacks

    write_haystacks(
        read_settings(settings, HaystackTableSettings),
        members=members,
        questions=questions,
        results=results,
        judgements=judgements,
        output=output,
    )
    draw_haystacks(output, figure)
