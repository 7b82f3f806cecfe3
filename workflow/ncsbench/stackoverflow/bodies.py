"""Code in the bodies of posts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class CodeBlock:
    """A piece of code in a body, as text.

    Attributes:
        text: the code with entities resolved, without outer blank lines.
        kind: ``block`` (``pre`` with ``code``), ``preformatted`` (``pre`` alone), ``inline``.
        language: from a class or a comment of the body, lower-case ("java"); None where unstated.
    """

    text: str
    kind: Literal["block", "preformatted", "inline"]
    language: str | None


def extract_code(html: str) -> list[CodeBlock]:
    """All code of a body in document order."""
    raise NotImplementedError
