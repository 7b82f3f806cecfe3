import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.runs.rankings import Run
from ncsbench.base.runs.trec_files import read_run, write_qrels, write_run
from ncsbench.errors import DataError
from tests.ranked_runs import make_run
from tests.refusals import one_line


def run_of(*results: tuple[int, int, float], depth: int = 50) -> Run:
    rows, ids, scores = zip(*results, strict=True) if results else ((), (), ())
    return make_run(
        query_ids=np.array(rows, dtype=np.int32),
        ids=np.array(ids, dtype=np.int64),
        scores=np.array(scores, dtype=np.float64),
        depth=depth,
    )


def test_written_lines(tmp_path: Path) -> None:
    write_run(tmp_path / "a.run", run_of((1, 7, 0.1), (1, 3, 2.0), (57, 3, -1.0)), tag="bm25")
    assert (tmp_path / "a.run").read_bytes() == (
        b"1 Q0 3 1 2.0 bm25\n1 Q0 7 2 0.1 bm25\n57 Q0 3 1 -1.0 bm25\n"
    )


def test_rows_are_the_query_ids_dev_30(tmp_path: Path) -> None:
    """DEV-30: two questions with one Stack Overflow id keep two rankings, at rows 57 and 73."""
    write_run(tmp_path / "a.run", run_of((73, 1, 1.0), (57, 1, 1.0)), tag="m")
    assert read_run(tmp_path / "a.run").query_ids.tolist() == [57, 73]


def test_ties_are_stepped_down_dev_31(tmp_path: Path) -> None:
    """DEV-31: scores decrease strictly in single precision; the order stays."""
    below = float(np.nextafter(1.0, 0.0))
    run = run_of((1, 4, 1.0), (1, 2, 1.0), (1, 9, below), (1, 1, 0.25), (2, 5, 1.0))
    write_run(tmp_path / "a.run", run, tag="m")
    again = read_run(tmp_path / "a.run")
    assert again.ids.tolist() == [2, 4, 9, 1, 5]
    assert np.all(np.diff(again.scores.astype(np.float32)[:4]) < 0)
    assert again.scores[[0, 3, 4]].tolist() == [1.0, 0.25, 1.0]


@given(
    st.lists(
        st.tuples(
            st.integers(1, 4),
            st.integers(0, 2**62),
            st.one_of(
                st.sampled_from([0.0, -0.0, 0.1, 1.0, 1.0 + 1e-12, 1e-50, -1e-50]),
                st.floats(-1e30, 1e30),
            ),
        ),
        unique_by=lambda result: result[:2],
        max_size=30,
    )
)
def test_writing_keeps_the_order_and_is_stable(
    tmp_path_factory: pytest.TempPathFactory, results: list[tuple[int, int, float]]
) -> None:
    path = tmp_path_factory.mktemp("runs") / "a.run"
    run = run_of(*results)
    write_run(path, run, tag="m")
    first = path.read_bytes()
    again = read_run(path)
    assert again.query_ids.tolist() == run.query_ids.tolist()
    assert again.ids.tolist() == run.ids.tolist()
    same_row = np.diff(again.query_ids) == 0
    assert np.all(np.diff(again.scores.astype(np.float32))[same_row] < 0)
    write_run(path, again, tag="m")
    assert path.read_bytes() == first


