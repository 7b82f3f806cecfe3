"""Cleaning experiments: settings, states of inputs, what is left out, and what is finished."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.runs.cleaning_run import CleaningRun
from tests.refusals import one_line

FILE = """
sources: {csn: {corpus: csn_sample, maximum_pairs: 50}, more: {corpus: android_sample}}
titles: titles.txt
questions: [asked.json]
benchmarks:
  codesearchnet: {kind: annotations, corpus: csn_sample, annotations: a.csv, queries: q.csv}
  cosbench: {kind: answers, corpus: csn_sample, answers: a.csv, code: code.jsonl}
sets:
  raw: {kind: raw}
  filtered: {kind: filtered, cut: {method: gaussian_mixture}}
  controlled: {kind: controlled, size_of: filtered, draws: 2}
  rule_only: {kind: filtered}
  raw_equal_steps: {kind: raw, steps_of: controlled_2}
  larger_filtered: {kind: filtered, source: more}
  larger_controlled: {kind: controlled, of: larger_filtered, size_of: rule_only, source: more}
models: {deepcs: deepcs_keras}
training: {epochs: 3}
seeds: [1]
finished: kept
"""


@pytest.fixture
def project(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the file of an experiment and its inputs."""
    for name in ("config/codesearchnet", "config/models", "envs", "resources/stopwords"):
        shutil.copytree(root / name, tmp_path / name)
    (tmp_path / "config/cleaning").mkdir()
    (tmp_path / "config/cleaning/mine.yaml").write_text(FILE)
    for name in ("titles.txt", "asked.json", "a.csv", "q.csv"):
        (tmp_path / name).write_text("[]")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project: Path, old: str = "", new: str = "") -> CleaningRun:
    (project / "config/cleaning/mine.yaml").write_text(FILE.replace(old, new) if old else FILE)
    return CleaningRun("mine", Path(), {})


def describe(root: Path, project: Path, old: str = "", new: str = "") -> dict[str, Any]:
    described = write(project, old, new).describe({}, root / "workflow" / "ncsbench")
    return {
        key.removeprefix("mine/settings/").removesuffix(".json"): value
        for key, value in described.items()
    }


def name_all(*sets: str) -> list[str]:
    return [f"{name}-deepcs-seed1" for name in sets]


