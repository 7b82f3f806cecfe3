"""Commands of learning to rank."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output, Questions, ScoreSheet, Settings

app = typer.Typer(help="What a ranker is fitted on, apart from the evaluation questions.")


@app.callback()
def _group() -> None:
    pass


@app.command()
def threads(
    settings: Settings,
    post_questions: Annotated[Path, typer.Option(help="Questions of a dump, as Parquet.")],
    post_answers: Annotated[Path, typer.Option(help="Answers of a dump, as Parquet.")],
    questions: Questions,
    output: Output,
    score_sheet: ScoreSheet = None,
) -> None:
    """Choose threads of posts with a Java answer, in folds, a selection part and a test part."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.learning_to_rank.thread_options import ThreadSettings
    from ncsbench.learning_to_rank.threads import choose_threads, write_threads
    from ncsbench.pairs.pair_files import open_finder

    options = read_settings(settings, ThreadSettings)
    finder = open_finder(questions, score_sheet)
    write_threads(output, choose_threads(post_questions, post_answers, options, finder))


@app.command()
def trees(
    settings: Settings,
    features: Annotated[
        list[Path], typer.Option(help="Features of candidates of threads; may be repeated.")
    ],
    judgements: Annotated[
        list[Path], typer.Option(help="What judge score says of them; may be repeated.")
    ],
    thread_parts: Annotated[Path, typer.Option(help="The part of each thread, as Parquet.")],
    output: Output,
) -> None:
    """Train trees that rank candidates, on the threads of both folds."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.learning_to_rank.tree_options import TreeSettings
    from ncsbench.learning_to_rank.tree_training import train_trees
    from ncsbench.learning_to_rank.trees import save_trees

    options = read_settings(settings, TreeSettings)
    save_trees(output, *train_trees(features, judgements, thread_parts, options))
