"""Training pairs as fields and descriptions in ids, with the vocabularies that they give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
        vocabularies: of each field and of ``description``, from the pairs to train on.
        empty: pairs that were left out, without a word on a side.
        digest: of all pairs.
    """

    training: FieldPairs
    valid: FieldPairs
    vocabularies: dict[str, BpeVocabulary]
    empty: int
    digest: str


def read_pairs(paths: Sequence[Path], options: FieldEncoderOptions) -> ReadPairs:
    """Read files of ``PAIR_SCHEMA``; pairs are held out as DEV-160 says.

    Where a pair names no class, calls on the own class are left out of its API sequence.
    """
    parts = PairParts(paths, options)
    words = {name: WordLists(length) for name, length in options.lengths.items()}
    trained: list[bool] = []
    empty = 0
    for query, code, own_class in _iterate(paths):
        part = parts.find(query, code)
        if part is None:
            continue
        fields, description = read_fields(code, own_class), split_description(query)
        if not (description and (fields.name or fields.api or fields.tokens)):
            empty += 1
            continue
        for field in FIELDS:
            words[field].add(getattr(fields, field))
        words[DESCRIPTION].add(description)
        trained.append(part == "train")
    chosen = np.array(trained, bool)
    rows = np.flatnonzero(chosen)
    vocabularies = {name: own.learn(rows, options.vocabulary_size) for name, own in words.items()}
    unknown = unknown_id(options)
    lists = {name: own.encode(vocabularies[name], unknown=unknown) for name, own in words.items()}
    code_lists = CodeLists(*(lists[field] for field in FIELDS))

    def take(own: NDArray[np.int64]) -> FieldPairs:
        descriptions = lists[DESCRIPTION].take(own)
        return FieldPairs(code_lists.take(own), drop_padding(descriptions))

    return ReadPairs(take(rows), take(np.flatnonzero(~chosen)), vocabularies, empty, parts.digest)


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
