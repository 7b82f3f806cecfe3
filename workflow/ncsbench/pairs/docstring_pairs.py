"""Training pairs from docstrings: the first sentence and its method (UNIF paper, DEV-180)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.leading_comments import iterate_leading_comments
from ncsbench.languages.javadoc import read_first_sentence
from ncsbench.languages.raw_comments import read_raw_sentence
from ncsbench.pairs.comment_kinds import is_generated, is_latin, is_licence
from ncsbench.pairs.pair_files import PAIR_STEPS, Candidate
from ncsbench.pairs.pair_funnel import Funnel
from ncsbench.pairs.pair_options import DocstringOptions
from ncsbench.text.words import split_words

GITHUB = "github"
"""The source of pairs from repositories."""

DOCSTRING_STEPS = (
    ("method", "read"),
    ("method", "with a docstring"),
    ("method", "with a sentence of its own"),
    ("method", "without a licence notice"),
    ("method", "not generated"),
    ("method", "in Latin script"),
    ("method", "sentence long enough"),
    ("method", "code long enough"),
    *PAIR_STEPS,
)

READERS: dict[str, Callable[[str], str]] = {
    "sentence": read_first_sentence,
    "raw": read_raw_sentence,
}
"""What gives the sentence of a comment with its delimiters, by the option ``text``."""

_COLUMNS = [
    *("repository", "filepath", "start_line", "end_line", "url"),
    *("class_name", "code", "comment"),
]
_GITHUB_URL = "https://github.com/"


def iterate_docstring_pairs(
    corpus: CorpusFolder, options: DocstringOptions, funnel: Funnel
) -> Iterator[Candidate]:
    """Pairs of a built corpus in the order of its methods' ids.

    Methods that stand on the same lines of a file get distinct keys: ``#L3-L3`` is followed by
    ``#L3-L3:2``.

    Args:
        corpus: the corpus; its methods' ``code`` holds no docstring.
        options: what is taken.
        funnel: has ``DOCSTRING_STEPS``.
    """
    path, used = "", Counter[str]()
    comments = iterate_leading_comments(corpus)
    for table in corpus.iterate_methods(_COLUMNS):
        for method in table.to_pylist():
            leading = next(comments)
            if method["filepath"] != path:
                path, used = method["filepath"], Counter()
            location = f"{path}#L{method['start_line']}-L{method['end_line']}"
            used[location] += 1
            funnel.count("method", "read", kept=1)
            read = READERS[options.text]
            sentence = take_sentence(method["comment"] or "", method["code"], read, options, funnel)
            if sentence:
                number = used[location]
                location += "" if number == 1 else f":{number}"
                yield _make_candidate(method, leading, sentence, location)


def take_sentence(
    comment: str,
    code: str,
    read: Callable[[str], str],
    options: DocstringOptions,
    funnel: Funnel,
) -> str:
    """The sentence that becomes the query; empty where the method is not taken.

    Args:
        comment: the docstring; empty for none.
        code: the method.
        read: gives the sentence of a docstring.
        options: what is taken.
        funnel: has ``DOCSTRING_STEPS``.
    """
    if not funnel.passes("method", "with a docstring", comment):
        return ""
    sentence = read(comment)
    passed = (
        funnel.passes("method", "with a sentence of its own", sentence)
        and funnel.passes(
            "method",
            "without a licence notice",
            options.licence_notices == "kept" or not is_licence(comment),
        )
        and funnel.passes(
            "method", "not generated", options.generated == "kept" or not is_generated(comment)
        )
        and funnel.passes(
            "method", "in Latin script", options.other_scripts == "kept" or is_latin(sentence)
        )
        and funnel.passes(
            "method",
            "sentence long enough",
            len(split_words(sentence)) >= options.minimum_query_words,
        )
        and funnel.passes(
            "method",
            "code long enough",
            options.minimum_code_words == 0 or len(split_words(code)) >= options.minimum_code_words,
        )
    )
    return sentence if passed else ""


def _make_candidate(
    method: dict[str, Any], comments: list[str], sentence: str, location: str
) -> Candidate:
    """One pair; a repository's licence is not known here and stays empty (DEV-54)."""
    owner = method["repository"].split("/", 1)[0]
    url = method["url"] or ""
    author_url = f"{_GITHUB_URL}{owner}" if url.startswith(_GITHUB_URL) else ""
    row = {
        "query": sentence,
        "code": method["code"],
        "source": GITHUB,
        "key": f"{GITHUB}:{location}",
        "licence": "",
        "code_url": url,
        "code_author": owner,
        "code_author_url": author_url,
        "query_url": url,
        "query_author": owner,
        "query_author_url": author_url,
        "query_licence": "",
        "class_name": method["class_name"],
        "comments": "\n".join(comments),
    }
    return Candidate(row)
