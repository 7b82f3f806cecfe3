"""Commands that show how training went, and what more pairs would bring."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output, Questions, Settings

app = typer.Typer(help="Loss curves and learning curves.")


@app.command()
def losses(
    history: Annotated[
        list[str], typer.Option(help="<model>=<history.csv> of a training; may be repeated.")
    ],
    output: Output,
) -> None:
    """Draw loss and held-out MRR of every training by epoch."""
    from ncsbench.errors import ConfigurationError
    from ncsbench.tables.training_plots import draw_loss_curves

    histories = {}
    for entry in history:
        name, _, path = entry.partition("=")
        if not name or not path:
            raise ConfigurationError(f"--history {entry!r} must be <model>=<history.csv>")
        histories[name] = Path(path)
    draw_loss_curves(histories, output)


@app.command()
def curves(
    settings: Settings,
    questions: Questions,
    results: Annotated[Path, typer.Option(help="Results folder of the dataset, with its runs.")],
    judgements: Annotated[Path, typer.Option(help="Folder of the judgements.")],
    weights: Annotated[Path, typer.Option(help="Folder of the folders of trained weights.")],
    published: Annotated[Path, typer.Option(help="Published figures, with a number of pairs.")],
    output: Output,
    figure: Annotated[Path, typer.Option(help="The figure to draw, as SVG.")],
) -> None:
    """Figures of models against the number of pairs that they were trained on."""
    import numpy as np

    from ncsbench.evaluation.intervals import draw_resamples
    from ncsbench.models.unif_weights import count_trained_pairs
    from ncsbench.storage import read_json
    from ncsbench.tables.judged_rankings import read_judged_runs, read_study_questions
    from ncsbench.tables.learning_curves import (
        LearningPoint,
        read_published_pairs,
        write_learning_curves,
    )
    from ncsbench.tables.training_plots import draw_learning_curves

    options = read_json(settings)
    asked, depth = read_study_questions(questions), options["depth"]
    rankings = read_judged_runs(
        [point["run"] for point in options["points"]],
        rows=asked.rows,
        depth=depth,
        results=results,
        judgements=judgements,
    )
    points = [
        LearningPoint(
            model=point["model"],
            share=point["share"],
            pairs=pairs,
            seed=point["seed"],
            first_ranks=ranking.first_ranks(options["measure"], options["threshold"]),
            strict_first_ranks=ranking.first_ranks(
                options["strict_measure"], options["strict_threshold"]
            ),
        )
        for point, ranking in zip(options["points"], rankings, strict=True)
        if (pairs := count_trained_pairs(weights / point["weights"]))
    ]
    write_learning_curves(
        output,
        dataset=options["dataset"],
        points=points,
        draws=draw_resamples(
            len(asked.rows),
            np.random.default_rng(options["seed"]),
            resamples=options["bootstrap_samples"],
        ),
        target_pairs=read_published_pairs(published),
        depth=depth,
    )
    draw_learning_curves(output, figure)
