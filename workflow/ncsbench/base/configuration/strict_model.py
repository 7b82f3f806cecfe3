"""Typed configuration: pydantic models whose mistakes end in one line.

Every block of options and every settings file is a subclass of ``StrictModel`` beside the code that
uses it; the page ``docs/options.md`` and the JSON Schemas for editors are made from them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ncsbench.base.files.storage import read_json
from ncsbench.errors import ConfigurationError, nearest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_SURROGATE = re.compile("[\\ud800-\\udfff]")
_TRUTH_VALUES = {
    **dict.fromkeys(("true", "yes", "on"), True),
    **dict.fromkeys(("false", "no", "off"), False),
}
_TYPES = {
    **{"int_type": "integer", "float_type": "number", "bool_type": "boolean"},
    **{"string_type": "string", "tuple_type": "array", "list_type": "array"},
    **{"model_type": "object", "dict_type": "object", "path_type": "string"},
}


def _refuse_repeated(names: tuple[Any, ...]) -> tuple[Any, ...]:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name!r} is there twice; keep one")
    return names


Distinct = AfterValidator(_refuse_repeated)
"""Check of a tuple: no value is there twice."""
Names = Annotated[tuple[str, ...], Distinct, Field(json_schema_extra={"uniqueItems": True})]
"""Distinct texts, in an order that may count."""
Share = Annotated[float, Field(ge=0, le=1)]
"""A number from 0 to 1."""


class StrictModel(BaseModel):
    """Values by name: an unknown name, a missing one and a value of another type are mistakes.

    Attributes:
        written: fields that are always written, and so count in the names of artifacts. Other
            fields are written only where they are given: so a new option with a default renames no
            artifact that was made without it.
        assigned: text between key and value where the user writes them.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        defer_build=True,
    )
    written: ClassVar[tuple[str, ...]] = ()
    assigned: ClassVar[str] = ": "

    def model_post_init(self, context: Any) -> None:
        """Count ``written`` among the fields that were given."""
        self.model_fields_set.update(self.written)

    @classmethod
    def parse(cls, value: Any, *, where: str, within: str = "", texts: bool = False) -> Self:
        """Check parsed YAML or JSON and give it its type.

        Args:
            value: should be a mapping; whole numbers that are written as 2.0 become int.
            where: name of the file in an error message.
            within: key of the file that holds the value.
            texts: True where a text that represents a number or truth value is taken for it:
                Snakemake hands over values inside a mapping or list of its command line as texts.

        Raises:
            ConfigurationError: with one line that names file and key.
        """
        if value is None and not within:
            raise ConfigurationError(f"{where}: is empty; docs/options.md has its keys")
        try:
            check_texts(value, where)
            value = _read_values(value, cls, texts=texts)
            # As JSON, in which a list may become a tuple and a text a path; YAML has dates too.
            return cls.model_validate_json(json.dumps(value, default=str))
        except ValidationError as error:
            found = min(error.errors(include_url=False), key=_error_order)
            raise ConfigurationError(f"{where}: {_explain(cls, found, within)}") from error
        except (RecursionError, TypeError, ValueError) as error:  # no JSON: too deep, in a circle
            raise ConfigurationError(f"{where}: cannot be used ({_one_line(error)})") from error

    def as_json(self) -> dict[str, Any]:
        """Return values that ``parse`` reads: given fields and those that are always written."""
        return self.model_dump(mode="json", exclude_unset=True)

    def changed(self, **values: Any) -> Self:
        """Return a checked copy with other values; ``ConfigurationError`` for a wrong value."""
        return self.parse(self.as_json() | values, where=type(self).__name__)


def check_texts(value: Any, where: str) -> None:
    """Refuse texts that cannot be in a path or a file in UTF-8, with NUL or half characters.

    YAML and a command line can hold such texts.
    """
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for item in value:
            check_texts(item, where)
    elif isinstance(value, str) and ("\0" in value or _SURROGATE.search(value)):
        raise ConfigurationError(
            f"{where}: {_one_line(ascii(value))} has a NUL or bytes that are no UTF-8; rename it"
        )


def _read_values(value: Any, kind: Any, *, texts: bool) -> Any:
    """Convert numbers that are written as texts, and whole numbers that are written as floats."""
    if get_origin(kind) is Annotated:
        return _read_values(value, get_args(kind)[0], texts=texts)
    if get_origin(kind) in {Union, UnionType}:
        kinds = [one for one in get_args(kind) if one is not type(None)]
        return _read_values(value, kinds[0], texts=texts) if len(kinds) == 1 else value
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, StrictModel):
        fields = kind.model_fields
        return {
            key: _read_values(item, fields[key].annotation, texts=texts) if key in fields else item
            for key, item in value.items()
        }
    if isinstance(value, list) and get_origin(kind) in {list, tuple}:
        return [_read_values(item, get_args(kind)[0], texts=texts) for item in value]
    if texts and isinstance(value, str) and kind in {int, float, bool}:
        value = _read_text(value, kind)
    return int(value) if kind is int and isinstance(value, float) and value.is_integer() else value


