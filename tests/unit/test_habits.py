"""Files that hosts of code and their users look for: they load, and what they call exists."""

import os
import re
from pathlib import Path
from typing import Any

import yaml


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def list_targets(root: Path) -> set[str]:
    text = (root / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z0-9_]+):", text, re.MULTILINE))


def test_workflows_run_what_exists_with_actions_pinned_by_hash(root: Path) -> None:
    runs = set()
    for path in sorted((root / ".github/workflows").glob("*.yml")):
        workflow = load(path)
        assert workflow["permissions"] == {"contents": "read"}
        for step in [step for job in workflow["jobs"].values() for step in job["steps"]]:
            if "uses" in step:
                assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"]), path
            else:
                runs.add(step["run"])
    assert runs == {"make check", ".ci/run"}
    assert os.access(root / ".ci/run", os.X_OK)
    targets = re.findall(r"^make (.*)$", (root / ".ci/run").read_text(), re.MULTILINE)
    assert {"check", *targets[0].split()} <= list_targets(root)
    assert {"push", "pull_request"} == set(load(root / ".github/workflows/ci.yml")[True])


def test_the_hook_before_a_commit_is_a_target_of_make(root: Path) -> None:
    [repository] = load(root / ".pre-commit-config.yaml")["repos"]
    [hook] = repository["hooks"]
    make, target = hook["entry"].split()
    assert (repository["repo"], make, target) == ("local", "make", "lint")
    assert target in list_targets(root)


def test_the_issue_form_asks_for_command_commit_table_and_cell(root: Path) -> None:
    form = load(root / ".github/ISSUE_TEMPLATE/number.yml")
    assert form["name"] and form["description"]
    fields = {field["id"]: field for field in form["body"] if "id" in field}
    needed = [
        name for name, field in fields.items() if field.get("validations") == {"required": True}
    ]
    assert needed == ["command", "commit", "table", "cell"]
    assert all(field["attributes"]["label"] for field in fields.values())
