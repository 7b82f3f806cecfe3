"""Manual curation: a reader sees one candidate after the other and keeps it or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ncsbench.questions.curation_file import Decision, Place
from ncsbench.text.safe_text import cut_text, show_line

REASONS = (
    "vague question",
    "vague answer",
    "the answer does not fit the question",
    "a discussion or an opinion",
    "not a question about code",
    "too special to one project",
)
"""Usual reasons not to keep a question."""

_KEYS = {
    "y": "yes", "n": "no", "b": "back", "s": "skip", "f": "full", "q": "quit", "?": "help",
}  # fmt: skip
_PROMPT = "Keep? y/n, b back, s skip, f full text, q quit, ? help: "
_HELP = """\
y  keep the question
n  do not keep it; a reason is asked for
b  back to the question before, also to change what was decided
s  skip it for now; it is shown again when the tool is started anew
f  show the texts without cutting them
q  quit; so do Ctrl-C and Ctrl-D
Each decision is written at once. Starting again goes on with the first question left."""
_MOST_LINES = 40
_MOST_REASON = 1000
"""Characters of a reason that are kept: a cell of a CSV file cannot be read at any length."""
_MOST_MATCH_LINES = 20
_UNCUT = 10**9


@dataclass(frozen=True)
class MatchShown:
    """A method that resembles the answer."""

    similarity: float
    place: Place
    code: str


@dataclass(frozen=True)
class Candidate:
    """A question with its answer and matches, best first, for a reader to judge."""

    id: str
    title: str
    link: str
    answer: str
    answer_link: str
    matches: tuple[MatchShown, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        """Where its matches stand."""
        return tuple(match.place for match in self.matches)


class Console(Protocol):
    """Shows text to a reader and takes the answers."""

    width: int

    def write(self, text: str) -> None:
        """Show text that is safe and a line end."""

    def ask_key(self, prompt: str) -> str:
        """What the reader pressed; ``EOFError`` or ``KeyboardInterrupt`` where they leave."""

    def ask_line(self, prompt: str) -> str:
        """A line of the reader's; raises like ``ask_key``."""


def curate(
    candidates: Sequence[Candidate],
    decisions: Mapping[str, Decision],
    *,
    console: Console,
    save: Callable[[dict[str, Decision]], None],
) -> dict[str, Decision]:
    """Ask about every candidate without a decision, or with a match that is new to it, in order.

    Args:
        candidates: what to ask about.
        decisions: those made before, by id; those on other ids are kept at the end.
        console: where to ask.
        save: called with all decisions, in the order of the candidates, after each one.

    Returns:
        All decisions, also where the reader left early.
    """
    made, saved = dict(decisions), dict(decisions)
    position = _next_open(candidates, made, 0)
    try:
        while True:
            if position == len(candidates):
                answer, reason = _ask_at_the_end(candidates, made, console), ""
            else:
                answer, reason = _ask(candidates, position, made, console)
            if answer == "quit":
                break
            if answer == "back":
                position = max(position - 1, 0)
                continue
            if answer in {"yes", "no"}:
                asked = candidates[position]
                seen = made[asked.id].seen if asked.id in made else ()
                decision = Decision(answer == "yes", reason, seen)
                made[asked.id] = decision.with_seen(asked.places)
                save(_in_order(candidates, made))
                saved = dict(made)
            position = _next_open(candidates, made, position + 1)
    except (EOFError, KeyboardInterrupt):
        console.write("")
        if made != saved:  # the interrupt may have come while a decision was written
            save(_in_order(candidates, made))
    return _in_order(candidates, made)


def summarise(candidates: Sequence[Candidate], decisions: Mapping[str, Decision]) -> str:
    """How many are kept, not kept and left."""
    kept = [decisions[each.id].keep for each in candidates if _is_decided(each, decisions)]
    left = len(candidates) - len(kept)
    return f"{sum(kept)} kept, {len(kept) - sum(kept)} not kept, {left} left"


