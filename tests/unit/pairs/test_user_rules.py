"""Rules of the user's own, in a Python file that a file of rules names; and their mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.errors import ConfigurationError
from ncsbench.pairs.comment_filter.rule_sets import Verdict, load_rule_set
from tests.one_line import ends_in_one_line

CODE = """\
def is_long(comment):
    {}


def drop_todo(comment):
    {}


RULES = {{"too_long": is_long, "detach_todo": drop_todo}}
"""
LONG = "return len(comment) > 30"
TODO = "return comment.removeprefix('TODO ')"


def write_set(
    folder: Path, code: str, rules: str = "[detach_todo, short_sentence, too_long]"
) -> str:
    (folder / "mine.py").write_bytes(code.encode("utf-8", "surrogateescape"))
    (folder / "rules.yaml").write_text(f"rules: {rules}\npython: mine.py\n")
    return str(folder / "rules.yaml")


def test_a_rule_that_gives_true_rejects_and_one_that_detaches_gives_text_dev_167(
    tmp_path: Path,
) -> None:
    rule_set = load_rule_set(write_set(tmp_path, CODE.format(LONG, TODO)))
    judge = rule_set.judge
    assert judge("TODO close all files") == Verdict("close all files", "", ("detach_todo",))
    assert judge("TODO close files").rejected_by == "short_sentence"
    assert judge("closes a file " * 3).rejected_by == "too_long"
    name, digest = rule_set.python or ("", "")
    assert (name, len(digest), rule_set.name) == ("mine.py", 64, "rules.yaml")


def test_rules_are_applied_in_the_order_of_the_file_dev_167(tmp_path: Path) -> None:
    order = "[short_sentence, detach_parentheses]"
    path = tmp_path / "rules.yaml"
    path.write_text(f"rules: {order}\n")
    assert load_rule_set(str(path)).judge("(TODO) Send requests").rejected_by == ""


FAULTS = [
    (
        CODE.format("return 1 / 0", TODO),
        "mine.py, line 2: ZeroDivisionError: division by zero; in the rule 'too_long' for the "
        "comment 'closes all files'",
    ),
    (
        CODE.format("raise SystemExit(3)", TODO),
        "mine.py, line 2: SystemExit: 3; in the rule 'too_long' for the comment ",
    ),
    (
        CODE.format("return comment.nothing", TODO),
        "mine.py, line 2: AttributeError: 'str' object has no attribute 'nothing'",
    ),
    (CODE.format("return is_long(comment)", TODO), "mine.py, line 2: RecursionError: "),
    (
        CODE.format("return None", TODO),
        "mine.py, line 1: the rule 'too_long' must give True or False, not None, for the comment "
        "'closes all files'",
    ),
    (CODE.format("return 1", TODO), "must give True or False, not 1, "),
    (
        CODE.format(LONG, "return True"),
        "mine.py, line 5: the rule 'detach_todo' must give Unicode text, since its name "
        "begins with 'detach', not True",
    ),
    (CODE.format(LONG, "return '\\ud800'"), "must give Unicode text, since its name begins with"),
]


@pytest.mark.parametrize(("code", "message"), FAULTS)
def test_a_fault_of_a_rule_is_one_line_with_its_place(
    tmp_path: Path, code: str, message: str
) -> None:
    rule_filter = load_rule_set(write_set(tmp_path, code))
    with ends_in_one_line(ConfigurationError, message, tmp_path):
        rule_filter.judge("closes all files")


MISTAKES = [
    ("def f(:\n", "mine.py, line 1: SyntaxError: "),
    ("import no_such_package\n", "rules are one file: what else it imports must be installed"),
    ("rules = {}\n", 'mine.py: names no rules as RULES; add a last line \'RULES = {"name": fun'),
    ("RULES = {}\n", "mine.py: names no rules as RULES"),
    ("RULES = {'a b': len}\n", "RULES: 'a b' is no name of a rule; use letters, digits and '_'"),
    ("RULES = {3: len}\n", "RULES: 3 is no name of a rule"),
    ("RULES = {'model': len}\n", "RULES: 'model' is no name of a rule; "),
    ("RULES = {'long': 3}\n", "RULES: 'long' is no function"),
    ("RULES = {'urls': len}\n", "RULES: 'urls' is a rule of ncsbench; give yours another name"),
    ("RULES = {'long': len}\n", "rules: has none of the rules of "),
    ("a = '\udcff'\n", "mine.py"),
]


@pytest.mark.parametrize(("code", "message"), MISTAKES)
def test_mistakes_in_the_python_file_end_in_one_line(
    tmp_path: Path, code: str, message: str
) -> None:
    with ends_in_one_line(ConfigurationError, message):
        load_rule_set(write_set(tmp_path, code))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules: [url]\n", "rules.yaml: rules: 'url' is unknown; did you mean 'urls'?"),
        ("rules: urls\n", "rules.yaml: rules: 'urls' is not a list; write rules: [urls]"),
        ("rules: [urls, urls]\n", "rules.yaml: rules: 'urls' is there twice; keep one"),
        ("rule: [urls]\n", "rules.yaml: unknown key 'rule'; did you mean 'rules'?"),
        ("python: mine.py\n", "rules.yaml: missing key 'rules'"),
        ("rules: [urls]\npython: none.py\n", "none.py: cannot be read (No such file"),
        ("", "rules.yaml: is empty"),
        ("rules: [\n", "rules.yaml: is not valid YAML"),
    ],
)
def test_mistakes_in_a_file_of_rules_end_in_one_line(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(text)
    with ends_in_one_line(ConfigurationError, message):
        load_rule_set(str(path))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("as_publishd", "rules: 'as_publishd' is unknown; did you mean 'as_published'?"),
        ("rules.txt", "or name a file of rules that ends in .yaml"),
        ("no_such.yaml", "no_such.yaml: cannot be read (No such file or directory)"),
    ],
)
def test_an_unknown_set_says_what_there_is(name: str, message: str) -> None:
    with ends_in_one_line(ConfigurationError, message):
        load_rule_set(name)
