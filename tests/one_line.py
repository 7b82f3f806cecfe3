"""Errors that a user sees are one line that says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ncsbench.errors import NcsbenchError


@contextmanager
def ends_in_one_line(kind: type[NcsbenchError], message: str, start: object = "") -> Iterator[None]:
    """The block ends in an error of one line that holds the message and begins with the start."""
    with pytest.raises(kind) as caught:
        yield
    said = str(caught.value)
    assert message in said and said.startswith(str(start)) and "\n" not in said, said
