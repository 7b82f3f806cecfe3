"""What is not made of rows whose rankings were made elsewhere, as lines for the user."""

from __future__ import annotations

from collections.abc import Iterable

from ncsbench.experiment.dataset_file import DatasetFile
from ncsbench.experiment.model_files import ModelConfiguration
from ncsbench.experiment.run_options import RunOptions


def explain_given(
    models: Iterable[ModelConfiguration], run: RunOptions, dataset: DatasetFile
) -> list[str]:
    """A line for each row made elsewhere of which the configuration asks for more than there is."""
    notices = []
    for model in models:
        if not model.given:
            continue
        missing = [
            what
            for what, wanted in (
                ("replicates", model.name in dataset.replicates.models),
                ("intervals over repositories", run.repositories.samples > 0),
                ("haystacks", dataset.haystacks is not None),
            )
            if wanted
        ]
        if missing:
            notices.append(
                f"{model.name} is a run made elsewhere: it has no {', no '.join(missing)}"
            )
    return notices
