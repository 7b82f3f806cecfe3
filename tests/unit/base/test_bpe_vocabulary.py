from collections import Counter

import numpy as np
import pytest

from ncsbench.base.networks.id_lists import IdLists
from ncsbench.base.text.bpe_vocabulary import PAD, UNKNOWN, BpeVocabulary
from ncsbench.learning.encoders.encoder import TokenEncoder, TokenReader
from ncsbench.learning.encoders.encoder_options import EncoderOptions


def learn_plainly(counts: dict[str, int], size: int, share: float) -> BpeVocabulary:
    """The definition, n-gram by n-gram."""
    room = round(size * share)
    words = sorted(counts, key=lambda word: (-counts[word], word))[: room - 2]
    grams: Counter[str] = Counter()
    for word in set(counts) - set(words):
        for length in range(1, 9):
            for start in range(len(word) - length + 1):
                grams[word[start : start + length]] += counts[word]
    pieces = sorted(grams, key=lambda gram: (-grams[gram], gram))[: size - room - 2]
    return BpeVocabulary(["__pad", "__unk", *words], ["__sow", "__eow", *pieces])


def draw_counts(seed: int, words: int) -> dict[str, int]:
    generator = np.random.default_rng(seed)
    letters = np.array(list("abcde\xe9_\U0001d4b3 \udc80"))
    return {
        "".join(generator.choice(letters, size=generator.integers(1, 12))): int(
            generator.integers(1, 9)
        )
        for _ in range(words)
    }


@pytest.mark.parametrize(("size", "share"), [(30, 0.5), (200, 0.5), (60, 0.1), (5000, 0.5)])
def test_words_and_pieces_are_the_most_frequent_ones_dev_143(size: int, share: float) -> None:
    counts = draw_counts(size, 300)
    expected = learn_plainly(counts, size, share)
    assert BpeVocabulary.learn(counts, size=size, whole_words=share) == expected
    turned = dict(reversed(counts.items()))
    assert BpeVocabulary.learn(turned, size=size, whole_words=share) == expected


def test_a_word_is_spelt_by_the_longest_pieces_dev_143() -> None:
    vocabulary = BpeVocabulary(
        ["__pad", "__unk", "get"], ["__sow", "__eow", "abcdefgh", "ab", "a", "b", "abcdefghi"]
    )
    start, end, eight, two, one, other = range(3, 9)
    assert vocabulary.spell("get", 9) == [2]
    assert vocabulary.spell("abcdefghi", 9) == [start, eight, UNKNOWN, end]  # eight at most
    assert vocabulary.spell("abab", 9) == [start, two, two, end]
    assert vocabulary.spell("aba?b", 9) == [start, two, one, UNKNOWN, other, end]
    assert vocabulary.spell("abab", 3) == [start, two, two]
    assert vocabulary.spell("", 9) == [start, end]
    assert vocabulary.spell("??", 9) == [start, UNKNOWN, UNKNOWN, end]


def test_words_that_look_like_marks_are_no_padding() -> None:
    counts = {"__pad": 9, "__unk": 8, "__sow": 7, "a": 1}
    vocabulary = BpeVocabulary.learn(counts, size=60, whole_words=0.05)
    assert vocabulary.words == ["__pad", "__unk", "__sow"]
    assert PAD not in vocabulary.spell("__pad", 30)
    assert vocabulary.spell("__unk", 30) == [UNKNOWN]
    # Nor are the marks of pieces pieces.
    vocabulary = BpeVocabulary(["__pad", "__unk"], ["__sow", "__eow", "_"])
    assert vocabulary.spell("__eow", 30) == [2, 4, 4, 1, 1, 1, 3]


def test_without_pieces_what_is_not_known_is_unknown() -> None:
    vocabulary = BpeVocabulary.learn({"b": 2, "a": 2, "c": 1}, size=4, whole_words=1.0)
    assert (vocabulary.words, vocabulary.pieces) == (["__pad", "__unk", "a", "b"], [])
    assert vocabulary.spell("c", 5) == [UNKNOWN]
    assert BpeVocabulary.learn({}, size=10, whole_words=0.5).spell("x", 5) == [2, UNKNOWN, 3]


def test_lists_are_cut_and_queries_lower_cased() -> None:
    vocabulary = BpeVocabulary(["__pad", "__unk", "open", "File"], ["__sow", "__eow", "f"])
    options = EncoderOptions(network="nbow", code_length=4, query_length=3)
    queries = TokenEncoder(vocabulary, TokenReader.of_queries(options))
    code = TokenEncoder(vocabulary, TokenReader.of_code(options))
    assert queries.encode(["OPEN", "open", "Open", "open"]) == [2, 2, 2]
    assert code.encode(["open", "File", "File", "OPEN"]) == [2, 3, 3, 4]
    assert code.encode([]) == []
    lists = IdLists.gather(map(code.encode, [["File"], [], ["open", "File"]]))
    assert lists.offsets.tolist() == [0, 1, 1, 3]
    assert lists.take(np.array([2, 0, 2])).ids.tolist() == [2, 3, 3, 2, 3]
    assert IdLists.gather([]).lengths.tolist() == []


def test_subtokens_split_identifiers_and_nothing_else() -> None:
    options = EncoderOptions(network="nbow", code_tokens="subtokens")
    reader = TokenReader.of_code(options)
    read = [
        word for token in ["getHTTPUrl", "_", "'aB'", "+=", "x_y1"] for word in reader.read(token)
    ]
    assert read == ["get", "http", "url", "_", "'aB'", "+=", "x", "y1"]


def test_a_word_of_ten_megabytes_costs_no_more_than_what_is_read_of_it() -> None:
    options = EncoderOptions(network="nbow")
    reader = TokenReader.of_code(options)
    huge = "ab" * 5_000_000
    (counted,) = reader.read(huge)
    assert len(counted) == 8 * 200
    vocabulary = BpeVocabulary.learn({counted: 1, "x": 5}, size=30, whole_words=0.1)
    encoder = TokenEncoder(vocabulary, reader)
    assert encoder.encode([huge]) == encoder.encode([huge[:1600]])
    assert len(encoder.encode(["x", huge, "x"])) == 200
    # Eight characters for each id: nothing behind them can be reached.
    assert vocabulary.spell(huge[:1600], 200) == vocabulary.spell(huge[:3000], 200)
