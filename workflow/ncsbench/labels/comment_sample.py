"""The comments that people judge: a sample of the first sentences of a corpus's Javadoc."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.label_files.label_file import match_query
from ncsbench.labels.labelled_methods import name_methods
from ncsbench.languages.javadoc import read_first_sentence

SIZE = 384
"""What Sun et al. (ICSE 2022) drew of 394,471: 95 % confidence, a margin of 5 points (DEV-111)."""
_BYTES = 16
_MOST_CHARACTERS = 1000
"""Of a sentence that are kept: a cell of a CSV file cannot be read at any length."""


@dataclass(frozen=True)
class DrawnComment:
    """A sentence, and the first method that has it.

    Attributes:
        query: the sentence; a label has it in the place of a question.
        document: the method's name in a labels file.
    """

    query: str
    document: str

    @property
    def pair(self) -> tuple[str, str]:
        """As ``Label.pair``."""
        return match_query(self.query), self.document


def draw_comments(corpus: CorpusFolder, size: int, seed: int) -> list[DrawnComment]:
    """Draw distinct first sentences, each with equal chance (DEV-111).

    The corpus is read as a stream. Those with the smallest hashes are drawn, so a larger sample
    begins with the smaller one, and a corpus with some methods more has nearly the same.

    Args:
        corpus: whose documented methods have the sentences.
        size: how many are drawn; all, where there are fewer.
        seed: of the hashes.

    Returns:
        In the order of the hashes, which is that of no place.
    """
    drawn: dict[bytes, tuple[int, str]] = {}
    highest = b"\xff" * (_BYTES + 1)  # above every hash
    for table in corpus.iterate_methods(["id", "comment"]):
        columns = (table[name].to_pylist() for name in ("id", "comment"))
        for id_, comment in zip(*columns, strict=True):
            sentence = read_first_sentence(comment)[:_MOST_CHARACTERS] if comment else ""
            if not sentence:
                continue
            text = f"{seed} {match_query(sentence)}"
            hash_ = blake2b(text.encode(), digest_size=_BYTES).digest()
            if hash_ < highest and hash_ not in drawn:
                drawn[hash_] = (id_, sentence)
                if len(drawn) > 2 * size:
                    drawn = dict(sorted(drawn.items())[:size])
                    highest = max(drawn)
    kept = [found for _, found in sorted(drawn.items())[:size]]
    names = name_methods(corpus, {id_ for id_, _ in kept})
    return [DrawnComment(sentence, names[id_]) for id_, sentence in kept]


def order_comments(
    comments: Sequence[DrawnComment], counts: Mapping[str, int]
) -> list[DrawnComment]:
    """Comments that the fewest people judged first, else in their order.

    Args:
        comments: what is ordered.
        counts: number of labels by the comment, as ``match_query`` has it.
    """
    return sorted(comments, key=lambda one: counts.get(one.pair[0], 0))
