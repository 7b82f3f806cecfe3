"""Building the judge's index of a corpus, one shard at a time and in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ncsbench.judge.collecting import collect_features
from ncsbench.judge.features import ALL_LEAVES, method_codes
from ncsbench.judge.index import BLOCK, Postings
from ncsbench.judge.trees import Forest, TreeFolder, join_forests
from ncsbench.storage import atomic_folder, write_array, write_json

_CHUNK = 1024  # methods that are folded at once
_LIST_START = 64


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
            _write_block(folder / f"{len(blocks):04}", block)
            blocks.append({"first_id": first_id, "methods": len(block)})
            first_id += len(block)
        about = {"shards": shards, "corpus_hash": corpus_hash, "blocks": blocks}
        write_json(folder / "manifest.json", about)


def _write_block(folder: Path, codes: list[str]) -> None:
    forest = _fold_methods(codes)
    entries, sizes, distinct = _collect_entries(forest, ALL_LEAVES)
    arrays: dict[str, NDArray[Any]] = {"sizes": sizes, "distinct": distinct}
    arrays |= {f"forest_{name}": array for name, array in forest._asdict().items()}
    postings = _invert(*entries)
    arrays |= {f"postings_{name}": array for name, array in postings._asdict().items()}
    for name, array in arrays.items():
        write_array(folder / f"{name}.npy", array)


def _fold_methods(codes: list[str]) -> Forest:
    folder = TreeFolder()
    forests = []
    for start in range(0, len(codes), _CHUNK):
        chunk = codes[start : start + _CHUNK]
        forests.append(folder.fold([method_codes(code, folder) for code in chunk])[0])
    return join_forests(forests)


def _invert(
    ids: NDArray[np.uint64], methods: NDArray[np.uint16], counts: NDArray[np.int32]
) -> Postings:
    """Postings from entries in the order of the methods."""
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


@njit(cache=True)
def _collect_entries(forest: Any, all_leaves: Any) -> Any:
    """Per method its distinct features ascending, with counts; sizes of the methods."""
    methods = len(forest.body_leaves) - 1
    sizes = np.zeros(methods, np.int32)
    distinct = np.zeros(methods, np.int32)
    capacity = _LIST_START * methods + _LIST_START
    ids = np.empty(capacity, np.uint64)
    owners = np.empty(capacity, np.uint16)
    counts = np.empty(capacity, np.int32)
    made = 0
    for method in range(methods):
        ids_of_method, _ = collect_features(forest, method, all_leaves)
        ordered = np.sort(ids_of_method)
        sizes[method] = len(ordered)
        if made + len(ordered) > len(ids):
            capacity = 2 * (made + len(ordered))
            ids, owners, counts = (
                _grow(ids, made, capacity), _grow(owners, made, capacity),
                _grow(counts, made, capacity),
            )  # fmt: skip
        for i in range(len(ordered)):
            if i and ordered[i] == ordered[i - 1]:
                counts[made - 1] += 1
                continue
            ids[made], owners[made], counts[made] = ordered[i], method, 1
            made += 1
            distinct[method] += 1
    return (ids[:made], owners[:made], counts[:made]), sizes, distinct


@njit(cache=True)
def _grow(array: Any, used: Any, capacity: Any) -> Any:
    grown = np.empty(capacity, array.dtype)
    grown[:used] = array[:used]
    return grown
