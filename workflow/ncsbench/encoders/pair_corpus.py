"""Training pairs of NCSED as a corpus of functions, from which encoders learn.

A query is split like documentation, code like a function. Pairs are held out by their query, as
those of UNIF are (DEV-160): depending neither on a seed nor on the order of the pairs.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.artifacts.storage import iterate_tables, write_json, write_tables
from ncsbench.encoders.pair_encoder_options import PairEncoderOptions
from ncsbench.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.functions.documentation import tokenize_docstring
from ncsbench.functions.java_tokens import tokenize_java
from ncsbench.pairs.pair_schema import PAIR_SCHEMA

LANGUAGE = "java"
_EMPTY = {
    **{pa.string(): "", pa.int32(): 0, pa.int64(): 0},
    **{pa.bool_(): True, pa.list_(pa.string()): []},
}
_BYTES = 16  # That two texts share a digest is out of the question.
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
    parts = _Parts(paths, options)
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


class _Parts:
    """Which pairs are trained on, and which are held out."""

    def __init__(self, paths: Sequence[Path], options: PairEncoderOptions) -> None:
        every, queries = hashlib.sha256(), set()
        for query, code in _iterate_digests(paths):
            every.update(query + code)
            queries.add(query)
        self.digest = every.hexdigest()
        wanted = round(options.held_out * len(queries))
        wanted = min(max(wanted, options.minimum_held_out), options.maximum_held_out)
        if len(queries) < 2 * wanted:
            wanted = 0
        self._held_out = set(sorted(queries)[:wanted])
        self._trained = {
            code for query, code in _iterate_digests(paths) if query not in self._held_out
        }

    def find(self, query: str, code: str) -> str | None:
        """The part of a pair; None for held-out code that another query trains on."""
        if _hash_query(query) not in self._held_out:
            return "train"
        return None if _hash_code(code) in self._trained else "valid"


def _iterate_digests(paths: Sequence[Path]) -> Iterator[tuple[bytes, bytes]]:
    for table in _iterate_pairs(paths):
        for query, code in zip(*(table[name].to_pylist() for name in _TEXTS), strict=True):
            yield _hash_query(query), _hash_code(code)


def _hash_query(text: str) -> bytes:
    """Equal for queries with the same words in any order."""
    return _hash(" ".join(sorted(tokenize_docstring(text.lower()))))


def _hash_code(text: str) -> bytes:
    """Equal for code that differs in white space alone."""
    return _hash(" ".join(text.split()))


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()
