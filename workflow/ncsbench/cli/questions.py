"""Commands that choose evaluation questions."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Corpus, Settings

app = typer.Typer(help="Evaluation questions, chosen from posts.")


@app.command()
def candidates(
    settings: Settings,
    questions: Annotated[Path, typer.Option(help="Questions of a dump as Parquet.")],
    answers: Annotated[Path, typer.Option(help="Answers of a dump as Parquet.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
    links: Annotated[Path | None, typer.Option(help="Counted links as Parquet.")] = None,
) -> None:
    """Choose popular questions with a title and an upvoted answer that can be searched for."""
    from ncsbench.artifacts.storage import write_table
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.questions.attribution import ATTRIBUTION_SCHEMA
    from ncsbench.questions.candidates import choose_candidates
    from ncsbench.questions.question_schema import QUESTION_SCHEMA
    from ncsbench.questions.selection_funnel import write_funnel
    from ncsbench.questions.selection_options import CandidateSettings

    options = read_settings(settings, CandidateSettings)
    chosen = choose_candidates(questions, answers, options, links)
    write_table(output / "questions.parquet", chosen.questions, QUESTION_SCHEMA)
    write_table(output / "attribution.parquet", chosen.attribution, ATTRIBUTION_SCHEMA)
    write_funnel(output / "funnel.json", chosen.steps)


@app.command()
def select(
    settings: Settings,
    candidates: Annotated[Path, typer.Option(help="Folder of the candidates.")],
    matches: Annotated[Path, typer.Option(help="Best matches of the candidates in the corpus.")],
    corpus: Corpus,
    published: Annotated[Path, typer.Option(help="Printed counts of the paper's selection.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")],
) -> None:
    """Keep what the corpus matches: questions, authors, licences, funnel."""
    from ncsbench.artifacts.storage import read_table
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
    from ncsbench.published.score_sheet_table import read_published
    from ncsbench.questions.question_schema import QUESTION_SCHEMA
    from ncsbench.questions.selected_files import write_selection
    from ncsbench.questions.selection import select_questions
    from ncsbench.questions.selection_options import SelectSettings

    options = read_settings(settings, SelectSettings)
    selected = select_questions(
        candidates=read_table(candidates / "questions.parquet", QUESTION_SCHEMA),
        matches=read_table(matches, MATCH_SCHEMA),
        judge=options.judge,
    )
    write_selection(
        output,
        selected,
        candidates=candidates,
        corpus=CorpusFolder(corpus),
        printed={figure.row: figure.value for figure in read_published(published)},
    )
