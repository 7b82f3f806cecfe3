"""The judge's index of a corpus: the trees of all methods, and an inverted index of their features.

The index lies in a folder with one subfolder per shard of the corpus, ``0000/`` ..., and in each
subfolder one folder of ``.npy`` files per block of at most ``BLOCK`` methods, which are read by
memory map. A shard is complete once its ``manifest.json`` is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import note_corpus
from ncsbench.base.files.storage import atomic_folder, map_array, read_json, write_array, write_json
from ncsbench.code.aroma.features import (
    NEIGHBOUR,
    FeatureSet,
    body_feature_ids,
    count_features,
    method_codes,
)
from ncsbench.code.aroma.trees import Forest, TreeFolder, join_forests
from ncsbench.errors import DataError

FIRST_UNSTRUCTURAL = np.uint64(NEIGHBOUR << 62)
"""Ids of token and parent features are below this number, those of neighbours and uses are not."""


@njit(cache=True)
def add_postings(
    postings: Any, places: Any, answer_ids: Any, answer_counts: Any, overlap: Any
) -> None:
    """Add the overlap of an answer's features with each method of a block.

    Args:
        postings: a ``judge_index.Postings``.
        places: int64, index of each id of the answer in the vocabulary, or where it would be.
        answer_ids: uint64, ids of the answer's features, ascending.
        answer_counts: int32, how often the answer has each of them.
        overlap: a ``judge_index.Overlap`` of zeros.
    """
    for feature in range(len(answer_ids)):
        place = places[feature]
        id_ = answer_ids[feature]
        if place == len(postings.vocabulary) or postings.vocabulary[place] != id_:
            continue
        wanted = answer_counts[feature]
        for entry in range(postings.starts[place], postings.starts[place + 1]):
            method = postings.methods[entry]
            common = min(wanted, np.int32(postings.counts[entry]))
            overlap.common[method] += common
            overlap.distinct[method] += 1
            if id_ < FIRST_UNSTRUCTURAL:
                overlap.structural[method] += common


BLOCK = 32_768
"""Largest number of methods of a block, so that their numbers fit into 16 bits."""


class Postings(NamedTuple):
    """The methods of a block that have each feature.

    Attributes:
        vocabulary: uint64, ids of all features of the block, ascending.
        starts: int64, shape (features + 1,); feature i is in the methods from ``starts[i]`` on.
        methods: uint16, numbers of methods within the block, ascending for each feature.
        counts: uint16 or uint32, how often the method has the feature.
    """

    vocabulary: NDArray[np.uint64]
    starts: NDArray[np.int64]
    methods: NDArray[np.uint16]
    counts: NDArray[np.uint16]


class Overlap(NamedTuple):
    """Overlap of an answer with each of n methods, int32, shape (n,).

    Attributes:
        common: I, the sum of the minima of the counts.
        distinct: number of distinct common features.
        structural: the part of ``common`` that belongs to token and parent features.
    """

    common: NDArray[np.int32]
    distinct: NDArray[np.int32]
    structural: NDArray[np.int32]


@dataclass(frozen=True)
class IndexBlock:
    """Methods ``first_id``, ``first_id + 1``, ... of a corpus.

    Attributes:
        first_id: id of the first method.
        sizes: int32, shape (methods,), number of features of each.
        distinct: int32, shape (methods,), number of distinct features of each.
        forest: trees of the methods; a method that cannot be read has an empty tree (DEV-23).
        postings: the methods that have each feature.
    """

    first_id: int
    sizes: NDArray[np.int32]
    distinct: NDArray[np.int32]
    forest: Forest
    postings: Postings

    def __len__(self) -> int:
        return len(self.sizes)

    def overlap(self, answer: FeatureSet) -> Overlap:
        """Overlap of an answer with every method of the block."""
        overlap = Overlap(*(np.zeros(len(self), np.int32) for _ in Overlap._fields))
        places = np.searchsorted(self.postings.vocabulary, answer.ids)
        add_postings(self.postings, places, answer.ids, answer.counts, overlap)
        return overlap


class JudgeIndex:
    """An index in a folder, complete or not.

    Args:
        path: the folder.
        shard: the only shard that is opened, whether or not the others are there; None for all.

    Raises:
        DataError: where a shard is missing, or was made from another corpus than the first shard.
    """

    def __init__(self, path: Path, shard: int | None = None) -> None:
        self.path = path
        start = shard or 0
        first = _read_manifest(path, start)
        self.corpus_hash: str = first["corpus_hash"]
        note_corpus(path / f"{start:04}", self.corpus_hash)
        opened = range(first["shards"]) if shard is None else [shard]
        manifests = {number: _read_manifest(path, number) for number in opened}
        for number, manifest in manifests.items():
            if manifest["corpus_hash"] != self.corpus_hash:
                raise DataError(
                    f"{path / f'{number:04}'}: was made from another corpus than {path / '0000'}; "
                    "remove the index and build it again"
                )
        self._blocks = [
            (path / f"{number:04}" / f"{place:04}", block["first_id"])
            for number, manifest in manifests.items()
            for place, block in enumerate(manifest["blocks"])
        ]
        self.methods = sum(b["methods"] for m in manifests.values() for b in m["blocks"])

    def blocks(self) -> Iterator[IndexBlock]:
        """Iterate over the blocks in the order of the ids."""
        for path, first_id in self._blocks:
            yield read_block(path, first_id)


def read_block(path: Path, first_id: int) -> IndexBlock:
    """Open one block by memory map."""

    def read(name: str) -> NDArray[Any]:
        return map_array(path / f"{name}.npy")

    return IndexBlock(
        first_id=first_id,
        sizes=read("sizes"),
        distinct=read("distinct"),
        forest=Forest(*(read(f"forest_{field}") for field in Forest._fields)),
        postings=Postings(*(read(f"postings_{field}") for field in Postings._fields)),
    )


def _read_manifest(path: Path, shard: int) -> dict[str, Any]:
    manifest = path / f"{shard:04}" / "manifest.json"
    if not manifest.exists():
        raise DataError(f"{manifest}: is missing; make it with 'ncsbench stage judge_index'")
    about: dict[str, Any] = read_json(manifest)
    return about


_CHUNK = 1024  # methods that are folded at once


def build_shard(
    codes: Iterator[str], *, shard: int, shards: int, first_id: int, corpus_hash: str, output: Path
) -> None:
    """Index the methods of one shard of a corpus.

    Args:
        codes: texts of the methods in the order of their ids.
        shard: number of the shard.
        shards: number of shards of the corpus.
        first_id: id of the first method.
        corpus_hash: hash of the corpus, which all shards of an index must share.
        output: folder of the whole index; the shard's own folder in it is replaced.
    """
    blocks: list[dict[str, int]] = []
    with atomic_folder(output / f"{shard:04}") as folder:
        while block := list(islice(codes, BLOCK)):
            _write_block(folder / f"{len(blocks):04}", build_block(block, first_id))
            blocks.append({"first_id": first_id, "methods": len(block)})
            first_id += len(block)
        about = {"shards": shards, "corpus_hash": corpus_hash, "blocks": blocks}
        write_json(folder / "manifest.json", about)


def build_block(codes: list[str], first_id: int) -> IndexBlock:
    """Index at most ``BLOCK`` methods, given by their texts, in memory."""
    forest = _fold_methods(codes)
    features = [count_features(body_feature_ids(forest, body)[0]) for body in range(len(codes))]
    sizes = np.array([one.size for one in features], np.int32)
    distinct = np.array([len(one.ids) for one in features], np.int32)
    return IndexBlock(first_id, sizes, distinct, forest, _invert(features, distinct))


def _write_block(folder: Path, block: IndexBlock) -> None:
    arrays: dict[str, NDArray[Any]] = {"sizes": block.sizes, "distinct": block.distinct}
    arrays |= {f"forest_{name}": array for name, array in block.forest._asdict().items()}
    arrays |= {f"postings_{name}": array for name, array in block.postings._asdict().items()}
    for name, array in arrays.items():
        write_array(folder / f"{name}.npy", array)


def _fold_methods(codes: list[str]) -> Forest:
    folder = TreeFolder()
    forests = []
    for start in range(0, len(codes), _CHUNK):
        chunk = codes[start : start + _CHUNK]
        forests.append(folder.fold([method_codes(code, folder) for code in chunk]))
    return join_forests(forests)


def _invert(features: list[FeatureSet], distinct: NDArray[np.int32]) -> Postings:
    """Make postings of methods, given the features of each."""
    ids = np.concatenate([one.ids for one in features])
    counts = np.concatenate([one.counts for one in features])
    methods = np.repeat(np.arange(len(features), dtype=np.uint16), distinct)
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    firsts = np.flatnonzero(np.append(True, ids[1:] != ids[:-1])[: len(ids)])
    smallest = np.uint16 if counts.max(initial=0) < 1 << 16 else np.uint32
    return Postings(
        vocabulary=ids[firsts],
        starts=np.append(firsts, len(ids)).astype(np.int64),
        methods=methods[order],
        counts=counts[order].astype(smallest),
    )
