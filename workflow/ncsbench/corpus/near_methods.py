"""Methods that are near an earlier one by their identifiers, of which a corpus may keep the first.

As Allamanis (The Adverse Effects of Code Duplication in Machine Learning Models of Code, 2019) and
CodeSearchNet find near duplicates (DEV-106).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.corpus.near_join import Nearness, find_first_near
from ncsbench.languages.java_terms import RESERVED
from ncsbench.text.possessive_groups import compile_possessive

_TOKEN = compile_possessive(
    r"""//[^\n\r]*+|/\*.*?(?:\*/|\Z)
    |"{3}.*?(?:(?<!\\)"{3}|\Z)|"(?:[^"\\\n\r]|\\.)*+"?|'(?:[^'\\\n\r]|\\.)*+'?
    |\d(?:[eEpP][+-]\d|[\w$.])*+|([\w$]++)""",
    re.VERBOSE | re.DOTALL,
)


def find_identifiers(code: str) -> list[str]:
    """The identifiers of Java code in text order, repetitions kept.

    Names, types and annotations; not what stands in comments and literals, and no reserved word.
    Nothing is parsed, so that broken code is read as well.
    """
    return [token for token in _TOKEN.findall(code) if token and token not in RESERVED]


def find_first_near_methods(
    methods: Iterable[pa.Table], nearness: Nearness | None = None
) -> NDArray[np.int64]:
    """Position of the first method of each method's cluster of near ones.

    Only numbers of identifiers are held, and each distinct identifier once.

    Args:
        methods: column ``code`` of all methods, in the order of their positions.
        nearness: when two are near; else the defaults.

    Returns:
        int64, shape (methods,); a method without an earlier one has its own position.
    """
    numbers: dict[str, int] = {}
    tokens, offsets = array("i"), array("q", [0])
    for table in methods:
        for code in table["code"].to_pylist():
            identifiers = find_identifiers(code)
            tokens.extend([numbers.setdefault(one, len(numbers)) for one in identifiers])
            offsets.append(len(tokens))
    return find_first_near(
        np.frombuffer(offsets, np.int64),
        np.frombuffer(tokens, np.int32),
        nearness or Nearness(),
    )
