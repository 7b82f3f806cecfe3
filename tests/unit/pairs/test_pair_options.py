"""Options of sets of pairs, and the sets in the configuration."""

from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError
from ncsbench.pairs.training_pairs.pair_options import (
    DocstringOptions,
    PostPairSettings,
    parse_pair_options,
)
from tests.unit.pairs.test_post_pairs import options


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answers": "some"}, "answers: 'some' is not one of 'upvoted', 'accepted', 'best' or"),
        ({"tags": "android"}, "tags: 'android' is not a list"),
        ({"tags": []}, "tags: .* should have at least 1"),
        ({"java_only": "no"}, "java_only: 'no' is not of type 'boolean'"),
        ({"excluded_words": ["ok", "AndroidStudio"]}, "has 'AndroidStudio', which no title can"),
        ({"excluded_words": ["c++"]}, r"has 'c\+\+', which no title can hold as one word"),
    ],
)
def test_wrong_settings_end_in_one_line(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        PostPairSettings.parse({**options(), **change}, where="settings")
    assert str(error.value).startswith("settings: ") and "\n" not in str(error.value)


def test_missing_settings_end_in_one_line() -> None:
    with pytest.raises(ConfigurationError, match="settings: missing key 'kind'"):
        DocstringOptions.parse({}, where="settings")
    with pytest.raises(ConfigurationError, match="is not of type 'object'"):
        PostPairSettings.parse([], where="settings")


def test_every_set_in_the_configuration_is_valid(root: Path) -> None:
    paths = sorted((root / "config" / "pairs").glob("*.yaml"))
    kinds = {path.stem: parse_pair_options(read_yaml(path), where=str(path)).kind for path in paths}
    assert kinds == {
        "deepcs_10k": "file",
        "github_android": "docstrings",
        "github_controlled": "derived",
        "github_filtered": "derived",
        "github_raw": "docstrings",
        "ncs_expansion": "posts",
        "neuralcodesum_java": "file",
        "stackoverflow_android": "posts",
        "stackoverflow_java": "posts",
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "docstrings", "tags": ["a"]}, "unknown key 'tags'; known: exact_duplicates"),
        ({"kind": "posts"}, "missing key 'tags'"),
        ({"kind": "file", "path": "x"}, "missing key 'source'"),
        ({"kind": "file", "source": "x"}, "missing key 'path'"),
        ({"kind": "docstrings", "path": "x"}, "unknown key 'path'"),
        ({"kind": "posts", "tags": ["a"], "generated": "kept"}, "unknown key 'generated'"),
        ({"kind": "docstrings", "excluded_keys": ["a"]}, "excluded_keys go with threadless"),
        ({"kind": "docstrings", "threadless": "a b"}, "threadless: 'a b' does not match"),
        ({"kind": "derived", "of": "a", "threadless": "b"}, "unknown key 'threadless'"),
        ({"kind": "posts", "tag": ["a"]}, "unknown key 'tag'; did you mean 'tags'"),
        ({"kind": "posts", "Tags": ["a"]}, "unknown key 'Tags'; did you mean 'tags'"),
        ({"kind": "post"}, "kind: 'post' is unknown; did you mean 'posts'"),
        ({"kind": ["posts"]}, "kind: .* is unknown; did you mean 'posts'"),
        ({"tags": ["a"]}, "missing key 'kind'"),
        ([], "is not of type 'object'"),
    ],
)
def test_options_of_the_other_kind_are_errors(given: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        parse_pair_options(given, where="config/pairs/x.yaml")
    assert str(error.value).startswith("config/pairs/x.yaml: ")
