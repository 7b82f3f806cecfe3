"""The embedded sample of a cleaning experiment is what resources/cleaning_sample/README.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.java.javadoc import cut_raw_sentence
from ncsbench.corpus.function_corpus.annotations import read_url
from ncsbench.pairs.comment_filter.rule_sets import RuleCounts, load_rule_set
from ncsbench.posts.questions.question_entries import read_entries

FEWEST_WORDS = 3  # of the part of a comment that makes a function a pair


@pytest.fixture(scope="module")
def sample(root: Path) -> Path:
    return root / "resources" / "cleaning_sample"


@pytest.mark.parametrize("name", ["as_published", "as_released"])
def test_every_rule_has_a_comment_of_its_kind(sample: Path, name: str) -> None:
    rules = load_rule_set(name)
    judge, counts = rules.judge, RuleCounts(rules)
    for path in sorted(sample.rglob("*.java")):
        for function in parse_functions(path.read_bytes(), "java").functions:
            if len(function.docstring_tokens) >= FEWEST_WORDS:
                counts.add(judge(cut_raw_sentence(function.docstring)))
    untouched = {row.rule for row in counts.rows() if row.changed + row.rejected == 0}
    assert untouched <= {"html_tags_left_as_released"}  # after the second rule none is
    assert counts.read == 63 and counts.rows()[-1].retained > 35


def test_every_question_has_addresses_of_methods(root: Path, sample: Path) -> None:
    repositories = root / "resources" / "sample" / "repositories"
    for row in read_entries([sample / "questions.json"]):
        assert row["examples_url"]
        for url in row["examples_url"]:
            place = read_url(url)
            assert place is not None
            path = repositories / place.repo / place.path
            functions = parse_functions(path.read_bytes(), "java").functions
            lines = {(one.start_line, one.end_line) for one in functions}
            assert (place.start_line, place.end_line) in lines