def _read_text(text: str, kind: type) -> str | bool | int | float:
    """Return the number or truth value that a text represents in YAML; else the text."""
    if kind is bool:
        return _TRUTH_VALUES.get(text.lower(), text)
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _error_order(error: ErrorDetails) -> tuple[bool, bool, list[str]]:
    # An unknown key is most often the cause of a missing key, and a wrong item of too few items.
    kind = error["type"]
    return kind != "extra_forbidden", kind == "too_short", [str(part) for part in error["loc"]]


def _explain(model: type[StrictModel], error: ErrorDetails, within: str) -> str:
    kind = error["type"]
    keys, _ = _follow(model, error["loc"])
    where = ".".join([*filter(None, [within]), *keys])
    if kind == "extra_forbidden":
        *parents, key = error["loc"]
        known = getattr(_follow(model, parents)[1], "model_fields", ())
        return f"unknown key {where!r}; {nearest(str(key), list(known))}"
    if kind.startswith("union_tag"):
        where = f"{where}.kind"
    if kind in {"missing", "union_tag_not_found"}:
        return f"missing key {where!r}"
    text = _describe_mistake(model, error)
    return _one_line(f"{where}: {text}" if where else text)


_SAYINGS = {
    "literal_error": "{value!r} is not one of {expected}",
    "union_tag_invalid": "{tag!r} is not one of {expected_tags}",
    "value_error": "{error}",
    "greater_than_equal": "{value!r} is less than the minimum of {ge}",
    "less_than_equal": "{value!r} is greater than the maximum of {le}",
    "greater_than": "{value!r} is not above {gt}",
    "string_pattern_mismatch": "{value!r} does not match {pattern!r}",
    "too_short": "{value!r} should have at least {min_length}",
}
"""Messages about a value, by kind of its mistake."""


def _describe_mistake(model: type[StrictModel], error: ErrorDetails) -> str:
    kind, value = error["type"], error["input"]
    if kind in _SAYINGS:
        return _SAYINGS[kind].format(value=value, **error.get("ctx", {}))
    if kind in _TYPES and _TYPES[kind] == "array" and isinstance(value, str):
        return f"{value!r} is not a list; write {error['loc'][-1]}{model.assigned}[{value}]"
    if kind in _TYPES:
        return f"{value!r} is not of type {_TYPES[kind]!r}"
    return f"{value!r}: {error['msg'].removeprefix('Input ')}"


def _follow(model: type[StrictModel], path: Iterable[int | str]) -> tuple[list[str], Any]:
    """Return the keys of a path as the user writes them, and the type of the value there.

    Where types are distinguished by their key ``kind``, pydantic's path also has the value of
    ``kind``, which is no key.
    """
    keys: list[str] = []
    kind: Any = model
    for part in path:
        kind = _unwrap(kind)
        tagged = [one for one in get_args(kind) if _tag_of(one) == part]
        if isinstance(kind, type) and issubclass(kind, StrictModel):
            field = kind.model_fields.get(str(part))
            kind = field and field.annotation
        elif get_origin(kind) in {Union, UnionType} and tagged:
            kind = tagged[0]
            continue
        else:
            kind = next(reversed([one for one in get_args(kind) if one is not ...]), None)
        keys.append(str(part))
    return keys, _unwrap(kind)


def _unwrap(kind: Any) -> Any:
    """Return a type without its annotations, and without None where it is optional."""
    if get_origin(kind) is Annotated:
        return _unwrap(get_args(kind)[0])
    if get_origin(kind) in {Union, UnionType}:
        kinds = [one for one in get_args(kind) if one is not type(None)]
        return _unwrap(kinds[0]) if len(kinds) == 1 else kind
    return kind


def _tag_of(kind: Any) -> Any:
    """Return the value of ``kind`` that distinguishes a type from others; None without the key."""
    field = getattr(kind, "model_fields", {}).get("kind")
    return field and next(iter(get_args(field.annotation)), None)


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())[:300]


Settings = TypeVar("Settings", bound=StrictModel)


def read_settings(path: Path, kind: type[Settings]) -> Settings:
    """Read the settings of a stage; ``ConfigurationError`` where they are of another stage."""
    return kind.parse(read_json(path), where=str(path))
