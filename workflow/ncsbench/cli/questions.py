"""Commands that choose evaluation questions."""

from pathlib import Path

import typer

from ncsbench.cli.options import Output, Questions, Settings

app = typer.Typer(help="Evaluation questions, chosen from posts.")


@app.command()
def read(settings: Settings, output: Output) -> None:
    """Read and check the questions files of a dataset."""
    from ncsbench.artifacts.storage import write_table
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.questions.question_schema import QUESTION_SCHEMA
    from ncsbench.questions.questions_file import read_questions
    from ncsbench.questions.selection_options import QuestionSettings

    options = read_settings(settings, QuestionSettings)
    paths = [Path(path) for path in options.questions]
    write_table(output, read_questions(paths), QUESTION_SCHEMA)


@app.command()
def part(settings: Settings, questions: Questions, output: Output) -> None:
    """Take the questions of a part out of those of a dataset; each keeps its id."""
    from ncsbench.artifacts.storage import read_table, write_table
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.questions.question_schema import QUESTION_SCHEMA
    from ncsbench.questions.questions_file import choose_part
    from ncsbench.questions.selection_options import QuestionPart

    asked = read_table(questions, QUESTION_SCHEMA)
    chosen = choose_part(asked, read_settings(settings, QuestionPart))
    write_table(output, chosen, QUESTION_SCHEMA)
