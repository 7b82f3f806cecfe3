"""Finding the ranker that a model file names: in this package, in a file, or in another package.

A failure in a ranker outside this package is described in one line (``describe_fault``).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ncsbench.rankers
from ncsbench.base.configuration.files import PythonFileKind, execute_file
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.rankers.ranker_options import PACKAGE, RankerOptions, RankerSpecification

if TYPE_CHECKING:
    from ncsbench.rankers.protocol import Ranker

ENTRY_POINT_GROUP = "ncsbench.rankers"
SUFFIX = ".py"
"""The ending of a kind of ranker that is the path of a Python file."""
_KIND = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FOLDERS = ("", "lexical/", "vectors/", "combined/")
_METHODS = ("fit", "search", "save", "load")
_OPTION_MODULES = ("term_options", "vector_options", "order_options", "encoder_options")
_MODULE = "ncsbench_ranker_"
_PAGE = "docs/add-a-model.md"
_FILE = PythonFileKind(
    module=_MODULE,
    named="a model file names it by its key 'python'",
    single="a ranker is one file",
    page=_PAGE,
)


def create_ranker(
    specification: RankerSpecification | Mapping[str, Any],
    *,
    seed: int,
    wrap: Callable[[Ranker], Ranker] | None = None,
) -> Ranker:
    """Create the ranker that a model file describes, with the rankers it builds on.

    Args:
        specification: a ``RankerSpecification``, or its values by name.
        seed: seed of the run; read only by rankers that draw random numbers.
        wrap: function applied to each ranker that searches the corpus itself (that has no base) and
            to each part. It may be applied twice to a ranker, which must be the same as once.

    Raises:
        ConfigurationError: for an unknown kind or option, for missing or superfluous base or parts.
    """
    if not isinstance(specification, RankerSpecification):
        specification = RankerSpecification.parse(dict(specification), where="model")
    check_base(specification)
    base, kind = specification.base, _find(specification.kind)
    if specification.parts:
        from ncsbench.rankers.combined.combined_ranker import CombinedRanker

        named = sorted(specification.parts.items())
        parts = {name: create_ranker(part, seed=seed, wrap=wrap) for name, part in named}
        if wrap is not None:
            parts = {name: wrap(part) for name, part in parts.items()}
        takes_parts: Any = kind
        combining = takes_parts(options=specification.options, parts=parts, base=None, seed=seed)
        return CombinedRanker(combining, parts)
    ranker = kind(
        options=specification.options,
        base=None if base is None else create_ranker(base, seed=seed, wrap=wrap),
        seed=seed,
    )
    return ranker if base is not None or wrap is None else wrap(ranker)


def check_base(specification: RankerSpecification) -> None:
    """Raise ``ConfigurationError`` for a base or parts that are missing or superfluous."""
    kind, options = specification.kind, find_options(specification.kind)
    takes_base, takes_parts = options.takes_base, options.takes_parts
    if takes_base and specification.base is None:
        raise ConfigurationError(f"model of kind {kind}: names no base; add a line 'base: <model>'")
    if specification.base is not None and not takes_base:
        raise ConfigurationError(f"model of kind {kind}: takes no base; remove its line 'base'")
    if takes_parts and not specification.parts:
        raise ConfigurationError(
            f"model of kind {kind}: names no parts; add a block 'parts: {{<name>: <model>, ...}}'"
        )
    if specification.parts and not takes_parts:
        raise ConfigurationError(f"model of kind {kind}: takes no parts; remove its block 'parts'")


def find_options(kind: str) -> type[RankerOptions]:
    """Return the options class of a kind; for a kind of this package no ranker is imported.

    Raises:
        ConfigurationError: for an unknown kind, and for a class that is no ranker.
    """
    for module in _OPTION_MODULES:  # in turn, since a search needs one, and each takes time
        if (options := _read_options(module).get(kind)) is not None:
            return options
    ranker = _find(kind)
    registered: Any = getattr(ranker, "options_type", None)
    if not (isinstance(registered, type) and issubclass(registered, RankerOptions)):
        raise ConfigurationError(
            f"the ranker {kind!r} has no attribute 'options_type'; give its class a line "
            "'options_type = RankerOptions' or a subclass with its options (docs/add-a-model.md)"
        )
    missing = [name for name in _METHODS if not callable(getattr(ranker, name, None))]
    if missing:
        raise ConfigurationError(
            f"the ranker {kind!r} has no method {missing[0]!r}; docs/add-a-model.md says what it "
            "takes and gives"
        )
    for name in ("needs", "takes_base", "takes_parts"):
        if hasattr(ranker, name):
            raise ConfigurationError(
                f"the ranker {kind!r} has {name!r} in its own class, where nobody reads it; move "
                "it into its 'options_type' (docs/add-a-model.md)"
            )
    for name in ("needs", "of_queries", "files"):
        names: Any = getattr(registered, name)
        if not (isinstance(names, (tuple, list)) and all(isinstance(one, str) for one in names)):
            right = f"({names!r},)" if isinstance(names, str) else "('<name>', ...)"
            raise ConfigurationError(
                f"the ranker {kind!r} has '{name} = {names!r}' in its 'options_type', where a "
                f"tuple of names must be; write '{name} = {right}'"
            )
    return registered


def anchor(specification: RankerSpecification) -> RankerSpecification:
    """Make relative paths absolute: a kind that is a file, and files that options name."""
    kind, given = specification.kind, specification.options
    named = [name for name in find_options(kind).files if given.get(name)]
    files = [name for name in named if not str(given[name]).startswith(PACKAGE)]
    base, parts = specification.base, specification.parts
    return specification.model_copy(
        update={
            "kind": str(Path(kind).absolute()) if kind.endswith(SUFFIX) else kind,
            "options": given | {name: str(Path(given[name]).absolute()) for name in files},
            "base": None if base is None else anchor(base),
            **({"parts": {name: anchor(part) for name, part in parts.items()}} if parts else {}),
        }
    )


def list_built_in() -> Mapping[str, type[RankerOptions]]:
    """Return the options class of each kind of this package by kind; no ranker is imported."""
    every = map(_read_options, _OPTION_MODULES)
    return {kind: options for module in every for kind, options in module.items()}


@cache
def _read_options(module: str) -> Mapping[str, type[RankerOptions]]:
    # By name, so that the code of a ranker is not that of the options of all others.
    found: Mapping[str, type[RankerOptions]] = _find_attribute(module, "OPTIONS")
    return found


def list_kinds() -> list[str]:
    """List every known kind, sorted; imports modules of the package that no options name."""
    places = [f"{path}/{folder}" for path in ncsbench.rankers.__path__ for folder in _FOLDERS]
    modules = {module.name for module in pkgutil.iter_modules(places) if not module.ispkg}
    known = {*list_built_in()}
    known |= {name for name in modules - known if _find_attribute(name, "RANKER") is not None}
    return sorted({*known, *(point.name for point in entry_points(group=ENTRY_POINT_GROUP))})


def find_kind_module(kind: str, library: Path = Path(__file__).parents[1]) -> str | None:
    """Return the module of a kind of this package, such as ``rankers.lexical.bm25f``, or None.

    Args:
        kind: kind in a model file; for a file or a kind of another package the result is None.
        library: folder of the package ``ncsbench``.
    """
    found = [one for one in _FOLDERS if (library / "rankers" / one / f"{kind}.py").is_file()]
    return (
        f"rankers/{found[0]}{kind}".replace("/", ".") if found and _KIND.fullmatch(kind) else None
    )


def _find(kind: str) -> type[Ranker]:
    if kind.endswith(SUFFIX):
        return _load_file(kind)
    if _KIND.fullmatch(kind):
        found: type[Ranker] | None = _find_attribute(kind, "RANKER")
        if found is not None:
            return found
        for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.value):
            if point.name == kind:
                return _load(point)
    raise ConfigurationError(f"unknown kind of model {kind!r}; {nearest(kind, list_kinds())}")


def _load_file(kind: str) -> type[Ranker]:
    """Return the class ``RANKER`` of a file, whose path is relative to the working directory."""
    ranker: type[Ranker] | None = getattr(execute_file(Path(kind), _FILE), "RANKER", None)
    if not isinstance(ranker, type):
        raise ConfigurationError(
            f"{kind}: names no class as RANKER; add a last line 'RANKER = <your class>' ({_PAGE})"
        )
    return ranker


def _load(point: EntryPoint) -> type[Ranker]:
    try:
        registered: type[Ranker] = point.load()
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise ConfigurationError(
            f"the kind {point.name!r} is registered as {point.value}, which cannot be imported: "
            f"{text}; mend the package or install it again"
        ) from error
    return registered


def _find_attribute(module: str, attribute: str) -> Any:
    """Return an attribute of a module of this package; None where there is no such module."""
    name = f"ncsbench.{find_kind_module(module) or f'rankers.{module}'}"
    try:
        # The module is one of this package.
        return getattr(importlib.import_module(name), attribute, None)  # noqa: TID251
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise


def describe_fault(error: Exception) -> str | None:
    """Return file, line and function of the last call in a user's ranker, and the exception.

    Args:
        error: the exception, as it was caught.

    Returns:
        One line; None where no ranker of a file or of another package was running.
    """
    points = entry_points(group=ENTRY_POINT_GROUP)
    packages = {point.module.partition(".")[0] for point in points} - {"ncsbench"}
    places = [
        f"{frame.f_code.co_filename}, line {line}, in {frame.f_code.co_name}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        for module in [str(frame.f_globals.get("__name__"))]
        if module.startswith(_MODULE) or module.partition(".")[0] in packages
    ]
    if not places:
        return None
    message = " ".join(str(error).split())[:300]
    return f"{places[-1]}: {type(error).__name__}: {message}; --debug shows the traceback"
