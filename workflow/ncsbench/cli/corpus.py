"""Commands that turn repositories into a corpus and its words."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Corpus, Output, Settings

app = typer.Typer(help="Repositories, methods, words.")


Inventory = Annotated[Path, typer.Option(help="What the sources hold, of corpus inventory.")]


@app.command()
def inventory(
    settings: Settings,
    output: Output,
    threads: Annotated[int, typer.Option(help="Repositories at a time.", min=1)] = 1,
) -> None:
    """List what every repository holds: its commit, Java files and licence files."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.corpus_settings import ListSettings
    from ncsbench.corpus.inventory import write_inventory
    from ncsbench.corpus.repositories import read_repositories
    from ncsbench.corpus.sources import open_source

    options = read_settings(settings, ListSettings)
    listed = read_repositories(Path(options.repositories))
    source = open_source(options.source.kind, options.source.path)
    if options.source.kind == "archive":
        threads = 1  # a store is read shard by shard
    write_inventory(listed, source, output=output, threads=threads)


@app.command()
def extract(
    settings: Settings,
    inventory: Inventory,
    shard: Annotated[int, typer.Option(help="Which part of the files, from 0.", min=0)],
    output: Output,
    ledger: Annotated[Path, typer.Option(help="Ledger of this part.")],
) -> None:
    """Extract the methods of one shard of the listed files."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.corpus_settings import CorpusSettings
    from ncsbench.corpus.extraction import extract_methods
    from ncsbench.corpus.inventory import iterate_shard
    from ncsbench.corpus.sources import open_source

    options = read_settings(settings, CorpusSettings)
    extract_methods(
        iterate_shard(inventory, shard=shard, shards=options.shards),
        open_source(options.source.kind, options.source.path),
        methods=output,
        ledger=ledger,
        options=options,
    )


@app.command()
def build(
    settings: Settings,
    inventory: Inventory,
    extracted: Annotated[Path, typer.Option(help="Folder of the extracted shards.")],
    output: Output,
) -> None:
    """Number the methods of all shards and write the corpus."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.assembly import build_corpus
    from ncsbench.corpus.corpus_settings import CorpusSettings
    from ncsbench.corpus.layout import CorpusFolder

    options = read_settings(settings, CorpusSettings)
    names = [f"{shard:04}" for shard in range(options.shards)]
    build_corpus(
        extracted=[extracted / f"{name}.parquet" for name in names],
        ledgers=[extracted / f"{name}.ledger.parquet" for name in names],
        inventory=inventory,
        corpus=CorpusFolder(output),
        duplicates=options.duplicates,
        source_path=options.source.path,
    )


@app.command()
def words(settings: Settings, corpus: Corpus, output: Output) -> None:
    """Split the items of every method into words, as the word options say."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.documents import save_documents
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.corpus.word_extraction import build_documents
    from ncsbench.corpus.word_options import WordOptions

    options = read_settings(settings, WordOptions)
    save_documents(build_documents(CorpusFolder(corpus), options), output)


@app.command()
def generate(
    corpus: Corpus,
    methods: Annotated[int, typer.Option(help="Size of the new corpus.", min=1)],
    output: Output,
) -> None:
    """Make a corpus of any size from a built one by renaming identifiers, for benchmarks."""
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.corpus.synthetic_corpus import generate_corpus

    generate_corpus(CorpusFolder(corpus), methods=methods, output=output)
