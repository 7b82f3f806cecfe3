"""Comments that rules judge in a second of one core, which shall be 50,000 and more.

Arguments are files of JSON Lines with a field ``comment``, plain or gzipped; without any, made-up
comments of usual length are measured.
"""

import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ncsbench.pairs.comment_filter.comment_filter import CommentFilter
from ncsbench.pairs.comment_filter.comment_lines import open_lines, read_lines
from ncsbench.pairs.comment_filter.filter_stream import filter_stream
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set

BAR = 50_000
COMMENTS = 100_000
ROUNDS = 3
WORDS = (
    "returns the name of all open files in this folder and closes a stream when it is read".split()
)
NOISE = (
    *("(see below)", "<code>null</code>", "List<String>", "{@link Files}", "https://example.org"),
    *("me@example.org", "a < b", "<p>", "café", "really?", "(of any (known) kind)", "====="),
)


def make_up() -> list[str]:
    """Comments of two to forty words, a third of them with something that a rule is about."""
    drawn = random.Random(7)  # noqa: S311
    comments = []
    for _ in range(COMMENTS):
        words = drawn.choices(WORDS, k=drawn.randint(2, 40))
        if drawn.random() < 1 / 3:
            words.insert(drawn.randint(0, len(words)), drawn.choice(NOISE))
        comments.append(" ".join(words))
    return comments


def read(names: list[str]) -> list[str]:
    """Comments of files; what cannot be read is left out."""
    comments = []
    for name in names:
        with open_lines(name) as stream:
            comments += [line.comment for line in read_lines(stream, name, "comment")]
    return comments


def best(step: Callable[[], object]) -> float:
    """Seconds of processor time, the least of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        gc.collect()
        started = time.process_time()
        step()
        seconds.append(time.process_time() - started)
    return min(seconds)


def main() -> None:
    """Print what each set of rules does in a second, alone and in a stream of files."""
    comments = read(sys.argv[1:]) if sys.argv[1:] else make_up()
    mean = sum(map(len, comments)) / len(comments)
    print(f"{len(comments):,} comments of {mean:.0f} characters on average")  # noqa: T201
    slow = []
    with tempfile.TemporaryDirectory() as name:
        lines = Path(name, "comments.jsonl")
        lines.write_text("".join(json.dumps({"comment": one}) + "\n" for one in comments))
        for rules in ("as_published", "as_released"):
            one = CommentFilter(load_rule_set(rules))
            alone = len(comments) / best(lambda one=one: one.judge(comments))
            outputs = {"kept": f"{name}/kept", "rejected": f"{name}/rejected"}
            stream = len(comments) / best(
                lambda one=one, outputs=outputs: filter_stream(one, str(lines), **outputs)
            )
            print(  # noqa: T201
                f"{rules:13} alone {alone:10,.0f} a second  clean apply {stream:10,.0f} a second"
            )
            slow += [rules] if alone < BAR else []
    if slow:
        sys.exit(f"{', '.join(slow)}: fewer than {BAR:,} comments a second")


if __name__ == "__main__":
    main()
