"""The one job that fetches the archives a store lacks; it may be ended and started at any moment.

Its progress can be asked for also while it works.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import re
import shutil
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ncsbench.base.files.run_lock import RunIsBusyError, lock_folder
from ncsbench.base.files.storage import format_json, read_json, write_json
from ncsbench.base.text.progress_line import ProgressLine, report
from ncsbench.base.text.safe_text import show_line
from ncsbench.corpus.archives.download_options import FetchSettings
from ncsbench.corpus.archives.http_client import Clock, HttpClient
from ncsbench.corpus.archives.one_archive import Fetcher, Outcome, check_disk
from ncsbench.corpus.archives.progress import Progress, read_sizes, show_bytes
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.repositories import Repository, count_rejected, read_repositories
from ncsbench.corpus.sources.source_at_hand import hash_store
from ncsbench.errors import DataError

STILL_TO_ASK = ", Software Heritage still to be asked"
"""End of the reason of a missing repository until Software Heritage was asked for it, too."""
ASK_AGAIN = ", to be asked for again"
"""End of the reason where the network may have failed: a later run asks again."""
IN_A_ROW = 20
"""Number of failures in a row that may be the fault of the network or the host."""
_MOST_REFUSED = 100
"""Number of gone repositories, with none found, that shows the address to be wrong."""
_KNOWN = 3
"""Number of answered repositories that are asked for once more when the network may be down."""
_FULL_COMMIT = re.compile(r"[0-9a-f]{40}")
_SPOOL = "*.spool"
_DETAIL = re.compile(r"\(.*\)|[0-9a-f]{40}")
_LOG = logging.getLogger("fetch")


def fetch_archives(
    settings: FetchSettings, *, retry_missing: bool = False, clock: Clock | None = None
) -> dict[str, Any]:
    """Fetch the archives that the store lacks, and seal the store.

    Args:
        settings: the list, the store, and how servers are asked.
        retry_missing: whether to ask again for what an earlier run found missing.
        clock: for tests.

    Returns:
        The store's manifest.

    Raises:
        ConfigurationError: where the list, the store or a token cannot be used.
        DataError: where the disk is full, the network is down, or nothing could be fetched;
            what was fetched stays.
    """
    repositories = read_repositories(settings.repositories).repositories
    with _lock(settings.work_folder) as folder, ProgressLine(sys.stderr):
        store = ArchiveStore(settings.store, repositories)
        job = _Job(settings, store, repositories, folder, clock or Clock())
        return job.run(retry_missing=retry_missing)


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[Path]:
    try:
        lock = lock_folder(folder)
    except RunIsBusyError as error:
        raise RunIsBusyError(f"{folder}: is fetched into at the moment: {error}") from error
    with lock:
        _clean(folder)  # of a job that was killed
        try:
            yield folder
        finally:
            _clean(folder)


def _clean(folder: Path) -> None:
    for path in folder.glob(_SPOOL):
        path.unlink(missing_ok=True)


@dataclass
class _Job:
    settings: FetchSettings
    store: ArchiveStore
    repositories: Sequence[Repository]
    folder: Path
    clock: Clock
    _held: list[Outcome] = field(default_factory=list, init=False)
    """Repositories that failed, perhaps by an outage."""
    _in_a_row: int = field(default=0, init=False)
    """Number of failures since an archive arrived."""
    _known: deque[Repository] = field(default_factory=lambda: deque(maxlen=_KNOWN), init=False)
    """Repositories that were answered last; gone ones among them only where no archive arrived."""
    _refused: int = field(default=0, init=False)
    _silences: int = field(default=0, init=False)
    _asks_heritage: bool = field(default=True, init=False)

    def run(self, *, retry_missing: bool) -> dict[str, Any]:
        options = self.settings.download
        missing = self.store.missing()
        here = {one for one in self.repositories if self.store.has(one)}
        lacking = [one for one in self.repositories if one not in here]
        # Asked again means from the start: what the archives lacked may have come to them.
        half = [one for one in lacking if not retry_missing and self._is_half_asked(one, missing)]
        unsure = {name for name, why in missing.items() if why.endswith(ASK_AGAIN)}
        settled = set() if retry_missing else missing.keys() - unsure
        listed = [one for one in lacking if one.full_name not in settled and one not in half]
        # Those that fail each time must not keep a run from the others.
        listed.sort(key=lambda one: one.full_name in unsure)
        self._works = bool(here)
        self._known.extend(one for one in self.repositories if one in here)
        self._reasons = {name: why.removesuffix(STILL_TO_ASK) for name, why in missing.items()}
        asked = len(half) + len(listed)
        self._progress = Progress(
            missing=len(lacking) - asked,
            waiting=asked,
        )
        if asked:
            self._prepare(asked)
            client = HttpClient(options, clock=self.clock)
            self._fetcher = Fetcher(options, client, self.store, self.folder)
            self._results: queue.SimpleQueue[Future[Outcome]] = queue.SimpleQueue()
            listing = ThreadPoolExecutor(options.connections)
            self._heritage = ThreadPoolExecutor(options.connections)
            try:
                self._submit(listing, self._fetcher.fetch_listed, listed)
                self._submit(self._heritage, self._fetcher.fetch_heritage, half)
                self._collect()
            finally:
                client.stop()
                for pool in (listing, self._heritage):
                    pool.shutdown(cancel_futures=True)
        return self._finish()

    def _submit(
        self,
        pool: ThreadPoolExecutor,
        work: Callable[[Repository], Outcome],
        repositories: Iterable[Repository],
    ) -> None:
        for one in repositories:
            pool.submit(work, one).add_done_callback(self._results.put)

    def _is_half_asked(self, repository: Repository, missing: dict[str, str]) -> bool:
        reason = missing.get(repository.full_name, "")
        return reason.endswith(STILL_TO_ASK) and self._has_heritage(repository)

    def _has_heritage(self, repository: Repository) -> bool:
        """Say whether Software Heritage can be asked: it wants a whole commit id."""
        named = repository.commit is not None and _FULL_COMMIT.fullmatch(repository.commit)
        return bool(named and self.settings.download.software_heritage)

    def _prepare(self, count: int) -> None:
        options = self.settings.download
        estimate = round(read_sizes(self.settings.sizes).stored(count).value)
        self.settings.store.mkdir(parents=True, exist_ok=True)
        check_disk(self.settings.store, options.least_free_bytes + estimate)
        if not options.contact and options.url_template.startswith("http"):
            _LOG.warning(
                "download.contact is empty: servers are not told whom to write to; "
                "name a mail address or page"
            )

    def _collect(self) -> None:
        """Take the results of the threads, until nothing is left to do."""
        while waiting := self._progress.waiting:
            found, done = self._progress, self._progress.done
            said = f"{found.missing:,} missing, {show_bytes(found.bytes)} fetched, repositories"
            report(said, done, done + waiting)
            # Much failed since the last success, or nothing else is left to do.
            if self._in_a_row >= IN_A_ROW or len(self._held) == waiting:
                self._judge()
                continue
            with contextlib.suppress(queue.Empty):
                future = self._results.get(timeout=1.0)
                if future.cancelled():  # Software Heritage does not answer
                    self._progress.settle()
                else:
                    self._take(future.result())

    def _take(self, outcome: Outcome) -> None:
        """Record the outcome of a repository, or hold it back while the network may be at fault."""
        if not outcome.reason:
            self._progress.settle(outcome.bytes)
            if outcome.heritage:
                self._silences = 0
            else:
                self._works, self._in_a_row = True, 0
                self._known.append(outcome.repository)
        elif outcome.heritage:
            self._record(outcome)
        elif outcome.certain:
            self._give_up(outcome)
            if not self._works:
                self._known.append(outcome.repository)
                self._refuse(outcome)
        else:
            self._held.append(outcome)
            self._in_a_row += 1

    def _judge(self) -> None:
        """Ask again for archives answered before: only an outage prevents an answer now."""
        if not self._known or not self._fetcher.check_host(tuple(self._known)):
            raise self._stop()
        for outcome in self._held:
            self._give_up(outcome)
        self._held, self._in_a_row = [], 0

    def _stop(self) -> DataError:
        """Note that the next run asks again for the repositories that failed, after all others."""
        for outcome in self._held:
            self.store.add_missing(outcome.repository, outcome.reason + ASK_AGAIN)
        last = self._held[-1]
        return DataError(
            f"{len(self._held)} repositories in a row could not be fetched, the last one "
            f"({last.repository.full_name}) because of: {last.reason}; see that the network and "
            "download.url_template are right and start again: what was fetched stays"
        )

    def _refuse(self, outcome: Outcome) -> None:
        """Count gone repositories while none is present: no run shall ask for all in vain."""
        self._refused += 1
        if self._refused == _MOST_REFUSED:
            raise DataError(
                f"none of {self._refused} repositories could be fetched, the last one "
                f"({outcome.repository.full_name}) because of: {outcome.reason}; if "
                "download.url_template is wrong, correct it, then: ncsbench corpus fetch "
                f"{self.settings.arguments} --retry missing; if it is right, start again without "
                "--retry"
            )

    def _give_up(self, outcome: Outcome) -> None:
        """Record a repository as missing at its address; Software Heritage is asked next."""
        asks = self._has_heritage(outcome.repository)
        reason = outcome.reason + (STILL_TO_ASK if asks else "")
        self.store.add_missing(outcome.repository, reason)
        if asks and self._asks_heritage:
            self._reasons[outcome.repository.full_name] = outcome.reason
            self._submit(self._heritage, self._fetcher.fetch_heritage, [outcome.repository])
        else:
            self._progress.settle()

    def _record(self, outcome: Outcome) -> None:
        """Record the answer of Software Heritage; without an answer, a later run asks again."""
        name = outcome.repository.full_name
        reason = f"{self._reasons[name]}, Software Heritage: {outcome.reason}"
        if outcome.certain:
            self.store.add_missing(outcome.repository, reason)
        self._progress.settle()
        _LOG.info("%s: %s", name, reason)
        self._silences = 0 if outcome.certain else self._silences + 1
        if self._silences == IN_A_ROW and self._asks_heritage:
            self._asks_heritage = False
            self._heritage.shutdown(wait=False, cancel_futures=True)
            _LOG.warning("Software Heritage does not answer: it is asked by the next run again")

    def _finish(self) -> dict[str, Any]:
        manifest = self.store.seal()
        state, counts = self._progress, manifest["counts"]
        _LOG.info(
            "%s: %s of %s repositories, %s of them new (%s), %s missing",
            self.settings.store,
            f"{counts['repositories']:,}",
            f"{len(self.repositories):,}",
            f"{state.fetched:,}",
            show_bytes(state.bytes),
            f"{counts['missing']:,}",
        )
        if not counts["repositories"]:
            reasons = sorted(manifest["missing"].items())
            name, why = reasons[0] if reasons else ("", "nothing was asked for")
            raise DataError(
                f"{self.settings.repositories}: no repository could be fetched ({name}: {why}); "
                "see that download.url_template is right, then: ncsbench corpus fetch "
                f"{self.settings.arguments} --retry missing"
            )
        return manifest


def describe_status(settings: FetchSettings, *, names: bool = False) -> Iterator[str]:
    """Lines about the repositories that are fetched or missing, the reasons, and the disk.

    Args:
        settings: of the fetching job.
        names: whether to name each missing repository and each line of the list that was left
            out with its reason, too.
    """
    listed = read_repositories(settings.repositories)
    repositories = listed.repositories
    store = ArchiveStore(settings.store, repositories)
    missing = store.missing()
    fetched = sum(store.has(one) for one in repositories)
    left = len(repositories) - fetched - len(missing)
    yield (
        f"list        {settings.repositories}: {len(repositories):,} repositories"
        f"{count_rejected(listed)}"
    )
    yield f"fetched     {fetched:,}"
    yield f"missing     {len(missing):,}"
    # Without the details that are particular to one repository.
    reasons = (_DETAIL.sub("", each.removesuffix(STILL_TO_ASK)) for each in missing.values())
    counts = Counter(" ".join(reason.split()) for reason in reasons)
    for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:11,} {show_line(reason)}"
    yield f"not asked   {left:,}"
    used = _folder_bytes(settings.store)
    there = (path for path in (settings.store, *settings.store.absolute().parents) if path.exists())
    free = shutil.disk_usage(next(there)).free
    sizes = read_sizes(settings.sizes)
    more = sizes.stored(left).value
    yield (
        f"disk        {settings.store}: {show_bytes(used)}, about {show_bytes(more)} to come, "
        f"{show_bytes(free)} free"
    )
    if names:
        for name, reason in missing.items():
            yield f"{name}\t{show_line(reason)}"
        for line, reason in listed.rejected:
            yield f"{show_line(line)}\tleft out: {reason}"


def summarise_store(settings: FetchSettings) -> str:
    """One line about a sealed store, for the end of a job; empty where no store is sealed."""
    manifest = settings.store / "manifest.json"
    counts = read_json(manifest).get("counts") if manifest.exists() else None
    if counts is None:
        return ""
    return (
        f"{settings.store}: fetched {counts['repositories']:,}, missing {counts['missing']:,}"
        f"{count_rejected(read_repositories(settings.repositories))}; "
        f"what and why: ncsbench corpus status {settings.arguments} --list"
    )


def _folder_bytes(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):  # a job renames and removes files
                total += Path(parent, name).stat().st_size
    return total


def fill_store(settings: FetchSettings, state: Path, output: Path) -> None:
    """Fetch the archives that a store lacks, politely; may be stopped and started at any moment.

    The file ``state`` is brought up to date: it described the store as it was when the run began,
    and a later run must not take the archives that this run fetched for new.

    Args:
        settings: the list of repositories, the store, and how servers are asked.
        state: state of the raw input ``source``, as ``RawInputs`` describes it.
        output: JSON file to write: folder of the store, SHA-256 of its content, and its counts.
    """
    fetch_archives(settings)
    print(f"ncsbench: {show_line(summarise_store(settings))}")  # noqa: T201  (for the console)
    sha256 = hash_store(settings.store)
    known = read_json(state)
    if state.read_text(encoding="utf-8") != format_json(known | {"sha256": sha256}):
        write_json(state, known | {"sha256": sha256})
    counts = read_json(settings.store / "manifest.json")["counts"]
    write_json(output, {"store": str(settings.store), "sha256": sha256, "counts": counts})
