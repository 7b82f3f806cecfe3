"""Options of joint encoders, trained on corpora of functions or on sets of pairs."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import Share, StrictModel
from ncsbench.pairs.training_pairs.pair_options import HeldOutOptions

Network = Literal["nbow", "cnn", "rnn", "self_attention"]
Pooling = Literal["weighted_mean", "mean", "max"]
Loss = Literal["softmax", "cosine", "max_margin", "triplet"]
_RELEASED: dict[str, dict[str, Any]] = {
    "nbow": {"learning_rate": 0.01, "batch_size": 1000, "loss": "cosine"},
    "cnn": {"learning_rate": 0.0005, "batch_size": 1000, "loss": "softmax"},
    "rnn": {"learning_rate": 0.01, "batch_size": 1000, "loss": "softmax"},
    "self_attention": {"learning_rate": 0.0005, "batch_size": 450, "loss": "softmax"},
}


class EncoderOptions(StrictModel):
    """A network for queries and one like it for each language, trained together.

    Options that are not given are as in the released code; docs/encoders.md says where the paper
    differs.
    """

    network: Network
    """Network that turns tokens into a vector: ``nbow``, ``cnn``, ``rnn`` or
    ``self_attention``."""
    dimension: int = Field(128, ge=8, multiple_of=8)
    """Length of vectors of tokens, queries and code."""
    pooling: Pooling = "weighted_mean"
    """Pooling of the vectors of tokens into one vector."""
    cell: Literal["lstm", "gru"] = "lstm"
    """Cell of ``rnn``; the paper has ``gru``."""
    code_tokens: Literal["bpe", "subtokens"] = "bpe"
    """``bpe`` takes tokens of code as they are and divides rare ones into pieces; ``subtokens``
    splits identifiers into words, as the paper does, and has no pieces."""
    vocabulary_size: int = Field(10000, ge=8, le=65535)
    """Number of words and pieces in each vocabulary."""
    whole_words: Share = 0.5
    """Share of whole words in a vocabulary; the rest are pieces of other words."""
    code_length: int = Field(200, ge=2, le=512)
    """Number of words and pieces after which code is cut."""
    query_length: int = Field(30, ge=2, le=512)
    """Number of words and pieces after which queries are cut."""
    function_name_probability: Share = 0.1
    """Probability with which, in training, a function's name replaces its documentation
    (DEV-147)."""
    function_names: Literal["as_released", "as_meant"] = "as_released"
    """This name, and the token that replaces the name in the code: the qualified name and the text
    ``%UNK%`` (``as_released``), or the plain name and the unknown word (DEV-147)."""
    loss: Loss = "softmax"
    """Loss; if it is not given, ``cosine`` for ``nbow``."""
    margin: float = Field(1.0, ge=0)
    """Margin of all losses but ``softmax``."""
    learning_rate: float = Field(0.0005, gt=0)
    """Learning rate of Adam; if it is not given, 0.01 for ``nbow`` and ``rnn``."""
    batch_size: int = Field(1000, ge=2)
    """Number of pairs of one step, and of the pool of the MRR in training; if it is not given, 450
    for ``self_attention``."""
    epochs: int = Field(300, ge=1)
    """Largest number of passes over the pairs."""
    patience: int = Field(5, ge=0)
    """Number of epochs without a better MRR on the pairs for validation after which training ends;
    0 for never.

    As long as no epoch is better than the first values, epochs without a lower loss on these pairs
    count.
    """
    maximum_pairs: int = Field(0, ge=0)
    """Largest number of training pairs, of all languages together: the first ones in a seeded
    order; 0 for all."""
    threads: int = Field(1, ge=1)
    """Number of threads; only one thread gives the same bytes on any number of cores."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Device of the training."""

    @model_validator(mode="before")
    @classmethod
    def _fill_released(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(network := values.get("network"), str):
            return {**_RELEASED.get(network, {}), **values}
        return values


class EncoderSettings(StrictModel):
    """Settings of the stage that trains joint encoders."""

    encoder: EncoderOptions
    """Options of the networks and of the training."""
    seed: int = Field(0, ge=0)
    """Seed of the first weights, the order of the pairs and dropout."""


class PairEncoderOptions(HeldOutOptions, EncoderOptions):
    """A joint encoder of queries and Java (docs/encoders.md).

    Options that are not given are as in the released code of CodeSearchNet. Pairs for validation
    are held out in the same way as for UNIF (DEV-160).
    """

    def without_pairs(self) -> EncoderOptions:
        """Return the options of the encoder, without those of the pairs."""
        given = self.as_json()
        own = {name: given[name] for name in EncoderOptions.model_fields if name in given}
        return EncoderOptions.parse(own, where="encoder")


class PairEncoderSettings(StrictModel):
    """Settings of the stage ``training encoder``."""

    encoder: PairEncoderOptions
    """Options of the networks, of the training and of the pairs."""
    seed: int = Field(ge=0)
    """Seed of the first weights, the order of the pairs and dropout."""
