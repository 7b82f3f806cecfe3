"""Training pairs of another set that hold nothing of the threads of some parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.pairs.leak_words import join_dots
from ncsbench.pairs.leaks import LeakFinder
from ncsbench.pairs.pair_files import PAIR_STEPS, Candidate, read_posts_of_pair
from ncsbench.pairs.pair_funnel import Funnel
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.set_names import ThreadPart
from ncsbench.pairs.thread_parts import read_threads

_READ = ("pair", "read")
_STEP_OF_KIND = {
    "id": ("pair", "no post of a thread"),
    "title": ("pair", "no title of a thread"),
    "snippet": ("pair", "no snippet of a thread"),
}
_EXCLUDED = ("pair", "key not excluded")
THREAD_STEPS = (_READ, *_STEP_OF_KIND.values(), _EXCLUDED, *PAIR_STEPS)


def leave_out_threads(
    path: Path,
    threads: Path,
    parts: Collection[ThreadPart],
    funnel: Funnel,
    excluded: Collection[str] = (),
) -> Iterator[Candidate]:
    """The pairs that hold no thread of some parts, in order, with the keys that they had.

    A pair holds a thread as it leaks an evaluation question: by an id, a title or a snippet that is
    nearly the answer or contains it (DEV-51, DEV-55).

    Args:
        path: file of ``PAIR_SCHEMA``.
        threads: folder that stage ``choose_threads`` wrote.
        parts: names of the parts.
        funnel: has ``THREAD_STEPS``.
        excluded: keys of pairs that are left out, too.
    """
    finder = LeakFinder(read_threads(threads, parts))
    for table in iterate_tables(path, PAIR_SCHEMA):
        for row in table.to_pylist():
            funnel.count(*_READ, kept=1)
            blocks = join_dots(row["code"])
            held = finder.find(row["query"], row["code"], read_posts_of_pair(row), blocks)
            for kind, step in _STEP_OF_KIND.items():
                if not funnel.passes(*step, held is None or held.kind != kind):
                    break
            if held is None and funnel.passes(*_EXCLUDED, row["key"] not in excluded):
                yield Candidate(row)
