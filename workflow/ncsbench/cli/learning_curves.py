"""Commands that show how training went, and what more pairs bring."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Judgements, Output, Questions, Results, Settings, read_assignments

app = typer.Typer(help="Loss curves and learning curves.")


@app.command()
def losses(
    history: Annotated[
        list[str], typer.Option(help="<model>=<history.csv> of a training; may be repeated.")
    ],
    output: Output,
) -> None:
    """Draw loss and held-out MRR of every training by epoch."""
    from ncsbench.learning_curves.training_figures import draw_loss_curves

    histories = read_assignments(history, "--history", "<model>=<history.csv>")
    draw_loss_curves({name: Path(path) for name, path in histories.items()}, output)


@app.command()
def build(
    settings: Settings,
    questions: Questions,
    results: Results,
    judgements: Judgements,
    trainings: Annotated[Path, typer.Option(help="Folder of the records of trainings.")],
    output: Output,
    figure: Annotated[Path, typer.Option(help="The figure to draw, as SVG.")],
) -> None:
    """Figures of models against the number of pairs that they were trained on."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.learning_curves.curve_settings import CurveSettings
    from ncsbench.learning_curves.curves import write_learning_curves
    from ncsbench.learning_curves.training_figures import draw_learning_curves
    from ncsbench.training.unif_weights import count_trained_pairs

    write_learning_curves(
        read_settings(settings, CurveSettings),
        questions=questions,
        results=results,
        judgements=judgements,
        trainings=trainings,
        count_pairs=count_trained_pairs,
        output=output,
    )
    draw_learning_curves(output, figure)
