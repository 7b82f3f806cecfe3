from datetime import date, datetime, timedelta, timezone

FORMATS = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%B %d, %Y")


def parse_date(text):
    """Parse a date string in one of the common formats.

    Raises a ValueError when no format fits.
    """
    for pattern in FORMATS:
        try:
            return datetime.strptime(text.strip(), pattern).date()
        except ValueError:
            continue
    raise ValueError(f"no date: {text!r}")


def parse_timestamp(text):
    """Parse an ISO timestamp string into a datetime in UTC."""
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        return moment.replace(tzinfo=timezone.utc)
    return moment.astimezone(timezone.utc)


def days_between(first, last):
    """Count the days between two dates, whichever comes first."""
    if first > last:
        first, last = last, first
    difference = last - first
    return difference.days


def add_months(day, months):
    """Add months to a date and stay inside the month it arrives in."""
    position = day.year * 12 + day.month - 1 + months
    year, month = divmod(position, 12)
    following = date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    length = (following - timedelta(days=1)).day
    return date(year, month + 1, min(day.day, length))


def next_weekday(day, weekday):
    """Return the next date after a day that falls on a weekday, Monday being zero."""
    ahead = (weekday - day.weekday()) % 7
    if ahead == 0:
        ahead = 7
    return day + timedelta(days=ahead)


def is_leap_year(year):
    """Tell whether a year has a 29th of February."""
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0


def format_duration(seconds):
    """Format a number of seconds as hours, minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    pieces = [(hours, "h"), (minutes, "m"), (rest, "s")]
    return " ".join(f"{amount}{unit}" for amount, unit in pieces if amount) or "0s"


def parse_duration(text):
    """Parse a duration string such as 1h 30m into seconds."""
    factors = {"h": 3600, "m": 60, "s": 1}
    total = 0
    for piece in text.split():
        amount, unit = piece[:-1], piece[-1]
        total += int(amount) * factors[unit]
    return total


def date_range(start, stop, step=1):
    """Yield every date from the start to the stop, which is left out."""
    current = start
    while current < stop:
        yield current
        current += timedelta(days=step)


def quarter_of(day):
    return (day.month - 1) // 3 + 1
