"""The choice among forms of a ranker by threads, as docs/ranker.md has it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ncsbench.evaluation.statistics.figures import summarise
from ncsbench.evaluation.statistics.resampling import Sampling
from tests.bench.thread_forms import COLUMNS, describe


@pytest.mark.parametrize(
    ("gains", "chosen"),
    [
        ({"second": 0.0, "third": 0.0}, "first"),
        ({"second": 0.2, "third": 0.201}, "second"),  # within 1 of the highest z
        ({"second": 0.0, "third": 0.2}, "third"),
    ],
)
def test_the_simplest_form_is_chosen_that_is_hardly_behind_the_best(
    gains: dict[str, float], chosen: str
) -> None:
    threads, forms = 60, ["first", *gains]
    generator = np.random.default_rng(0)
    values = generator.uniform(0, 0.5, threads)
    noise = generator.normal(0, 0.1, threads)
    units = pd.concat(
        pd.DataFrame(
            {
                **{"part": "selection", "judge": judge, "model": form, "seed": 1},
                **{"unit": range(threads), "cluster": [row // 2 for row in range(threads)]},
                "value": values + (form != "first") * (gains.get(form, 0) + noise - noise.mean()),
            }
        )
        for form in forms
        for judge in ("lenient", "strict")
    )
    found = summarise(units, ["part", "judge", "model"], Sampling(1, 1000))
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in describe(found, forms)]
    assert {row["model"] for row in rows if row["chosen"] == "yes"} == {chosen}
    assert [row["difference"] for row in rows if row["model"] == "first"] == ["", ""]
    by_judge = [row for row in rows if row["model"] == "third"]
    assert {row["smallest_z"] for row in by_judge} == {
        min((row["z"] for row in by_judge), key=float)
    }
