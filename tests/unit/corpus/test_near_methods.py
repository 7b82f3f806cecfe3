"""Methods with nearly the same identifiers: which are, and what the corpus keeps of them."""

import shutil
from pathlib import Path

import pyarrow as pa

from ncsbench.corpus.methods.duplicate_methods import find_first_near_methods, find_identifiers
from ncsbench.corpus.methods.near_join import Nearness
from ncsbench.corpus.sources.repositories import read_repositories
from tests.unit.corpus.test_equal_words import SAMPLE, build, left_out, rows, write


def find(*codes: str, nearness: Nearness | None = None) -> list[int]:
    return find_first_near_methods([pa.table({"code": list(codes)})], nearness).tolist()


def method(*names: str) -> str:
    return "void m() { " + " ".join(f"{name}();" for name in names) + " }"


NAMES = [f"name{number}" for number in range(19)]  # with m, 20 identifiers


def test_identifiers_are_names_outside_comments_and_literals_dev_106() -> None:
    code = '''@Override public int read_it(final List<Foo$Bar> größe) throws A { // not this
      /* nor "this */ String s = "a \\" b" + 'c' + '\\'' + 0x1Fl + 1e-5f + 12.5 + 1_000;
      String t = """ one
        "two" three """; $x.y = this.z == null ? true : 3.toString(); }'''
    assert find_identifiers(code) == [
        *("Override", "read_it", "List", "Foo$Bar", "größe", "A"),
        *("String", "s", "String", "t", "$x", "y", "z"),
    ]
    assert find_identifiers('f("open\n g') == ["f", "g"]
    assert find_identifiers("f /* open g") == ["f"]


def test_similarities_that_reach_both_thresholds_are_near_dev_106() -> None:
    base = method(*NAMES)
    # 20 of 25 names are common: exactly .8 of the sets and .8 of the multisets.
    assert find(base, method(*NAMES, *"abcde")) == [0, 0]
    assert find(base, method(*NAMES, *"abcdef")) == [0, 1]
    # The sets are equal; 20 of 28 identifiers are more than .7 of the multisets, of 29 fewer.
    assert find(base, method(*NAMES, *NAMES[:8])) == [0, 0]
    assert find(base, method(*NAMES, *NAMES[:9])) == [0, 1]
    # 7 of 10 names, each ten times: above the one, below the other.
    assert find(base, method(*reversed(NAMES))) == [0, 0]


def test_methods_of_few_identifiers_are_left_alone_dev_106() -> None:
    short, long = method(*NAMES[:8]), method(*NAMES[:9])
    assert find(short, short, long, long) == [0, 1, 2, 2]
    twenty = Nearness(minimum=20)
    assert find(method(*NAMES[:18]), method(*NAMES[:18]), nearness=twenty) == [0, 1]
    assert find(method(*NAMES), method(*NAMES), nearness=twenty) == [0, 0]
    assert find() == []


def test_a_cluster_is_what_is_near_by_way_of_others_and_its_first_stays_dev_106() -> None:
    chain = [method(*NAMES[start : start + 14]) for start in (0, 1, 2, 3)]
    assert find(chain[0], chain[3]) == [0, 1]
    assert find(*chain) == [0, 0, 0, 0]
    assert find(chain[0], chain[3], chain[1], chain[2]) == [0, 0, 0, 0]


def test_near_methods_are_one_method_of_the_corpus_whatever_the_shards_dev_106(
    root: Path, tmp_path: Path
) -> None:
    """Of the sample, beside a fork of one of its repositories with another name in each method."""
    listed = read_repositories(root / SAMPLE / "repositories.csv").repositories
    shutil.copytree(root / SAMPLE / "repositories", tmp_path / "java")
    fork = "zfork/brushpad"
    shutil.copytree(tmp_path / "java/northpixel/brushpad", tmp_path / "java" / fork)
    for path in (tmp_path / "java" / fork).rglob("*.java"):
        path.write_text(path.read_text().replace("context", "surroundings"))
    names = [*(repository.full_name for repository in listed), fork]
    found = []
    for shards in (1, 5):
        corpus = build(tmp_path / str(shards), tmp_path / "java", names, "near", shards=shards)
        found.append((rows(corpus), corpus.duplicates_path.read_bytes()))
    assert found[0] == found[1]
    assert corpus.manifest()["duplicates"] == "near"
    copies = left_out(corpus)
    assert len([row for row in copies if row[1] == fork]) > 20
    # What stands for a method comes before it, wherever that is.
    places = dict(enumerate(name for _, name, _ in rows(corpus)))
    assert all(places[id_].split("/")[:2] <= row[0].split("/") for id_, *row in copies)
    kept = build(tmp_path, tmp_path / "java", names, "kept").manifest()
    assert corpus.manifest()["methods"] + len(copies) == kept["methods"]


def test_a_corpus_without_near_methods_finds_examples_as_one_without_equal_ones(
    tmp_path: Path,
) -> None:
    body = method(*NAMES[:12]).replace("\n", " ")
    files = {
        "a/one/A.java": f"class A {{ {body} }}",
        "b/two/B.java": f"class B {{\n {body.replace('name3', 'other')} void rest() {{}} }}",
    }
    names = write(tmp_path / "java", files)
    corpus = build(tmp_path, tmp_path / "java", names, "near", shards=2)
    assert rows(corpus) == [(0, "a/one/A.java", 1), (1, "b/two/B.java", 2)]
    assert left_out(corpus) == [(0, "b/two", "B.java", 2, 2)]