def changed(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {key for key in before if before[key] != after.get(key)}


def test_a_change_configures_what_depends_on_it_anew(root: Path, project: Path) -> None:
    before = describe(root, project)
    assert changed(before, describe(root, project, "epochs: 3", "epochs: 4")) == {
        key for key in before if key.startswith("cells/")
    }
    model = describe(root, project, "training:", "model: {epochs: 2}\ntraining:")
    assert changed(before, model) == {
        *("comment_model", "losses/csn", "losses/more", "sets/filtered"),
    }
    fewer = describe(root, project, "maximum_pairs: 50", "maximum_pairs: 40")
    assert {key for key in changed(before, fewer) if not key.startswith("sets/")} == {
        *("raw/csn", "losses/csn"),
    }
    (project / "titles.txt").write_text("how to read a file")
    assert changed(before, describe(root, project)) == {"inputs/titles"}


def test_cells_have_the_options_of_the_model_and_of_the_file(project: Path) -> None:
    cells = write(project).cells
    assert list(cells)[:3] == [
        f"{name}-deepcs-seed1" for name in ("raw", "filtered", "controlled_1")
    ]
    cell = cells["controlled_2-deepcs-seed1"]
    assert (cell.draw, cell.steps_of, cell.field_encoder.epochs) == (2, None, 3)
    assert cell.field_encoder.pairs == ("controlled_2",)
    assert cells["raw_equal_steps-deepcs-seed1"].steps_of == "controlled_2"


def test_sets_are_taken_of_raw_pairs_or_of_another_set(project: Path) -> None:
    cells = write(project)
    assert cells.files_of_set("controlled_1")["pairs"] == ["data/mine/raw/csn.parquet"]
    assert cells.files_of_set("larger_filtered")["pairs"] == ["data/mine/raw/more.parquet"]
    taken = cells.files_of_set("larger_controlled")
    assert taken["pairs"] == ["data/mine/sets/larger_filtered.parquet"]
    assert {name.partition("-")[0] for name in cells.cells_of("table8")} == {
        *("raw", "larger_filtered", "larger_controlled"),
    }


@pytest.mark.parametrize(
    "other", ["{kind: raw}", "{kind: filtered, rules: none, cut: {method: k_means}}"]
)
def test_a_set_that_rules_did_not_judge_is_no_step_of_theirs(project: Path, other: str) -> None:
    cells = write(project)
    assert cells.files_of_filter("table4")["kept"] == ["data/mine/sets/filtered.parquet"]
    assert cells.files_of_filter("table6")["kept"] == ["data/mine/sets/larger_filtered.parquet"]
    assert cells.files_of_filter("table6")["raw"] == ["data/mine/raw/more.parquet"]
    for name in ("filtered: {kind: filtered, cut: {method: gaussian_mixture}}",
                 "larger_filtered: {kind: filtered, source: more}"):  # fmt: skip
        key, _, _ = name.partition(":")
        cells = write(project, f"  {name}", f"  {key}: {other}")
        table = "table6" if key == "larger_filtered" else "table4"
        assert cells.files_of_filter(table) == {"raw": ["data/mine/raw/csn.parquet"], "kept": []}


def test_what_cannot_be_made_for_want_of_an_input_is_left_out_and_said(project: Path) -> None:
    run = write(project)
    assert list(run.benchmarks) == ["codesearchnet"]
    assert run.notices == ["mine: benchmark cosbench is left out: there is no code.jsonl"]
    (project / "titles.txt").unlink()
    (project / "asked.json").unlink()
    run = write(project)
    assert not run.has_model
    assert set(run.sets) == {"raw", "rule_only", "larger_filtered", "larger_controlled"}
    said = "\n".join(run.notices)
    assert "mine: set filtered is left out: there is no titles.txt" in said
    assert "mine: set controlled is left out: it needs the set filtered" in said
    assert "mine: set raw_equal_steps is left out: it needs the set controlled_2" in said
    assert "warning: there is no asked.json; pairs may hold its questions" in said
    (project / "a.csv").unlink()
    with pytest.raises(ConfigurationError, match=r"benchmarks: none can be made; codesearchnet: "):
        write(project).benchmarks  # noqa: B018


def test_sets_with_a_cut_need_no_titles_where_losses_are_kept(root: Path, project: Path) -> None:
    described = describe(root, project)
    assert write(project).list_unscored() == ["csn", "more"]
    folder = project / "results/mine/losses"
    folder.mkdir(parents=True)
    (folder / "csn.parquet").write_bytes(b"")
    (folder / "csn.json").write_text(json.dumps({"settings": described["losses/csn"]}))
    (project / "titles.txt").unlink()
    run = write(project)
    assert run.list_unscored() == ["more"] and "filtered" in run.sets
    other = write(
        project, "filtered, source: more", "filtered, cut: {method: k_means}, source: more"
    )
    assert other.left_out["larger_filtered"] == "there is no titles.txt"
    for old, new in (("titles:", "phrases: all\ntitles:"), ("finished: kept\n", "")):
        assert write(project, old, new).list_unscored() == ["csn", "more"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "more: {corpus: android_sample}",
            "more: {corpus: androd}",
            "sources.more.corpus: 'androd'",
        ),
        ("kind: annotations, corpus: csn_sample", "kind: annotations, corpus: c", "no run of Code"),
        ("deepcs_keras", "nbow", "models.deepcs: nbow: has no block 'field_encoder'"),
        ("deepcs_keras", "deepcs_kera", "model 'deepcs_kera' is unknown; did you mean"),
        ("training: {epochs: 3}", "training: {epoch: 3}", "unknown key 'training.epoch'"),
    ],
)
def test_a_mistake_is_one_line(project: Path, old: str, new: str, message: str) -> None:
    with one_line(ConfigurationError, message):
        write(project, old, new).cells  # noqa: B018


@pytest.mark.parametrize("name", ["codesearchnet/csn_sample", "datasets/sample"])
def test_an_experiment_has_a_name_of_its_own(root: Path, project: Path, name: str) -> None:
    other = project / f"config/{name}.yaml"
    other.parent.mkdir(exist_ok=True)
    shutil.copy(root / f"config/{name}.yaml", other)
    shutil.copy(project / "config/cleaning/mine.yaml", project / f"config/cleaning/{other.name}")
    with pytest.raises(ConfigurationError, match=f"{name}.yaml has the same name, and the same"):
        CleaningRun(other.stem, Path(), {}).file  # noqa: B018


