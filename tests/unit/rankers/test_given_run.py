"""Runs made elsewhere: what is refused, what becomes a model, and what the model answers."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from click.testing import Result
from typer.testing import CliRunner

from ncsbench.apps.own_code.indexing import check_learnt
from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.base.runs.trec_files import read_run, write_run
from ncsbench.cli.main import app
from ncsbench.corpus.layout.document_ids import iterate_places, write_document_id
from ncsbench.corpus.layout.documents import Documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pipeline.files.model_checks import check_model
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.trials.added_runs import describe_lack
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import read_queries, read_questions
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.rankers.combined.given_run import GivenRun
from tests.sample_corpus import build_sample_corpus
from tests.synthetic_documents import make_documents

SHORT = 12


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which the sample's corpus and questions are built."""
    folder = tmp_path_factory.mktemp("project")
    for part in ("config", "resources/stopwords"):
        shutil.copytree(root / part, folder / part)
    build_sample_corpus(root, folder / "data/sample")
    questions = read_questions([root / "resources/sample/questions.json"])
    write_table(folder / "data/sample/questions.parquet", questions, QUESTION_SCHEMA)
    return folder


@pytest.fixture
def project(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which is the working directory."""
    shutil.copytree(built, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def corpus(project: Path) -> CorpusFolder:
    return CorpusFolder(project / "data/sample/corpus")


def hash_of(corpus: CorpusFolder) -> str:
    return str(corpus.manifest()["corpus_hash"])


def names_of(corpus: CorpusFolder) -> list[str]:
    return [write_document_id(place) for place in iterate_places(corpus)]


def write_lines(*lines: str) -> Path:
    path = Path("mine.trec")
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def add(corpus: CorpusFolder, *options: str, run: str = "mine.trec", name: str = "mine") -> Result:
    given = [] if "--corpus" in options else ["--corpus", hash_of(corpus)[:SHORT]]
    return CliRunner().invoke(app, ["runs", "add", run, "--name", name, *given, *options])


def error_of(result: Result) -> str:
    assert isinstance(result.exception, DataError | ConfigurationError), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


def load_ranker(corpus: CorpusFolder, documents: Documents, folder: Path) -> GivenRun:
    """The ranker of the model file, fitted, saved and loaded."""
    model = load_model("mine", root=Path(), stop_words="resources/stopwords/english.txt", seed=1)
    check_model(model)
    options = model.specification.options
    fitted = GivenRun(options=options, seed=1)
    fitted.fit(corpus=documents, methods=corpus)
    fitted.save(folder)
    ranker = GivenRun(options=options, seed=1)
    ranker.load(folder, corpus=documents)
    return ranker


def documents_of(corpus: CorpusFolder, corpus_hash: str | None = None) -> Documents:
    texts = ["word"] * int(corpus.manifest()["methods"])
    return make_documents(texts, corpus_hash=corpus_hash or hash_of(corpus))


def ask(ranker: GivenRun, queries: Sequence[Query], *, k: int) -> dict[int, list[int]]:
    run = CheckedSearch(ranker, "mine", 10**6).search(queries, k=k)
    found: dict[int, list[int]] = {query.query_id: [] for query in queries}
    for query_id, id_ in zip(run.query_ids.tolist(), run.ids.tolist(), strict=True):
        found[query_id].append(id_)
    return found


@pytest.mark.parametrize(
    ("short", "said"), [(1, "1 question has fewer"), (2, "2 questions have fewer")]
)
def test_one_question_with_few_results_is_said_so(short: int, said: str) -> None:
    assert describe_lack([], 2, short, 50)[0].startswith(f"{said} than 50 results")


def test_a_run_becomes_a_model_that_ranks_as_it_does(
    corpus: CorpusFolder, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    names = names_of(corpus)
    write_lines(
        "",  # counts for nothing
        f"2 Q0 {names[9]} 0 -1.5 x",
        f"1 Q0 {names[30]} 2 7.25 x",
        f"1 Q0 {names[7]} 3 7.25 x",  # an equal score: the rank says the order
        f"1 Q0 {names[40]} 1 8e0 x",
        "1 Q0 12 4 7.25 x",  # a method id
    )
    done = add(corpus, "--trained-on", "poems: 3 'odd' ones")
    assert done.exit_code == 0, done.output
    assert "5 results for 2 of 40 questions of sample" in done.stdout
    assert "38 of 40 questions have no result and count as not found: 3, 4, 5" in done.stderr
    assert "2 questions have fewer than 50 results" in done.stderr
    about = yaml.safe_load(Path("config/models/mine.yaml").read_text())
    assert about["trained_on"] == "poems: 3 'odd' ones; a run made elsewhere"
    assert about["options"]["corpus"] == hash_of(corpus)
    assert Path("config/runs/mine/run.trec").read_bytes() == Path("mine.trec").read_bytes()

    ranker = load_ranker(corpus, documents_of(corpus), tmp_path / "index")
    queries = read_queries(Path("data/sample/questions.parquet"))
    with caplog.at_level(logging.WARNING):
        found = ask(ranker, queries, k=3)
    assert (found[1], found[2], found[3]) == ([40, 30, 7], [9], [])
    assert "run.trec: 1 of 40 questions have fewer than 3 results; what is not" in caplog.text
    assert ask(ranker, queries[:1], k=50) == {1: [40, 30, 7, 12]}
    # What the workflow writes of it keeps the order.
    write_run(tmp_path / "out.trec", ranker.search(queries, k=50), tag="mine", corpus_hash="0" * 64)
    assert read_run(tmp_path / "out.trec").ids.tolist() == [40, 30, 7, 12, 9]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "1 Q0 nowhere/r/A.java:3 2 1 x",
            "line 2: document 'nowhere/r/A.java:3' is unknown: no me",
        ),
        ("1 Q0 925 2 1 x", "line 2: document '925' is unknown: method ids are from 0 to 924"),
        (
            "1 Q0 method 2 1 x",
            "line 2: document 'method' is unknown: it is neither a method id nor",
        ),
        ("1 Q0 5 2 1 x", "line 2: '5' is method 5, which line 1 ranks for query 1 too"),
        ("41 Q0 6 1 1 x", "line 2: there is no question 41; the query id is the number of a quest"),
        ("0 Q0 6 1 1 x", "line 2: there is no question 0"),
        ("one Q0 6 2 1 x", "line 2: the query id 'one' is not a whole number"),
        ("1 Q0 6 2 nan x", "line 2: the score 'nan' is not a finite number"),
        ("1 Q0 6 2 1e39 x", "line 2: the score '1e39' is not a finite number"),
        ("1 Q0 6 2nd 1 x", "line 2: the rank '2nd' is not a whole number"),
        ("1 Q0 6 1 1 x", "line 2: rank 1 of query 1 stands in line 1 too"),
        (
            "1 Q0 6 2 9.5 x",
            "line 2: score 9.5 of query 1 at rank 2 is above 9 at rank 1, in line 1",
        ),
        ("1 Q0 my app/A.java:3 2 1 x", "line 2: has 7 columns, not the six"),
        (
            "1 Q0 6 2 1 ncs@00000000ffff",
            "line 2: the tag says that the run is of corpus 00000000ff",
        ),
    ],
)
def test_what_does_not_fit_ends_in_one_line_with_its_number(
    corpus: CorpusFolder, line: str, message: str
) -> None:
    write_lines("1 Q0 5 1 9 x", line)
    assert f"mine.trec, {message}" in error_of(add(corpus))
    assert not Path("config/models/mine.yaml").exists() and not Path("config/runs").exists()


@pytest.mark.parametrize("content", [b"", b"\n \n", b"1 Q0 \xff 1 2 x\n", b"\0\n"])
def test_a_file_that_is_no_run_ends_in_one_line(corpus: CorpusFolder, content: bytes) -> None:
    Path("mine.trec").write_bytes(content)
    assert error_of(add(corpus)).startswith("mine.trec")
    assert "no.trec: cannot be read (No such file" in error_of(add(corpus, run="no.trec"))
    for place in ("data", "/dev/zero"):
        assert f"{place}: is no regular file" in error_of(add(corpus, run=place))


def test_names_and_hashes_are_checked(corpus: CorpusFolder) -> None:
    write_lines("1 Q0 5 1 9 x")
    for name in ("../a", "a-b", "ceiling", "", "1a"):
        assert "must be a letter and at most 63 letters" in error_of(add(corpus, name=name))
    message = error_of(add(corpus, name="bm25"))
    assert "config/models/bm25.yaml is another model" in message
    assert "must be the hash of a corpus" in error_of(add(corpus, "--corpus", "f0c9"))
    assert "data/sample/corpus is corpus" in error_of(add(corpus, "--corpus", "0" * SHORT))
    assert "dataset 'samples' is neither in" in error_of(add(corpus, "--dataset", "samples"))
    assert "holds no built corpus" in error_of(add(corpus, "--dataset", "sample_full"))
    Path("data/sample/questions.parquet").unlink()
    assert "questions.parquet: is not there yet; make it" in error_of(add(corpus))
    Path("config/config.yaml").unlink()
    assert "call this in the folder of the Snakefile" in error_of(add(corpus))


def test_tags_that_name_the_corpus_say_it_all(corpus: CorpusFolder) -> None:
    command = ["runs", "add", "mine.trec", "--name", "mine"]
    tag = f"mine@{hash_of(corpus)[:SHORT]}"
    write_lines(f"1 Q0 3 1 2.5 {tag}", "1 Q0 4 2 2.0 mine")
    message = error_of(CliRunner().invoke(app, command))
    assert message.startswith("mine.trec, line 2: the tag 'mine' does not end in '@' and the hash")
    assert "--corpus HASH, 'corpus_hash' in corpus.json of an export or of results/" in message
    write_lines("1 Q0 3 1 2.5 mine@0123456789ab")
    assert "is of corpus 0123456789ab" in error_of(CliRunner().invoke(app, command))
    assert not Path("config/models/mine.yaml").exists()
    write_lines(f"1 Q0 3 1 2.5 {tag}", f"1 Q0 4 2 2.0 {tag}")
    assert CliRunner().invoke(app, command).exit_code == 0
    about = yaml.safe_load(Path("config/models/mine.yaml").read_text())
    assert about["options"]["corpus"] == hash_of(corpus)


def test_a_run_is_replaced_only_where_that_is_asked_for(corpus: CorpusFolder) -> None:
    write_lines("1 Q0 5 1 9 x")
    assert add(corpus, "--corpus", hash_of(corpus).upper()).exit_code == 0
    write_lines("1 Q0 6 1 9 x")
    assert "--replace puts this run in its place" in error_of(add(corpus))
    assert "Q0 5 " in Path("config/runs/mine/run.trec").read_text()
    assert add(corpus, "--replace").exit_code == 0
    assert "Q0 6 " in Path("config/runs/mine/run.trec").read_text()


def test_other_corpora_and_questions_are_refused(corpus: CorpusFolder, tmp_path: Path) -> None:
    write_lines("1 Q0 5 1 9 x")
    assert add(corpus).exit_code == 0
    with pytest.raises(DataError, match=r"run.trec: is a run of corpus f0c9\w+, and this one is 0"):
        load_ranker(corpus, documents_of(corpus, "0" * 64), tmp_path / "index")
    ranker = load_ranker(corpus, documents_of(corpus), tmp_path / "index")
    first, second, *_ = read_queries(Path("data/sample/questions.parquet"))
    assert ask(ranker, [first, second], k=5) == {1: [5], 2: []}
    for query in (Query(1, second.text), Query(1000, first.text)):
        with pytest.raises(DataError, match=f"question {query.query_id}, .*not one that the run"):
            ranker.search([query], k=5)


def test_a_dataset_is_not_searched_by_it(corpus: CorpusFolder, root: Path) -> None:
    Path("resources/sample").symlink_to(root / "resources/sample")
    write_lines("1 Q0 5 1 9 x")
    assert add(corpus).exit_code == 0
    command = ["search", "close", "--dataset", "sample", "--model", "mine"]
    assert error_of(CliRunner().invoke(app, command)) == (
        "mine: is a run made elsewhere, which answers the questions of its dataset alone and "
        "cannot be searched; choose another model"
    )


def test_it_answers_no_questions_of_own_code(corpus: CorpusFolder) -> None:
    write_lines("1 Q0 5 1 9 x")
    assert add(corpus).exit_code == 0
    model = load_model("mine", root=Path(), stop_words="resources/stopwords/english.txt", seed=1)
    with pytest.raises(ConfigurationError, match="mine: is a run made elsewhere, which answers"):
        check_learnt(model)


def test_an_edited_file_is_checked_again(corpus: CorpusFolder, tmp_path: Path) -> None:
    write_lines("1 Q0 5 1 9 x")
    assert add(corpus).exit_code == 0
    with Path("config/runs/mine/run.trec").open("a") as file:
        file.write("1 Q0 5 2 8 x\n")
    with pytest.raises(DataError, match=r"config/runs/mine/run.trec, line 2: '5' is method 5"):
        load_ranker(corpus, documents_of(corpus), tmp_path / "index")
    write_lines("1 Q0 5 1 9 x")
    assert add(corpus, "--replace").exit_code == 0
    Path("config/runs/mine/questions.csv").write_text("query_id,title_sha256\n1,none\n")
    with pytest.raises(DataError, match=r"questions.csv: is damaged; add the run again"):
        load_ranker(corpus, documents_of(corpus), tmp_path / "index")
    Path("config/runs/mine/run.trec").unlink()
    with pytest.raises(ConfigurationError, match=r"mine.yaml: options: there is no config/runs/"):
        load_ranker(corpus, documents_of(corpus), tmp_path / "index")


def test_every_method_can_be_named_by_file_and_line(corpus: CorpusFolder, tmp_path: Path) -> None:
    names = names_of(corpus)[::-1]
    write_lines(*(f"7 Q0 {name} {rank} 0 x" for rank, name in enumerate(names)))
    assert add(corpus).exit_code == 0
    ranker = load_ranker(corpus, documents_of(corpus), tmp_path / "index")
    queries = read_queries(Path("data/sample/questions.parquet"))
    assert ask(ranker, queries[6:7], k=10**4)[7] == list(range(len(names)))[::-1]
