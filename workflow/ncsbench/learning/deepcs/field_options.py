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

    What is not given is as in the released Keras code of the network.
    """

    network: Literal["deepcs", "carlcs"]
    """``deepcs`` makes vectors; ``carlcs`` scores a query and a method together."""
    padding: Padding = "as_published"
    """``as_published``: networks read padding as if it were words; ``masked``: they do not."""
    embedding: int = Field(100, ge=2)
    """Length of the vectors of words."""
    cells: int = Field(200, ge=1)
    """LSTM cells of each direction."""
    output: int = Field(400, ge=2)
    """Length of the vectors of code and queries of ``deepcs``; with ``description: pooled`` it
    must be twice ``cells``."""
    pooling: Literal["max", "last"] = "max"
    """Of the states of ``deepcs``: the maximum over time, or the last state of each direction."""
    fusion: Literal["concatenated", "added"] = "concatenated"
    """How ``deepcs`` joins the fields: tanh of a dense layer of all three, or a dense layer of tanh
    of the sum of three projections."""
    description: Literal["pooled", "projected"] = "pooled"
    """Whether the vector of a query has a dense layer of its own."""
    api_encoder: Literal["convolutions", "lstm"] = "convolutions"
    """What ``carlcs`` reads API sequences with: as its code or as its paper says."""
    filters: int = Field(100, ge=2, multiple_of=2)
    """Filters of each width of ``carlcs``, and the length of its columns."""
    initial_values: Literal["tensorflow", "pytorch"] = "tensorflow"
    """Those of Keras's layers, or all between -0.1 and 0.1 (DEV-188)."""
    unknown_words: Literal["padding", "own"] = "padding"
    """Whether words out of the vocabulary are the padding, as in Keras's data, or have a vector."""
    vocabulary_size: int = Field(10000, ge=8, le=65535)
    """Words of each field, with the padding and the unknown word."""
    name_length: int = Field(6, ge=4, le=512)
    """Names are cut after so many words."""
    api_length: int = Field(30, ge=4, le=512)
    """API sequences are cut after so many tokens."""
    tokens_length: int = Field(50, ge=4, le=512)
    """Tokens after these are cut."""
    description_length: int = Field(30, ge=4, le=512)
    """Descriptions and queries are cut after so many words."""
    dropout: float = Field(0.25, ge=0, le=0.9)
    """Share of the elements of vectors of words, and of what networks make of them, set to zero."""
    recurrent_dropout: float = Field(0.2, ge=0, le=0.9)
    """The same of what goes from one state to the next (DEV-189)."""
    margin: float = Field(0.05, ge=0)
    """By which the right description is to be nearer than a wrong one."""
    optimiser: Literal["adam", "adamw"] = "adam"
    """``adamw`` has weight decay, a warm-up and a cosine."""
    learning_rate: float = Field(0.001, gt=0)
    """Its highest value."""
    weight_decay: float = Field(0.01, ge=0)
    """Of ``adamw``, not of biases."""
    warm_up: int = Field(5000, ge=0)
    """Steps of ``adamw`` until the learning rate is highest; then it falls as a cosine to zero."""
    clip: float = Field(0.0, ge=0)
    """Norm of the gradients of a step at most; 0 for any. 0.1 of ``carlcs`` if it is not given."""
    batch_size: int = Field(128, ge=2)
    """Pairs of one step."""
    epochs: int = Field(500, ge=1)
    """Passes over the pairs at most."""
    patience: int = Field(5, ge=0)
    """Epochs without a better MRR on held-out pairs before training ends; 0 for never.

    Before one is better than the first values, those without a lower loss on these pairs.
    """
    validation_pool: int = Field(1000, ge=2)
    """Held-out pairs that are ranked together; 50 of ``carlcs`` if it is not given."""
    threads: int = Field(1, ge=1)
    """Only one thread gives the same bytes on any number of cores."""

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
        """Words that are read of each field, the description last."""
        return {
            "name": self.name_length,
            "api": self.api_length,
            "tokens": self.tokens_length,
            "description": self.description_length,
        }


class FieldEncoderSettings(StrictModel):
    """Settings of the stage ``training field-encoder``."""

    field_encoder: FieldEncoderOptions
    """What to train, how, and on what."""
    seed: int = Field(ge=0)
    """Decides the first weights, the order of the pairs, wrong descriptions and what is dropped."""
