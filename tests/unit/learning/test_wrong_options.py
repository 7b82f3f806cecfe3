"""Wrong options of everything that is learnt end in one line."""

from __future__ import annotations

from typing import Any

import pytest

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError
from ncsbench.learning.encoders.encoder_options import PairEncoderOptions
from ncsbench.learning.training.embedding_options import EmbeddingOptions
from ncsbench.learning.training.training_options import ExpansionSettings, TrainingOptions
from tests.one_line import ends_in_one_line

GIVEN: dict[type[StrictModel], dict[str, Any]] = {
    TrainingOptions: {"pairs": ["made_up"]},
    EmbeddingOptions: {},
    ExpansionSettings: {"pairs": "x"},
    PairEncoderOptions: {"network": "nbow", "pairs": ["some"], "minimum_held_out": 2},
}


@pytest.mark.parametrize(
    ("kind", "changed", "message"),
    [
        (TrainingOptions, {"loss": "triplet"}, "'triplet' is not one of 'hinge' or 'softmax'"),
        (TrainingOptions, {"epoch": 3}, "unknown key 'epoch'; did you mean 'epochs'"),
        (TrainingOptions, {"held_out": 0.6}, "0.6 is greater than the maximum of 0.5"),
        (TrainingOptions, {"margin": float("inf")}, "margin: inf: should be a finite number"),
        (TrainingOptions, {"share": 0}, "share: 0 is not above 0"),
        (TrainingOptions, {"batch_size": 1}, "batch_size: 1 is less than the minimum of 2"),
        (TrainingOptions, {"learning_rate": float("nan")}, "nan: should be a finite"),
        (TrainingOptions, {"pairs": "x"}, "pairs: 'x' is not a list"),
        (TrainingOptions, {"hard_negatives": 2}, "'hard_negatives' are of the softmax"),
        (TrainingOptions, {"hard_negatives": -1}, "-1 is less than the minimum of 0"),
        (TrainingOptions, {"sampling": "equal"}, "not one of 'all' or 'square_root'"),
        (EmbeddingOptions, {"dim": 100}, "unknown key 'dim'; did you mean 'dimension'"),
        (EmbeddingOptions, {"dimension": 0}, "dimension: 0 is less than the minimum of 1"),
        (EmbeddingOptions, {"learning_rate": 0}, "learning_rate: 0 is not above 0"),
        (EmbeddingOptions, {"maximum_words": 9, "max_n": 0}, "needs 'shuffle: true', which"),
        (EmbeddingOptions, {"maximum_words": 9, "shuffle": False}, "needs 'shuffle: true', which"),
        (EmbeddingOptions, {"min_n": 7}, "'min_n' must be from 1 to 'max_n'"),
        (EmbeddingOptions, {"shuffle": 1}, "shuffle: 1 is not of type 'boolean'"),
        (ExpansionSettings, {"kept_share": 0}, "kept_share: 0 is not above 0"),
        (ExpansionSettings, {"keptshare": 0.5}, "'kept_share'"),
        (ExpansionSettings, {"minimum_titles": 0}, "minimum_titles: 0 is less than the minimum"),
        (ExpansionSettings, {"words": "stems"}, "'stems' is not one of 'split' or 'whole'"),
        (PairEncoderOptions, {"pairs": []}, "pairs"),
        (PairEncoderOptions, {"maximum_held_out": 1}, "'maximum_held_out' must be at least 2"),
        (PairEncoderOptions, {"network": "lstm"}, "network: 'lstm' is not one of"),
    ],
)
def test_wrong_options_end_in_one_line(
    kind: type[StrictModel], changed: dict[str, Any], message: str
) -> None:
    with ends_in_one_line(ConfigurationError, message, "here: "):
        kind.parse(GIVEN[kind] | changed, where="here")
