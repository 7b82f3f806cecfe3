"""Commands that judge methods against answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncsbench.cli.judge_check import check
from ncsbench.cli.judge_search import search
from ncsbench.cli.options import Corpus, Output, Questions, Settings

if TYPE_CHECKING:
    from ncsbench.judge.answer_features import AnswerFeatures

app = typer.Typer(help="Is a method similar to an answer?")
app.command()(check)
app.command()(search)

Index = Annotated[Path, typer.Option(help="Folder of the judge's index of the corpus.")]


@app.command()
def answers(questions: Questions, output: Output) -> None:
    """List how each answer was read as Java, or that it was not."""
    from ncsbench.judge.answers import answer_records
    from ncsbench.judge.features import features_of_bodies
    from ncsbench.judge.trees import TreeFolder
    from ncsbench.records import QUESTION_SCHEMA
    from ncsbench.storage import read_table
    from ncsbench.tables.csv_rows import write_rows

    columns = ["row", "stackoverflow_id", "answer"]
    rows = []
    for question in read_table(questions, QUESTION_SCHEMA, columns).to_pylist():
        folder = TreeFolder()
        read = answer_records(question["answer"], folder.symbols)
        wrapping, records = ("none", []) if read is None else read
        forest, _ = folder.fold([record.codes for record in records])
        rows.append(
            {
                "row": str(question["row"]),
                "stackoverflow_id": question["stackoverflow_id"],
                "wrapping": wrapping,
                "features": str(features_of_bodies(forest).size),
            }
        )
    write_rows(output, ["row", "stackoverflow_id", "wrapping", "features"], rows)


@app.command()
def index(
    corpus: Corpus,
    output: Output,
    shard: Annotated[int | None, typer.Option(help="Only this shard; else all.", min=0)] = None,
) -> None:
    """Index the features of a corpus: what the judge and the structural search read."""
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge.index_building import build_shard

    folder = CorpusFolder(corpus)
    manifest = folder.manifest()
    shards = manifest["shards"]
    for number in range(len(shards)) if shard is None else [shard]:
        tables = folder.iterate_shard(number, ["code"])
        build_shard(
            (code for table in tables for code in table["code"].to_pylist()),
            shard=number,
            shards=len(shards),
            first_id=shards[number]["first_id"],
            corpus_hash=manifest["corpus_hash"],
            output=output,
        )


@app.command()
def score(
    run: Annotated[Path, typer.Option(help="TREC run file.")],
    questions: Questions,
    index: Index,
    output: Output,
) -> None:
    """Score every pair of a run under every measure."""
    from ncsbench.evaluation.runs import read_run
    from ncsbench.judge.index import JudgeIndex
    from ncsbench.judge.scoring import score_pairs
    from ncsbench.records import JUDGEMENT_SCHEMA
    from ncsbench.storage import write_table

    ranked = read_run(run)
    judged = score_pairs(
        answers=_read_answers(questions),
        index=JudgeIndex(index),
        rows=ranked.rows,
        ids=ranked.ids,
    )
    write_table(output, judged, JUDGEMENT_SCHEMA)


@app.command()
def match(
    settings: Settings,
    questions: Questions,
    index: Index,
    output: Output,
    shard: Annotated[int | None, typer.Option(help="Only this shard; else all.", min=0)] = None,
) -> None:
    """Find the methods that resemble each answer most, above the thresholds of the judge.

    The settings hold "limits", a list of [measure, threshold], and "count", how many methods of
    each question and measure are wanted.
    """
    from ncsbench.judge.index import JudgeIndex
    from ncsbench.judge.matching import find_matches, read_limits
    from ncsbench.records import MATCH_SCHEMA
    from ncsbench.storage import read_json, write_table

    limits, count = read_limits(read_json(settings))
    opened = JudgeIndex(index)
    found = find_matches(
        answers=_read_answers(questions),
        index=opened,
        shards=list(range(opened.shards)) if shard is None else [shard],
        limits=limits,
        count=count,
    )
    write_table(output, found, MATCH_SCHEMA)


@app.command()
def merge(
    settings: Settings,
    parts: Annotated[list[Path], typer.Argument(help="Matches of all shards.")],
    output: Output,
) -> None:
    """Join the matches of all shards."""
    from ncsbench.judge.matching import merge_matches, read_limits
    from ncsbench.records import MATCH_SCHEMA
    from ncsbench.storage import read_json, read_table, write_table

    tables = [read_table(part, MATCH_SCHEMA) for part in parts]
    _, count = read_limits(read_json(settings))
    write_table(output, merge_matches(tables, count), MATCH_SCHEMA)


def _read_answers(questions: Path) -> "AnswerFeatures":
    from ncsbench.judge.answer_features import read_answers
    from ncsbench.records import QUESTION_SCHEMA
    from ncsbench.storage import read_table

    table = read_table(questions, QUESTION_SCHEMA, ["row", "answer"])
    rows = zip(table["row"].to_pylist(), table["answer"].to_pylist(), strict=True)
    return read_answers(dict(rows))
