"""A run from elsewhere, judged by published evidence and set beside the rows of Table 1."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.configuration.strict_model import read_settings
from ncsbench.base.files.corpus_stamps import check_same_corpus
from ncsbench.base.files.csv_tables import Row
from ncsbench.base.files.storage import read_table
from ncsbench.base.runs.rankings import ranks_in_run
from ncsbench.base.text.safe_text import show_line
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.answers import read_answers
from ncsbench.evaluation.judge.compiled_code import compile_once
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.evaluation.judge.scores import score_pairs
from ncsbench.evaluation.measures.judged_rankings import join_judgements, read_judged_runs
from ncsbench.evaluation.measures.metrics import METRICS, measure_ranks
from ncsbench.evaluation.measures.pooled_truth import measure_rankings
from ncsbench.evaluation.measures.rank_figures import RanksByModel, build_significance
from ncsbench.evaluation.measures.results import LABELS, Judge
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.text_formats import WIDTH, TextTable, format_table
from ncsbench.pipeline.evidence.evidence_files import RECORD, EvidenceFolder
from ncsbench.pipeline.evidence.evidence_tables import (
    PublishedMethods,
    join_pairs,
    leave_out,
    read_pairs,
)
from ncsbench.pipeline.evidence.publishing import FinishedRun
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import choose_part
from ncsbench.posts.questions.selection_options import QuestionPart
from ncsbench.rankers.combined.given_rankings import read_given_run, read_rankings
from ncsbench.studies.ncsed.model_names import read_model_names, show_model
from ncsbench.studies.ncsed.table_settings import TableSettings

_TOP = 10
ENOUGH = 0.9
"""Share of results judged, above which unjudged results can hardly move a figure."""
_DIFFERENCE = ("difference", "difference_low", "difference_high", "p_holm")

PairJudge = Callable[[NDArray[np.int32], NDArray[np.int64]], pa.Table]
"""Judges pairs of query ids and method ids, shape (n,) each: a table of ``JUDGEMENT_SCHEMA``."""


@dataclass(frozen=True)
class EvaluatedRun:
    """A run beside the rows of a dataset.

    Attributes:
        name: name of the run.
        dataset: dataset whose questions the run answers.
        questions: number of questions.
        answered: number of questions for which the run has results.
        judged: share of the run's first ten results that are judged; the others count as wrong.
        judges: judges of the rows, by name.
        measures: names of further measures (``measure_names``).
        figures: values of ``METRICS`` and of these by name of the judge, then by name of the row;
            the run is the last row.
        rows: rows of ``SIGNIFICANCE_COLUMNS``: the MRR of each row against the run's, by judge.
        first_ranks: first ranks by judge, then by name of the row, as ``figures`` has them.
    """

    name: str
    dataset: str
    questions: int
    answered: int
    judged: float
    judges: Mapping[str, Judge]
    measures: Sequence[str]
    figures: Mapping[str, Mapping[str, Mapping[str, float]]]
    rows: Sequence[Row]
    first_ranks: Mapping[Judge, RanksByModel]

    def as_json(self) -> dict[str, Any]:
        """Return every figure, for machines; a difference is the run's MRR minus the row's."""
        return {
            "run": self.name,
            "dataset": self.dataset,
            "questions": self.questions,
            "answered": self.answered,
            f"judged@{_TOP}": round(self.judged, 4),
            "figures": self.figures,
            "differences_of_mrr": {
                name: {row["model"]: self._turn(row) for row in self._rows_of(judge)}
                for name, judge in self.judges.items()
            },
        }

    def format(self) -> str:
        """Write a title, the share judged, the run's MRR, and tables for each judge, best first."""
        mrr = ", ".join(f"{one} {of[self.name]['mrr']:.3f}" for one, of in self.figures.items())
        title = (
            f"{show_line(self.name)} beside the rows of {self.dataset}, {self.questions} "
            f"questions ({self.answered} with results). Judged: {100 * self.judged:.1f} % of its "
            f"first {_TOP} results; what is not judged counts as wrong"
            f"{', so that the figures of this run are lower bounds' * (self.judged < ENOUGH)}. "
            f"MRR: {mrr}."
        )
        note = (
            f"difference: MRR of {show_line(self.name)} minus that of the row, with its 95 % "
            "interval; p: paired randomisation test, corrected for the number of rows (Holm). The "
            "second table of a judge has measures as ir_measures has them; right is what the judge "
            "accepts among the results of all runs of the evidence and of this one."
        )
        both = (self._table, self._further_table)
        tables = [table(*one) for one in self.judges.items() for table in both]
        texts = [textwrap.fill(text, WIDTH) for text in (title, note)]
        return "\n\n".join([*texts, *map(format_table, tables)])

    def _table(self, name: str, judge: Judge) -> TextTable:
        tests = {row["model"]: self._turn(row) for row in self._rows_of(judge)}
        lines, names = [], read_model_names()
        for row, values in self._best_first(name):
            *answered, mrr = (values[metric] for metric in METRICS)
            beside = ("", "")
            if row in tests:
                difference, low, high, p = (tests[row][column] for column in _DIFFERENCE)
                beside = (f"{difference:+.3f} ({low:+.3f} to {high:+.3f})", f"{p:.4g}")
            shown = (show_model(row, names), *(f"{value:.0f}" for value in answered), f"{mrr:.3f}")
            lines.append((*shown, *beside))
        header = ("row", *LABELS.values(), "difference of MRR", "p")
        return TextTable(_describe(name, judge), header, "lrrrrrr", tuple(lines))

    def _further_table(self, name: str, judge: Judge) -> TextTable:
        names = read_model_names()
        lines = [
            (show_model(row, names), *(f"{values[measure]:.3f}" for measure in self.measures))
            for row, values in self._best_first(name)
        ]
        alignment = "l" + "r" * len(self.measures)
        return TextTable(_describe(name, judge), ("row", *self.measures), alignment, tuple(lines))

    def _best_first(self, name: str) -> list[tuple[str, Mapping[str, float]]]:
        return sorted(self.figures[name].items(), key=lambda one: -one[1]["mrr"])

    def _rows_of(self, judge: Judge) -> list[Row]:
        asked = (judge.similarity, repr(float(judge.threshold)))
        return [row for row in self.rows if (row["judge"], row["threshold"]) == asked]

    def _turn(self, row: Row) -> dict[str, float]:
        """Reverse a test of a row against the run, so that the difference is that of the run."""
        turned = ("difference", "difference_high", "difference_low")
        return {
            **{name: 0.0 - float(row[of]) for name, of in zip(_DIFFERENCE, turned, strict=False)},
            "p_holm": float(row["p_holm"]),
        }


