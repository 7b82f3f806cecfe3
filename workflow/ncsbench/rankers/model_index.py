"""The index of a model over a corpus, from its settings and the artifacts that it reads.

A model may have learnt these elsewhere (``index_learnt``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ncsbench.artifacts.storage import read_table
from ncsbench.configuration.files import fingerprint
from ncsbench.corpus.corpus_settings import WordOptions
from ncsbench.corpus.documents import Documents, MethodTexts, load_documents, save_documents
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.rankers.combined_ranker import CombinedRanker, place_parts
from ncsbench.rankers.learnt_model import LearntModel
from ncsbench.rankers.ncs_expanded import save_reference
from ncsbench.rankers.protocol import FitInputs, fit_ranker
from ncsbench.rankers.ranker_options import RankerSettings
from ncsbench.rankers.registry import create_ranker
from ncsbench.training.embedding_options import EmbeddingOptions
from ncsbench.training.query_expansion import EXPANSION_SCHEMA, Expansion
from ncsbench.training.translation_tables import MEMORY, load_translation
from ncsbench.training.unif_weights import load_weights
from ncsbench.training.word_vectors import load_embedding


def make_index(
    settings: RankerSettings,
    *,
    words: Path,
    corpus: CorpusFolder | MethodTexts | None = None,
    embedding: Path | None = None,
    expansion: Path | None = None,
    weights: Path | None = None,
    encoder: Path | None = None,
    field_encoder: Path | None = None,
    translation: Path | None = None,
    base_index: Path | None = None,
    part: Mapping[str, Path] | None = None,
    part_words: Mapping[str, Path] | None = None,
    output: Path,
) -> None:
    """Make the index of a model over a corpus: fit a ranker and save it.

    Args:
        settings: which ranker.
        words: folder of the corpus as words.
        corpus: the text of its methods, for rankers that read it.
        embedding: folder of word vectors, for rankers that need them, as all that follows.
        expansion: table of expansions.
        weights: folder of trained weights.
        encoder: folder of a joint encoder.
        field_encoder: folder of a DeepCS or CARLCS.
        translation: folder of translations.
        base_index: folder of the base's index, for kinds that refer to it.
        part: folder of the index of each part, for rankers that combine some.
        part_words: folder of the words of a part that has other words than ``words``.
        output: folder to write.
    """
    if base_index is not None and expansion is not None:
        save_reference(output, Expansion(read_table(expansion, EXPANSION_SCHEMA)), base=base_index)
        return
    ranker = create_ranker(settings.ranker, seed=settings.seed)
    if isinstance(ranker, CombinedRanker):
        ranker.refer_to(place_parts(part or {}, part_words or {}))
    inputs = FitInputs()
    if embedding is not None:
        inputs["embedding"] = load_embedding(embedding)
    if expansion is not None:
        inputs["expansion"] = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    if weights is not None:
        inputs["weights"] = load_weights(weights)
    if encoder is not None:
        from ncsbench.encoders.encoder import load_encoder

        inputs["encoder"] = load_encoder(encoder)
    if field_encoder is not None:
        from ncsbench.deepcs.field_encoder import load_field_encoder

        inputs["field_encoder"] = load_field_encoder(field_encoder)
    if translation is not None:
        inputs["translation"] = load_translation(translation)
        if (translation / MEMORY).exists():
            inputs["memory"] = translation / MEMORY
    if corpus is not None:
        inputs["methods"] = corpus
    fit_ranker(ranker, settings.ranker.kind, load_documents(words, corpus), inputs)
    ranker.save(output)


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
