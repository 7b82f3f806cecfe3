import re
import unicodedata
from collections import Counter

WORD = re.compile(r"\w+")


def count_words(text):
    """Count how often each word occurs in a text, in lower case."""
    counts = Counter()
    for match in WORD.finditer(text):
        counts[match.group().lower()] += 1
    return counts


def most_common_words(text, limit, stopwords=()):
    """List the most frequent words of a text without the stopwords."""
    ignored = {word.lower() for word in stopwords}
    words = [word for word in WORD.findall(text.lower()) if word not in ignored]
    return [word for word, _ in Counter(words).most_common(limit)]


def reverse_text(text):
    """Reverse a string but keep accents on their letters."""
    clusters = []
    for character in text:
        if clusters and unicodedata.combining(character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return "".join(reversed(clusters))


def reverse_word_order(sentence):
    """Reverse the order of the words in a sentence."""
    words = sentence.split()
    words.reverse()
    return " ".join(words)


def is_palindrome(text):
    """Check whether a string reads the same in both directions."""
    letters = [letter for letter in text.lower() if letter.isalnum()]
    half = len(letters) // 2
    return letters[:half] == letters[::-1][:half]


def slugify(title):
    """Turn a title into a slug of lower case letters and dashes."""
    plain = unicodedata.normalize("NFKD", title)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def snake_case(name):
    """Convert a camel case name to snake case."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", spaced)
    return spaced.replace("-", "_").lower()


def wrap_lines(text, width):
    """Wrap a text into lines that are no longer than a width."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return lines + [line] if line else lines


def truncate(text, limit, marker="..."):
    """Cut a text at the last blank before a limit and add a marker."""
    if len(text) <= limit:
        return text
    head = text[: limit - len(marker)]
    blank = head.rfind(" ")
    return head[: blank if blank > 0 else None] + marker


def edit_distance(left, right):
    """Compute the Levenshtein distance between two strings."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        above, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (a != b))
    return row[-1]


def extract_emails(text):
    """Extract all email addresses of a text, each one once."""
    found = re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", text)
    unique = dict.fromkeys(address.lower() for address in found)
    return list(unique)


def caesar_cipher(text, shift):
    """Encrypt the letters of a text by shifting them in the alphabet."""
    result = []
    for letter in text:
        if letter.isascii() and letter.isalpha():
            base = ord("a") if letter.islower() else ord("A")
            letter = chr((ord(letter) - base + shift) % 26 + base)
        result.append(letter)
    return "".join(result)


def fill_template(template, values):
    """Replace the names in braces of a template by their values."""

    def lookup(match):
        name = match.group(1)
        return str(values.get(name, match.group(0)))

    return re.sub(r"\{(\w+)\}", lookup, template)


def parse_key_values(text, separator="="):
    """Parse lines of keys and values into a dictionary, ignoring comments."""
    options = {}
    for line in text.splitlines():
        line = line.split("#", 1)[0].strip()
        if separator in line:
            key, value = line.split(separator, 1)
            options[key.strip()] = value.strip()
    return options


def squeeze_blanks(text):
    lines = [" ".join(line.split()) for line in text.splitlines()]
    kept = [line for line in lines if line]
    return "\n".join(kept)
