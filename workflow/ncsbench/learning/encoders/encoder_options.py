"""Options of joint encoders, also of one that learns from pairs as a row of Table 1 does."""

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

    What is not given is as in the released code; docs/encoders.md says where the paper differs.
    """

    network: Network
    """What turns tokens into a vector: ``nbow``, ``cnn``, ``rnn`` or ``self_attention``."""
    dimension: int = Field(128, ge=8, multiple_of=8)
    """Length of vectors of tokens, queries and code."""
    pooling: Pooling = "weighted_mean"
    """How the vectors of tokens become one."""
    cell: Literal["lstm", "gru"] = "lstm"
    """Of ``rnn``; the paper has ``gru``."""
    code_tokens: Literal["bpe", "subtokens"] = "bpe"
    """``bpe`` takes tokens of code as they are and spells rare ones in pieces; ``subtokens`` splits
    identifiers into words, as the paper does, and has no pieces."""
    vocabulary_size: int = Field(10000, ge=8, le=65535)
    """Words and pieces of each vocabulary."""
    whole_words: Share = 0.5
    """Share of whole words in a vocabulary; the rest are pieces of the others."""
    code_length: int = Field(200, ge=2, le=512)
    """Code is cut after so many words and pieces."""
    query_length: int = Field(30, ge=2, le=512)
    """Queries are cut after so many words and pieces."""
    function_name_probability: Share = 0.1
    """How often, in training, a function's name stands for its documentation (DEV-147)."""
    function_names: Literal["as_released", "as_meant"] = "as_released"
    """Which name that is, and what stands for it in the code (DEV-147)."""
    loss: Loss = "softmax"
    """``cosine`` of ``nbow`` where it is not given."""
    margin: float = Field(1.0, ge=0)
    """Of all losses but ``softmax``."""
    learning_rate: float = Field(0.0005, gt=0)
    """Of Adam; 0.01 of ``nbow`` and ``rnn`` where it is not given."""
    batch_size: int = Field(1000, ge=2)
    """Pairs of one step, and of the pool of the MRR in training; 450 of ``self_attention`` where it
    is not given."""
    epochs: int = Field(300, ge=1)
    """Passes over the pairs at most."""
    patience: int = Field(5, ge=0)
    """Epochs without a better MRR on the pairs for validation before training ends; 0 for never.

    Before one is better than the first values, those without a lower loss on these pairs.
    """
    maximum_pairs: int = Field(0, ge=0)
    """Training pairs of all languages together at most, the first in a seeded order; 0 for all."""
    threads: int = Field(1, ge=1)
    """Only one thread gives the same bytes on any number of cores."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Where it is trained."""

    @model_validator(mode="before")
    @classmethod
    def _fill_released(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(network := values.get("network"), str):
            return {**_RELEASED.get(network, {}), **values}
        return values


class EncoderSettings(StrictModel):
    """Settings of the stage that trains joint encoders."""

    encoder: EncoderOptions
    """What to train and how."""
    seed: int = Field(0, ge=0)
    """Decides the first weights, the order of the pairs and what is dropped."""


class PairEncoderOptions(HeldOutOptions, EncoderOptions):
    """A joint encoder of queries and Java (docs/encoders.md).

    What is not given is as in the released code of CodeSearchNet. Pairs for validation are held
    out as those of UNIF are (DEV-160).
    """

    def without_pairs(self) -> EncoderOptions:
        """The same without where the pairs come from."""
        given = self.as_json()
        own = {name: given[name] for name in EncoderOptions.model_fields if name in given}
        return EncoderOptions.parse(own, where="encoder")


class PairEncoderSettings(StrictModel):
    """Settings of the stage ``training encoder``."""

    encoder: PairEncoderOptions
    """What to train, how, and on what."""
    seed: int = Field(ge=0)
    """Decides the first weights, the order of the pairs and what is dropped."""
