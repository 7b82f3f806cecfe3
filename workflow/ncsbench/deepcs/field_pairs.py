"""Training pairs as fields and descriptions in ids, with the vocabularies that they give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.deepcs.field_lists import FIELDS, CodeLists, WordLists
from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.deepcs.method_fields import read_fields, split_description
from ncsbench.networks.id_lists import IdLists
from ncsbench.pairs.held_out_pairs import PairParts
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.text.bpe_vocabulary import PAD, UNKNOWN, BpeVocabulary

DESCRIPTION = "description"
_TEXTS = ["query", "code", "class_name"]


@dataclass(frozen=True)
class FieldPairs:
    """Pairs of a method and its description."""

    code: CodeLists
    descriptions: IdLists

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.code)


@dataclass(frozen=True)
class ReadPairs:
    """What files of pairs give.

    Attributes:
        training: pairs to train on.
        valid: pairs to stop by.
        vocabularies: of each field and of ``description``, from the pairs to train on, or from
            those of other files.
        empty: pairs that were left out, without a word on a side.
        digest: of all pairs.
    """

    training: FieldPairs
    valid: FieldPairs
    vocabularies: dict[str, BpeVocabulary]
    empty: int
    digest: str


def read_pairs(
    paths: Sequence[Path], options: FieldEncoderOptions, *, vocabulary_paths: Sequence[Path] = ()
) -> ReadPairs:
    """Read files of ``PAIR_SCHEMA``; pairs are held out as DEV-160 says.

    Where a pair names no class, calls on the own class are left out of its API sequence.

    Args:
        paths: the files.
        options: of the network.
        vocabulary_paths: files whose pairs to train on give the vocabularies; none for the same.
    """
    own = _PairWords(paths, options)
    others = own if list(vocabulary_paths or paths) == list(paths) else None
    vocabularies = (others or _PairWords(vocabulary_paths, options)).learn_vocabularies()
    training, valid = (own.encode(vocabularies, trained=trained) for trained in (True, False))
    return ReadPairs(training, valid, vocabularies, own.empty, own.digest)


class _PairWords:
    """The words of the pairs of files.

    Attributes:
        empty: pairs that were left out, without a word on a side.
        digest: of all pairs.
    """

    def __init__(self, paths: Sequence[Path], options: FieldEncoderOptions) -> None:
        parts = PairParts(paths, options)
        self._options, self.digest, self.empty = options, parts.digest, 0
        self._words = {name: WordLists(length) for name, length in options.lengths.items()}
        trained: list[bool] = []
        for query, code, own_class in _iterate(paths):
            part = parts.find(query, code)
            if part is None:
                continue
            fields, description = read_fields(code, own_class), split_description(query)
            if not (description and (fields.name or fields.api or fields.tokens)):
                self.empty += 1
                continue
            for field in FIELDS:
                self._words[field].add(getattr(fields, field))
            self._words[DESCRIPTION].add(description)
            trained.append(part == "train")
        self._trained = np.array(trained, bool)

    def learn_vocabularies(self) -> dict[str, BpeVocabulary]:
        """Those of the pairs to train on."""
        rows = np.flatnonzero(self._trained)
        size = self._options.vocabulary_size
        return {name: own.learn(rows, size) for name, own in self._words.items()}

    def encode(self, vocabularies: Mapping[str, BpeVocabulary], *, trained: bool) -> FieldPairs:
        """The pairs to train on, or to stop by."""
        unknown, rows = unknown_id(self._options), np.flatnonzero(self._trained == trained)
        lists = {
            name: own.encode(vocabularies[name], unknown=unknown).take(rows)
            for name, own in self._words.items()
        }
        code = CodeLists(*(lists[field] for field in FIELDS))
        return FieldPairs(code, drop_padding(lists[DESCRIPTION]))


def unknown_id(options: FieldEncoderOptions) -> int:
    """The id of words that are in no vocabulary."""
    return PAD if options.unknown_words == "padding" else UNKNOWN


def drop_padding(lists: IdLists) -> IdLists:
    """Without ids that are the padding: networks skip it in descriptions (DEV-187)."""
    kept = lists.ids != PAD
    counts = np.concatenate([[0], np.cumsum(kept)])
    return IdLists(counts[lists.offsets], lists.ids[kept])


def describe_pairs(pairs: ReadPairs) -> dict[str, Any]:
    """What records of trainings say of pairs."""
    return {
        "trained": len(pairs.training),
        "held_out": len(pairs.valid),
        "without_words": pairs.empty,
    }


def _iterate(paths: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    for path in paths:
        for table in iterate_tables(path, PAIR_SCHEMA, _TEXTS):
            yield from zip(*(table[name].to_pylist() for name in _TEXTS), strict=True)
