import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.text.lemmas import lemmatise


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("views", "view"),
        ("strings", "string"),
        ("parsing", "parse"),
        ("ids", "id"),
        ("activities", "activity"),
        ("hidden", "hide"),
        ("Converting", "convert"),
        ("urls", "url"),
    ],
)
def test_forms_of_a_word_have_one_lemma(word: str, lemma: str) -> None:
    assert lemmatise(word) == lemmatise(lemma) == lemma


@pytest.mark.parametrize("word", ["android", "textview", "md5", "3", "java", "class", "status"])
def test_words_without_another_form_stay(word: str) -> None:
    assert lemmatise(word) == word


def test_nothing_has_an_empty_lemma() -> None:
    assert lemmatise("") == ""


@given(st.text(max_size=40))
def test_any_text_has_a_lower_case_lemma(word: str) -> None:
    assert lemmatise(word) == lemmatise(word).lower()
