import re
from collections import defaultdict


def reverse_string(text):
    """Reverse a string, the last character comes first."""
    result = ""
    for position in range(len(text), 0, -1):
        result += text[position - 1]
    return result


def reverse_each_word(text):
    """Reverse every word of a text but leave the words in order."""
    turned = [word[::-1] for word in text.split(" ")]
    if turned == text.split(" "):
        return text
    return " ".join(turned)


def count_words(path):
    """Count the words in a text file, line after line."""
    words = 0
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            words += len(line.split())
    return words


def vocabulary(letters):
    """Collect the words of all letters with the number of letters that use them."""
    used = defaultdict(int)
    for letter in letters:
        for word in set(re.findall(r"[a-z']+", letter.lower())):
            used[word] += 1
    return dict(sorted(used.items()))


def count_vowels(text):
    """Count the vowels in a text, accents not among them."""
    vowels = set("aeiouAEIOU")
    counted = 0
    for character in text:
        if character in vowels:
            counted += 1
    return counted


def title_case(text, small=("of", "the", "and")):
    """Capitalise the words of a title except the small ones."""
    words = []
    for position, word in enumerate(text.lower().split()):
        keep = position > 0 and word in small
        words.append(word if keep else word.capitalize())
    return " ".join(words)


def keyword_in_context(text, keyword, width=20):
    """Show each place of a keyword with the text around it."""
    lines = []
    for match in re.finditer(re.escape(keyword), text, re.IGNORECASE):
        start, end = match.span()
        left = text[max(0, start - width) : start]
        lines.append(f"{left:>{width}}[{match.group()}]{text[end : end + width]}")
    return lines


def parse_arguments(line):
    """Parse a command line into words, quoted ones may hold blanks."""
    arguments = []
    for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line):
        arguments.append(quoted or plain)
    return arguments


def initials(name):
    """Shorten a name to its initials."""
    return ".".join(part[0].upper() for part in name.split()) + "."
