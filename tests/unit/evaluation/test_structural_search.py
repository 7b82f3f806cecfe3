"""The phases of structural search against a plain search of all methods."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import dedent

import numpy as np
import pyarrow as pa
import pytest
import typer
from typer.testing import CliRunner

from ncsbench.base.files.corpus_stamps import one_corpus
from ncsbench.base.files.storage import write_json, write_table
from ncsbench.cli.own_code import similar
from ncsbench.code.aroma.features import FeatureSet, body_feature_ids
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.judge.answers import features_of_answer
from ncsbench.evaluation.judge.judge_index import IndexBlock, JudgeIndex, build_shard
from ncsbench.evaluation.structural_search.search import (
    REFERENCE_CODE,
    FoundMethod,
    SearchOptions,
    SearchResult,
    find_candidates,
    rank_pruned,
    recommend,
)
from tests.plain_spt import features_of_method


def search_methods(
    query: FeatureSet, blocks: Iterable[IndexBlock], options: SearchOptions
) -> SearchResult:
    """The phases one after the other, as ``ncsbench similar`` calls them."""
    methods = rank_pruned(query, find_candidates(query, blocks, options), options)
    return SearchResult(methods, recommend(query, methods, options))


STATEMENTS = [
    "Cursor rows = db.query(TABLE, null);",
    "if (rows.moveToFirst()) { list.add(rows.getString(0)); }",
    "rows.close();",
    'Log.d(TAG, "done");',
    "view.setText(name);",
    "for (int i = 0; i < 9; i++) { total += values[i]; }",
    "try { stream.close(); } catch (IOException e) { throw new IllegalStateException(e); }",
    "return list;",
]
QUERY = dedent(
    """\
    Cursor rows = db.query(TABLE, null);
    if (rows.moveToFirst()) { list.add(rows.getString(0)); }
    rows.close();
    """
)


def methods(count: int) -> list[str]:
    draw = np.random.default_rng(5)
    bodies = [draw.choice(STATEMENTS, draw.integers(0, 7)).tolist() for _ in range(count)]
    made = [f"void m{i}() {{\n" + "\n".join(body) + "\n}" for i, body in enumerate(bodies)]
    return ["void broken() {", *made]


def read_query(text: str) -> FeatureSet:
    query = features_of_answer(text)
    assert query is not None
    return query


@pytest.fixture(scope="module")
def codes() -> list[str]:
    return methods(120)


@pytest.fixture(scope="module")
def index(codes: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    for shard, first in enumerate((0, 50)):
        part = codes[first : first + 50] if shard == 0 else codes[first:]
        build_shard(
            iter(part), shard=shard, shards=2, first_id=first, corpus_hash="abc", output=folder
        )
    return folder


@pytest.fixture(scope="module")
def blocks(index: Path) -> list[IndexBlock]:
    return list(JudgeIndex(index).blocks())


def bag(features: FeatureSet) -> Counter[int]:
    return Counter(dict(zip(features.ids.tolist(), features.counts.tolist(), strict=True)))


def plain_candidates(query: FeatureSet, codes: list[str], options: SearchOptions) -> list[int]:
    wanted = set(query.ids.tolist())
    overlaps = [len(wanted & set(features_of_method(code).ids.tolist())) for code in codes]
    found = [i for i, n in enumerate(overlaps) if n > options.least_overlap * len(wanted) and n]
    return sorted(found, key=lambda i: (-overlaps[i], i))[: options.candidates]


def plain_score(query: Counter[int], method: FoundMethod, options: SearchOptions) -> float:
    ids, owners = body_feature_ids(method.forest, method.body)
    leaves = [Counter(ids[owners == leaf].tolist()) for leaf in range(len(method.kept))]
    kept: set[int] = set()
    total: Counter[int] = Counter()

    def jaccard(bag: Counter[int]) -> float:
        return (query & bag).total() / (query | bag).total()

    while len(kept) < len(leaves):
        best = min(
            set(range(len(leaves))) - kept, key=lambda leaf: (-jaccard(total + leaves[leaf]), leaf)
        )
        if jaccard(total + leaves[best]) <= jaccard(total):
            break
        kept.add(best)
        total += leaves[best]
    assert set(np.flatnonzero(method.kept).tolist()) == kept
    if options.refeaturise and kept:
        total = Counter(body_feature_ids(method.forest, method.body, method.kept)[0].tolist())
    common = (query & total).total()
    return common / query.total() if options.score == "containment" else jaccard(total)


OPTIONS = [
    SearchOptions(),
    SearchOptions(candidates=7, score="jaccard"),
    SearchOptions(candidates=7, refeaturise=True),
    REFERENCE_CODE,
]


@pytest.mark.parametrize("options", OPTIONS)
def test_candidates_are_those_of_a_plain_search(
    options: SearchOptions, codes: list[str], blocks: list[IndexBlock]
) -> None:
    query = read_query(QUERY)
    found = [
        (-overlap, part.block.first_id + method)
        for part in find_candidates(query, blocks, options)
        for method, overlap in zip(part.methods.tolist(), part.overlaps.tolist(), strict=True)
    ]
    assert [id_ for _, id_ in sorted(found)] == plain_candidates(query, codes, options)


@pytest.mark.parametrize("options", OPTIONS)
def test_scores_and_order_are_those_of_plain_pruning(
    options: SearchOptions, codes: list[str], blocks: list[IndexBlock]
) -> None:
    query = read_query(QUERY)
    ranked = rank_pruned(query, find_candidates(query, blocks, options), options)
    assert ranked
    for method in ranked:
        assert method.score == pytest.approx(plain_score(bag(query), method, options), abs=1e-12)
    order = [(-method.score, method.id) for method in ranked]
    assert order == sorted(order)


def test_the_reference_code_takes_fewer_candidates_and_scores_differently_dev_34() -> None:
    paper = SearchOptions()
    assert (paper.candidates, paper.least_overlap, paper.score) == (1000, 0.0, "containment")
    assert (REFERENCE_CODE.candidates, REFERENCE_CODE.least_overlap) == (100, 0.4)
    assert (REFERENCE_CODE.score, REFERENCE_CODE.refeaturise) == ("jaccard", True)


@pytest.mark.parametrize("refeaturise", [False, True])
def test_copies_of_a_method_are_one_result_dev_34(
    codes: list[str], blocks: list[IndexBlock], refeaturise: bool
) -> None:
    """Methods that are alike only once they are pruned are no copies."""
    query = read_query(QUERY)
    ranked = search_methods(query, blocks, SearchOptions(refeaturise=refeaturise)).methods
    groups: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for number in plain_candidates(query, codes, SearchOptions()):
        features = tuple(sorted(bag(features_of_method(codes[number])).items()))
        groups.setdefault(features, []).append(number)
    found = sorted([method.id, *method.copies] for method in ranked)
    assert found == sorted(sorted(group) for group in groups.values())
    assert len(found) < sum(map(len, found))


def test_a_method_searched_by_itself_is_first(codes: list[str], blocks: list[IndexBlock]) -> None:
    for number, code in enumerate(codes):
        query = features_of_method(code)
        if query.size:
            first = search_methods(query, blocks, SearchOptions(score="jaccard")).methods[0]
            assert number in (first.id, *first.copies)
            assert first.score == 1.0


def test_what_some_methods_share_beyond_the_query_is_recommended(
    codes: list[str], blocks: list[IndexBlock]
) -> None:
    result = search_methods(read_query(QUERY), blocks, SearchOptions())
    assert 0 < len(result.recommendations) <= 5
    for recommendation in result.recommendations:
        assert len(recommendation.members) > 1
        features = [
            bag(features_of_method(codes[result.methods[member].id]))
            for member in recommendation.members
        ]
        assert len({tuple(sorted(each.items())) for each in features}) == len(features)


def test_nothing_in_common_finds_nothing(blocks: list[IndexBlock]) -> None:
    result = search_methods(read_query("Zebra.run(HERD);"), blocks, SearchOptions())
    assert result.recommendations == ()
    assert search_methods(read_query("a.b();"), [], SearchOptions()).methods == ()


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="similar must lie between 0 and 1"):
        SearchOptions(similar=1.5)
    with pytest.raises(ConfigurationError, match="candidates must not be negative"):
        SearchOptions(candidates=-1)


@pytest.fixture(scope="module")
def corpus(codes: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    rows = [
        {
            "id": number,
            "repository": "owner/repo",
            "commit": None,
            "path": "src/A.java",
            "filepath": "owner/repo/src/A.java",
            "method_name": f"m{number}",
            "class_name": "A\x1b[2J",
            "start_line": number + 1,
            "end_line": number + 2,
            "url": None,
            "code": code,
            "comment": None,
            "lines": 2,
            "tokens": 2,
        }
        for number, code in enumerate(codes)
    ]
    for shard, part in enumerate((rows[:50], rows[50:])):
        table = pa.Table.from_pylist(part, METHOD_SCHEMA)
        write_table(folder / "methods" / f"{shard:04}.parquet", table, METHOD_SCHEMA)
    shards = [{"first_id": 0, "methods": 50}, {"first_id": 50, "methods": len(rows) - 50}]
    write_json(folder / "manifest.json", {"corpus_hash": "abc", "shards": shards})
    return folder


APP = typer.Typer()
APP.command()(similar)


@contextlib.contextmanager
def dataset(index: Path, corpus: Path) -> Iterator[list[str]]:
    """The options for a dataset that the workflow built, from its folder."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("data/own").mkdir(parents=True)
        Path("data/own/judge_index").symlink_to(index)
        Path("data/own/corpus").symlink_to(corpus)
        yield ["--dataset", "own"]


