"""What counts as the same table, and how a difference is named."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.apps.shown_tables.value_comparison import iterate_differences
from tests.verify.comparing import (
    check_expected,
    compare_builds,
    describe_moved_ranks,
    hash_artifacts,
    read_patterns,
    read_sums,
    update_expected,
)

TABLE = "model,answered,mrr\nbm25,12,0.333333\nncs,13,0.250000\n"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def build(tmp_path: Path) -> Path:
    write(tmp_path / "build/results/t.csv", TABLE)
    write(tmp_path / "build/results/t.md", "| bm25 | 12 | 0.333 (0.1 to 0.5) |\n")
    update_expected(tmp_path / "expected", tmp_path / "build", ["results/t.md", "results/t.csv"])
    return tmp_path / "build"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("0.333333", "0.333334"), None),  # the last digit
        (("0.250000", "0.2500000001"), None),
        (("0.333333", "0.333336"), "row 2, column mrr: expected '0.333333', found '0.333336'"),
        (("12", "13"), "row 2, column answered: expected '12', found '13'"),
        (("bm25", "bm26"), "row 2, column model: expected 'bm25', found 'bm26'"),
        (("ncs,13,0.250000\n", ""), "row 3, column number of cells: expected '3', found 'nothing'"),
        (("answered", "answers"), "row 1, column answered: expected 'answered', found 'answers'"),
        (("0.333333", "nan"), "row 2, column mrr: expected '0.333333', found 'nan'"),
    ],
)
def test_a_table_is_compared_by_value_where_its_bytes_differ(
    build: Path, change: tuple[str, str], problem: str | None
) -> None:
    write(build / "results/t.csv", TABLE.replace(*change))
    check = check_expected(build.parent / "expected", build)
    assert check.same == ["results/t.md"]
    if problem is None:
        assert check.equal == ["results/t.csv"] and check.problems == []
    else:
        assert check.problems == [f"results/t.csv: {problem}"]


def test_a_problem_counts_the_cells_that_differ(build: Path) -> None:
    write(build / "results/t.csv", TABLE.replace("0.333333", "0.4").replace("13", "14"))
    (problem,) = check_expected(build.parent / "expected", build).problems
    assert problem.endswith("row 2, column mrr: expected '0.333333', found '0.4' (1 more)")


SHEET = "No.,StackOverflow ID,bm25 FRank,ncs FRank\n1,9,1,NF\n2,8,4,4\n3,7,2,3\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("", ""), ""),
        (("NF", "50"), "of 1 model in 1 question, such as ncs, question 1: NF -> 50"),
        (("4,4", "5,3"), "of 2 models in 1 question, such as bm25, question 2: 4 -> 5"),
        (("ncs", "unif"), ""),  # another model: the comparison of the cells names it
    ],
)
def test_moved_first_ranks_are_named_by_model_and_question(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    paths = (write(tmp_path / "a.csv", SHEET), write(tmp_path / "b.csv", SHEET.replace(*change)))
    assert describe_moved_ranks(*paths) == (f"first ranks moved {said}" if said else "")


def test_a_table_for_readers_is_compared_word_by_word(build: Path) -> None:
    page = build / "results/t.md"
    write(page, "| bm25 | 12 | 0.3330000001 (0.1 to 0.5) |\n")
    assert check_expected(build.parent / "expected", build).equal == ["results/t.md"]
    write(page, "| bm25 | 12 | 0.333 (0.1 to 0.6) |\n")
    (problem,) = check_expected(build.parent / "expected", build).problems
    assert problem == "results/t.md: row 1, column word 11: expected '0.5', found '0.6'"


def test_a_missing_table_and_a_changed_copy_are_problems(build: Path) -> None:
    (build / "results/t.csv").unlink()
    write(build.parent / "expected/results/t.md", "other\n")
    assert check_expected(build.parent / "expected", build).problems == [
        "results/t.csv: was not made",
        "results/t.md: the committed copy does not have the committed hash",
    ]
    (build.parent / "expected/results/t.csv").unlink()
    problem, _ = check_expected(build.parent / "expected", build).problems
    assert problem == "results/t.csv: the committed copy is missing"


def test_the_hashes_are_in_the_form_of_sha256sum(build: Path) -> None:
    sums = build.parent / "expected" / "SHA256SUMS"
    assert list(read_sums(sums)) == ["results/t.csv", "results/t.md"]
    done = subprocess.run(["sha256sum", "-c", "--strict", str(sums)], cwd=build, check=False)
    assert done.returncode == 0
    assert read_sums(sums.parent / "absent") == {}
    sums.write_text("no hash\n")
    with pytest.raises(ValueError, match="line 1: must be a SHA-256"):
        read_sums(sums)


def test_builds_differ_by_file_and_patterns_leave_out(tmp_path: Path) -> None:
    for name, text in (("a", "1"), ("b", "2")):
        write(tmp_path / name / "data/d/logs/x.log", text)
        write(tmp_path / name / "data/d/x.npy", text)
        write(tmp_path / name / "results/same.csv", "same")
        write(tmp_path / name / f"results/{name}.csv", "x")
    first, second = (hash_artifacts(tmp_path / name, ["data/*/logs/*"]) for name in "ab")
    lines = compare_builds(first, second)
    assert [line.split(" (")[0] for line in lines] == [
        "data/d/x.npy: the builds differ",
        "results/a.csv: only the first build made it",
        "results/b.csv: only the second build made it",
    ]
    assert compare_builds(first, first) == []


def test_every_pattern_has_a_reason(tmp_path: Path, root: Path) -> None:
    assert read_patterns(root / "tests/verify/volatile.txt")
    with pytest.raises(ValueError, match="line 2: must be 'pattern # reason'"):
        read_patterns(write(tmp_path / "v.txt", "data/x # times\nresults/*\n"))


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e9, max_value=1e9))
def test_printing_fewer_digits_makes_no_difference(value: float) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        one = write(Path(name) / "a.csv", f"x\n{value:.6f}\n")
        two = write(Path(name) / "b.csv", f"x\n{value:.9f}\n")
        assert next(iterate_differences(one, two), None) is None


def test_the_committed_copies_have_the_committed_hashes(root: Path) -> None:
    expected = root / "resources" / "sample" / "expected"
    assert check_expected(expected, expected).problems == []
    assert "results/sample/table1.csv" in read_sums(expected / "SHA256SUMS")
