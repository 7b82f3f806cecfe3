"""Training pairs from corpora of functions, as ids, with vocabularies made from the pairs.

Files are read as streams, once for the vocabularies and once for the ids; each id stays in memory
as two bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables
from ncsbench.base.networks.id_lists import IdLists, ListBuilder
from ncsbench.base.text.bpe_vocabulary import UNKNOWN_WORD, BpeVocabulary
from ncsbench.base.text.words import split_words
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.learning.encoders.encoder import TokenEncoder, TokenReader
from ncsbench.learning.encoders.encoder_options import EncoderOptions, EncoderSettings

Part = Literal["train", "valid"]
_ORDER = 0  # Stream of random numbers; training has others.
_SHORTEST_NAME = 12  # Characters.
_RELEASED_MASK = "%UNK%"
_TOKENS = ["docstring_tokens", "code_tokens", "identifier"]


@dataclass(frozen=True)
class EncodedPairs:
    """Pairs of all languages, sorted by language.

    Attributes:
        queries: ids of the documentation.
        codes: ids of the code, in the vocabulary of its language.
        languages: number of the language of each pair; uint8, shape (n,).
        names: ids of the function's name as a query; empty where it is too short (DEV-147).
        masked: ids of the code without the name; empty where they equal those of ``codes``.
        empty: number of pairs that were left out since a side has no token.
    """

    queries: IdLists
    codes: IdLists
    languages: NDArray[np.uint8]
    names: IdLists
    masked: IdLists
    empty: int

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.languages)

    def weigh(self) -> NDArray[np.float32]:
        """Return weights that make languages count equally, shape (n,).

        With N pairs and L languages a pair has the weight N / (L * pairs of its language).
        """
        counts = np.bincount(self.languages)
        weights = len(self) / (np.count_nonzero(counts) * np.maximum(counts, 1))
        return weights[self.languages].astype(np.float32)

    def take(
        self, rows: NDArray[np.int64], named: NDArray[np.bool_] | None = None
    ) -> tuple[IdLists, IdLists]:
        """Return queries and code of some pairs.

        Args:
            rows: numbers of the pairs.
            named: True for pairs whose name replaces the documentation if it is long enough, bool,
                shape (rows,); None for no pair.
        """
        queries, codes = self.queries.take(rows), self.codes.take(rows)
        if named is None or not named.any():
            return queries, codes
        names, masked = self.names.take(rows), self.masked.take(rows)
        named = named & (names.lengths > 0)
        return queries.replace(names, named), codes.replace(masked, named & (masked.lengths > 0))


class PairFiles:
    """The pairs of corpora, as files.

    Args:
        corpora: folder of each language's corpus.
        settings: options of reading; the seed orders pairs where ``maximum_pairs`` limits them.

    Raises:
        DataError: where a file is missing or damaged.
    """

    def __init__(self, corpora: Mapping[str, Path], settings: EncoderSettings) -> None:
        self._options = settings.encoder
        self.languages = sorted(corpora)
        self._files = [corpora[name] / "functions.parquet" for name in self.languages]
        counts = [_count_pairs(file) for file in self._files]
        self._chosen = _choose(counts, self._options.maximum_pairs, settings.seed)
        self._query_reader = TokenReader.of_queries(self._options)
        self._code_reader = TokenReader.of_code(self._options)

    def learn_vocabularies(self) -> tuple[BpeVocabulary, dict[str, BpeVocabulary]]:
        """Learn the vocabularies of queries and of each language's code, from training pairs."""
        asked: Counter[str] = Counter()
        codes: dict[str, BpeVocabulary] = {}
        pieces = self._options.code_tokens == "bpe"
        for number, language in enumerate(self.languages):
            found: Counter[str] = Counter()
            for query, code, _ in self._iterate("train", number):
                _count(asked, query, self._query_reader)
                _count(found, code, self._code_reader)
            codes[language] = self._learn(found, self._code_reader, pieces=pieces)
        return self._learn(asked, self._query_reader), codes

    def read(
        self, part: Part, asked: BpeVocabulary, codes: Mapping[str, BpeVocabulary]
    ) -> EncodedPairs:
        """Read the pairs of a part as ids of the vocabularies."""
        query_encoder = TokenEncoder(asked, self._query_reader)
        queries, found, names, masked = (ListBuilder() for _ in range(4))
        counts, empty = [], 0
        for number, language in enumerate(self.languages):
            code_encoder = TokenEncoder(codes[language], self._code_reader)
            read = 0
            for query, code, identifier in self._iterate(part, number):
                if not (query and code):
                    empty += 1
                    continue
                read += 1
                queries.add(query_encoder.encode(query))
                found.add(code_encoder.encode(code))
                if part == "train":
                    name, other = mask_name(identifier, code, self._options)
                    names.add(query_encoder.encode(name))
                    masked.add(code_encoder.encode(other))
            counts.append(read)
        languages = np.repeat(np.arange(len(counts), dtype=np.uint8), counts)
        lists = (queries.build(), found.build()), (names.build(), masked.build())
        return EncodedPairs(*lists[0], languages, *lists[1], empty)

    def _learn(
        self, counts: Counter[str], reader: TokenReader, *, pieces: bool = True
    ) -> BpeVocabulary:
        words: Counter[str] = Counter()
        for token, count in counts.items():
            for word in reader.read(token):
                words[word] += count
        share = self._options.whole_words if pieces else 1.0
        return BpeVocabulary.learn(words, size=self._options.vocabulary_size, whole_words=share)

    def _iterate(self, part: Part, number: int) -> Iterator[tuple[list[str], list[str], str]]:
        """Yield documentation, code and identifier of each pair of a part, in order of the file."""
        done = 0
        columns = [*_TOKENS, "part", "is_pair"]
        for table in iterate_tables(self._files[number], FUNCTION_SCHEMA, columns, rows=2048):
            own = table.filter(pc.and_(table["is_pair"], pc.equal(table["part"], part)))
            chosen = self._chosen[number]
            if part == "train" and chosen is not None:
                own, done = own.filter(chosen[done : done + len(own)]), done + len(own)
            yield from zip(*(own[name].to_pylist() for name in _TOKENS), strict=True)


