"""Commands that choose evaluation questions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncsbench.cli.options import Corpus, Settings

if TYPE_CHECKING:
    from ncsbench.selection.curation import Candidate

app = typer.Typer(help="Evaluation questions, chosen from posts and curated by hand.")

Matches = Annotated[Path, typer.Option(help="Best matches of the candidates in the corpus.")]


@app.command()
def candidates(
    settings: Settings,
    questions: Annotated[Path, typer.Option(help="Questions of a dump as Parquet.")],
    answers: Annotated[Path, typer.Option(help="Answers of a dump as Parquet.")],
    output: Annotated[Path, typer.Option(help="Folder to write.")],
) -> None:
    """Choose popular questions with a title and an upvoted answer that can be searched for."""
    from ncsbench.records import QUESTION_SCHEMA
    from ncsbench.selection.attribution import ATTRIBUTION_SCHEMA
    from ncsbench.selection.candidates import choose_candidates
    from ncsbench.selection.funnel import write_funnel
    from ncsbench.selection.options import read_options
    from ncsbench.storage import read_json, write_table

    chosen = choose_candidates(questions, answers, read_options(read_json(settings)))
    write_table(output / "questions.parquet", chosen.questions, QUESTION_SCHEMA)
    write_table(output / "attribution.parquet", chosen.attribution, ATTRIBUTION_SCHEMA)
    write_funnel(output / "funnel.json", chosen.steps)


@app.command()
def select(
    settings: Settings,
    candidates: Annotated[Path, typer.Option(help="Folder of the candidates.")],
    matches: Matches,
    corpus: Corpus,
    published: Annotated[Path, typer.Option(help="Printed counts of the paper's selection.")],
    output: Annotated[Path, typer.Option(help="Folder to write.")],
) -> None:
    """Keep what the corpus matches and a reader kept: questions, authors, licences, funnel."""
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.records import MATCH_SCHEMA, QUESTION_SCHEMA
    from ncsbench.selection import attribution, funnel
    from ncsbench.selection.curation_file import read_decisions
    from ncsbench.selection.options import read_selection
    from ncsbench.selection.selecting import select_questions, write_questions
    from ncsbench.storage import read_json, read_table
    from ncsbench.tables.csv_rows import write_rows
    from ncsbench.tables.published import read_published

    curation, measure = read_selection(read_json(settings))
    selected = select_questions(
        candidates=read_table(candidates / "questions.parquet", QUESTION_SCHEMA),
        matches=read_table(matches, MATCH_SCHEMA),
        measure=measure,
        decisions=None if curation is None else read_decisions(curation),
    )
    ids = {id_ for question in selected.questions for id_ in question["examples"]}
    links = {
        id_: method["url"]
        for id_, method in CorpusFolder(corpus).read_methods(ids, ["url"]).items()
    }
    names = {question["row"]: question["stackoverflow_id"] for question in selected.questions}
    posts = read_table(candidates / "attribution.parquet", attribution.ATTRIBUTION_SCHEMA)
    steps = [*funnel.read_funnel(candidates / "funnel.json"), *selected.steps]
    printed = {figure.row: figure.value for figure in read_published(published)}
    write_rows(output / "funnel.csv", funnel.COLUMNS, funnel.funnel_rows(steps, printed))
    credited = attribution.attribution_rows(posts, names)
    write_rows(output / "attribution.csv", attribution.COLUMNS, credited)
    write_questions(output / "questions.json", selected.questions, links)


@app.command()
def curate(
    questions: Annotated[Path, typer.Option(help="Candidate questions as Parquet.")],
    matches: Matches,
    corpus: Corpus,
    output: Annotated[Path, typer.Option(help="Curation file to go on with, or a new one.")],
    measure: Annotated[
        str | None, typer.Option(help="Measure of the matches to show; else their first.")
    ] = None,
) -> None:
    """Show each candidate with its answer and best matches, and write what you decide."""
    from ncsbench.selection.console import open_console
    from ncsbench.selection.curation import curate, summarise
    from ncsbench.selection.curation_file import read_decisions, write_decisions

    before = read_decisions(output) if output.exists() else {}
    shown = _read_candidates(questions, matches, corpus, measure)
    console = open_console()
    made = curate(
        shown, before, console=console, save=lambda decisions: write_decisions(output, decisions)
    )
    console.write(f"{output}: {summarise(shown, made)}.")
    if others := len(made.keys() - {each.id for each in shown}):
        console.write(f"It also has {others} ids that are no candidates with a match.")


@app.command()
def agreement(
    first: Annotated[Path, typer.Argument(help="Curation file of one reader.")],
    second: Annotated[Path, typer.Argument(help="Curation file of another reader.")],
) -> None:
    """Print how far two readers agree: counts, Cohen's kappa, and the ids they disagree on."""
    from ncsbench.evaluation.agreement import compare_readers, describe_agreement
    from ncsbench.safe_text import show_line
    from ncsbench.selection.curation_file import read_decisions

    kept = [
        {id_: decision.keep for id_, decision in read_decisions(path).items()}
        for path in (first, second)
    ]
    for line in describe_agreement(compare_readers(*kept)):
        typer.echo(show_line(line))


def _read_candidates(
    questions: Path, matches: Path, corpus: Path, measure: str | None
) -> "list[Candidate]":
    """The candidates that have a match, with the code of their best matches."""
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.records import MATCH_SCHEMA, QUESTION_SCHEMA
    from ncsbench.selection.curation import Candidate, MatchShown
    from ncsbench.selection.selecting import EXAMPLES, best_matches
    from ncsbench.storage import read_table

    found = read_table(matches, MATCH_SCHEMA)
    if measure is None and len(found):
        measure = found["measure"][0].as_py()
    best = best_matches(found, measure or "", EXAMPLES)
    ids = {match["id"] for row in best.values() for match in row}
    columns = ["filepath", "start_line", "end_line", "code"]
    methods = CorpusFolder(corpus).read_methods(ids, columns)

    def show(match: dict[str, Any]) -> MatchShown:
        method = methods[match["id"]]
        place = f"{method['filepath']}:{method['start_line']}-{method['end_line']}"
        return MatchShown(match["similarity"], place, method["code"])

    return [
        Candidate(
            id=question["stackoverflow_id"],
            title=question["question"],
            link=question["question_url"],
            answer=question["answer"],
            answer_link=question["answer_url"],
            matches=tuple(show(match) for match in best[question["row"]]),
        )
        for question in read_table(questions, QUESTION_SCHEMA).to_pylist()
        if question["row"] in best
    ]
