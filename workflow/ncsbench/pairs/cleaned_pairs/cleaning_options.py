"""Options of the file of a cleaning experiment; tables import them without reading YAML."""

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
    """Run of CodeSearchNet whose Java functions hold annotated functions and distractors."""
    annotations: _Path
    """The annotations, in the published form."""
    queries: _Path
    """The queries; no training pair has all words of a query, also where the functions of the
    query were not found."""


class QuestionBenchmark(StrictModel):
    """Methods that a published question names as examples of an answer."""

    kind: Literal["questions"]
    """Questions with addresses of example methods."""
    corpus: str
    """Run of CodeSearchNet whose Java functions hold the examples and the distractors."""
    questions: _Path
    """The questions, in the published form of NCSED."""


class AnswerBenchmark(StrictModel):
    """Answers of CosBench, named by ids."""

    kind: Literal["answers"]
    """Queries with ids of answers, whose code is in another file."""
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
    """A source of raw pairs."""

    corpus: str = Field(min_length=1)
    """Name of the run of CodeSearchNet whose Java corpus the pairs are from."""
    maximum_pairs: int | None = Field(None, ge=1)
    """Largest number of pairs, drawn at random by the seed; without it all pairs."""


class SetOptions(StrictModel):
    """A training set."""

    kind: Literal["raw", "filtered", "controlled"]
    """``raw``: all raw pairs of the source; ``filtered``: the pairs that rules and cut keep;
    ``controlled``: as many pairs as another set has, drawn at random."""
    source: str = ""
    """The source of the raw pairs; without it the first source."""
    rules: Literal["applied", "none"] = "applied"
    """For ``filtered``: ``applied`` applies the rules of the file, ``none`` the cut alone."""
    cut: CutOptions | None = None
    """For ``filtered``: the cut of losses under the model; without it the rules alone decide."""
    size_of: str = ""
    """For ``controlled``: the set that has as many pairs."""
    of: str = ""
    """For ``controlled``: the set that is drawn from; without it the raw pairs of the source."""
    draws: int = Field(1, ge=1, le=99)
    """For ``controlled``: number of sets, each drawn anew. With several draws, the name of each set
    ends with the number of its draw: ``controlled_1``."""
    steps_of: str = ""
    """The set whose number of training steps models take on this set, too, instead of a number of
    epochs."""

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
    """Names of sets; a set that is drawn several times represents all its draws."""
    models: Annotated[tuple[str, ...], Distinct] = ()
    """Names of models; without names all models."""
    seeds: Annotated[tuple[Seed, ...], Distinct] = ()
    """Some of the seeds of the file; without them all seeds."""


class PrimaryHypothesis(StrictModel):
    """The comparison that was fixed before the run.

    The p of all other comparisons is corrected for their number.
    """

    model: str
    """Name of the model."""
    benchmark: str
    """Name of the benchmark."""
    better: str
    """The set that is expected to be better."""
    than: str
    """The set that the better set is compared with."""
    measure: Literal["mrr_10", "mrr", "answered_1", "answered_5", "answered_10"] = "mrr_10"
    """The measure by which sets are compared."""


def name_cell(training_set: str, model: str, seed: int) -> str:
    """Return the name of the files of a cell: a model, trained on a set with a seed."""
    return f"{training_set}-{model}-seed{seed}"


FOLDER = "config/cleaning"
