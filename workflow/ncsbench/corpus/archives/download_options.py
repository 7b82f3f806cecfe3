"""How servers are asked for files, which archives are asked for, and the settings of the job."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from ncsbench.base.configuration.strict_model import Names, StrictModel

Seconds = Annotated[float, Field(gt=0, le=10**6)]
"""At most eleven days: what the system can wait for has an end."""
_TOKENS = {
    "GITHUB_TOKEN": ("github.com", "codeload.github.com", "api.github.com"),
    "SWH_TOKEN": ("archive.softwareheritage.org",),
}
_WEB = ("https://", "http://")


class DownloadOptions(StrictModel):
    """How servers are asked: how often, how patiently, and as whom (docs/fetching.md)."""

    contact: str = Field("", max_length=200, pattern=r"^([!-~]+( [!-~]+)*)?$")
    """A mail address or page, for the operators of the servers; part of the User-Agent."""
    connections: int = Field(4, ge=1, le=32)
    """Requests that are under way to one host at the same time."""
    requests_per_minute: float = Field(60, ge=0.0001)
    """Requests that are sent to one host within a minute, evenly spaced."""
    attempts: int = Field(7, ge=1)
    """How often a request is made before it counts as failed, where a later one may succeed."""
    first_wait_seconds: Seconds = 2
    """The second attempt follows at once, the third after twice this wait, which then doubles."""
    longest_wait_seconds: Seconds = 3600
    """No wait is longer, whatever a server asks for."""
    timeout_seconds: Seconds = 30
    """How long a server may take to accept a connection, and then to send the next bytes."""
    least_bytes_per_second: float = Field(1000, ge=0)
    """A download that is slower, on average over a time-out, is stopped and asked for again."""
    tokens: dict[str, Names] = _TOKENS
    """Environment variables that may hold a token, and the only hosts that it is sent to, over
    HTTPS; with ``:port`` where it is another than that of the scheme. A token raises the limits of
    some servers."""


def _check_address(url: str, beginnings: tuple[str, ...] = _WEB) -> str:
    """Let pass an address that can be asked; a message never shows what may be a password."""
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
    """Which archives are asked for, and how; the block ``download``."""

    url_template: Annotated[str, AfterValidator(_check_template)] = (
        "https://github.com/{owner}/{repo}/archive/{commit}.zip"
    )
    """Where the zip of a commit is: ``https://``, ``http://`` or ``file:///``, with ``{owner}`` and
    ``{repo}``, and with ``{commit}`` (``HEAD`` where the list names none) unless it has one zip for
    each repository, whose comment says of which commit it is."""
    software_heritage: Annotated[str, AfterValidator(_check_heritage)] = (
        "https://archive.softwareheritage.org"
    )
    """Who is asked for a commit that is gone; empty for nobody."""
    bundle_hours: float = Field(6, gt=0)
    """How long Software Heritage may take to prepare one commit."""
    bundle_poll_seconds: Seconds = 5
    """The wait before it is asked whether it is ready; it grows to two minutes."""
    maximum_bytes: int = Field(4 * 2**30, ge=1)
    """A larger archive is not taken."""
    archive_attempts: int = Field(3, ge=1)
    """How often an archive is fetched that came damaged."""
    least_free_bytes: int = Field(2 * 2**30, ge=0)
    """Fetching stops before less of the disk is free."""
    progress_seconds: Seconds = 30
    """Time between two lines about the progress."""


class FetchSettings(StrictModel):
    """Settings of the stage ``fetch``."""

    repositories: Path
    """The list of repositories."""
    store: Path
    """Folder of the store."""
    sizes: Path
    """CSV of measured archives, by which the disk that is needed is estimated."""
    arguments: str = ""
    """By which commands by hand name the dataset, for messages: ``--dataset ...``."""
    download: ArchiveOptions = ArchiveOptions()
    """Which archives are asked for, and how."""

    @property
    def work_folder(self) -> Path:
        """Beside the store: the lock of the fetching job, its progress, and zips in passing.

        The same folder by whichever link the store was reached: one store has one lock.
        """
        store = self.store.resolve()
        return store.with_name(f"{store.name}.fetching")
