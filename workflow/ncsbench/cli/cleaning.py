"""Commands of a cleaning experiment: sets, trainings, rankings, tables."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Checkpoint, Output, Settings

app = typer.Typer(help="Does cleaning training pairs help? Sets, trainings, tables.")

Pairs = Annotated[Path, typer.Option(help="Training pairs as Parquet.")]
SetRecord = Annotated[Path, typer.Option(help="JSON of what the set is made of to write.")]


@app.command()
def comment_model(
    settings: Settings,
    titles: Annotated[Path, typer.Option(help="Titles of questions, a line each.")],
    checkpoint: Checkpoint,
    output: Output,
) -> None:
    """Train the language model of queries on titles."""
    from ncsbench.cleaning.query_model import QueryModelSettings, make_query_model
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, QueryModelSettings)
    make_query_model(options, titles, checkpoint=checkpoint, output=output)


@app.command()
def judge(
    settings: Settings,
    pairs: Pairs,
    output: Output,
    model: Annotated[
        Path | None, typer.Option(help="Folder of the model of queries; without: rules only.")
    ] = None,
) -> None:
    """Judge the comments of raw pairs by rules and by the model of queries."""
    from ncsbench.cleaning.judged_comments import JudgeSettings, judge_comments
    from ncsbench.configuration.settings_files import read_settings

    judge_comments(read_settings(settings, JudgeSettings), pairs, model, output)


@app.command()
def training_set(
    settings: Settings,
    pairs: Pairs,
    output: Output,
    record: SetRecord,
    judged: Annotated[
        Path | None, typer.Option(help="Judgements of these pairs, for a filtered set.")
    ] = None,
    size_of: Annotated[
        Path | None, typer.Option(help="Pairs of the set that has as many, for a controlled one.")
    ] = None,
) -> None:
    """Make a training set: all pairs, what a filter keeps of them, or as many at random."""
    from ncsbench.cleaning.training_sets import SetSettings, make_set
    from ncsbench.configuration.settings_files import read_settings

    make_set(
        read_settings(settings, SetSettings),
        pairs,
        judged=judged,
        size_of=size_of,
        output=output,
        record=record,
    )
