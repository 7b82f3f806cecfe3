"""The options page and the JSON Schemas are those of the types, and true of files in config/."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from ncsbench.pairs.training_pairs.pair_options import KINDS
from ncsbench.pipeline import options_page
from ncsbench.pipeline.files.cleaning_file import CleaningFile
from ncsbench.pipeline.files.csn_file import CsnFile
from ncsbench.pipeline.files.dataset_file import DatasetFile
from ncsbench.pipeline.files.model_files import ModelFile
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.freshness.job_resources import ResourceTable
from ncsbench.pipeline.options_page import BENCHMARKS, make_schemas
from ncsbench.posts.published_inputs.source_files import PublishedSource
from ncsbench.rankers.registry import list_built_in

KINDS_OF_FILES = {
    "studies": "study",
    "cleaning": "cleaning",
    "codesearchnet": "codesearchnet",
    "config": "config",
    "datasets": "dataset",
    "models": "model",
    "pairs": "pairs",
    "resources.yaml": "resources",
    "development.yaml": "inputs",
    "sources": "source",
}
MODELS = [
    *(RunOptions, DatasetFile, ModelFile, CsnFile, CleaningFile, ResourceTable, PublishedSource),
    *BENCHMARKS,
    *KINDS.values(),
    *list_built_in().values(),
]


def config_files(root: Path) -> list[tuple[Path, str]]:
    files = sorted((root / "config").rglob("*.yaml"))
    return [
        (path, KINDS_OF_FILES.get(path.name) or KINDS_OF_FILES[path.parent.name]) for path in files
    ]


@cache
def validator(kind: str) -> Any:
    schema = make_schemas()[kind]
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_committed_page_and_schemas_are_what_the_types_give(root: Path) -> None:
    made = options_page.write_files()
    names = [options_page.PAGE, *(f"workflow/schemas/{p.name}" for p in schemas(root))]
    committed = {name: (root / name).read_text(encoding="utf-8") for name in names}
    wrong = sorted(name for name in {*made, *committed} if made.get(name) != committed.get(name))
    assert not wrong, f"{', '.join(wrong)}: run {options_page.COMMAND}"


def schemas(root: Path) -> list[Path]:
    return sorted((root / "workflow" / "schemas").iterdir())


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_option_is_described(model: Any) -> None:
    rows = options_page.list_options(model)
    assert [key for key, _, _, meaning in rows if not meaning] == [], "write a docstring below it"
    # Markdown takes <name> for a tag, and shows nothing.
    assert [key for key, *_, meaning in rows if "<" in re.sub("`[^`]*`", "", meaning)] == []


def test_rows_name_keys_of_blocks_with_type_and_default() -> None:
    rows = {row[0]: row[1:3] for row in options_page.list_options(RunOptions)}
    assert rows["dataset"] == ("text", "needed")
    assert rows["threshold"] == ("number from 0 to 1", "`0.25`")
    assert rows["judge"] == ("a similarity", "`pruned_jaccard_leaf`")
    assert rows["selection"] == ("block", "")
    assert rows["selection.popularity"] == ("`views`, `score`, `links`, `duplicates`", "`views`")
    assert rows["comparisons"] == ("list of pairs of texts", "`[]`")


def test_every_configuration_file_names_its_schema_and_agrees_with_it(root: Path) -> None:
    for path, kind in config_files(root):
        text = path.read_text(encoding="utf-8")
        named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
        assert named is not None, path
        schema = root / "workflow" / "schemas" / f"{kind}.schema.json"
        assert (path.parent / named[1]).resolve() == schema.resolve(), path
        assert list(validator(kind).iter_errors(yaml.safe_load(text))) == [], path


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("config", {"dataset": "sample", "models": []}),
        ("config", {"dataset": "sample", "models": ["bm25"], "treshold": 0.2}),
        ("dataset", {"name": "x", "repositories": "r.csv"}),
        ("model", {"kind": "bm25"}),
        ("model", {"kind": "bm25", "trained_on": "none", "options": {"k2": 1}}),
        ("model", {"like": "ncs", "words": {"class": True}}),
        ("pairs", {"kind": "docstrings", "tags": ["android"]}),
        ("inputs", {"inputs": {"post": "Posts.xml"}}),
    ],
)
def test_an_editor_is_told_of_a_mistake(kind: str, value: dict[str, Any]) -> None:
    assert list(validator(kind).iter_errors(value))
