"""Options of an encoder that learns from sets of training pairs, as a row of Table 1 does."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ncsbench.configuration.strict_model import Distinct, StrictModel
from ncsbench.encoders.encoder_options import EncoderOptions
from ncsbench.pairs.pair_options import HeldOutOptions, PairSetName


class PairEncoderOptions(HeldOutOptions, EncoderOptions):
    """A joint encoder of queries and Java (docs/encoders.md).

    What is not given is as in the released code of CodeSearchNet. Pairs for validation are held
    out as those of UNIF are (DEV-160).
    """

    # Not strict: after a validator that comes first nothing is JSON any more; a list is no tuple.
    pairs: Annotated[tuple[PairSetName, ...], Distinct] = Field(min_length=1, strict=False)
    """The sets of training pairs in config/pairs that it learns from."""

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
