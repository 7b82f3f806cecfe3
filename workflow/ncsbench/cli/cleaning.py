"""Commands of a cleaning experiment: sets, trainings, rankings, tables."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Checkpoint, Output, Settings

app = typer.Typer(help="Does cleaning training pairs help? Sets, trainings, tables.")

Benchmarks = Annotated[
    list[Path], typer.Option("--benchmark", help="Folder of a benchmark; may be repeated.")
]
Pairs = Annotated[Path, typer.Option(help="Training pairs as Parquet.")]
Corpus = Annotated[Path, typer.Option(help="Folder of a corpus of Java functions.")]
Questions = Annotated[
    list[Path],
    typer.Option(help="Evaluation questions, in the published JSON form; may be repeated."),
]
Record = Annotated[Path, typer.Option(help="JSON of what it is made of to write.")]
TrainingRecord = Annotated[Path, typer.Option(help="Folder of the record of a training.")]
Published = Annotated[
    Path | None, typer.Option(help="Published figures to stand beside, nlqf_tables.csv.")
]


@app.command()
def positives(
    settings: Settings,
    output: Output,
    listing: Annotated[Path, typer.Option(help="CSV of what was taken and why not to write.")],
    extracted: Annotated[
        Path | None, typer.Option(help="Folder of the extracted Java functions.")
    ] = None,
    corpus: Annotated[Path | None, typer.Option(help="Folder of their corpus.")] = None,
) -> None:
    """Make the queries of a benchmark, and the code that counts as right."""
    from ncsbench.cleaning.benchmark_positives import PositivesSettings, make_positives
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, PositivesSettings)
    make_positives(options, extracted, corpus, output, listing)


@app.command()
def raw_pairs(
    settings: Settings,
    corpus: Corpus,
    benchmark: Benchmarks,
    output: Output,
    funnel: Annotated[Path, typer.Option(help="CSV of how many each step kept to write.")],
    overlap: Annotated[Path, typer.Option(help="CSV of what benchmarks hold to write.")],
    shares: Annotated[Path, typer.Option(help="CSV of what each rule touches to write.")],
    questions: Questions = [],  # noqa: B006  (typer wants a list)
    published: Published = None,
) -> None:
    """Cut raw pairs of a corpus, apart from all benchmarks."""
    from ncsbench.cleaning.benchmark_guard import load_guard
    from ncsbench.cleaning.raw_pairs import RawPairSettings, make_raw_pairs
    from ncsbench.configuration.settings_files import read_settings

    make_raw_pairs(
        read_settings(settings, RawPairSettings),
        corpus,
        load_guard(benchmark, questions),
        output=output,
        funnel=funnel,
        overlap=overlap,
        shares=shares,
        published=published,
    )


@app.command()
def titles(
    settings: Settings,
    benchmark: Benchmarks,
    output: Output,
    overlap: Annotated[Path, typer.Option(help="CSV of what benchmarks hold to write.")],
    questions: Questions = [],  # noqa: B006  (typer wants a list)
) -> None:
    """Take titles of questions that hold no query of a benchmark."""
    from ncsbench.cleaning.benchmark_guard import load_guard
    from ncsbench.cleaning.titles_apart import TitleSettings, write_titles
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, TitleSettings)
    write_titles(options, load_guard(benchmark, questions), output, overlap)


@app.command()
def distractors(
    settings: Settings,
    corpus: Corpus,
    benchmark: Annotated[Path, typer.Option(help="Folder of the benchmark.")],
    raw: Annotated[list[Path], typer.Option(help="Raw pairs of a source; may be repeated.")],
    output: Output,
) -> None:
    """Draw what the right code of a benchmark is ranked among."""
    from ncsbench.cleaning.distractors import DistractorSettings, draw_distractors
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, DistractorSettings)
    draw_distractors(options, corpus, benchmark, raw, output)


@app.command()
def comment_model(
    settings: Settings,
    titles: Annotated[Path, typer.Option(help="Titles of questions, a line each.")],
    checkpoint: Checkpoint,
    output: Output,
) -> None:
    """Train the language model of queries on titles."""
    from ncsbench.cleaning.query_model import QueryModelSettings, make_query_model
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, QueryModelSettings)
    make_query_model(options, titles, checkpoint=checkpoint, output=output)


@app.command()
def losses(
    settings: Settings,
    pairs: Pairs,
    model: Annotated[Path, typer.Option(help="Folder of the model of queries.")],
    output: Output,
    record: Record,
) -> None:
    """Score the comments of raw pairs by the model of queries."""
    from ncsbench.cleaning.comment_losses import LossSettings, score_pairs
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, LossSettings)
    score_pairs(options, pairs, model, output=output, record=record)


@app.command()
def training_set(
    settings: Settings,
    pairs: Pairs,
    output: Output,
    record: Record,
    losses: Annotated[
        Path | None,
        typer.Option(help="Losses of these pairs, their record beside them, for a set with a cut."),
    ] = None,
    size_of: Annotated[
        Path | None, typer.Option(help="Pairs of the set that has as many, for a controlled one.")
    ] = None,
) -> None:
    """Make a training set: all pairs, what a filter keeps of them, or as many at random."""
    from ncsbench.cleaning.training_sets import SetSettings, make_set
    from ncsbench.configuration.settings_files import read_settings

    make_set(
        read_settings(settings, SetSettings),
        pairs,
        losses=losses,
        size_of=size_of,
        output=output,
        record=record,
    )


@app.command()
def train(
    settings: Settings,
    pairs: Pairs,
    checkpoint: Checkpoint,
    record: TrainingRecord,
    output: Output,
    vocabulary_pairs: Annotated[
        Path | None, typer.Option(help="Pairs whose words all sets share.")
    ] = None,
    steps_of: Annotated[
        Path | None, typer.Option(help="Pairs whose number of training steps is taken.")
    ] = None,
) -> None:
    """Train a cell: a model on a training set with a seed."""
    from ncsbench.cleaning.cell_options import CellSettings
    from ncsbench.cleaning.cell_training import train_cell
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.networks.recorded_training import TrainingFiles

    train_cell(
        read_settings(settings, CellSettings),
        pairs,
        vocabulary_pairs=vocabulary_pairs,
        steps_of=steps_of,
        files=TrainingFiles(checkpoint, record),
        output=output,
    )


@app.command()
def rank(
    settings: Settings,
    encoder: Annotated[Path, typer.Option(help="Folder of the trained network.")],
    record: TrainingRecord,
    benchmark: Benchmarks,
    output: Annotated[Path, typer.Option("--output", "-o", help="Parquet file of ranks to write.")],
    cell: Annotated[Path, typer.Option(help="JSON of what they come from to write.")],
) -> None:
    """Rank the right code of every query among the distractors."""
    from ncsbench.cleaning.cell_options import CellSettings
    from ncsbench.cleaning.cell_ranks import rank_cell
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, CellSettings)
    folders = {folder.name: folder for folder in benchmark}
    rank_cell(options, encoder, record, folders, output, cell)


@app.command()
def main_table(
    settings: Settings,
    results: Annotated[
        list[Path], typer.Option(help="A file of ranks, of a cell or of a set; may be repeated.")
    ],
    output: Output,
    published: Published = None,
) -> None:
    """Write Table 2, 3, 5 or 8: trainings on raw, filtered and other pairs."""
    from ncsbench.cleaning.main_tables import write_table
    from ncsbench.cleaning.table_settings import TableSettings
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, TableSettings)
    files = {(path.parent.name, path.stem): path for path in results}
    write_table(options, results=files, published=published, output=output)


Kept = Annotated[Path | None, typer.Option(help="Pairs that the whole filter keeps, if made.")]


@app.command()
def table4(
    settings: Settings,
    raw: Pairs,
    output: Output,
    kept: Kept = None,
    published: Published = None,
) -> None:
    """Write how many comments rules and model touch."""
    from ncsbench.cleaning.filter_tables import FilterTableSettings, write_table4
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, FilterTableSettings)
    write_table4(options, raw=raw, kept=kept, published=published, output=output)


@app.command()
def table6(
    settings: Settings, raw: Pairs, output: Output, kept: Kept = None, published: Published = None
) -> None:
    """Write what is left of comments after each step of the filter."""
    from ncsbench.cleaning.filter_tables import FilterTableSettings, write_table6
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, FilterTableSettings)
    write_table6(options, raw=raw, kept=kept, published=published, output=output)


@app.command()
def table7(
    settings: Settings,
    sets: Annotated[Path, typer.Option(help="Folder of the training sets.")],
    output: Output,
    published: Published = None,
) -> None:
    """Write how large training sets are, beside those of others."""
    from ncsbench.cleaning.filter_tables import Table7Settings, write_table7
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, Table7Settings)
    write_table7(options, sets=sets, published=published, output=output)


@app.command()
def figure1(raw: Pairs, output: Output, published: Published = None) -> None:
    """Write what raw comments have that no query has, and how long they are."""
    from ncsbench.cleaning.comment_features import write_comment_features

    write_comment_features(raw=raw, published=published, output=output)


@app.command()
def figure4(
    table: Annotated[Path, typer.Option(help="Table 5, table5.csv.")],
    output: Output,
    published: Published = None,
) -> None:
    """Draw Table 5: figures by the share of comments that are kept."""
    from ncsbench.cleaning.percentile_figure import draw_percentiles

    draw_percentiles(table, published, output)
