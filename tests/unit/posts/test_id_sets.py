"""Sets of ids as bits."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.files.storage import write_array
from ncsbench.errors import DataError
from ncsbench.posts.dump.dump_passes import IdSet, load_ids

NUMBERS = st.lists(st.integers(1, 3_000_000), max_size=20)


@given(NUMBERS)
def test_sets_hold_what_was_put_in(numbers: list[int]) -> None:
    ids = IdSet()
    expected = set(numbers)
    for number in numbers:
        ids.add(number)
    asked = sorted({*expected, *(number + 1 for number in expected), 2**30 - 1})
    assert [number in ids for number in asked] == [number in expected for number in asked]


def test_saved_sets_are_joined_and_asked(tmp_path: Path) -> None:
    parts = []
    for part, numbers in enumerate(([1, 9_000_000], [], [2, 300_000_000])):
        ids = IdSet()
        for number in numbers:
            ids.add(number)
        parts.append(tmp_path / f"{part}.npy")
        ids.save(parts[-1])
    joined = IdSet()
    for path in parts:
        joined.update(path)
    joined.save(tmp_path / "all.npy")
    asked = [1, 2, 3, 9_000_000, 300_000_000, 300_000_001]
    expected = [True, True, False, True, True, False]
    assert [number in load_ids(tmp_path / "all.npy") for number in asked] == expected


def test_another_array_is_no_set(tmp_path: Path) -> None:
    write_array(tmp_path / "a.npy", np.zeros(3))
    with pytest.raises(DataError, match="is not a set of ids"):
        load_ids(tmp_path / "a.npy")
