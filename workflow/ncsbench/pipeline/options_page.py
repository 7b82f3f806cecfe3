"""The page ``docs/options.md``, made from the types of options, with the schemas for editors.

Run ``.venv/bin/python -m ncsbench.pipeline.options_page`` in the folder of the Snakefile after a
change of an option.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.base.files.storage import write_text
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.pairs.cleaned_pairs.cleaning_options import BenchmarkOptions
from ncsbench.pairs.comment_filter.filter_options import FilterOptions
from ncsbench.pairs.comment_filter.rule_sets import RuleFile
from ncsbench.pairs.training_pairs.pair_options import KINDS, PairOptions
from ncsbench.pipeline.files.cleaning_file import CleaningFile
from ncsbench.pipeline.files.csn_file import CsnFile
from ncsbench.pipeline.files.dataset_file import DatasetFile
from ncsbench.pipeline.files.input_paths import InputPaths
from ncsbench.pipeline.files.model_files import ModelFile
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.freshness.job_resources import ResourceTable
from ncsbench.pipeline.trials.studies import StudyFile
from ncsbench.posts.published_inputs.source_files import PublishedSource
from ncsbench.rankers.learnt_kinds import INPUTS, LEARNT
from ncsbench.rankers.registry import list_built_in


class _Untitled(GenerateJsonSchema):
    """Schemas with the docstrings of fields, and without titles, which repeat names of keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: Any) -> dict[str, Any]:
        made = super().model_schema(schema)
        for name, text in describe_fields(schema["cls"]).items():
            if name in made.get("properties", {}):
                made["properties"][name]["description"] = text
        return made


@cache
def describe_fields(model: type[StrictModel]) -> dict[str, str]:
    """Return the docstrings of a type's fields by name.

    They are read here, since pydantic would read the sources of all types whenever one is imported.
    """
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, StrictModel):
            [declared] = ast.parse(dedent(inspect.getsource(base))).body
            for field, below in pairwise(getattr(declared, "body", [])):
                match field, below:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(text))),
                    ):
                        texts[name] = inspect.cleandoc(text)
    return texts


def make_schemas() -> dict[str, dict[str, Any]]:
    """Make the schema of each kind of file, by name."""
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
        "study": schema_of(StudyFile),
    }
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {name: {"$schema": draft, **schema} for name, schema in schemas.items()}


def schema_of(model: type[StrictModel]) -> dict[str, Any]:
    """Make the schema of one type of options."""
    schema: dict[str, Any] = _tidy(model.model_json_schema(schema_generator=_Untitled))
    return schema


def _model_schema() -> dict[str, Any]:
    """Make the schema of a model file: the kind decides the options, ``like`` may bring others."""
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
            "then": {"properties": {"options": schema_of(options)}},
        }
        for kind, options in sorted(list_built_in().items())
    ]
    return schema


def _tidy(schema: Any) -> Any:
    """Put descriptions of a schema on one line each, a list's least length under ``minItems``."""
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


def write_plainly(text: str) -> str:
    """Write a docstring on one line, as Markdown."""
    return " ".join(text.replace("``", "`").split())


BENCHMARKS: tuple[type[StrictModel], ...] = get_args(get_args(BenchmarkOptions)[0])
"""Options of each kind of benchmark of a cleaning experiment."""
COMMAND = ".venv/bin/python -m ncsbench.pipeline.options_page"
PAGE = "docs/options.md"
_SCHEMAS = "workflow/schemas"
_WORDS = {
    **{kind: (kind, f"{kind}s") for kind in ("integer", "number")},
    **{"string": ("text", "texts"), "pair": ("pair of texts", "pairs of texts")},
    **{"boolean": ("`true` or `false`", ""), "object": ("block", "blocks")},
}
"""Names of one value and of several values, by JSON type."""
_INTRODUCTION = f"""\
<!-- Made by `{COMMAND}`; change the docstrings of the types instead. -->
# Options

Every key of every configuration file. A key that is not here, or a value of another type, ends the
run with one line that names the file, the key and the nearest known key. Keys of a block are listed
below the block, as `block.key`.

The first line of each file names its schema in `{_SCHEMAS}/`, by which an editor with a YAML
language server checks and completes what you write:
`# yaml-language-server: $schema=../../{_SCHEMAS}/model.schema.json`
"""


def write_files() -> dict[str, str]:
    """Make the text of the page and of every schema, by path from the folder of the Snakefile."""
    return {
        PAGE: write_page(),
        **{
            f"{_SCHEMAS}/{name}.schema.json": json.dumps(schema, indent=1) + "\n"
            for name, schema in make_schemas().items()
        },
    }


