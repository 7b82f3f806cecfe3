"""A network for queries and one for the code of each language."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ncsbench.artifacts.training_checkpoints import Tensors
from ncsbench.encoders.bpe_vocabulary import BpeVocabulary
from ncsbench.encoders.encoder_options import EncoderOptions
from ncsbench.encoders.id_lists import IdLists
from ncsbench.encoders.networks import NETWORKS


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
        return {name: copy_tensor(own) for name, own in self.named_parameters()}

    def restore(self, tensors: Tensors) -> None:
        """Take what ``save`` gave.

        Raises:
            ValueError: where it does not fit.
        """
        own = dict(self.named_parameters())
        if {name: array.shape for name, array in tensors.items()} != {
            name: tuple(parameter.shape) for name, parameter in own.items()
        }:
            raise ValueError("has other tensors than its options and vocabularies ask for")
        with torch.no_grad():
            for name, array in tensors.items():
                own[name].copy_(torch.from_numpy(array))


def copy_tensor(tensor: Tensor) -> NDArray[np.float32]:
    """A copy as an array."""
    return tensor.detach().cpu().numpy().copy()
