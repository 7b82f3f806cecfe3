"""Builds the judge's index of a corpus, one shard at a time, in blocks of limited size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.features import FeatureSet, body_feature_ids, count_features, method_codes
from ncsbench.aroma.trees import Forest, TreeFolder, join_forests
from ncsbench.artifacts.storage import atomic_folder, write_array, write_json
from ncsbench.judge.judge_index import BLOCK, IndexBlock, Postings

_CHUNK = 1024  # methods that are folded at once


def build_shard(
    codes: Iterator[str], *, shard: int, shards: int, first_id: int, corpus_hash: str, output: Path
) -> None:
    """Index the methods of one shard of a corpus.

    Args:
        codes: their texts in the order of their ids.
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
        forests.append(folder.fold([method_codes(code, folder) for code in chunk])[0])
    return join_forests(forests)


def _invert(features: list[FeatureSet], distinct: NDArray[np.int32]) -> Postings:
    """Postings of methods, given the features of each."""
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
