"""Options of the translation model; the block ``translation`` of a model file."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from ncsbench.configuration.strict_model import Distinct, Share, StrictModel
from ncsbench.corpus.word_options import WordOptions
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
    size_pairs: Annotated[tuple[PairSetName, ...], Distinct] | None = Field(None, min_length=1)
    """Those of the sets that the sizes of answers are learnt from; all where none are named."""
    memory: Annotated[tuple[PairSetName, ...], Distinct] | None = Field(None, min_length=1)
    """Those of the sets whose pairs are remembered, for models of kind `translation_memory`."""
    ridge: float = Field(100.0, gt=0)
    """Penalty on the squares of what the words of a query add to the size of its answer."""

    @property
    def sized(self) -> tuple[str, ...]:
        """The sets that the sizes of answers are learnt from."""
        return self.pairs if self.size_pairs is None else self.size_pairs

    @model_validator(mode="after")
    def _check_chosen_pairs(self) -> Self:
        for key in ("size_pairs", "memory"):
            for name in getattr(self, key) or ():
                if name not in self.pairs:
                    raise ValueError(
                        f"{key!r} names {name!r}, which is not among 'pairs'; add it to these or "
                        f"name others in {key!r}, also where 'like' brought them"
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
