"""Queries made of some of a method's own words, by which the method is to be found again (DEV-93).

The NCS paper (section 3.1) takes 20 % of the words of a method, at least five, at random or those
of the highest TF-IDF. The paper uses all methods of five words or more; we draw some of them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import of_corpus
from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.indexes.document_vectors import inverse_frequencies, weigh_tf_idf
from ncsbench.corpus.layout.documents import TokenLists, load_documents
from ncsbench.errors import ConfigurationError
from ncsbench.studies.ncs_2018.micro_options import Choice, QuerySettings

CHOICES: tuple[Choice, ...] = ("random", "tf_idf")
"""The ways to choose the words of a query."""
SHARES = ("occurrences", "distinct")
"""The words of which 20 % are taken: all words of a method, repeats included, or its distinct
words."""

MICRO_QUERY_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("query_id", pa.int32(), nullable=False),
            pa.field("method", pa.int64(), nullable=False),
            pa.field("query_words", pa.string(), nullable=False),
            pa.field("share_of", pa.string(), nullable=False),
            pa.field("text", pa.string(), nullable=False),
        ]
    )
)
"""Columns of queries; ``query_id`` counts from 1. Every choice and share has the same methods,
ascending."""

_LEAST = 5
_SHARE = 5  # One word out of five is taken.


def write_micro_queries(settings: QuerySettings, words: Path, output: Path) -> None:
    """Draw methods, and some words of each as queries.

    Args:
        settings: number of methods, and the seed.
        words: folder of the corpus as words.
        output: table of ``MICRO_QUERY_SCHEMA`` to write.

    Raises:
        ConfigurationError: where the corpus has too few methods.
    """
    documents = load_documents(words)
    queries = draw_queries(documents.words, count=settings.queries, seed=settings.seed)
    write_table(output, queries, MICRO_QUERY_SCHEMA, corpus_hash=documents.corpus_hash)


def draw_queries(lists: TokenLists, *, count: int, seed: int) -> pa.Table:
    """Draw methods of at least five words, and some words of each.

    Args:
        lists: words of all methods.
        count: number of methods.
        seed: seed of the choice of methods and of their words.

    Returns:
        Rows of ``MICRO_QUERY_SCHEMA``.

    Raises:
        ConfigurationError: where the corpus has no method of five words, or fewer than ``count``.
    """
    long_enough = np.flatnonzero(np.diff(lists.offsets) >= _LEAST)
    if len(long_enough) < count:
        found = f"has {len(long_enough)} methods" if len(long_enough) else "has no method"
        raise ConfigurationError(
            "config/config.yaml or --config: micro_benchmark.queries: the corpus "
            f"{found} of at least {_LEAST} words, and {count} are asked for; get more clones "
            "(docs/datasets.md) or lower it"
        )
    generator = np.random.default_rng(seed)
    methods = np.sort(generator.choice(long_enough, size=count, replace=False))
    inverse = inverse_frequencies(lists)
    texts = [
        " ".join(lists.vocabulary[word] for word in chosen.tolist())
        for choice in CHOICES
        for share in SHARES
        for chosen in (
            _choose_words(lists[method], choice, share, inverse, generator)
            for method in methods.tolist()
        )
    ]
    sets = [(choice, share) for choice in CHOICES for share in SHARES]
    return pa.table(
        {
            "query_id": np.arange(1, len(texts) + 1, dtype=np.int32),
            "method": np.tile(methods, len(sets)),
            "query_words": [choice for choice, _ in sets for _ in range(count)],
            "share_of": [share for _, share in sets for _ in range(count)],
            "text": texts,
        },
        schema=MICRO_QUERY_SCHEMA,
    )


def read_micro_queries(path: Path) -> list[Query]:
    """Read the queries as a ranker gets them: ids and texts."""
    table = read_table(path, MICRO_QUERY_SCHEMA, ["query_id", "text"])
    return [Query(row["query_id"], row["text"]) for row in table.to_pylist()]


def _choose_words(
    tokens: NDArray[np.int32],
    choice: Choice,
    share: str,
    inverse: NDArray[np.float64],
    generator: np.random.Generator,
) -> NDArray[np.int32]:
    """Choose a fifth of the words of a method, rounded, but at least five, or all if it has fewer.

    At random, where the share is of occurrences, a repeated word may be drawn as often as it occurs
    in the method; by TF-IDF each word is taken once.
    """
    words, counts = np.unique(tokens, return_counts=True)
    whole = len(tokens) if share == "occurrences" else len(words)
    number = max(_LEAST, (whole + _SHARE // 2) // _SHARE)
    if choice == "tf_idf":
        weights = weigh_tf_idf(counts, inverse[words])
        return words[np.lexsort((words, -weights))[:number]]
    drawn_from = tokens if share == "occurrences" else words
    size = min(number, len(drawn_from))
    drawn: NDArray[np.int32] = generator.choice(drawn_from, size=size, replace=False)
    return drawn
