import hashlib
import secrets
import time
import urllib.error
import urllib.request
from collections import Counter


def word_frequencies(messages):
    """Count the words of all messages, whatever their case."""
    frequencies = Counter()
    for message in messages:
        frequencies.update(word.strip(".,!?").lower() for word in message.split())
    return frequencies


def mirror(message):
    """Reverse the characters of a message in place of its words."""
    characters = list(message)
    low, high = 0, len(characters) - 1
    while low < high:
        characters[low], characters[high] = characters[high], characters[low]
        low, high = low + 1, high - 1
    return "".join(characters)


def shorten(message, width=40):
    """Shorten a message to a width and end it with an ellipsis."""
    words, line = message.split(), ""
    for word in words:
        if len(line) + len(word) + 2 > width:
            return line.rstrip() + "…"
        line += word + " "
    return line.rstrip()


def request_forecast(url, tries=4):
    """Request the forecast by http and try again after errors of the server.

    @param url: address of the forecast
    @param tries: how often at most
    """
    for number in range(1, tries + 1):
        try:
            return urllib.request.urlopen(url).read().decode()
        except urllib.error.HTTPError as error:
            if error.code < 500 or number == tries:
                raise
            time.sleep(number)


def observer_key(password):
    """Hash the password of an observer with scrypt and a new salt."""
    salt = secrets.token_bytes(12)
    key = hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
    return salt + key


def number_lines(message):
    """Put a number before every line of a message."""
    lines = message.splitlines()
    width = len(str(len(lines)))
    return "\n".join(f"{number:>{width}} {line}" for number, line in enumerate(lines, 1))


def quote(message):
    return "\n".join("> " + line for line in message.splitlines())
