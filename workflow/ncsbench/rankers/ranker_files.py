"""Rankers in Python files of the user's own, which a model file names by their path.

Such a file is executed: naming it is the wish to do so, as installing a package is. What is
executed are the bytes that lie there now, in every process. No compiled file is written or read,
since one of before an edit may look new enough.
"""

from __future__ import annotations

import hashlib
import sys
import traceback
from importlib.abc import SourceLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ncsbench.errors import ConfigurationError

if TYPE_CHECKING:
    from ncsbench.rankers.protocol import Ranker

SUFFIX = ".py"
"""How a kind of ranker ends that is the path of such a file."""
MODULE = "ncsbench_ranker_"
"""How the name begins of the module that such a file becomes."""
_PAGE = "docs/add-a-model.md"


def load_ranker_file(kind: str) -> type[Ranker]:
    """The class that a file names as ``RANKER``.

    Args:
        kind: path of the file, from the working directory.

    Raises:
        ConfigurationError: where the file cannot be read or executed, or names no class.
    """
    module = _execute(Path(kind))
    ranker: type[Ranker] | None = getattr(module, "RANKER", None)
    if not isinstance(ranker, type):
        raise ConfigurationError(
            f"{kind}: names no class as RANKER; add a last line 'RANKER = <your class>' ({_PAGE})"
        )
    return ranker


class _Bytes(SourceLoader):
    """Loads a module from bytes, so that what is executed is what was hashed."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path, self._source = path, source

    def get_filename(self, fullname: str) -> str:
        return self._path

    def get_data(self, path: str | bytes) -> bytes:
        if path != self._path:
            raise FileNotFoundError(path)  # a compiled file
        return self._source


def _execute(path: Path) -> ModuleType:
    try:
        source = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror}); a model file names it by its key 'python'"
        ) from error
    digest = hashlib.sha256(str(path).encode() + b"\0" + source).hexdigest()
    name = f"{MODULE}{digest[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    module = sys.modules[name] = ModuleType(name)  # where its classes are looked up
    module.__file__ = str(path)
    try:
        _Bytes(str(path), source).exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ConfigurationError(_explain(path, error)) from error
    return module


def _explain(path: Path, error: BaseException) -> str:
    """Where in the file, and what; on one line."""
    message = " ".join(str(error).split())[:300]
    if isinstance(error, SyntaxError) and error.lineno is not None:
        place = f"{error.filename}, line {error.lineno}"
        message = f"{error.msg}"
    else:
        lines = [
            line
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename == str(path)
        ]
        place = f"{path}, line {lines[-1]}" if lines else str(path)
    remedy = ""
    if isinstance(error, ImportError):
        remedy = f"; a ranker is one file: what else it imports must be installed ({_PAGE})"
    return f"{place}: {type(error).__name__}: {message}{remedy}"
