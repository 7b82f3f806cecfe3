"""Former names of modules, which rankers of users import, are the same modules."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from ncsbench.moved import find_present_name
from ncsbench.pipeline.freshness.code_imports import CodeTracer


@pytest.mark.parametrize(
    ("former", "present"),
    [
        ("indexes.index_files", "corpus.indexes.index_files"),
        ("indexes", "corpus.indexes"),
        ("rankers.ncs", "rankers.vectors.ncs"),
        ("rankers.bm25f", "rankers.lexical.bm25f"),
        ("runs.rankings", "base.runs.rankings"),
        ("text.words", "base.text.words"),
        ("training.unif_weights", "learning.unif.unif_weights"),
        ("comment_filter.cut", "pairs.comment_filter.cut"),
    ],
)
def test_a_former_name_is_the_same_module(former: str, present: str) -> None:
    assert find_present_name(former) == present
    module = importlib.import_module(f"ncsbench.{former}")
    assert module is importlib.import_module(f"ncsbench.{present}")
    assert module.__name__ == module.__spec__.name == f"ncsbench.{present}"


@pytest.mark.parametrize("name", ["rankers", "rankers.bm25", "rankers.no_such", "text.no_such", ""])
def test_other_names_are_left_to_python(name: str) -> None:
    assert find_present_name(name) is None


def test_a_former_name_works_in_a_new_process_before_the_present_one() -> None:
    program = (
        "from ncsbench.text.words import split_words\n"
        "from ncsbench.base.text import words\n"
        "assert words.split_words is split_words\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_code_that_uses_a_former_name_depends_on_the_module(root: Path) -> None:
    tracer = CodeTracer(root / "workflow" / "ncsbench")
    former = tracer.trace_source(b"from ncsbench.text.words import split_words\n")
    present = tracer.trace_source(b"from ncsbench.base.text.words import split_words\n")
    assert former == present
