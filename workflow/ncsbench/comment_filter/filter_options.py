"""Options of a filter of comments: its rules, its language model of queries, its cut."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from ncsbench.configuration.strict_model import Share, StrictModel

Phrases = Literal["how_to", "all"]
"""At which beginnings a title is taken for a search (docs/cleaning.md)."""
CutMethod = Literal["gaussian_mixture", "k_means", "percentile", "loss"]
NEEDS = {"percentile": "share", "loss": "highest"}
"""The option that a method of cutting has to have."""


class CutOptions(StrictModel):
    """Where losses of comments are cut; what lies below is kept (docs/cleaning.md)."""

    method: CutMethod = "gaussian_mixture"
    """``gaussian_mixture``: between two normal distributions, as published; ``k_means``: between
    two means; ``percentile``: a share of the comments; ``loss``: a loss that is given."""
    mixture: Literal["crossing_point", "as_released"] = "crossing_point"
    """``crossing_point`` keeps all losses up to where the higher distribution becomes more
    probable; ``as_released`` keeps what belongs to the distribution of the lowest
    loss, which may be both ends (DEV-177)."""
    share: float | None = Field(None, gt=0, le=1)
    """Of ``percentile``: share of the comments to keep."""
    highest: float | None = None
    """Of ``loss``: the highest loss to keep."""

    @model_validator(mode="after")
    def _check_needed(self) -> Self:
        for method, name in NEEDS.items():
            if (getattr(self, name) is not None) != (self.method == method):
                verb = "needs" if self.method == method else "takes no"
                raise ValueError(f"method '{self.method}' {verb} '{name}'")
        if self.mixture != "crossing_point" and self.method != "gaussian_mixture":
            raise ValueError(f"method '{self.method}' takes no 'mixture'")
        return self


class VaeOptions(StrictModel):
    """The network of the NLQF paper (section 3.2.1), its training and its scores.

    Sizes and rates are those of the released code; docs/cleaning.md says where the defaults
    differ from it.
    """

    encoder: Literal["fixed", "as_released"] = "fixed"
    """``fixed`` reads the text, as the paper describes; ``as_released`` sees none (DEV-170)."""
    comment_words: Literal["like_titles", "as_released"] = "like_titles"
    """How comments become words: with marks apart, as titles, or between blanks (DEV-171)."""
    vocabulary_size: int = Field(20_000, ge=8, le=65_535)
    """Words at most, with four marks."""
    minimum_count: int = Field(2, ge=1)
    """How often a word occurs in the titles at least."""
    pieces: int = Field(0, ge=0, le=20_000)
    """Pieces that spell words outside the vocabulary; 0 for none, as released (DEV-172)."""
    query_length: int = Field(20, ge=1, le=512)
    """Texts are cut after so many words and pieces."""
    unknown_words: Literal["free", "charged"] = "free"
    """What an unknown word costs a comment: nothing, as released, or as one of all rare words
    (DEV-173)."""
    z: Literal["mean", "sampled"] = "mean"
    """Which latent vector a comment is scored with; ``sampled`` is as released (DEV-174)."""
    state_size: int = Field(256, ge=8, multiple_of=8)
    """Of the encoder's word vectors and states, and between decoder and words."""
    latent_size: int = Field(128, ge=8, multiple_of=8)
    """Of latent vectors, and of the decoder's word vectors and states."""
    start: Literal["unknown", "start"] = "unknown"
    """The mark that the decoder begins with: that of unknown words, as released, or its own."""
    loss_over: Literal["all", "known_words"] = "all"
    """Positions that training counts: all, with padding and unknown words, as released, or known
    words and the end."""
    teacher_forcing: Share = 0.9
    """How often, in training, the decoder reads the true word and not its own guess."""
    kl_weight: float = Field(0.05, ge=0)
    """Of the divergence from the normal distribution."""
    kl_start: int = Field(200, ge=0)
    """Epochs after which that weight rises; with the released 200 it never does (DEV-175)."""
    kl_step: float = Field(0.000002, ge=0)
    """By how much it rises, after each batch."""
    kl_maximum: float = Field(0.1, ge=0)
    """How far it rises."""
    learning_rate: float = Field(0.0001, gt=0)
    """Of Adam, in the first epoch."""
    decay: float = Field(0.95, gt=0, le=1)
    """What each epoch leaves of the learning rate."""
    batch_size: int = Field(64, ge=1)
    """Titles of one step."""
    epochs: int = Field(20, ge=1)
    """Passes over the titles; 200 as released."""

    @model_validator(mode="after")
    def _check_charge(self) -> Self:
        if self.unknown_words == "charged" and self.loss_over == "known_words":
            raise ValueError(
                "'unknown_words: charged' needs 'loss_over: all', which learns what they cost"
            )
        return self


class FilterOptions(StrictModel):
    """How a filter of comments is made (docs/cleaning.md)."""

    rules: str = "as_published"
    """Name of a set of rules, ``as_published``, ``as_released`` or ``none``, or path of a file of
    rules, from the working directory."""
    model: VaeOptions | None = None
    """The language model of queries, made where titles are given."""
    cut: CutOptions | None = None
    """Which of its losses are kept."""
