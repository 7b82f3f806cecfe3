"""Options of a filter of comments: its rules, its language model of queries, its cut."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import Share, StrictModel

Phrases = Literal["how_to", "all"]
"""The set of beginnings by which a title is taken for a search (docs/cleaning.md)."""
CutMethod = Literal["gaussian_mixture", "k_means", "percentile", "loss"]
NEEDS = {"percentile": "share", "loss": "highest"}
"""The option that a method of cutting requires."""


class CutOptions(StrictModel):
    """The cut of the losses of comments: lower losses are kept (docs/cleaning.md)."""

    method: CutMethod = "gaussian_mixture"
    """``gaussian_mixture``: between two normal distributions, as published; ``k_means``: between
    two means; ``percentile``: a share of the comments; ``loss``: a loss that is given."""
    mixture: Literal["crossing_point", "as_released"] = "crossing_point"
    """``crossing_point`` keeps all losses up to where the higher distribution becomes more
    probable; ``as_released`` keeps the losses that belong to the distribution of the lowest loss,
    which may be the losses at both ends (DEV-177)."""
    share: float | None = Field(None, gt=0, le=1)
    """For ``percentile``: the share of the comments to keep."""
    highest: float | None = None
    """For ``loss``: the highest loss to keep."""

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
    differ from that code.
    """

    encoder: Literal["fixed", "as_released"] = "fixed"
    """``fixed`` reads the text, as the paper describes; ``as_released`` sees no text (DEV-170)."""
    comment_words: Literal["like_titles", "as_released"] = "like_titles"
    """Words of a comment: ``like_titles`` makes each punctuation mark a word, as in titles;
    ``as_released`` splits at blanks alone (DEV-171)."""
    vocabulary_size: int = Field(20_000, ge=8, le=65_535)
    """Largest number of words in the vocabulary, four special marks included."""
    minimum_count: int = Field(2, ge=1)
    """Smallest number of times that a word of the vocabulary occurs in the titles."""
    pieces: int = Field(0, ge=0, le=20_000)
    """Number of pieces that spell words outside the vocabulary; 0: no pieces, as released
    (DEV-172)."""
    query_length: int = Field(20, ge=1, le=512)
    """Number of words and pieces after which a text is cut."""
    unknown_words: Literal["free", "charged"] = "free"
    """Loss of an unknown word: ``free``: the word is not counted, as released; ``charged``: the
    loss is as for one of all rare words, each equally probable (DEV-173)."""
    z: Literal["mean", "sampled"] = "mean"
    """The latent vector that a comment is scored with; ``sampled`` is as released (DEV-174)."""
    state_size: int = Field(256, ge=8, multiple_of=8)
    """Size of the encoder's word vectors and states, and of the layers between the decoder and the
    probabilities of words."""
    latent_size: int = Field(128, ge=8, multiple_of=8)
    """Size of latent vectors, and of the decoder's word vectors and states."""
    start: Literal["unknown", "start"] = "unknown"
    """The mark that the decoder begins with: the mark of unknown words, as released, or a mark of
    its own."""
    loss_over: Literal["all", "known_words"] = "all"
    """Positions that training counts: ``all``, with padding and unknown words, as released, or
    only known words and the end of the text."""
    teacher_forcing: Share = 0.9
    """Share of the positions at which the decoder, in training, reads the true word and not its own
    guess."""
    kl_weight: float = Field(0.05, ge=0)
    """Weight, in the loss, of the divergence from the normal distribution."""
    kl_start: int = Field(200, ge=0)
    """Epochs after which ``kl_weight`` rises; with the released 200 it never does (DEV-175)."""
    kl_step: float = Field(0.000002, ge=0)
    """Amount by which ``kl_weight`` rises after each batch."""
    kl_maximum: float = Field(0.1, ge=0)
    """The value up to which ``kl_weight`` rises."""
    learning_rate: float = Field(0.0001, gt=0)
    """Learning rate of Adam in the first epoch."""
    decay: float = Field(0.95, gt=0, le=1)
    """Factor by which the learning rate is multiplied after each epoch."""
    batch_size: int = Field(64, ge=1)
    """Number of titles in one step of training."""
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
    """Settings of a filter of comments (docs/cleaning.md)."""

    rules: str = "as_published"
    """Name of a set of rules, ``as_published``, ``as_released`` or ``none``, or path of a file of
    rules, from the working directory."""
    model: VaeOptions | None = None
    """The language model of queries, trained where titles are given."""
    cut: CutOptions | None = None
    """The cut of the model's losses: lower losses are kept."""
