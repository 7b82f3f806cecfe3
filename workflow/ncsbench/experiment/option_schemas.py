"""JSON Schemas of the configuration files, by which editors check them, made from their types."""

from __future__ import annotations

import pkgutil
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

import ncsbench.rankers
from ncsbench.comment_filter.filter_options import FilterOptions
from ncsbench.comment_filter.rule_sets import RuleFile
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.experiment.cleaning_file import CleaningFile
from ncsbench.experiment.csn_file import CsnFile
from ncsbench.experiment.dataset_file import DatasetFile
from ncsbench.experiment.input_paths import InputPaths
from ncsbench.experiment.job_resources import ResourceTable
from ncsbench.experiment.model_files import ModelFile
from ncsbench.experiment.run_options import RunOptions
from ncsbench.pairs.pair_options import PairOptions
from ncsbench.published_inputs.source_files import PublishedSource
from ncsbench.rankers.registry import find_options


class _Untitled(GenerateJsonSchema):
    """Schemas without titles, which only repeat the names of the keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def make_schemas() -> dict[str, dict[str, Any]]:
    """The schema of each kind of file, by name."""
    pairs = TypeAdapter(PairOptions).json_schema(schema_generator=_Untitled)
    schemas = {
        "cleaning": schema_of(CleaningFile),
        "codesearchnet": schema_of(CsnFile),
        "config": schema_of(RunOptions),
        "dataset": schema_of(DatasetFile),
        "filter": schema_of(FilterOptions),
        "inputs": {  # a configuration file that names inputs and nothing else
            "type": "object",
            "properties": {"inputs": schema_of(InputPaths)},
            "required": ["inputs"],
            "additionalProperties": False,
        },
        "model": _model_schema(),
        "pairs": _tidy(pairs),
        "resources": schema_of(ResourceTable),
        "rules": schema_of(RuleFile),
        "source": schema_of(PublishedSource),
    }
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {name: {"$schema": draft, **schema} for name, schema in schemas.items()}


def schema_of(model: type[StrictModel]) -> dict[str, Any]:
    """The schema of one type."""
    schema: dict[str, Any] = _tidy(model.model_json_schema(schema_generator=_Untitled))
    return schema


def _model_schema() -> dict[str, Any]:
    """Of a model file: its kind decides its options, and ``like`` may bring what it lacks."""
    schema = schema_of(ModelFile)
    for block in schema["$defs"].values():
        block.pop("required", None)
    like = {
        "type": "string",
        "description": "The model file that brings what this one lacks, by name or path.",
    }
    schema["properties"] = {"like": like, **schema["properties"]}
    schema["properties"]["parts"]["additionalProperties"]["type"] = ["string", "null"]
    needed = schema.pop("required")
    schema["anyOf"] = [
        {"required": ["like"]},
        *({"required": [*needed, key]} for key in ("kind", "python")),
    ]
    schema["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
            "then": {"properties": {"options": schema_of(find_options(kind))}},
        }
        for kind in built_in_kinds()
    ]
    return schema


def _tidy(schema: Any) -> Any:
    """With descriptions on one line, and the shortest length of a list under its own name."""
    if isinstance(schema, list):
        return [_tidy(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "array" and "minLength" in schema:
        schema = {**schema, "minItems": schema["minLength"]}
        del schema["minLength"]
    text = schema.get("description")
    return {key: _tidy(value) for key, value in schema.items()} | (
        {"description": write_plainly(text)} if isinstance(text, str) else {}
    )


def built_in_kinds() -> list[str]:
    """Kinds of the rankers of this package, sorted, none of which is imported."""
    names = {module.name for module in pkgutil.iter_modules(ncsbench.rankers.__path__)}
    return sorted(name for name in names if f"{name}_options" in names)


def write_plainly(text: str) -> str:
    """A docstring on one line, as Markdown."""
    return " ".join(text.replace("``", "`").split())
