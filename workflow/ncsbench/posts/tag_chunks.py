"""Divides a stream of XML at every "<", independent of the blocks that it comes in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MAXIMUM_ROW = 4 << 20
"""Bytes of the longest row that is read; no more than that is held."""

_KEPT = 256

Drop = Callable[["Rows"], NDArray[np.bool_]]
"""Which rows give no post and no line of the ledger, whatever else they hold, and count so."""


class Rows(NamedTuple):
    """Some text between one "<" and another, and what lies between as ``look_at_rows`` says."""

    data: NDArray[np.uint8]
    positions: NDArray[np.int64]
    rows: NDArray[np.int32]


class Chunk(NamedTuple):
    """What lies from a "<" to before the next; text before the first, and an empty end, too.

    Attributes:
        offset: its position in the stream.
        text: without the "<"; only the beginning where it is ``long``.
        markup: whether there is a "<".
        long: whether it is longer than ``MAXIMUM_ROW``.
        follows_row: whether a row that was dropped comes right before.
    """

    offset: int
    text: bytes
    markup: bool = True
    long: bool = False
    follows_row: bool = False


def iterate_chunks(
    blocks: Iterable[bytes],
    start: int,
    *,
    drop: Drop | None,
    begin: int = 0,
    end: int | None = None,
) -> Iterator[Chunk]:
    """Divide a stream and leave out the rows that are dropped.

    Args:
        blocks: the stream, from offset ``start`` on.
        start: offset of its first byte.
        drop: told of rows in the order of the stream; None keeps all.
        begin: rows before this offset are not dropped, nor shown to ``drop``.
        end: nor rows from this one on.
    """
    held, at, skipping, dropped = b"", start, False, False
    for arrived in blocks:
        block = arrived
        if skipping:
            cut = block.find(b"<")
            if cut < 0:
                at += len(block)
                continue
            at, block, skipping = at + cut, block[cut:], False
        buffer, held = held + block, b""  # a long row is held once
        data = np.frombuffer(buffer, dtype=np.uint8)
        positions = np.flatnonzero(data == ord("<"))
        if len(positions):
            first = int(positions[0])
            if first:
                yield Chunk(at, buffer[:first], markup=False)
            gone = _find_dropped(
                data, positions, drop, begin - at, None if end is None else end - at
            )
            for number in np.flatnonzero(~gone).tolist():
                position, stop = int(positions[number]), int(positions[number + 1])
                after = bool(gone[number - 1]) if number else dropped
                if stop - position > MAXIMUM_ROW:
                    yield Chunk(
                        at + position, buffer[position + 1 : position + _KEPT], True, True, after
                    )
                else:
                    yield Chunk(at + position, buffer[position + 1 : stop], True, False, after)
            dropped = bool(gone[-1]) if len(gone) else dropped
            last = int(positions[-1])
            at, held = at + last, buffer[last:]
        else:
            held = buffer
        if len(held) > MAXIMUM_ROW:
            markup = held.startswith(b"<")
            yield Chunk(at, held[:_KEPT].removeprefix(b"<"), markup, True, dropped)
            at, held, skipping, dropped = at + len(held), b"", True, False
    if held:
        yield Chunk(at, held.removeprefix(b"<"), held.startswith(b"<"), False, dropped)
    yield Chunk(at + len(held), b"", markup=False)


def _find_dropped(
    data: NDArray[np.uint8],
    positions: NDArray[Any],
    drop: Drop | None,
    begin: int,
    end: int | None,
) -> NDArray[np.bool_]:
    """Which chunks between positions are rows to drop, bool, shape (positions - 1,)."""
    gone = np.zeros(len(positions) - 1, dtype=bool)
    low, high = np.searchsorted(positions, [begin, len(data) if end is None else end])
    high = min(int(high), len(gone))
    if drop is None or low >= high:
        return gone
    from ncsbench.posts.ordinary_rows import look_at_rows  # compiled, and only for large dumps

    between = positions[low : high + 1]
    rows = look_at_rows(data, between)
    rows[np.diff(between) > MAXIMUM_ROW] = 0
    gone[low:high] = drop(Rows(data, between, rows))
    return gone