def finish(project: Path, run: CleaningRun) -> Path:
    """Records of all sets and cells, as if they were made."""
    results = project / "results/mine"
    for folder in ("ranks", "cells", "sets"):
        (results / folder).mkdir(parents=True)
    for name, one in run.sets.items():
        record = {"settings": one.as_json()}
        (results / "sets" / f"{name}.json").write_text(json.dumps(record))
    for name, cell in run.cells.items():
        record = {"settings": cell.as_json(), "benchmarks": {"codesearchnet": {"queries": 1}}}
        (results / "cells" / f"{name}.json").write_text(json.dumps(record))
        (results / "ranks" / f"{name}.parquet").touch()
    return results


def test_what_is_finished_is_kept_until_it_is_configured_otherwise(project: Path) -> None:
    run = write(project)
    results = finish(project, run)
    assert run.list_unfinished() == run.list_unrecorded() == []
    (results / "ranks/raw-deepcs-seed1.parquet").unlink()
    (results / "cells/rule_only-deepcs-seed1.json").write_text("{")
    assert run.list_unfinished() == ["raw-deepcs-seed1", "rule_only-deepcs-seed1"]
    other = write(project, "rule_only: {kind: filtered}", "rule_only: {kind: raw}")
    assert other.list_unrecorded() == ["rule_only", "larger_controlled"]
    cut = write(project, "{method: gaussian_mixture}", "{method: k_means}")
    assert cut.list_unrecorded() == ["filtered", "controlled_1", "controlled_2"]
    made_of_them = ("filtered", "controlled_1", "controlled_2", "rule_only", "raw_equal_steps")
    assert cut.list_unfinished() == name_all("raw", *made_of_them)
    again = write(project, "finished: kept", "finished: made_again")
    assert again.list_unfinished() == list(again.cells)
    (results / "sets/rule_only.json").write_text("[" * 100_000)
    assert "rule_only" in run.list_unrecorded()


def test_a_cell_without_ranks_of_a_benchmark_that_is_there_now_is_unfinished(
    project: Path,
) -> None:
    finish(project, write(project))
    (project / "code.jsonl").touch()
    run = write(project)
    assert list(run.benchmarks) == ["codesearchnet", "cosbench"]
    assert run.list_unfinished() == list(run.cells)
    path = project / "results/mine/cells/raw-deepcs-seed1.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"benchmarks": {"codesearchnet": {}, "cosbench": {}}}))
    assert "raw-deepcs-seed1" not in run.list_unfinished()
    # One that is no longer there is not asked for.
    (project / "code.jsonl").unlink()
    assert write(project).list_unfinished() == []


def test_what_is_kept_stays_in_tables_when_its_inputs_are_gone(root: Path, project: Path) -> None:
    run = write(project)
    before, shown = describe(root, project)["table2"], run.cells_of("table2")
    finish(project, run)
    (project / "titles.txt").unlink()
    run, after = write(project), describe(root, project)["table2"]
    assert "filtered-deepcs-seed1" not in run.cells
    assert run.cells_of("table2") == shown
    assert after | {"left_out": before["left_out"]} == before
    assert before["outdated"] == []
    # What was made otherwise is no part of a table, nor is what would be made again.
    cut = write(project, "{method: gaussian_mixture}", "{method: k_means}")
    left = [name for name in shown if name.startswith(("raw-", "rule_only-"))]
    assert cut.cells_of("table2") == left
    outdated = describe(root, project, "{method: gaussian_mixture}", "{method: k_means}")
    made_of_it = ("filtered", "controlled_1", "controlled_2", "raw_equal_steps")
    assert outdated["table2"]["outdated"] == name_all(*made_of_it)
    again = write(project, "finished: kept", "finished: made_again")
    assert again.cells_of("table2") == left


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "filterd-deepcs-seed1",
            "config/cleaning/mine.yaml has no cell in its grid named 'filterd-deepcs-seed1'; "
            "did you mean 'filtered-deepcs-seed1'?",
        ),
        ("raw-deepcs-seed2", "did you mean 'raw-deepcs-seed1'?"),
        ("controled_1", "no set named 'controled_1'; did you mean 'con"),
        ("controlled_1-deepcs-seed1", "cannot be made: it needs the set filt"),
        ("filtered", "cannot be made: there is no titles.txt"),
    ],
)
def test_a_set_or_cell_that_there_is_not_is_told_with_the_nearest(
    project: Path, name: str, message: str
) -> None:
    (project / "titles.txt").unlink()
    run = write(project)
    with one_line(ConfigurationError, message):
        run.files_of_cell(name) if "-" in name else run.files_of_set(name)
