import hashlib
import hmac
import json
import os
import time
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import Request, urlopen


def fetch_with_retry(url, attempts=3, pause=0.5):
    """Send an http request and retry it when the connection fails.

    The pause doubles after every attempt.
    """
    for attempt in range(attempts):
        try:
            with urlopen(url, timeout=10) as response:
                return response.read()
        except URLError:
            if attempt + 1 == attempts:
                raise
            time.sleep(pause * 2**attempt)


def post_json(url, payload):
    """Send a payload as json in an http post request and return the answer."""
    body = json.dumps(payload).encode("utf-8")
    request = Request(url, data=body, headers={"Content-Type": "application/json"})
    with urlopen(request) as response:
        return json.loads(response.read())


def download_file(url, target, chunk_size=8192):
    """Download a file from a url and report how many bytes were written."""
    written = 0
    with urlopen(url) as response, open(target, "wb") as handle:
        while chunk := response.read(chunk_size):
            handle.write(chunk)
            written += len(chunk)
    return written


def url_status(url):
    """Return the http status code that a url answers to a head request."""
    request = Request(url, method="HEAD")
    try:
        with urlopen(request) as response:
            return response.status
    except HTTPError as error:
        return error.code


def add_query(url, **parameters):
    """Add parameters to the query string of a url."""
    parts = urlsplit(url)
    merged = dict(parse_qsl(parts.query))
    merged.update(parameters)
    return parts._replace(query=urlencode(sorted(merged.items()))).geturl()


def parse_header(line):
    """Parse the line of an http header into its name and value."""
    name, colon, value = line.partition(":")
    if not colon:
        raise ValueError(f"no header: {line!r}")
    return name.strip().lower(), value.strip()


def hash_password(password, rounds=200_000):
    """Hash a password with a random salt, ready to be stored."""
    salt = os.urandom(16)
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, rounds)
    return f"{rounds}${salt.hex()}${digest.hex()}"


def verify_password(password, stored):
    """Check a password against the hash that was stored for it."""
    rounds, salt, expected = stored.split("$")
    digest = hashlib.pbkdf2_hmac("sha256", password.encode(), bytes.fromhex(salt), int(rounds))
    return hmac.compare_digest(digest.hex(), expected)


def file_checksum(path, algorithm="sha256"):
    """Compute the checksum of a file as hexadecimal digits."""
    digest = hashlib.new(algorithm)
    with open(path, "rb") as handle:
        for block in iter(lambda: handle.read(4096), b""):
            digest.update(block)
    return digest.hexdigest()


def sign_message(message, secret):
    """Sign a message with a secret key so that nobody can change it."""
    encoded = message.encode("utf-8")
    signature = hmac.new(secret.encode("utf-8"), encoded, hashlib.sha256)
    return f"{message}.{signature.hexdigest()[:32]}"


def user_agent(product, version):
    machine = os.uname().sysname
    python = ".".join(map(str, os.sys.version_info[:2]))
    return f"{product}/{version} ({machine}; Python {python})"
