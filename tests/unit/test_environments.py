"""Everything is pinned, and said once."""

from pathlib import Path

import yaml


def pins(path: Path) -> dict[str, str]:
    lines = [line for line in path.read_text().splitlines() if line]
    return dict(line.split("==") for line in lines)


def test_the_environment_of_the_rules_has_the_pins_of_the_requirements(root: Path) -> None:
    environment = yaml.safe_load((root / "envs" / "ncsbench.yaml").read_text())
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    assert dict(pin.split("==") for pin in pip) == pins(root / "envs" / "requirements.txt")


def test_what_is_asked_for_is_what_is_pinned_and_explained(root: Path) -> None:
    pinned = {
        name.lower(): version for name, version in pins(root / "envs/requirements.txt").items()
    }
    readme = (root / "README.md").read_text().lower()
    for name in ("requirements.in", "requirements-dev.in"):
        for package, version in pins(root / "envs" / name).items():
            key = package.lower().replace("-", "_")
            assert version in {pinned.get(package.lower()), pinned.get(key)}, package
            assert package.lower() in readme, package
