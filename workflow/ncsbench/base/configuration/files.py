"""Reading configuration files, and executing the Python files of the user that they name.

Every mistake ends in one ``ConfigurationError`` line that names file, key and remedy. A Python file
is executed: who names it wants that, as who installs a package does. Every process executes the
bytes that the file has now. No compiled file is written or read, since a compiled file from before
an edit may look new enough.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader  # noqa: TID251  (of a file that was hashed)
from itertools import cycle
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from ncsbench.errors import ConfigurationError

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast where it is there
_DEEPEST = 100  # no file of ours is nested so deep; libyaml overflows the stack far below
_NAME = re.compile(r"[A-Za-z0-9_-]+")


def read_yaml(path: Path) -> Any:
    """Read one YAML file; ``ConfigurationError`` where it is missing or malformed."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        _check_structure(text)
        return yaml.load(text, _LOADER)  # noqa: S506
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        # The parser knows the text alone, not the file.
        text = " ".join(str(error).replace('in "<unicode string>", line', "in line").split())[:300]
        raise ConfigurationError(f"{path}: is not valid YAML ({text})") from error


def _check_structure(text: str) -> None:
    """Raise ``ValueError`` where YAML is nested too deep, or a mapping has a key twice.

    Without the check the later one of the two keys would count.
    """
    # For a mapping: its keys so far, and whether the next node is a key, since keys and values take
    # turns.
    levels: list[tuple[set[str], Iterator[bool]] | None] = []
    for event in yaml.parse(text, _LOADER):
        if isinstance(event, yaml.CollectionEndEvent):
            levels.pop()
        if not isinstance(event, yaml.NodeEvent):
            continue
        if levels and levels[-1] is not None:
            keys, turns = levels[-1]
            if next(turns) and isinstance(event, yaml.ScalarEvent):
                if event.value in keys:
                    where = f"line {event.start_mark.line + 1}"
                    raise ValueError(
                        f"the key {event.value!r} is there twice, in {where}; keep one"
                    )
                keys.add(event.value)
        if isinstance(event, yaml.CollectionStartEvent):
            is_mapping = isinstance(event, yaml.MappingStartEvent)
            levels.append((set(), cycle((True, False))) if is_mapping else None)
        if len(levels) > _DEEPEST:
            raise ValueError(f"it is nested more than {_DEEPEST} deep")


def list_names(folder: Path) -> list[str]:
    """List names of a folder's ``.yaml`` files, sorted; the names go into paths and rules."""
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    for name in names:
        check_name(f"config/{folder.name}/{name}.yaml", name)
    return names


def check_name(where: str, name: str) -> None:
    """Raise ``ConfigurationError`` for a name that cannot be a part of paths and rules."""
    if not _NAME.fullmatch(name):
        raise ConfigurationError(f"{where}: the name may have letters, digits, '-' and '_' only")


def without_braces(where: str, path: str) -> str:
    """Return the path of an input of the workflow; refuse braces, which stand for wildcards."""
    if "{" in path or "}" in path:
        raise ConfigurationError(f"{where}: {path} has a brace in it; rename the file or folder")
    return path


def fingerprint(value: Any) -> str:
    """Return eight hexadecimal digits that name a set of options in a path."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class PythonFileKind:
    """A use of Python files, with texts for messages.

    Attributes:
        module: beginning of the name of the module that such a file becomes.
        named: text for a file that cannot be read: the place that names it.
        single: text for a failed import: such files are single files.
        page: of the documentation.
    """

    module: str
    named: str
    single: str
    page: str


def execute_file(path: Path, kind: PythonFileKind) -> ModuleType:
    """Execute a file and return its module; the same module while the file's bytes are the same.

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
        _Bytes(name, str(path), source).exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        remedy = ""
        if isinstance(error, ImportError):
            remedy = f"; {kind.single}: what else it imports must be installed ({kind.page})"
        raise ConfigurationError(f"{describe_failure(path, error)}{remedy}") from error
    return module


def describe_failure(path: Path, error: BaseException) -> str:
    """Describe an error of a Python file on one line: its place in the file, and the message."""
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


class _Bytes(SourceFileLoader):
    """Loads a module from bytes, so that what is executed is what was hashed."""

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self._source = source

    def path_stats(self, path: str) -> Mapping[str, Any]:
        raise OSError(path)  # without times of the source no compiled file is read or written

    def get_data(self, path: str) -> bytes:
        return self._source
