"""The index of any corpus for a model with what it learnt elsewhere, and those of its parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ncsbench.configuration.files import fingerprint
from ncsbench.corpus.corpus_settings import WordOptions
from ncsbench.corpus.documents import Documents, MethodTexts, load_documents, save_documents
from ncsbench.rankers.learnt_model import LearntModel
from ncsbench.rankers.model_index import make_index
from ncsbench.rankers.ranker_options import RankerSettings
from ncsbench.training.embedding_options import EmbeddingOptions


def index_learnt(
    model: LearntModel,
    *,
    corpus: MethodTexts,
    make_words: Callable[[WordOptions], Documents],
    words: Path,
    output: Path,
) -> None:
    """Make the index of a model, after those of its parts; words and vectors are made once.

    Args:
        model: the model.
        corpus: the text of the methods.
        make_words: gives their words.
        words: folder of these; written where it is not there, as those of parts are beside it.
        output: folder to write; those of the parts lie beside it.
    """
    if not words.exists():
        save_documents(make_words(model.words), words)
    given = dict(model.learnt)
    if model.embedding is not None and "embedding" not in given:
        key = fingerprint([model.words.as_json(), model.embedding.as_json(), model.seed])
        given["embedding"] = words.parent / f"embedding-{key}"
        if not given["embedding"].exists():
            _train(load_documents(words), model.embedding, model.seed, given["embedding"])
    parts, part_words = {}, {}
    for name, part in model.parts.items():
        same = part.words == model.words
        own = words if same else words.with_name(f"words-{fingerprint(part.words.as_json())}")
        index = output.with_name(f"{output.name}-{name}")
        index_learnt(part, corpus=corpus, make_words=make_words, words=own, output=index)
        parts[name] = index
        if not same:
            part_words[name] = own
    make_index(
        RankerSettings(ranker=model.ranker, seed=model.seed),
        words=words,
        corpus=corpus,
        part=parts,
        part_words=part_words,
        output=output,
        **given,
    )


def _train(documents: Documents, options: EmbeddingOptions, seed: int, folder: Path) -> None:
    from ncsbench.training.word_vectors import save_embedding, train_embedding

    embedding, grams = train_embedding(documents, options=options, seed=seed)
    save_embedding(embedding, folder, grams)
