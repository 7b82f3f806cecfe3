"""Attribution of posts: names and links, as CC BY-SA requires."""

from __future__ import annotations


def author_name(user_id: int | None, display_name: str | None) -> str:
    """The name of a post's author; empty where the dump names nobody."""
    if display_name:
        return display_name
    return "" if user_id is None else f"user{user_id}"


def author_url(site: str, user_id: int | None) -> str:
    """The page of a post's author on ``site`` ("https://stackoverflow.com"), or an empty text."""
    return "" if user_id is None else f"{site}/users/{user_id}"


def question_url(site: str, question_id: int) -> str:
    """The page of a question."""
    return f"{site}/questions/{question_id}"


def answer_url(site: str, answer_id: int) -> str:
    """The page that shows an answer below its question."""
    return f"{site}/a/{answer_id}"
