"""Options of word vectors; the block ``embedding`` of a model file."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import StrictModel

_ZEROED_BYTES = 40 << 20  # Above the largest block (32 MiB) that glibc serves from used memory.


class EmbeddingOptions(StrictModel):
    """Options of the word vectors; the defaults are fastText's for unsupervised training."""

    written: ClassVar[tuple[str, ...]] = ("dimension",)
    dimension: int = Field(100, ge=1)
    """Length of a vector."""
    window: int = Field(5, ge=1)
    """Largest distance of a context word."""
    min_count: int = Field(5, ge=1)
    """Smallest number of occurrences of a word; rarer words are not in the vocabulary."""
    epochs: int = Field(5, ge=1)
    """Passes over the text."""
    minimum_words: int = Field(0, ge=0)
    """Smallest number of words to read: a shorter text is read in more epochs until the number is
    reached, but in at most 100 (DEV-10)."""
    maximum_words: int = Field(0, ge=0)
    """Size of the sample, in words, that is read of a longer text: about the first so many words in
    the random order. The vocabulary is that of the whole text. 0 reads all of the text (DEV-13)."""
    min_n: int = Field(3, ge=0)
    """Shortest character n-gram."""
    max_n: int = Field(6, ge=0)
    """Longest character n-gram; 0 for words only."""
    negatives: int = Field(5, ge=1)
    """Number of random words that are drawn as wrong ones for each context word."""
    learning_rate: float = Field(0.05, gt=0)
    """Learning rate at the beginning."""
    bucket: int = 2_000_000
    """Number of n-gram vectors; not used where there are only words (``max_n`` 0)."""
    deduplicate: bool = True
    """True where methods with the same sequence of words are read once."""
    shuffle: bool = True
    """True where documents are read in a seeded random order."""
    threads: int = Field(1, ge=1)
    """Number of threads; only one thread gives the same vectors every time."""

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
    """Seed of the order of the documents; fastText's own draws have a fixed seed."""

    @property
    def options(self) -> EmbeddingOptions:
        """The options without the seed."""
        given = {key: value for key, value in self.as_json().items() if key != "seed"}
        return EmbeddingOptions(**given)
