"""What the audit takes for an answer; the service itself is not asked."""

import json
import re
import subprocess

import pytest

from tests.security.audit import Report, explain_failure, read_report

SOUND = {"name": "a", "version": "1", "vulns": []}
BROKEN = {
    "name": "b",
    "version": "2",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}, {"id": "GHSA-2", "fix_versions": []}],
}


def test_vulnerabilities_are_lines() -> None:
    assert read_report(json.dumps({"dependencies": [SOUND, BROKEN]})) == Report(
        2, ["b 2: GHSA-2, mended in no version yet", "b 2: PYSEC-1, mended in 3"]
    )
    assert read_report(json.dumps({"dependencies": [SOUND]})) == Report(1, [])


@pytest.mark.parametrize(
    "text",
    ["", "Traceback", "[]", "{}", '{"dependencies": [{"name": "a", "skip_reason": "not found"}]}'],
)
def test_no_answer_is_not_taken_for_a_good_one(text: str) -> None:
    assert read_report(text) is None


@pytest.mark.parametrize(
    ("command", "stderr", "said"),
    [
        (["-m", "pip", "install", "x"], "ERROR: no x", "could not be installed .* \\(ERROR: no x"),
        (["pip-audit"], "a\nrequests.ConnectionError: 'api'", "api.osv.dev, cannot be reached"),
        (["pip-audit"], "a\nKeyError: 'x'", "gave no answer \\(KeyError"),
        (["pip-audit"], "", "gave no answer \\(it said nothing"),
    ],
)
def test_no_answer_is_explained_in_one_line(command: list[str], stderr: str, said: str) -> None:
    done = subprocess.CompletedProcess(command, 1, "", stderr)
    assert re.search(said, line := explain_failure(done)) and "\n" not in line
