"""Reads the pairs of the judge study, with their judgements, by subject."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.judged_rankings import JudgedRanking, join_judgements
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.judge_study.study_pairs import STUDY_PAIR_SCHEMA


def read_study_subjects(folder: Path, query_ids: NDArray[np.int32]) -> dict[str, JudgedRanking]:
    """The pairs of the judge study by subject, each as deep as it is."""
    pairs = read_table(folder / "pairs.parquet", STUDY_PAIR_SCHEMA)
    path = folder / "judgements.parquet"
    judged = read_table(path, JUDGEMENT_SCHEMA)
    subjects = np.array(pairs["subject"].to_pylist(), np.str_)
    ranked = tuple(pairs[name].to_numpy() for name in ("query_id", "rank", "id"))
    rankings = {}
    for name in sorted(set(subjects.tolist())):
        here = subjects == name
        part = (ranked[0][here], ranked[1][here], ranked[2][here])
        rankings[name] = join_judgements(name, part, judged, query_ids, int(part[1].max()), path)
    return rankings
