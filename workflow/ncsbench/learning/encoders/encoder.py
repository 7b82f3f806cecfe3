"""A joint encoder: its reading of tokens, its networks, its vectors and its folder.

Tokens of queries and of code become ids of a vocabulary; each distinct token is split into words
and pieces once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ncsbench.base.files.training_checkpoints import Tensors
from ncsbench.base.networks.id_lists import IdLists
from ncsbench.base.networks.network_files import (
    Vocabularies,
    load_network,
    restore_parameters,
    save_network,
    save_parameters,
)
from ncsbench.base.networks.reproducible import reproducible
from ncsbench.base.text.bpe_vocabulary import LONGEST_PIECE, UNKNOWN_WORD, BpeVocabulary
from ncsbench.base.text.words import split_words
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.learning.encoders.encoder_options import EncoderOptions
from ncsbench.learning.encoders.networks import NETWORKS, TokenNetwork

_CHUNK = 2048  # Largest number of lists that are in memory as vectors of their tokens.
TokenLists = Sequence[Sequence[str]]
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_KEPT_TOKENS = 1_000_000  # Number of tokens whose ids are kept in memory.
_QUERY, _CODE = "query", "code."  # Names of vocabularies.
_KEPT_LENGTH = 64  # Longer tokens are rarely seen again.


class TokenReader:
    """The way in which one side, queries or the code of a language, reads its tokens.

    Args:
        length: largest number of ids of a list.
        lower: True where tokens are lower-cased, as in queries.
        split: True where identifiers are split into words (``code_tokens: subtokens``).
    """

    def __init__(self, *, length: int, lower: bool = False, split: bool = False) -> None:
        self.length, self._lower, self._split = length, lower, split

    @classmethod
    def of_queries(cls, options: EncoderOptions) -> TokenReader:
        """Return the reader of queries."""
        return cls(length=options.query_length, lower=True)

    @classmethod
    def of_code(cls, options: EncoderOptions) -> TokenReader:
        """Return the reader of the code of any language."""
        return cls(length=options.code_length, split=options.code_tokens == "subtokens")

    @property
    def longest(self) -> int:
        """Number of characters of a token that can count before a list is cut."""
        return LONGEST_PIECE * self.length

    def read(self, token: str) -> Sequence[str]:
        """Return the words of a token; of a very long token only its beginning counts."""
        # Lower-casing can make a text longer, not shorter.
        token = token[: self.longest]
        if self._lower:
            return (token.lower()[: self.longest],)
        if self._split and token != UNKNOWN_WORD and _IDENTIFIER.fullmatch(token):
            return split_words(token) or (token,)
        return (token,)


class TokenEncoder:
    """Turns lists of tokens into lists of ids.

    Args:
        vocabulary: vocabulary of the side.
        reader: reader of the side.
    """

    def __init__(self, vocabulary: BpeVocabulary, reader: TokenReader) -> None:
        self.vocabulary, self._reader = vocabulary, reader
        self._spelt: dict[str, list[int]] = {}

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """Return the ids of one list, cut at the reader's length."""
        ids: list[int] = []
        for token in tokens:
            spelt = self._spelt.get(token)
            ids += self._spell(token) if spelt is None else spelt
            if len(ids) >= self._reader.length:
                return ids[: self._reader.length]
        return ids

    def _spell(self, token: str) -> list[int]:
        length = self._reader.length
        words = self._reader.read(token)
        spelt = [number for word in words for number in self.vocabulary.spell(word, length)]
        if len(token) <= _KEPT_LENGTH:
            if len(self._spelt) >= _KEPT_TOKENS:
                self._spelt.clear()
            self._spelt[token] = spelt
        return spelt


