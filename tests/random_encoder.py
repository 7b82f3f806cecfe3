"""A joint encoder with random weights, for the tests of what uses one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch

from ncsbench.encoders.encoder import EncoderParts, JointNetwork
from ncsbench.encoders.encoder_options import EncoderOptions
from ncsbench.text.bpe_vocabulary import BpeVocabulary


def make_parts(
    texts: Sequence[str], languages: Sequence[str] = ("java",), **options: Any
) -> EncoderParts:
    """Networks for queries and languages whose vocabularies are of the words of some texts."""
    given = EncoderOptions.parse(
        {"network": "nbow", "dimension": 8, "vocabulary_size": 64} | options, where="test"
    )
    counts = Counter(word for text in texts for word in text.split())
    words = BpeVocabulary.learn(counts, size=given.vocabulary_size, whole_words=0.5)
    codes = dict.fromkeys(languages, words)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        tensors = JointNetwork(words, codes, given).save()
    return EncoderParts(words, codes, tensors, {"options": given.model_dump(mode="json")})
