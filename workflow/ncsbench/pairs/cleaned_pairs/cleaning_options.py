"""Blocks of the file of a cleaning experiment, which tables know, too, without reading YAML."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import Distinct, StrictModel
from ncsbench.pairs.comment_filter.filter_options import CutOptions

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


_OF_KIND = {
    "raw": {"steps_of"},
    "filtered": {"rules", "cut", "steps_of"},
    "controlled": {"size_of", "of", "draws", "steps_of"},
}
Seed = Annotated[int, Field(ge=0)]


class RawSource(StrictModel):
    """Where raw pairs come from."""

    corpus: str = Field(min_length=1)
    """The run of CodeSearchNet whose corpus of Java they are of, by name."""
    maximum_pairs: int | None = Field(None, ge=1)
    """Pairs at most, drawn by the seed; without it all."""


class SetOptions(StrictModel):
    """A training set."""

    kind: Literal["raw", "filtered", "controlled"]
    """``raw``: all raw pairs of the source; ``filtered``: those that rules and cut keep;
    ``controlled``: as many as another set has, drawn at random."""
    source: str = ""
    """Whose raw pairs; without it those of the first source."""
    rules: Literal["applied", "none"] = "applied"
    """Of ``filtered``: whether the rules of the file are applied, or the cut alone."""
    cut: CutOptions | None = None
    """Of ``filtered``: which losses under the model are kept; without it the rules alone count."""
    size_of: str = ""
    """Of ``controlled``: the set that has as many pairs."""
    of: str = ""
    """Of ``controlled``: the set that is drawn from; without it the raw pairs of the source."""
    draws: int = Field(1, ge=1, le=99)
    """Of ``controlled``: so many sets, each drawn anew. With more than one their names have their
    numbers behind: ``controlled_1``."""
    steps_of: str = ""
    """The set whose number of training steps models take, in place of the same epochs."""

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        for key in sorted(self.model_fields_set - {"kind", "source"} - _OF_KIND[self.kind]):
            if getattr(self, key) != type(self).model_fields[key].default:
                raise ValueError(f"a set of kind '{self.kind}' takes no '{key}'")
        if self.kind == "controlled" and not self.size_of:
            raise ValueError("a set of kind 'controlled' needs 'size_of'")
        if self.kind == "filtered" and self.rules == "none" and self.cut is None:
            raise ValueError("'rules: none' needs 'cut'; without either take 'kind: raw'")
        return self


class GridPart(StrictModel):
    """Some sets with some models and seeds."""

    sets: Annotated[tuple[str, ...], Distinct, Field(min_length=1)]
    """Names of sets; one that is drawn several times stands for all its draws."""
    models: Annotated[tuple[str, ...], Distinct] = ()
    """Names of models; without it all."""
    seeds: Annotated[tuple[Seed, ...], Distinct] = ()
    """Some of the seeds of the file; without it all."""


class PrimaryHypothesis(StrictModel):
    """The comparison that was fixed before the run; others are corrected for their number."""

    model: str
    """Name of the model."""
    benchmark: str
    """Name of the benchmark."""
    better: str
    """The set that is expected to be better."""
    than: str
    """The other one."""
    measure: Literal["mrr_10", "mrr", "answered_1", "answered_5", "answered_10"] = "mrr_10"
    """By which they are compared."""


def name_cell(training_set: str, model: str, seed: int) -> str:
    """The name of a cell's files."""
    return f"{training_set}-{model}-seed{seed}"


FOLDER = "config/cleaning"
