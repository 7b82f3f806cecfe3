"""Runs of CodeSearchNet: their file, settings, states of inputs, and what is said to be missing."""

import csv
import shutil
from pathlib import Path
from typing import Any

import pytest

from ncsbench.corpus.function_corpus.annotations import read_annotations, read_queries
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.encoders.encoder_options import EncoderSettings
from ncsbench.pipeline.files.csn_file import load_csn_file
from ncsbench.pipeline.runs.csn_run import CsnRun
from ncsbench.posts.published_inputs.source_files import PublishedInput

SHA = "a" * 40
CSN = """
repositories: list.csv
source: {kind: directory, path: code}
annotations: annotations.csv
queries: queries.csv
languages: [go, ruby]
shards: 2
"""


@pytest.fixture
def project(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the file of a run, its inputs, and one repository of each language."""
    folder = tmp_path / "config" / "codesearchnet"
    folder.mkdir(parents=True)
    shutil.copytree(root / "envs", tmp_path / "envs")
    (folder / "mine.yaml").write_text(CSN)
    (folder / "list.csv").write_text(f"language,repo,commit\nGo,o/one,{SHA}\nRuby,o/two,{SHA}\n")
    (tmp_path / "annotations.csv").write_text("Language,Query,GitHubUrl,Relevance,Notes\n")
    (tmp_path / "queries.csv").write_text("query\nq\n")
    for name in ("one/a.go", "two/b.rb"):
        (tmp_path / "code" / "o" / name).parent.mkdir(parents=True)
        (tmp_path / "code" / "o" / name).write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def describe(root: Path) -> dict[str, Any]:
    return CsnRun("mine", Path(), {}).describe({}, root / "workflow" / "ncsbench")


def changed(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    assert before.keys() == after.keys()
    return {name.removeprefix("mine/settings/") for name in before if before[name] != after[name]}


def test_each_language_has_settings_and_states_of_its_own(root: Path, project: Path) -> None:
    before = describe(root)
    assert [name for name in before if "/go/" in name or "_go" in name] == [
        f"mine/settings/{name}.json"
        for name in (
            *("go/inventory", "go/extraction", "go/corpus"),
            *("inputs/go/source", "inputs/go/list", "code/functions_go"),
        )
    ]
    modules = before["mine/settings/code/functions_go.json"]["modules"]
    assert "ncsbench.code.functions.go_functions" in modules
    assert "ncsbench.code.functions.ruby_functions" not in modules
    path = project / "config" / "codesearchnet" / "list.csv"
    path.write_text(path.read_text() + f"Go,o/three,{SHA}\n")
    assert changed(before, after := describe(root)) == {"inputs/go/list.json"}
    (project / "code" / "o" / "two" / "c.rb").write_text("")
    assert changed(after, describe(root)) == {"inputs/ruby/source.json"}


def test_an_option_of_the_corpus_parses_nothing_again(root: Path, project: Path) -> None:
    before = describe(root)
    path = project / "config" / "codesearchnet" / "mine.yaml"
    path.write_text(path.read_text() + "corpus: {pairs: {lines: 4}}\n")
    assert changed(before, describe(root)) == {"go/corpus.json", "ruby/corpus.json"}


def test_absent_inputs_are_said_in_one_line_when_they_are_needed(root: Path, project: Path) -> None:
    run = CsnRun("mine", Path(), {})
    run.check("go")
    with pytest.raises(ConfigurationError, match=r"mine.yaml: languages: has no php, only go, r"):
        run.check("php")
    shutil.rmtree(project / "code" / "o" / "one")
    run.check("ruby")
    with pytest.raises(ConfigurationError, match=r"list.csv: go: none of its 1 repositories is "):
        run.check("go")
    (project / "queries.csv").unlink()
    with pytest.raises(ConfigurationError, match=r"mine.yaml: queries: there is no queries.csv"):
        run.check("ruby")
    (project / "config" / "codesearchnet" / "list.csv").unlink()
    described = describe(root)
    assert described["mine/settings/inputs/ruby/list.json"]["sha256"] is None
    assert described["mine/settings/inputs/queries.json"] == {"path": "queries.csv", "sha256": None}


def test_published_inputs_count_by_their_checksum(root: Path, project: Path) -> None:
    path = "data/sources/codesearchnet/queries.csv"
    file = project / "config" / "codesearchnet" / "mine.yaml"
    file.write_text(file.read_text().replace("queries: queries.csv", f"queries: {path}"))
    published = {path: PublishedInput(where="there", url="u", sha256="b" * 64, maximum_mb=1)}
    run = CsnRun("mine", Path(), published)
    assert run.list_published("annotations", "queries") == [path]
    run.check("go")
    described = run.describe({}, root / "workflow" / "ncsbench")
    assert described["mine/settings/inputs/queries.json"]["sha256"] == "b" * 64
    (project / path).parent.mkdir(parents=True)
    (project / path).write_text("query\n")
    with pytest.raises(DataError, match="but there says bbbb"):
        run.check("go")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("shards: 2", "shard: 2", "unknown key 'shard'; did you mean 'shards'"),
        ("[go, ruby]", "[go, rubi]", "languages.1: 'rubi' is not one of"),
        ("directory", "git", r"source.path of kind git needs {owner} and {repo} in it"),
        (", path: code", "", "missing key 'source.path'"),
        ("list.csv", "'{x}.csv'", "has a brace in it"),
    ],
)
def test_a_mistake_in_the_file_names_file_and_key(
    project: Path, old: str, new: str, message: str
) -> None:
    path = project / "config" / "codesearchnet" / "mine.yaml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ConfigurationError, match=r"mine\.yaml: ") as error:
        load_csn_file(path)
    assert message in str(error.value)


def read_columns(path: Path, *columns: str) -> list[tuple[str, ...]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(row[column] for column in columns) for row in csv.DictReader(file)]


@pytest.mark.parametrize("name", ["android", "android_sample"])
def test_corpora_of_android_have_no_systems(root: Path, name: str) -> None:
    file = load_csn_file(root / "config" / "codesearchnet" / f"{name}.yaml")
    assert (file.languages, file.systems, file.choices) == (("java",), {}, {})
    listed = read_columns(Path(file.repositories), "language", "repo", "commit")
    dataset = "config/datasets/ncsed_383" if name == "android" else "resources/sample/repositories"
    known = read_columns(root / f"{dataset}.csv", "repo", "commit")
    assert {language for language, _, _ in listed} == {"Java"}
    assert len({repo.lower() for _, repo, _ in listed}) == len(listed)
    if name == "android":
        assert {row[1:] for row in listed} < set(known)
        assert len(listed) == 272
    else:  # folders have no commit, so theirs are made up
        assert [repo for _, repo, _ in listed] == [repo for repo, _ in known]


def test_the_listed_repositories_are_those_with_an_example(root: Path) -> None:
    published = root.parent / "shared" / "data" / "ncsed"
    if not published.is_dir():
        pytest.skip("needs ../shared")
    examples = {repo for (repo,) in read_columns(published / "examples-dev.csv", "repo")}
    at_hand = {repo for (repo,) in read_columns(published / "repos-available.csv", "repo")}
    path = root / "config" / "codesearchnet" / "android_repositories.csv"
    assert {repo for (repo,) in read_columns(path, "repo")} == examples & at_hand


SYSTEMS = """
systems:
  nbow: {seeds: [1, 2]}
choices:
  small: {of: nbow, encoder: {maximum_pairs: 100, pooling: mean}}
  smaller: {of: small, encoder: {maximum_pairs: 10}}
"""


def test_a_choice_of_a_choice_changes_what_that_one_has(root: Path, project: Path) -> None:
    shutil.copytree(root / "config" / "models", project / "config" / "models")
    file = project / "config" / "codesearchnet" / "mine.yaml"
    file.write_text(CSN + SYSTEMS)
    systems = CsnRun("mine", Path(), {})
    trained = systems.runs["smaller"].trained_with
    assert isinstance(trained, EncoderSettings)
    assert (trained.encoder.maximum_pairs, trained.encoder.pooling, trained.seed) == (10, "mean", 1)
    rows = systems.list_settings(root / "workflow/ncsbench")["tables"].choices
    assert [(row.name, row.of) for row in rows] == [
        ("small", "nbow-seed1"),
        ("smaller", "small"),
    ]


def test_a_choice_of_one_below_is_refused(project: Path) -> None:
    file = project / "config" / "codesearchnet" / "mine.yaml"
    file.write_text(CSN + SYSTEMS.replace("of: nbow,", "of: smaller,"))
    with pytest.raises(ConfigurationError, match="neither a system nor a choice above"):
        load_csn_file(file)


def test_borrowed_results_are_kept_where_the_dataset_that_trained_them_is_not_here(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("config", "envs", "results/csn_java", "resources/stopwords"):
        shutil.copytree(root / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    systems = CsnRun("csn_java", Path(), {})
    assert systems.list_unfinished() == []
    assert list(systems.runs) == ["bm25", "elasticsearch_like", "minilm"]
    assert systems.list_results("ranks", ".parquet")[-1].endswith("/fused_minilm.parquet")
    tables = systems.list_settings(root / "workflow/ncsbench")["tables"]
    seen = "questions likely, answers likely, code likely"
    assert tables.seen == dict.fromkeys(("minilm", "minilm_rerank", "fused_minilm"), seen)
    assert tables.runs["fused_parts"][-1] == "fused_parts-seed2021"
    file = Path("config/codesearchnet/csn_java.yaml")
    text = file.read_text()
    for old, new in (
        ("pool_count: 2", "pool_count: 3"),
        ("finished: kept", "finished: made_again"),
        ("seeds: [2019, 2020, 2021]", "seeds: [2019, 2020, 7]"),
    ):
        file.write_text(text.replace(old, new))
        with pytest.raises(ConfigurationError, match="ncsed"):
            CsnRun("csn_java", Path(), {}).list_unfinished()
    file.write_text(text)
    Path("results/csn_java/ranks/fused_parts-seed2020.parquet").unlink()
    with pytest.raises(ConfigurationError, match="ncsed"):
        CsnRun("csn_java", Path(), {}).list_unfinished()


def test_the_committed_grades_are_the_published_ones(root: Path, shared: Path) -> None:
    folder, kept = shared / "data/codesearchnet", root / "config/published"
    queries = read_queries(folder / "queries.csv")
    assert read_queries(kept / "codesearchnet_queries.csv") == queries
    published = read_annotations(folder / "annotationStore.csv", queries)
    assert read_annotations(kept / "codesearchnet_grades.csv", queries) == published


@pytest.mark.parametrize(
    ("annotations", "published"),
    [
        ("annotations.csv", False),
        ("config/published/codesearchnet_grades.csv", True),
        ("data/sources/codesearchnet/annotationStore.csv", True),
    ],
)
def test_printed_figures_stand_beside_the_published_annotations_alone(
    project: Path, annotations: str, published: bool
) -> None:
    file = project / "config" / "codesearchnet" / "mine.yaml"
    file.write_text(CSN.replace("annotations: annotations.csv", f"annotations: {annotations}"))
    assert CsnRun("mine", Path(), {}).is_published == published
