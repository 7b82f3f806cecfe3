"""The rows of the languages."""

import pytest

from ncsbench.code.functions.registry import find_language
from ncsbench.errors import ConfigurationError


def test_an_unknown_language_names_the_nearest() -> None:
    with pytest.raises(ConfigurationError, match="unknown language 'Pyton'; did you mean 'python'"):
        find_language("Pyton")


@pytest.mark.parametrize(
    ("language", "path", "taken"),
    [
        ("go", "a/b.go", True),
        ("go", "Vendor/b.go", False),
        ("go", "a/b_test.go", False),
        ("java", "src/main/A.java", True),
        ("java", "src/Test/A.java", False),
        ("java", "src/contest/A.java", False),
        ("javascript", "a/b.js", True),
        ("javascript", "node_modules/b.js", False),
        ("javascript", "lib/Test/a.js", False),
        ("php", "vendor/b.php", True),
        ("php", "tests/b.php", False),
        ("python", "lib/a.py", True),
        ("python", "latest/a.py", False),
        ("python", "lib/TestA.py", False),
        ("ruby", "Vendor/a.rb", False),
        ("ruby", "lib/test_a.rb", False),
        ("ruby", "lib/a.rb", True),
    ],
)
def test_path_words_as_released(language: str, path: str, taken: bool) -> None:
    assert (find_language(language).refuse_path(path) == "") is taken


def test_keywords_are_reserved_words() -> None:
    for language, words in {
        "go": "func chan fallthrough",
        "java": "instanceof strictfp null",
        "javascript": "typeof function yield",
        "php": "insteadof fn foreach",
        "python": "nonlocal None lambda",
        "ruby": "elsif unless __FILE__",
    }.items():
        assert set(words.split()) <= find_language(language).keywords
        assert "value" not in find_language(language).keywords
