"""Make the environment files of the rules from what each kind of rule asks for.

Run ``python envs/make_environments.py`` in the environment of ``requirements.txt`` after a change
of a pin or of ``KINDS``. The ``pip:`` list of a file is complete: all that the packages asked for
need, by the metadata of the installed packages, on Linux with Python 3.11.
"""

from __future__ import annotations

import sys
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FOLDER = Path(__file__).resolve().parent
KINDS = {
    "corpus": ["numpy", "pyarrow", "tree-sitter", "tree-sitter-java", "typer"],
    "posts": [
        *("jsonschema", "libarchive-c", "numba", "numpy", "pyarrow", "PyYAML", "selectolax"),
        "typer",
    ],
    "models": [
        *("faiss-cpu", "fasttext-numpy2", "jsonschema", "numpy", "pyarrow", "PyYAML", "regex"),
        *("safetensors", "scipy", "simplemma", "torch", "tree-sitter", "tree-sitter-java"),
        "typer",
    ],
    "judge": ["numba", "numpy", "pyarrow", "tree-sitter", "tree-sitter-java", "typer"],
    "tables": ["matplotlib", "numpy", "pyarrow", "safetensors", "scipy", "typer"],
}
"""Kinds of rules, and the packages that their commands import."""
LIBRARIES = {"posts": ["libarchive"]}
"""Shared libraries that packages of a kind load."""
_PLATFORM = {
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "x86_64",
    "platform_python_implementation": "CPython",
    "platform_system": "Linux",
    "python_full_version": "3.11.0",
    "python_version": "3.11",
    "sys_platform": "linux",
}


def read_pins(path: Path) -> dict[str, str]:
    """Lines ``name==version`` of a requirements file, by normalised name."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    return {canonicalize_name(line.partition("==")[0]): line for line in lines}


def close_requirements(asked: list[str], pins: dict[str, str]) -> list[str]:
    """Pins of packages and of all that they need, in the order of the requirements file."""
    needed: set[str] = set()
    seen: set[tuple[str, frozenset[str]]] = set()
    wanted = [Requirement(name) for name in asked]
    while wanted:
        requirement = wanted.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        if name not in pins:
            sys.exit(f"{name}: is needed and not pinned; add it to requirements.txt")
        needed.add(name)
        for line in requires(name) or []:
            inner = Requirement(line)
            given = [{**_PLATFORM, "extra": extra} for extra in ("", *sorted(extras))]
            if inner.marker is None or any(inner.marker.evaluate(each) for each in given):
                wanted.append(inner)
    return [line for name, line in pins.items() if name in needed]


def write_environment(kind: str, pins: dict[str, str]) -> str:
    """The text of the environment file of a kind of rules."""
    lines = [
        f"# Rules of the kind '{kind}'. Made by make_environments.py from requirements.txt.",
        "channels:",
        "  - conda-forge",
        "  - nodefaults",
        "dependencies:",
        "  - python=3.11",
        *(f"  - {library}" for library in LIBRARIES.get(kind, [])),
        "  - pip",
        "  - pip:",
        *(f"      - {pin}" for pin in close_requirements(KINDS[kind], pins)),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the file of every kind beside this one."""
    pins = read_pins(FOLDER / "requirements.txt")
    for kind in KINDS:
        (FOLDER / f"{kind}.yaml").write_text(write_environment(kind, pins), encoding="utf-8")


if __name__ == "__main__":
    main()
