"""A trial makes tables of its own from what it shares with the dataset, which stays as it is."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest
import yaml

from ncsbench.pipeline.trials.trials import SHARED
from tests.tiny_encoder import write_encoder
from tests.workflow.conftest import call_ncsbench, copy_project, read_csv, run_snakemake

pytestmark = pytest.mark.workflow

JAVA = """package p;
class Clip {
    void offer(Context owner, String text) {
        ClipboardManager board =
            (ClipboardManager) owner.getSystemService(Context.CLIPBOARD_SERVICE);
        board.setPrimaryClip(ClipData.newPlainText("label", text));
    }
    void other(Context owner) { owner.startActivity(owner.getIntent()); }
}
"""
QUESTION = {
    "stackoverflow_id": "1",
    "question": "Copy text to the clipboard",
    "answer": 'clipboard.setPrimaryClip(ClipData.newPlainText("label", text));',
}
OTHER = {"stackoverflow_id": "2", "question": "Close a stream", "answer": "stream.close();"}
DATASET = "dataset=tiny/tiny.yaml"
TRIAL = ("trial", "--config", DATASET, "trial=first", "models=[bm25,mine]")


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, with the tables of a dataset of two methods and a model ``mine``."""
    folder = copy_project(root, tmp_path_factory.mktemp("trials") / "project")
    source = folder / "tiny" / "java" / "owner" / "name"
    source.mkdir(parents=True)
    (source / "Clip.java").write_text(JAVA)
    (folder / "tiny" / "list.csv").write_text("repo,commit\nowner/name,\nowner/gone,\n")
    (folder / "tiny" / "questions.json").write_text(json.dumps([OTHER, QUESTION]))
    dataset = {
        "name": "tiny",
        "repositories": "list.csv",
        "source": {"kind": "directory", "path": "java"},
        "questions": "questions.json",
        "parts": {"about_clips": ["1"]},
        "shards": 1,
    }
    (folder / "tiny" / "tiny.yaml").write_text(yaml.safe_dump(dataset))
    (folder / "config" / "models" / "mine.yaml").write_text("like: bm25\noptions: {k1: 2.0}\n")
    config = folder / "config" / "config.yaml"
    models = {"models": ["bm25", "elasticsearch_like"]}
    config.write_text(yaml.safe_dump(yaml.safe_load(config.read_text()) | models))
    done = run_snakemake(folder, "all", "--config", DATASET)
    assert done.returncode == 0, done.stdout + done.stderr
    told = "corpus: warning: 1 of 2 listed repositories could not be read: owner/gone (folder not"
    assert told in done.stderr and "data/tiny/corpus/ledger.parquet has them all" in done.stderr
    return folder


