"""Modules under the names that pages gave them before they moved into rooms.

Rankers and programs of users go on importing them; the library itself uses the present names.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.machinery import ModuleSpec  # noqa: TID251  (of this library)
from pathlib import Path
from types import ModuleType
from typing import Any

MOVED = {
    "comment_filter": ("pairs.comment_filter",),
    "indexes": ("corpus.indexes",),
    "rankers": ("rankers.lexical", "rankers.vectors", "rankers.combined"),
    "runs": ("base.runs",),
    "text": ("base.text",),
    "training": ("learning.training", "learning.unif"),
}
"""Packages that held the modules before, and the packages that hold them now."""
_LIBRARY = Path(__file__).parent


def find_present_name(name: str) -> str | None:
    """The present name of a module, such as ``corpus.indexes.top_results``; None if it is not old.

    Args:
        name: a former name without ``ncsbench``, such as ``indexes.top_results`` or ``indexes``.
    """
    package, _, module = name.partition(".")
    packages = MOVED.get(package, ())
    if not module:
        return packages[0] if packages and package != "rankers" else None
    for present in packages:
        if (_LIBRARY / present.replace(".", "/") / f"{module}.py").is_file():
            return f"{present}.{module}"
    return None


class MovedFinder:
    """Finds a module by its former name: the same module object as by its present one.

    The module of its base classes, which Python does not ask for, would take each command and each
    job a fiftieth of a second to import.
    """

    def find_spec(
        self: Any, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The former name as an alias; None for every other name."""
        library, _, name = fullname.partition(".")
        if library != "ncsbench" or (present := find_present_name(name)) is None:
            return None
        return ModuleSpec(fullname, self, origin=f"ncsbench.{present}")

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module that has the present name; its own specification is kept in the spec."""
        module = importlib.import_module(str(spec.origin))  # noqa: TID251  (of this library)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own specification again: it was executed under its present name."""
        module.__spec__ = getattr(module.__spec__, "loader_state", None)
