"""Reading and checking configuration files: run, dataset and model files.

Every mistake ends in one ``ConfigurationError`` line that names file, key and remedy.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from ncsbench.errors import ConfigurationError

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_SURROGATE = re.compile("[\\ud800-\\udfff]")
_TAKEN_NAMES = ("checksums", "fingerprints", "logs")  # folders beside those of datasets
_NUMBERS = ("integer", "number", "boolean")


def read_yaml(path: Path) -> Any:
    """Read one YAML file; ``ConfigurationError`` where it is missing or malformed."""
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: is not valid YAML ({_one_line(error)})") from error


def validate_configuration(value: Any, *, schema: Path, source: str) -> dict[str, Any]:
    """Check ``value`` against a JSON Schema, fill in its defaults and return it.

    A text that stands for a number or truth value is taken as such: Snakemake hands over what
    stands inside a mapping or list of its command line as texts. Whole numbers become int.

    Args:
        value: the parsed file, or Snakemake's merged configuration.
        schema: YAML file with a JSON Schema (draft 2020-12) of an object.
        source: what to call the file in an error message.
    """
    rules = read_yaml(schema)
    if not isinstance(value, dict):
        raise ConfigurationError(f"{source}: must be a mapping of keys to values")
    _check_texts(value, source)
    value = _read_texts(value, rules)
    errors = sorted(Draft202012Validator(rules).iter_errors(value), key=_error_order)
    if errors:
        raise ConfigurationError(f"{source}: {_explain(errors[0])}")
    filled: dict[str, Any] = _with_defaults(value, rules)
    return filled


def load_dataset(path: Path, schema: Path) -> dict[str, Any]:
    """Read a dataset file and resolve its paths.

    A relative path is looked for from the dataset file's own folder first, then from the working
    directory. ``questions`` becomes a list, empty where they are to be selected from ``posts``;
    ``posts`` and ``curation`` are None where they are absent.
    """
    dataset = validate_configuration(read_yaml(path), schema=schema, source=str(path))
    if dataset["name"] in _TAKEN_NAMES:
        raise ConfigurationError(f"{path}: name: data/{dataset['name']}/ is taken; choose another")
    questions = dataset.get("questions", [])
    names = [questions] if isinstance(questions, str) else questions
    dataset["questions"] = [_resolve(path, "questions", name) for name in names]
    for key in ("posts", "curation"):
        dataset.setdefault(key, None)
    if dataset["posts"] is not None:
        dump = _resolve(path, "posts.path", dataset["posts"]["path"])
        dataset["posts"] = {**dataset["posts"], "path": dump}
        if dataset["posts"]["users"] is not None:
            users = _resolve(path, "posts.users", dataset["posts"]["users"])
            dataset["posts"]["users"] = users
    elif not names:
        raise ConfigurationError(
            f"{path}: missing key 'questions' (or 'posts' to select them from)"
        )
    if dataset["curation"] is not None:
        dataset["curation"] = _resolve(path, "curation", dataset["curation"])
    dataset["repositories"] = _resolve(path, "repositories", dataset["repositories"])
    source = dict(dataset["source"])
    source["path"] = _resolve_template(path, source["path"])
    if source["kind"] == "git" and not {"{owner}", "{repo}"} <= _fields(source["path"]):
        raise ConfigurationError(
            f"{path}: source.path of kind git needs {{owner}} and {{repo}} in it, "
            f"for example clones/{{owner}}/{{repo}}"
        )
    return {**dataset, "source": source}


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


def fingerprint(value: Any) -> str:
    """Eight hexadecimal digits that name a set of options in a path."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def nearest(name: str, known: list[str]) -> str:
    """``; did you mean 'x'?`` for the nearest known name, else the list of all."""
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(sorted(known))}"


def _check_texts(value: Any, source: str) -> None:
    """Texts become paths and files in UTF-8; YAML and a command line can hold what these cannot."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for item in value:
            _check_texts(item, source)
    elif isinstance(value, str) and ("\0" in value or _SURROGATE.search(value)):
        raise ConfigurationError(
            f"{source}: {_one_line(ascii(value))} has a NUL or bytes that are no UTF-8; rename it"
        )


def _explain(error: ValidationError) -> str:
    where = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = sorted(set(map(str, error.instance)) - set(known))[0]
        return f"unknown key {_join(where, unknown)!r}; {nearest(unknown, known)}"
    if error.validator == "required":
        missing = sorted(set(error.validator_value) - set(error.instance))[0]
        return f"missing key {_join(where, missing)!r}"
    if error.validator in {"oneOf", "anyOf"} and error.context:
        return f"{where}: {_one_line(error.schema.get('description', error.message))}"
    return f"{where}: {_one_line(error.message)}" if where else _one_line(error.message)


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())[:300]


def _error_order(error: ValidationError) -> tuple[bool, list[str], str]:
    # An unknown key is most often the cause of a missing one: name it first.
    path = [str(part) for part in error.absolute_path]
    return error.validator != "additionalProperties", path, error.message


def _read_texts(value: Any, rules: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        properties = rules.get("properties", {})
        return {key: _read_texts(item, properties.get(key, {})) for key, item in value.items()}
    if isinstance(value, list):
        return [_read_texts(item, rules.get("items", {})) for item in value]
    if isinstance(value, str) and rules.get("type") in _NUMBERS:
        with contextlib.suppress(yaml.YAMLError, ValueError, RecursionError):
            read = yaml.safe_load(value)
            return read if isinstance(read, bool | int | float) else value
    return value


def _with_defaults(value: Any, rules: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_with_defaults(item, rules.get("items", {})) for item in value]
    if isinstance(value, float) and rules.get("type") == "integer":
        return int(value)
    if not isinstance(value, dict):
        return value
    properties = rules.get("properties", {})
    filled = {key: rule["default"] for key, rule in properties.items() if "default" in rule}
    filled |= value
    return {key: _with_defaults(item, properties.get(key, {})) for key, item in filled.items()}


def _resolve(dataset: Path, key: str, name: str) -> str:
    for folder in (dataset.parent, Path()):
        if (folder / name).exists():
            return without_braces(f"{dataset}: {key}", str(folder / name))
    raise ConfigurationError(
        f"{dataset}: {key}: {name} exists neither beside the dataset file nor in the "
        "working directory"
    )


def without_braces(where: str, path: str) -> str:
    """The path of an input of the workflow, where braces stand for wildcards."""
    if "{" in path or "}" in path:
        raise ConfigurationError(f"{where}: {path} has a brace in it; rename the file or folder")
    return path


def _resolve_template(dataset: Path, template: str) -> str:
    """Like ``_resolve`` for the folders before the first placeholder."""
    start = Path(template.split("{", 1)[0] + "x").parent
    for folder in (dataset.parent, Path()):
        if (folder / start).exists():
            return str(folder / template)
    raise ConfigurationError(
        f"{dataset}: source.path: {start} exists neither beside the dataset file nor in the "
        "working directory"
    )


def _fields(template: str) -> set[str]:
    return {field for field in ("{owner}", "{repo}") if field in template}
