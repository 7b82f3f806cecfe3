"""Options of sets of pairs, and the sets in the configuration."""

from pathlib import Path
from typing import Any

import pytest

from ncsbench.configuration import read_yaml, validate_configuration
from ncsbench.errors import ConfigurationError
from ncsbench.pairs.options import DocstringOptions, FileOptions, PostOptions, read_options
from tests.unit.test_pairs_posts import SITE, options


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answers": "some"}, "answers is 'some' and must be one of upvoted, accepted, best, all"),
        ({"tags": "android"}, r"tags is 'android' and must be list\[str\]"),
        ({"java_only": "no"}, "java_only is 'no' and must be"),
        ({"excluded_words": ["ok", "AndroidStudio"]}, "has 'AndroidStudio', which no title can"),
        ({"excluded_words": ["c++"]}, r"has 'c\+\+', which no title can hold as one word"),
    ],
)
def test_wrong_settings_end_in_one_line(root: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read_options({**options(root), **change}, PostOptions)


def test_missing_settings_end_in_one_line() -> None:
    with pytest.raises(ConfigurationError, match="the option 'licence_notices' is missing"):
        read_options({}, DocstringOptions)
    with pytest.raises(ConfigurationError, match="must be an object"):
        read_options([], PostOptions)


def test_every_set_in_the_configuration_is_valid(root: Path) -> None:
    schema = root / "workflow" / "schemas" / "pairs.schema.yaml"
    paths = sorted((root / "config" / "pairs").glob("*.yaml"))
    kinds = {}
    for path in paths:
        chosen = validate_configuration(read_yaml(path), schema=schema, source=str(path))
        kinds[path.stem] = chosen["kind"]
        kind = {"posts": PostOptions, "docstrings": DocstringOptions, "file": FileOptions}
        read_options({**chosen, "site": SITE}, kind[chosen["kind"]])
    assert kinds == {
        "deepcs_10k": "file",
        "github_android": "docstrings",
        "ncs_expansion": "posts",
        "neuralcodesum_java": "file",
        "stackoverflow_android": "posts",
        "stackoverflow_java": "posts",
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "docstrings", "tags": ["a"]}, "'tags' is not one of"),
        ({"kind": "posts"}, "missing key 'tags'"),
        ({"kind": "file", "path": "x"}, "missing key 'source'"),
        ({"kind": "file", "source": "x"}, "missing key 'path'"),
        ({"kind": "docstrings", "path": "x"}, "'path' is not one of"),
        ({"kind": "posts", "tags": ["a"], "generated": "kept"}, "'generated' is not one of"),
        ({"kind": "posts", "tag": ["a"]}, "unknown key 'tag'; did you mean 'tags'"),
    ],
)
def test_options_of_the_other_kind_are_errors(
    root: Path, given: dict[str, Any], message: str
) -> None:
    schema = root / "workflow" / "schemas" / "pairs.schema.yaml"
    with pytest.raises(ConfigurationError, match=message):
        validate_configuration(given, schema=schema, source="config/pairs/x.yaml")
