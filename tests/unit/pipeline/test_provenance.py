"""From Snakemake's records to the provenance file of a dataset."""

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.errors import DataError
from ncsbench.pipeline.provenance.job_graph import Metadata, trace_tables, write_provenance
from ncsbench.pipeline.provenance.lineage import (
    Artifact,
    Checkout,
    Job,
    Lineage,
    code_of,
    describe_checkout,
    read_lineage,
    write_lineage,
)
from ncsbench.version import __version__
from tests.refusals import one_line
from tests.unit import made_up_run
from tests.unit.corpus.test_sources import commit_all, git
from tests.unit.made_up_run import METADATA, TABLE, write_file, write_record

OUTPUT = Path("results/toy/provenance.json")
OTHERS = ("results/toy/per_question.parquet", "results/toy/qrels.txt")
COMMIT = Checkout("0.1.0", "1a" * 20)


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made_up_run.make_run()


def trace(**changes: Any) -> Lineage:
    options: dict[str, Any] = {
        "dataset": "toy",
        "metadata": Metadata(METADATA),
        "settings": made_up_run.SETTINGS,
        "code": COMMIT,
    }
    return trace_tables([TABLE], **(options | changes))


def write(**changes: Any) -> None:
    options: dict[str, Any] = {
        "tables": [Path(TABLE)],
        "dataset": "toy",
        "metadata": METADATA,
        "settings": made_up_run.SETTINGS,
    }
    write_provenance(OUTPUT, **(options | changes))


def maker(lineage: Lineage, path: str) -> Job:
    return lineage.makers[path]


def test_the_way_leads_from_the_table_to_the_raw_sources() -> None:
    lineage = trace()
    sources = sorted(
        path
        for path, artifact in lineage.artifacts.items()
        if path not in lineage.makers and artifact.kind == "file"
    )
    assert sources == ["published/figures.csv", "raw/list.csv", "raw/questions.json"]
    assert [job.rule for job in lineage.jobs] == [
        *(
            "extract",
            "intervals",
            "match",
            "retrieve",
            "retrieve",
            "retrieve",
            "retrieve",
            "tables",
            "weights",
            "words",
        ),
    ]
    assert lineage.notes == ()


def test_a_job_has_all_its_outputs_its_settings_and_code() -> None:
    lineage = trace()
    assert maker(lineage, TABLE).outputs == (*OTHERS, TABLE)
    words = maker(lineage, "data/toy/words")
    told = lineage.artifacts["data/toy/settings/words.json"]
    assert "data/toy/settings/words.json" in words.inputs and told.kind == "settings"
    assert told.content == {"class_name": True, "more": [1, None], "seed": 2019}
    assert words.code == COMMIT
    assert code_of(words, lineage.artifacts, "modules") == {"ncsbench.words": "00ff"}
    assert code_of(words, lineage.artifacts, "packages") == {"numpy": "2.4.6"}


def test_a_folder_has_a_hash_over_those_of_its_files() -> None:
    words = trace().artifacts["data/toy/words"]
    lines = [
        f"{hashlib.sha256(name.split('/')[-1][:-4].encode()).hexdigest()}  {name}\n"
        for name in ("deep/offsets.npy", "tokens.npy")
    ]
    assert words.sha256 == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert words.size == len("tokens") + len("offsets")


def test_what_was_removed_after_use_is_named() -> None:
    assert trace().artifacts["data/toy/part.parquet"] == Artifact("gone")


def test_a_state_of_a_raw_input_stands_for_the_input_which_is_not_hashed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hashed: list[str] = []

    def note(path: Path) -> str:
        hashed.append(str(path))
        return "00"

    monkeypatch.setattr("ncsbench.pipeline.provenance.lineage.known_hash", note)
    lineage = trace()
    assert "raw/questions.json" in hashed
    assert "raw/list.csv" not in hashed
    assert maker(lineage, "data/toy/part.parquet").inputs == ("raw/list.csv",)
    expected = hashlib.sha256(b"owner,repo\n").hexdigest()
    assert lineage.artifacts["raw/list.csv"].sha256 == expected


