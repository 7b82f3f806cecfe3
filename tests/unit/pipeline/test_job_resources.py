"""Memory and time that jobs ask for: a row for every rule, more than was ever measured."""

import csv
import json
import re
from pathlib import Path

import pytest
import yaml

from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.freshness.job_resources import (
    TABLE,
    JobResources,
    ResourceTable,
    load_resources,
)
from tests.bench.scale_tables import rule_of
from tests.workflow_rules import read_rules

LOCAL = {"fetch", "published_input", "provenance", "table1", "published_table1", "remade"}
GONE = {
    *("examples_found", "question_features", "judge_candidates", "study_candidates"),
    *("judge_evidence", "study_candidate_match", "study_merge_candidate_matches"),
    *("cleaning_set_record", "compare_threads", "retrieve_threads"),
    *("thread_features", "judge_threads", "trees", "loss_curves"),
    *("study_tables", "judge_plots", "haystack_figure", "learning_curve_figure"),
    *("study_pairs", "judge_rule", "micro_choices", "learning_curve_table"),
}
"""Rules that were measured and are no longer here."""
# Methods, those of the largest shard, and the longest vectors of what was measured.
MEASURED = {
    "ncsed": (59_379, 33_547, 500),
    "ncsed_383": (635_484, 131_210, 500),
    "scale_1000000": (1_000_030, 11_502, 100),
    "scale_5000000": (5_000_229, 40_739, 100),
}
SMALL = ResourceTable.parse(
    {
        "memory_margin": 1,
        "time_margin": 1,
        "methods_per_shard": 500_000,
        "learnt": {"mib": [100], "seconds": [1]},
        "rules": {
            "whole": {"mib": [100, 200, 2], "seconds": [600, 600]},
            "part": {"of": "shard", "mib": [100, 200], "seconds": [1]},
            "read": {"of": "posts", "mib": [100, 1e6], "seconds": [1]},
        },
    },
    where="table",
)


def write_manifest(path: Path, *shards: int) -> Path:
    sizes = [{"first_id": 0, "methods": methods} for methods in shards]
    path.write_text(json.dumps({"methods": sum(shards), "shards": sizes}))
    return path


def test_every_rule_has_a_row_and_every_row_a_rule(root: Path) -> None:
    # Also a rule made of another, which has no command of its own, has a log; a target has none.
    rules = {name: text for name, text in read_rules(root).items() if " " not in name}
    jobs = {name for name, text in rules.items() if re.search(r"^ +log:$", text, re.MULTILINE)}
    table = load_resources(root / TABLE)
    # Named are rules without a row, and rows without a rule: those of jobs that encode methods.
    assert table.rules.keys() ^ (jobs - LOCAL) == {"encode", "encode_candidates"}


def test_the_rule_of_a_new_kind_has_the_resources_of_any_kind(root: Path, tmp_path: Path) -> None:
    table = yaml.safe_load((root / TABLE).read_text(encoding="utf-8"))
    del table["rules"]["weights"]
    (tmp_path / "r.yaml").write_text(yaml.safe_dump(table))
    assert load_resources(tmp_path / "r.yaml").rules["weights"].as_json() == table["learnt"]


@pytest.mark.parametrize("dataset", MEASURED)
def test_jobs_ask_for_more_than_was_measured(dataset: str, root: Path, tmp_path: Path) -> None:
    methods, largest, dimension = MEASURED[dataset]
    manifest = write_manifest(tmp_path / "manifest.json", largest, methods - largest)
    manifest.write_text(manifest.read_text().replace(str(methods - largest), "1"))
    resources = JobResources(load_resources(root / TABLE), manifest, shards=1)
    scale = dataset.startswith("scale_")
    path = "scale/stages.csv" if scale else f"{dataset}/usage.csv"
    with (root / "results" / path).open(newline="") as file:
        for row in csv.DictReader(file):
            if scale and row["run"] != dataset:
                continue
            rule = rule_of(row["stage"])
            if rule in LOCAL | GONE:
                continue
            asked = resources.find_megabytes(rule, attempt=1, dimension=dimension) / 1.048576
            assert asked > float(row["peak_mib"]), row["stage"]
            minutes = resources.find_minutes(rule, attempt=1, dimension=dimension)
            assert minutes * 60 > float(row["longest_seconds"]), row["stage"]


def test_memory_and_time_grow_with_corpus_dimension_and_attempt(tmp_path: Path) -> None:
    resources = JobResources(SMALL, tmp_path / "manifest.json", shards=2)
    # 100 + 200 MiB, which are 314.6 MB; not built, the corpus is taken for 2 x 500,000 methods.
    assert resources.find_megabytes("whole", attempt=1) == 315
    assert resources.find_megabytes("part", attempt=1) == 210
    assert resources.find_megabytes("whole", attempt=1, dimension=50) == 420
    assert resources.find_megabytes("whole", attempt=3) == 1259
    assert resources.find_minutes("whole", attempt=1) == 20
    assert resources.find_minutes("whole", attempt=2) == 40
    assert resources.find_minutes("part", attempt=2) == 20
    # By its list it is larger: 3,000,000 methods, 1,500,000 a shard.
    listed = JobResources(SMALL, tmp_path / "manifest.json", shards=2, expected=3_000_000)
    assert listed.find_megabytes("whole", attempt=1) == 735
    assert listed.find_megabytes("part", attempt=1) == 420
    assert JobResources(SMALL, tmp_path / "m", 2, 5).find_megabytes("whole", attempt=1) == 315
    write_manifest(resources.manifest, 2_000_000, 3_000_000)
    assert resources.find_megabytes("whole", attempt=1) == 1154
    assert resources.find_megabytes("part", attempt=1) == 735
    assert resources.find_minutes("whole", attempt=1) == 60


def test_a_dump_counts_by_its_size_and_parts(tmp_path: Path) -> None:
    (tmp_path / "Posts.xml").write_bytes(bytes(2_000_000))
    resources = JobResources(SMALL, tmp_path / "m", shards=1, dump=tmp_path / "Posts.xml", parts=4)
    assert resources.find_megabytes("read", attempt=1) == 630
    assert JobResources(SMALL, tmp_path / "m", shards=1).find_megabytes("read", attempt=1) == 105


def test_a_damaged_manifest_is_no_reason_to_end_here(tmp_path: Path) -> None:
    (tmp_path / "m").write_text("{")
    assert JobResources(SMALL, tmp_path / "m", shards=2).find_megabytes("whole", attempt=1) == 315


def test_a_mistake_in_the_table_is_one_line(root: Path, tmp_path: Path) -> None:
    table = yaml.safe_load((root / TABLE).read_text(encoding="utf-8"))
    table["rules"]["words"]["mib"] = [1, 2, 3, 4]
    (tmp_path / "r.yaml").write_text(yaml.safe_dump(table))
    with pytest.raises(ConfigurationError, match=r"r\.yaml: rules\.words\.mib"):
        load_resources(tmp_path / "r.yaml")
