"""Tokens of queries and of code as ids of a vocabulary; every distinct token is spelt once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ncsbench.encoders.encoder_options import EncoderOptions
from ncsbench.networks.id_lists import IdLists
from ncsbench.text.bpe_vocabulary import LONGEST_PIECE, UNKNOWN_WORD, BpeVocabulary
from ncsbench.text.words import split_words

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_KEPT_TOKENS = 1_000_000  # Spelt tokens in memory.
_KEPT_LENGTH = 64  # Longer tokens are rarely seen again.


class TokenReader:
    """How one side, queries or the code of a language, reads its tokens.

    Args:
        length: ids of a list at most.
        lower: whether letters are made small, as in queries.
        split: whether identifiers are split into words (``code_tokens: subtokens``).
    """

    def __init__(self, *, length: int, lower: bool = False, split: bool = False) -> None:
        self.length, self._lower, self._split = length, lower, split

    @classmethod
    def of_queries(cls, options: EncoderOptions) -> TokenReader:
        """The reader of queries."""
        return cls(length=options.query_length, lower=True)

    @classmethod
    def of_code(cls, options: EncoderOptions) -> TokenReader:
        """The reader of the code of any language."""
        return cls(length=options.code_length, split=options.code_tokens == "subtokens")

    @property
    def longest(self) -> int:
        """Characters of a token that can count before a list is cut."""
        return LONGEST_PIECE * self.length

    def read(self, token: str) -> Sequence[str]:
        """The words of a token; of a very long one only what can count."""
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
        vocabulary: of the side.
        reader: of the side.
    """

    def __init__(self, vocabulary: BpeVocabulary, reader: TokenReader) -> None:
        self.vocabulary, self._reader = vocabulary, reader
        self._spelt: dict[str, list[int]] = {}

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """The ids of one list, cut at the reader's length."""
        ids: list[int] = []
        for token in tokens:
            spelt = self._spelt.get(token)
            ids += self._spell(token) if spelt is None else spelt
            if len(ids) >= self._reader.length:
                return ids[: self._reader.length]
        return ids

    def encode_lists(self, lists: Iterable[Iterable[str]]) -> IdLists:
        """The ids of several lists."""
        return IdLists.gather(self.encode(tokens) for tokens in lists)

    def _spell(self, token: str) -> list[int]:
        length = self._reader.length
        words = self._reader.read(token)
        spelt = [number for word in words for number in self.vocabulary.spell(word, length)]
        if len(token) <= _KEPT_LENGTH:
            if len(self._spelt) >= _KEPT_TOKENS:
                self._spelt.clear()
            self._spelt[token] = spelt
        return spelt
