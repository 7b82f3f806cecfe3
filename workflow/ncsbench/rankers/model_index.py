"""Making the index of a model over a corpus, from its settings and the artifacts that it reads.

The artifacts may have been learnt on another corpus (``index_learnt``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module  # noqa: TID251  (of the table of what is learnt)
from pathlib import Path
from typing import Any, cast

from ncsbench.base.configuration.files import fingerprint
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.documents import Documents, MethodTexts, load_documents, save_documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.rankers.combined.combined_ranker import CombinedRanker, place_parts
from ncsbench.rankers.learnt_kinds import LEARNT, Learner, LearntModel, list_kinds, name_learnt
from ncsbench.rankers.protocol import FitInputs, fit_ranker
from ncsbench.rankers.ranker_options import RankerSettings
from ncsbench.rankers.registry import create_ranker
from ncsbench.rankers.vectors.ncs_expanded import NCSExpanded


def make_index(
    settings: RankerSettings,
    *,
    words: Path,
    corpus: CorpusFolder | MethodTexts | None = None,
    learnt: Mapping[str, Path] | None = None,
    base_index: Path | None = None,
    part: Mapping[str, Path] | None = None,
    part_words: Mapping[str, Path] | None = None,
    output: Path,
) -> None:
    """Make the index of a model over a corpus: fit a ranker and save it.

    Args:
        settings: the ranker and its seed.
        words: folder of the corpus as words.
        corpus: the text of the methods, for rankers that read it.
        learnt: files or folders of learnt artifacts, by kind (``learnt_kinds.LEARNT``).
        base_index: folder of the base's index, for kinds that refer to it.
        part: folders of the indexes of the parts by name, for rankers that combine parts.
        part_words: folders of words, by name of the part, for parts with other words than
            ``words``.
        output: folder to write.

    Raises:
        ConfigurationError: for a kind in ``learnt`` that does not exist.
    """
    ranker = create_ranker(settings.ranker, seed=settings.seed)
    if isinstance(ranker, CombinedRanker):
        ranker.refer_to(place_parts(part or {}, part_words or {}))
    elif isinstance(ranker, NCSExpanded) and base_index is not None:
        ranker.refer_to(base_index)
    inputs: dict[str, Any] = {} if corpus is None else {"methods": corpus}
    for kind, path in (learnt or {}).items():
        if kind not in LEARNT:
            raise ConfigurationError(f"--learnt {kind}: no kind; {nearest(kind, list(LEARNT))}")
        if base_index is not None and LEARNT[kind].of_base:
            continue  # The index of the base has it.
        for name, one in LEARNT[kind].inputs.items():
            if (found := _find_function(one.loaded_by)(path)) is not None:
                inputs[name] = found
    documents = load_documents(words, corpus)
    fit_ranker(ranker, settings.ranker.kind, documents, cast("FitInputs", inputs))
    ranker.save(output)


def index_learnt(
    model: LearntModel,
    *,
    corpus: MethodTexts,
    make_words: Callable[[WordOptions], Documents],
    words: Path,
    output: Path,
) -> None:
    """Make the index of a lent model, after those of its parts; words and vectors are made once.

    Args:
        model: the model.
        corpus: the text of the methods.
        make_words: function that extracts the words of the methods.
        words: folder of these words, written where it does not exist; the folders of the words of
            parts are made beside it.
        output: folder to write; the indexes of the parts lie beside it.
    """
    if not words.exists():
        save_documents(make_words(model.words), words)
    given, learner = dict(model.learnt), Learner(model, model.words, model.seed)
    for name, kind, _ in list_kinds(model):
        if kind.settings is not None and kind.of_words and name not in given:
            given[name] = words.parent / f"{name}-{name_learnt(name, learner)}"
            if not given[name].exists():
                _find_function(kind.learnt_by)(kind.settings(learner), words, given[name])
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
        learnt=given,
        part=parts,
        part_words=part_words,
        output=output,
    )


def _find_function(name: str) -> Callable[..., Any]:
    """Import the function that the table ``LEARNT`` names."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"ncsbench.{module}"), function)
    return found
