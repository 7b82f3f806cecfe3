"""A toy corpus and a ranker of kind fused, for its tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ncsbench.corpus.documents import Documents
from ncsbench.rankers.bm25f import BM25F
from ncsbench.rankers.fused import Fused
from ncsbench.rankers.protocol import Ranker
from ncsbench.rankers.translation import TranslationRanker
from ncsbench.rankers.translation_memory import TranslationMemoryRanker
from ncsbench.rankers.unif import UNIF
from ncsbench.training.unif_weights import UnifWeights
from tests.synthetic_documents import make_documents
from tests.unit.test_elasticsearch_like import Method, write_corpus
from tests.unit.test_translation import make_translation
from tests.unit.test_translation_memory import remember

METHODS: list[Method] = [
    ("openFile", "/** Opens a file. */", "void openFile() { stream.open(); file.open(); }"),
    ("readFile", "", "String readFile() { return file.read(); }"),
    ("showView", "", 'void showView(View view) { view.show("file of a view"); }'),
    ("readFile", "", "String readFile() { return file.read(); }"),
    ("nothing", "", "void nothing() { }"),
    ("hideSoftInput", "", "void hideSoftInput() { input.hide(); }"),
    ("readFile", "", "String readFile() { return file.read(); }"),
]
WORDS = [
    *("open file stream open", "read file", "show view view", "read file", ""),
    *("hide soft input hide", "read file"),
]
IDENTIFIERS = [
    *("openfile open", "readfile read", "showview show", "readfile read", "nothing"),
    *("hidesoftinput hide", "readfile read"),
]
PART_NAMES = "bm25f unif translation translation_memory"
PAIRS = [
    ("hide the keyboard", "Input.hideSoftInput(view);"),
    ("show a view", "view.show();"),
    ("read a file", "file.read();"),
]
ROWS = [("keyboard", "soft", 0.4, 0.2), ("keyboard", "input", 0.1, 0.5)]


def make_corpus() -> Documents:
    return make_documents(WORDS, identifiers=IDENTIFIERS)


def make_weights(corpus: Documents) -> UnifWeights:
    """Queries know ``keyboard`` too, and lack ``show``."""
    words = corpus.words.vocabulary
    asked = sorted({*words, "keyboard"} - {"show"})
    generator = np.random.default_rng(1)
    tables = (generator.normal(size=(len(one), 8)).astype(np.float32) for one in (asked, words))
    return UnifWeights(
        asked, list(words), *tables, generator.normal(size=8).astype(np.float32), {"seed": 1}
    )


def make_parts(folder: Path, names: str = PART_NAMES) -> dict[str, Ranker]:
    corpus = make_corpus()
    parts: dict[str, Any] = {
        "bm25f": BM25F(options={}),
        "unif": UNIF(options={"code_vectors": "kept"}),
        "translation": TranslationRanker(options={}),
        "translation_memory": TranslationMemoryRanker(options={}),
    }
    for part in parts.values():
        part.fit(
            corpus=corpus,
            methods=write_corpus(folder / "corpus", METHODS),
            weights=make_weights(corpus),
            translation=make_translation(ROWS),
            memory=remember(folder, PAIRS),
        )
    return {name: parts[name] for name in sorted(names.split())}


def make_fused(folder: Path, names: str = PART_NAMES, **options: object) -> Fused:
    ranker = Fused(options=options, parts=make_parts(folder, names), seed=1)
    ranker.fit(corpus=make_corpus())
    return ranker
