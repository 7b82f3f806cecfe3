"""Options of requests to servers and of archives to ask for, and the settings of the job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from ncsbench.base.configuration.strict_model import Names, StrictModel

Seconds = Annotated[float, Field(gt=0, le=10**6)]
"""Seconds to wait, at most eleven days: the waits of the system have a limit."""
_TOKENS = {
    "GITHUB_TOKEN": ("github.com", "codeload.github.com", "api.github.com"),
    "SWH_TOKEN": ("archive.softwareheritage.org",),
}
_WEB = ("https://", "http://")


class DownloadOptions(StrictModel):
    """Rates, patience and identity of the requests to servers (docs/corpus.md)."""

    contact: str = Field("", max_length=200, pattern=r"^([!-~]+( [!-~]+)*)?$")
    """A mail address or page, for the operators of the servers; part of the User-Agent."""
    connections: int = Field(4, ge=1, le=32)
    """Requests that are under way to one host at the same time."""
    requests_per_minute: float = Field(60, ge=0.0001)
    """Requests that are sent to one host within a minute, evenly spaced."""
    attempts: int = Field(7, ge=1)
    """Number of times that a request is made before it counts as failed, where a later one may
    succeed."""
    first_wait_seconds: Seconds = 2
    """The second attempt follows at once, the third after twice this wait, which then doubles."""
    longest_wait_seconds: Seconds = 3600
    """No wait is longer, whatever a server asks for."""
    timeout_seconds: Seconds = 30
    """Time that a server may take to accept a connection, and then to send the next bytes."""
    least_bytes_per_second: float = Field(1000, ge=0)
    """A download that is slower, on average over a time-out, is stopped and asked for again."""
    tokens: dict[str, Names] = _TOKENS
    """Environment variables that may hold a token, each with the only hosts that the token is sent
    to, over HTTPS; a host has ``:port`` where its port is not that of the scheme. A token raises
    the limits of some servers."""


def _check_address(url: str, beginnings: tuple[str, ...] = _WEB) -> str:
    """Let pass an address that can be asked; no message shows a possible password."""
    try:
        address = urlsplit(url)
        _ = address.port
    except ValueError:
        raise ValueError("is no address; write https://host/...") from None
    if "@" in address.netloc:
        raise ValueError("has a user name in its address; remove it (tokens: see download.tokens)")
    if not url.startswith(beginnings):
        raise ValueError(f"does not begin with {' or '.join(beginnings)}")
    if address.scheme != "file" and not address.hostname:
        raise ValueError("names no host")
    return url


def _check_heritage(url: str) -> str:
    return _check_address(url) if url else url


def _check_template(template: str) -> str:
    rest = _check_address(template, (*_WEB, "file:///"))
    for name in ("{owner}", "{repo}", "{commit}"):
        if name not in template and name != "{commit}":  # a mirror may have one zip for each
            raise ValueError(f"{name} is not in {template!r}")
        rest = rest.replace(name, "")
    if "{" in rest or "}" in rest:
        raise ValueError(f"{template!r} has other braces than {{owner}}, {{repo}} and {{commit}}")
    return template


class ArchiveOptions(DownloadOptions):
    """The archives that are asked for, and options of the requests; the block ``download``."""

    url_template: Annotated[str, AfterValidator(_check_template)] = (
        "https://github.com/{owner}/{repo}/archive/{commit}.zip"
    )
    """Address of the zip of a commit: ``https://``, ``http://`` or ``file:///``, with ``{owner}``
    and ``{repo}``, and with ``{commit}`` (``HEAD`` where the list names none) unless the server has
    one zip for each repository; the comment of such a zip names its commit."""
    software_heritage: Annotated[str, AfterValidator(_check_heritage)] = (
        "https://archive.softwareheritage.org"
    )
    """Address of Software Heritage, which is asked for a commit that is gone; empty to ask
    nobody."""
    bundle_hours: float = Field(6, gt=0)
    """Hours that Software Heritage may take to prepare one commit."""
    bundle_poll_seconds: Seconds = 5
    """Wait before Software Heritage is asked whether the commit is ready; it grows to two
    minutes."""
    maximum_bytes: int = Field(4 * 2**30, ge=1)
    """Largest size of an archive; a larger one is not taken."""
    archive_attempts: int = Field(3, ge=1)
    """Number of times that an archive is fetched which arrives damaged."""
    least_free_bytes: int = Field(2 * 2**30, ge=0)
    """Least free space of the disk: fetching stops before less is free."""


class FetchSettings(StrictModel):
    """Settings of the stage ``fetch``."""

    repositories: Path
    """The list of repositories."""
    store: Path
    """Folder of the store."""
    sizes: Path
    """CSV of measured archives, by which the disk that is needed is estimated."""
    arguments: str = ""
    """Arguments that name the dataset in commands typed by hand, for messages:
    ``--dataset ...``."""
    download: ArchiveOptions = ArchiveOptions()
    """The archives that are asked for, and options of the requests."""

    @property
    def work_folder(self) -> Path:
        """Folder beside the store: the lock of the fetching job, its progress, and zips in passing.

        The folder does not depend on the link by which the store was reached: one store has one
        lock.
        """
        store = self.store.resolve()
        return store.with_name(f"{store.name}.fetching")
