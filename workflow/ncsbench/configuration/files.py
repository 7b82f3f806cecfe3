"""Reading configuration files, and what is said of names in them.

Every mistake ends in one ``ConfigurationError`` line that names file, key and remedy.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
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
    """Raise ``ValueError`` where it is nested too deep, or has a key twice: one would count."""
    # Of a mapping its keys so far, and whether the next node is one: keys and values take turns.
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
    """Names of the ``.yaml`` files of a folder, sorted; they become parts of paths and rules."""
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    for name in names:
        check_name(f"config/{folder.name}/{name}.yaml", name)
    return names


def check_name(where: str, name: str) -> None:
    """``ConfigurationError`` for a name of a file that cannot be a part of paths and rules."""
    if not _NAME.fullmatch(name):
        raise ConfigurationError(f"{where}: the name may have letters, digits, '-' and '_' only")


def without_braces(where: str, path: str) -> str:
    """The path of an input of the workflow, where braces stand for wildcards."""
    if "{" in path or "}" in path:
        raise ConfigurationError(f"{where}: {path} has a brace in it; rename the file or folder")
    return path


def fingerprint(value: Any) -> str:
    """Eight hexadecimal digits that name a set of options in a path."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]
