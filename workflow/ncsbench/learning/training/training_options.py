"""Options of learning from pairs: query expansions, translations, UNIF.

They are the blocks ``expansion``, ``translation`` and ``training`` of a model file.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import Distinct, Share, StrictModel
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.pairs.training_pairs.pair_options import HeldOutOptions, PairSetName


class ExpansionOptions(StrictModel):
    """Options of the table that is made from titles and snippets (docs/models.md)."""

    written: ClassVar[tuple[str, ...]] = (
        *("kept_share", "creations", "declarations"),
        "minimum_titles",
    )
    pairs: str = Field(pattern="^[A-Za-z0-9_-]+$")
    """The set of training pairs in config/pairs that the table is made from."""
    words: Literal["split", "whole"] = "split"
    """Code words: the words into which called names are split (``split``), or these names as they
    are (``whole``; DEV-86)."""
    kept_share: float = Field(0.5, gt=0, le=1)
    """Share of a snippet's distinct code words, by TF-IDF, that is kept, rounded up (DEV-57)."""
    creations: bool = True
    """True where ``X`` of ``new X(`` counts as a called name (DEV-56)."""
    declarations: bool = True
    """True where the name of a declared method counts as a called name (DEV-56)."""
    minimum_titles: int = Field(1, ge=1)
    """Smallest number of distinct titles of a lemma that has a row in the table (DEV-58)."""


class ExpansionSettings(ExpansionOptions):
    """Settings of the stage ``training expansion``."""

    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that have no row in the table."""


class TranslationOptions(StrictModel):
    """Options of the table that translates words of queries into words of code (docs/ranker.md)."""

    pairs: Annotated[tuple[PairSetName, ...], Distinct] = Field(min_length=1)
    """The sets of training pairs in config/pairs that the table is learnt from."""
    iterations: int = Field(5, ge=1)
    """Iterations of expectation and maximisation, in each direction."""
    minimum_count: int = Field(3, ge=1)
    """Smallest number of pairs that have a word on its side (query or code); rarer words are left
    out."""
    kept: int = Field(20, ge=1)
    """Number of code words that are kept for a word of queries in each direction."""
    minimum: Share = 0.001
    """Smallest probability that is kept."""
    maximum_code_words: int = Field(100, ge=1)
    """Number of distinct words of a pair's code that count: the first ones."""
    memory: Annotated[tuple[PairSetName, ...], Distinct] | None = Field(None, min_length=1)
    """The sets among `pairs` whose pairs are remembered, for models of kind
    `translation_memory`."""

    @model_validator(mode="after")
    def _check_memory(self) -> Self:
        for name in self.memory or ():
            if name not in self.pairs:
                raise ValueError(
                    f"'memory' names {name!r}, which is not among 'pairs'; add it to these or "
                    "name others in 'memory', also where 'like' brought them"
                )
        return self


class TranslationSettings(StrictModel):
    """Settings of the stage ``training translation``."""

    translation: TranslationOptions
    """Options of learning."""
    words: WordOptions
    """Options with which words were extracted from the corpus to be searched."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that are left out of queries."""


class TrainingOptions(HeldOutOptions):
    """Choices that the UNIF paper leaves open (DEV-63 to DEV-65, docs/unif.md)."""

    written: ClassVar[tuple[str, ...]] = ("share",)
    code_words: Literal["as_indexed", "code_only"] = "as_indexed"
    """Words of a method's code: with the name of its class and the comments before it, as in the
    index (``as_indexed``), or without them (DEV-90)."""
    docstring: Literal["taken_out", "left_in"] = "taken_out"
    """Treatment of the docstring from which the query of a pair is taken: it is taken out of the
    comments before the method, or left in (DEV-90)."""
    query_vocabulary: Literal["own", "shared"] = "own"
    """Vocabulary of queries: the words of the corpus and of the training queries (``own``), or only
    the words of the corpus (``shared``; DEV-91)."""
    loss: Literal["hinge", "softmax"] = "hinge"
    """Loss: ``hinge``, or ``softmax`` over all code of the batch."""
    margin: float = Field(0.05, ge=0)
    """Margin of the hinge loss."""
    negatives: int = Field(1, ge=1)
    """Number of wrong queries drawn for every pair and epoch; for the hinge loss."""
    hard_negatives: int = Field(0, ge=0)
    """Number of hard negatives of every pair: wrong code that BM25 ranks high for its query, added
    to the code of the batch; for the softmax loss."""
    scale: float = Field(20.0, gt=0)
    """Factor of the cosines before the softmax (1 / temperature)."""
    directions: Literal["one", "both"] = "both"
    """Directions of the softmax: it ranks code for a query (``one``), and also queries for code
    (``both``)."""
    sampling: Literal["all", "square_root"] = "all"
    """Pairs of an epoch: every pair once, or a number of pairs of each set in proportion to the
    square root of its size: pairs of the largest set once, pairs of smaller sets more often."""
    batch_size: int = Field(32, ge=2)
    """Number of pairs of one step."""
    learning_rate: float = Field(0.001, gt=0)
    """Learning rate of Adam."""
    epochs: int = Field(20, ge=1)
    """Largest number of passes over the pairs."""
    patience: int = Field(5, ge=0)
    """Number of epochs without a better held-out MRR after which training ends; 0 for never.

    As long as no epoch is better than the first values, epochs without a lower held-out loss count.
    """
    share: float = Field(1.0, gt=0, le=1)
    """Share of the distinct training queries that is used, with all their pairs: the first ones in
    a seeded order, so that a smaller share is part of a larger one."""
    maximum_query_words: int = Field(0, ge=0)
    """Number of words after which queries are cut for training; 0 for never."""
    maximum_code_words: int = Field(0, ge=0)
    """Number of words after which code is cut for training; 0 for never."""
    threads: int = Field(1, ge=1)
    """Number of threads; only one thread gives the same bytes on any number of cores."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device of the training; ``auto`` takes a GPU where there is one."""

    @model_validator(mode="after")
    def _check_docstring(self) -> Self:
        if self.docstring == "left_in" and self.code_words == "code_only":
            raise ValueError(
                "'docstring: left_in' counts for nothing beside 'code_words: code_only', which "
                "leaves out all comments before a method; remove one of them"
            )
        return self

    @model_validator(mode="after")
    def _check_hard_negatives(self) -> Self:
        if self.hard_negatives and self.loss != "softmax":
            raise ValueError(
                "'hard_negatives' are of the softmax; add 'loss: softmax', or for the hinge write "
                "'negatives'"
            )
        return self

    def as_record(self) -> dict[str, Any]:
        """Return the values as weights record them; options newer than 0.7.0 only if given."""
        newer = {"hard_negatives", "sampling"} - self.model_fields_set
        return self.model_dump(mode="json", exclude=newer)


class WeightsSettings(StrictModel):
    """Settings of the stage ``training weights``."""

    training: TrainingOptions
    """Options of the training."""
    words: WordOptions
    """Options with which words were extracted from the corpus to be searched."""
    seed: int
    """Seed of the order of the pairs, the wrong queries and the first attention vector."""
