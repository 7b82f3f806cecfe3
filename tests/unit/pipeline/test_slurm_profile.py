"""The profile for SLURM names rules that exist, and nothing that runs on a node fetches."""

import re
from itertools import chain
from pathlib import Path

import yaml
from snakemake.cli import get_argument_parser

from ncsbench.pipeline.freshness.code_imports import CodeTracer
from tests.workflow_rules import read_rules

STAGE = re.compile(r'"ncsbench stage (\w+)')
LOCAL = re.compile(r"^ *localrules:\n((?: +\w+,\n)+)", re.MULTILINE)


def read_local(root: Path) -> set[str]:
    files = [root / "Snakefile", *(root / "workflow" / "rules").glob("*.smk")]
    lists = chain.from_iterable(LOCAL.findall(path.read_text(encoding="utf-8")) for path in files)
    return {name.strip() for text in lists for name in text.split(",")}


def test_the_profile_is_of_options_that_exist_and_groups_rules_that_exist(root: Path) -> None:
    profile = yaml.safe_load((root / "profiles" / "slurm" / "config.yaml").read_text())
    options = get_argument_parser()._option_string_actions
    assert [key for key in profile if f"--{key}" not in options] == []
    rules = read_rules(root)
    groups = dict(line.split("=") for line in profile["groups"])
    assert groups.keys() <= rules.keys()
    assert dict(line.split("=") for line in profile["group-components"]).keys() == {
        *groups.values()
    }
    assert profile["retries"] == 2


def test_what_runs_on_a_node_imports_no_client_of_a_network(root: Path) -> None:
    tracer, local = CodeTracer(root / "workflow" / "ncsbench"), read_local(root)
    assert "table1" in local
    fetching = [
        name
        for name, text in read_rules(root).items()
        if name not in local and "localrule: True" not in text
        for call in STAGE.findall(text)
        if "requests" in tracer.trace_stage(call).packages
    ]
    assert fetching == []
