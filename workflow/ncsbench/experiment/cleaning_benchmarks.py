"""What a benchmark of a cleaning run is made of: the block ``benchmarks`` of its file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import StrictModel

_Path = Annotated[str, Field(min_length=1)]


class AnnotationBenchmark(StrictModel):
    """Functions that annotators of CodeSearchNet call relevant to a query."""

    kind: Literal["annotations"]
    """Java annotations with a relevance above 0, each a query of its own (DEV-190)."""
    corpus: str
    """Run of CodeSearchNet whose Java functions hold the annotated ones and the distractors."""
    annotations: _Path
    """The annotations, in the published form."""
    queries: _Path
    """The queries; no training pair has all words of one, whether its functions are there or
    not."""


class QuestionBenchmark(StrictModel):
    """Methods that a published question names as examples of an answer."""

    kind: Literal["questions"]
    """Questions with addresses of example methods."""
    corpus: str
    """Run of CodeSearchNet whose Java functions hold the examples and the distractors."""
    questions: _Path
    """The questions, in the published form of NCSED."""


class AnswerBenchmark(StrictModel):
    """Answers of CosBench, by their ids."""

    kind: Literal["answers"]
    """Queries with ids of answers, whose code lies elsewhere."""
    corpus: str
    """Run of CodeSearchNet whose Java functions hold the distractors."""
    answers: _Path
    """``query2answer.json`` of CosBench; its one double comma is repaired."""
    code: _Path
    """JSON Lines with ``id`` and ``code`` of answers, plain or gzip, which the user supplies. Where
    it is missing, the benchmark is left out."""


BenchmarkOptions = Annotated[
    AnnotationBenchmark | QuestionBenchmark | AnswerBenchmark, Field(discriminator="kind")
]
KINDS: dict[str, type[StrictModel]] = {
    "annotations": AnnotationBenchmark,
    "questions": QuestionBenchmark,
    "answers": AnswerBenchmark,
}
"""Options of each kind of benchmark."""
