"""Ask a public service for known vulnerabilities of the pinned packages (``make audit``).

pip-audit runs in a scratch environment of its own, so that its packages are not among ours. Exit
status 0: none is known; 1: some are, or the installed packages do not fit together; 2: the
question could not be asked, so nothing is known.
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PINS = [ROOT / "envs" / name for name in ("requirements.txt", "requirements-dev.txt")]
TOOL = HERE / "audit-requirements.txt"
SERVICE = "the service of known vulnerabilities, api.osv.dev,"
OPTIONS = (
    *("--no-deps", "--disable-pip", "--strict", "--vulnerability-service", "osv"),
    *("--format", "json", "--progress-spinner", "off", "--timeout", "30"),
)


class Report(NamedTuple):
    """How many packages were looked up, and a line for each vulnerability of one."""

    packages: int
    vulnerabilities: list[str]


def read_report(text: str) -> Report | None:
    """What pip-audit found; None where its output is no report, or a package was skipped."""
    try:
        packages = json.loads(text)["dependencies"]
        lines = [
            f"{package['name']} {package['version']}: {found['id']}, "
            f"mended in {', '.join(found['fix_versions']) or 'no version yet'}"
            for package in packages
            for found in package["vulns"]
        ]
    except (ValueError, KeyError, TypeError):
        return None
    return Report(len(packages), sorted(lines))


def run_tool(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run pip-audit on the pins in an environment made for it."""
    venv.create(folder, with_pip=True)
    install = [folder / "bin" / "python", "-m", "pip", "install", "--quiet"]
    done = subprocess.run(
        [*install, "--disable-pip-version-check", "--requirement", TOOL],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        return done
    return subprocess.run(
        [folder / "bin" / "pip-audit", *(f"--requirement={pins}" for pins in PINS), *OPTIONS],
        capture_output=True,
        text=True,
        check=False,
    )


def explain_failure(done: subprocess.CompletedProcess[str]) -> str:
    """One line for why there is no report, with what whoever calls can do."""
    last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
    if "install" in done.args:
        return f"pip-audit could not be installed from the package index ({last[:120]})"
    if "ConnectionError" in last or "Timeout" in last:
        return f"{SERVICE} cannot be reached; ask again where the network leads there"
    return f"{SERVICE} gave no answer ({last[:120]})"


def main() -> int:
    """Check and ask; the exit status."""
    check = [sys.executable, "-m", "pip", "check", "--disable-pip-version-check"]
    fits = subprocess.run(check, check=False).returncode == 0
    with tempfile.TemporaryDirectory(prefix="audit-") as folder:
        done = run_tool(Path(folder))
    report = read_report(done.stdout)
    if report is None:
        say(f"error: nothing was audited: {explain_failure(done)}")
        return 2
    for line in report.vulnerabilities:
        say(line)
    say(f"{report.packages} packages, {len(report.vulnerabilities)} known vulnerabilities")
    return int(bool(report.vulnerabilities) or not fits)


def say(text: str) -> None:
    """Show a line."""
    print(f"audit: {text}")  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