def test_an_input_that_is_no_longer_what_was_read_is_named() -> None:
    write_record(
        "data/toy/matches.parquet",
        "match",
        ["raw/questions.json"],
        input_checksums={"raw/questions.json": "sha256:" + "00" * 32},
    )
    (note,) = trace().notes
    assert note.startswith("raw/questions.json is no longer what the rules that read it were given")


def test_the_file_is_plain_json_the_same_whatever_the_order_and_reads_back() -> None:
    write()
    first = OUTPUT.read_bytes()
    lineage = read_lineage(OUTPUT)
    assert json.loads(first)["artifacts"][TABLE]["sha256"] == lineage.artifacts[TABLE].sha256
    write_lineage(OUTPUT, replace(lineage, artifacts=dict(reversed(lineage.artifacts.items()))))
    assert OUTPUT.read_bytes() == first
    write()
    assert OUTPUT.read_bytes() == first


def test_a_recorded_job_is_told_with_the_commit_that_has_its_code_now() -> None:
    """What was made while the code was being written does not say so for ever."""
    changed = replace(COMMIT, changed=("ncsbench.elsewhere", "ncsbench.words"))
    earlier = trace(code=changed)
    assert maker(earlier, "data/toy/words").code == replace(COMMIT, changed=("ncsbench.words",))
    clean = replace(COMMIT, commit="2b" * 20)
    later = trace(earlier=earlier, code=clean)
    assert {job.code for job in later.jobs} == {clean}


def test_a_former_file_with_times_machine_and_parts_reads() -> None:
    write()
    value = json.loads(OUTPUT.read_text())
    lineage = read_lineage(OUTPUT)
    for job in value["jobs"]:
        job |= {"started": "1970-01-01T00:16:40.500000Z", "machine": "a machine"}
    value["artifacts"]["data/toy/words"]["parts"] = {"tokens.npy": {"sha256": "00", "size": 1}}
    OUTPUT.write_text(json.dumps(value))
    assert read_lineage(OUTPUT) == lineage


def test_without_records_an_earlier_file_still_tells_of_the_same_result() -> None:
    earlier = trace()
    shutil.rmtree(METADATA)
    assert trace(earlier=earlier, code=replace(COMMIT, commit="2b" * 20)) == earlier
    write_file("results/toy/runs/ncs.trec", "other")
    later = trace(earlier=earlier)
    assert {TABLE, "results/toy/runs/ncs.trec"}.isdisjoint(later.makers)


def test_without_any_record_one_line_says_so(caplog: pytest.LogCaptureFixture) -> None:
    shutil.rmtree(METADATA)
    write(made=[Path("results")])
    assert "there are no records of Snakemake" in caplog.text
    assert "nobody recorded how 1 of the files were made" in caplog.text
    assert read_lineage(OUTPUT).notes[0].startswith("nobody recorded how 1 of the files")


def test_every_recorded_file_of_a_folder_is_described_too() -> None:
    write(also=[Path("results/toy")])
    runs = [f"results/toy/runs/{run}.trec" for run in made_up_run.RUNS]
    assert set(read_lineage(OUTPUT).tables) == {*OTHERS, *runs, TABLE}


def test_a_missing_table_is_one_line() -> None:
    with pytest.raises(DataError, match=r"no\.csv: there is no such file; run Snakemake"):
        write(tables=[Path("no.csv")])


@pytest.mark.parametrize(
    "change",
    [
        {"rule": None},
        {"rule": "\ud800"},
        {"input": "text"},
        {"input": [1]},
        {"input_checksums": [1]},
        {"shellcmd": 3},
    ],
)
def test_a_broken_record_is_one_line(change: dict[str, Any]) -> None:
    path = write_record("data/toy/words", "words", [])
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with one_line(DataError, start=f"{path}: "):
        trace()


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"rule": ' + "9" * 5000 + "}"])
def test_a_record_that_is_no_mapping_is_one_line(text: str) -> None:
    path = write_record("data/toy/words", "words", [])
    path.write_text(text)
    with pytest.raises(DataError, match="metadata"):
        trace()


def test_a_broken_record_that_no_table_needs_and_a_stray_file_do_no_harm() -> None:
    write_record("data/other/words", "words", []).write_text("{")
    write_file(f"{METADATA}/.DS_Store", "stray")
    write_file(f"{METADATA}/****", "stray")
    assert trace().notes == ()


