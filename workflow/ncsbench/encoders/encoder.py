"""A joint encoder: its networks, the vectors of queries and of code, and the folder it lies in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ncsbench.artifacts.training_checkpoints import Tensors
from ncsbench.configuration.nearest_name import nearest
from ncsbench.encoders.encoder_options import EncoderOptions
from ncsbench.encoders.networks import NETWORKS, TokenNetwork
from ncsbench.encoders.token_ids import TokenEncoder, TokenReader
from ncsbench.errors import ConfigurationError
from ncsbench.networks.id_lists import IdLists
from ncsbench.networks.network_files import Vocabularies, load_network, save_network
from ncsbench.networks.parameters import restore_parameters, save_parameters
from ncsbench.networks.reproducible import reproducible
from ncsbench.text.bpe_vocabulary import BpeVocabulary

_CHUNK = 2048  # Lists that are in memory as vectors of their tokens, at most.
TokenLists = Sequence[Sequence[str]]


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


@dataclass(frozen=True)
class EncoderParts:
    """What an encoder is made of.

    Attributes:
        asked: the vocabulary of queries.
        codes: the vocabulary of the code of each language.
        tensors: the parameters of a ``JointNetwork`` by name; float32.
        about: what it was trained on and how; ``options`` are those of ``EncoderOptions``.
    """

    asked: BpeVocabulary
    codes: Mapping[str, BpeVocabulary]
    tensors: Tensors
    about: Mapping[str, Any]


class Encoder:
    """Turns tokens of queries and of code into vectors, on one thread of the CPU.

    Args:
        parts: what it is made of.

    Attributes:
        languages: whose code it knows.
        dimension: length of a vector.
        about: what it was trained on and how.

    Raises:
        ValueError: where the parts do not fit each other.
    """

    def __init__(self, parts: EncoderParts) -> None:
        self.about = parts.about
        options = EncoderOptions.parse(parts.about["options"], where="about.json", within="options")
        self.languages, self.dimension = tuple(parts.codes), options.dimension
        with torch.random.fork_rng():  # first values are drawn, and replaced
            self._network = JointNetwork(parts.asked, parts.codes, options)
        self._network.restore(parts.tensors)
        self._network.eval()
        self._queries = TokenEncoder(parts.asked, TokenReader.of_queries(options))
        reader = TokenReader.of_code(options)
        self._codes = {name: TokenEncoder(own, reader) for name, own in parts.codes.items()}

    def embed_queries(self, queries: TokenLists) -> NDArray[np.float32]:
        """Vectors of queries as tokens, shape (n, dimension); zero for one without a token."""
        return self._embed(queries, self._queries, self._network.query)

    def embed_code(self, language: str, codes: TokenLists) -> NDArray[np.float32]:
        """Vectors of code as tokens, shape (n, dimension); zero for one without a token.

        Raises:
            ConfigurationError: where the encoder was not trained on the language.
        """
        if language not in self._codes:
            known = nearest(language, list(self.languages))
            raise ConfigurationError(f"encoder: was not trained on {language!r}; {known}")
        network = self._network.code[language]
        assert isinstance(network, TokenNetwork)  # noqa: S101 - what a ModuleDict forgets
        return self._embed(codes, self._codes[language], network)

    def of_queries(self) -> EncoderParts:
        """What queries need, to be kept without the networks of code."""
        tensors = {
            name: array for name, array in self._network.save().items() if name.startswith("query.")
        }
        return EncoderParts(self._queries.vocabulary, {}, tensors, self.about)

    def _embed(
        self, lists: TokenLists, tokens: TokenEncoder, network: TokenNetwork
    ) -> NDArray[np.float32]:
        found = np.empty((len(lists), self.dimension), np.float32)
        for start in range(0, len(lists), _CHUNK):
            ids = tokens.encode_lists(lists[start : start + _CHUNK])
            with reproducible(1, torch.device("cpu")), torch.inference_mode():
                found[start : start + len(ids)] = network(ids).numpy()
        return found


def save_encoder(parts: EncoderParts, folder: Path) -> None:
    """Write an encoder: ``weights.safetensors``, ``vocabularies.json``, ``about.json``."""
    named = {"query": parts.asked, **{f"code.{name}": own for name, own in parts.codes.items()}}
    save_network(folder, dict(parts.tensors), named, parts.about)


def load_encoder(folder: Path) -> Encoder:
    """Read what ``save_encoder`` wrote; ``DataError`` where its files do not belong together."""
    return load_network(folder, _make_encoder)


def _make_encoder(tensors: Tensors, named: Vocabularies, about: Mapping[str, Any]) -> Encoder:
    codes = {name.removeprefix("code."): own for name, own in named.items() if name != "query"}
    return Encoder(EncoderParts(named["query"], codes, tensors, about))
