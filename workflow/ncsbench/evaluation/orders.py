"""Whether a difference of ours has the order of the printed one."""

from __future__ import annotations


def find_side(low: float, high: float, digits: int) -> int:
    """1 where an interval lies above 0, -1 below, 0 where it holds it.

    Args:
        low: the lower bound.
        high: the upper bound.
        digits: decimals that the bounds are shown with; one that is shown as 0 is 0.
    """
    return (round(low, digits) > 0) - (round(high, digits) < 0)


def tell_order(side: int, published: float) -> str:
    """How a difference lies to the printed one.

    Args:
        side: of ours (`find_side`).
        published: the printed difference.

    Returns:
        ``as published``, ``reversed``, or ``open`` where ours may be 0; empty where the printed
        one is 0.
    """
    if not published:
        return ""
    return {1: "as published", -1: "reversed"}.get(side if published > 0 else -side, "open")
