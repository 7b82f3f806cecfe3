"""JSON Lines through a filter of comments: nothing is lost, whatever the lines are."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter import comment_lines
from ncsbench.pairs.comment_filter.comment_filter import CommentFilter
from ncsbench.pairs.comment_filter.filter_stream import StreamCounts, filter_stream, write_counts
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set

FILTER = CommentFilter(load_rule_set("as_published"))
KEPT = b'{"id": 7, "comment":  "closes all open files", "size": 1.50}'


def run(folder: Path, data: bytes, **options: Any) -> tuple[StreamCounts, bytes, list[Any]]:
    """Counts, kept bytes and rejected lines; all that was read is in one of them."""
    (folder / "in.jsonl").write_bytes(data)
    kept, rejected = folder / "kept.jsonl", folder / "rejected.jsonl"
    counts = filter_stream(
        FILTER, str(folder / "in.jsonl"), kept=str(kept), rejected=str(rejected), **options
    )
    lines = [json.loads(line) for line in rejected.read_bytes().splitlines()]
    assert counts.read == counts.kept + counts.rejected.total()
    assert counts.kept == kept.read_bytes().count(b"\n") and len(lines) == counts.read - counts.kept
    return counts, kept.read_bytes(), lines


def test_an_unchanged_line_is_kept_byte_by_byte(tmp_path: Path) -> None:
    _, kept, rejected = run(tmp_path, KEPT + b"\r\n\n  \n" + KEPT)
    assert kept == (KEPT + b"\n") * 2 and rejected == []


def test_a_changed_comment_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    line = {"a": "é", "comment": "(TODO) reads <b>all</b> files", "b": [1, None]}
    counts, kept, _ = run(tmp_path, json.dumps(line).encode())
    assert json.loads(kept) == line | {"comment": " reads all files"}
    assert list(json.loads(kept)) == list(line) and "é".encode() in kept
    assert (counts.kept, counts.changed) == (1, 1)
    _, kept, _ = run(tmp_path, json.dumps(line).encode() + b"\n" + KEPT, original="as_it_was")
    first, second = kept.splitlines()
    assert json.loads(first)["as_it_was"] == line["comment"] and second == KEPT


def test_half_a_character_in_another_field_stays(tmp_path: Path) -> None:
    line = b'{"comment": "reads (all) of the files", "e": "\\ud800"}'
    _, kept, _ = run(tmp_path, line)
    assert json.loads(kept) == {"comment": "reads  of the files", "e": "\ud800"}


REJECTED: list[tuple[bytes, str]] = [
    (b'{"comment": "see {@link A}"}', "javadoc_tags"),
    (b'{"comment": ""}', "empty"),
    (b'{"comment": " \\n\\t"}', "empty"),
    (b'{"comment": "(all)"}', "punctuation"),
    (b'{"comment": 3}', "not readable: the field 'comment' is no text"),
    (b'{"comment": null}', "not readable: the field 'comment' is no text"),
    (b'{"other": "a"}', "not readable: has no field 'comment'"),
    (b'{"comment": "a", "comment": "b"}', "not readable: has a field twice"),
    (b'{"comment": "\\ud800 b c"}', "not readable: the comment has half a character"),
    (b'{"comment": "\xff b c"}', "not readable: is no UTF-8"),
    (b'{"comment": "a b c", "n": NaN}', "not readable: NaN is no JSON"),
    (b'{"comment": "a b c", "n": 1e999}', "not readable: has a number that is too large"),
    (b'{"comment": "a b c", "n": ' + b"9" * 5000 + b"}", "not readable: is no JSON"),
    (b"[" * 100_000, "not readable: is no JSON"),
    (b'["comment"]', "not readable: is no JSON object"),
    (b"\x00\x01\x1b[31m", "not readable: is no JSON"),
    ('{"comment": "a b c"}'.encode("utf-16"), "not readable: is no UTF-8"),
    (b'{"comment": "a b', "not readable: is no JSON"),
    (b"\x0b", ""),  # white space
]


@pytest.mark.parametrize(("line", "reason"), REJECTED)
def test_every_line_that_is_not_kept_has_a_reason(tmp_path: Path, line: bytes, reason: str) -> None:
    counts, kept, rejected = run(tmp_path, KEPT + b"\n" + line + b"\n" + KEPT)
    assert kept == (KEPT + b"\n") * 2
    assert [one["reason"] for one in rejected] == [reason] * bool(reason)
    for one in rejected:
        assert one["line"] == 2
        if reason.startswith("not readable"):
            assert set(one) == {"line", "reason", "text"} and len(one["text"]) <= 800
        else:
            assert one["record"] == json.loads(line)
    assert sum(counts.rejected.values()) == bool(reason)


def test_a_line_that_is_too_long_is_cut_and_the_next_one_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comment_lines, "LONGEST_LINE", 1000)
    exact = KEPT[:-1] + b" " * (999 - len(KEPT)) + b"}"
    for size in (999, 1000, 1001, 2000, 2001, 5000):
        long = KEPT[:-1] + b" " * (size - len(KEPT)) + b"}"
        counts, kept, rejected = run(tmp_path, long + b"\n" + exact)
        assert counts.read == 2
        assert kept.endswith(exact + b"\n")
        reasons = [one["reason"] for one in rejected]
        assert reasons == ([] if size <= 1000 else ["longer than 1,000 bytes"])


@given(st.lists(st.binary(max_size=30)), st.lists(st.text(max_size=30)))
def test_nothing_is_lost_of_any_lines(
    tmp_path_factory: pytest.TempPathFactory, junk: list[bytes], comments: list[str]
) -> None:
    lines = [json.dumps({"comment": comment}).encode() for comment in comments]
    data = b"\n".join([*junk, *lines, KEPT])
    assume(not data.startswith(b"\x1f\x8b"))  # a damaged gzip
    counts, _, _ = run(tmp_path_factory.mktemp("lines"), data)
    first = data.removeprefix(b"\xef\xbb\xbf")
    assert counts.read == sum(bool(line.strip()) for line in first.split(b"\n"))


def test_a_file_of_which_no_line_can_be_read_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "kept.jsonl").write_text("as it was\n")
    with pytest.raises(
        DataError, match=r"jsonl: none of 2 lines can be read; line 2: not readable: has no"
    ):
        run(tmp_path, b'\n{"text": "a b c"}\n{"text": "b c d"}\n')
    assert (tmp_path / "kept.jsonl").read_text() == "as it was\n"
    assert run(tmp_path, b"\n")[0].read == 0


def test_hostile_comments_of_many_megabytes_pass(tmp_path: Path) -> None:
    comments = ["(" * 10_000_000, "<" * 1_000_000, "()" * 500_000, "<a " * 500_000 + "a b c"]
    data = b"\n".join(json.dumps({"comment": one}).encode() for one in comments)
    counts, _, _ = run(tmp_path, data)
    assert counts.read == 4


def test_gzip_is_read_by_its_bytes_and_written_by_its_name(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_bytes(gzip.compress(KEPT + b"\n"))
    written = []
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        kept, rejected = tmp_path / name, tmp_path / f"rejected-{name}"
        filter_stream(FILTER, str(source), kept=str(kept), rejected=str(rejected))
        assert gzip.decompress(kept.read_bytes()) == KEPT + b"\n"
        assert gzip.decompress(rejected.read_bytes()) == b""
        written.append(kept.read_bytes())
    assert written[0] == written[1]


def test_a_damaged_gzip_leaves_no_output(tmp_path: Path) -> None:
    source = tmp_path / "in.gz"
    for data in (gzip.compress(KEPT * 99)[:-9], gzip.compress(KEPT)[:-5] + b"12345"):
        source.write_bytes(data)
        with pytest.raises(DataError, match=r"in.gz: cannot be read behind line 0 \("):
            filter_stream(
                FILTER, str(source), kept=str(tmp_path / "k"), rejected=str(tmp_path / "r")
            )
        assert list(tmp_path.iterdir()) == [source]


def test_a_failing_rule_leaves_no_output(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(text):\n    return 1 / 0\n\n\nRULES = {'f': f}\n")
    (tmp_path / "rules.yaml").write_text("rules: [f]\npython: mine.py\n")
    source = tmp_path / "in"
    source.write_bytes(KEPT)
    one = CommentFilter(load_rule_set(str(tmp_path / "rules.yaml")))
    with pytest.raises(ConfigurationError, match=r"mine.py, line 2: ZeroDivisionError"):
        filter_stream(one, str(source), kept=str(tmp_path / "k"), rejected=str(tmp_path / "r"))
    assert not (tmp_path / "k").exists() and not (tmp_path / "r").exists()


def test_outputs_do_not_replace_the_comments_nor_each_other(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_bytes(KEPT)
    for kept, rejected, message in [
        ("in", "r", "in: is named for the comments and for kept lines"),
        ("k", "in", "in: is named for the comments and for rejected lines"),
        ("k", "./k", "k: is named for kept lines and for rejected lines"),
        (".", "r", ".*: is a folder; name a file for kept lines"),
        ("k", ".", ".*: is a folder; name a file for rejected lines"),
    ]:
        if message is not None:
            with pytest.raises(ConfigurationError, match=message):
                filter_stream(
                    FILTER,
                    str(source),
                    kept=f"{tmp_path}/{kept}",
                    rejected=f"{tmp_path}/{rejected}",
                )
    with pytest.raises(ConfigurationError, match="cannot both go to standard output"):
        filter_stream(FILTER, str(source), kept="-", rejected="-")
    assert source.read_bytes() == KEPT and list(tmp_path.iterdir()) == [source]


def test_what_is_no_regular_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    source, pipe = tmp_path / "in", tmp_path / "pipe"
    source.write_bytes(KEPT)
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    filter_stream(FILTER, str(source), kept=str(pipe), rejected="/dev/null")
    reader.join()
    assert read == [KEPT + b"\n"] and pipe.is_fifo() and Path("/dev/null").is_char_device()


def test_a_full_disk_is_said_of_the_file_that_lies_on_it(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_bytes(KEPT)
    with pytest.raises(DataError, match="/dev/full: cannot be written"):
        filter_stream(FILTER, str(source), kept="/dev/full", rejected=str(tmp_path / "r"))
    assert not (tmp_path / "r").exists()


def test_a_line_that_has_the_field_for_the_original_ends_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="line 1 has a field 'id' already; name another"):
        run(tmp_path, KEPT, original="id")


def test_counts_of_rules_are_a_table(tmp_path: Path) -> None:
    counts, _, _ = run(tmp_path, KEPT + b'\n{"comment": "see (it) <b>{@link A}</b>"}\n')
    write_counts(tmp_path / "counts.csv", counts)
    assert (tmp_path / "counts.csv").read_text().splitlines()[:4] == [
        "rule,changed,rejected,retained",
        "detach_html_tags,1,0,2",
        "detach_parentheses,1,0,2",
        "javadoc_tags,0,1,1",
    ]
    assert counts.describe() == ("read 2: kept 1 (0 of them changed), rejected 1: javadoc_tags 1")


def call(root: Path, *arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "ncsbench", "clean", *arguments],
        env={**os.environ, "PYTHONPATH": str(root / "workflow")},
        input=data, capture_output=True, check=False,
    )  # fmt: skip


def test_the_commands_read_and_write_pipes(root: Path, tmp_path: Path) -> None:
    folder, rejected = str(tmp_path / "filter"), str(tmp_path / "rejected.jsonl.gz")
    data = KEPT + b'\n{"comment": "TODO"}\n'
    done = call(root, "fit", "-", "-o", folder, data=data)
    assert done.stdout.decode().splitlines() == [
        "read 2: kept 1 (0 of them changed), rejected 1: short_sentence 1",
        f"{folder}: keeps 50.0%; rules only: no titles were given, so no comment is "
        "compared with queries",
    ]
    done = call(
        root, "apply", "-", "--with", folder, "-o", "-", "--rejected", rejected,
        data=gzip.compress(data),
    )  # fmt: skip
    assert done.stdout == KEPT + b"\n"
    assert done.stderr.decode().splitlines()[-1].startswith("read 2: kept 1 ")
    assert json.loads(gzip.open(rejected).read())["reason"] == "short_sentence"
    # Rejected lines that nobody asks for are counted.
    done = call(root, "apply", "-", "--with", folder, "-o", str(tmp_path / "kept"), data=data)
    assert done.stdout.decode().endswith("rejected 1: short_sentence 1\n")
    assert (tmp_path / "kept").read_bytes() == KEPT + b"\n"


def test_a_reader_who_leaves_ends_it_quietly_and_no_output_stays(
    root: Path, tmp_path: Path
) -> None:
    folder, rejected = str(tmp_path / "filter"), tmp_path / "rejected.jsonl"
    call(root, "fit", "-", "-o", folder, data=KEPT)
    (tmp_path / "in").write_bytes((KEPT + b"\n") * 20_000)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "ncsbench", "clean", "apply", str(tmp_path / "in"),
         "--with", folder, "-o", "-", "--rejected", str(rejected)],
        env={**os.environ, "PYTHONPATH": str(root / "workflow")},
        stdout=write, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(write)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")
    assert not rejected.exists()


def test_a_rule_that_rejects_most_comments_is_named_with_the_form_that_is_wanted(
    tmp_path: Path,
) -> None:
    whole = b'{"comment": "Reads all lines. @param path the file @return lines"}\n'
    counts, *_ = run(tmp_path, KEPT + b"\n" + 2 * whole)
    assert counts.describe_most_rejected() == (
        "rule javadoc_tags rejects 2 of 3 comments: give summaries, such as the first sentence "
        "of a Javadoc without its tags (@param)"
    )
    counts, *_ = run(tmp_path, KEPT + b"\n" + whole)
    assert not counts.describe_most_rejected()
