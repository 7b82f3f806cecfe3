"""Rankers in Python files of the user's own, which a model file names by their path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ncsbench.configuration.python_files import PythonFileKind, execute_file
from ncsbench.errors import ConfigurationError

if TYPE_CHECKING:
    from ncsbench.rankers.protocol import Ranker

SUFFIX = ".py"
"""How a kind of ranker ends that is the path of such a file."""
MODULE = "ncsbench_ranker_"
"""How the name begins of the module that such a file becomes."""
_PAGE = "docs/add-a-model.md"
_KIND = PythonFileKind(
    module=MODULE,
    named="a model file names it by its key 'python'",
    single="a ranker is one file",
    page=_PAGE,
)


def load_ranker_file(kind: str) -> type[Ranker]:
    """The class that a file names as ``RANKER``.

    Args:
        kind: path of the file, from the working directory.

    Raises:
        ConfigurationError: where the file cannot be read or executed, or names no class.
    """
    module = execute_file(Path(kind), _KIND)
    ranker: type[Ranker] | None = getattr(module, "RANKER", None)
    if not isinstance(ranker, type):
        raise ConfigurationError(
            f"{kind}: names no class as RANKER; add a last line 'RANKER = <your class>' ({_PAGE})"
        )
    return ranker
