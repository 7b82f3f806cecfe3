"""A model with what it learnt elsewhere."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import Field

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.corpus.corpus_settings import WordOptions
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.training.embedding_options import EmbeddingOptions


class LearntModel(StrictModel):
    """A model, and where what it learnt lies."""

    ranker: RankerSpecification
    """The ranker whose index is made."""
    seed: int
    """Its seed."""
    words: WordOptions = WordOptions()
    """Which items of Java become words."""
    embedding: EmbeddingOptions | None = None
    """Word vectors that it needs; trained on the corpus where none were learnt."""
    learnt: dict[str, Path] = Field(default_factory=dict)
    """Files or folders, by the names that ``model_index.make_index`` has for them."""
    parts: dict[str, LearntModel] = Field(default_factory=dict)
    """The same of its parts."""

    def fingerprint(self) -> list[list[str]]:
        """Names and checksums of the files that it learnt, those of its parts too."""
        found = []
        for path in self.learnt.values():
            for file in [path] if path.is_file() else sorted(path.rglob("*")):
                if file.is_file():
                    with file.open("rb") as opened:
                        digest = hashlib.file_digest(opened, "sha256").hexdigest()
                    found.append([file.relative_to(path.parent).as_posix(), digest])
        for name, part in self.parts.items():
            found += [[name, *entry] for entry in part.fingerprint()]
        return found