GOOD = "1 Q0 3 1 2.0 m\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD + "1 Q0 4 2 1.0\n", "line 2: has 5 columns"),
        ("\n", "line 1: has 0 columns"),
        (GOOD + "x Q0 4 2 1.0 m\n", "line 2: the query id 'x' is not a whole number"),
        ("0 Q0 4 1 1.0 m\n", "line 1: the query id '0'"),
        ("1 Q0 -4 1 1.0 m\n", "line 1: the method id '-4'"),
        ("1 Q0 99999999999999999999 1 1.0 m\n", "line 1: the method id"),
        ("1 Q0 4 1.0 1.0 m\n", "line 1: the rank '1.0'"),
        ("1 Q0 4 1 high m\n", "line 1: the score 'high'"),
        ("1 Q0 4 1 nan m\n", "line 1: the score 'nan'"),
        (GOOD + "1 Q0 3 2 1.0 m\n", "line 2: the method id occurs twice"),
        (GOOD + "1 Q0 4 3 1.0 m\n", "line 2: ranks must count 1, 2, 3"),
        (GOOD + "1 Q0 4 2 2.5 m\n", "line 2: scores must not increase"),
        (GOOD + "1 Q0 2 2 2.0 m\n", "line 2: equal scores"),
        ("2 Q0 3 1 2.0 m\n" + GOOD, "line 2: query ids must ascend"),
    ],
)
def test_reading_names_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.run"
    path.write_text(text)
    with one_line(DataError, start=f"{path}, {message}"):
        read_run(path)


def test_reading_what_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_run(tmp_path / "missing.run")
    (tmp_path / "bytes.run").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="not UTF-8"):
        read_run(tmp_path / "bytes.run")


def test_a_compressed_run_has_the_lines_of_a_plain_one_and_no_time(tmp_path: Path) -> None:
    run = run_of((1, 4, 2.0), (1, 3, 1.0))
    for name in ("a.trec", "a.trec.gz", "b.trec.gz"):
        write_run(tmp_path / name, run, tag="m")
    packed = (tmp_path / "a.trec.gz").read_bytes()
    assert packed == (tmp_path / "b.trec.gz").read_bytes()
    assert packed[4:8] == bytes(4)
    assert gzip.decompress(packed) == (tmp_path / "a.trec").read_bytes()
    assert read_run(tmp_path / "a.trec.gz").ids.tolist() == [4, 3]


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:12], lambda _: GOOD])
def test_a_damaged_compressed_run_ends_in_one_line(
    tmp_path: Path, damage: Callable[[bytes], bytes | str]
) -> None:
    path = tmp_path / "a.trec.gz"
    write_run(path, run_of((1, 4, 2.0), (1, 3, 1.0)), tag="m")
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged.encode() if isinstance(damaged, str) else damaged)
    with one_line(DataError, match=r"a\.trec\.gz: (is no whole gzip|cannot be read)"):
        read_run(path)


def test_empty_run(tmp_path: Path) -> None:
    write_run(tmp_path / "a.run", run_of(), tag="m")
    assert len(read_run(tmp_path / "a.run").query_ids) == 0


@pytest.mark.parametrize("tag", ["", "two words", "line\nend", " m"])
def test_tags_are_one_word(tmp_path: Path, tag: str) -> None:
    with pytest.raises(DataError, match="tag"):
        write_run(tmp_path / "a.run", run_of((1, 1, 1.0)), tag=tag)


def test_only_orderly_runs_are_written(tmp_path: Path) -> None:
    rows, ids = np.array([1, 1], dtype=np.int32), np.array([1, 2], dtype=np.int64)
    with pytest.raises(DataError, match="query id 1: scores must not increase"):
        write_run(
            tmp_path / "a", Run(query_ids=rows, ids=ids, scores=np.array([0.1, 0.2])), tag="m"
        )
    with pytest.raises(DataError, match="scores must lie between"):
        write_run(
            tmp_path / "a", Run(query_ids=rows, ids=ids, scores=np.array([1e39, 0.2])), tag="m"
        )
    assert not (tmp_path / "a").exists()


def test_qrels_name_every_question_once_or_more(tmp_path: Path) -> None:
    """One without an accepted pair too: tools take means over the questions that they find here."""
    write_qrels(
        tmp_path / "a.qrels",
        query_ids=np.array([10, 2, 2, 10, 10, 3, 3], dtype=np.int32),
        ids=np.array([5, 11, 9, 5, 6, 8, 7], dtype=np.int64),
        relevant=np.array([True, True, True, True, False, False, False]),
        questions=np.array([2, 3, 10, 4], dtype=np.int32),
    )
    assert (tmp_path / "a.qrels").read_text() == "2 0 9 1\n2 0 11 1\n3 0 7 0\n4 0 0 0\n10 0 5 1\n"
