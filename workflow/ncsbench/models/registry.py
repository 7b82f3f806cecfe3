"""Finding the ranker that a model file names, in this package or registered by another one."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any

import ncsbench.models
from ncsbench.configuration import nearest
from ncsbench.errors import ConfigurationError
from ncsbench.models.embedding import EmbeddingOptions
from ncsbench.models.options import parse_options
from ncsbench.models.protocol import Ranker
from ncsbench.models.unif_options import TrainingOptions
from ncsbench.run_configuration import ModelConfiguration

ENTRY_POINT_GROUP = "ncsbench.rankers"
_KIND = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_REMEDIES = {
    "embedding": "needs word vectors; add a block 'embedding' or a line 'vectors_of: <model>'",
    "expansion": "needs a table of expansions; add a block 'expansion'",
    "weights": "needs trained weights; add a block 'training'",
    "methods": "needs the text of the methods; add a line 'source_text: true'",
}


def create_ranker(specification: Mapping[str, Any], *, seed: int) -> Ranker:
    """Create the ranker that a model file describes, with the rankers it builds on.

    Args:
        specification: ``kind``, ``options`` (optional) and ``base`` (optional), which is a
            specification itself.
        seed: seed of the run; only rankers that draw read it.

    Raises:
        ConfigurationError: for an unknown kind or option, for a missing or superfluous base.
    """
    for key in specification:
        if key not in ("kind", "options", "base"):
            hint = nearest(str(key), ["kind", "options", "base"])
            raise ConfigurationError(f"model: unknown key {key!r}; {hint}")
    kind = specification.get("kind")
    ranker = _find(kind)
    base = specification.get("base")
    if ranker.takes_base and base is None:
        raise ConfigurationError(f"model of kind {kind}: names no base; add a line 'base: <model>'")
    if base is not None and not ranker.takes_base:
        raise ConfigurationError(f"model of kind {kind}: takes no base; remove its line 'base'")
    return ranker(
        options=specification.get("options") or {},
        base=None if base is None else create_ranker(base, seed=seed),
        seed=seed,
    )


def check_model(model: ModelConfiguration) -> None:
    """``ConfigurationError`` that names the model file where a ranker cannot be made from it.

    Looked at are the options of the ranker, of its word vectors, expansions and training, whether
    the file gives what the ranker ``needs``, and the same of the models it builds on.
    """
    if model.base is not None:
        check_model(model.base)
    try:
        create_ranker(model.specification, seed=0)
        _check_options(model)
        _check_inputs(model)
    except ConfigurationError as error:
        raise ConfigurationError(f"config/models/{model.name}.yaml: {error}") from error


def can_be_made(model: ModelConfiguration) -> bool:
    """Whether ``check_model`` has nothing against the model."""
    try:
        check_model(model)
    except ConfigurationError:
        return False
    return True


def _check_options(model: ModelConfiguration) -> None:
    if model.expansion is not None:
        from ncsbench.models.query_expansion import ExpansionOptions

        options = {key: value for key, value in model.expansion.items() if key != "pairs"}
        parse_options(ExpansionOptions, options, where="expansion")
    if model.training is not None:
        parse_options(TrainingOptions, model.training, where="training")
    if model.embedding is not None:
        parse_options(EmbeddingOptions, model.embedding, where="embedding")


def _check_inputs(model: ModelConfiguration) -> None:
    """Whether the model file gives what ``fit`` needs and what training starts from."""
    kind = model.specification["kind"]
    given = {
        "embedding": model.embedding is not None,
        "expansion": model.expansion is not None,
        "weights": model.training is not None,
        "methods": model.source_text,
    }
    for needed in getattr(_find(kind), "needs", ()):
        if not given.get(needed, False):
            raise ConfigurationError(
                f"a model of kind {kind} {_REMEDIES.get(needed, f'needs {needed!r}')}"
            )
    if model.training is not None and model.embedding is None:
        raise ConfigurationError(
            "training starts from word vectors; add a line 'vectors_of: <model>' or a block "
            "'embedding'"
        )


def list_kinds() -> list[str]:
    """Every known kind, sorted; imports all modules of the package."""
    modules = [module.name for module in pkgutil.iter_modules(ncsbench.models.__path__)]
    built_in = [name for name in modules if _built_in(name) is not None]
    return sorted({*built_in, *(point.name for point in entry_points(group=ENTRY_POINT_GROUP))})


def _find(kind: object) -> type[Ranker]:
    if isinstance(kind, str) and _KIND.fullmatch(kind):
        found = _built_in(kind)
        if found is not None:
            return found
        for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.value):
            if point.name == kind:
                registered: type[Ranker] = point.load()
                return registered
    raise ConfigurationError(f"unknown kind of model {kind!r}; {nearest(str(kind), list_kinds())}")


def _built_in(kind: str) -> type[Ranker] | None:
    name = f"{ncsbench.models.__name__}.{kind}"
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise
    return getattr(module, "RANKER", None)
