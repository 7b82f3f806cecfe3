"""Which methods the released list has: counted between neighbouring examples, by their ids.

Ids of the released list run densely in the order (repository, path, position), so the difference of
the ids of two examples in one repository is the number of methods from the first to the second.
"""

from __future__ import annotations

import csv
import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ncsbench.base.text.file_decoding import decode_source
from ncsbench.code.java.java_methods import Method, parse_methods
from ncsbench.corpus.layout.corpus_settings import MethodOptions
from ncsbench.corpus.sources.folder_sources import GitSource
from ncsbench.corpus.sources.repositories import Repository, read_repositories
from ncsbench.corpus.sources.source_protocol import SourceError
from tests.building import read_repository

Position = tuple[str, int, int]  # path, first line, last line
LONGEST = 2000  # ids; the longer segments are most of the work, and none of them is exact
TELLING = 40  # segments that tell, over the 383 repositories


@dataclass(frozen=True)
class Segment:
    """The methods from one example up to the next, and how many the released list has."""

    published: int
    methods: list[Method]

    def count(self, options: MethodOptions) -> int:
        return sum(options.leaves_out(method.place) is None for method in self.methods)

    def tells(self) -> bool:
        """Whether it holds a method inside another, a lambda, a constructor or an initialiser."""
        return self.count(MethodOptions()) < len(self.methods)


def read_segment(
    clones: Path, repository: Repository, published: int, start: Position, end: Position
) -> Segment | None:
    """None where the commit is not at hand. Only the files between the examples are parsed."""
    methods = []
    try:
        source = GitSource(str(clones / "{owner}" / "{repo}"))
        for file in read_repository(source, repository):
            if file.path > end[0]:
                break
            if file.path < start[0] or file.data is None:
                continue
            text = decode_source(file.data)[0].encode("utf-8", "replace")
            for method in parse_methods(text).methods:
                methods.append(((file.path, method.start_line, method.end_line), method))
    except SourceError:
        return None
    positions = [position for position, _ in methods]
    part = slice(positions.index(start), positions.index(end))
    return Segment(published, [method for _, method in methods[part]])


def neighbours(shared: Path) -> Iterator[tuple[str, int, Position, Position]]:
    examples: dict[str, dict[int, Position]] = defaultdict(dict)
    with (shared / "data/ncsed/examples-dev.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            lines = int(row["start_line"]), int(row["end_line"])
            examples[row["repo"]][int(row["method_id"])] = (row["path"], *lines)
    for name, positions in sorted(examples.items()):
        for first, second in itertools.pairwise(sorted(positions)):
            yield name, second - first, positions[first], positions[second]


@pytest.fixture(scope="module")
def segments(root: Path, shared: Path) -> list[Segment]:
    clones = root / "clones"
    if not clones.is_dir():
        pytest.skip("needs clones/ (local clones of the NCSED repositories, docs/datasets.md)")
    listed = read_repositories(shared / "data/ncsed/repos-available.csv").repositories
    known = {repository.full_name: repository for repository in listed}
    found = [
        read_segment(clones, known[name], published, start, end)
        for name, published, start, end in neighbours(shared)
        if name in known and published <= LONGEST
    ]
    return [segment for segment in found if segment is not None]


def count_exact(segments: list[Segment], options: MethodOptions) -> int:
    return sum(one.count(options) == one.published for one in segments if one.tells())


@pytest.mark.shared
def test_nested_methods_are_not_in_the_released_list_dev_82(segments: list[Segment]) -> None:
    telling = [segment for segment in segments if segment.tells()]
    assert count_exact(telling, MethodOptions(nested="kept")) == 0
    if len(telling) >= TELLING:  # else only some of the clones are at hand
        assert count_exact(telling, MethodOptions()) >= 14


@pytest.mark.shared
def test_no_segment_lacks_a_released_method_but_inside_constructors_dev_82(
    segments: list[Segment],
) -> None:
    """What we leave out, the list leaves out; it has fewer still, never more."""
    options = MethodOptions(nested="kept_in_constructors")
    assert [one for one in segments if one.count(options) < one.published] == []
    assert count_exact(segments, options) >= count_exact(segments, MethodOptions())


@pytest.mark.shared
def test_released_methods_stand_in_field_initialisers_dev_83(segments: list[Segment]) -> None:
    without = MethodOptions(field_initialisers="left_out")
    if sum(segment.tells() for segment in segments) >= TELLING:
        assert sum(one.count(without) < one.published for one in segments) >= 3
