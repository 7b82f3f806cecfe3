"""Reads a pickle of others that is one list of plain values, item by item, without running it.

Python's own unpickler is not used: it calls what a pickle names, and holds the whole list, which
takes several times the bytes of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from ncsbench.function_corpus.pickle_instructions import (
    APPEND,
    APPENDS,
    DICT,
    EMPTY_DICT,
    EMPTY_LIST,
    EMPTY_TUPLE,
    GET,
    LIST,
    MARK,
    PUT,
    SETITEM,
    SETITEMS,
    STOP,
    TUPLES,
    VALUE,
    PickleError,
    read_instructions,
)


def count_fetches(file: BinaryIO) -> dict[int, int]:
    """Read over a pickle, and count how often each number of its memo is fetched.

    A pickle gives nearly every value a number by which to fetch it again, and fetches few: only
    these need be kept.

    Raises:
        PickleError: where it is damaged, or has anything but plain values.
    """
    fetches: dict[int, int] = {}
    for code, argument in read_instructions(file):
        if code == GET:
            fetches[argument] = fetches.get(argument, 0) + 1
    return fetches


def iterate_items(file: BinaryIO, fetches: dict[int, int]) -> Iterator[Any]:
    """The items of the list that a pickle is, each as soon as it is put into the list.

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
            if code == VALUE:
                stack.append(argument)
            elif code == PUT:
                if argument in fetches:
                    memo[argument] = stack[-1]
            elif code == GET:
                stack.append(_fetch(argument, memo, fetches))
            elif code == MARK:
                marks.append(stack)
                stack = []
            elif code == STOP:
                _check(len(stack) == 1 and not marks and type(stack[0]) is list)
            elif code in {APPEND, APPENDS}:
                last = code == APPEND
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


def _make_container(code: int, stack: list[Any], marks: list[list[Any]]) -> list[Any]:
    """Follow an instruction about dictionaries, tuples or lists; the stack after it."""
    if code in {EMPTY_LIST, EMPTY_DICT, EMPTY_TUPLE}:
        stack.append([] if code == EMPTY_LIST else {} if code == EMPTY_DICT else ())
        return stack
    if code in TUPLES or code == SETITEM:
        count = TUPLES.get(code, 2)
        _check(len(stack) >= count)
        items = stack[-count:]
        del stack[-count:]
    else:
        items, stack = stack, marks.pop()
    if code in {SETITEM, SETITEMS}:
        _check(type(stack[-1]) is dict)
        stack[-1].update(_pair(items))
    elif code == DICT:
        stack.append(dict(_pair(items)))
    elif code == LIST:
        _check(bool(stack or marks or not items))  # else it is the outermost, and comes as a whole
        stack.append(items)
    else:
        stack.append(tuple(items))
    return stack


def _pair(items: list[Any]) -> Iterator[tuple[str, Any]]:
    """Keys with values; keys are texts, so that nobody can choose such as are slow to look up."""
    _check(len(items) % 2 == 0 and all(type(key) is str for key in items[::2]))
    return zip(items[::2], items[1::2], strict=True)


def _check(right: bool) -> None:
    if not right:
        raise PickleError("is no list of dictionaries with texts as keys")
