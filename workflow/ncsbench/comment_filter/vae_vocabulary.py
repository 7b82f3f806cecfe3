"""Words of titles and of comments, and their ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from ncsbench.comment_filter.vae_options import VaeOptions
from ncsbench.text.bpe_vocabulary import UNKNOWN, BpeVocabulary
from ncsbench.text.lemmas import lemmatise

PAD, UNK, SOS, EOS = 0, 1, 2, 3
"""Ids of the padding, of unknown words, of the start and of the end of a text."""

_MARKS = 2  # That the spelling has: padding and unknown.
_ADDED = 2  # SOS and EOS stand before the words, which the vocabulary of pieces does not know.
_MOST_CHARACTERS = 10_000  # Of a text that are read.
_LONGEST_LEMMA = 64
_TITLE_WORD = re.compile(r"\w+|[^\w\s]")
_COMMENT_WORD = re.compile(r"\S+")


def split_text(text: str, length: int, *, marks_apart: bool = True) -> list[str]:
    """The first words of a text in lower case (DEV-171).

    Args:
        text: a title or a comment.
        length: words at most.
        marks_apart: whether each mark is a word, as in the released vocabulary of titles; else
            words stand between blanks.
    """
    text = text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode().lower()
    pattern = _TITLE_WORD if marks_apart else _COMMENT_WORD
    return [found[0] for found in islice(pattern.finditer(text), length)]


@dataclass(frozen=True)
class VaeVocabulary:
    """Words that occur often enough in titles; ids 0 to 3 are marks.

    Attributes:
        spelling: words and, where there are any, pieces of others.
        rare_words: number of different words of the titles that are not in it.
    """

    spelling: BpeVocabulary
    rare_words: int

    def __len__(self) -> int:
        """Number of ids."""
        return len(self.spelling) + _ADDED

    @classmethod
    def learn(cls, titles: Iterable[Sequence[str]], options: VaeOptions) -> VaeVocabulary:
        """The vocabulary of titles as words; ties of counts go to the first by text."""
        counts = Counter(word for words in titles for word in words)
        often = sum(count >= options.minimum_count for count in counts.values())
        known = min(options.vocabulary_size - _ADDED, often + _MARKS)
        size = known + (options.pieces + _ADDED if options.pieces else 0)
        spelling = BpeVocabulary.learn(counts, size=size, whole_words=known / size)
        return cls(spelling, len(counts) - (known - _MARKS))

    def encode_title(self, words: Sequence[str], options: VaeOptions) -> list[int]:
        """The ids of a title, with its end."""
        ids: list[int] = []
        for word in words:
            ids += self._spell(word, options.query_length)
        return [*ids[: options.query_length], EOS]

    def encode_comment(self, comment: str, options: VaeOptions) -> list[int]:
        """The ids of a comment, with its end; an unknown first word is lemmatised (DEV-176)."""
        words = split_text(
            comment, options.query_length, marks_apart=options.comment_words == "like_titles"
        )
        if words and not self.knows(words[0]) and len(words[0]) <= _LONGEST_LEMMA:
            words[0] = lemmatise(words[0])
        return self.encode_title(words, options)

    def knows(self, word: str) -> bool:
        """Whether it is a whole word of the vocabulary."""
        return word in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.spelling.words[_MARKS:])

    def _spell(self, word: str, length: int) -> list[int]:
        return [
            number if number == UNKNOWN else number + _ADDED
            for number in self.spelling.spell(word, length)
        ]
