"""Training pairs from the documented functions of a CodeSearchNet corpus (DEV-180)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from ncsbench.artifacts.storage import iterate_tables, read_json
from ncsbench.errors import DataError
from ncsbench.function_corpus.function_schema import FUNCTION_SCHEMA, make_url
from ncsbench.languages.javadoc import cut_raw_sentence
from ncsbench.pairs.docstring_pairs import DOCSTRING_STEPS, READERS, make_row, take_sentence
from ncsbench.pairs.pair_files import Candidate, PairFiles
from ncsbench.pairs.pair_funnel import Funnel
from ncsbench.pairs.pair_options import DocstringOptions

FUNCTION_STEPS = (
    DOCSTRING_STEPS[0],
    ("method", "of the part"),
    ("method", "a pair of the corpus"),
    *DOCSTRING_STEPS[1:],
)

# The corpus has taken the delimiters away, as CodeSearchNet does it (DEV-120).
_READERS = READERS | {"raw": cut_raw_sentence}
_COLUMNS = [
    *("repo", "sha", "path", "start_line", "end_line", "identifier", "docstring", "code"),
    *("part", "is_pair"),
]


def pair_functions(
    settings: DocstringOptions,
    corpus: Path,
    files: PairFiles,
    part: Literal["train", "valid", "test"] = "train",
) -> None:
    """Make pairs of the documented functions of a corpus of CodeSearchNet.

    Args:
        settings: what is taken.
        corpus: folder of a corpus of Java functions.
        files: what every set of pairs has.
        part: whose pairs are taken.
    """
    counts = Funnel(FUNCTION_STEPS)
    pairs = iterate_function_pairs(corpus, part, settings, counts)
    files.write(pairs, counts, settings.exact_duplicates)


def iterate_function_pairs(
    folder: Path, part: str, options: DocstringOptions, funnel: Funnel
) -> Iterator[Candidate]:
    """Pairs of a built corpus of functions, in the order of their ids.

    A key is that of the same method in a corpus of methods. The comments before a function are
    not told: the corpus has the one that the query is cut from.

    Args:
        folder: of the corpus of Java.
        part: ``train``, ``valid`` or ``test``; functions of other parts are not taken.
        options: what is taken.
        funnel: has ``FUNCTION_STEPS``.

    Raises:
        DataError: for another language; Python's code holds the documentation, for one.
    """
    language = read_json(folder / "manifest.json")["language"]
    if language != "java":
        raise DataError(f"{folder}: holds functions of {language}; training pairs are of Java")
    used, repo = Counter[str](), ""
    read = _READERS[options.text]
    for table in iterate_tables(folder / "functions.parquet", FUNCTION_SCHEMA, _COLUMNS):
        for function in table.to_pylist():
            if function["repo"] != repo:
                repo, used = function["repo"], Counter()
            location = f"{function['path']}#L{function['start_line']}-L{function['end_line']}"
            used[location] += 1
            funnel.count("method", "read", kept=1)
            if not funnel.passes("method", "of the part", function["part"] == part):
                continue
            if not funnel.passes("method", "a pair of the corpus", function["is_pair"]):
                continue
            sentence = take_sentence(function["docstring"], function["code"], read, options, funnel)
            if sentence:
                number = used[location]
                location += "" if number == 1 else f":{number}"
                yield Candidate(
                    make_row(
                        sentence,
                        function["code"],
                        key=f"{repo}/{location}",
                        url=make_url(*(function[name] for name in _COLUMNS[:5])),
                        repository=repo,
                        class_name=function["identifier"].rpartition(".")[0],
                        comments=(),
                    )
                )
