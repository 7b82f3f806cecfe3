"""Agreement of first ranks against pandas' Spearman correlation and a table of counts by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ncsbench.evaluation.published.sheet_agreement import compare_first_ranks


@pytest.mark.parametrize("seed", range(5))
def test_agreement_against_pandas(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first = generator.integers(0, 60, 185).astype(np.int32)
    second = np.where(generator.random(185) < 0.5, first, generator.integers(0, 60, 185))
    found = compare_first_ranks(first, second.astype(np.int32))

    frame = pd.DataFrame({"first": first, "second": second}).replace(0, 99)
    frame = frame.where(frame <= 50, 51)
    both = frame[(frame <= 50).all(axis=1)]
    all_pairs = frame["first"].corr(frame["second"], method="spearman")
    assert found["spearman_all"] == pytest.approx(all_pairs, abs=1e-12)
    assert found["spearman_found"] == pytest.approx(
        both["first"].corr(both["second"], method="spearman"), abs=1e-12
    )
    for within, last in (("found", 50), ("answered_10", 10)):
        counts = pd.crosstab(frame["first"] <= last, frame["second"] <= last)
        assert (found[f"{within}_both"], found[f"{within}_neither"]) == (
            counts[True][True],
            counts[False][False],
        )
        shares = counts / counts.to_numpy().sum()
        expected = (shares.sum(axis=1) * shares.sum(axis=0)).sum()
        observed = np.trace(shares)
        assert found[f"{within}_kappa"] == pytest.approx(
            (observed - expected) / (1 - expected), abs=1e-12
        )
