"""Forecast of the requests, hours and disk that fetching a corpus of archives takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from ncsbench.base.text.progress_line import show_seconds
from ncsbench.corpus.archives.download_options import FetchSettings
from ncsbench.corpus.archives.fetching import ASK_AGAIN
from ncsbench.corpus.archives.progress import Estimate, read_sizes, show_bytes
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.repositories import count_rejected, read_repositories
from ncsbench.pipeline.runs.archive_settings import load_archive_dataset, make_fetch_settings

METHODS_PER_BYTE = 635_484 / 518_427_323
"""Methods of the corpus for each byte of Java, in the 381 present repositories of ncsed_383."""
CORPUS_BYTES = 200
"""Bytes of ``data/<dataset>/corpus`` for each method: 121 MB of 635,484."""
DATA_BYTES = 15_000
"""Bytes of ``data/<dataset>`` for each method after Table 1: 9.5 GB of 635,484, with 26 models."""
_HERITAGE_REQUESTS, _HERITAGE_PER_HOUR = 4, 120
_SPEEDS = (1, 10)
_HUB = "github.com"


def plan_corpus(name: str, changes: Sequence[str] = (), root: Path = Path()) -> Iterator[str]:
    """Write lines for people about a dataset whose source is archives.

    Args:
        name: name of the dataset in config/datasets/, or the path of a dataset file.
        changes: changes of the configuration, as ``read_assignments`` takes them.
        root: folder of the Snakefile.

    Raises:
        ConfigurationError: where the dataset cannot be used or has another source.
    """
    run, dataset = load_archive_dataset(name, changes, root)
    settings = make_fetch_settings(run, dataset, root)
    listed = read_repositories(settings.repositories)
    repositories = listed.repositories
    store = ArchiveStore(settings.store, repositories)
    here = sum(store.has(one) for one in repositories)
    settled = sum(not reason.endswith(ASK_AGAIN) for reason in store.missing().values())
    yield (
        f"list        {settings.repositories}: {len(repositories):,} repositories"
        f"{count_rejected(listed)}, {here:,} here" + (f", {settled:,} missing" if settled else "")
    )
    yield from _describe(settings, len(repositories) - here - settled, len(repositories))


def _describe(settings: FetchSettings, asked: int, listed: int) -> Iterator[str]:
    options, sizes = settings.download, read_sizes(settings.sizes)
    zips = sizes.estimate("zip_bytes", asked)
    methods = sizes.estimate("java_bytes", listed).scaled(METHODS_PER_BYTE)
    if options.url_template.startswith("http"):
        seconds = asked / options.requests_per_minute * 60
        each = " and one redirect each" if urlsplit(options.url_template).hostname == _HUB else ""
        yield (
            f"requests    {asked:,}{each}, at most {options.requests_per_minute:g} a minute and "
            f"host: {show_seconds(seconds)}"
        )
        yield f"download    {_show(zips)}: " + ", ".join(
            f"{show_seconds(zips.value / speed / 1e6)} at {speed} MB/s" for speed in _SPEEDS
        )
    else:
        yield f"requests    none: {asked:,} files of {options.url_template}"
        yield f"zips        {_show(zips)}"
    if options.software_heritage:
        gone = 1000 * _HERITAGE_REQUESTS / _HERITAGE_PER_HOUR * 3600
        yield (
            f"gone        about {show_seconds(gone)} for each 1,000 that Software Heritage is "
            f"asked for, without a token ({_HERITAGE_PER_HOUR} requests an hour)"
        )
    yield f"disk        store {_show(sizes.stored(listed))}"
    yield f"            corpus {_show(methods.scaled(CORPUS_BYTES))}"
    yield f"            all of data/ with Table 1 {_show(methods.scaled(DATA_BYTES))}"
    yield f"methods     {methods.value:,.0f} ({methods.low:,.0f} to {methods.high:,.0f})"
    yield (
        f"            scaled from {sizes.count:,} repositories drawn at random "
        f"({settings.sizes}); intervals of 95 %, bootstrap over repositories"
    )


def _show(estimate: Estimate) -> str:
    low, value, high = (show_bytes(one) for one in (estimate.low, estimate.value, estimate.high))
    return f"{value} ({low} to {high})"