def _ask(
    candidates: Sequence[Candidate], position: int, made: Mapping[str, Decision], console: Console
) -> tuple[str, str]:
    """The reader's answer (a value of ``_KEYS``) and the reason for a "no"."""
    _show(candidates, position, made, console, full=False)
    while True:
        pressed = console.ask_key(_PROMPT).strip().lower()
        answer = _KEYS.get(pressed, pressed)
        if answer == "full":
            _show(candidates, position, made, console, full=True)
        elif answer == "no":
            if reason := _ask_reason(console):
                return "no", reason
            console.write("No reason, nothing decided.")
        elif answer in _KEYS.values() and answer != "help":
            return answer, ""
        else:
            console.write(_HELP)


def _ask_at_the_end(
    candidates: Sequence[Candidate], made: Mapping[str, Decision], console: Console
) -> str:
    console.write(f"\nThat was the last question: {summarise(candidates, made)}.")
    pressed = console.ask_key("b back, any other key to quit: ").strip().lower()
    return "back" if candidates and _KEYS.get(pressed, pressed) == "back" else "quit"


def _ask_reason(console: Console) -> str:
    for number, reason in enumerate(REASONS, 1):
        console.write(f"  {number}  {reason}")
    text = show_line(console.ask_line("Reason (a number, or your own words): "))[:_MOST_REASON]
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(REASONS):
        return REASONS[int(text) - 1]
    return text


def _show(
    candidates: Sequence[Candidate],
    position: int,
    made: Mapping[str, Decision],
    console: Console,
    *,
    full: bool,
) -> None:
    console.write("")
    console.write("─" * min(console.width, 80))
    decision = made.get(candidates[position].id)
    for line in _describe(candidates[position], decision, full=full, width=console.width):
        console.write(line)
    console.write("")
    decided = sum(_is_decided(each, made) for each in candidates)
    console.write(f"Question {position + 1} of {len(candidates)}; {decided} decided.")
    if decision:
        so_far = "kept" if decision.keep else f"not kept ({show_line(decision.reason)})"
        console.write(f"So far: {so_far}.")


def _describe(
    candidate: Candidate, decision: Decision | None, *, full: bool, width: int
) -> Iterator[str]:
    def cut(text: str, lines: int) -> Iterator[str]:
        limits = (_UNCUT, _UNCUT) if full else (lines, max(width - 4, 20))
        for line in cut_text(text, lines=limits[0], width=limits[1]):
            yield f"    {line}".rstrip()

    yield from (line.strip() for line in cut(" ".join(candidate.title.split()), 1))
    yield show_line(candidate.link)
    yield ""
    yield f"Answer  {show_line(candidate.answer_link)}"
    yield from cut(candidate.answer, _MOST_LINES)
    for number, match in enumerate(candidate.matches, 1):
        yield ""
        repository, path, lines = match.place
        new = "" if decision is None or decision.covers([match.place]) else "  (new)"
        location = show_line(f"{repository}/{path}:{lines}")
        yield f"Match {number}  {match.similarity:.4f}  {location}{new}"
        yield from cut(match.code, _MOST_MATCH_LINES)


def _next_open(candidates: Sequence[Candidate], made: Mapping[str, Decision], start: int) -> int:
    """The first position from ``start`` on without a decision, or the one after the last."""
    for position in range(start, len(candidates)):
        if not _is_decided(candidates[position], made):
            return position
    return len(candidates)


def _is_decided(candidate: Candidate, made: Mapping[str, Decision]) -> bool:
    """Whether there is a decision that was made on all matches that it has now."""
    decision = made.get(candidate.id)
    return decision is not None and decision.covers(candidate.places)


def _in_order(candidates: Sequence[Candidate], made: Mapping[str, Decision]) -> dict[str, Decision]:
    known = {each.id: made[each.id] for each in candidates if each.id in made}
    return known | {id_: decision for id_, decision in made.items() if id_ not in known}
