"""Judges retrieved methods: from questions, runs and a corpus on disk to their judgements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.storage import read_corpus_hash, read_table, write_table
from ncsbench.base.runs.rankings import Run
from ncsbench.base.runs.trec_files import read_run
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.judge.answers import AnswerFeatures, read_answers, write_answers
from ncsbench.evaluation.judge.best_matches import find_matches, merge_matches
from ncsbench.evaluation.judge.compiled_code import compile_once
from ncsbench.evaluation.judge.judge_index import JudgeIndex, build_shard
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA, MATCH_SCHEMA
from ncsbench.evaluation.judge.scores import score_pairs
from ncsbench.evaluation.statistics.evaluation_options import MatchSettings
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA


def list_answers(questions: Path, output: Path) -> None:
    """List how each answer was read as Java, or that it was not.

    Args:
        questions: questions as Parquet.
        output: CSV file to write.
    """
    compile_once()
    columns = ["query_id", "stackoverflow_id", "answer"]
    write_answers(read_table(questions, QUESTION_SCHEMA, columns), output)


def index_corpus(corpus: CorpusFolder, output: Path, shard: int | None = None) -> None:
    """Index the features of a corpus, which the judge and the structural search read.

    Args:
        corpus: folder of a built corpus.
        output: folder of the whole index; the folder of each shard in it is replaced.
        shard: number of the only shard to index; None for all.
    """
    compile_once()
    manifest = corpus.manifest()
    shards = manifest["shards"]
    for number in range(len(shards)) if shard is None else [shard]:
        tables = corpus.iterate_shard(number, ["code"])
        build_shard(
            (code for table in tables for code in table["code"].to_pylist()),
            shard=number,
            shards=len(shards),
            first_id=shards[number]["first_id"],
            corpus_hash=manifest["corpus_hash"],
            output=output,
        )


def judge_run(run: Path, questions: Path, index: JudgeIndex, output: Path) -> None:
    """Score every pair of a run under every similarity.

    Args:
        run: TREC run file.
        questions: questions as Parquet.
        index: folder of the judge's index of the corpus.
        output: table of judgements to write.
    """
    judged = score_run(read_run(run), questions, index)
    write_table(output, judged, JUDGEMENT_SCHEMA, corpus_hash=index.corpus_hash)


def score_run(ranked: Run, questions: Path, index: JudgeIndex) -> pa.Table:
    """Score the pairs of rankings: a table of ``JUDGEMENT_SCHEMA``.

    Args:
        ranked: rankings of methods of a corpus.
        questions: table of ``QUESTION_SCHEMA``.
        index: the judge's index of this corpus.
    """
    compile_once()
    answers = read_question_answers(questions)
    return score_pairs(answers=answers, index=index, query_ids=ranked.query_ids, ids=ranked.ids)


def match_answers(
    settings: MatchSettings, questions: Path, index: Path, output: Path, shard: int | None = None
) -> None:
    """Find the methods that resemble each answer most, above the thresholds of the judge.

    Args:
        settings: similarities with their thresholds, and how many methods are wanted.
        questions: questions as Parquet.
        index: folder of the judge's index of the corpus.
        output: table of matches to write.
        shard: number of the only shard to search; None for all.
    """
    compile_once()
    opened = JudgeIndex(index, shard)
    found = find_matches(
        answers=read_question_answers(questions),
        index=opened,
        limits=settings.limits,
        count=settings.count,
    )
    write_table(output, found, MATCH_SCHEMA, corpus_hash=opened.corpus_hash)


def join_matches(settings: MatchSettings, parts: Sequence[Path], output: Path) -> None:
    """Join the matches of all shards.

    Args:
        settings: settings with the number of methods that are wanted.
        parts: tables of matches, one for each shard.
        output: table of matches to write.
    """
    merged = merge_matches([read_table(part, MATCH_SCHEMA) for part in parts], settings.count)
    write_table(output, merged, MATCH_SCHEMA, corpus_hash=read_corpus_hash(parts[0]))


def read_question_answers(questions: Path) -> AnswerFeatures:
    """Features of the answers of a table of ``QUESTION_SCHEMA``."""
    table = read_table(questions, QUESTION_SCHEMA, ["query_id", "answer"])
    rows = (table[name].to_pylist() for name in table.column_names)
    return read_answers(dict(zip(*rows, strict=True)))
