"""Options of word vectors; the block ``embedding`` of a model file."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import StrictModel

_ZEROED_BYTES = 40 << 20  # More than glibc ever serves from used memory (32 MiB).


class EmbeddingOptions(StrictModel):
    """Options of the word vectors; the defaults are fastText's for unsupervised training."""

    written: ClassVar[tuple[str, ...]] = ("dimension",)
    dimension: int = Field(100, ge=1)
    """Length of a vector."""
    window: int = Field(5, ge=1)
    """Largest distance of a context word."""
    min_count: int = Field(5, ge=1)
    """Words that occur less often are out of vocabulary."""
    epochs: int = Field(5, ge=1)
    """Passes over the text."""
    minimum_words: int = Field(0, ge=0)
    """A shorter text is read more often, until so many words were read, but at most 100 times
    (DEV-10)."""
    maximum_words: int = Field(0, ge=0)
    """Of a longer text a sample of about so many words is read: the first of the random order. The
    vocabulary is that of the whole; 0 for all of the text (DEV-13)."""
    min_n: int = Field(3, ge=0)
    """Shortest character n-gram."""
    max_n: int = Field(6, ge=0)
    """Longest character n-gram; 0 for words only."""
    negatives: int = Field(5, ge=1)
    """Words drawn against each context word."""
    learning_rate: float = Field(0.05, gt=0)
    """Learning rate to begin with."""
    bucket: int = 2_000_000
    """Number of n-gram vectors; not used for words only."""
    deduplicate: bool = True
    """Whether methods with the same sequence of words are read once."""
    shuffle: bool = True
    """Whether documents are read in a seeded random order."""
    threads: int = Field(1, ge=1)
    """Only one thread gives the same vectors every time."""

    @model_validator(mode="after")
    def _check_grams(self) -> Self:
        if self.max_n and not 1 <= self.min_n <= self.max_n:
            raise ValueError("'min_n' must be from 1 to 'max_n' (or 'max_n' 0)")
        smallest = -(-_ZEROED_BYTES // (4 * self.dimension))
        if self.max_n and self.bucket < smallest:
            raise ValueError(
                f"'bucket' must be at least {smallest} at {self.dimension} dimensions, else "
                "fastText starts from memory that it did not clear (docs/deviations.md, DEV-11)"
            )
        return self

    @model_validator(mode="after")
    def _check_sample(self) -> Self:
        if self.maximum_words and not (self.max_n and self.shuffle):
            raise ValueError(
                "'maximum_words' needs 'shuffle: true', which makes the first words a sample, and "
                "'max_n' above 0: words that the sample lacks have a vector by their n-grams alone"
            )
        return self


class EmbeddingSettings(EmbeddingOptions):
    """Settings of the stage ``training embed``."""

    seed: int
    """Decides the order of the documents; fastText's own draws have a fixed seed."""

    @property
    def options(self) -> EmbeddingOptions:
        """Without the seed."""
        given = {key: value for key, value in self.as_json().items() if key != "seed"}
        return EmbeddingOptions(**given)
