"""The judge's index of a corpus: the trees of all methods, and an inverted index of their features.

The index lies in a folder with one subfolder per shard of the corpus, ``0000/`` ..., and in each
of them one folder of ``.npy`` files per block of at most ``BLOCK`` methods, which are read by
memory map. A shard is complete once its ``manifest.json`` is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.features import FeatureSet
from ncsbench.aroma.overlap import add_postings
from ncsbench.aroma.trees import Forest
from ncsbench.artifacts.corpus_stamps import note_corpus
from ncsbench.artifacts.storage import map_array, read_json
from ncsbench.errors import DataError

BLOCK = 32_768
"""The most methods of a block, so that their numbers fit into 16 bits."""


class Postings(NamedTuple):
    """Which methods of a block have a feature.

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
        structural: the part of ``common`` that are token and parent features.
    """

    common: NDArray[np.int32]
    distinct: NDArray[np.int32]
    structural: NDArray[np.int32]


@dataclass(frozen=True)
class IndexBlock:
    """Methods ``first_id``, ``first_id + 1``, ... of a corpus.

    Attributes:
        first_id: id of the first.
        sizes: int32, shape (methods,), number of features of each.
        distinct: int32, shape (methods,), number of distinct features of each.
        forest: their trees; a method that cannot be read has an empty one (DEV-23).
        postings: which of them have a feature.
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
        shard: the only one that is opened, whether or not the others are there; None for all.

    Raises:
        DataError: where a shard is missing, or was made from another corpus than the first.
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
        """The blocks in the order of the ids."""
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
