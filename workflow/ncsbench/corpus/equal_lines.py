"""Methods with equal text at equal lines, of which a corpus may keep the first.

By this rule the released list seems to leave copies out (``docs/corpus-counts.md``).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.corpus.first_of_equal import MethodHashes

COLUMNS = ["method_name", "start_line", "end_line", "code"]
"""What methods are compared by."""


def find_first_copies(methods: Iterable[pa.Table]) -> NDArray[np.int64]:
    """Position of the first method with the same name, body and lines, for every method.

    The types of parameters and result do not count, white space in the body does.

    Args:
        methods: ``COLUMNS`` of all methods, in the order of their positions.

    Returns:
        int64, shape (methods,); a method without an earlier one has its own position.
    """
    hashes = MethodHashes()
    for table in methods:
        for row in table.to_pylist():
            body = row["code"].partition("{")[2]
            # No field contains a NUL, so fields cannot be confused.
            hashes.add(
                "\0".join([row["method_name"], f"{row['start_line']}-{row['end_line']}", body])
            )
    return hashes.find_first()
