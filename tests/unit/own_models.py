"""Model files of a test's own, and the sample resolved with them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from ncsbench.experiment.run import RunConfiguration, load_run

Load = Callable[..., RunConfiguration]


def make_loader(root: Path, folder: Path, mine: str, texts: Mapping[str, str]) -> Load:
    """What resolves the sample in a folder with a model ``mine``, by default the given one.

    Args:
        root: folder of the project, whose configuration is copied.
        folder: an empty folder, which has to be the working directory.
        mine: text of the model file ``mine``.
        texts: of other model files, by name.
    """
    for part in ("config", "resources"):
        shutil.copytree(root / part, folder / part)
    models = folder / "config/models"
    for name, text in texts.items():
        (models / f"{name}.yaml").write_text(text)

    def resolve(text: str = mine, *names: str, **keys: object) -> RunConfiguration:
        (models / "mine.yaml").write_text(text)
        return load_run({"dataset": "sample", "models": ["mine", *names], **keys}, root=folder)

    return resolve
