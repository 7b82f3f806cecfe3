"""Reads the definitions of CodeSearchNet: a pickle of all functions of a language.

A pickle is a program that may call anything. A process of its own, with limited memory, reads it:
``pickletools`` of the standard library names its instructions, and only plain values are made of
them, item by item, since Python's unpickler would also hold the whole list, which takes several
times the bytes of the file. The process writes each definition as a line of JSON with the names of
the fields of the released pairs. The last line says how many definitions there were, or why the
process stopped.
"""

from __future__ import annotations

import json
import os
import pickletools
import resource
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

from ncsbench.corpus.sources.packed_streams import ArchiveError, open_member, open_zip
from ncsbench.errors import DataError

FIELDS = {
    **{name: name for name in ("language", "sha", "path", "url", "docstring", "docstring_tokens")},
    "docstring_summary": "docstring_summary",
    "nwo": "repo",
    "identifier": "func_name",
    "function": "code",
    "function_tokens": "code_tokens",
}
"""Fields of a definition that are read, each with the name of the field of a pair."""
LONGEST = 10**7
"""Most characters of the texts of a definition; a definition with more is not passed on."""
END, FAULT, BROKEN = "end", "fault", "broken"
"""Keys of the lines that hold no definition."""
_MEGABYTE = 10**6
VALUE, PUT, GET = "value", "put", "get"
"""Kinds of steps: a value; the number by which the last value is known from then on; the number of
a value to be fetched."""
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_EMPTY: dict[str, Callable[[], Any]] = {
    "EMPTY_LIST": list,
    "EMPTY_DICT": dict,
    "EMPTY_TUPLE": tuple,
}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_PLAIN = {
    **dict.fromkeys(("BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"), VALUE),
    **dict.fromkeys(("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BINFLOAT"), VALUE),
    **dict.fromkeys(("BININT", "BININT1", "BININT2", "LONG1", "LONG4"), VALUE),
    **dict.fromkeys(("BINPUT", "LONG_BINPUT"), PUT),
    **dict.fromkeys(("BINGET", "LONG_BINGET"), GET),
    **{name: name for name in ("MARK", "STOP", "APPEND", "APPENDS", "SETITEM", "SETITEMS")},
    **{name: name for name in ("LIST", "DICT", "TUPLE", *_TUPLES, *_EMPTY, *_CONSTANTS)},
    **{name: name for name in ("MEMOIZE", "PROTO", "FRAME")},
}
"""The instructions that are read, each with the step that it amounts to."""
_LONGEST_REASON = 200
MEMORY_MB = 2000
"""Default memory of the process that reads definitions, in megabytes."""
_PROCESS = "ncsbench.corpus.function_corpus.released_definitions"
_LIBRARY = Path(__file__).parents[3]
_FURTHER = [path] if (path := os.environ.get("PYTHONPATH")) else []


def main() -> None:
    """Read the file, the member of it (or nothing) and the megabytes of the command line."""
    path, member, megabytes = sys.argv[1:]
    most = int(megabytes) * _MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        count = _write_definitions(Path(path), member)
        last: dict[str, Any] = {END: count}
    except (PickleError, ArchiveError) as error:
        last = {FAULT: str(error)}
    except OSError as error:
        last = {FAULT: f"cannot be read ({error.strerror})"}
    except MemoryError:
        last = {FAULT: f"needs more than {megabytes} MB of memory, the most that it is given"}
    _write(last)


def describe_definition(item: Any) -> dict[str, Any]:
    """A definition with the fields of a pair, or why it is not one; the length is bounded.

    A field that is neither text nor list of texts becomes None, so that nothing is nested.
    """
    if type(item) is not dict:
        return {BROKEN: "is no definition"}
    fields = {name: _flatten(item.get(key)) for key, name in FIELDS.items()}
    length = sum(
        len(value) if isinstance(value, str) else sum(map(len, value))
        for value in fields.values()
        if value is not None
    )
    if length > LONGEST:
        return {BROKEN: f"has {length} characters, at most {LONGEST} are read"}
    return fields


