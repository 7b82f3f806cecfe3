"""A few of the faults of ``make faults``, on BM25 and the chance and length baselines alone."""

import random
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.bench import Bench, make_bench
from tests.faults.damaged_bytes import damage_one
from tests.faults.fetch_kills import FetchKill, run_killed, run_undisturbed
from tests.faults.kills import Kill, plan_chains, run_chain
from tests.faults.lost_files import delete
from tests.faults.two_runs import run_twice

workflow = pytest.mark.workflow


@pytest.fixture(scope="module")
def bench(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """An undisturbed run of few models."""
    return make_bench(root, tmp_path_factory.mktemp("faults"), ["bm25"])


def failures(bench: Bench) -> list[str]:
    """What was not borne; the outcomes so far are taken out."""
    seen = [outcome.line() for outcome in bench.outcomes if not outcome.held]
    bench.outcomes.clear()
    return seen


def test_kills_spread_over_the_run_and_over_the_signals() -> None:
    chains = plan_chains(30, random.Random(1))  # noqa: S311
    kills = [kill for chain in chains for kill in chain]
    assert sorted(kill.number for kill in kills) == list(range(30))
    assert set(Counter(kill.signal for kill in kills).values()) == {10}
    for chain in chains:
        parts = [kill.part for kill in chain]
        assert parts == sorted(parts) and parts[0] < 0.2 and parts[-1] > 0.7


@workflow
def test_a_run_killed_twice_is_finished_by_a_plain_rerun(bench: Bench) -> None:
    kills = [
        Kill(0, signal.SIGKILL, part=0.3, seconds=0.5, at_once=True),
        Kill(1, signal.SIGTERM, part=0.6, seconds=0.5, at_once=False),
    ]
    run_chain(bench, 0, kills)
    assert failures(bench) == []


@workflow
def test_an_altered_byte_is_named_and_the_printed_command_mends_it(bench: Bench) -> None:
    damage_one(bench, "run", put_back=True)
    assert failures(bench) == []


@workflow
def test_a_second_run_is_refused_and_the_first_goes_on(bench: Bench) -> None:
    run_twice(bench, "another target", "results/published_table1.csv", 0.3)
    assert failures(bench) == []


@workflow
def test_without_settings_and_notes_a_run_gives_the_same_bytes(bench: Bench) -> None:
    delete(bench, "all settings", "data/sample/settings")
    assert failures(bench) == []


@workflow
def test_a_run_that_fetches_archives_and_is_killed_ends_in_the_same_store(
    root: Path, tmp_path: Path
) -> None:
    kills = [
        FetchKill(5, 0.1, signal.SIGKILL, job=False),
        FetchKill(11, 0.2, signal.SIGTERM, job=True),
    ]
    expected = run_undisturbed(root, tmp_path / "whole")
    run_killed(root, tmp_path / "killed", kills, expected)
