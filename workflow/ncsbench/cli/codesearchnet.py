"""Commands of the CodeSearchNet challenge."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ncsbench.cli.options import OptionalOutput, Output, PlainOutput, Settings, choose_output
from ncsbench.text.safe_text import show_visibly

app = typer.Typer(help="The CodeSearchNet challenge: evaluation and tables.")

_SOURCE = Path("data/sources/codesearchnet")
AnnotationStore = Annotated[
    Path, typer.Option(help="Annotations of the challenge, annotationStore.csv.")
]
Queries = Annotated[Path, typer.Option(help="Queries of the challenge, queries.csv.")]
Published = Annotated[
    Path | None, typer.Option(help="Published figures to stand beside, codesearchnet_tables.csv.")
]
RunFiles = Annotated[list[Path], typer.Option(help="Files of runs, each named after its run.")]
Corpora = Annotated[Path, typer.Option(help="Folder with the corpus of each language.")]
UnseenAnnotations = Annotated[
    Path | None, typer.Option(help="Annotated functions, which no training shall see.")
]
UnseenQueries = Annotated[Path | None, typer.Option(help="Queries, which no training shall see.")]
Languages = Annotated[
    list[str], typer.Option(help="Only this language, such as go; may be repeated.")
]
Filters = Annotated[
    Literal["none", "paper"],
    typer.Option(help="Whether copies are removed and pairs filtered once more."),
]


def _find(path: Path) -> Path:
    """A file of the challenge; one that the workflow gets is told to be got where it is not."""
    from ncsbench.errors import DataError

    if path.parent == _SOURCE and not path.exists():
        raise DataError(
            f"{path}: is not here; `snakemake --cores 1 {path}` gets it, and "
            f"--{'queries' if path.stem == 'queries' else 'annotations'} names another file"
        )
    return path


@app.callback()
def group() -> None:
    """The CodeSearchNet challenge: evaluation and tables."""


@app.command()
def inventory(
    settings: Settings,
    memory: Annotated[Path, typer.Option(help="Folder of what is remembered of commits.")],
    output: Output,
    threads: Annotated[int, typer.Option(help="Repositories at a time.", min=1)] = 1,
) -> None:
    """List what the repositories of a language hold: commits, code files, licence files."""
    from ncsbench.codesearchnet.csn_listing import list_functions_of
    from ncsbench.codesearchnet.csn_settings import InventorySettings
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, InventorySettings)
    list_functions_of(options, memory=memory, output=output, threads=threads)


@app.command()
def extract(
    settings: Settings,
    inventory: Annotated[Path, typer.Option(help="What the sources hold.")],
    shard: Annotated[int, typer.Option(help="Which part of the files, from 0.", min=0)],
    output: Output,
    ledger: Annotated[Path, typer.Option(help="Ledger of this part.")],
) -> None:
    """Extract the functions of one shard of the listed files."""
    from ncsbench.codesearchnet.csn_extraction import extract_shard
    from ncsbench.codesearchnet.csn_settings import ExtractionSettings
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, ExtractionSettings)
    extract_shard(options, inventory=inventory, shard=shard, output=output, ledger=ledger)


@app.command()
def build_corpus(
    settings: Settings,
    inventory: Annotated[Path, typer.Option(help="What the sources hold.")],
    extracted: Annotated[Path, typer.Option(help="Folder of the extracted shards.")],
    output: Output,
) -> None:
    """Make the corpus of a language: copies removed, pairs, parts, ids."""
    from ncsbench.codesearchnet.csn_building import build_corpus_of
    from ncsbench.codesearchnet.csn_settings import FunctionCorpusSettings
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, FunctionCorpusSettings)
    build_corpus_of(options, inventory=inventory, extracted=extracted, output=output)


@app.command()
def export_jsonl(
    corpus: Annotated[Path, typer.Argument(help="Folder of a corpus of one language.")],
    plain: PlainOutput = None,
    output: OptionalOutput = None,
) -> None:
    """Write the pairs of a corpus in the released form: JSON Lines, gzipped, by part."""
    from ncsbench.function_corpus.released_jsonl import write_released_jsonl

    counts = write_released_jsonl(corpus, choose_output(plain, output))
    typer.echo(", ".join(f"{part}: {count:,} pairs" for part, count in counts.items()))


@app.command()
def import_jsonl(
    files: Annotated[list[Path], typer.Argument(help="Files or folders of .jsonl or .jsonl.gz.")],
    language: Annotated[str, typer.Option(help="Of all their functions, such as go.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the corpus to write.")],
    annotations: UnseenAnnotations = None,
    queries: UnseenQueries = None,
    filters: Filters = "none",
) -> None:
    """Make a corpus of released functions; what of a file is of no use stands in its ledger."""
    from ncsbench.codesearchnet.released_import import import_files

    for line in import_files(
        files,
        language=language,
        output=output,
        annotations=annotations,
        queries=queries,
        filters=filters,
    ):
        typer.echo(show_visibly(line))


@app.command()
def check_functions(
    source: Annotated[
        str, typer.Option(help="Clones as a path with {owner} and {repo}; or a folder of folders.")
    ],
    annotations: AnnotationStore = _SOURCE / "annotationStore.csv",
    queries: Queries = _SOURCE / "queries.csv",
    kind: Annotated[Literal["git", "directory"], typer.Option(help="What lies there.")] = "git",
    language: Languages = [],  # noqa: B006  (typer wants a list)
    rules: Annotated[
        Literal["as_meant", "as_released"],
        typer.Option(help="What holds where a released rule never fires."),
    ] = "as_meant",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV file to write, a row a URL.")
    ] = None,
) -> None:
    """Whether there is a function at each annotated URL whose file is at hand, and why not."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.codesearchnet.annotated_functions import find_annotated
    from ncsbench.codesearchnet.function_check import COLUMNS, check_functions
    from ncsbench.function_corpus.annotations import read_queries
    from ncsbench.functions.registry import LANGUAGES, find_language
    from ncsbench.sources.open_sources import open_source

    words = read_queries(queries)
    rows: list[dict[str, str]] = []
    for one in [find_language(name) for name in language] or LANGUAGES.values():
        places = find_annotated(annotations, words, one.name)
        opened = open_source(kind, source, {}, one.suffixes)
        found = check_functions(one.name, places, opened, rules=rules)
        typer.echo(show_visibly(found.describe()))
        rows += found.rows()
    if output:
        write_rows(output, COLUMNS, rows)