def mask_name(
    identifier: str, code: list[str], options: EncoderOptions
) -> tuple[list[str], list[str]]:
    """Return a function's name as a query, and the code without the name (DEV-147).

    Returns:
        The words of the name, an empty list where it is too short; and the tokens of the code, an
        empty list where the name does not occur in it.
    """
    released = options.function_names == "as_released"
    name = identifier if released else identifier.rpartition(".")[2]
    if options.function_name_probability == 0 or len(name) < _SHORTEST_NAME:
        return [], []
    if name not in code:
        return split_words(name), []
    mask = _RELEASED_MASK if released else UNKNOWN_WORD
    return split_words(name), [mask if token == name else token for token in code]


def _count_pairs(file: Path) -> int:
    tables = iterate_tables(file, FUNCTION_SCHEMA, ["part", "is_pair"])
    found = (pc.and_(table["is_pair"], pc.equal(table["part"], "train")) for table in tables)
    return sum(pc.sum(column).as_py() or 0 for column in found)


def _choose(counts: list[int], maximum: int, seed: int) -> list[NDArray[np.bool_] | None]:
    """Choose the pairs of each language; with the same seed fewer pairs are a subset of more."""
    total = sum(counts)
    if not 0 < maximum < total:
        return [None for _ in counts]
    chosen = np.zeros(total, bool)
    chosen[np.random.default_rng([seed, _ORDER]).permutation(total)[:maximum]] = True
    return list(np.split(chosen, np.cumsum(counts)[:-1]))


def _count(counts: Counter[str], tokens: list[str], reader: TokenReader) -> None:
    counts.update([token[: reader.longest] for token in tokens])
