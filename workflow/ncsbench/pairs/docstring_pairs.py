"""Training pairs from docstrings: the first sentence and its method (UNIF paper, DEV-180)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.leading_comments import iterate_leading_comments
from ncsbench.languages.javadoc import read_first_sentence, read_raw_sentence
from ncsbench.pairs.comment_kinds import is_generated, is_latin, is_licence
from ncsbench.pairs.pair_files import PAIR_STEPS, Candidate, PairFiles
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


def pair_docstrings(settings: DocstringOptions, corpus: CorpusFolder, files: PairFiles) -> None:
    """Make pairs of docstrings' first sentences and their methods.

    Args:
        settings: what is taken.
        corpus: folder of a built corpus.
        files: what every set of pairs has.
    """
    counts = Funnel(DOCSTRING_STEPS)
    pairs = iterate_docstring_pairs(corpus, settings, counts)
    files.write(pairs, counts, settings.exact_duplicates)


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
                yield Candidate(
                    make_row(
                        sentence,
                        method["code"],
                        key=location,
                        url=method["url"] or "",
                        repository=method["repository"],
                        class_name=method["class_name"],
                        comments=leading,
                    )
                )


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


def make_row(
    query: str,
    code: str,
    *,
    key: str,
    url: str,
    repository: str,
    class_name: str,
    comments: Iterable[str],
) -> dict[str, str]:
    """A pair of a repository; its licence is not known here and stays empty (DEV-54).

    Args:
        query: the sentence.
        code: the method.
        key: without its source.
        url: of the method; empty where it is not known.
        repository: ``owner/name``.
        class_name: the type around the method.
        comments: those before the method.
    """
    owner = repository.partition("/")[0]
    author_url = f"{_GITHUB_URL}{owner}" if url.startswith(_GITHUB_URL) else ""
    return {
        "query": query,
        "code": code,
        "source": GITHUB,
        "key": f"{GITHUB}:{key}",
        "licence": "",
        "code_url": url,
        "code_author": owner,
        "code_author_url": author_url,
        "query_url": url,
        "query_author": owner,
        "query_author_url": author_url,
        "query_licence": "",
        "class_name": class_name,
        "comments": "\n".join(comments),
    }