def test_records_of_long_names_lie_in_folders() -> None:
    output = "results/toy/" + "/".join(["long" * 20] * 5) + ".csv"
    write_file(output, "x")
    record = write_record(output, "tables", [TABLE])
    assert record.parent != METADATA
    lineage = trace_tables(
        [output], dataset="toy", metadata=Metadata(METADATA), settings=made_up_run.SETTINGS
    )
    assert maker(lineage, output).inputs == (TABLE,)


def test_records_that_lead_in_a_circle_end() -> None:
    write_record("raw/questions.json", "questions", [TABLE])
    assert maker(trace(), "raw/questions.json").inputs == (TABLE,)


def test_hostile_paths_stay_names() -> None:
    names = [
        "../outside.csv",
        "/etc/absolute",
        "data/$(touch x)",
        "data/`a` b#c?d%2e.csv",
        "data/\u202egnp.csv",
        "a\x1b[31m",
        "data/\x00",
    ]
    write_record(TABLE, "tables", names)
    write_file("../outside.csv", "outside")
    write()
    assert set(names) <= read_lineage(OUTPUT).artifacts.keys()
    assert not Path("x").exists()


def test_what_is_neither_file_nor_folder_is_one_line() -> None:
    os.mkfifo("data/pipe")
    write_record(TABLE, "tables", ["data/pipe"])
    with pytest.raises(DataError, match=r"^data/pipe: is neither a file nor a folder$"):
        trace()


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        '{"dataset": "toy", "artifacts": {"a": {"kind": "new"}}, "jobs": [], "tables": []}',
        '{"dataset": "toy", "artifacts": {}, "jobs": [], "tables": ["a"]}',
        '{"dataset": "toy", "artifacts": {}, "jobs": [{"rule": "a", "command": 1}], "tables": []}',
    ],
)
def test_a_foreign_provenance_file_is_one_line(text: str) -> None:
    OUTPUT.write_text(text)
    with one_line(DataError, match=r"no provenance file of this version .*remove it"):
        write()


def test_a_setting_that_is_not_text_is_one_line() -> None:
    write_file("data/toy/settings/words.json", '{"name": "\\ud800"}')
    with pytest.raises(DataError, match=r"provenance\.json: cannot be written, .* not text$"):
        write()


TEXT = st.text(st.characters(codec="utf-8"))


@given(
    content=st.recursive(
        st.none() | st.booleans() | st.integers() | TEXT,
        lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
        max_leaves=5,
    ),
    path=TEXT,
)
def test_any_lineage_reads_back(content: Any, path: str) -> None:
    lineage = Lineage(
        dataset="toy",
        artifacts={"t": Artifact("file", "00", 0), path: Artifact("settings", content=content)},
        jobs=(Job(path, path, (path,), ("t",), Checkout(path)),),
        tables=("t",),
        notes=(path,),
    )
    write_lineage(OUTPUT, lineage)
    assert read_lineage(OUTPUT) == lineage


def test_the_checkout_names_its_commit_and_the_modules_that_differ_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checkout").mkdir()
    monkeypatch.chdir(tmp_path / "checkout")
    folder = Path()
    assert describe_checkout(folder) == Checkout(__version__)
    assert str(describe_checkout(folder)) == f"ncsbench {__version__}, not in a git checkout"
    write_file("workflow/ncsbench/__init__.py", "")
    write_file("workflow/ncsbench/base/text/words.py", "")
    git("init", "-q", cwd=folder)
    commit_all(folder)
    clean = describe_checkout(folder)
    assert clean.commit is not None and clean.changed == ()  # results and data do not count
    assert str(clean) == f"ncsbench {__version__}, commit {clean.commit}"
    write_file("workflow/ncsbench/__init__.py", "x = 1")
    write_file("workflow/ncsbench/base/text/words.py", "x = 1")
    write_file("workflow/ncsbench/base/text/new.py", "x = 1")
    dirty = describe_checkout(folder)
    assert dirty.changed == ("ncsbench", "ncsbench.base.text.new", "ncsbench.base.text.words")
    assert str(dirty).endswith(
        ", with changes in ncsbench, ncsbench.base.text.new, ncsbench.base.text.words"
    )
    assert describe_checkout(folder / "workflow") == Checkout(__version__)
