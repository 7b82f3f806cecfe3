import hashlib
import random
import sqlite3
import time
import urllib.request


def get_with_retry(url, retries=5, timeout=3.0):
    """Make an http get request with retries and a growing random pause."""
    delay = 0.2
    while True:
        try:
            with urllib.request.urlopen(url, timeout=timeout) as answer:
                return answer.read().decode("utf-8")
        except OSError:
            retries -= 1
            if retries < 0:
                raise
        time.sleep(delay * random.random())
        delay *= 2


def call_until(action, accepted, attempts=10):
    """Repeat an action until its result is accepted or attempts run out."""
    for _ in range(attempts):
        result = action()
        if accepted(result):
            return result
    raise TimeoutError(f"not accepted after {attempts} attempts")


def fetch_headers(url):
    """Send an http request for the headers of a page."""
    request = urllib.request.Request(url, method="HEAD")
    with urllib.request.urlopen(request) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}


def hash_password(password, salt):
    """Hash a password with a salt in many rounds of sha512."""
    digest = (salt + password).encode("utf-8")
    for _ in range(10_000):
        digest = hashlib.sha512(digest).digest()
    return digest.hex()


def password_strength(password):
    """Score a password by its length and the kinds of its characters."""
    kinds = (str.islower, str.isupper, str.isdigit)
    used = sum(any(kind(character) for character in password) for kind in kinds)
    return min(10, len(password) // 2 + used)


def hash_folder(names, contents):
    """Hash the names and contents of a folder into one short digest."""
    digest = hashlib.blake2b(digest_size=8)
    for name, content in sorted(zip(names, contents)):
        digest.update(name.encode("utf-8") + b"\0")
        digest.update(content)
    return digest.hexdigest()


def connect(path, attempts=3):
    """Connect to the database and wait while another process locks it."""
    for attempt in range(attempts):
        try:
            connection = sqlite3.connect(path)
            connection.execute("SELECT 1 FROM sqlite_master")
            return connection
        except sqlite3.OperationalError:
            time.sleep(attempt + 1)
    raise ConnectionError(f"{path} stays locked")


def query_database(connection, statement, values=()):
    """Run a query on a database and return dictionaries of the columns."""
    cursor = connection.execute(statement, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def close_quietly(connection):
    try:
        connection.close()
    except sqlite3.Error:
        return False
    return True
