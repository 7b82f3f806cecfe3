"""Commands that judge methods against answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncsbench.cli.judge_check import check
from ncsbench.cli.options import Corpus, Output, Questions, Settings

if TYPE_CHECKING:
    from ncsbench.judge.answer_features import AnswerFeatures

app = typer.Typer(help="Is a method similar to an answer?")
app.command()(check)

Index = Annotated[Path, typer.Option(help="Folder of the judge's index of the corpus.")]


@app.command()
def answers(questions: Questions, output: Output) -> None:
    """List how each answer was read as Java, or that it was not."""
    from ncsbench.artifacts.storage import read_table
    from ncsbench.judge.answer_list import write_answers
    from ncsbench.judge.compiled_code import compile_once
    from ncsbench.questions.question_schema import QUESTION_SCHEMA

    compile_once()
    columns = ["query_id", "stackoverflow_id", "answer"]
    write_answers(read_table(questions, QUESTION_SCHEMA, columns), output)


@app.command()
def index(
    corpus: Corpus,
    output: Output,
    shard: Annotated[int | None, typer.Option(help="Only this shard; else all.", min=0)] = None,
) -> None:
    """Index the features of a corpus: what the judge and the structural search read."""
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge.compiled_code import compile_once
    from ncsbench.judge.index_shards import build_shards

    compile_once()
    build_shards(CorpusFolder(corpus), shard, output)


@app.command()
def score(
    run: Annotated[Path, typer.Option(help="TREC run file.")],
    questions: Questions,
    index: Index,
    output: Output,
) -> None:
    """Score every pair of a run under every similarity."""
    from ncsbench.artifacts.storage import write_table
    from ncsbench.judge.compiled_code import compile_once
    from ncsbench.judge.judge_index import JudgeIndex
    from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
    from ncsbench.judge.scores import score_pairs
    from ncsbench.runs.trec_files import read_run

    compile_once()
    ranked = read_run(run)
    opened = JudgeIndex(index)
    judged = score_pairs(
        answers=_read_answers(questions),
        index=opened,
        query_ids=ranked.query_ids,
        ids=ranked.ids,
    )
    write_table(output, judged, JUDGEMENT_SCHEMA, corpus_hash=opened.corpus_hash)


@app.command()
def repositories(
    settings: Settings,
    run: Annotated[Path, typer.Option(help="TREC run file, deep.")],
    questions: Questions,
    corpus: Corpus,
    index: Index,
    output: Output,
) -> None:
    """Intervals over repositories of a model's figures in Table 1."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.evaluation.judged_rankings import read_study_questions
    from ncsbench.judge.compiled_code import compile_once
    from ncsbench.judge.judge_index import JudgeIndex
    from ncsbench.tables.repository_interval_table import write_repository_intervals
    from ncsbench.tables.repository_settings import RepositorySettings

    compile_once()
    write_repository_intervals(
        read_settings(settings, RepositorySettings),
        run=run,
        answers=_read_answers(questions),
        query_ids=read_study_questions(questions).query_ids,
        index=JudgeIndex(index),
        corpus=CorpusFolder(corpus),
        output=output,
    )


@app.command()
def match(
    settings: Settings,
    questions: Questions,
    index: Index,
    output: Output,
    shard: Annotated[int | None, typer.Option(help="Only this shard; else all.", min=0)] = None,
) -> None:
    """Find the methods that resemble each answer most, above the thresholds of the judge."""
    from ncsbench.artifacts.storage import write_table
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.judge.best_matches import find_matches
    from ncsbench.judge.compiled_code import compile_once
    from ncsbench.judge.judge_index import JudgeIndex
    from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
    from ncsbench.judge.match_settings import MatchSettings

    options = read_settings(settings, MatchSettings)
    compile_once()
    opened = JudgeIndex(index, shard)
    found = find_matches(
        answers=_read_answers(questions),
        index=opened,
        limits=options.limits,
        count=options.count,
    )
    write_table(output, found, MATCH_SCHEMA, corpus_hash=opened.corpus_hash)


@app.command()
def merge(
    settings: Settings,
    parts: Annotated[list[Path], typer.Argument(help="Matches of all shards.")],
    output: Output,
) -> None:
    """Join the matches of all shards."""
    from ncsbench.artifacts.storage import read_corpus_hash, read_table, write_table
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.judge.best_matches import merge_matches
    from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
    from ncsbench.judge.match_settings import MatchSettings

    tables = [read_table(part, MATCH_SCHEMA) for part in parts]
    count = read_settings(settings, MatchSettings).count
    merged = merge_matches(tables, count)
    write_table(output, merged, MATCH_SCHEMA, corpus_hash=read_corpus_hash(parts[0]))


def _read_answers(questions: Path) -> "AnswerFeatures":
    from ncsbench.artifacts.storage import read_table
    from ncsbench.judge.answer_features import read_answers
    from ncsbench.questions.question_schema import QUESTION_SCHEMA

    table = read_table(questions, QUESTION_SCHEMA, ["query_id", "answer"])
    rows = zip(table["query_id"].to_pylist(), table["answer"].to_pylist(), strict=True)
    return read_answers(dict(rows))
