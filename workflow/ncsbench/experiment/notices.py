"""Lines for the user about what was asked for and is not done."""

from __future__ import annotations

from collections.abc import Mapping

from ncsbench.experiment.dataset_file import DatasetFile
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.run_options import RunOptions
from ncsbench.experiment.stage_settings import choose_baseline


def make_notices(
    run: RunOptions,
    dataset: DatasetFile,
    models: Mapping[str, ModelConfiguration],
    left_out: Mapping[str, str],
) -> list[str]:
    """A line for each row that is left out or has less than others, and for another baseline.

    Args:
        run: what was asked for.
        dataset: the checked dataset file.
        models: rows of the table.
        left_out: rows that cannot be, and why.
    """
    notices = [f"{name} is left out: {reason}" for name, reason in left_out.items()]
    baseline = choose_baseline(run, models)
    if baseline != run.baseline:
        notices.append(
            f"every model is tested against {baseline}, since the baseline {run.baseline} is "
            "not among the models"
        )
    for name in (name for name, model in models.items() if model.given):
        asked = (
            ("replicates", name in dataset.replicates.models),
            ("intervals over repositories", run.repositories.samples > 0),
            ("haystacks", dataset.haystacks is not None),
        )
        missing = [what for what, wanted in asked if wanted]
        if missing:
            notices.append(f"{name} is a run made elsewhere: it has no {', no '.join(missing)}")
    return notices
