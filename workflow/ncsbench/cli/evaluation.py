"""Commands on questions and runs."""

from pathlib import Path

import typer

from ncsbench.cli.options import Output, Settings

app = typer.Typer(help="Questions and first ranks.")


@app.command()
def questions(settings: Settings, output: Output) -> None:
    """Read and check the questions files of a dataset."""
    from ncsbench.evaluation.questions import read_questions
    from ncsbench.records import QUESTION_SCHEMA
    from ncsbench.storage import read_json, write_table

    paths = [Path(path) for path in read_json(settings)["questions"]]
    write_table(output, read_questions(paths), QUESTION_SCHEMA)