def _flatten(value: Any) -> str | list[str] | None:
    if type(value) is str:
        return value
    if type(value) in {list, tuple} and all(type(one) is str for one in value):
        return list(value)
    return None


def _write_definitions(path: Path, member: str) -> int:
    with _open(path, member) as file:
        fetches = count_fetches(file)
    count = 0
    with _open(path, member) as file:
        for item in iterate_items(file, fetches):
            _write(describe_definition(item))
            count += 1
    return count


def _write(line: dict[str, Any]) -> None:
    # Half a pair of surrogates, which a pickle may have, is no text in UTF-8.
    text = json.dumps(line, ensure_ascii=False).encode(errors="surrogatepass")
    sys.stdout.buffer.write(text.decode(errors="replace").encode() + b"\n")


@contextmanager
def _open(path: Path, member: str) -> Iterator[BinaryIO]:
    with ExitStack() as stack:
        if member:
            archive = open_zip(stack, path)
            info = next(one for one in archive.infolist() if one.filename == member)
            yield stack.enter_context(open_member(archive, info))
        else:
            yield stack.enter_context(path.open("rb"))


class PickleError(Exception):
    """A pickle that is not read; the message is the reason in a line, without a name."""


def read_instructions(file: BinaryIO) -> Iterator[tuple[str, Any]]:
    """The steps that the instructions of a pickle amount to, up to the end of the file.

    Pairs of ``VALUE``, ``PUT``, ``GET`` or the name of an instruction that makes containers, and
    the value or number.

    Raises:
        PickleError: for any other instruction, and where the file does not end with ``STOP``.
    """
    # Without ``tell``, which would be asked for the place of every instruction.
    source: Any = SimpleNamespace(read=file.read, readline=file.readline)
    texts: deque[Any] = deque([""], maxlen=2)
    puts = 0
    try:
        for number, (instruction, argument, _) in enumerate(pickletools.genops(source), 1):
            code = _PLAIN.get(instruction.name)
            if code is VALUE:
                texts.append(argument)
                yield VALUE, argument
            elif code in {"PROTO", "FRAME"}:  # nothing depends on them
                continue
            elif code == "MEMOIZE":
                yield PUT, puts
                puts += 1
            elif code in _CONSTANTS:
                yield VALUE, _CONSTANTS[code]
            elif code:
                yield code, argument
            else:
                raise PickleError(_explain(instruction.name, argument, texts, number))
    except (ValueError, OverflowError) as error:
        reason = str(error)[:_LONGEST_REASON]
        raise PickleError(f"is no pickle, or a damaged one ({reason})") from None
    if file.read(1):
        raise PickleError("goes on after its end")


def _explain(name: str, argument: Any, texts: deque[Any], number: int) -> str:
    """Explain why an instruction is not followed, in one line whatever the names are."""
    named = ".".join(map(str, texts)) if name == "STACK_GLOBAL" else str(argument or "")
    shown = named.replace(" ", ".").encode("unicode_escape").decode("ascii")[:_LONGEST_REASON]
    says = f"names {shown}" if name in {"GLOBAL", "INST", "STACK_GLOBAL"} else f"has {name}"
    return f"{says} in instruction {number}; only plain values are read, and no class"


def count_fetches(file: BinaryIO) -> dict[int, int]:
    """Read over a pickle, and count how often each number of its memo is fetched.

    A pickle gives nearly every value a number by which to fetch it again, and fetches few: only
    these need be kept.

    Raises:
        PickleError: where it is damaged, or has anything but plain values.
    """
    fetches: dict[int, int] = {}
    for code, argument in read_instructions(file):
        if code is GET:
            fetches[argument] = fetches.get(argument, 0) + 1
    return fetches


