"""What the audit takes for an answer; the service itself is not asked."""

from __future__ import annotations

import json

import pytest

from tests.security.audit import Report, read_report

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
