"""A filter of comments: its folder, what it says of comments, rules and model together."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError, DataError, NcsbenchError
from ncsbench.pairs.comment_filter.comment_filter import CommentFilter, Decision, load_filter
from ncsbench.pairs.comment_filter.filter_fitting import fit_filter
from ncsbench.pairs.comment_filter.filter_options import FilterOptions
from ncsbench.pairs.comment_filter.rule_sets import RuleCounts, load_rule_set
from tests.one_line import ends_in_one_line


class Lengths:
    """The loss of a comment is its number of characters."""

    def __init__(self) -> None:
        self.scored: list[str] = []

    def score(self, comments: Sequence[str]) -> NDArray[np.float64]:
        self.scored += comments
        return np.array([len(comment) for comment in comments], np.float64)

    def save(self, folder: Path) -> None:
        raise NotImplementedError


class AtMost20:
    def keeps(self, losses: NDArray[np.float64]) -> NDArray[np.bool_]:
        return losses <= 20

    def as_json(self) -> dict[str, Any]:
        return {}


def make_filter(folder: Path, rules: str = "as_published", name: str = "filter") -> Path:
    source = folder / "fitted.jsonl"
    source.write_text('{"comment": "closes all open files"}\n{"comment": "TODO"}\n')
    fit_filter(str(source), folder / name, FilterOptions(rules=rules))
    return folder / name


def test_a_filter_says_of_each_comment_whether_and_why(tmp_path: Path) -> None:
    comments = ["reads (all) lines of it", "TODO", "", " \n", "a half \ud800 one", "opens a file"]
    found = list(load_filter(make_filter(tmp_path)).apply(iter(comments)))
    assert found == [
        Decision("reads  lines of it", "", changed=True),
        Decision("TODO", "short_sentence"),
        Decision("", "empty"),
        Decision(" \n", "empty"),
        Decision("a half \ud800 one", "not readable: the comment has half a character"),
        Decision("opens a file", ""),
    ]
    assert [decision.kept for decision in found] == [True, False, False, False, False, True]


def test_the_model_is_asked_for_what_rules_keep_as_they_leave_it() -> None:
    model = Lengths()
    one = CommentFilter(load_rule_set("as_published"), model, AtMost20())
    long = "reads all lines of a file again"
    comments = ["reads (all) lines", "TODO", long, "", "opens one file"]
    assert one.judge(comments) == [
        Decision("reads  lines", "short_sentence", changed=True),
        Decision("TODO", "short_sentence"),
        Decision(long, "model", loss=31.0),
        Decision("", "empty"),
        Decision("opens one file", "", loss=14.0),
    ]
    assert model.scored == [long, "opens one file"]


def test_what_a_rule_leaves_nothing_of_is_empty(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text("rules: [detach_parentheses]\n")
    one = CommentFilter(load_rule_set(str(tmp_path / "rules.yaml")))
    assert list(one.apply(["(all) ", "()a"])) == [
        Decision(" ", "empty", changed=True),
        Decision("a", "", changed=True),
    ]


def test_empty_comments_are_not_among_those_that_rules_count() -> None:
    one = CommentFilter(load_rule_set("as_released"))
    counts = RuleCounts(one.rule_set)
    one.judge(["", "a b", "\ud800"], counts)
    assert counts.read == 1 and counts.rows()[-1].retained == 0


def test_a_comment_that_is_no_text_is_refused() -> None:
    with pytest.raises(DataError, match="a comment must be a text, not int"):
        list(CommentFilter(load_rule_set("none")).apply([3]))  # type: ignore[list-item]


def test_the_folder_says_what_it_was_fitted_on(tmp_path: Path) -> None:
    folder = make_filter(tmp_path)
    assert [path.name for path in folder.iterdir()] == ["filter.json"]
    about = json.loads((folder / "filter.json").read_text())
    assert about["note"].startswith("rules only: ")
    assert about["fitted"]["share_kept"] == 0.5 and about["fitted"]["rejected"] == {
        "short_sentence": 1
    }
    before = (folder / "filter.json").read_bytes()
    make_filter(tmp_path)  # another filter may be replaced
    assert (folder / "filter.json").read_bytes() == before


def test_a_folder_with_other_things_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("all of it")
    with pytest.raises(ConfigurationError, match="mine: holds other things; name a new or an empt"):
        make_filter(tmp_path, name="mine")
    assert (tmp_path / "mine/thesis.tex").read_text() == "all of it"
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="file: is no folder; name a new one"):
        make_filter(tmp_path, name="file")


def test_own_rules_are_executed_only_where_their_file_is_named_again(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'a').close()\nRULES = {{'long': lambda text: len(text) > 30}}\n"
    python = tmp_path / "mine.py"
    python.write_text(code)
    (tmp_path / "rules.yaml").write_text("rules: [urls, long]\npython: mine.py\n")
    folder = make_filter(tmp_path, str(tmp_path / "rules.yaml"))
    ran.unlink()
    with pytest.raises(ConfigurationError, match="which would be executed; name it: --python mine"):
        load_filter(folder)
    assert not ran.exists()
    assert load_filter(folder, python=python).judge(["a" * 31])[0].reason == "long"
    python.write_text(code + "#")
    with pytest.raises(ConfigurationError, match=r"mine.py: is not the file that .* was made with"):
        load_filter(folder, python=python)
    with pytest.raises(ConfigurationError, match=r"mine.py: counts for nothing: .* has no rules"):
        load_filter(make_filter(tmp_path, name="plain"), python=python)
    with pytest.raises(ConfigurationError, match=r"none.py: cannot be read"):
        load_filter(folder, python=tmp_path / "none.py")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"comment filter"', '"encoder"', "filter.json: kind: 'encoder' is not one of"),
        ('"urls"', '"url"', "rules: 'url' is unknown; did you mean 'urls'"),
        ('"note"', '"notes"', "filter.json: unknown key 'notes'"),
        ('"kind"', "kind", "filter.json: is not valid JSON"),
    ],
)
def test_a_damaged_folder_ends_in_one_line(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    path = make_filter(tmp_path) / "filter.json"
    first, *rest = path.read_text().rsplit(before, 1)
    path.write_text(first + after + "".join(rest))
    with ends_in_one_line(NcsbenchError, message):
        load_filter(path.parent)


def test_a_folder_without_a_filter_says_how_one_is_made(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no filter; make one: ncsbench clean fit COMMENTS"):
        load_filter(tmp_path)


def test_comments_of_which_nothing_is_kept_make_no_filter(tmp_path: Path) -> None:
    for text, message in (
        (
            '{"comment": "TODO"}',
            r"keep none of its comments; read 1: kept 0 .* short_sentence 1;.*summaries",
        ),
        ('{"text": "closes all open files"}', "none of 1 lines can be read; line 1: .* no field"),
        ("", "holds no comment$"),
    ):
        (tmp_path / "c.jsonl").write_text(f"{text}\n")
        with pytest.raises(DataError, match=message):
            fit_filter(str(tmp_path / "c.jsonl"), tmp_path / "filter", FilterOptions())
    assert not (tmp_path / "filter").exists()


def test_the_python_of_the_page_runs(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``docs/cleaning.md``: rules of one's own, and the library."""
    page = (root / "docs/cleaning.md").read_text()
    library, rules, _ = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    [yaml] = re.findall(r"^```yaml\n(.*?)^```", page, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    Path("my_rules.py").write_text(rules)
    Path("my_rules.yaml").write_text(yaml)
    own = CommentFilter(load_rule_set("my_rules.yaml"))
    comments = ["TODO: close all files", "word " * 31]
    assert [one.reason for one in own.apply(comments)] == ["", "too_long"]
    make_filter(tmp_path, name="my_filter")
    names: dict[str, Any] = {}
    exec(compile(library, "cleaning.md", "exec"), names)  # noqa: S102
    assert names["kept"] == ["reads  lines of a file"]
    assert names["reasons"] == {"TODO": "short_sentence", "see {@link Files}": "javadoc_tags"}
