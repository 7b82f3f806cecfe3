"""Python files of the user's own, which a configuration file or an option names by their path.

Such a file is executed: naming it is the wish to do so, as installing a package is. What is
executed are the bytes that lie there now, in every process. No compiled file is written or read,
since one of before an edit may look new enough.
"""

from __future__ import annotations

import hashlib
import sys
import traceback
from dataclasses import dataclass
from importlib.abc import SourceLoader
from pathlib import Path
from types import ModuleType

from ncsbench.errors import ConfigurationError


@dataclass(frozen=True)
class PythonFileKind:
    """What a file is for.

    Attributes:
        module: how the name begins of the module that such a file becomes.
        named: who names it, where it cannot be read.
        single: what one file holds, where it cannot import something.
        page: of the documentation.
    """

    module: str
    named: str
    single: str
    page: str


def execute_file(path: Path, kind: PythonFileKind) -> ModuleType:
    """The module that a file becomes; the same one while its bytes are the same.

    Raises:
        ConfigurationError: where the file cannot be read or executed.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read ({error.strerror}); {kind.named}"
        ) from error
    digest = hashlib.sha256(str(path).encode() + b"\0" + source).hexdigest()
    name = f"{kind.module}{digest[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    module = sys.modules[name] = ModuleType(name)  # where its classes are looked up
    module.__file__ = str(path)
    try:
        _Bytes(str(path), source).exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        remedy = ""
        if isinstance(error, ImportError):
            remedy = f"; {kind.single}: what else it imports must be installed ({kind.page})"
        raise ConfigurationError(f"{describe_failure(path, error)}{remedy}") from error
    return module


def describe_failure(path: Path, error: BaseException) -> str:
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
    return f"{place}: {type(error).__name__}: {message}"


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
