import csv
import json
from datetime import datetime
from pathlib import Path


def load_readings(path):
    """Read the readings of a station from a csv file with a header."""
    readings = []
    with open(path, newline="", encoding="utf-8") as source:
        for row in csv.DictReader(source):
            row["value"] = float(row["value"])
            readings.append(row)
    return readings


def save_readings(readings, path):
    """Write readings to a json file, newest first.

    The file is made anew each time.
    """
    ordered = sorted(readings, key=lambda reading: reading["time"], reverse=True)
    document = {"count": len(ordered), "readings": ordered}
    Path(path).write_text(json.dumps(document, indent=1), encoding="utf-8")


def read_column(path, column):
    """Read one column of a csv file as a list of strings."""
    with open(path, newline="", encoding="utf-8") as source:
        rows = csv.reader(source)
        position = next(rows).index(column)
        return [row[position] for row in rows]


def parse_reading_time(text):
    """Parse the date and time string of a reading, with or without seconds."""
    layout = "%Y-%m-%d %H:%M:%S" if text.count(":") == 2 else "%Y-%m-%d %H:%M"
    moment = datetime.strptime(text, layout)
    return moment.replace(microsecond=0)


def day_of_year(text):
    """Parse a date string and count which day of its year it is."""
    day = datetime.strptime(text, "%Y-%m-%d")
    first = day.replace(month=1, day=1)
    return (day - first).days + 1


def sort_readings(readings, key="time"):
    """Sort readings by a key, equal ones by the name of their station."""
    def order(reading):
        return reading[key], reading.get("station", "")

    return sorted(readings, key=order)


def find_reading(readings, time):
    """Find the last reading before a time with a binary search."""
    low, high = 0, len(readings)
    while low < high:
        middle = (low + high) // 2
        if readings[middle]["time"] < time:
            low = middle + 1
        else:
            high = middle
    return readings[low - 1] if low else None


def months_covered(readings):
    return sorted({reading["time"][:7] for reading in readings})


def value_span(readings):
    values = [reading["value"] for reading in readings]
    return max(values) - min(values)
