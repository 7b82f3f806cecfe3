"""``ncsbench label`` and ``labels measure`` on a small dataset that no workflow made."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.storage import read_table, write_json, write_table
from ncsbench.corpus.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.document_ids import Place, write_document_id
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.exports.built_dataset import BuiltDataset
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.label_files.label_file import Label, read_labels, write_labels
from ncsbench.label_files.scales import QUERY_LIKENESS, SCALES, Scale
from ncsbench.labels.agreement import compare_labels
from ncsbench.labels.comment_sample import draw_comments
from ncsbench.labels.labelled_methods import find_labelled, name_methods
from ncsbench.labels.labelling import keep_safe, label_at_terminal, label_comments
from ncsbench.labels.people_figures import check_replaceable, measure_people
from ncsbench.labels.pool import order_pool, pool_results
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.runs.rankings import make_run
from ncsbench.runs.trec_files import write_run

HASH = "ab" * 32
LINES = (1, 1, 5, 9, 13)
TITLES = {1: "Close a stream", 2: "=Open \x1b[2J a file", 3: "close  a STREAM"}
RANKED = {"first": {1: [0, 1, 2], 2: [3]}, "second": {1: [2, 4], 2: [1], 3: [0]}}
LINK = "https://github.com/o/r/blob/0a/A.java#L{0}-L{0}"
HOSTILE = "void m() {\n  \x1b[31m\u202e" + "x" * 1000 + "\n}" + "\n//" * 100


@pytest.fixture
def dataset(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> BuiltDataset:
    """Five methods, two on one line, the last of another repository without links; two rows."""
    monkeypatch.chdir(root)
    folder = tmp_path / "data/corpus"
    rows = [
        {
            "id": id_, "repository": "o/r", "path": "A.java", "lines": 1, "tokens": 1,
            "filepath": "o/r/A.java" if id_ < 4 else "p/q/B b.java", "method_name": f"m{id_}",
            "class_name": "A", "start_line": line, "end_line": line, "code": HOSTILE,
            "url": LINK.format(line) if id_ < 4 else None,
        }
        for id_, line in enumerate(LINES)
    ]  # fmt: skip
    write_json(
        folder / "manifest.json",
        {"shards": [{"first_id": 0, "methods": 5}], "corpus_hash": HASH, "methods": 5},
    )
    table = pa.Table.from_pylist(rows, METHOD_SCHEMA)
    write_table(folder / "methods/0000.parquet", table, METHOD_SCHEMA)
    texts = {field.name: "" for field in QUESTION_SCHEMA if field.type == pa.string()}
    questions = [
        texts | {"query_id": id_, "occurrence": 1, "question": title} | {"examples": [],
        "examples_url": []} for id_, title in TITLES.items()
    ]  # fmt: skip
    table = pa.Table.from_pylist(questions, QUESTION_SCHEMA)
    write_table(tmp_path / "data/questions.parquet", table, QUESTION_SCHEMA)
    for name, rankings in RANKED.items():
        pairs = [(query, id_) for query, ids in rankings.items() for id_ in ids]
        run = make_run(
            query_ids=np.array([query for query, _ in pairs]),
            ids=np.array([id_ for _, id_ in pairs]),
            scores=-np.arange(len(pairs), dtype=float),
            depth=50,
        )
        write_run(tmp_path / f"results/runs/{name}.trec.gz", run, tag=name, corpus_hash=HASH)
        judged = [
            {"query_id": query, "id": id_} | dict.fromkeys(SIMILARITIES, 0.9 if id_ == 0 else 0.1)
            for query, id_ in sorted(pairs)
        ]
        table = pa.Table.from_pylist(judged, JUDGEMENT_SCHEMA)
        path = tmp_path / f"data/judgements/{name}.parquet"
        write_table(path, table, JUDGEMENT_SCHEMA, corpus_hash=HASH)
    return BuiltDataset(
        name="toy", data=tmp_path / "data", results=tmp_path / "results", rows=tuple(RANKED),
        judges={"lenient": ("dice", 0.25), "strict": ("jaccard", 0.25)},
    )  # fmt: skip


def label(
    dataset: BuiltDataset,
    output: Path,
    answers: str,
    monkeypatch: pytest.MonkeyPatch,
    *others: Path,
    depth: int = 10,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    label_at_terminal(dataset, output, rows=None, others=others, depth=depth, seed=7)


def test_names_lead_back_to_methods(dataset: BuiltDataset) -> None:
    names = name_methods(dataset.corpus, range(5))
    assert names[0] == LINK.format(1)
    assert names[1] == "o/r/A.java:1#2"  # its link is that of the method before
    assert names[4] == "p/q/B%20b.java:13"
    assert find_labelled(dataset.corpus, names.values()) == {
        name: id_ for id_, name in names.items()
    }
    other = LINK.format(1).replace("0a", "0b")
    by_id = write_document_id(Place("o/r/A.java", 5))
    assert find_labelled(dataset.corpus, [other, by_id, "x"]) == {by_id: 2}


def test_the_pool_is_the_union_of_the_first_results(dataset: BuiltDataset) -> None:
    pool = pool_results(dataset, 2)
    # Questions 1 and 3 have one text, but for case and blanks.
    assert sorted(Counter(one.pair[0] for one in pool).values()) == [2, 4]
    assert {one.id for one in pool_results(dataset, 1, ["second"])} == {0, 1, 2}
    with pytest.raises(ConfigurationError, match="toy: has no row third; it has first, second"):
        pool_results(dataset, 1, ["third"])


def test_least_judged_come_first_in_an_order_of_the_seed(dataset: BuiltDataset) -> None:
    pool = pool_results(dataset, 10)
    orders = [tuple(one.pair for one in order_pool(pool, {}, seed)) for seed in (1, 1, 2, 3, 4)]
    assert orders[0] == orders[1]
    assert len(set(orders)) > 1
    judged = pool[0]
    counts = {(judged.pair[0], judged.id): 1}
    assert all(order_pool(pool, counts, seed)[-1] == judged for seed in range(5))


def test_every_grade_is_written_at_once_and_the_next_call_goes_on(
    dataset: BuiltDataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = tmp_path / "mine.csv"
    label(dataset, output, "x\n?\n3\nn\n=a, note\n2\nb\n1\nf\ns\n0\n", monkeypatch)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "<U+001B>[31m<U+202E>" in shown
    assert "first" not in shown
    assert "second" not in shown
    found = read_labels(output)
    assert [one.grade for one in found] == [3, 1, 0]
    assert [one.notes for one in found] == ["", "'=a, note", ""]
    assert "new labels: 3; results left: 3" in shown
    label(dataset, output, "2\nq\n", monkeypatch)
    again = capsys.readouterr().out
    assert "1 of 3" in again
    assert read_labels(output)[:3] == found
    assert len({one.pair for one in read_labels(output)}) == 4
    label(dataset, output, "2\n2\n", monkeypatch)
    assert "new labels: 2; results left: 0" in capsys.readouterr().out


def test_what_others_judged_comes_last(
    dataset: BuiltDataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    others, mine = tmp_path / "others.csv", tmp_path / "mine.csv"
    label(dataset, others, "1\n1\n", monkeypatch)
    label(dataset, mine, "0\n" * 6, monkeypatch, others)
    theirs = {one.pair for one in read_labels(others)}
    assert {one.pair for one in read_labels(mine)[-2:]} == theirs


def test_a_file_that_changes_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    save = keep_safe(path)
    one, other = Label("Java", "q", "u", 1), Label("Java", "q", "v", 2)
    save([one])
    save([one, other])
    write_labels(path, [other])
    with pytest.raises(DataError, match="was changed by something else meanwhile"):
        save([one, other, one])
    assert read_labels(path) == [other]


def figures(dataset: BuiltDataset, labels: list[Label], **options: object) -> dict:
    found = measure_people(dataset, labels, **options)  # type: ignore[arg-type]
    return {(row["model"] or row["judge"], row["measure"]): row["value"] for row in found.rows} | {
        "left": dict(found.matched.left_out),
        "questions": found.questions,
        "labels": len(found.matched.labels),
    }


def test_a_judge_that_says_what_people_say_dev_110(dataset: BuiltDataset) -> None:
    names = name_methods(dataset.corpus, range(5))
    labels = [
        Label("Java", "Close a stream", names[0], 3),
        Label("java", "close a stream", names[2], 0),
        Label("Java", TITLES[2], names[3], 1),
        Label("Java", "Close a stream", "o/r/None.java:1", 3),
        Label("Java", "another question", names[0], 3),
        Label("Python", "Close a stream", names[0], 0),
    ]
    found = figures(dataset, labels)
    assert found["left"] == {"not of Java": 1, "no such question": 1, "no such method": 1}
    assert (found["questions"], found["labels"]) == (3, 3)
    # Questions 1, 2, 3 of "first": grade 3 at rank 1, grade 1 at rank 1, no result.
    assert found["first", "ndcg_10_all"] == "0.666667"
    assert found["first", "precision_10_all"] == "0.033333"
    # Of "second": 0 at rank 1, nothing judged, 3 at rank 1.
    assert found["second", "ndcg_10_judged"] == "0.333333"
    assert found["dice", "auc"] == "1.000000"
    assert found["", "labelled_pairs"] == "4"
    # MRR under the judge: 1/3 each, so the order is undefined.
    assert found["dice", "kendall_tau_ndcg_10_all"] == ""


def test_a_question_without_a_grade_counts_for_the_area_alone_dev_110(
    dataset: BuiltDataset,
) -> None:
    labels = [
        Label("Java", "Close a stream", LINK.format(1), 3),
        Label("Java", TITLES[2], LINK.format(9), 0),
    ]
    found = figures(dataset, labels)
    assert found["questions"] == 2
    assert (found["", "labelled_pairs"], found["dice", "auc"]) == ("3", "1.000000")


def test_a_given_run_is_measured_beside_the_rows(dataset: BuiltDataset, tmp_path: Path) -> None:
    labels = [Label("Java", "Close a stream", LINK.format(1), 3)]
    run = tmp_path / "mine.trec"
    run.write_text("1 Q0 o/r/A.java:5 1 2.0 t\n1 Q0 o/r/A.java:1 2 1.0 t\n")
    found = figures(dataset, labels, given=[run])
    assert found["mine", "ndcg_10_all"] == "0.315465"  # 1 / log2(3), and no result for question 3
    assert found["mine", "ndcg_10_judged"] == "0.500000"
    run.write_text("1 Q0 o/r/A.java:6 1 2.0 t\n")
    with pytest.raises(DataError, match=r"line 1: document 'o/r/A\.java:6' is unknown"):
        figures(dataset, labels, given=[run])


def test_labels_of_nothing_are_one_line(dataset: BuiltDataset) -> None:
    with pytest.raises(DataError, match=r"method of toy \(left out, no such method: 1\)$"):
        figures(dataset, [Label("Java", "Close a stream", "o/r/None.java:1", 3)])


def test_zeros_alone_leave_figures_undefined_dev_109(dataset: BuiltDataset) -> None:
    found = figures(dataset, [Label("Java", "Close a stream", LINK.format(1), 0)])
    assert (found["questions"], found["labels"], found["", "labelled_pairs"]) == (0, 1, "2")
    undefined = [("first", "ndcg_10_all"), ("first", "precision_10_judged"), ("dice", "auc")]
    undefined.append(("dice", "kendall_tau_ndcg_10_all"))
    assert [found[cell] for cell in undefined] == [""] * 4


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
def test_the_page_has_the_instructions(root: Path, scale: Scale) -> None:
    page = (root / "docs/labels.md").read_text(encoding="utf-8")
    lines = scale.instructions.splitlines()
    grades = [line.split("  ", 1) for line in lines if line[:1].isdigit()]
    assert [int(grade) for grade, _ in grades] == [*reversed(scale.grades)]
    assert all(f"| {grade} | {says} |" in page for grade, says in grades)


def test_labels_behind_a_link_keep_the_link_and_their_rights(tmp_path: Path) -> None:
    path, link = tmp_path / "mine.csv", tmp_path / "link.csv"
    write_labels(path, [])
    path.chmod(0o600)
    link.symlink_to(path)
    keep_safe(link)([Label("Java", "close", "o/r/A.java:1", 3, "")])
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o600
    assert [label.grade for label in read_labels(path)] == [3]


def test_figures_replace_figures_alone(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    write_labels(labels, [Label("Java", "close", "o/r/A.java:1", 3, "")])
    with pytest.raises(ConfigurationError, match="holds other things; name a new file"):
        check_replaceable(labels)
    check_replaceable(tmp_path / "new.csv")


def test_a_note_without_a_grade_is_told_of(
    dataset: BuiltDataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = tmp_path / "mine.csv"
    # A note stays where one comes back to; the second one is left alone.
    label(dataset, output, "n\nkept\ns\nb\n2\nn\nlost\nq\n", monkeypatch)
    assert [one.notes for one in read_labels(output)] == ["kept"]
    told = [line for line in capsys.readouterr().out.splitlines() if "not kept" in line]
    assert len(told) == 1 and "'lost'" in told[0]


def test_labels_of_nothing_are_told_of_before_labelling(
    dataset: BuiltDataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mine, others = tmp_path / "mine.csv", tmp_path / "others.csv"
    write_labels(mine, [Label("Java", "Close a stream", "o/r/None.java:1", 3)])
    write_labels(others, [Label("Java", "another question", LINK.format(1), 3)])
    label(dataset, mine, "q\n", monkeypatch, others)
    shown = capsys.readouterr().out
    assert f"{mine}: left out, no such method: 1\n" in shown
    assert f"{others}: left out, no such question: 1\n" in shown


COMMENTS = ("/** Closes it. More. */", "/** CLOSES  it. */", "/** @return x */", None, HOSTILE)


@pytest.fixture
def corpus(dataset: BuiltDataset) -> CorpusFolder:
    """The same methods with comments: two of one sentence, one without any, one hostile."""
    path = dataset.data / "corpus/methods/0000.parquet"
    rows = read_table(path, METHOD_SCHEMA).to_pylist()
    rows = [row | {"comment": text} for row, text in zip(rows, COMMENTS, strict=True)]
    write_table(path, pa.Table.from_pylist(rows, METHOD_SCHEMA), METHOD_SCHEMA)
    return dataset.corpus


def many_comments(dataset: BuiltDataset, number: int) -> CorpusFolder:
    path = dataset.data / "corpus/methods/0000.parquet"
    (row,) = read_table(path, METHOD_SCHEMA).to_pylist()[:1]
    # Every sentence twice.
    rows = [
        row | {"id": id_, "comment": f"/** Closes {id_ % (number // 2)}. */", "url": f"u{id_}"}
        | {"start_line": id_ + 1} for id_ in range(number)
    ]  # fmt: skip
    about = {"shards": [{"first_id": 0, "methods": number}], "corpus_hash": HASH, "methods": number}
    write_json(dataset.data / "corpus/manifest.json", about)
    write_table(path, pa.Table.from_pylist(rows, METHOD_SCHEMA), METHOD_SCHEMA)
    return dataset.corpus


def test_distinct_sentences_are_drawn_by_their_hashes_dev_111(dataset: BuiltDataset) -> None:
    corpus = many_comments(dataset, 200)
    drawn = draw_comments(corpus, 12, 7)
    assert len({one.query for one in drawn}) == 12
    numbers = [int(one.query[len("Closes ") : -1]) for one in drawn]
    # The first method that has it.
    assert [one.document for one in drawn] == [f"u{number}" for number in numbers]
    assert numbers != sorted(numbers)
    assert draw_comments(corpus, 12, 7) == drawn == draw_comments(corpus, 50, 7)[:12]
    assert draw_comments(corpus, 12, 8) != drawn
    assert {one.query for one in draw_comments(corpus, 999, 7)} == {
        f"Closes {number}." for number in range(100)
    }
    # A corpus with other methods draws nearly the same.
    fewer = many_comments(dataset, 180)
    again = {one.query for one in draw_comments(fewer, 12, 7)}
    assert {one.query for one, number in zip(drawn, numbers, strict=True) if number < 90} <= again


def test_comments_are_labelled_least_judged_first(
    corpus: CorpusFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def ask(output: Path, answers: str, *others: Path) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        label_comments(corpus, output, others=others, size=384, seed=7)
        return capsys.readouterr().out

    theirs, mine = tmp_path / "theirs.csv", tmp_path / "mine.csv"
    shown = ask(theirs, "3\nf\n2\nq\n")
    assert "\x1b" not in shown and "\u202e" not in shown and "A.java" not in shown
    assert "That is no key" in shown
    assert "new labels: 1; comments left: 1" in shown
    header = "Language,Comment,GitHubUrl,QueryLikeness,Notes"
    assert theirs.read_text().splitlines()[0] == header
    (first,) = read_labels(theirs, QUERY_LIKENESS)
    shown = ask(mine, "0\n1\n", theirs)
    assert "comments left: 0" in shown
    assert [one.grade for one in read_labels(mine, QUERY_LIKENESS)] == [0, 1]
    assert read_labels(mine, QUERY_LIKENESS)[1].pair == first.pair
    # Comments are known by their text: the method may be another one.
    moved = first._replace(document="elsewhere", query=first.query.upper())
    write_labels(theirs, [moved, moved._replace(query="unknown")], QUERY_LIKENESS)
    shown = ask(theirs, "q\n")
    assert f"{theirs}: labels of other comments than those drawn: 1\n" in shown
    assert "1 of 1 " in shown
    found = compare_labels(*(read_labels(path, QUERY_LIKENESS) for path in (mine, theirs)),
                           QUERY_LIKENESS)  # fmt: skip
    assert (found.pairs, found.counts.shape, found.counts[1, 2]) == (1, (3, 3), 1)


def test_a_file_of_the_other_scale_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "comments.csv"
    write_labels(path, [Label("Java", "Closes it.", "u", 2)], QUERY_LIKENESS)
    with pytest.raises(DataError, match="line 1: holds labels of the scale query-likeness, not re"):
        read_labels(path)
    path.write_text(path.read_text().replace(",2,", ",3,"))
    with pytest.raises(DataError, match="line 2: QueryLikeness '3' is none of 0, 1, 2"):
        read_labels(path, QUERY_LIKENESS)
