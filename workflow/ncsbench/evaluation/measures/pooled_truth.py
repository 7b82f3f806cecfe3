"""The truth of a judge for measures that need everything that is right: the pool of several runs.

As in TREC, the results of all runs are pooled (Spärck Jones and van Rijsbergen, Report on the need
for and provision of an "ideal" information retrieval test collection, 1975): a method is right for
a question where the judge accepts it and any run of the pool retrieved it. The pool of the tables
of a dataset is what ``qrels*.txt`` beside them holds. Every right method has the grade 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ncsbench.evaluation.measures.graded_measures import Truth, Values, measure_questions
from ncsbench.evaluation.measures.judged_rankings import JudgedRanking
from ncsbench.evaluation.measures.results import Judge

MeasuredRuns = Mapping[str, Mapping[str, Values]]
"""Values of questions by run, then by measure, each float64, shape (questions,)."""


def measure_rankings(
    rankings: Sequence[JudgedRanking], judge: Judge, measures: Sequence[str]
) -> MeasuredRuns:
    """Measure rankings by the pool of them all.

    Args:
        rankings: rankings for the same questions: the pool, at least one.
        judge: any similarity with any threshold.
        measures: names of measures (``measure_names``).
    """
    accepted = [ranking.accepted(judge.similarity, judge.threshold) for ranking in rankings]
    pairs = np.concatenate(
        [
            np.stack([np.nonzero(right)[0], ranking.ids[right]], axis=1)
            for ranking, right in zip(rankings, accepted, strict=True)
        ]
    )
    count = np.bincount(np.unique(pairs, axis=0)[:, 0], minlength=len(accepted[0]))
    ideal = (np.arange(count.max(initial=0)) < count[:, None]).astype(np.float64)
    truths = (Truth(right.astype(np.float64), ideal) for right in accepted)
    return {
        ranking.name: {name: measure_questions(name, truth) for name in measures}
        for ranking, truth in zip(rankings, truths, strict=True)
    }