def _describe(name: str, judge: Judge) -> str:
    return f"{name.capitalize()} judge: {judge.similarity} above {judge.threshold}"


def evaluate_run(
    path: Path,
    evidence: EvidenceFolder,
    *,
    corpus_hash: str | None = None,
    part: str | None = None,
    judge: PairJudge | None = None,
    measures: Sequence[str] = (),
) -> EvaluatedRun:
    """Judge a run by published evidence and compare it with every row, without cloned repositories.

    Args:
        path: a run (``rankers.combined.given_rankings.read_given_run``); its documents are method
            ids, or places of methods (``corpus.layout.document_ids``).
        evidence: evidence of a dataset.
        corpus_hash: hash of the corpus that was searched, or its first 12 digits or more; None
            where the file has the hash, or names methods by place.
        part: a part of the questions, as the dataset file names it; None for all.
        judge: a judge of pairs that the evidence does not have; None where such pairs count as
            wrong.
        measures: names of further measures (``measure_names``); without any, those of the evidence.

    Raises:
        ConfigurationError: for an unknown measure, or one that looks deeper than the tables.
        DataError: where the evidence is not here, the run does not fit the corpus, or the part does
            not exist.
    """
    if not evidence.record_path.is_file():
        there = [one.parent.name for one in sorted(Path("results").glob(f"*/{RECORD}"))]
        raise DataError(
            f"{evidence.path.parent}: has no evidence here; datasets that have: "
            f"{', '.join(there) or 'none, call this in the folder of the Snakefile'}"
        )
    record = evidence.check()
    if corpus_hash is not None and not record.corpus_hash.startswith(corpus_hash):
        raise DataError(
            f"--corpus {corpus_hash[:12]}: {record.dataset} is corpus {record.corpus_hash[:12]}"
        )
    if part is not None and part not in record.parts:
        raise DataError(f"--part {part}: is no part; choose from {', '.join(record.parts)}")
    settings = read_settings(evidence.settings, TableSettings)
    if measures:
        changed = settings.as_json() | {"measures": list(measures)}
        settings = TableSettings.parse(changed, where="--measure")
    questions = read_table(evidence.questions, QUESTION_SCHEMA)
    query_ids = questions["query_id"].to_numpy()
    asked = {int(one): 0 for one in query_ids}
    results = read_given_run(path, corpus_hash=record.corpus_hash)
    # A number means a method of one corpus alone; a place is found in the corpus or not.
    numbered = corpus_hash is None and any(one.document.isdigit() for one in results)
    methods = PublishedMethods(evidence.methods, record.corpus_hash)
    run = read_rankings(path, methods, asked, named=numbered)
    ranks = ranks_in_run(run)
    counted = ranks <= settings.depth
    ranked = run.query_ids[counted], ranks[counted], run.ids[counted]
    known = read_pairs(evidence.judgements)
    found = _as_pairs(ranked[0], ranked[2])
    missing = leave_out(found, known)
    if judge is not None and len(missing):
        known = join_pairs([known, judge(missing["query_id"].to_numpy(), missing["id"].to_numpy())])
        missing = leave_out(found, known)
    names = [model.name for model in settings.models]
    runs = settings.list_runs()
    name = f"{path.name} (yours)" if path.name in runs else path.name
    judged = join_pairs([known, missing])
    own = join_judgements(name, ranked, judged, query_ids, settings.depth, path)
    pool = read_judged_runs(
        runs,
        query_ids=query_ids,
        depth=settings.depth,
        results=evidence.path,
        judgements=known,
    )
    if part is not None:
        questions = choose_part(questions, read_settings(evidence.part(part), QuestionPart))
    among = np.isin(query_ids, questions["query_id"].to_numpy())
    first = (ranked[1] <= _TOP) & np.isin(ranked[0], query_ids[among])
    unjudged = leave_out(_as_pairs(ranked[0][first], ranked[2][first]), known)
    judges = {name: Judge(*one) for name, one in settings.named_judges().items()}
    first_ranks = {
        judge: {
            each.name: each.first_ranks(judge.similarity, judge.threshold)[among]
            for each in (*pool, own)
            if each.name in {*names, own.name}
        }
        for judge in judges.values()
    }
    measured = {
        judge: measure_rankings([*pool, own], judge, settings.measures) for judge in first_ranks
    }
    return EvaluatedRun(
        name=own.name,
        dataset=record.dataset,
        questions=int(among.sum()),
        answered=int((own.ids[among, 0] >= 0).sum()),
        judged=1 - len(unjudged) / max(int(first.sum()), 1),
        judges=judges,
        measures=settings.measures,
        figures={
            name: {
                row: {
                    **{metric: measure_ranks(ranks, metric, settings.depth) for metric in METRICS},
                    **{one: float(of[among].mean()) for one, of in measured[judge][row].items()},
                }
                for row, ranks in first_ranks[judge].items()
            }
            for name, judge in judges.items()
        },
        rows=build_significance(
            dataset=record.dataset,
            first_ranks=first_ranks,
            baseline=own.name,
            sampling=Sampling(settings.seed, settings.bootstrap_samples),
            depth=settings.depth,
            metrics=("mrr",),
        ),
        first_ranks=first_ranks,
    )


