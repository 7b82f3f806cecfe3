"""Files of a corpus that lost a repository are never taken for files of the whole one."""

import gzip
import hashlib
import json
import logging
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import ncsbench
from ncsbench.base.files.corpus_stamps import (
    check_same_corpus,
    note_corpus,
    of_corpus,
    one_corpus,
    read_stamp,
    split_tag,
    tag_run,
)
from ncsbench.base.files.storage import read_corpus_hash, read_table, write_json, write_table
from ncsbench.base.runs.rankings import Run
from ncsbench.base.runs.trec_files import read_lines, read_run, write_run
from ncsbench.cli.main import app
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import DataError, NcsbenchError
from ncsbench.evaluation.haystacks.member_files import MEMBER_SCHEMA
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA, MATCH_SCHEMA
from ncsbench.studies.ncs_2018.micro_queries import MICRO_QUERY_SCHEMA
from tests.ranked_runs import make_run
from tests.sample_corpus import build_sample_corpus
from tests.unit.studies.test_dataset_tables import SHEET, settings

HASH, OTHER = "ab" * 32, "cd" * 32
JUDGE = "pruned_jaccard_leaf"
BM25 = {"kind": "bm25"}
SETTINGS = {
    "words": {}, "bm25": {"ranker": BM25, "seed": 1}, "retrieval": {"depth": 5},
    "text": {"ranker": {"kind": "elasticsearch_like"}, "seed": 1},
    "matches": {"limits": [[JUDGE, 0.25]], "count": 3}, "questions": {"questions": ["questions"]},
    "queries": {"queries": 5, "seed": 1},
    "members": {"base": "base.csv", "steps": [], "seed": 1, "judge": JUDGE},
    "table": settings(
        models=settings()["models"][:1], comparisons=[], ablations=[], other_judges=[]
    ),
    "haystacks": {
        "dataset": "sample", "steps": [], "depth": 10, "judge": JUDGE, "threshold": 0.25,
        "strict_judge": "dice", "strict_threshold": 0.25, "seed": 1,
        "models": [{"model": "bm25", "published_as": "", "runs": {"base": "bm25"}}],
    },
}  # fmt: skip
TABLES = {
    "judgements/bm25": JUDGEMENT_SCHEMA, "matches": MATCH_SCHEMA,
    "queries": MICRO_QUERY_SCHEMA, "members": MEMBER_SCHEMA,
}  # fmt: skip


def call(command: str, folder: Path) -> str:
    """Run a command as ``ncsbench`` does, and give its error; words that begin with @ are paths."""
    words = [str(folder / word[1:]) if word[0] == "@" else word for word in command.split()]
    with one_corpus():
        done = CliRunner().invoke(app, words)
    if isinstance(done.exception, NcsbenchError):
        return str(done.exception)
    assert done.exit_code == 0, (command, done.output, done.exception)
    return ""


MAKE = """
stage questions --settings @questions.json --output @questions.parquet
stage words --settings @words.json --corpus @corpus --output @words
stage index --settings @bm25.json --words @words --output @index
stage retrieve --settings @bm25.json --retrieval @retrieval.json --words @words --index @index \
--questions @questions.parquet --tag bm25 --output @runs/bm25.trec.gz
stage judge_index --corpus @corpus --output @judge_index
stage parse_answers --questions @questions.parquet --output @answers.csv
stage judge --run @runs/bm25.trec.gz --questions @questions.parquet --index @judge_index \
--output @judgements/bm25.parquet
stage match --settings @matches.json --questions @questions.parquet --index @judge_index \
--output @part.parquet
stage merge_matches --settings @matches.json --output @matches.parquet --parts @part.parquet
stage micro_queries --settings @queries.json --words @words --output @queries.parquet
stage haystack_members --settings @members.json --questions @questions.parquet --corpus @corpus \
--index @judge_index --output @members.parquet
stage dataset_tables --settings @table.json --questions @questions.parquet --answers @answers.csv \
--corpus @corpus --judgements @judgements --published {published} --score-sheet @sheet.csv \
--matches @matches.parquet --results @ --output @
"""


