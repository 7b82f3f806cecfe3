"""Decoding of code files whose encoding is not declared (DEV-211)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress

_BOMS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_WITHOUT_BOM = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_PLAIN = re.compile(r"[\t\n\r -~]")
_SHARE = 0.3
"""Smallest share of ASCII among the characters of a text that is taken for code."""
_ESCAPED = {"iso2022_jp_ext": "ISO-2022-JP", "iso2022_kr": "ISO-2022-KR"}
_CODING_LINE = re.compile(
    rb"(?:[ \t\f]*+(?:#[^\r\n]*+)?(?:\r\n?|\n))?[ \t\f]*+#[^\r\n]*?coding[:=][ \t]*+([-\w.]++)"
)
# Encodings in which some ASCII bytes mean something else, or which take long, are left out.
_DECLARABLE = re.compile(r"ascii|big5|cp\d|euc|gb|iso8859|iso2022|johab|koi8|mac|shift_jis|utf-8")

# The group of each pattern matches characters that are frequent where the encoding is used: signs,
# kana, and the ideographs or syllables of the first level of the standard.
_EAST_ASIAN = {
    "EUC-JP": ("euc_jp", rb"([\xa1\xa3-\xa5\xb0-\xcf][\xa1-\xfe])|\x8f..|[\x8e-\xfe][\xa1-\xfe]"),
    "EUC-KR": ("cp949", rb"([\xa1\xa3\xb0-\xc8][\xa1-\xfe])|[\x81-\xfe][A-\xfe]"),
    "GBK": ("gb18030", rb"([\xa1\xa3\xb0-\xd7][\xa1-\xfe])|[\x81-\xfe][@-\xfe]"),
    "Big5": ("cp950", rb"([\xa1\xa2\xa4-\xc6][@-~\xa1-\xfe])|[\x81-\xfe][@-\xfe]"),
    "Shift_JIS": ("cp932", rb"([\x81-\x83\x88-\x97][@-~\x80-\xfc])|[\x81-\x9f\xe0-\xfc][@-\xfc]"),
}
_CHARACTERS = {
    name: re.compile(pattern + rb"|[\x80-\xff]") for name, (_, pattern) in _EAST_ASIAN.items()
}
_KANA = re.compile(rb"[\xa4\xa5][\xa1-\xfe]")
_FREQUENT, _DISTINCT, _LONG = 0.8, 3, 4


def decode_source(data: bytes) -> tuple[str, str]:
    """Return the text of a code file, and a remark, which is empty for plain UTF-8."""
    text, encoding = next(_read(data))
    remarks = [f"read as {encoding}"] if encoding else []
    if "\0" in text:
        text = text.replace("\0", " ")
        remarks.append("NUL bytes read as blanks")
    return text, ", ".join(remarks)


def _read(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield possible texts with their encodings (empty for UTF-8); the first text counts."""
    for bom, name in _BOMS.items():
        if data.startswith(bom):
            yield data.decode(name, "replace"), name
    for codec in _WITHOUT_BOM if b"\0" in data else ():
        text = _try(data, codec)
        if "\0" not in text and len(_PLAIN.findall(text)) > _SHARE * len(text):
            yield text, codec[:6].upper()
    for codec, name in _ESCAPED.items() if b"\x1b$" in data else ():
        if text := _try(data, codec):
            yield text, name
    with suppress(UnicodeDecodeError):
        yield data.decode("utf-8-sig"), ""
    declared = _CODING_LINE.match(data)
    if declared and (text := _try(data, declared[1].decode())):
        yield text, codecs.lookup(declared[1].decode()).name
    text = data.decode("utf-8-sig", "replace")
    bad = text.count("\ufffd")
    good = sum(character > "\x7f" for character in text) - bad
    if good < 2 * bad and (guess := _guess(data)):
        yield data.decode(_EAST_ASIAN[guess][0], "replace"), f"{guess} by guess"
    if good >= bad:
        yield text, f"UTF-8 with {bad} bad byte{'s' * (bad > 1)}"
    yield data.decode("latin-1"), "Latin-1"


def _try(data: bytes, codec: str) -> str:
    """Decode bytes; empty where they are not of the encoding, or it is no encoding of texts."""
    try:
        known = codecs.lookup(codec).name
        is_text = codec in _WITHOUT_BOM or _DECLARABLE.match(known)
        return data.decode(codec) if is_text else ""
    except (LookupError, ValueError):
        return ""


def _guess(data: bytes) -> str:
    """Return the East Asian encoding with the most frequent characters; empty without one.

    Of equal encodings the first counts: its frequent characters would be rare ones in those behind.
    """
    best, found = _FREQUENT, ""
    for name, pattern in _CHARACTERS.items():
        characters = pattern.findall(data)
        frequent = [one for one in characters if one]
        kana = sum(map(bool, map(_KANA.match, frequent)))
        is_short = len(set(frequent)) < _DISTINCT or (name[:3] == "EUC" and len(frequent) < _LONG)
        is_rare = name == "EUC-JP" and 5 * kana < len(characters)
        if not is_short and not is_rare and len(frequent) > best * len(characters):
            best, found = len(frequent) / len(characters), name
    return found
