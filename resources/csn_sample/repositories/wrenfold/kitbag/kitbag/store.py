import sqlite3
import threading
import time
from collections import OrderedDict, deque


def connect_database(path, timeout=5.0):
    """Connect to a sqlite database file and switch on foreign keys."""
    connection = sqlite3.connect(path, timeout=timeout)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def create_table(connection, table, columns):
    """Create a table in the database unless it is there already."""
    fields = ", ".join(f"{name} {kind}" for name, kind in columns.items())
    with connection:
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({fields})")


def insert_rows(connection, table, rows):
    """Insert rows into a table of the database in one transaction."""
    marks = ", ".join("?" for _ in rows[0])
    statement = f"INSERT INTO {table} VALUES ({marks})"
    with connection:
        connection.executemany(statement, rows)
    return len(rows)


class LeastRecentCache:
    """A cache that forgets what was not asked for longest."""

    def __init__(self, capacity):
        """Make an empty cache that holds at most so many entries."""
        self.capacity = capacity
        self.entries = OrderedDict()
        self.hits = 0
        self.misses = 0

    def get(self, key, default=None):
        """Look up a key in the cache and mark it as used."""
        if key not in self.entries:
            self.misses += 1
            return default
        self.hits += 1
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key, value):
        """Put a value into the cache and drop the oldest entry when full."""
        self.entries[key] = value
        self.entries.move_to_end(key)
        while len(self.entries) > self.capacity:
            self.entries.popitem(last=False)

    def hit_rate(self):
        """Return the share of lookups that the cache could answer."""
        lookups = self.hits + self.misses
        if lookups == 0:
            return 0.0
        return self.hits / lookups

    def load_entries(self):
        """Load entries of an earlier run from the disk."""
        raise NotImplementedError

    def save_entries(self):
        raise NotImplementedError


class JobQueue:
    """A queue of jobs that several threads share."""

    def __init__(self):
        self.jobs = deque()
        self.lock = threading.Lock()
        self.ready = threading.Condition(self.lock)

    def push(self, job, urgent=False):
        """Add a job to the end of the queue, an urgent one to its front."""
        with self.ready:
            if urgent:
                self.jobs.appendleft(job)
            else:
                self.jobs.append(job)
            self.ready.notify()

    def pop(self, timeout=None):
        """Take the next job from the queue and wait when there is none."""
        with self.ready:
            if not self.ready.wait_for(lambda: self.jobs, timeout):
                return None
            return self.jobs.popleft()

    def drain(self):
        """Remove all jobs from the queue and return them in order."""
        with self.lock:
            drained = list(self.jobs)
            self.jobs.clear()
        return drained

    @property
    def is_idle(self):
        """Tell whether the queue has no job left to do."""
        with self.lock:
            waiting = len(self.jobs)
        return waiting == 0


class RateLimiter:
    def __init__(self, calls, seconds):
        self.calls = calls
        self.seconds = seconds
        self.moments = deque()

    def allow(self):
        """Allow a call unless too many were made in the last seconds."""
        now = time.monotonic()
        while self.moments and now - self.moments[0] > self.seconds:
            self.moments.popleft()
        if len(self.moments) >= self.calls:
            return False
        self.moments.append(now)
        return True

    def wait_time(self):
        if len(self.moments) < self.calls:
            return 0.0
        age = time.monotonic() - self.moments[0]
        return max(0.0, self.seconds - age)
