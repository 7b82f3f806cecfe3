"""Commands that train, index and search."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output, Questions, Settings

app = typer.Typer(help="Word vectors, expansions, indexes, runs.")

Words = Annotated[Path, typer.Option(help="Folder of the corpus as words.")]


@app.command()
def embed(settings: Settings, words: Words, output: Output) -> None:
    """Train word vectors on the words of the corpus."""
    from ncsbench.corpus.documents import load_documents
    from ncsbench.models.embedding import save_embedding, train_embedding
    from ncsbench.storage import read_json

    options = read_json(settings)
    seed = options.pop("seed")
    save_embedding(train_embedding(load_documents(words), options=options, seed=seed), output)


@app.command()
def expansion(
    settings: Settings,
    pairs: Annotated[Path, typer.Option(help="Training pairs as Parquet.")],
    output: Output,
) -> None:
    """Count which methods the answers to titles with a word call."""
    from ncsbench.models.query_expansion import build_expansion
    from ncsbench.records import EXPANSION_SCHEMA, PAIR_SCHEMA
    from ncsbench.storage import iterate_tables, read_json, write_table

    options = read_json(settings)
    options.pop("pairs", None)
    tables = iterate_tables(pairs, PAIR_SCHEMA, ["query", "code"])
    write_table(output, build_expansion(tables, options), EXPANSION_SCHEMA)


@app.command()
def expand(
    query: Annotated[str, typer.Argument(help="A query in words.")],
    expansion: Annotated[Path, typer.Option(help="Table of expansions as Parquet.")],
    minimum_value: Annotated[float, typer.Option(help="Least value that is added.")] = 0.05,
) -> None:
    """Show which method each word of a query brings: word, method, value, added or not."""
    from ncsbench.languages.words import split_words
    from ncsbench.models.query_expansion import Expansion
    from ncsbench.records import EXPANSION_SCHEMA
    from ncsbench.storage import read_table

    table = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    for word in split_words(query):
        best = table.look_up(word)
        if best is None:
            typer.echo(f"{word}\t-\t-\tnot in the table")
            continue
        verdict = "added" if best[1] >= minimum_value else f"below {minimum_value:g}"
        typer.echo(f"{word}\t{best[0]}\t{best[1]:.3f}\t{verdict}")


@app.command()
def index(
    settings: Settings,
    words: Words,
    output: Output,
    embedding: Annotated[Path | None, typer.Option(help="Folder of word vectors.")] = None,
    expansion: Annotated[Path | None, typer.Option(help="Table of expansions as Parquet.")] = None,
) -> None:
    """Make the index of a model over a corpus."""
    from ncsbench.corpus.documents import load_documents
    from ncsbench.models.embedding import load_embedding
    from ncsbench.models.protocol import FitInputs
    from ncsbench.models.query_expansion import Expansion
    from ncsbench.models.registry import create_ranker
    from ncsbench.records import EXPANSION_SCHEMA
    from ncsbench.storage import read_json, read_table

    options = read_json(settings)
    ranker = create_ranker(options["ranker"], seed=options["seed"])
    inputs = FitInputs()
    if embedding is not None:
        inputs["embedding"] = load_embedding(embedding)
    if expansion is not None:
        inputs["expansion"] = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    ranker.fit(corpus=load_documents(words), **inputs)
    ranker.save(output)


@app.command()
def retrieve(
    settings: Settings,
    retrieval: Annotated[Path, typer.Option(help="How deep to search, as JSON.")],
    words: Words,
    index: Annotated[Path, typer.Option(help="Folder of the model's index.")],
    questions: Questions,
    tag: Annotated[str, typer.Option(help="Name of the run in its file.")],
    output: Output,
) -> None:
    """Rank the methods for every question and write a TREC run file."""
    from ncsbench.corpus.documents import load_documents
    from ncsbench.evaluation.questions import read_queries
    from ncsbench.evaluation.runs import write_run
    from ncsbench.models.registry import create_ranker
    from ncsbench.storage import read_json

    options = read_json(settings)
    ranker = create_ranker(options["ranker"], seed=options["seed"])
    ranker.load(index, corpus=load_documents(words))
    depth = read_json(retrieval)["depth"]
    write_run(output, ranker.search(read_queries(questions), k=depth), tag=tag)