@app.command()
def import_released(
    file: Annotated[
        Path, typer.Argument(help="Released zip of a language, or its pickle of definitions.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the corpus to write.")],
    functions: Annotated[
        Literal["pairs", "all"],
        typer.Option(help="Those of the jsonl files, or all of the pickle of definitions."),
    ] = "pairs",
    published: Published = None,
    memory_mb: Annotated[
        int, typer.Option(min=1, help="Memory of the process that reads the pickle, in megabytes.")
    ] = 2000,
    annotations: UnseenAnnotations = None,
    queries: UnseenQueries = None,
    filters: Filters = "none",
) -> None:
    """Make a corpus of a released zip or pickle; with published figures, check its lines."""
    from ncsbench.codesearchnet.released_import import import_zip

    told = import_zip(
        file,
        output=output,
        functions=functions,
        published=published,
        memory_mb=memory_mb,
        annotations=annotations,
        queries=queries,
        filters=filters,
    )
    for line in told:
        typer.echo(show_visibly(line))


@app.command()
def annoy(
    corpora: Corpora,
    encoder: Annotated[Path, typer.Option(help="Folder of a joint encoder.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="CSV file to write.")],
    annotations: AnnotationStore = _SOURCE / "annotationStore.csv",
    queries: Queries = _SOURCE / "queries.csv",
    pool: Annotated[
        list[int] | None,
        typer.Option(
            help="Functions to search, 0 for all; may be repeated: 1000, 10000, 0.", min=0
        ),
    ] = None,
    trees: Annotated[
        list[int] | None, typer.Option(help="Trees of Annoy; may be repeated: 10, 200.", min=1)
    ] = None,
) -> None:
    """What approximate search by Annoy finds of the exact results, and its NDCG, by pool."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.codesearchnet.annoy_comparison import (
        COLUMNS,
        POOLS,
        TREES,
        ComparisonOptions,
        compare_searches,
        find_corpora,
    )
    from ncsbench.encoders.encoder import load_encoder
    from ncsbench.function_corpus.annotations import read_annotations, read_queries

    trained = load_encoder(encoder)
    judged = read_annotations(_find(annotations), read_queries(_find(queries)))
    found = find_corpora(corpora, trained.languages)
    options = ComparisonOptions(pools=pool or POOLS, trees=trees or TREES)
    write_rows(output, COLUMNS, compare_searches(found, trained, judged, options))


@app.command()
def evaluate(
    predictions: Annotated[
        Path, typer.Argument(help="CSV file with the columns language, query, url.")
    ],
    annotations: AnnotationStore = _SOURCE / "annotationStore.csv",
    queries: Queries = _SOURCE / "queries.csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV file by language to write.")
    ] = None,
    per_query: Annotated[Path | None, typer.Option(help="CSV file by query to write.")] = None,
    duplicates: Annotated[
        Literal["once", "as_released"],
        typer.Option(help="Whether a URL that a query has again counts once or each time."),
    ] = "once",
    language: Languages = [],  # noqa: B006  (typer wants a list)
) -> None:
    """NDCG of predictions among annotated functions (Within) and all, and what was not scored."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.codesearchnet.evaluation import COLUMNS, QUERY_COLUMNS, evaluate_submission
    from ncsbench.codesearchnet.submission import read_submission
    from ncsbench.function_corpus.annotations import read_annotations, read_queries
    from ncsbench.functions.registry import find_language

    names = {find_language(name).name for name in language}
    judged = read_annotations(_find(annotations), read_queries(_find(queries)))
    judged = judged.of_languages(names) if names else judged
    read = read_submission(predictions, judged, duplicates=duplicates, languages=names)
    found = evaluate_submission(read, judged)
    if output:
        write_rows(output, COLUMNS, found.by_language())
    if per_query:
        write_rows(per_query, QUERY_COLUMNS, found.by_query())
    typer.echo(show_visibly(found.describe()))


@app.command()
def table2(
    output: Output,
    annotators: Annotated[Path, typer.Option(help="CSV file of disagreement to write.")],
    annotations: AnnotationStore = _SOURCE / "annotationStore.csv",
    queries: Queries = _SOURCE / "queries.csv",
    published: Published = None,
) -> None:
    """Annotations by relevance beside the paper's Table 2, and how far annotators disagree."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.codesearchnet.table2 import (
        ANNOTATOR_COLUMNS,
        COLUMNS,
        count_annotations,
        describe_annotators,
    )
    from ncsbench.function_corpus.annotations import read_annotations, read_queries
    from ncsbench.published.printed_cells import read_published_cells

    judged = read_annotations(_find(annotations), read_queries(_find(queries)))
    write_rows(output, COLUMNS, count_annotations(judged, read_published_cells(published)))
    write_rows(annotators, ANNOTATOR_COLUMNS, describe_annotators(judged))


@app.command()
def pools(
    corpora: Corpora,
    language: Annotated[list[str], typer.Option(help="A language; may be repeated.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Parquet file to write.")],
    annotations: AnnotationStore = _SOURCE / "annotationStore.csv",
    queries: Queries = _SOURCE / "queries.csv",
) -> None:
    """What is searched in each language: how many functions, and which annotated ones."""
    from ncsbench.codesearchnet.function_pool import write_pools
    from ncsbench.function_corpus.annotations import read_annotations, read_queries

    judged = read_annotations(_find(annotations), read_queries(_find(queries)))
    write_pools(output, corpora, language, judged)


@app.command()
def table4(
    settings: Settings,
    ranks: RunFiles,
    pools: Annotated[Path, typer.Option(help="What was searched, as 'pools' writes it.")],
    output: Output,
    differences: Annotated[Path, typer.Option(help="CSV file of differences to write.")],
    annotations: AnnotationStore = _SOURCE / "annotationStore.csv",
    queries: Queries = _SOURCE / "queries.csv",
    published: Published = None,
) -> None:
    """NDCG of systems with intervals, beside the paper's Table 4, and how far they are apart."""
    from ncsbench.codesearchnet.table4 import write_table4
    from ncsbench.codesearchnet.table_options import Table4Settings
    from ncsbench.configuration.settings_files import read_settings

    write_table4(
        read_settings(settings, Table4Settings),
        annotations=_find(annotations),
        queries=_find(queries),
        ranks=ranks,
        pools=pools,
        published=published,
        output=output,
        differences=differences,
    )


@app.command()
def table1(
    corpora: Corpora,
    language: Annotated[list[str], typer.Option(help="A language; may be repeated.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="CSV file to write.")],
    published: Published = None,
) -> None:
    """Functions of the corpora, stage by stage, beside the paper's Table 1."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.codesearchnet.table1 import COLUMNS, count_functions
    from ncsbench.published.printed_cells import read_published_cells

    rows = count_functions(corpora, language, read_published_cells(published))
    write_rows(output, COLUMNS, rows)


@app.command()
def choices(
    settings: Settings,
    ranks: RunFiles,
    output: Annotated[Path, typer.Option("--output", "-o", help="CSV file to write.")],
) -> None:
    """What the open choices of the encoders change."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.codesearchnet.table3 import choice_columns, compare_choices
    from ncsbench.codesearchnet.table_options import ChoiceSettings
    from ncsbench.configuration.settings_files import read_settings

    options = read_settings(settings, ChoiceSettings)
    write_rows(output, choice_columns(options.pools), compare_choices(options, ranks))


@app.command()
def table3(
    settings: Settings,
    ranks: RunFiles,
    records: RunFiles,
    output: Annotated[Path, typer.Option("--output", "-o", help="CSV file to write.")],
    published: Published = None,
) -> None:
    """MRR of test pairs among distractors, beside the paper's Table 3."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.codesearchnet.table3 import build_table3, table3_columns
    from ncsbench.codesearchnet.table_options import Table3Settings
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.published.printed_cells import read_published_cells

    options = read_settings(settings, Table3Settings)
    rows = build_table3(options, ranks, records, read_published_cells(published))
    write_rows(output, table3_columns(options.pools), rows)
