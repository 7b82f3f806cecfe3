"""Commands that learn from data: word vectors, query expansions, translations, weights."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Checkpoint, Output, Record, Settings, Words

Pairs = Annotated[list[Path], typer.Option(help="Training pairs as Parquet; may be repeated.")]

app = typer.Typer(help="Word vectors, query expansions, translations, trained weights.")


@app.command()
def embed(settings: Settings, words: Words, output: Output) -> None:
    """Train word vectors on the words of the corpus."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.documents import load_documents
    from ncsbench.training.embedding_options import EmbeddingSettings
    from ncsbench.training.word_vectors import save_embedding, train_embedding

    options = read_settings(settings, EmbeddingSettings)
    made, grams = train_embedding(load_documents(words), options=options.options, seed=options.seed)
    save_embedding(made, output, grams)


@app.command()
def query_vectors(
    embedding: Annotated[Path, typer.Option(help="Folder of word vectors and their n-grams.")],
    pairs: Pairs,
    output: Output,
) -> None:
    """Vectors of words of queries that the corpus lacks, from the n-grams of those that it has."""
    from ncsbench.training.pair_words import collect_words, iterate_queries
    from ncsbench.training.word_grams import load_grams
    from ncsbench.training.word_vectors import find_new_words, load_embedding, save_embedding

    asked = collect_words(iterate_queries(pairs))
    save_embedding(find_new_words(asked, load_embedding(embedding), load_grams(embedding)), output)


@app.command()
def expansion(
    settings: Settings,
    pairs: Annotated[Path, typer.Option(help="Training pairs as Parquet.")],
    output: Output,
) -> None:
    """Count which code words the answers to titles with a word have."""
    from ncsbench.artifacts.storage import iterate_tables, write_table
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.pairs.pair_schema import PAIR_SCHEMA
    from ncsbench.training.expansion_options import ExpansionSettings
    from ncsbench.training.query_expansion import EXPANSION_SCHEMA, build_expansion

    options = read_settings(settings, ExpansionSettings)
    tables = iterate_tables(pairs, PAIR_SCHEMA, ["query", "code"])
    write_table(output, build_expansion(tables, options), EXPANSION_SCHEMA)


@app.command()
def expand(
    query: Annotated[str, typer.Argument(help="A query in words.")],
    expansion: Annotated[Path, typer.Option(help="Table of expansions as Parquet.")],
    minimum_value: Annotated[float, typer.Option(help="Least value that is added.")] = 0.05,
    stop_words: Annotated[Path | None, typer.Option(help="File with one stop word a line.")] = None,
) -> None:
    """Show which code word each word of a query brings: word, code word, value, added or not."""
    from ncsbench.artifacts.storage import read_table
    from ncsbench.experiment.stop_words import read_stop_words
    from ncsbench.training.query_expansion import EXPANSION_SCHEMA, Expansion

    table = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    known = frozenset(read_stop_words(stop_words) if stop_words else ())
    for line in table.describe_additions(query, minimum_value=minimum_value, stop_words=known):
        typer.echo(line)


@app.command()
def translation(settings: Settings, pairs: Pairs, output: Output) -> None:
    """Learn which code words query words stand for and how large answers are; remember pairs."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.training.pair_words import JavaPairs
    from ncsbench.training.translation_memory import remember_pairs
    from ncsbench.training.translation_model import build_translation
    from ncsbench.training.translation_options import TranslationSettings
    from ncsbench.training.translation_tables import save_translation
    from ncsbench.training.unif_options import TrainingOptions

    options = read_settings(settings, TranslationSettings)
    # As UNIF reads pairs by default: documents like those of the index, without the docstring.
    reading = TrainingOptions(pairs=options.translation.pairs)
    made = build_translation(JavaPairs(pairs, options.words, reading), options)
    named = dict(zip(options.translation.pairs, pairs, strict=True))
    remembered = [named[name] for name in options.translation.memory or ()]
    memory = remember_pairs(remembered, stop_words=options.stop_words) if remembered else None
    save_translation(made, output, memory)


@app.command()
def weights(
    settings: Settings,
    embedding: Annotated[Path, typer.Option(help="Folder of the word vectors to start from.")],
    pairs: Pairs,
    checkpoint: Checkpoint,
    record: Record,
    output: Output,
    query_vectors: Annotated[
        Path | None, typer.Option(help="Folder of the vectors of words that the corpus lacks.")
    ] = None,
) -> None:
    """Train the weights of a supervised model on pairs of queries and code."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.training.pair_words import JavaPairs
    from ncsbench.training.unif_options import WeightsSettings
    from ncsbench.training.unif_training import train_weights
    from ncsbench.training.word_vectors import load_embedding

    options = read_settings(settings, WeightsSettings)
    train_weights(
        JavaPairs(pairs, options.words, options.training),
        load_embedding(embedding),
        new_words=None if query_vectors is None else load_embedding(query_vectors),
        settings=options,
        checkpoint=checkpoint,
        record=record,
        output=output,
    )


@app.command()
def encoder(
    settings: Settings,
    pairs: Pairs,
    checkpoint: Checkpoint,
    record: Record,
    output: Output,
) -> None:
    """Train joint encoders of queries and Java on pairs of both."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.encoders.pair_encoder_options import PairEncoderSettings
    from ncsbench.encoders.pair_training import train_on_pairs
    from ncsbench.networks.recorded_training import TrainingFiles

    train_on_pairs(
        pairs,
        settings=read_settings(settings, PairEncoderSettings),
        files=TrainingFiles(checkpoint, record),
        output=output,
    )


@app.command()
def field_encoder(
    settings: Settings,
    pairs: Pairs,
    checkpoint: Checkpoint,
    record: Record,
    output: Output,
) -> None:
    """Train DeepCS or CARLCS on pairs of descriptions and methods."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.deepcs.field_options import FieldEncoderSettings
    from ncsbench.deepcs.field_training import train_field_encoder
    from ncsbench.networks.recorded_training import TrainingFiles

    train_field_encoder(
        pairs,
        settings=read_settings(settings, FieldEncoderSettings),
        files=TrainingFiles(checkpoint, record),
        output=output,
    )
