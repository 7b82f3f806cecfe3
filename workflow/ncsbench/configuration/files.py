"""Reading configuration files, and what is said of names in them.

Every mistake ends in one ``ConfigurationError`` line that names file, key and remedy.
"""

from __future__ import annotations

import hashlib
import json
import re
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
        _check_depth(text)
        return yaml.load(text, _LOADER)  # noqa: S506
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        # The parser knows the text alone, not the file.
        text = " ".join(str(error).replace('in "<unicode string>", line', "in line").split())[:300]
        raise ConfigurationError(f"{path}: is not valid YAML ({text})") from error


def _check_depth(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, _LOADER):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise ValueError(f"it is nested more than {_DEEPEST} deep")


def list_names(folder: Path) -> list[str]:
    """Names of the ``.yaml`` files of a folder, sorted; they become parts of paths and rules."""
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    for name in names:
        if not _NAME.fullmatch(name):
            raise ConfigurationError(
                f"config/{folder.name}/{name}.yaml: the name may have letters, digits, '-' and "
                "'_' only"
            )
    return names


def without_braces(where: str, path: str) -> str:
    """The path of an input of the workflow, where braces stand for wildcards."""
    if "{" in path or "}" in path:
        raise ConfigurationError(f"{where}: {path} has a brace in it; rename the file or folder")
    return path


def fingerprint(value: Any) -> str:
    """Eight hexadecimal digits that name a set of options in a path."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]
