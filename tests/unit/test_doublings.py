"""Lines of a figure against the logarithm of a size."""

from __future__ import annotations

import pytest

from ncsbench.evaluation.doublings import draw_line


@pytest.mark.parametrize(
    ("value", "slope", "expected"),
    [
        (23.4, 3.333, [(2, 10.0), (32, 23.4)]),
        (20, 5.0, [(2, 8.333), (2 ** (2 + 20 / 15), 20), (32, 20)]),
        (0, -8.333, [(2, 21.666), (2 ** (2 + 13.333 / 8.333), 0), (32, 0)]),
    ],
)
def test_the_line_meets_the_extrapolated_point_level_where_it_is_clipped(
    value: float, slope: float, expected: list[tuple[float, float]]
) -> None:
    sizes, heights = draw_line([(2, 10), (4, 13.3), (8, 16.7)], slope=slope, end=(32, value))
    assert sizes == pytest.approx([size for size, _ in expected], rel=0.01)
    assert heights == pytest.approx([height for _, height in expected], abs=0.05)
