import pytest

from ncsbench.base.text.words import split_tokens, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pxToDp", ["px", "to", "dp"]),
        ("XMLParser", ["xml", "parser"]),
        ("INPUT_METHOD_SERVICE", ["input", "method", "service"]),
        ("getHTTPResponse", ["get", "http", "response"]),
        ("don't stop!", ["don", "t", "stop"]),
        ("größe Über", ["größe", "über"]),
        ("", []),
        ("__$$__", []),
    ],
)
def test_identifiers_and_text_are_split_and_lower_cased(text: str, words: list[str]) -> None:
    assert split_words(text) == words


def test_digits_stay_with_the_letters_before_them_dev_05() -> None:
    assert split_words("toBase64 md5Sum sha256 2019") == [
        "to",
        "base64",
        "md5",
        "sum",
        "sha256",
        "2019",
    ]


def test_query_tokens_are_left_whole() -> None:
    assert split_tokens("How to use AsyncTask.doInBackground?") == [
        "how", "to", "use", "asynctask", "doinbackground",
    ]  # fmt: skip
