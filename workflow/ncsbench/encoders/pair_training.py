"""Joint encoders trained on the pairs of a dataset.

A query is split like documentation, code like a function. Pairs are held out by their query, as
those of UNIF are (DEV-160): depending neither on a seed nor on the order of the pairs.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.artifacts.storage import iterate_tables, write_json, write_tables
from ncsbench.encoders.encoder_options import (
    EncoderSettings,
    PairEncoderOptions,
    PairEncoderSettings,
)
from ncsbench.encoders.training import train_encoder
from ncsbench.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.functions.function_texts import tokenize_docstring
from ncsbench.functions.java_functions import tokenize_java
from ncsbench.pairs.held_out_pairs import PairParts
from ncsbench.pairs.pair_schema import PAIR_SCHEMA

LANGUAGE = "java"
_EMPTY = {
    **{pa.string(): "", pa.int32(): 0, pa.int64(): 0},
    **{pa.bool_(): True, pa.list_(pa.string()): []},
}
_LOG = logging.getLogger(__name__)


def write_pair_corpus(paths: Sequence[Path], folder: Path, options: PairEncoderOptions) -> None:
    """Write pairs as ``functions.parquet`` and ``manifest.json`` of a corpus of functions.

    Its parts are ``train`` and ``valid``; code is there as tokens only, and no function has a name.
    Where more than half of the queries would be held out, none is.

    Args:
        paths: Parquet files of ``PAIR_SCHEMA``.
        folder: of the corpus.
        options: how many pairs are held out.
    """
    parts = PairParts(paths, options)
    written = dict.fromkeys(("train", "valid"), 0)

    def iterate_functions() -> Iterator[pa.Table]:
        for table in _iterate_pairs(paths):
            rows = []
            for query, code in zip(*(table[name].to_pylist() for name in _TEXTS), strict=True):
                part = parts.find(query, code)
                if part is None:
                    continue
                written[part] += 1
                rows.append(
                    {
                        **_BLANK,
                        "function_id": sum(written.values()) - 1,
                        "docstring_tokens": tokenize_docstring(query),
                        "code_tokens": tokenize_java(code),
                        "part": part,
                    }
                )
            yield pa.Table.from_pylist(rows, schema=FUNCTION_SCHEMA)

    write_tables(folder / "functions.parquet", iterate_functions(), FUNCTION_SCHEMA)
    _LOG.info("%d pairs to train on, %d to stop by", written["train"], written["valid"])
    write_json(
        folder / "manifest.json",
        {
            "language": LANGUAGE,
            "functions": sum(written.values()),
            "pairs": written,
            "corpus_hash": parts.digest,
        },
    )


_TEXTS = ["query", "code"]
_BLANK = {field.name: _EMPTY[field.type] for field in FUNCTION_SCHEMA}


def _iterate_pairs(paths: Sequence[Path]) -> Iterator[pa.Table]:
    for path in paths:
        yield from iterate_tables(path, PAIR_SCHEMA, _TEXTS)


def train_on_pairs(
    settings: PairEncoderSettings,
    pairs: Sequence[Path],
    checkpoint: Path,
    record: Path,
    output: Path,
) -> None:
    """Train joint encoders of queries and Java on pairs of both.

    Args:
        settings: what to train.
        pairs: files of ``PAIR_SCHEMA``.
        checkpoint: folder to go on from after an interruption; it holds the pairs as a corpus, too,
            and is removed at the end.
        record: folder to write of what tables read about the training.
        output: folder of an encoder to write.
    """
    corpus = checkpoint / LANGUAGE
    write_pair_corpus(pairs, corpus, settings.encoder)
    train_encoder(
        EncoderSettings(encoder=settings.encoder.without_pairs(), seed=settings.seed),
        {LANGUAGE: corpus},
        checkpoint,
        record,
        output,
    )
