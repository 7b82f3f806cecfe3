"""The pairs of the judge study with their judgements: examples, random pairs, baselines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from ncsbench.artifacts.storage import read_table, write_table
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.judge.answers import read_answers
from ncsbench.judge.judge_index import JudgeIndex
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.judge.scores import score_pairs
from ncsbench.judge_study.study_pairs import STUDY_PAIR_SCHEMA, draw_study_pairs, find_examples
from ncsbench.judge_study.study_settings import StudyPairSettings
from ncsbench.questions.question_schema import QUESTION_SCHEMA


def write_judged_pairs(
    settings: StudyPairSettings,
    questions: Path,
    corpus: CorpusFolder,
    index: JudgeIndex,
    output: Path,
) -> None:
    """Choose and judge the published examples, random pairs and the study's own baselines.

    Args:
        settings: how many pairs are drawn.
        questions: questions as Parquet.
        corpus: folder of a built corpus.
        index: folder of the judge's index of the corpus.
        output: folder to write, with ``pairs.parquet`` and ``judgements.parquet``.
    """
    asked = read_table(
        questions, QUESTION_SCHEMA, ["query_id", "answer", "examples_url"]
    ).to_pylist()
    answers = read_answers({question["query_id"]: question["answer"] for question in asked})
    sizes = {question["query_id"]: 0 for question in asked}
    sizes |= {row: answers[number].size for number, row in enumerate(answers.query_ids.tolist())}
    examples = find_examples(
        {question["query_id"]: question["examples_url"] for question in asked},
        corpus.iterate_places(),
    )
    drawn = draw_study_pairs(
        answer_sizes=sizes,
        lines=corpus.read_lines(),
        sizes=np.concatenate([block.sizes for block in index.blocks()]),
        **settings.model_dump(),
    )
    chosen = pa.concat_tables([examples, drawn])
    judged = score_pairs(
        answers=answers,
        index=index,
        query_ids=chosen["query_id"].to_numpy(),
        ids=chosen["id"].to_numpy(),
    )
    for name, table, schema in (
        ("pairs", chosen, STUDY_PAIR_SCHEMA),
        ("judgements", judged, JUDGEMENT_SCHEMA),
    ):
        path = output / f"{name}.parquet"
        write_table(path, table, schema, corpus_hash=index.corpus_hash)
