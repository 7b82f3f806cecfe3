from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.stage_usage import summarise_usage
from ncsbench.errors import DataError


def test_stages_are_summed_over_shards_keys_and_variants(tmp_path: Path) -> None:
    logs = {
        "extract-0000": "usage: seconds=1.5 peak_mib=100 children_peak_mib=0",
        "extract-0001": "o/r: gone\nusage: seconds=2.0 peak_mib=90 children_peak_mib=120",
        "words-0a1b2c3d": "usage: seconds=3.0 peak_mib=50 children_peak_mib=0"
        " processor_seconds=2.5 written_mib=1.5",
        "judge-ncs-pairs-2-of-8-seed7": "usage: seconds=1.0 peak_mib=1 children_peak_mib=0",
        "judge-ncs-seed7": "usage: seconds=2.0 peak_mib=1 children_peak_mib=0",
        "judge-bm25": "usage: seconds=9.0 peak_mib=1 children_peak_mib=0\n"
        "usage: seconds=4.0 peak_mib=2 children_peak_mib=0",
        "table1": "",
    }
    for name, text in logs.items():
        (tmp_path / f"{name}.log").write_text(text)
    assert [tuple(row.values()) for row in summarise_usage(tmp_path)] == [
        ("extract", "2", "3.5", "2.0", "120", "", "", ""),
        ("judge-bm25", "1", "4.0", "4.0", "2", "", "", ""),
        ("judge-ncs", "2", "3.0", "2.0", "1", "", "", ""),
        ("words", "1", "3.0", "3.0", "50", "2.5", "2.5", "1.5"),
    ]


def test_a_folder_without_logs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no log"):
        summarise_usage(tmp_path)
