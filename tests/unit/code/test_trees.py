"""Trees and features as arrays, against the plain rules."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.code.aroma.trees import Forest, TreeFolder, join_forests
from ncsbench.code.java_trees.java_spt_rules import CLOSE, KEYWORD_CODES, OPEN
from tests import plain_spt

KEYWORDS = st.sampled_from(["{", "}", "(", ")", ".", ";", "=", "return"])
NAMES = st.sampled_from(["a", "b", "C", '"s"'])
RULES = st.recursive(
    st.one_of(KEYWORDS.map(lambda text: ("keyword", text)), NAMES.map(lambda text: ("name", text))),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=25,
)
BODIES = st.lists(RULES, max_size=5).map(lambda inside: [("keyword", "{"), *inside])


def stream(rule: object, folder: TreeFolder) -> list[int]:
    """Codes of nested rule applications."""
    if isinstance(rule, list):
        inside = [code for part in rule for code in stream(part, folder)]
        return [OPEN, *inside, CLOSE]
    kind, text = rule
    if kind == "keyword":
        return [KEYWORD_CODES[text]]
    return [folder.symbols.variables[text.encode()]]


@settings(max_examples=300)
@given(st.lists(BODIES, min_size=1, max_size=3))
def test_the_same_trees_and_features_as_by_the_plain_rules(bodies: list[list[object]]) -> None:
    folder = TreeFolder()
    streams = [stream(body, folder) for body in bodies]
    forest = folder.fold(streams)
    trees = [plain_spt.fold(codes, folder.symbols) for codes in streams]
    labels = [label for tree in trees for label in plain_spt.labels_of(tree)]
    nodes = [
        part for tree in trees for part, _ in plain_spt.parts_of(tree) if isinstance(part, list)
    ]
    assert forest.node_label.tolist() == list(map(plain_spt.hash_label, nodes))
    # One hash per label, and one label per hash.
    pairs = set(zip(labels, forest.node_label.tolist(), strict=True))
    assert len(pairs) == len(set(labels)) == len({hash_ for _, hash_ in pairs})
    plain_spt.named_features(folder, streams)


def test_joined_forests_are_what_folding_at_once_gives() -> None:
    folder = TreeFolder()
    bodies = [[("name", "a"), ("keyword", "="), ("name", text)] for text in ("b", "C", "a")]
    streams = [stream(body, folder) for body in bodies]
    joined = join_forests([folder.fold(streams[:1]), folder.fold(streams[1:])])
    whole = folder.fold(streams)
    assert all(np.array_equal(getattr(joined, n), getattr(whole, n)) for n in Forest._fields)


def test_an_empty_stream_is_a_body_without_leaves() -> None:
    folder = TreeFolder()
    forest = folder.fold([[], stream([("name", "a"), ("name", "b")], folder), []])
    assert forest.body_leaves.tolist() == [0, 0, 2, 2]
    assert forest.body_nodes.tolist() == [0, 0, 1, 1]
