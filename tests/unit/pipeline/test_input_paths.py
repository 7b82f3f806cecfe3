"""Where inputs lie on this machine: by configuration, or not at all."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.files.dataset_file import find_dataset_file
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.runs.run import load_run
from tests.refusals import one_line

QUESTIONS = '[{"stackoverflow_id": "1", "question": "x", "answer": "y"}]'


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dataset whose posts and scores are not where its file says."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.csv").write_text("repo,commit\na/b,\n")
    (tmp_path / "q.json").write_text(QUESTIONS)
    (tmp_path / "java").mkdir()
    values = {
        "name": "tiny",
        "repositories": "list.csv",
        "source": {"kind": "directory", "path": "java"},
        "questions": "q.json",
        "posts": {"path": "inputs/Posts.xml", "users": "inputs/Users.xml"},
    }
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(values))
    return path


def load(dataset: Path, root: Path, **inputs: Any) -> Any:
    config = {"dataset": str(dataset), "models": ["bm25", "ncs_expanded"], "inputs": inputs}
    return load_run(config, root=root)


def test_what_is_absent_is_left_out_with_a_notice(dataset: Path, root: Path) -> None:
    run = load(dataset, root)
    assert run.file.posts is None
    assert "ncs_expanded" in run.left_out and "bm25" in run.models
    said = "\n".join(run.notices)
    assert "posts: what needs it is left out, since there is no inputs/Posts.xml" in said
    assert "say by inputs.posts where it is" in said


def test_what_is_given_replaces_what_the_file_says(dataset: Path, root: Path) -> None:
    folder = dataset.parent / "elsewhere"
    (folder / "java").mkdir(parents=True)
    (folder / "list.csv").write_text("repo,commit\nc/d,\n")
    (folder / "part.json").write_text(QUESTIONS)
    for name in ("p.xml", "u.xml", "l.xml", "pairs.jsonl"):
        (folder / name).write_text("")
    run = load(
        dataset,
        root,
        repositories="elsewhere/list.csv",
        source="elsewhere/java",
        questions="elsewhere/part.json",
        posts="elsewhere/p.xml",
        users="elsewhere/u.xml",
        links="elsewhere/l.xml",
        pairs={"deepcs_10k": "elsewhere/pairs.jsonl"},
    )
    assert run.file.repositories == "elsewhere/list.csv"
    assert run.file.questions == ("elsewhere/part.json",)
    assert run.file.posts.path == Path("elsewhere/p.xml")
    assert run.file.posts.users == Path("elsewhere/u.xml")
    assert run.file.posts.links is None  # the dataset file has no such key
    assert run.pairs["deepcs_10k"].path == "elsewhere/pairs.jsonl"
    assert run.settings["tiny/settings/corpus.json"]["source"]["path"] == "elsewhere/java"
    assert "ncs_expanded" in run.models and run.notices == []


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"posts": "no.xml"}, "inputs.posts: there is no no.xml; correct or remove the line"),
        ({"questions": ["q.json", "no.json"]}, "inputs.questions: there is no no.json"),
        ({"source": "java2"}, "inputs.source: there is no folder java2"),
        ({"pairs": {"deepcs": "x"}}, "inputs.pairs: 'deepcs' is no set of pairs; did you mean"),
        ({"pairs": {"ncs_expansion": "x"}}, "'ncs_expansion' reads no file: it is of kind posts"),
        ({"pairs": {"deepcs_10k": "x"}}, "inputs.pairs.deepcs_10k: there is no x"),
        ({"post": "x"}, "unknown key 'inputs.post'; did you mean 'posts'?"),
    ],
)
def test_what_is_given_and_not_there_is_one_line(
    dataset: Path, root: Path, inputs: dict[str, Any], message: str
) -> None:
    with one_line(ConfigurationError, message):
        load(dataset, root, **inputs)


def test_no_dataset_or_pair_file_names_a_folder_beside_the_checkout(root: Path) -> None:
    for path in (root / "config").rglob("*"):
        if path.is_file() and path.name != "development.yaml":
            assert "../shared" not in path.read_text(encoding="utf-8"), path


def test_paths_beside_a_named_dataset_are_the_same_on_every_machine(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_dataset_file("ncsed_383", root) == Path("config/datasets/ncsed_383.yaml")
    monkeypatch.chdir(root / "docs")
    assert find_dataset_file("ncsed_383", root) == Path("../config/datasets/ncsed_383.yaml")


def test_a_dataset_file_elsewhere_has_a_name_of_its_own(root: Path, tmp_path: Path) -> None:
    own = root / "config/datasets/sample.yaml"
    other, link = tmp_path / "lab.yaml", tmp_path / "link.yaml"
    link.symlink_to(own)
    for path in (str(own), "config/datasets/sample.yaml", "docs/../config/datasets/sample.yaml"):
        assert find_dataset_file(path, root) == Path(path)
    assert find_dataset_file(str(link), root) == link
    other.write_text("name: lab\n")
    assert find_dataset_file(str(other), root) == other
    other.write_text("name: sample\n")
    with pytest.raises(ConfigurationError) as caught:
        find_dataset_file(str(other), root)
    message = str(caught.value)
    assert "lab.yaml: name: 'sample' is the dataset of config/datasets/sample.yaml" in message
    copy = tmp_path / "config" / "datasets" / "copied.yaml"  # its name was forgotten
    copy.parent.mkdir(parents=True)
    for path in (copy, copy.with_name("sample.yaml")):
        path.write_text("name: sample\n")
    with pytest.raises(ConfigurationError, match=r"copied.yaml: name: 'sample' is the dataset of"):
        find_dataset_file("copied", tmp_path)
    assert find_dataset_file("sample", tmp_path).samefile(copy.with_name("sample.yaml"))
    for text in ("name: [sample]\n", "[]\n", ""):  # what reads the file says what is wrong
        other.write_text(text)
        assert find_dataset_file(str(other), root) == other


def test_the_committed_places_are_inputs(root: Path) -> None:
    given = yaml.safe_load((root / "config/development.yaml").read_text())
    values = {"dataset": "ncsed", "models": ["bm25"], **given}
    assert RunOptions.parse(values, where="test").inputs.published is not None
