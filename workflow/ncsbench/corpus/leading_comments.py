"""The comments that stand before each method of a corpus."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.corpus.corpus_schemas import ITEM_SCHEMA
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.languages.java_terms import ItemKind


def iterate_leading_comments(corpus: CorpusFolder) -> Iterator[list[str]]:
    """The comments directly before each method, with their marks, in the order of the ids.

    They are the items before the name of the class, of which every method has one.
    """
    for path in corpus.shard_paths("items"):
        for table in iterate_tables(path, ITEM_SCHEMA, ["kinds", "texts"]):
            kinds, texts = (table[name].combine_chunks() for name in ("kinds", "texts"))
            lengths = kinds.value_lengths().to_numpy()
            names = np.flatnonzero(kinds.flatten().to_numpy() == ItemKind.CLASS_NAME)
            before = np.arange(lengths.sum()) < np.repeat(names, lengths)
            comments = texts.flatten().filter(pa.array(before)).to_pylist()
            stops = np.cumsum(names - (np.cumsum(lengths) - lengths)).tolist()
            for start, stop in zip([0, *stops], stops, strict=False):
                yield comments[start:stop]
