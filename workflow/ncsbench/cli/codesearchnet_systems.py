"""Commands that make the systems of the CodeSearchNet tables: training, rankings."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.codesearchnet import AnnotationStore, Corpora, Queries
from ncsbench.cli.options import Checkpoint, Output, Record, Settings

app = typer.Typer(help="Systems on functions of several languages: training, rankings.")


@app.command()
def train(
    settings: Settings,
    corpora: Corpora,
    language: Annotated[list[str], typer.Option(help="A language; may be repeated.")],
    checkpoint: Checkpoint,
    record: Record,
    output: Output,
) -> None:
    """Train a joint encoder of queries and of the code of every language."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.encoders.encoder_options import EncoderSettings
    from ncsbench.encoders.training import train_encoder
    from ncsbench.networks.recorded_training import TrainingFiles

    train_encoder(
        {name: corpora / name for name in language},
        settings=read_settings(settings, EncoderSettings),
        files=TrainingFiles(checkpoint, record),
        output=output,
    )


@app.command()
def embed(
    settings: Settings,
    corpus: Annotated[Path, typer.Option(help="Folder of the corpus of a language.")],
    output: Output,
) -> None:
    """Train word vectors on the functions of a language."""
    from ncsbench.codesearchnet.unif_options import UnifSettings
    from ncsbench.codesearchnet.unif_training import embed_functions
    from ncsbench.configuration.settings_files import read_settings

    embed_functions(read_settings(settings, UnifSettings), corpus, output)


@app.command()
def weights(
    settings: Settings,
    corpus: Annotated[Path, typer.Option(help="Folder of the corpus of a language.")],
    embedding: Annotated[Path, typer.Option(help="Folder of the word vectors to start from.")],
    checkpoint: Checkpoint,
    record: Record,
    output: Output,
) -> None:
    """Train UNIF on the pairs of a language."""
    from ncsbench.codesearchnet.unif_options import UnifSettings
    from ncsbench.codesearchnet.unif_training import train_on_functions
    from ncsbench.configuration.settings_files import read_settings

    train_on_functions(
        read_settings(settings, UnifSettings),
        corpus,
        embedding,
        checkpoint=checkpoint,
        record=record,
        output=output,
    )


@app.command()
def rank(
    settings: Settings,
    corpora: Corpora,
    predictions: Annotated[Path, typer.Option(help="CSV file of rankings to write.")],
    ranks: Annotated[Path, typer.Option(help="Parquet file of the test pairs' ranks to write.")],
    challenge: Annotated[
        Path, typer.Option(help="Parquet file to write of what Table 4 needs of the rankings.")
    ],
    record: Annotated[Path, typer.Option(help="JSON file of what they come from to write.")],
    queries: Queries,
    annotations: AnnotationStore,
    encoder: Annotated[Path | None, typer.Option(help="Folder of a joint encoder.")] = None,
    unif: Annotated[
        Path | None, typer.Option(help="Folder with the weights of UNIF for each language.")
    ] = None,
) -> None:
    """Rank the functions of every language for the queries, and test pairs among distractors."""
    from ncsbench.codesearchnet.system_inputs import open_inputs, write_record
    from ncsbench.codesearchnet.system_options import SystemSettings
    from ncsbench.codesearchnet.system_results import write_results
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, SystemSettings)
    write_results(
        options,
        open_inputs(encoder=encoder, unif=unif),
        corpora=corpora,
        queries=queries,
        annotations=annotations,
        predictions=predictions,
        ranks=ranks,
        challenge=challenge,
    )
    write_record(options, corpora, encoder=encoder, unif=unif, output=record)
