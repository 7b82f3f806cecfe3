"""Dataset files whose names and texts would harm: one line before anything is written."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.base.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.files.dataset_file import DatasetFile, load_dataset


def load(folder: Path, root: Path, **changes: Any) -> DatasetFile:
    (folder / "list.csv").write_text("repo,commit\na/b,\n")
    (folder / "q.json").write_text("[]")
    dataset = {
        "name": "tiny",
        "repositories": "list.csv",
        "source": {"kind": "directory", "path": "."},
        "questions": "q.json",
    }
    (folder / "d.yaml").write_text(yaml.safe_dump({**dataset, **changes}))
    return load_dataset(folder / "d.yaml")


@pytest.mark.parametrize(
    "name", ["tiny\n", "tiny\nx", "a b", "$(touch x)", "../x", "/etc", "", "-x", "a" * 65, "ä"]
)
def test_a_name_that_is_no_plain_word_is_refused(tmp_path: Path, root: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="name"):
        load(tmp_path, root, name=name)


@pytest.mark.parametrize("name", ["checksums", "logs"])
def test_a_dataset_does_not_take_the_folder_of_something_else(
    tmp_path: Path, root: Path, name: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"name: data/{name}/ is taken"):
        load(tmp_path, root, name=name)


@pytest.mark.parametrize("site", ["https://a.example\n", "https://a.example/<b>x", "javascript:x"])
def test_a_site_that_is_no_plain_link_is_refused(tmp_path: Path, root: Path, site: str) -> None:
    with pytest.raises(ConfigurationError, match="site"):
        load(tmp_path, root, posts={"path": "q.json", "site": site})


# A YAML parser may refuse such a text itself.
REFUSED = "has a NUL or bytes that are no UTF-8|is not valid YAML .*invalid Unicode character"


@pytest.mark.parametrize("text", ["\ud800", "\0", "x\udcff.json"])
@pytest.mark.parametrize("key", ["licence", "questions", "repositories"])
def test_text_that_no_path_or_file_can_hold_is_refused(
    tmp_path: Path, root: Path, key: str, text: str
) -> None:
    with pytest.raises(ConfigurationError, match=REFUSED) as caught:
        load(tmp_path, root, **{key: text})
    str(caught.value).encode()
    assert "\n" not in str(caught.value)


def test_braces_in_the_path_of_an_input_are_refused(tmp_path: Path, root: Path) -> None:
    """Snakemake would take them for a wildcard."""
    (tmp_path / "q{x}.json").write_text("[]")
    with pytest.raises(ConfigurationError, match=r"questions: .*q\{x\}.json has a brace in it"):
        load(tmp_path, root, questions="q{x}.json")


@pytest.mark.parametrize(
    "name", ["$(touch x)", "`touch x`", "a; touch x", 'q" && x "', "new\nline", "-rf", "ä \u202e"]
)
def test_any_other_name_of_a_file_will_do(tmp_path: Path, root: Path, name: str) -> None:
    (tmp_path / name).write_text("[]")
    assert load(tmp_path, root, questions=name).questions == (str(tmp_path / name),)


def test_yaml_makes_no_objects_and_no_deep_recursion(tmp_path: Path) -> None:
    path = tmp_path / "d.yaml"
    for text in ("!!python/object/apply:os.system ['touch x']", "[" * 100_000, "a: 2001-99-99"):
        path.write_text(text)
        with pytest.raises(ConfigurationError, match="is not valid YAML"):
            read_yaml(path)
