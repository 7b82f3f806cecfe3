"""The files of a release, in the published schema."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from ncsbench.apps.data_card.release import write_release
from ncsbench.base.files.storage import write_table
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_protocol import ListedFile, Listing, SourceFile
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.evaluation.statistics.evaluation_options import MatchSettings
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import read_questions
from tests.building import build_from

COMMIT = "0123456789" * 4


class OneFile:
    """Every repository has one file of three methods, but the last has none."""

    def list_files(self, repository: Repository) -> Listing:
        files = () if repository.name == "z" else (ListedFile("A.java", 60),)
        return Listing(repository.commit, files)

    def read_files(self, repository, commit, paths):
        text = (
            f"class A {{\n void {repository.name}1() {{ }}\n void b() {{ }}\n void c() {{ }}\n}}\n"
        )
        yield from (SourceFile(path, text.encode()) for path in paths)


def test_a_release_has_the_published_files(tmp_path: Path) -> None:
    repositories = [Repository("o", name, COMMIT) for name in ("p", "q", "z")]
    built = build_from(tmp_path, repositories, OneFile())
    corpus = CorpusFolder(built.path)
    texts = dict.fromkeys(QUESTION_SCHEMA.names, "text")
    questions = [
        texts | {"query_id": row, "stackoverflow_id": str(row), "occurrence": 1,
                 "examples": [99], "examples_url": ["old"]}
        for row in (1, 2)
    ]  # fmt: skip
    matches = [
        {"judge": judge, "query_id": 1, "rank": rank, "id": id_, "similarity": 0.5}
        for judge, rank, id_ in (("dice", 1, 0), ("containment", 2, 1), ("containment", 1, 5))
    ]
    write_table(tmp_path / "q", pa.Table.from_pylist(questions, QUESTION_SCHEMA), QUESTION_SCHEMA)
    write_table(tmp_path / "m", pa.Table.from_pylist(matches, MATCH_SCHEMA), MATCH_SCHEMA)
    (tmp_path / "score_sheet.csv").write_text("No.,StackOverflow ID,ncs FRank\n1,1,NF\n")
    write_release(
        MatchSettings(limits=(("containment", 0.25), ("dice", 0.25)), count=3),
        corpus=corpus, questions=tmp_path / "q", matches=tmp_path / "m",
        score_sheet=tmp_path / "score_sheet.csv", output=tmp_path / "released",
    )  # fmt: skip
    found = {path.name: path for path in (tmp_path / "released").iterdir()}
    assert sorted(found) == [
        "questions.json", "repositories.txt", "score_sheet.csv", "search_corpus_1.tar.gz",
    ]  # fmt: skip
    assert found["repositories.txt"].read_text().splitlines() == [
        f"https://github.com/o/{name}/archive/{COMMIT}.zip" for name in ("p", "q")
    ]
    first, second = json.loads(found["questions.json"].read_text())
    assert first["examples"] == [5, 1]
    assert first["examples_url"] == [
        f"https://github.com/o/{name}/blob/{COMMIT}/A.java#L{line}-L{line}"
        for name, line in (("q", 4), ("p", 3))
    ]
    assert second["examples"] == second["examples_url"] == []
    assert read_questions([found["questions.json"]]).num_rows == 2
