"""Which repository each method of a corpus lies in, as numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.layout import CorpusFolder


def number_repositories(corpus: CorpusFolder) -> tuple[NDArray[np.int64], list[str]]:
    """Number of the repository of every method, from 0 by name, and the names in this order.

    Returns:
        int64, shape (methods,), index = method id; ``owner/name`` of each repository that has one.
    """
    numbers: dict[str, int] = {}
    parts = [np.zeros(0, np.int64)]
    for table in corpus.iterate_methods(["repository"]):
        names = table["repository"].combine_chunks().dictionary_encode()
        known = [numbers.setdefault(n, len(numbers)) for n in names.dictionary.to_pylist()]
        parts.append(np.array(known, np.int64)[names.indices.to_numpy()])
    return np.concatenate(parts), list(numbers)
