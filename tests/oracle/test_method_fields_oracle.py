"""Fields of methods against those that DeepCS's authors released beside the code."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ncsbench.code.java.search_fields import find_names
from ncsbench.learning.deepcs.method_fields import MethodFields, read_fields

pytestmark = pytest.mark.shared
Row = tuple[dict[str, Any], MethodFields]


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[Row]:
    with gzip.open(shared / "data" / "pairs" / "deepcs-10k.jsonl.gz", "rt") as file:
        released = [json.loads(line) for line in file]
    return [(row, read_fields(row["code"])) for row in released]


def measure(pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> tuple[float, float]:
    """Share of equal lists, and the mean F1 of their tokens with repetitions."""
    equal, scores = [], []
    for one, other in pairs:
        common = sum((Counter(one) & Counter(other)).values())
        scores.append(2 * common / (len(one) + len(other)) if one or other else 1.0)
        equal.append(list(one) == list(other))
    return sum(equal) / len(equal), sum(scores) / len(scores)


def drop_own_calls(api: Iterable[str], own: Collection[str]) -> list[str]:
    """Without calls of these members of a class without type arguments."""
    kept: list[str] = []
    for token in api:
        if token in own and kept and kept[-1] != ">":
            kept.pop()
        else:
            kept.append(token)
    return kept


def find_own_calls(code: str) -> set[str]:
    """Names that are called without a receiver, or on ``this``."""
    called = {name for name, kind in find_names(code) if kind == "call"}
    tokens = code.split()
    received = [(tokens[i - 2], tokens[i]) for i in range(2, len(tokens)) if tokens[i - 1] == "."]
    others = {name for receiver, name in received if receiver != "this"}
    return called - others


def test_names_are_those_of_the_released_data(rows: list[Row]) -> None:
    equal, f1 = measure((row["name"].split(), fields.name) for row, fields in rows)
    assert equal > 0.95 and f1 > 0.97


def test_tokens_are_mostly_those_of_the_released_data(rows: list[Row]) -> None:
    equal, f1 = measure(
        (sorted(row["tokens"].split()), sorted(fields.tokens)) for row, fields in rows
    )
    assert equal > 0.58 and f1 > 0.93


def test_api_sequences_are_near_those_of_the_released_data(rows: list[Row]) -> None:
    pairs = [
        tuple(drop_own_calls(api, own) for api in (row["api"].split(), fields.api))
        for row, fields in rows
        for own in [find_own_calls(row["code"])]
    ]
    equal, f1 = measure(pairs)
    assert equal > 0.4 and f1 > 0.76