def iterate_items(file: BinaryIO, fetches: dict[int, int]) -> Iterator[Any]:
    """The items of the list in a pickle, each as soon as it is put into the list.

    Args:
        file: the pickle, from its start.
        fetches: of ``count_fetches`` for the same pickle; used up.

    Raises:
        PickleError: as ``count_fetches``, and where it is no list.
    """
    stack: list[Any] = []
    marks: list[list[Any]] = []
    memo: dict[int, Any] = {}
    for code, argument in read_instructions(file):
        try:
            if code is VALUE:
                stack.append(argument)
            elif code is PUT:
                if argument in fetches:
                    memo[argument] = stack[-1]
            elif code is GET:
                stack.append(_fetch(argument, memo, fetches))
            elif code == "MARK":
                marks.append(stack)
                stack = []
            elif code == "STOP":
                _check(len(stack) == 1 and not marks and type(stack[0]) is list)
            elif code in {"APPEND", "APPENDS"}:
                last = code == "APPEND"
                items, stack = ([stack.pop()], stack) if last else (stack, marks.pop())
                _check(type(stack[-1]) is list)
                if len(stack) == 1 and not marks:
                    yield from items  # of the outermost list, which never has any
                else:
                    stack[-1].extend(items)
            else:
                stack = _make_container(code, stack, marks)
        except (IndexError, KeyError) as error:
            raise PickleError("is no whole pickle") from error


def _fetch(number: int, memo: dict[int, Any], fetches: dict[int, int]) -> Any:
    value = memo[number]
    fetches[number] -= 1
    if not fetches[number]:
        del fetches[number], memo[number]
    return value


def _make_container(code: str, stack: list[Any], marks: list[list[Any]]) -> list[Any]:
    """Follow an instruction about dictionaries, tuples or lists, and return the stack after it."""
    if code in _EMPTY:
        stack.append(_EMPTY[code]())
        return stack
    if code in _TUPLES or code == "SETITEM":
        count = _TUPLES.get(code, 2)
        _check(len(stack) >= count)
        items = stack[-count:]
        del stack[-count:]
    else:
        items, stack = stack, marks.pop()
    if code in {"SETITEM", "SETITEMS"}:
        _check(type(stack[-1]) is dict)
        stack[-1].update(_pair(items))
    elif code == "DICT":
        stack.append(dict(_pair(items)))
    elif code == "LIST":
        _check(bool(stack or marks or not items))  # else it is the outermost, and comes as a whole
        stack.append(items)
    else:
        stack.append(tuple(items))
    return stack


def _pair(items: list[Any]) -> Iterator[tuple[str, Any]]:
    """Keys with values; keys must be texts, so that nobody can choose ones slow to look up."""
    _check(len(items) % 2 == 0 and all(type(key) is str for key in items[::2]))
    return zip(items[::2], items[1::2], strict=True)


def _check(right: bool) -> None:
    if not right:
        raise PickleError("is no list of dictionaries with texts as keys")


def iterate_definitions(
    path: Path, member: str = "", *, memory_mb: int = MEMORY_MB
) -> Iterator[dict[str, Any] | str]:
    """The entries of a pickle of definitions; another process reads it, and executes nothing of it.

    Args:
        path: the pickle, or a zip that has it.
        member: its name in the zip; empty for a pickle.
        memory_mb: memory of the process, in megabytes.

    Returns:
        For each entry its fields by their names in the released jsonl files, each a text, a list
        of texts or None; or the reason why the entry has no fields.

    Raises:
        DataError: where the pickle is damaged, holds no list, or has more than plain values.
    """
    name = f"{path}: {member}" if member else str(path)
    last: dict[str, Any] = {}
    with subprocess.Popen(  # noqa: S603  (our own module; the names are arguments)
        [sys.executable, "-P", "-m", _PROCESS, str(path), member, str(memory_mb)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(_LIBRARY), *_FURTHER])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            for line in process.stdout or ():
                last = json.loads(line)
                if not last.keys() & {END, FAULT}:
                    yield last.get(BROKEN) or last
        finally:
            process.kill()
    if FAULT in last:
        raise DataError(f"{name}: {last[FAULT]}")
    if END not in last:
        raise DataError(
            f"{name}: the process that read it ended early; it needs up to {memory_mb} MB of memory"
        )


if __name__ == "__main__":
    main()
