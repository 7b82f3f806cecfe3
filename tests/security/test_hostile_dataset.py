"""The whole workflow on a dataset in which every text of others tries to do harm."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ncsbench.base.files.storage import read_json, read_table
from ncsbench.base.runs.trec_files import read_lines, read_run
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA
from tests.security.hostile_dataset import MARK, hostile_texts, write_hostile_dataset
from tests.workflow.conftest import copy_project, run_snakemake

pytestmark = pytest.mark.workflow

TARGETS = (
    *("results/table1.csv", "selected_questions", "pairs", "explorer"),
    *("results/hostile/examples.csv", "results/hostile/provenance.json"),
)
EVERYTHING = (*TARGETS, "judge_study")
SMALL = (
    "models=[bm25,ncs]",
    "bootstrap_samples=100",
)
MADE = ("data", "results", ".snakemake")
SHOWN_WARNINGS = re.compile(r" && \(grep ': warning: ' (\S+) >&2 \|\| true\)$")
HARMLESS_COMMAND = re.compile(r"[A-Za-z0-9_./ =>&()-]+")


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file below a folder but those that a run makes."""
    found = {}
    for parent, folders, files in os.walk(folder):
        if Path(parent) == folder / "project":
            folders[:] = [name for name in folders if name not in MADE]
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in files:
            status = os.lstat(Path(parent) / name)
            found[str(Path(parent) / name)] = (status.st_size, status.st_mtime_ns)
    return found


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the hostile dataset and word vectors that are trained quickly."""
    folder = copy_project(root, tmp_path_factory.mktemp("hostile") / "project")
    model = folder / "config" / "models" / "ncs.yaml"
    text = model.read_text().replace("minimum_words: 1000000", "minimum_words: 1000")
    model.write_text(text.replace("bucket: 2000000", "bucket: 110000"))
    write_hostile_dataset(folder, folder.parent / MARK)
    return folder


@pytest.fixture(scope="module")
def before(project: Path) -> dict[str, tuple[int, int]]:
    return state(project.parent)


@pytest.fixture(scope="module")
def run(project: Path, before: dict[str, tuple[int, int]]) -> subprocess.CompletedProcess[str]:
    dataset = next(project.rglob("data set.yaml")).relative_to(project)
    # Without times of its own in its terminal output, a line of it is what a rule shows.
    done = run_snakemake(project, "-p", *TARGETS, "--config", f"dataset={dataset}", *SMALL)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_no_text_of_others_stands_in_a_command(project: Path) -> None:
    """For every rule there is: a command has words of this project only."""
    dataset = next(project.rglob("data set.yaml")).relative_to(project)
    done = run_snakemake(project, "-n", "-p", *EVERYTHING, "--config", f"dataset={dataset}")
    assert done.returncode == 0, done.stdout + done.stderr
    commands = re.findall(r"Shell command: (.*)", done.stdout + done.stderr)
    assert len(commands) > 60
    plain = [SHOWN_WARNINGS.sub(r" \1", command) for command in commands]
    assert [command for command in plain if not HARMLESS_COMMAND.fullmatch(command)] == []


def test_nothing_was_run_and_nothing_written_elsewhere(
    project: Path, before: dict[str, tuple[int, int]], run: subprocess.CompletedProcess[str]
) -> None:
    names = {name for _, folders, files in os.walk(project.parent) for name in (*folders, *files)}
    assert MARK not in names and "x" not in names
    assert state(project.parent) == before
    assert {path.name for path in project.iterdir()} - set(MADE) <= {
        Path(name).relative_to(project).parts[0] for name in before if str(project) + "/" in name
    }


def test_no_job_ended_in_a_traceback(project: Path, run: subprocess.CompletedProcess[str]) -> None:
    texts = {path: path.read_bytes() for path in project.rglob("*.log")}
    assert len(texts) > 30
    said = {**texts, Path("terminal"): (run.stdout + run.stderr).encode()}
    assert [path for path, text in said.items() if b"Traceback" in text] == []
    # A log is read at a terminal.
    logs = [text for path, text in texts.items() if "data" in path.parts]
    assert not [text for text in logs if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", text)]


def test_repositories_stay_in_their_folder_and_the_rest_is_in_the_ledger(
    project: Path, run: subprocess.CompletedProcess[str]
) -> None:
    corpus = project / "data" / "hostile" / "corpus"
    ledger = read_table(corpus / "ledger.parquet", LEDGER_SCHEMA).to_pylist()
    taken = {line["repository"] for line in ledger if line["status"] == "taken"}
    assert taken == {"good/repo"}
    reasons = {line["path"]: line["reason"] for line in ledger if line["path"]}
    assert reasons["Link.java"] == reasons["Pipe.java"] == "not a regular file"
    assert "\\xff\\xfe.java" in reasons and not any("Secret" in path for path in reasons)
    rejected = {line["reason"] for line in ledger if line["status"] == "skipped"}
    assert {
        "is not owner/name",
        "the commit is neither a hexadecimal id of 7 to 64 digits nor HEAD or a branch",
    } < rejected
    for path in sorted((corpus / "methods").glob("*.parquet")):
        assert "secret" not in read_table(path, METHOD_SCHEMA)["method_name"].to_pylist()


def test_every_question_is_evaluated_and_runs_parse(
    project: Path, run: subprocess.CompletedProcess[str]
) -> None:
    count = len(hostile_texts(Path(MARK))) + 1
    results = project / "results" / "hostile"
    assert {row["questions"] for row in cells(results / "table1.csv")} <= {str(count), ""}
    for path in sorted((results / "runs").glob("*.trec.gz")):
        assert set(read_run(path).query_ids.tolist()) <= set(range(1, count + 1))
        assert {len(line.split(" ")) for line in read_lines(path)} <= {6}
    for name in ("qrels.txt", "qrels_strict.txt", "qrels_charged.txt"):
        qrels = (results / name).read_text().splitlines()
        assert all(re.fullmatch(r"\d+ 0 \d+ [01]", line) for line in qrels)
        assert {line.split()[0] for line in qrels} == {str(n) for n in range(1, count + 1)}
    assert [row["query_id"] for row in cells(results / "answers.csv")] == [
        str(number) for number in range(1, count + 1)
    ]


def test_posts_become_questions_and_pairs_and_the_rest_is_counted(
    project: Path, run: subprocess.CompletedProcess[str]
) -> None:
    data, results = project / "data" / "hostile", project / "results" / "hostile"
    counts = read_json(data / "posts" / "counts.json")
    assert counts["ledger"]["malformed XML"] > 0 and counts["questions"] > 20
    selected = read_json(results / "selected" / "questions.json")
    assert len(selected) > 10
    assert {question["question_url"].rsplit("/", 1)[0] for question in selected} == {
        "https://stackoverflow.com/questions"
    }
    pairs = pq.read_table(data / "pairs" / "stackoverflow_android.parquet")
    assert pairs.num_rows > 10


def test_tables_act_neither_on_a_spreadsheet_nor_on_a_page(
    project: Path, run: subprocess.CompletedProcess[str]
) -> None:
    results = project / "results" / "hostile"
    shown = [
        cell for path in results.rglob("*.csv") for row in cells(path) for cell in row.values()
    ]
    assert any("=cmd" in cell for cell in shown)
    assert not [cell for cell in shown if re.match(r"[=@\t\r]|[+-](?!inf|[\d.]+(e-?\d+)?$)", cell)]
    assert not [cell for cell in shown if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", cell)]
    for name in ("table1.md", "table1.tex"):
        text = (results / name).read_text()
        assert not re.search(r"<script|javascript:|\\input|\\write|=cmd|\x1b", text)


def test_pages_get_text_that_shows_what_it_hides_and_links_that_lead_to_pages(
    project: Path, run: subprocess.CompletedProcess[str]
) -> None:
    explorer = project / "results" / "hostile" / "explorer"
    data = "".join(path.read_text(encoding="utf-8") for path in (explorer / "data").iterdir())
    assert "<U+202E>" in data
    assert "<script>alert(1)</script>" in data  # shown as it is: the page writes no markup
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]", data
    )
    links = re.findall(r'"(?:url|author_url|u)":"([^"]*)', data)
    assert links
    assert not [link for link in links if link and not re.match("https?://", link)]


def test_the_way_back_to_hostile_sources_is_shown_safely(
    project: Path, run: subprocess.CompletedProcess[str]
) -> None:
    command = [str(project / "workflow" / "bin" / "ncsbench"), "explain"]
    done = subprocess.run(
        [*command, "results/hostile/examples.csv"],
        cwd=project,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "list $(touch x).csv" in done.stdout.decode()
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae", done.stdout)


def test_the_folder_of_the_project_may_have_any_name(root: Path, tmp_path: Path) -> None:
    folder = copy_project(
        root, tmp_path / f"a (1) $(touch {MARK})" / f"`touch {MARK}`; 'b' \"c\" &"
    )
    done = run_snakemake(folder, "results/published_table1.csv", "data/sample/questions.parquet")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "results" / "published_table1.csv").exists()
    assert not [path for path in tmp_path.rglob("*") if path.name == MARK]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("questions `touch x`.json", b"[" * 200_000, "is not valid JSON"),
        ("questions `touch x`.json", b"[" + b"9" * 10_000 + b"]", "is not valid JSON"),
        ("questions `touch x`.json", b"\xff\xfe", "is not valid JSON"),
        ("list $(touch x).csv", b"repo,commit\n\xff\xfe/x,\n", "is not UTF-8 text"),
        ("list $(touch x).csv", b'repo,commit\n"' + b"x" * 200_000 + b'",\n', "field larger than"),
    ],
)
def test_files_that_cannot_be_read_end_in_one_line(
    root: Path, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    folder = copy_project(root, tmp_path / "project")
    dataset = write_hostile_dataset(folder, tmp_path / MARK)
    (folder / dataset.parent / name).write_bytes(content)
    done = run_snakemake(folder, *TARGETS, "--config", f"dataset={dataset}", *SMALL)
    assert done.returncode != 0
    lines = [
        line
        for line in (done.stdout + done.stderr).splitlines()
        if not line.startswith(("Using workflow", "Config file"))
    ]
    assert len(lines) == 1 and lines[0].startswith("ncsbench: error: ") and message in lines[0]
    assert not (folder / "data").exists() and not (folder / "results").exists()


def test_a_path_that_is_no_utf_8_ends_in_one_line(root: Path, tmp_path: Path) -> None:
    folder = copy_project(root, tmp_path / "project")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", "--config", b"dataset=a\xff.yaml"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    (line,) = [line for line in done.stderr.splitlines() if b"error" in line]
    assert (
        line.startswith(b"ncsbench: error: config/config.yaml or --config: ")
        and b"no UTF-8" in line
    )
    assert b"Traceback" not in done.stderr