def hashes(project: Path) -> dict[str, str]:
    """What the dataset's tables are made of, and the tables: but for the folder of trials."""
    files = [*(project / "results").rglob("*"), *(project / "data").rglob("*.json")]
    return {
        str(path.relative_to(project)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.is_file() and not {"trials", "checksums", "logs"} & set(path.parts)
    }


def list_models(table: Path) -> list[str]:
    return [row["model"] for row in read_csv(table)]


def call(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return call_ncsbench(project, *arguments, "--dataset", "tiny/tiny.yaml")


def test_a_trial_has_tables_of_its_own_and_makes_nothing_twice(project: Path) -> None:
    before, logs = hashes(project), project / "data" / "tiny" / "logs"
    of_dataset = {path: path.read_bytes() for path in logs.glob("*.log")}
    done = run_snakemake(project, *TRIAL)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ncsbench: trial first: its tables go to results/tiny/trials/first;" in done.stderr
    assert {path: path.read_bytes() for path in logs.glob("*.log")} == of_dataset
    assert (logs / "trials" / "first" / "retrieve-mine.log").exists()
    after = hashes(project)
    assert {path: after.get(path) for path in before} == before
    new = set(after) - set(before)
    assert "results/tiny/runs/mine.trec.gz" in new
    assert {path for path in new if path.startswith("results/")} == {
        "results/tiny/runs/mine.trec.gz"
    }
    found = re.findall(r"wildcards: model=(\w+)", done.stdout + done.stderr)
    assert set(found) == {"mine"}
    folder = project / "results" / "tiny" / "trials" / "first"
    controls = ["random", "random_long", "longest_first"]
    assert list_models(folder / "table1.csv") == [*controls, "bm25", "mine", "ceiling"]
    assert list_models(project / "results" / "table1.csv") == [
        *controls, "bm25", "elasticsearch_like", "ceiling"
    ]  # fmt: skip
    made = {path.name for path in folder.iterdir()}
    assert {"per_question.parquet", "significance.csv", "provenance.json", "metrics"} <= made
    assert "trials/first" not in (project / "results/tiny/provenance.json").read_text()
    # What the trial does not have is taken from the dataset's table.
    told = call(project, "compare", "mine", "elasticsearch_like", "--trial", "first")
    assert told.stdout.startswith("mine against elasticsearch_like on tiny, 2 questions: ")
    for again in (("all", "--config", DATASET), TRIAL):
        done = run_snakemake(project, *again)
        assert "Nothing to be done" in done.stdout + done.stderr


def test_a_part_of_the_questions_has_tables_of_its_own(project: Path) -> None:
    before = hashes(project)
    done = run_snakemake(project, "all", "--config", DATASET, "part=about_clips")
    assert done.returncode == 0, done.stdout + done.stderr
    after = hashes(project)
    new = {path for path in after if path not in before}
    assert {path: after.get(path) for path in before} == before
    of_part = ("results/tiny/parts/about_clips/", "data/tiny/settings/code/part_questions.json")
    assert all(path.startswith(of_part) for path in new), new
    folder = project / "results/tiny/parts/about_clips"
    whole, part = (
        pd.read_parquet(one / "per_question.parquet") for one in (folder.parent.parent, folder)
    )
    # A question keeps the id that it has in the questions file.
    assert set(whole.query_id) == {1, 2} and set(part.query_id) == {2}
    assert part.equals(whole[whole.query_id == 2].reset_index(drop=True))
    assert {row["questions"] for row in read_csv(folder / "table1.csv")} == {"1"}
    for target in ("results/tiny/table1.csv", "card"):
        asked = run_snakemake(project, target, "--config", DATASET, "part=about_clips")
        assert asked.returncode == 1
        assert f"part about_clips: does not make {target}; ask for tables" in asked.stderr
    asked = run_snakemake(project, "all", "--config", DATASET, "part=about_clip")
    told = "tiny/tiny.yaml has no part 'about_clip'; did you mean 'about_clips'?"
    assert told in asked.stderr


def test_rows_of_a_trial_are_searched_and_exported(project: Path, tmp_path: Path) -> None:
    ask = ("search", "copy to the clipboard", "--json", "--model")
    found = json.loads(call(project, *ask, "mine").stdout)
    assert found["model"] == "mine" and len(found["methods"]) == 1
    (project / "tiny" / "own.yaml").write_text("like: bm25\noptions: {k1: 3.0}\n")
    told = call(project, *ask, "tiny/own.yaml").stderr
    command = f"data/tiny/indexes/own --config {DATASET} trial=search 'models=[tiny/own.yaml]'"
    assert f"indexes/own: is not there; make it: snakemake --cores all {command}" in told
    done = run_snakemake(project, *command.replace("'", "").split())
    assert done.returncode == 0, done.stderr
    again = json.loads(call(project, *ask, "tiny/own.yaml").stdout)
    assert again["model"] == "own" and len(again["methods"]) == 1
    assert "has no row none; it has " in call(project, *ask, "none").stderr
    # A later run of this trial had other rows, and failed before it had tables.
    settings = project / "data/tiny/settings/trials/first/table.json"
    before = settings.read_text()
    values = json.loads(before)
    values["models"] = [row for row in values["models"] if row["name"] != "mine"]
    settings.write_text(json.dumps(values))
    done = call(project, "export", "trec", "-o", str(tmp_path / "trec"), "--trial", "first")
    assert done.returncode == 0, done.stderr
    names = {path.stem for path in (tmp_path / "trec/runs").iterdir()}
    assert names >= {"bm25", "mine"} and not names & {"elasticsearch_like", "ceiling"}
    settings.write_text(before)
    wrong = call(project, "export", "trec", "-o", str(tmp_path / "no"), "--trial", "frist")
    assert "tiny: has no tables of a trial 'frist' (did you mean 'first'?)" in wrong.stderr


def test_a_package_that_is_not_installed_is_missed_before_any_job(project: Path) -> None:
    if find_spec("transformers") is not None:
        return  # nothing is missing
    write_encoder(project / "tiny" / "encoder")
    (project / "tiny" / "deep.yaml").write_text(
        "kind: encoder\ntrained_on: nothing\nsource_text: true\noptions: {model: tiny/encoder}\n"
    )
    asked = ("trial", "--config", DATASET, "trial=deep", "models=[bm25,tiny/deep.yaml]")
    done = run_snakemake(project, *asked)
    told = "tiny/deep.yaml: a sentence encoder needs the package 'transformers', which is not"
    assert done.returncode != 0 and f"ncsbench: error: {told}" in done.stderr
    assert "Traceback" not in done.stderr and "Error in rule" not in done.stderr
    # What can be said without it is said.
    assert run_snakemake(project, *asked[:1], "-n", *asked[1:]).returncode == 0


def test_a_trial_writes_to_its_own_folder_and_to_what_is_shared(project: Path) -> None:
    targets = ("trial", "judge_study", "duplicates", "micro_benchmark")
    further = ("pairs", "runs", "judgements")
    models = "models=[bm25,ncs_postrank,unif_github_c]"
    before, settings = hashes(project), set((project / "data").glob("*/settings/trials/*"))
    done = run_snakemake(
        project, *targets, *further, "--dry-run", "--forceall", "--config", "trial=first", models
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Looking changes nothing: not even what ``explain`` compares.
    assert hashes(project) == before
    assert set((project / "data").glob("*/settings/trials/*")) == settings
    lines = re.findall(r"^    output: (.*)$", done.stdout + done.stderr, re.MULTILINE)
    outputs = {path.split()[0] for line in lines for path in line.split(", ")}
    written = {path for path in outputs if path.startswith("results/")}
    own = {path for path in written if path.startswith("results/sample/trials/first/")}
    assert len(own) > 20
    assert {
        path
        for path in written - own
        if not path.removeprefix("results/sample/").startswith(SHARED)
    } == set()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("trial=2", "trial: 2 is no name of a trial; use letters, digits, - and _ after a letter"),
        ("depth=60", "trial: shares its rankings and judgements with the tables of tiny, which"),
        ("results/table1.csv", "trial first: does not make results/table1.csv; ask for trial, or"),
        ("card", "trial first: does not make card; ask for trial, or for card without a trial"),
        ("models=[bm25]", "a trial has a name: snakemake --cores all trial --config trial=mine "),
        ("seed=7", "which were made with other options (seed in data/tiny/settings/"),
    ],
)
def test_what_a_trial_cannot_be_ends_in_one_line(project: Path, option: str, message: str) -> None:
    before = hashes(project)
    name = [] if option.startswith("trial") else [TRIAL[3]]
    if option.startswith("models"):
        done = run_snakemake(project, *TRIAL[:3], option)
    elif "=" not in option:
        done = run_snakemake(project, option, *TRIAL[1:])
    else:
        done = run_snakemake(project, *TRIAL[1:3], *name, TRIAL[4], option)
    lines = [line for line in done.stderr.splitlines() if "ncsbench: error: " in line]
    assert done.returncode != 0 and len(lines) == 1 and message in lines[0]
    assert hashes(project) == before


SMALL = "{embedding: 4, cells: 2, output: 4, filters: 4, epochs: 1, unknown_words: own}"
LEARNT = {
    "fields": {
        "one": f"like: deepcs_keras\npublished_as: ''\nfield_encoder: {SMALL}\n",
        "other": f"like: carlcs_code\npublished_as: ''\nfield_encoder: {SMALL}\n",
    },
    "joint": {"joint": "like: nbow\nencoder: {dimension: 8, vocabulary_size: 50, epochs: 1}\n"},
}


@pytest.mark.parametrize("trial", LEARNT)
def test_networks_are_rows_where_they_are_asked_for(project: Path, trial: str) -> None:
    for name, text in LEARNT[trial].items():
        (project / "tiny" / f"{name}.yaml").write_text(text)
    target = f"results/tiny/trials/{trial}/table1.csv"
    models = ",".join(f"tiny/{name}.yaml" for name in LEARNT[trial])
    options = ("--config", DATASET, f"trial={trial}", f"models=[{models}]")
    done = run_snakemake(project, target, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {row["model"]: row for row in read_csv(project / target)}
    # Two methods without documentation give no pair; the networks have their random first values.
    for name in LEARNT[trial]:
        assert rows[name]["training_pairs"] == "0" and float(rows[name]["mrr"]) > 0
    assert "keeps its random first values" in done.stderr
    assert "Nothing to be done" in run_snakemake(project, target, *options).stderr
