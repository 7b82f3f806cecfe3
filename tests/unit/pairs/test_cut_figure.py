"""The figure of the cut (``ncsbench.pairs.comment_filter.filter_fitting``)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.errors import DataError
from ncsbench.pairs.comment_filter.cut import find_cut
from ncsbench.pairs.comment_filter.filter_fitting import draw_cut
from ncsbench.pairs.comment_filter.filter_options import CutOptions


@pytest.mark.parametrize(
    "chosen", [{}, {"mixture": "as_released"}, {"method": "percentile", "share": 0.5}]
)
def test_the_figure_has_the_same_bytes_each_time(chosen: dict[str, Any], tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    losses = np.concatenate([generator.normal(5, 2, 500), generator.normal(8, 0.3, 500)])
    cut = find_cut(losses, CutOptions.parse(chosen, where="cut"), seed=1)
    for name in ("one.svg", "other.svg"):
        draw_cut(losses, cut, tmp_path / name)
    one = (tmp_path / "one.svg").read_bytes()
    assert one == (tmp_path / "other.svg").read_bytes()
    assert one.rstrip().endswith(b"</svg>")
    with pytest.raises(DataError, match="no finite loss"):
        draw_cut(np.array([np.nan]), cut, tmp_path / "none.svg")
