"""Commands that judge methods against answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Corpus, Output, Questions, Settings

app = typer.Typer(help="Is a method similar to an answer?")

Workers = Annotated[int, typer.Option(help="Processes; the result does not depend on it.", min=1)]


@app.command()
def answers(questions: Questions, output: Output) -> None:
    """List how each answer was read as Java, or that it was not."""
    from ncsbench.judge.answers import answer_records
    from ncsbench.judge.features import features_of_bodies
    from ncsbench.records import QUESTION_SCHEMA
    from ncsbench.storage import read_table
    from ncsbench.tables.csv_rows import write_rows

    columns = ["row", "stackoverflow_id", "answer"]
    rows = []
    for question in read_table(questions, QUESTION_SCHEMA, columns).to_pylist():
        read = answer_records(question["answer"])
        wrapping, records = ("none", []) if read is None else read
        features = features_of_bodies(record.body for record in records)
        rows.append(
            {
                "row": str(question["row"]),
                "stackoverflow_id": question["stackoverflow_id"],
                "wrapping": wrapping,
                "features": str(features.counts.total()),
            }
        )
    write_rows(output, ["row", "stackoverflow_id", "wrapping", "features"], rows)


@app.command()
def score(
    run: Annotated[Path, typer.Option(help="TREC run file.")],
    questions: Questions,
    corpus: Corpus,
    output: Output,
    workers: Workers = 1,
) -> None:
    """Score every pair of a run under every measure."""
    from ncsbench.evaluation.runs import read_run
    from ncsbench.judge.scoring import score_pairs
    from ncsbench.records import JUDGEMENT_SCHEMA
    from ncsbench.storage import write_table

    pairs: dict[int, list[int]] = {}
    ranked = read_run(run)
    for row, method in zip(ranked.rows.tolist(), ranked.ids.tolist(), strict=True):
        pairs.setdefault(method, []).append(row)
    judged = score_pairs(
        answers=_answers(questions), methods=_methods(corpus), pairs=pairs, workers=workers
    )
    write_table(output, judged, JUDGEMENT_SCHEMA)


@app.command()
def ceiling(
    settings: Settings, questions: Questions, corpus: Corpus, output: Output, workers: Workers = 1
) -> None:
    """Find the questions that any method of the corpus answers, under both measures."""
    from ncsbench.judge.scoring import accepted_by_any
    from ncsbench.storage import read_json, write_json

    options = read_json(settings)
    default = (options["measure"], options["threshold"])
    strict = (options["strict_measure"], options["strict_threshold"])
    accepted = accepted_by_any(
        answers=_answers(questions),
        methods=_methods(corpus),
        limits=[default, strict],
        workers=workers,
    )
    write_json(output, {"accepted": accepted[default], "strict_accepted": accepted[strict]})


def _answers(questions: Path) -> dict[int, str]:
    from ncsbench.records import QUESTION_SCHEMA
    from ncsbench.storage import read_table

    table = read_table(questions, QUESTION_SCHEMA, ["row", "answer"])
    return dict(zip(table["row"].to_pylist(), table["answer"].to_pylist(), strict=True))


def _methods(corpus: Path) -> Iterator[tuple[int, str]]:
    from ncsbench.corpus.layout import CorpusFolder

    for table in CorpusFolder(corpus).iterate_methods(["id", "code"]):
        yield from zip(table["id"].to_pylist(), table["code"].to_pylist(), strict=True)
