"""Commands that score a model: beside published evidence, beside another row, as a row."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Dataset

evidence = typer.Typer(help="Publish runs and judgements of a dataset.")


@evidence.command()
def publish(
    dataset: Annotated[str, typer.Argument(help="Name of the dataset.")],
    anew: Annotated[
        bool, typer.Option("--anew", help="Leave out what was published before.")
    ] = False,
) -> None:
    """Copy what tables need of the finished runs of a dataset to results/<dataset>/evidence."""
    from ncsbench.evidence.publishing import FinishedRun, publish_evidence

    record = publish_evidence(dataset, anew=anew)
    files = record.files.values()
    megabytes = sum(file.size for file in files) / 1e6
    path = FinishedRun(dataset).evidence.path
    typer.echo(f"{path}: {len(record.commits)} runs, {len(files)} files, {megabytes:.1f} MB")
    if record.missing:
        typer.echo(f"missing, so that no table is made of it yet: {', '.join(record.missing)}")


def evaluate(
    run: Annotated[Path, typer.Argument(help="A run in the format of TREC, or as .parquet.")],
    dataset: Annotated[
        str, typer.Option(help="Name of a dataset whose evidence is here.")
    ] = "ncsed_383",
    corpus: Annotated[
        str | None,
        typer.Option(
            help="Hash of the corpus that was searched, corpus_hash in results/NAME/evidence.json,"
            " or its first 12 digits; needed for method ids whose file does not name it."
        ),
    ] = None,
    part: Annotated[
        str | None, typer.Option(help="A part of the questions, such as kept_back.")
    ] = None,
    judge: Annotated[
        bool,
        typer.Option("--judge", help="Judge new pairs by data/NAME, made from the repositories."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Set a run of your own beside the rows of Table 1.

    Published evidence is enough for it.
    """
    import json

    from ncsbench.evidence.evaluated_run import evaluate_run, judge_anew
    from ncsbench.evidence.publishing import FinishedRun

    finished = FinishedRun(dataset)
    found = evaluate_run(
        run,
        finished.evidence,
        corpus_hash=corpus,
        part=part,
        judge=judge_anew(finished) if judge else None,
    )
    typer.echo(json.dumps(found.as_json(), indent=2) if as_json else found.format())


def compare(
    model: Annotated[str, typer.Argument(help="A row of Table 1.")],
    baseline: Annotated[str, typer.Argument(help="The row that it is compared with.")],
    dataset: Dataset = None,
    trial: Annotated[
        str | None, typer.Option(help="The trial whose table has the rows, or one of them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say how far two rows of Table 1 are apart.

    Prints difference, interval, p, wins, ties and losses.
    """
    import json

    from ncsbench.experiment.compared_rows import compare_named_rows

    found = compare_named_rows(model, baseline, dataset=dataset, trial=trial)
    typer.echo(json.dumps(found.as_json(), indent=2) if as_json else found.format())


runs = typer.Typer(help="Add runs made elsewhere as rows of Table 1.")


@runs.command()
def add(
    run: Annotated[Path, typer.Argument(help="A run in the format of TREC, or .parquet.")],
    name: Annotated[str, typer.Option(help="Name of the row.")],
    corpus: Annotated[
        str | None,
        typer.Option(
            help="Hash of the corpus that was searched, or its first 12 digits: corpus_hash in"
            " corpus.json of an export or of results/NAME. Not needed where the tag of every"
            " line ends in it, as in NAME@f0c9c0636b0f."
        ),
    ] = None,
    dataset: Dataset = None,
    trained_on: Annotated[
        str | None, typer.Option(help="What the model learnt from, as the table shall say it.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace that of this name.")] = False,
) -> None:
    """Check a run against a built dataset and make it a model, config/models/NAME.yaml."""
    from ncsbench.experiment.added_runs import add_run
    from ncsbench.text.safe_text import show_line

    added = add_run(
        run,
        name=name,
        corpus_hash=None if corpus is None else corpus.strip().lower(),
        dataset=dataset,
        trained_on=trained_on,
        replace=replace,
    )
    for warning in added.warnings:
        typer.echo(f"ncsbench: warning: {show_line(warning)}", err=True)
    typer.echo(added.told)
    typer.echo(
        f"its table: snakemake --cores all trial --config dataset={dataset or added.dataset} "
        f"trial={name} 'models=[bm25,{name}]'"
    )


training = typer.Typer(help="Look at what was learnt.")


@training.command()
def expand(
    query: Annotated[str, typer.Argument(help="A query in words.")],
    expansion: Annotated[Path, typer.Option(help="Table of expansions as Parquet.")],
    minimum_value: Annotated[float, typer.Option(help="Least value that is added.")] = 0.05,
    stop_words: Annotated[Path | None, typer.Option(help="File with one stop word a line.")] = None,
) -> None:
    """Show which code word each word of a query brings: word, code word, value, added or not."""
    from ncsbench.artifacts.storage import read_table
    from ncsbench.experiment.model_files import read_stop_words
    from ncsbench.training.query_expansion import EXPANSION_SCHEMA, Expansion

    table = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    known = frozenset(read_stop_words(stop_words) if stop_words else ())
    for line in table.describe_additions(query, minimum_value=minimum_value, stop_words=known):
        typer.echo(line)
