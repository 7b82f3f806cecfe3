"""A stand-in for the conda client: what Snakemake asks of it, with virtual environments.

An environment is made from the ``pip:`` list of its file and nothing else, and is refused where
that list is not complete. Shared libraries are those of the machine.
"""

import argparse
import json
import subprocess
import sys
import venv
from pathlib import Path

import yaml

ACTIVATE = """export PATH="$1/bin:$PATH" CONDA_PREFIX="$1"
echo "$(command -v python) ${PYTHONPATH-none}" >> "$(dirname "${BASH_SOURCE[0]}")/../activated"
"""


def install(folder: Path) -> Path:
    """Put the commands ``conda`` and ``activate`` into ``folder/bin``, which is returned."""
    bin_folder = folder / "bin"
    bin_folder.mkdir(parents=True)
    client = bin_folder / "conda"
    call = f'"{sys.executable}" "{Path(__file__).resolve()}" "{folder}"'
    client.write_text(f'#!/bin/sh\nexec {call} "$@"\n')
    client.chmod(0o755)
    (bin_folder / "activate").write_text(ACTIVATE)
    return bin_folder


def create(file: Path, prefix: Path) -> None:
    """Make a virtual environment from an environment file."""
    dependencies = yaml.safe_load(file.read_text())["dependencies"]
    (pins,) = [entry["pip"] for entry in dependencies if isinstance(entry, dict)]
    version = f"python={sys.version_info.major}.{sys.version_info.minor}"
    if version not in dependencies:
        sys.exit(f"{file}: asks for another Python than {version}")
    venv.create(prefix, with_pip=False, symlinks=True)
    wanted = prefix / "requirements.txt"
    wanted.write_text("\n".join(pins))
    pip = [sys.executable, "-m", "pip", "--python", str(prefix / "bin" / "python")]
    install = [*pip, "install", "--quiet", "--no-deps", "--no-compile", "-r", str(wanted)]
    for command in (install, [*pip, "check"]):
        done = subprocess.run(command, check=False)
        if done.returncode:
            sys.exit(done.returncode)


def main() -> None:
    """Answer the calls of Snakemake's ``deployment/conda.py``."""
    parser = argparse.ArgumentParser(prog="conda")
    parser.add_argument("folder", help="What ``install`` was given.")
    parser.add_argument("--version", action="version", version="conda 24.7.1")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("info").add_argument("--json", action="store_true")
    config = commands.add_parser("config")
    config.add_argument("--get", required=True)
    config.add_argument("--json", action="store_true")
    clean = commands.add_parser("clean")  # there is nothing to clean
    for flag in ("-y", "--tarballs", "--packages"):
        clean.add_argument(flag, action="store_true")
    env = commands.add_parser("env").add_subparsers(required=True).add_parser("create")
    for flag in ("--quiet", "--no-default-packages"):
        env.add_argument(flag, action="store_true")
    for name in ("--file", "--prefix"):
        env.add_argument(name, type=Path, required=True)
    given = parser.parse_args()
    if given.command == "info":
        sys.stdout.write(json.dumps({"conda_prefix": given.folder, "platform": "linux-64"}))
    elif given.command == "config":
        sys.stdout.write(json.dumps({"get": {given.get: "strict"}}))
    elif given.command == "env":
        create(given.file, given.prefix)


if __name__ == "__main__":
    main()