@pytest.fixture(scope="module")
def corpora(root: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Everything that holds method ids, of the sample and of the sample without a repository."""
    folder = tmp_path_factory.mktemp("corpora")
    for left_out, name in enumerate(("whole", "less")):
        build_sample_corpus(root, folder / name, left_out=left_out)
        for each, value in SETTINGS.items():
            write_json(folder / name / f"{each}.json", value)
        questions = {"questions": [str(root / "resources/sample/questions.json")]}
        write_json(folder / name / "questions.json", questions)
        head, *listed = (root / "resources/sample/repositories.csv").read_text().splitlines()
        base = "\n".join([head, *sorted(listed)[left_out:]])
        (folder / name / "base.csv").write_text(base)
        members = {**SETTINGS["members"], "base": str(folder / name / "base.csv")}
        write_json(folder / name / "members.json", members)
        (folder / name / "sheet.csv").write_text(SHEET)
        (folder / name / "snippet.java").write_text("stream.flush();")
        made = MAKE.format(published=root / "config/published")
        for command in made.strip().splitlines():
            assert call(command, folder / name) == "", command
    return folder / "whole", folder / "less"


def test_every_file_of_method_ids_says_which_corpus_it_belongs_to(
    corpora: tuple[Path, Path],
) -> None:
    hashes = []
    for folder in corpora:
        manifest = CorpusFolder(folder / "corpus").manifest()
        hashes.append(manifest["corpus_hash"])
        for name in (*TABLES, "per_question"):
            assert read_corpus_hash(folder / f"{name}.parquet") == hashes[-1], name
        tags = {line.split()[5] for line in read_lines(folder / "runs/bm25.trec.gz")}
        assert tags == {f"bm25@{hashes[-1][:12]}"}
        about = json.loads((folder / "corpus.json").read_text())
        assert about["corpus_hash"] == hashes[-1] and about["methods"] == manifest["methods"]
        assert about["repositories"] == manifest["repositories"]
    assert len(set(hashes)) == 2


def test_an_outsider_can_compute_the_hash(corpora: tuple[Path, Path]) -> None:
    fields = ["filepath", "start_line", "end_line", "code"]
    rows = [
        row
        for table in CorpusFolder(corpora[0] / "corpus").iterate_methods(fields)
        for row in table.to_pylist()
    ]
    text = "".join(f"{row[name]}\0" for row in rows for name in fields)
    about = json.loads((corpora[0] / "corpus.json").read_text())
    assert hashlib.sha256(text.encode()).hexdigest() == about["corpus_hash"]
    assert about["methods"] == len(rows)


USES = {
    "run": ("runs", "stage judge --run @runs/bm25.trec.gz --questions @questions.parquet "
            "--index @judge_index --output @x"),
    "judge index": ("judge_index", "stage judge --run @runs/bm25.trec.gz --questions "
                    "@questions.parquet --index @judge_index --output @x"),
    "index": ("index", "stage retrieve --settings @bm25.json --retrieval @retrieval.json --words "
              "@words --index @index --questions @questions.parquet --tag x --output @x"),
    "words": ("words", "stage retrieve --settings @bm25.json --retrieval @retrieval.json --words "
              "@words --index @index --questions @questions.parquet --tag x --output @x"),
    "words and text": ("words", "stage index --settings @text.json --words @words --corpus "
                       "@corpus --output @x"),
    "haystack": ("members.parquet", "stage retrieve --settings @bm25.json --retrieval "
                 "@retrieval.json --words @words --index @index --questions @questions.parquet "
                 "--tag x --output @x --haystack base --members @members.parquet"),
    "judgements of a table": ("judgements", "TABLE"),
    "runs of a table": ("runs", "TABLE"),
    "matches of a table": ("matches.parquet", "TABLE"),
    "corpus of a table": ("corpus", "TABLE"),
    "examples": ("matches.parquet", "stage examples --matches @matches.parquet --questions "
                 "@questions.parquet --corpus @corpus --output @x"),
    "parts": ("part.parquet", "stage merge_matches --settings @matches.json --output @x "
              "--parts @matches.parquet --parts @part.parquet"),
    "index of haystacks": ("judge_index", "stage haystack_members --settings @members.json "
                           "--questions @questions.parquet --corpus @corpus --index @judge_index "
                           "--output @x"),
    "members": ("members.parquet", "stage haystack_table --settings @haystacks.json --members "
                "@members.parquet --questions @questions.parquet --results @ --judgements "
                "@judgements --output @x"),
    "structural search": ("judge_index", "similar --dataset @ @snippet.java"),
}  # fmt: skip
TABLE = MAKE.strip().splitlines()[-1]


@pytest.mark.parametrize("use", USES)
def test_a_file_of_another_corpus_ends_in_one_line(
    use: str, corpora: tuple[Path, Path], root: Path, tmp_path: Path
) -> None:
    whole, less = corpora
    name, command = USES[use]
    for path in whole.iterdir():
        (tmp_path / path.name).symlink_to((less if path.name == name else whole) / path.name)
    command = TABLE.format(published=root / "config/published") if command == "TABLE" else command
    error = call(command, tmp_path)
    found = re.fullmatch(
        r"(\S+): belongs to corpus ([0-9a-f]{12}), but (\S+) to corpus ([0-9a-f]{12}), where "
        r"method ids name other methods; make the older of the two again, or take both from one "
        r"corpus",
        error,
    )
    assert found, error
    hashes = [json.loads((at / "corpus.json").read_text())["corpus_hash"] for at in (whole, less)]
    assert {found[2], found[4]} == {one[:12] for one in hashes}
    assert sum(Path(path).is_relative_to(tmp_path / name) for path in (found[1], found[3])) == 1
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_another_corpus_is_refused_by_every_reader(
    name: str, corpora: tuple[Path, Path]
) -> None:
    whole, less = corpora
    with one_corpus():
        CorpusFolder(whole / "corpus").manifest()
        read_table(whole / f"{name}.parquet", TABLES[name])
        with pytest.raises(DataError, match=r"parquet: belongs to corpus .*/manifest\.json"):
            read_table(less / f"{name}.parquet", TABLES[name])


def test_results_of_two_corpora_are_not_compared_by_value(corpora: tuple[Path, Path]) -> None:
    whole, less = corpora
    assert call("tables verify @whole @whole", whole.parent) == ""
    error = call("tables verify @whole @less", whole.parent)
    assert f"{less}/corpus.json: belongs to corpus" in error and f"{whole}/corpus.json" in error


def test_results_of_an_older_version_are_still_compared(
    corpora: tuple[Path, Path], tmp_path: Path
) -> None:
    old = tmp_path / "old"
    (old / "runs").mkdir(parents=True)
    tagged = gzip.decompress((corpora[0] / "runs/bm25.trec.gz").read_bytes())
    untagged = re.sub(rb"@[0-9a-f]{12}\n", b"\n", tagged)
    (old / "runs/bm25.trec.gz").write_bytes(gzip.compress(untagged))
    assert call(f"tables verify {old} {corpora[0]}", tmp_path) == ""


def test_the_library_refuses_rankings_and_indexes_of_another_corpus(
    corpora: tuple[Path, Path], root: Path
) -> None:
    whole, less = (ncsbench.load_corpus(folder / "corpus") for folder in corpora)
    questions = ncsbench.load_questions(root / "resources/sample/questions.json")
    rankings = ncsbench.read_table(corpora[1] / "runs/bm25.trec.gz")
    judged = ncsbench.judge_rankings(rankings, questions, less)
    with pytest.raises(
        DataError, match=r"bm25\.trec\.gz: belongs to corpus .*whole/corpus to corpus"
    ):
        ncsbench.judge_rankings(rankings, questions, whole)
    with pytest.raises(DataError, match=r"less/corpus: belongs to corpus .*whole/corpus to corpus"):
        ncsbench.judge_rankings(
            ncsbench.create_ranker("bm25", less).search("close", k=2), questions, whole
        )
    table = ncsbench.read_table(corpora[1] / "judgements/bm25.parquet")
    with pytest.raises(DataError, match=r"bm25\.parquet: belongs to corpus"):
        ncsbench.judge_rankings(table.rename(columns={"id": "method_id"}), questions, whole)
    with pytest.raises(DataError, match=r"index\.json: belongs to corpus .*whole/corpus to corpus"):
        ncsbench.create_ranker("bm25", whole, index=corpora[1] / "index")
    # What was made elsewhere does not say, and is taken as it is.
    plain = rankings[["query_id", "method_id"]].copy()
    plain.attrs.clear()
    assert len(ncsbench.judge_rankings(plain, questions, less)) == len(judged)


def test_a_tag_names_the_corpus_and_a_foreign_one_is_read_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = make_run(
        query_ids=np.array([1, 1]), ids=np.array([3, 7]), scores=np.array([2.0, 1.0]), depth=5
    )
    write_run(tmp_path / "a.trec", run, tag="ncs", corpus_hash=HASH)
    assert (tmp_path / "a.trec").read_text().splitlines()[0] == "1 Q0 3 1 2.0 ncs@abababababab"
    write_run(tmp_path / "b.trec", run, tag="lucene@home")
    assert split_tag(tag_run("ncs", HASH)) == ("ncs", HASH[:12])
    assert split_tag("lucene@home") == ("lucene@home", "")
    with one_corpus(), caplog.at_level(logging.WARNING):
        assert isinstance(read_run(tmp_path / "a.trec"), Run)
        assert not caplog.messages
        read_run(tmp_path / "b.trec")
    (line,) = caplog.messages
    assert line.startswith(f"{tmp_path}/b.trec: the tag names no corpus")
    text = (tmp_path / "a.trec").read_text()
    for other in ("ncs", f"ncs@{OTHER[:12]}"):
        lines = text.splitlines()
        (tmp_path / "c.trec").write_text(
            "\n".join([lines[0], lines[1].rsplit(" ", 1)[0] + " " + other])
        )
        with pytest.raises(DataError, match="line 2: the tag names another corpus than in line 1"):
            read_run(tmp_path / "c.trec")
    (tmp_path / "d.trec").write_text("")
    caplog.clear()
    assert len(read_run(tmp_path / "d.trec").ids) == 0 and not caplog.messages


def test_a_table_of_an_older_version_is_refused_where_ids_count(tmp_path: Path) -> None:
    schema = of_corpus(pa.schema([("id", pa.int64())]))
    table = pa.table({"id": [1]}, pa.schema([("id", pa.int64())]))
    write_table(tmp_path / "old", table, schema)
    write_table(tmp_path / "new", table, schema, corpus_hash=HASH)
    write_table(tmp_path / "again", table, schema, corpus_hash=HASH)
    assert (tmp_path / "new").read_bytes() == (tmp_path / "again").read_bytes()
    assert read_stamp(pq.read_schema(tmp_path / "new")) == HASH
    assert read_corpus_hash(tmp_path / "old") == ""
    with one_corpus(), pytest.raises(DataError, match="old: does not say to which corpus"):
        read_table(tmp_path / "old", schema)
    assert read_table(tmp_path / "old", schema).equals(read_table(tmp_path / "new", schema))


def test_each_block_has_a_corpus_of_its_own() -> None:
    with one_corpus() as noted:
        note_corpus(Path("a"), "")  # not known
        assert not noted
        note_corpus(Path("a"), HASH)
        with one_corpus():
            note_corpus(Path("b"), OTHER)
        note_corpus(Path("c"), HASH[:12])
        with pytest.raises(DataError, match=r"^d: belongs to corpus cdcdcdcdcdcd, but a to corpus"):
            note_corpus(Path("d"), OTHER)
        assert noted == [(Path("a"), HASH)]
    note_corpus(Path("d"), OTHER)
    check_same_corpus("a", HASH, "b", HASH[:12])


def test_the_stamp_of_committed_files_is_read(root: Path) -> None:
    figures = root / "results" / "ncsed_383" / "per_question.parquet"
    assert len(read_stamp(pq.read_schema(figures))) == 64