def call(
    index: Path, corpus: Path, *arguments: str, place: str | Path = "-", text: str = QUERY
) -> str:
    with dataset(index, corpus) as options:
        arguments = (*options, *arguments, str(place))
        done = CliRunner().invoke(APP, arguments, input=text, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_the_command_lists_methods_and_recommendations(index: Path, corpus: Path) -> None:
    output = call(index, corpus, "--top", "3")
    lines = output.splitlines()
    assert re.match(r"the best 3 of \d+ that share something with it", lines[0])
    assert re.match(
        r"   1  [01]\.\d{4}  owner/repo src/A\.java:\d+  A<U\+001B>\[2J\.m\d+", lines[1]
    )
    assert lines[4] == ""
    assert lines[5].startswith("Recommendation 1, shared by ")
    assert "\x1b" not in output


def test_no_recommendation_is_said_in_a_line(index: Path, corpus: Path) -> None:
    lines = call(index, corpus, "--gain", "1000").splitlines()
    assert len(lines) > 1
    assert lines[-1] == (
        "No recommendation: no group of these methods shares enough beyond the snippet"
    )


def test_plain_lines_have_place_score_and_name(index: Path, corpus: Path) -> None:
    (line,) = call(index, corpus, "--plain", "--top", "1").splitlines()
    assert re.fullmatch(r"owner/repo/src/A\.java:\d+\t[01]\.\d{4}\tA<U\+001B>\[2J\.m\d+", line)


def test_the_command_gives_the_same_as_json(index: Path, corpus: Path) -> None:
    found = json.loads(call(index, corpus, "--json", "--variant", "code", "--snippets", "1"))
    assert [method["rank"] for method in found["methods"]] == list(range(1, 11))
    scores = [method["score"] for method in found["methods"]]
    assert scores == sorted(scores, reverse=True)
    (recommendation,) = found["recommendations"]
    assert "Cursor rows" in recommendation["code"]
    assert {"rank", "id", "path", "copies"} <= recommendation["members"][1].keys()


def test_what_is_no_java_is_an_error_of_one_line(index: Path, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^the standard input: is empty; give it Java$"):
        call(index, corpus, text=" \n")
    for text in ("<p>Hello & goodbye</p>", ";"):
        with pytest.raises(DataError, match=r"^the standard input: cannot be read as Java.*$"):
            call(index, corpus, text=text)
    missing = tmp_path / "no.java"
    with pytest.raises(DataError, match=r"no\.java: cannot be read \(No such file"):
        call(index, corpus, place=missing)
    missing.write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match=r"no\.java: cannot be read as Java"):
        call(index, corpus, place=missing)
    with pytest.raises(DataError, match=r"own: not a regular file"):
        (tmp_path / "own").mkdir()
        call(index, corpus, place=tmp_path / "own")


def test_an_index_of_another_corpus_is_refused(index: Path, tmp_path: Path) -> None:
    write_json(tmp_path / "manifest.json", {"corpus_hash": "other", "shards": []})
    with one_corpus(), pytest.raises(DataError, match="belongs to corpus"):
        call(index, tmp_path)
