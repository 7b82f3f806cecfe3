"""Options of DeepCS and CARLCS: the block ``field_encoder`` of a model file."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.pairs.training_pairs.pair_options import HeldOutOptions

Padding = Literal["as_published", "masked"]
_RELEASED: dict[str, dict[str, Any]] = {
    "deepcs": {"validation_pool": 1000},
    "carlcs": {"clip": 0.1, "validation_pool": 50},
}


class FieldEncoderOptions(HeldOutOptions):
    """A network that reads the fields of a method, trained on pairs (docs/encoders.md).

    Options that are not given are as in the released Keras code of the network.
    """

    network: Literal["deepcs", "carlcs"]
    """``deepcs`` makes vectors; ``carlcs`` scores a query and a method together."""
    padding: Padding = "as_published"
    """``as_published``: networks read padding as if it were words; ``masked``: they do not."""
    embedding: int = Field(100, ge=2)
    """Length of the vector of a word."""
    cells: int = Field(200, ge=1)
    """Number of LSTM cells of each direction."""
    output: int = Field(400, ge=2)
    """Length of the vectors of code and queries of ``deepcs``; with ``description: pooled`` it
    must be twice ``cells``."""
    pooling: Literal["max", "last"] = "max"
    """Pooling of the states of ``deepcs``: the maximum over time, or the last state of each
    direction."""
    fusion: Literal["concatenated", "added"] = "concatenated"
    """Fusion of the fields in ``deepcs``: tanh of a dense layer of all three, or a dense layer of
    tanh of the sum of three projections."""
    description: Literal["pooled", "projected"] = "pooled"
    """Vector of a query: the pooled states (``pooled``), or a dense layer of them
    (``projected``)."""
    api_encoder: Literal["convolutions", "lstm"] = "convolutions"
    """Network with which ``carlcs`` reads API sequences: ``convolutions`` as in its code, or
    ``lstm`` as in its paper."""
    filters: int = Field(100, ge=2, multiple_of=2)
    """Number of filters of each width of ``carlcs``, and the length of its columns."""
    initial_values: Literal["tensorflow", "pytorch"] = "tensorflow"
    """First values of parameters: those of Keras's layers, or all between -0.1 and 0.1
    (DEV-188)."""
    unknown_words: Literal["padding", "own"] = "padding"
    """Words out of the vocabulary: read as the padding, as in Keras's data, or as an unknown word
    with a vector of its own."""
    vocabulary_size: int = Field(10000, ge=8, le=65535)
    """Size of the vocabulary of each field, with the padding and the unknown word."""
    name_length: int = Field(6, ge=4, le=512)
    """Number of words after which names are cut."""
    api_length: int = Field(30, ge=4, le=512)
    """Number of tokens after which API sequences are cut."""
    tokens_length: int = Field(50, ge=4, le=512)
    """Number of words after which the field of tokens is cut."""
    description_length: int = Field(30, ge=4, le=512)
    """Number of words after which descriptions and queries are cut."""
    dropout: float = Field(0.25, ge=0, le=0.9)
    """Share of the elements that training sets to zero in vectors of words and in the outputs of
    the networks that read them."""
    recurrent_dropout: float = Field(0.2, ge=0, le=0.9)
    """Share of the elements that training sets to zero between one state and the next
    (DEV-189)."""
    margin: float = Field(0.05, ge=0)
    """Margin by which the right description is to be nearer than a wrong one."""
    optimiser: Literal["adam", "adamw"] = "adam"
    """Optimiser; ``adamw`` has weight decay, a warm-up and a learning rate that falls as a
    cosine."""
    learning_rate: float = Field(0.001, gt=0)
    """Highest value of the learning rate."""
    weight_decay: float = Field(0.01, ge=0)
    """Weight decay of ``adamw``; biases have none."""
    warm_up: int = Field(5000, ge=0)
    """Steps of ``adamw`` until the learning rate is highest; then it falls as a cosine to zero."""
    clip: float = Field(0.0, ge=0)
    """Largest norm of the gradients of a step; 0 for any norm. If it is not given, 0.1 for
    ``carlcs``."""
    batch_size: int = Field(128, ge=2)
    """Number of pairs of one step."""
    epochs: int = Field(500, ge=1)
    """Largest number of passes over the pairs."""
    patience: int = Field(5, ge=0)
    """Number of epochs without a better MRR on held-out pairs after which training ends; 0 for
    never.

    As long as no epoch is better than the first values, epochs without a lower loss on these pairs
    count.
    """
    validation_pool: int = Field(1000, ge=2)
    """Number of held-out pairs that are ranked together; if it is not given, 50 for ``carlcs``."""
    threads: int = Field(1, ge=1)
    """Number of threads; only one thread gives the same bytes on any number of cores."""

    @model_validator(mode="before")
    @classmethod
    def _fill_released(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(network := values.get("network"), str):
            return {**_RELEASED.get(network, {}), **values}
        return values

    @model_validator(mode="after")
    def _check_output(self) -> Self:
        if self.network == "deepcs" and self.description == "pooled":
            if self.output != 2 * self.cells:
                raise ValueError(
                    f"'output' must be {2 * self.cells}, twice 'cells', with 'description: pooled'"
                )
        return self

    @property
    def lengths(self) -> dict[str, int]:
        """Numbers of words that are read of each field, the description last."""
        return {
            "name": self.name_length,
            "api": self.api_length,
            "tokens": self.tokens_length,
            "description": self.description_length,
        }


class FieldEncoderSettings(StrictModel):
    """Settings of the stage ``training field-encoder``."""

    field_encoder: FieldEncoderOptions
    """Options of the network, of the training and of the pairs."""
    seed: int = Field(ge=0)
    """Seed of the first weights, the order of the pairs, the wrong descriptions and dropout."""
