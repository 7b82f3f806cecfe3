"""Finds the method that each method is a duplicate of, by lines, words or identifiers.

A corpus may keep only the first method of each set of duplicates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.text.possessive_groups import compile_possessive
from ncsbench.code.java.java_terms import RESERVED
from ncsbench.corpus.layout.corpus_settings import DuplicateRule, WordOptions
from ncsbench.corpus.layout.documents import find_first_of_equal, hash_texts
from ncsbench.corpus.methods.word_extraction import WordCollector, extract_words

if TYPE_CHECKING:  # it loads numba
    from ncsbench.corpus.methods.near_join import Nearness

COLUMNS = ["method_name", "start_line", "end_line", "code"]
"""Columns by which methods are compared for equal lines."""
_TOKEN = compile_possessive(
    r"""//[^\n\r]*+|/\*.*?(?:\*/|\Z)
    |"{3}.*?(?:(?<!\\)"{3}|\Z)|"(?:[^"\\\n\r]|\\.)*+"?|'(?:[^'\\\n\r]|\\.)*+'?
    |\d(?:[eEpP][+-]\d|[\w$.])*+|([\w$]++)""",
    re.VERBOSE | re.DOTALL,
)


def find_first(
    rule: DuplicateRule, read: Callable[[list[str]], Iterable[pa.Table]]
) -> NDArray[np.int64]:
    """Position of the first method of which each method is a duplicate.

    Args:
        rule: the definition of a duplicate.
        read: streams some columns of all methods, those of items among them, in the order of their
            positions.

    Returns:
        int64, shape (methods,); a method that is no duplicate has its own position.
    """
    if rule == "equal_lines":
        return find_first_copies(read(COLUMNS))
    if rule == "equal_words":
        return find_first_methods(read(["kinds", "texts"]))
    return find_first_near_methods(read(["code"]))


def find_first_copies(methods: Iterable[pa.Table]) -> NDArray[np.int64]:
    """Position of the first method with the same name, body and lines, for every method.

    The types of parameters and result do not count, white space in the body does. By this rule the
    released list seems to leave copies out (``docs/corpus.md``).

    Args:
        methods: ``COLUMNS`` of all methods, in the order of their positions.

    Returns:
        int64, shape (methods,); a method without an earlier one has its own position.
    """
    # No field contains a NUL, so fields cannot be confused.
    texts = (
        f"{row['method_name']}\0{row['start_line']}-{row['end_line']}\0"
        f"{row['code'].partition('{')[2]}"
        for table in methods
        for row in table.to_pylist()
    )
    return find_first_of_equal(hash_texts(texts))


def find_first_methods(items: Iterable[pa.Table]) -> NDArray[np.int64]:
    """Position of the first method with the same words, for every method (DEV-89).

    Words are those of the default options; equal are the same words in the same order. Only a hash
    of each method's words is held.

    Args:
        items: columns ``kinds`` and ``texts`` of all methods, in the order of their positions.

    Returns:
        int64, shape (methods,); a method without an earlier one has its own position.
    """
    words = (extract_words(table, WordOptions()) for table in items)
    return find_first_of_equal(hash_texts(text for some in words for text in some.join()))


def find_identifiers(code: str) -> list[str]:
    """The identifiers of Java code in text order, repetitions kept.

    Identifiers are names, types and annotations; reserved words and the contents of comments and
    literals are left out. Nothing is parsed, so that broken code is read as well.
    """
    return [token for token in _TOKEN.findall(code) if token and token not in RESERVED]


def find_first_near_methods(
    methods: Iterable[pa.Table], nearness: Nearness | None = None
) -> NDArray[np.int64]:
    """Position of the first method of each method's cluster of near ones by identifiers.

    As Allamanis (The Adverse Effects of Code Duplication in Machine Learning Models of Code, 2019)
    and CodeSearchNet find near duplicates (DEV-106). Only numbers of identifiers are held, and each
    distinct identifier once.

    Args:
        methods: column ``code`` of all methods, in the order of their positions.
        nearness: thresholds from which two methods are near; None for the defaults.

    Returns:
        int64, shape (methods,); a method without an earlier one has its own position.
    """
    # It loads numba, which no other corpus needs.
    from ncsbench.corpus.methods.near_join import Nearness, find_first_near

    collector = WordCollector(find_identifiers)
    for table in methods:
        collector.add(table["code"].combine_chunks(), np.arange(len(table)), len(table))
    bags = collector.finish()
    return find_first_near(bags.offsets, bags.tokens, nearness or Nearness())
