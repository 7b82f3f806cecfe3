import sqlite3
from collections import deque


class Station:
    """A station that remembers its last readings."""

    def __init__(self, name, memory=100):
        """Make a station with a name and room for some readings."""
        self.name = name
        self.recent = deque(maxlen=memory)
        self.listeners = []

    def record(self, value):
        """Record a reading and tell all listeners of it."""
        self.recent.append(value)
        for listener in self.listeners:
            listener(self.name, value)
        return len(self.recent)

    def mean(self):
        """Return the mean of the readings that are remembered."""
        if not self.recent:
            return None
        total = sum(self.recent)
        return total / len(self.recent)

    def extremes(self):
        """Return the smallest and the largest reading of the station."""
        ordered = sorted(self.recent)
        smallest = ordered[0]
        largest = ordered[-1]
        return smallest, largest

    def __repr__(self):
        """Show the name of the station and how many readings it has."""
        amount = len(self.recent)
        return f"Station({self.name!r}, {amount} readings)"

    def replay(self):
        """Replay all readings from the archive of the station."""
        raise NotImplementedError


def open_archive(path):
    """Connect to the database of the archive and make its table."""
    archive = sqlite3.connect(path)
    archive.execute("CREATE TABLE IF NOT EXISTS reading (station TEXT, time TEXT, value REAL)")
    archive.commit()
    return archive


def archive_readings(archive, station, readings):
    """Store the readings of a station in the database."""
    rows = [(station, reading["time"], reading["value"]) for reading in readings]
    with archive:
        archive.executemany("INSERT INTO reading VALUES (?, ?, ?)", rows)


def heat_colour(celsius):
    """Choose the colour of a temperature between blue and red."""
    share = min(1.0, max(0.0, (celsius + 20) / 60))
    red, blue = round(255 * share), round(255 * (1 - share))
    return f"#{red:02x}00{blue:02x}"


def nearest_station(stations, point):
    """Find the station with the smallest distance to a point."""
    def squared(name):
        x, y = stations[name]
        return (x - point[0]) ** 2 + (y - point[1]) ** 2

    return min(sorted(stations), key=squared)


def connected_stations(links, start):
    """List all stations that can be reached in a graph of links."""
    reached, waiting = {start}, [start]
    while waiting:
        for neighbour in links.get(waiting.pop(), ()):
            if neighbour not in reached:
                reached.add(neighbour)
                waiting.append(neighbour)
    return sorted(reached)


def forget_old(archive, before):
    with archive:
        cursor = archive.execute("DELETE FROM reading WHERE time < ?", (before,))
    return cursor.rowcount


def station_names(archive):
    rows = archive.execute("SELECT DISTINCT station FROM reading ORDER BY station")
    names = [row[0] for row in rows]
    return names
