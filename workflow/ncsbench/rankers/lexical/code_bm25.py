"""BM25 over the stemmed words of a definition: names, path, documentation and code.

One field has the words of name and path twice, those of the type around it, of the documentation
and of the code once, and neighbouring parts of the name joined (``vcard`` of ``VCard``); its scores
are those of ``corpus.indexes.text_field``. Words are stems of the Snowball stemmer for English
(Porter, 2001), so that "encoding" finds ``encode``.

A definition whose name a question writes as it is written in code gets the best score among all on
top, one that is named in full (``Class.method``) twice that. Tests, examples and code that programs
wrote count half, unless the question asks for them. Each choice was made on public queries of seven
repositories (docs/own-code.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import snowballstemmer
from numpy.typing import NDArray

from ncsbench.base.text.elasticsearch_analyzers import analyze_joined, find_full_names, join_name
from ncsbench.base.text.words import split_words
from ncsbench.corpus.indexes.text_field import FieldBuilder, FieldScorer, TextField
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.rankers.corpus_ranker import FieldRanker
from ncsbench.rankers.lexical.term_options import CodeBM25Options
from ncsbench.rankers.protocol import Ranker

_COLUMNS = ("method_name", "class_name", "path", "comment", "code")
_TEXT, _NAMES, _ASIDE = "text", "names", "aside"
_STOP_WORDS = frozenset(
    """a an and are as at be by can do does for from how i in into is it its of on or that the this
    to via what when where which who why with""".split()
)
_LONGEST = 40  # characters of a word that is split
_NAME = re.compile(r"[^\W\d]\w*")
_WRITTEN = re.compile(r"[A-Z_]")  # a word of a question that is written like a name
_FOLDERS = (
    *("test", "tests", "testing", "testdata", "spec", "specs", "__tests__", "fixtures"),
    *("example", "examples", "sample", "samples", "demo", "demos", "benchmark", "benchmarks"),
    *("generated", "vendor", "third_party", "node_modules"),
)
_ASIDE_PATH = re.compile(
    rf"(?:^|/)(?:{'|'.join(_FOLDERS)}|\w+Test)/"
    r"|(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*[._-](?:test|tests|spec|pb|pb2|min|generated)\.[^/]*"
    r"|[^/]*Tests?\.\w+|[^/]*\.pyi)$"
)
_ASKS = re.compile(r"\b(?:tests?|testing|specs?|examples?|samples?|benchmarks?|generated)\b", re.I)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")  # a word of a name, as it is written
_stem = lru_cache(1 << 16)(snowballstemmer.stemmer("english").stemWord)


class CodeBM25(FieldRanker, kind="code_bm25", options=CodeBM25Options):
    """BM25 over stems, with names as they are written, and tests behind other code."""

    _options: CodeBM25Options
    _kept = (_TEXT, _NAMES, _ASIDE)

    def score(self, text: str) -> NDArray[np.float64]:
        """Return the scores of all definitions for one query, shape (methods,), float64."""
        scores = self._scorer.score([stem for _, stem in self._pair(text)])
        best = scores.max(initial=0.0) or 1.0
        added = np.zeros_like(scores)
        if self._options.names == "first":
            for token in _find_names(text):
                added[self._find(_NAMES, token)] = best
            for token in find_full_names(text):
                added[self._find(_NAMES, token)] = 2 * best
        scores += added
        if not _ASKS.search(text):
            scores[self._find(_ASIDE, _ASIDE)] *= self._options.aside
        return scores

    def find_unknown(self, text: str) -> list[str]:
        """Return the words of a question that no definition has, stop words left out."""
        return [word for word, _ in self._pair(text) if not self._is_known(word)]

    def is_unnamed(self, text: str) -> bool:
        """Say whether a query is one name as code has it, which no definition has."""
        named = _find_names(text) if _NAME.fullmatch(text.strip()) else []
        return bool(named) and not any(len(self._find(_NAMES, token)) for token in named)

    def explain(self, text: str, method: int) -> tuple[dict[str, float], list[str]]:
        """Say why a definition has its score.

        Returns:
            The score of each word of the question that the definition has, and the rules that
            changed their sum, in words.
        """
        shares = {
            word: float(self._scorer.score([stem])[method]) for word, stem in self._pair(text)
        }
        named = [*_find_names(text), *find_full_names(text)]
        rules = []
        if self._options.names == "first" and any(
            method in self._find(_NAMES, token) for token in named
        ):
            rules.append("named in the question")
        if method in self._find(_ASIDE, _ASIDE) and not _ASKS.search(text):
            rules.append(f"test, example or generated (x {self._options.aside:g})")
        return {word: share for word, share in shares.items() if share}, rules

    @property
    def _made_with(self) -> dict[str, Any]:
        options = self._options.model_dump(mode="json")
        return {name: options[name] for name in options if name not in self._options.of_queries}

    def _find(self, field: str, token: str) -> NDArray[np.int32]:
        indexed = self._indexed[field]
        return indexed.methods[indexed.find_postings(token)]

    def _attach(self, corpus: Documents) -> None:
        super()._attach(corpus)
        options = self._options
        self._scorer = FieldScorer(
            self._indexed[_TEXT], k1=options.k1, b=options.b, lossy_lengths=False
        )

    def _index_fields(self, methods: MethodTexts) -> dict[str, TextField]:
        fields = {name: FieldBuilder() for name in self._kept}
        for table in methods.iterate_methods([*_COLUMNS]):
            rows = table.to_pylist()
            fields[_TEXT].add(map(self._split_row, rows))
            fields[_NAMES].add(
                [name, name.lower(), join_name(_last(row["class_name"]), name)]
                for row in rows
                for name in (row["method_name"],)
            )
            fields[_ASIDE].add([_ASIDE] if _ASIDE_PATH.search(row["path"]) else [] for row in rows)
        return {name: field.finish() for name, field in fields.items()}

    def _split_row(self, row: Mapping[str, Any]) -> list[str]:
        path = str(PurePosixPath(row["path"]).with_suffix(""))
        texts = (
            *(row["method_name"],) * self._options.name_weight,
            *(path,) * self._options.path_weight,
            *(_last(row["class_name"]), row["comment"] or "", row["code"]),
        )
        joined = set(analyze_joined(row["method_name"])).difference(split_words(row["method_name"]))
        words = (word for text in texts for word in split_words(text))
        return self._stem([*words, *sorted(joined)])

    def _pair(self, text: str) -> list[tuple[str, str]]:
        """Return the words of a question with their stems, each stem once."""
        words = split_words(text)
        asked = [word for word in words if word not in _STOP_WORDS] or words
        asked = [part for word in asked for part in self._split_joined(word)]
        stems = dict(zip(reversed(self._stem(asked)), reversed(asked), strict=True))
        return [(word, stem) for stem, word in reversed(stems.items())]

    def _split_joined(self, word: str) -> list[str]:
        """Split a word that nothing has in two that the code has: ``webgl2`` of ``isWebGL2``."""
        if self._is_known(word) or len(word) > _LONGEST:
            return [word]
        splits = ([word[:place], word[place:]] for place in range(1, len(word)))
        return next((parts for parts in splits if all(map(self._is_known, parts))), [word])

    def _is_known(self, word: str) -> bool:
        return len(self._find(_TEXT, *self._stem([word]))) > 0

    def _stem(self, words: Iterable[str]) -> list[str]:
        return list(words if self._options.stemmer == "none" else map(_stem, words))


def find_forms(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Find the words of a text that have the stem of one of some words: first and last place."""
    stems = set(map(_stem, words))
    return [found.span() for found in _PART.finditer(text) if _stem(found[0].lower()) in stems]


def is_aside(path: str) -> bool:
    """Say whether a file holds tests, examples or code that a program wrote, by its path."""
    return _ASIDE_PATH.search(path) is not None


def _last(class_name: str) -> str:
    return class_name.rpartition(".")[2]


def _find_names(text: str) -> list[str]:
    """Return the words of a question that may be names: with a capital or "_", or the only one."""
    names = _NAME.findall(text)
    if len(names) == 1:
        return [names[0], names[0].lower()]
    return [name for name in names if _WRITTEN.search(name)]


RANKER: type[Ranker] = CodeBM25
