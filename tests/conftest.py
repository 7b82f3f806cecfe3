"""Fixtures shared by all tests, and the rule that a skip must be on the committed list."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
ALLOWED_SKIPS = ROOT / "tests" / "allowed_skips.txt"

# What tests start by name is of the environment that runs them, whether or not it is activated.
_PROGRAMS = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
os.environ["PATH"] = os.pathsep.join(_PROGRAMS)
# Started in the background by a shell, tests and what they start would ignore interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No test depends on speed: a busy machine is no reason to fail.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# New random cases are looked for by hand; what is checked for every change is the same each time.
settings.register_profile("ci", settings.get_profile("patient"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "patient")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Development data beside the checkout; the test is skipped where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs ../shared (development data beside the checkout)")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The workflow tests first: begun last, they would run on alone while the other core idles."""
    items.sort(key=lambda item: "workflow" not in item.keywords)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    outcome = yield
    report = outcome.get_result()
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = str(call.excinfo.value) if call.excinfo else ""
    allowed = [
        line.split("#")[0].strip()
        for line in ALLOWED_SKIPS.read_text(encoding="utf-8").splitlines()
    ]
    if not any(start and start in reason for start in allowed):
        report.outcome = "failed"
        report.longrepr = f"skipped for a reason not in tests/allowed_skips.txt: {reason}"
