"""Options of the translation model; the block ``translation`` of a model file."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from ncsbench.configuration.strict_model import Distinct, Share, StrictModel
from ncsbench.corpus.corpus_settings import WordOptions
from ncsbench.pairs.set_names import PairSetName


class TranslationOptions(StrictModel):
    """How words of queries are paired with words of code (docs/ranker-parts.md)."""

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
