"""Features of candidates: a table whose columns say their names and groups themselves.

Which features there are is said by who computes them, as a mapping from name to group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ncsbench.artifacts.corpus_stamps import of_corpus
from ncsbench.artifacts.hashes import check_file
from ncsbench.artifacts.storage import iterate_tables
from ncsbench.errors import DataError
from ncsbench.learning_to_rank.tree_options import FEATURE_NAME

Floats = NDArray[np.float32]
KEYS = ("query_id", "method")
_GROUP = b"group"
_ROWS = 1 << 16


def feature_schema(groups: Mapping[str, str]) -> pa.Schema:
    """The schema of a file of features; its rows are sorted by (query_id, method).

    Args:
        groups: the group of each feature by name, in the order of the columns.

    Returns:
        ``query_id`` int32, ``method`` int64 (a method id) and one float32 column a feature, whose
        metadata has its group. None may be null.

    Raises:
        DataError: where a name is not lower-case letters, digits and ``_``, or that of a key.
    """
    for name in (*groups, *groups.values()):
        if not FEATURE_NAME.fullmatch(name) or name in KEYS:
            raise DataError(
                f"feature {name!r}: names of features and groups are lower-case letters, digits and"
                f" _, and not {' or '.join(KEYS)}"
            )
    fields = [pa.field("query_id", pa.int32(), nullable=False)]
    fields.append(pa.field("method", pa.int64(), nullable=False))
    fields += [
        pa.field(name, pa.float32(), nullable=False, metadata={_GROUP: group.encode()})
        for name, group in groups.items()
    ]
    return of_corpus(pa.schema(fields))


def read_groups(path: Path) -> dict[str, str]:
    """The group of each feature of a file, by name, in the order of the columns.

    Raises:
        DataError: where the file is no Parquet or its columns are not those of features.
    """
    check_file(path)
    try:
        schema = pq.read_schema(path)
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"{path}: cannot be read as Parquet ({error})") from error
    groups = {
        field.name: (field.metadata or {}).get(_GROUP, b"").decode("utf-8", "replace")
        for field in schema
        if field.name not in KEYS
    }
    try:
        expected = feature_schema(groups)
    except DataError as error:
        raise DataError(f"{path}: is no file of features ({error})") from error
    if not schema.equals(expected):
        raise DataError(f"{path}: is no file of features: its columns are {schema.names}")
    return groups


def iterate_features(path: Path, groups: Mapping[str, str]) -> Iterator[Floats]:
    """Stream the features of a file, in the order of its rows.

    Args:
        path: the file.
        groups: its features, of ``read_groups``.

    Yields:
        float32, shape (rows, features).

    Raises:
        DataError: where a value is not finite; names the feature.
    """
    names = list(groups)
    for table in iterate_tables(path, feature_schema(groups), names, _ROWS):
        block = np.empty((len(table), len(names)), np.float32)
        for place, name in enumerate(names):
            block[:, place] = table[name].to_numpy()
        finite = np.isfinite(block).all(axis=0)
        if not finite.all():
            raise DataError(
                f"{path}: {names[int(np.argmin(finite))]} has a value that is no finite number;"
                " make the features again"
            )
        yield block