def write_page() -> str:
    """Write the page in Markdown: a section for each kind of file, a table for each set of keys."""
    similarities = ", ".join(f"`{name}`" for name in SIMILARITIES)
    parts = [
        _INTRODUCTION,
        _section("## A run", RunOptions, file="`config/config.yaml`"),
        f"A similarity is one of {similarities} ([judge.md](judge.md)).\n",
        _section("## A dataset", DatasetFile, file="`config/datasets/<name>.yaml`"),
        _section("## A model", ModelFile, file="`config/models/<name>.yaml`"),
    ]
    for kind, options in sorted(list_built_in().items()):
        needs = ["a line `base`"] * options.takes_base + ["a block `parts`"] * options.takes_parts
        needs += [INPUTS[name].added_by.replace("'", "`") for name in options.needs]
        note = f" Needs {' and '.join(needs)}." if needs else ""
        parts.append(_section(f"### `options` of `kind: {kind}`", options, note))
    parts.append(_list_learnt())
    parts.append(_section("## A study", StudyFile, file="`config/studies/<name>.yaml`"))
    parts.append("## A set of training pairs\n\nIn `config/pairs/<name>.yaml`.\n")
    parts += [_section(f"### `kind: {kind}`", options) for kind, options in KINDS.items()]
    file = "`config/codesearchnet/<name>.yaml`"
    parts.append(_section("## A run of CodeSearchNet", CsnFile, file=file))
    file = "`config/cleaning/<name>.yaml`"
    parts.append(_section("## A cleaning experiment", CleaningFile, file=file))
    parts += [
        _section(f"### A benchmark of `kind: {kind}`", options)
        for options in BENCHMARKS
        for kind in get_args(options.model_fields["kind"].annotation)
    ]
    parts.append(_section("## A filter of comments", FilterOptions, file="`clean fit --options`"))
    parts.append(_section("## A file of rules", RuleFile, file="`clean fit --rules`"))
    parts.append(_section("## What jobs take", ResourceTable, file="`config/resources.yaml`"))
    file = "`config/sources/<name>.yaml`"
    parts.append(_section("## Files of others", PublishedSource, file=file))
    return "\n".join(parts)


def _list_learnt() -> str:
    """Write the section of what models learn: a row for each kind, and one for each input."""
    lines = ["## What models learn", "", "Below `data/<dataset>/`, by the block that says how:", ""]
    lines += ["| kind | block | folder or file | rule | learnt from |", "|---|---|---|---|---|"]
    for name, kind in LEARNT.items():
        place, sources = kind.place.format("<key>"), ", ".join(kind.learnt_from)
        rule = kind.stage or name
        lines.append(f"| {name} | `{kind.block}` | `{place}` | `{rule}` | {sources} |")
    lines += ["", "Inputs of `fit`, and the part of the model file that gives them:", ""]
    lines += ["| input | is | given by | read by |", "|---|---|---|---|"]
    for name, one in INPUTS.items():
        given, reader = one.added_by.replace("'", "`"), one.loaded_by.replace(":", ".")
        lines.append(f"| `{name}` | {one.what} | {given} | {reader and f'`{reader}`'} |")
    return "\n".join(lines) + "\n"


def list_options(model: type[StrictModel], within: str = "") -> list[tuple[str, str, str, str]]:
    """List key, type, default and meaning of every field and of the fields of blocks.

    Needed fields come first. The meaning is empty where the field has no docstring.
    """
    properties, meanings = schema_of(model)["properties"], describe_fields(model)
    fields = sorted(model.model_fields.items(), key=lambda item: not item[1].is_required())
    rows = []
    for name, field in fields:
        block = _block_of(field.annotation)
        one = block if properties[name].get("type") != "array" else None
        default = "needed" if field.is_required() else _show_default(properties[name], one)
        kind = "block" if one else "list of blocks" if block else _show_type(properties[name])
        rows.append((f"{within}{name}", kind, default, write_plainly(meanings.get(name, ""))))
        if block is not None:
            named = "additionalProperties" in properties[name]  # a block for every name
            rows += list_options(block, f"{within}{name}.{'<name>.' * named}")
    return rows


def _section(title: str, model: type[StrictModel], note: str = "", *, file: str = "") -> str:
    # A file has a line of its own: headings with marks get another anchor on each kind of host.
    lines = [title, "", *([f"In {file}.", ""] if file else [])]
    lines += [write_plainly(model.__doc__ or "") + note, ""]
    lines += ["| key | type | default | meaning |", "|---|---|---|---|"]
    for key, kind, default, meaning in list_options(model):
        escaped = meaning.replace("|", "\\|")
        lines.append(f"| `{key}` | {kind} | {default} | {escaped} |")
    text = re.sub(r"docs/([a-z0-9-]+\.md)", r"[\1](\1)", "\n".join(lines))
    return re.sub(r"DEV-(\d+)", r"[DEV-\1](deviations.md#dev-\1)", text) + "\n"


def _block_of(annotation: Any) -> type[StrictModel] | None:
    for kind in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(kind, type) and issubclass(kind, StrictModel):
            return kind
    return None


def _show_type(schema: dict[str, Any], *, many: bool = False) -> str:
    if "anyOf" in schema:
        kinds = [one for one in schema["anyOf"] if one.get("type") != "null"]
        return " or ".join(_show_type(one, many=many) for one in kinds)
    if schema.get("enum") == list(SIMILARITIES):
        return "similarities" if many else "a similarity"
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    if schema["type"] == "array" and "prefixItems" not in schema:
        return f"list of {_show_type(schema['items'], many=True)}"
    kind = "pair" if "prefixItems" in schema else schema["type"]
    words = [_WORDS[kind][many]]
    for key, word in (("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", "to")):
        words += [f"{word} {schema[key]}"] if key in schema else []
    return " ".join(words)


def _show_default(schema: dict[str, Any], block: type[StrictModel] | None) -> str:
    value = schema.get("default")
    if block is not None or value is None:
        return "none" if value is None else ""
    if isinstance(value, list) and len(value) > 8:
        return f"`{json.dumps([*value[:2], '...', value[-1]])}`".replace('"..."', "...")
    return f"`{value if value and isinstance(value, str) else json.dumps(value)}`"


def main() -> None:
    """Write the page and the schemas below the working directory."""
    for name, text in write_files().items():
        write_text(Path(name), text)


if __name__ == "__main__":
    main()
