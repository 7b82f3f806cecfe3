"""How servers are asked for files."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ncsbench.configuration.strict_model import Names, StrictModel

_Seconds = Annotated[float, Field(gt=0)]


class DownloadOptions(StrictModel):
    """How servers are asked: how often, how patiently, and as whom (docs/archives.md)."""

    contact: str = Field("", max_length=200, pattern=r"^[!-~]*( [!-~]+)*$")
    """A mail address or page, for the operators of the servers; part of the User-Agent."""
    connections: int = Field(4, ge=1, le=32)
    """Requests that are under way to one host at the same time."""
    requests_per_minute: float = Field(60, gt=0)
    """Requests that are sent to one host within a minute, evenly spaced."""
    attempts: int = Field(7, ge=1)
    """How often a request is made before it counts as failed, where a later one may succeed."""
    first_wait_seconds: _Seconds = 2
    """The wait before the second attempt; it doubles from attempt to attempt."""
    longest_wait_seconds: _Seconds = 3600
    """No wait is longer, whatever a server asks for."""
    timeout_seconds: _Seconds = 30
    """How long a server may take to accept a connection, and to send the next bytes."""
    least_bytes_per_second: float = Field(1000, ge=0)
    """A download that is slower, on average over a time-out, is stopped and asked for again."""
    token_variable: str = Field("GITHUB_TOKEN", pattern="^[A-Za-z_][A-Za-z0-9_]*$")
    """The environment variable that may hold a token; it raises the limits of some servers."""
    token_hosts: Names = ("github.com", "codeload.github.com", "api.github.com")
    """The only hosts that the token is sent to, over HTTPS; with ``:port`` where it is another than
    that of the scheme."""