class JointNetwork(nn.Module):
    """One network for queries and one for each language, with random first values.

    Args:
        asked: the vocabulary of queries.
        codes: the vocabulary of each language.
        options: options of the networks.
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
        """Return vectors of the queries and of the code of n pairs, both (n, dimension).

        Args:
            queries: query of each pair.
            codes: code of each pair.
            languages: number of each pair's language, ascending; shape (n,).
        """
        parts = [
            network(codes.take(rows))
            for number, network in enumerate(self.code.values())
            if len(rows := np.flatnonzero(languages == number))
        ]
        return self.query(queries), torch.cat(parts)


class Encoder:
    """Turns tokens of queries and of code into vectors, on one thread of the CPU.

    Args:
        tensors: the parameters of a ``JointNetwork`` by name; float32.
        vocabularies: vocabularies by the names of ``name_vocabularies``.
        about: record of data and options of the training; ``options`` are those of
            ``EncoderOptions``.

    Attributes:
        languages: languages whose code the encoder was trained on.
        dimension: length of a vector.
        about: record of data and options of the training.

    Raises:
        ValueError: where the parts do not fit each other.
    """

    def __init__(
        self, tensors: Tensors, vocabularies: Vocabularies, about: Mapping[str, Any]
    ) -> None:
        self.about, asked = about, vocabularies[_QUERY]
        options = EncoderOptions.parse(about["options"], where="about.json", within="options")
        codes = {
            name.removeprefix(_CODE): own for name, own in vocabularies.items() if name != _QUERY
        }
        self.languages, self.dimension = tuple(codes), options.dimension
        with torch.random.fork_rng():  # first values are drawn, and replaced
            self._network = JointNetwork(asked, codes, options)
        restore_parameters(self._network, tensors)
        self._network.eval()
        self._queries = TokenEncoder(asked, TokenReader.of_queries(options))
        reader = TokenReader.of_code(options)
        self._codes = {name: TokenEncoder(own, reader) for name, own in codes.items()}

    def embed_queries(self, queries: TokenLists) -> NDArray[np.float32]:
        """Return vectors of queries as tokens, shape (n, dimension); zeros without a token."""
        return self._embed(queries, self._queries, self._network.query)

    def embed_code(self, language: str, codes: TokenLists) -> NDArray[np.float32]:
        """Return vectors of code as tokens, shape (n, dimension); zeros without a token.

        Raises:
            ConfigurationError: where the encoder was not trained on the language.
        """
        if language not in self._codes:
            known = nearest(language, list(self.languages))
            raise ConfigurationError(f"encoder: was not trained on {language!r}; {known}")
        network = self._network.code[language]
        assert isinstance(network, TokenNetwork)  # noqa: S101 - what a ModuleDict forgets
        return self._embed(codes, self._codes[language], network)

    def save_queries(self, folder: Path) -> None:
        """Write the network of queries alone, without code, so that ``load_encoder`` reads it."""
        every = save_parameters(self._network)
        tensors = {name: array for name, array in every.items() if name.startswith(f"{_QUERY}.")}
        save_network(folder, tensors, {_QUERY: self._queries.vocabulary}, self.about)

    def _embed(
        self, lists: TokenLists, tokens: TokenEncoder, network: TokenNetwork
    ) -> NDArray[np.float32]:
        found = np.empty((len(lists), self.dimension), np.float32)
        for start in range(0, len(lists), _CHUNK):
            ids = IdLists.gather(map(tokens.encode, lists[start : start + _CHUNK]))
            with reproducible(1, torch.device("cpu")), torch.inference_mode():
                found[start : start + len(ids)] = network(ids).numpy()
        return found


def name_vocabularies(
    asked: BpeVocabulary, codes: Mapping[str, BpeVocabulary]
) -> dict[str, BpeVocabulary]:
    """Return the vocabularies of queries and of each language's code, by their names in a folder.

    Given these and the parameters, ``network_files.save_network`` writes a whole encoder.
    """
    return {_QUERY: asked, **{f"{_CODE}{name}": own for name, own in codes.items()}}


def load_encoder(folder: Path) -> Encoder:
    """Read the folder of an encoder; ``DataError`` where its files do not belong together."""
    return load_network(folder, Encoder)
