"""Options of what is learnt of pairs: query expansions, translations, UNIF.

They are the blocks ``expansion``, ``translation`` and ``training`` of a model file.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import Distinct, Share, StrictModel
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.pairs.training_pairs.pair_options import HeldOutOptions, PairSetName


class ExpansionOptions(StrictModel):
    """How titles and snippets become a table (docs/models.md)."""

    written: ClassVar[tuple[str, ...]] = (
        *("kept_share", "creations", "declarations"),
        "minimum_titles",
    )
    pairs: str = Field(pattern="^[A-Za-z0-9_-]+$")
    """The set of training pairs in config/pairs that it is made from."""
    words: Literal["split", "whole"] = "split"
    """What the code words are: the words that called names are split into, or the names as they are
    (DEV-86)."""
    kept_share: float = Field(0.5, gt=0, le=1)
    """Share of a snippet's distinct code words, by TF-IDF, that is kept, rounded up (DEV-57)."""
    creations: bool = True
    """Whether ``X`` of ``new X(`` is a name (DEV-56)."""
    declarations: bool = True
    """Whether the name of a declared method is one (DEV-56)."""
    minimum_titles: int = Field(1, ge=1)
    """A lemma of fewer distinct titles has no row (DEV-58)."""


class ExpansionSettings(ExpansionOptions):
    """Settings of the stage ``training expansion``."""

    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that have no row."""


class TranslationOptions(StrictModel):
    """How words of queries are paired with words of code (docs/ranker.md)."""

    pairs: Annotated[tuple[PairSetName, ...], Distinct] = Field(min_length=1)
    """The sets of training pairs in config/pairs that it learns from."""
    iterations: int = Field(5, ge=1)
    """Iterations of expectation and maximisation, in each direction."""
    minimum_count: int = Field(3, ge=1)
    """A word that fewer pairs have on its side counts for nothing."""
    kept: int = Field(20, ge=1)
    """So many code words are kept for a word of queries in each direction."""
    minimum: Share = 0.001
    """Least probability of what is kept."""
    maximum_code_words: int = Field(100, ge=1)
    """Distinct words of a pair's code that count, the first."""
    memory: Annotated[tuple[PairSetName, ...], Distinct] | None = Field(None, min_length=1)
    """Those of the sets whose pairs are remembered, for models of kind `translation_memory`."""

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
    """How to learn."""
    words: WordOptions
    """How words were extracted from the corpus to be searched."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, of queries that count for nothing."""


class TrainingOptions(HeldOutOptions):
    """What the UNIF paper leaves open (DEV-63 to DEV-65, docs/unif.md)."""

    written: ClassVar[tuple[str, ...]] = ("share",)
    code_words: Literal["as_indexed", "code_only"] = "as_indexed"
    """Whether the name of a method's class and the comments before it are among the words of its
    code, as in the index (DEV-90)."""
    docstring: Literal["taken_out", "left_in"] = "taken_out"
    """Whether the docstring that a query is taken from is among these comments (DEV-90)."""
    query_vocabulary: Literal["own", "shared"] = "own"
    """Whether queries have the words of the training queries beside those of the corpus, or only
    those of the corpus (DEV-91)."""
    loss: Literal["hinge", "softmax"] = "hinge"
    """``hinge``, or ``softmax`` over the other code of the batch."""
    margin: float = Field(0.05, ge=0)
    """Margin of the hinge loss."""
    negatives: int = Field(1, ge=1)
    """Wrong queries drawn for every pair and epoch; of the hinge."""
    hard_negatives: int = Field(0, ge=0)
    """Other code for every pair that BM25 finds by its query and that is told from the right code
    beside that of the batch; of the softmax."""
    scale: float = Field(20.0, gt=0)
    """Cosines are multiplied by it before the softmax (1 / temperature)."""
    directions: Literal["one", "both"] = "both"
    """Whether the softmax ranks code for a query, or queries for code as well."""
    sampling: Literal["all", "square_root"] = "all"
    """Whether an epoch takes every pair once, or pairs of each set in proportion to the square root
    of its size: those of the largest set once, those of smaller sets more often."""
    batch_size: int = Field(32, ge=2)
    """Pairs of one step."""
    learning_rate: float = Field(0.001, gt=0)
    """Learning rate of Adam."""
    epochs: int = Field(20, ge=1)
    """Passes over the pairs at most."""
    patience: int = Field(5, ge=0)
    """Epochs without a better held-out MRR before training ends; 0 for never.

    Before one is better than the first values, those without a lower held-out loss.
    """
    share: float = Field(1.0, gt=0, le=1)
    """First share of the distinct training queries in a seeded order, with all their pairs; smaller
    shares lie in larger."""
    maximum_query_words: int = Field(0, ge=0)
    """Longer queries are cut for training; 0 for never."""
    maximum_code_words: int = Field(0, ge=0)
    """Longer code is cut for training; 0 for never."""
    threads: int = Field(1, ge=1)
    """Only one thread gives the same bytes on any number of cores."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """``auto`` takes a GPU where there is one."""

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
        """All values, as weights name them; of options that are newer than 0.7.0 those given."""
        newer = {"hard_negatives", "sampling"} - self.model_fields_set
        return self.model_dump(mode="json", exclude=newer)


class WeightsSettings(StrictModel):
    """Settings of the stage ``training weights``."""

    training: TrainingOptions
    """How to train."""
    words: WordOptions
    """How words were extracted from the corpus to be searched."""
    seed: int
    """Decides the order of the pairs, wrong queries and the first attention vector."""
