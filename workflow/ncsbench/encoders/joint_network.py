"""A network for queries and one for the code of each language."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ncsbench.artifacts.training_checkpoints import Tensors
from ncsbench.encoders.encoder_options import EncoderOptions
from ncsbench.encoders.networks import NETWORKS
from ncsbench.networks.id_lists import IdLists
from ncsbench.networks.network_files import restore_parameters, save_parameters
from ncsbench.text.bpe_vocabulary import BpeVocabulary


class JointNetwork(nn.Module):
    """One network for queries and one for each language, with first values that are drawn.

    Args:
        asked: the vocabulary of queries.
        codes: the vocabulary of each language.
        options: what they are.
    """

    def __init__(
        self, asked: BpeVocabulary, codes: Mapping[str, BpeVocabulary], options: EncoderOptions
    ) -> None:
        super().__init__()
        kind = NETWORKS[options.network]
        self.query = kind(len(asked), options.query_length, options)
        self.code = nn.ModuleDict(
            {name: kind(len(own), options.code_length, options) for name, own in codes.items()}
        )

    def forward(
        self, queries: IdLists, codes: IdLists, languages: NDArray[np.uint8]
    ) -> tuple[Tensor, Tensor]:
        """Vectors of the queries and of the code of n pairs, both of shape (n, dimension).

        Args:
            queries: of each pair.
            codes: of each pair.
            languages: number of each pair's language, ascending; shape (n,).
        """
        parts = [
            network(codes.take(rows))
            for number, network in enumerate(self.code.values())
            if len(rows := np.flatnonzero(languages == number))
        ]
        return self.query(queries), torch.cat(parts)

    def trained(self) -> dict[str, nn.Parameter]:
        """The parameters that training changes, by name."""
        return {name: own for name, own in self.named_parameters() if own.requires_grad}

    def save(self) -> Tensors:
        """Copies of all parameters by name."""
        return save_parameters(self)

    def restore(self, tensors: Tensors) -> None:
        """Take what ``save`` gave; ``ValueError`` where it does not fit."""
        restore_parameters(self, tensors)
