"""The methods of each haystack, as a table."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import of_corpus
from ncsbench.base.files.storage import read_table
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.haystacks.haystack_options import ALL, BASE, WITHOUT_EXAMPLES

MEMBER_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            pa.field("repository", pa.int32(), nullable=False),
            pa.field("joins", pa.string(), nullable=False),
            pa.field("example", pa.bool_(), nullable=False),
        ]
    )
)
"""Every method by ascending id: number of its repository, the first haystack of ``name_series``
that has the method, and whether it is a published example or near-identical to one."""


def read_haystack(members: Path | None, haystack: str | None) -> NDArray[np.bool_] | None:
    """Read the methods of a haystack, bool, shape (methods,), index = method id; None for all.

    Args:
        members: table of ``MEMBER_SCHEMA``.
        haystack: name of the haystack.

    Raises:
        ConfigurationError: where only one of both is given, or the table has no such haystack.
    """
    if members is None or haystack is None:
        if members is None and haystack is None:
            return None
        raise ConfigurationError("retrieve: --haystack and --members go together; give both")
    table = read_table(members, MEMBER_SCHEMA)
    try:
        return choose_methods(table, haystack)
    except ValueError as error:
        raise ConfigurationError(f"{members}: has no haystack {haystack!r}") from error


def choose_methods(members: pa.Table, haystack: str) -> NDArray[np.bool_]:
    """Choose the methods of a haystack from the table; ``ValueError`` for an unknown name."""
    name = haystack.removesuffix(WITHOUT_EXAMPLES)
    joins = members["joins"].combine_chunks().dictionary_encode()
    places = np.array([_place(one) for one in joins.dictionary.to_pylist()], np.float64)
    joined: NDArray[np.bool_] = (places <= _place(name))[joins.indices.to_numpy()]
    in_base = (places == _place(BASE))[joins.indices.to_numpy()]
    chosen: NDArray[np.bool_] = ~members["example"].to_numpy() | (in_base & (name == haystack))
    return joined & chosen


def _place(haystack: str) -> float:
    """The number of methods that a growing haystack is named by; 0 for base, infinity for all."""
    return {BASE: 0.0, ALL: math.inf}[haystack] if haystack in (BASE, ALL) else int(haystack)
