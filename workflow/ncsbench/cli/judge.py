"""The command that compares the judge with reference values."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Check the judge.")


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(help="Folder with files of reference values.")],
    questions: Annotated[
        list[Path] | None, typer.Option(help="Questions as JSON, for the examples' scores.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Folder of a built corpus that has the examples' code.")
    ] = None,
) -> None:
    """Compare the judge with reference values: features, similarities, examples.

    Prints "identical/total" per file and the first difference of each row that differs; exits with
    1 if a row differs.
    """
    from ncsbench.judge.reference_check import check_folder, read_evidence
    from ncsbench.questions.questions_file import read_questions

    evidence = read_evidence(folder, read_questions(questions) if questions else None, corpus)
    passes = True
    for report in check_folder(folder, evidence):
        for line in report.lines():
            typer.echo(line)
        passes = passes and report.passes
    if not passes:
        raise typer.Exit(1)
