"""A joint encoder with random weights, for the tests of what uses one."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch

from ncsbench.base.files.training_checkpoints import Tensors
from ncsbench.base.networks.network_files import save_parameters
from ncsbench.base.text.bpe_vocabulary import BpeVocabulary
from ncsbench.learning.encoders.encoder import JointNetwork, name_vocabularies
from ncsbench.learning.encoders.encoder_options import EncoderOptions


def make_parts(
    texts: Sequence[str], languages: Sequence[str] = ("java",), **options: Any
) -> tuple[Tensors, dict[str, BpeVocabulary], dict[str, Any]]:
    """Networks for queries and languages whose vocabularies are of the words of some texts."""
    given = EncoderOptions.parse(
        {"network": "nbow", "dimension": 8, "vocabulary_size": 64} | options, where="test"
    )
    counts = Counter(word for text in texts for word in text.split())
    words = BpeVocabulary.learn(counts, size=given.vocabulary_size, whole_words=0.5)
    codes = dict.fromkeys(languages, words)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        tensors = save_parameters(JointNetwork(words, codes, given))
    return tensors, name_vocabularies(words, codes), {"options": given.model_dump(mode="json")}
