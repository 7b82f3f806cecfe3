"""The command that compares the judge with reference values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ncsbench.judge.checking import MethodKey


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
    1 if a row differs that is not documented to.
    """
    from ncsbench.evaluation.questions import read_questions
    from ncsbench.judge.checking import Evidence, check_folder, wanted_methods

    table = read_questions(questions).to_pylist() if questions else []
    evidence = Evidence(
        answers={row["stackoverflow_id"]: row["answer"] for row in table},
        methods=_code(corpus, wanted_methods(folder)) if corpus else {},
    )
    passes = True
    for report in check_folder(folder, evidence):
        for line in report.lines():
            typer.echo(line)
        passes = passes and report.passes
    if not passes:
        raise typer.Exit(1)


def _code(corpus: Path, wanted: set[MethodKey]) -> dict[MethodKey, str]:
    """Text of the wanted methods; of several on the same lines the first."""
    from ncsbench.corpus.layout import CorpusFolder

    columns = ["repository", "path", "start_line", "end_line", "code"]
    found: dict[MethodKey, str] = {}
    for table in CorpusFolder(corpus).iterate_methods(columns):
        for repository, path, start, end, code in zip(
            *(table[name].to_pylist() for name in columns), strict=True
        ):
            key = (repository, path, str(start), str(end))
            if key in wanted:
                found.setdefault(key, code)
    return found
