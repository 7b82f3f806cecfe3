"""Mistakes of users and of data, which end in one line."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ncsbench.errors import NcsbenchError


@contextmanager
def one_line(
    kind: type[NcsbenchError], *parts: str, match: str | None = None, start: str = ""
) -> Iterator[None]:
    """Expect an error of one line that has all these parts, matches, and begins so."""
    with pytest.raises(kind, match=match) as caught:
        yield
    said = str(caught.value)
    assert "\n" not in said and said.startswith(start)
    for part in parts:
        assert part in said
