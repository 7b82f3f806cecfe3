"""What measurements at several sizes say together."""

import pytest

from ncsbench.apps.shown_tables.stage_usage import JobUsage
from tests.bench.scale_tables import (
    bound_seconds,
    estimate_cores,
    find_longest_chain,
    find_most_together,
    fit_exponent,
    fit_growth,
    sum_by_rule,
    sum_stages,
    tabulate_growth,
)

GRAPH = """digraph snakemake_dag {
    0[label = "table", color = "0.1 0.6 0.85", style="rounded"];
    1[label = "words", color = "0.1 0.6 0.85", style="rounded"];
    2[label = "index", color = "0.1 0.6 0.85", style="rounded"];
    3[label = "judge", color = "0.1 0.6 0.85", style="rounded"];
    1 -> 2
    2 -> 0
    3 -> 0
    1 -> 0
}"""


def job(ended: float, seconds: float, peak: int, children: int = 0) -> JobUsage:
    return JobUsage("s", seconds, peak, children, seconds, 0.0, ended)


def test_the_longest_chain_is_that_of_rules_that_follow_each_other() -> None:
    seconds = {"words": 2.0, "index": 3.0, "judge": 4.0, "table": 1.0}
    assert find_longest_chain(GRAPH, seconds) == (["words", "index", "table"], 6.0)
    assert find_longest_chain(GRAPH, {**seconds, "judge": 9.0}) == (["judge", "table"], 10.0)
    twice = GRAPH.replace("3 -> 0", "3 -> 0\n    3 -> 3")
    assert find_longest_chain(twice, seconds) == (["judge", "table"], 9.0)


def test_memory_counts_of_jobs_at_the_same_moment() -> None:
    jobs = [job(10, 10, 100, 5), job(20, 10, 300), job(15, 8, 50)]
    assert find_most_together(jobs) == 350
    assert find_most_together(jobs[:2]) == 300


def test_exponent_and_bounds() -> None:
    factor, exponent = fit_exponent([1e5, 1e6, 5e6], [2e5**1.0, 2e6, 1e7])
    assert (factor, exponent) == pytest.approx((2, 1))
    assert bound_seconds(100, 40, 2) == (50, 70)
    assert bound_seconds(100, 60, 4) == (60, 70)


def test_rules_grow_by_their_own_exponents() -> None:
    stages = [
        {"run": f"scale_{size}", "methods": str(size), "stage": stage, "jobs": "1",
         "seconds": "1", "longest_seconds": "1", "processor_seconds": str(seconds),
         "longest_processor_seconds": str(seconds), "peak_mib": str(peak), "written_mib": "5"}
        for size, stage, seconds, peak in [
            (1000, "words", 1, 100), (100_000, "words", 100, 199),
            (1000, "index-ncs", 1, 50), (1000, "index-bm25", 1, 40),
            (100_000, "index-ncs", 10_000, 50),
            (1000, "weights", 3, 60),
        ]
    ]  # fmt: skip
    rules = sum_by_rule(stages)
    assert [(row["rule"], row["jobs"]) for row in rules if row["methods"] == "1000"] == [
        ("index", "2"),
        ("weights", "1"),
        ("words", "1"),
    ]
    growth = fit_growth(stages)
    assert growth["words"].seconds[1] == pytest.approx(1)
    assert growth["index-ncs"].seconds[1] == pytest.approx(2)
    assert growth["weights"].seconds_at(5_000_000) == pytest.approx(15_000)  # in proportion
    table = {row["rule"]: row for row in tabulate_growth(growth)}
    assert table["words"]["peak_mib_at_5_million"] == "5099"
    assert table["index"]["peak_mib_at_5_million"] == "50"
    # What was measured at one size is taken from its own line at the other.
    totals = sum_stages(growth)
    assert totals == pytest.approx({1000: 6, 100_000: 10_000 + 100 + 100 + 300})
    first, *_, last = estimate_cores([{"chain": "words weights"}], totals, growth)
    assert first["chain_hours"] == f"{4 / 3600:.2f}"
    assert last["chain_hours"] == f"{20_000 / 3600:.2f}"
    # What was measured counts, and not the line.
    words = {**stages[0], "methods": "5000000", "longest_processor_seconds": "7000"}
    growth = fit_growth([*stages, words])
    last = estimate_cores([{"chain": "words weights"}], totals, growth)[-1]
    assert last["chain_hours"] == f"{22_000 / 3600:.2f}"
