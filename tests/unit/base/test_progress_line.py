"""Long work is one line: what is done of all, the rate, and the time left where there is a rate."""

import io
import time

import pytest

from ncsbench.base.text import progress_line
from ncsbench.base.text.progress_line import (
    ProgressLine,
    advance,
    report,
    show_rate,
    show_seconds,
)


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress_line, "time", clock)
    return clock


@pytest.fixture
def line(clock: Clock) -> ProgressLine:
    return ProgressLine(io.StringIO())


def test_rate_and_time_left_come_when_steps_were_done(line: ProgressLine, clock: Clock) -> None:
    line("files", 1_000, 3_000)
    assert line.describe() == "ncsbench: files 1,000 of 3,000"
    clock.now = 2.0
    line("files", 1_500, 3_000)
    assert line.describe() == "ncsbench: files 1,500 of 3,000, 250 a second, about 6 s left"
    clock.now = 5.0  # the time goes on between two reports
    assert line.describe() == "ncsbench: files 1,500 of 3,000, 250 a second, about 3 s left"


def test_a_step_that_takes_longer_than_all_was_to_take_ends_the_time_left(
    line: ProgressLine, clock: Clock
) -> None:
    for clock.now, done in ((0.0, 0), (4.0, 1)):
        line("jobs", done, 3)
    assert line.describe() == "ncsbench: jobs 1 of 3, 4 s each, about 8 s left"
    clock.now = 12.5
    assert line.describe() == "ncsbench: jobs 1 of 3, 4 s each"


def test_steps_of_known_lengths_count_by_these(line: ProgressLine, clock: Clock) -> None:
    for clock.now, done, share in ((0.0, 0, 0.0), (10.0, 90, 0.25)):
        line("words, jobs", done, 100, share)
    assert line.describe() == "ncsbench: words, jobs 90 of 100, 9.0 a second, about 30 s left"


def test_the_rate_is_that_of_late_and_of_the_work_that_is_named(
    line: ProgressLine, clock: Clock
) -> None:
    for second in range(100):
        clock.now = float(second)
        line("files", 100 * second if second < 30 else 3_000 + second, 10_000)
    assert ", 1.0 a second, about 1 h " in line.describe()
    line("vectors,", 0, 20)
    assert line.describe() == "ncsbench: vectors, 0 of 20"
    line("search index", 0, 0)
    assert line.describe() == "ncsbench: search index"


def test_a_number_of_steps_that_is_not_known(line: ProgressLine, clock: Clock) -> None:
    for clock.now in (0.0, 2.0):
        line("comments read,", int(clock.now) * 900, 0)
    assert line.describe() == "ncsbench: comments read, 1,800, 900 a second"


def test_many_reports_a_second_have_a_rate(line: ProgressLine, clock: Clock) -> None:
    for step in range(10_000):
        clock.now = step / 1_000
        line("files", step, 100_000)
    assert ", 1,000 a second, about 1 min left" in line.describe()


def test_work_reports_to_the_line_that_is_shown_and_to_none() -> None:
    report("vectors,", 1, 9)
    advance(3)
    with ProgressLine(io.StringIO()) as outer:
        with ProgressLine(io.StringIO()) as inner:
            report("vectors,", 1, 9)
            advance(3)
        assert (inner.what, inner.done, inner.total) == ("vectors,", 4, 9)
        assert outer.what == ""


def test_short_work_shows_nothing_and_long_work_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(progress_line, "_PATIENCE", 0.2)
    monkeypatch.setattr(progress_line, "_PAUSE", 0.3)
    with ProgressLine(screen):
        report("files", 1, 3)
    assert screen.getvalue() == ""
    with ProgressLine(screen):
        for done in range(8):
            report("files", done, 900)
            time.sleep(0.1)
    lines = screen.getvalue().splitlines()
    assert 1 <= len(lines) <= 3
    assert all(one.startswith("ncsbench: files ") for one in lines)
    assert not set("\r\x1b") & set(screen.getvalue())


def test_rates_and_times_in_words() -> None:
    rates = [show_rate(n) for n in (1234, 10, 3.41, 1, 0.25, 1 / 90)]
    assert rates == [
        *("1,234 a second", "10 a second", "3.4 a second"),
        *("1.0 a second", "4 s each", "1 min each"),
    ]
    shown = [show_seconds(n) for n in (7, 61, 3700, 200_000)]
    assert shown == ["7 s", "1 min", "1 h 1 min", "2.3 days"]
