"""Pin what is installed: the requirements files, and the environment files of the rules.

Run ``python envs/make_environments.py`` in ``.venv`` after a change of a pin or of ``KINDS``. Each
file is complete: all that the packages asked for need, by the metadata of the installed packages,
on Linux with Python 3.11. ``requirements-base.in`` is what ``pip install`` of the library brings, and
``requirements.in`` what its extra ``pipeline`` adds; ``requirements.txt`` has both, and
``requirements-dev.txt`` only what ``requirements.txt`` has not.
``requirements-encoder.txt``, ``-minilm.txt`` and ``-docs.txt`` are resolved by uv
(docs/environments.md), since their packages need not be installed; here they only get the pins of
what the others have too.
"""

from __future__ import annotations

import sys
from importlib.metadata import distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FOLDER = Path(__file__).resolve().parent
KINDS = {
    "archives": ["numpy", "pyarrow", "pydantic", "requests", "typer"],
    "corpus": [
        *("identify", "numba", "numpy", "pandas", "pyarrow", "pydantic", "tree-sitter"),
        *("tree-sitter-java", "typer", "ukkonen"),
    ],
    "functions": [
        *("numba", "numpy", "pyarrow", "pydantic", "PyYAML", "tree-sitter", "tree-sitter-go"),
        *("tree-sitter-java", "tree-sitter-javascript", "tree-sitter-php", "tree-sitter-python"),
        *("tree-sitter-ruby", "typer"),
    ],
    "posts": [
        *("libarchive-c", "numba", "numpy", "pyarrow", "pydantic", "selectolax"),
        *("tree-sitter", "tree-sitter-java", "typer"),
    ],
    "models": [
        *("faiss-cpu", "fasttext-numpy2", "numpy", "pyarrow", "pydantic", "PyYAML"),
        *("rank-bm25", "regex", "safetensors", "scikit-learn", "scipy", "simplemma"),
        *("snowballstemmer", "torch", "tree-sitter", "tree-sitter-java", "typer"),
    ],
    "explorer": [
        *("numba", "numpy", "pandas", "pyarrow", "pydantic", "PyYAML", "safetensors", "scipy"),
        *("tree-sitter", "tree-sitter-java", "typer", "vl-convert-python"),
    ],
    "judge": [
        *("numba", "numpy", "pyarrow", "pydantic", "tree-sitter", "tree-sitter-java", "typer"),
    ],
    "tables": [
        *("numpy", "pandas", "pyarrow", "pydantic", "safetensors", "scipy"),
        "typer",
    ],
}
"""Kinds of rules, and the packages that their commands import."""
ENCODER = "encoder"
"""The kind of rules that run a sentence encoder: what models have, and what it needs."""
RESOLVED = ("requirements-encoder", "requirements-minilm", "requirements-docs")
"""Requirements of which ``.venv`` need not have the packages."""
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


def read_installed() -> dict[str, str]:
    """Lines ``name==version`` of what is installed, by normalised name in ascending order.

    ``+cpu`` behind a version names a build, not a version.
    """
    versions = {each.name: each.version.partition("+")[0] for each in distributions()}
    names = sorted(versions, key=str.lower)
    return {canonicalize_name(name): f"{name}=={versions[name]}" for name in names}


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
            sys.exit(f"{name}: is needed and not pinned; install it")
        needed.add(name)
        for line in requires(name) or []:
            inner = Requirement(line)
            given = [{**_PLATFORM, "extra": extra} for extra in ("", *sorted(extras))]
            if inner.marker is None or any(inner.marker.evaluate(each) for each in given):
                wanted.append(inner)
    return [line for name, line in pins.items() if name in needed]


def write_environment(kind: str, pins: list[str]) -> str:
    """The text of the environment file of a kind of rules, from the pins of its packages."""
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
        *(f"      - {pin}" for pin in pins),
    ]
    return "\n".join(lines) + "\n"


def write_files(pins: dict[str, str]) -> dict[str, str]:
    """The text of every file, by name.

    Args:
        pins: lines ``name==version`` of all that any file may need, by normalised name.
    """
    wanted = {
        stem: [*read_pins(FOLDER / f"{stem}.in").values()]
        for stem in ("requirements-base", "requirements", "requirements-dev")
    }
    base = close_requirements(wanted["requirements-base"], pins)
    workflow = [*wanted["requirements-base"], *wanted["requirements"]]
    main = close_requirements(workflow, pins)
    both = close_requirements([*workflow, *wanted["requirements-dev"]], pins)
    resolved = {
        stem: {name: pins.get(name, pin) for name, pin in read_pins(FOLDER / f"{stem}.txt").items()}
        for stem in RESOLVED
    }
    kinds = {kind: close_requirements(asked, pins) for kind, asked in KINDS.items()}
    models = {canonicalize_name(pin.partition("==")[0]): pin for pin in kinds["models"]}
    encoder = models | resolved["requirements-encoder"] | resolved["requirements-minilm"]
    kinds[ENCODER] = [pin for _, pin in sorted(encoder.items())]
    return {
        "requirements-base.txt": "".join(f"{pin}\n" for pin in base),
        "requirements.txt": "".join(f"{pin}\n" for pin in main),
        "requirements-dev.txt": "".join(f"{pin}\n" for pin in both if pin not in main),
        **{
            f"{stem}.txt": "".join(f"{pin}\n" for _, pin in sorted(own.items()))
            for stem, own in resolved.items()
        },
        **{f"{kind}.yaml": write_environment(kind, own) for kind, own in kinds.items()},
    }


def main() -> None:
    """Write the files beside this one."""
    for name, text in write_files(read_installed()).items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
