import re
from datetime import date, datetime

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def parse_date_string(text, order="dmy"):
    """Parse a date string whose parts come in a given order.

    @param text: the string, such as 3/4/1998
    @param order: the letters d, m and y in the order of the parts
    @return: the date
    """
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    parts = dict(zip(order, numbers))
    if parts["y"] < 100:
        parts["y"] += 1900
    return date(parts["y"], parts["m"], parts["d"])


def parse_letter_head(line):
    """Find the date in the head of a letter, such as Bath, 4 May 1811."""
    match = re.search(r"(\d{1,2})\s+([A-Za-z]{3})\w*\s+(\d{4})", line)
    if match is None:
        return None
    day, month, year = match.groups()
    return date(int(year), MONTHS.index(month.lower()) + 1, int(day))


def parse_clock(text):
    """Parse the time of a clock, with am or pm, into minutes."""
    hours, minutes = re.match(r"(\d+):(\d+)", text).groups()
    total = int(hours) % 12 * 60 + int(minutes)
    if text.lower().endswith("pm"):
        total += 12 * 60
    return total


def age_in_years(birth, today):
    """Count the full years between a birth and today."""
    years = today.year - birth.year
    if (today.month, today.day) < (birth.month, birth.day):
        years -= 1
    return years


def format_long_date(day):
    """Format a date with the full name of its month."""
    month = day.strftime("%B")
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    if 11 <= day.day <= 13:
        suffix = "th"
    return f"{month} {day.day}{suffix}, {day.year}"


def stamp():
    return datetime.now().strftime("%Y%m%dT%H%M%S")