def judge_anew(finished: FinishedRun) -> PairJudge:
    """Make a judge of pairs without evidence, with the judge index of a dataset built here.

    Raises:
        DataError: where there is no such index, or the evidence is of another corpus.
    """
    if not finished.questions.is_file():
        raise DataError(
            f"{finished.data}: is not made here, so that nothing new is judged; it needs the "
            "repositories (docs/datasets.md). Leave out --judge"
        )
    index, record = JudgeIndex(finished.data / "judge_index"), finished.evidence.record_path
    published = finished.evidence.read_record().corpus_hash
    check_same_corpus(index.path, index.corpus_hash, record, published)
    compile_once()
    texts = read_table(finished.questions, QUESTION_SCHEMA)
    rows = (texts[name].to_pylist() for name in ("query_id", "answer"))
    answers = read_answers(dict(zip(*rows, strict=True)))
    return lambda query_ids, ids: score_pairs(
        answers=answers, index=index, query_ids=query_ids, ids=ids
    )


def _as_pairs(query_ids: NDArray[np.int32], ids: NDArray[np.int64]) -> pa.Table:
    """Make a table of pairs that are not judged: no judge accepts them (``JUDGEMENT_SCHEMA``)."""
    nothing = np.zeros(len(ids))
    return pa.table(
        [query_ids, ids, *(nothing for _ in SIMILARITIES)],
        schema=JUDGEMENT_SCHEMA.remove_metadata(),
    )
