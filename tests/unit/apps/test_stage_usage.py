from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.stage_usage import summarise_usage
from ncsbench.errors import DataError


def test_stages_are_summed_over_shards_keys_and_variants(tmp_path: Path) -> None:
    usage = (
        "usage: seconds={} peak_mib={} children_peak_mib={} processor_seconds={} written_mib=1.5"
    )
    logs = {
        "extract-0000": usage.format(1.5, 100, 0, 1.0),
        "extract-0001": f"o/r: gone\n{usage.format(2.0, 90, 120, 0.5)}",
        "words-0a1b2c3d": usage.format(3.0, 50, 0, 2.5),
        "judge-ncs-pairs-2-of-8-seed7": usage.format(1.0, 1, 0, 0.0),
        "judge-ncs-seed7": usage.format(2.0, 1, 0, 2.0),
        "judge-bm25": f"{usage.format(9.0, 1, 0, 9.0)}\n{usage.format(4.0, 2, 0, 4.0)}",
        "table1": "",
    }
    for name, text in logs.items():
        (tmp_path / f"{name}.log").write_text(text)
    assert [tuple(row.values()) for row in summarise_usage(tmp_path)] == [
        ("extract", "2", "3.5", "2.0", "120", "1.5", "1.0", "3.0"),
        ("judge-bm25", "1", "4.0", "4.0", "2", "4.0", "4.0", "1.5"),
        ("judge-ncs", "2", "3.0", "2.0", "1", "2.0", "2.0", "3.0"),
        ("words", "1", "3.0", "3.0", "50", "2.5", "2.5", "1.5"),
    ]


def test_a_folder_without_logs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no log"):
        summarise_usage(tmp_path)
