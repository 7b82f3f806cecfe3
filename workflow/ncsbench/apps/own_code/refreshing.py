"""Bringing an index up to date before a question, where this takes about a second."""

from __future__ import annotations

import os
from collections.abc import Callable

from ncsbench.apps.own_code.code_files import find_code_files, find_on_disk
from ncsbench.apps.own_code.index_folder import ABOUT, IndexFolder, place_index
from ncsbench.base.files.corpus_stamps import one_corpus
from ncsbench.base.files.run_lock import RunIsBusyError
from ncsbench.corpus.sources.source_protocol import MAXIMUM_BYTES
from ncsbench.errors import DataError, NcsbenchError
from ncsbench.rankers.lexical.term_options import OPTIONS

QUICK_BYTES, QUICK_FILES = 1_500_000, 8
"""Most bytes of code, and most changed files, of an index that is refreshed before a question."""

BUSY = "another call brings the index up to date; this is what it had before"


def refresh(index: IndexFolder, progress: Callable[[str, int, int], None]) -> str:
    """Bring an index up to date where this is quick, and say so where the index stays behind.

    It is quick for a model that counts words, and few files (``QUICK_BYTES``, ``QUICK_FILES``). An
    index outside the cache stays as it is: another user may have made it, and its description names
    the folder whose files would be copied into it.

    Args:
        index: of a folder.
        progress: is called with how far the work is.

    Returns:
        A line to show; empty where the index has all files as they are.
    """
    about = index.read()
    size, changed = count_changes(index)
    if not changed:
        return ""
    folder = find_on_disk(index.path, about.folder)
    few = size <= QUICK_BYTES and changed <= QUICK_FILES and place_index(folder, None) == index
    if few and about.vectors is None and OPTIONS.keys() >= {*about.ranker.kinds}:
        from ncsbench.apps.own_code.indexing import Wanted, index_folder

        try:
            with one_corpus():  # where it fails, that of the former index is read
                index_folder(folder, index, Wanted(), progress)
            return ""
        except RunIsBusyError:
            return BUSY
        except (NcsbenchError, OSError):
            pass  # a cache that is read-only, a full disk, or no file is left
    return BUSY if index.is_locked() else index.describe_behind()


def count_changes(index: IndexFolder) -> tuple[float, int]:
    """Return the bytes of code of a folder, and how many files came, went or changed.

    Of files that came and others that went, the larger number counts.
    """
    about = index.read()
    folder = find_on_disk(index.path, about.folder)
    known = about.files + sum(not path.endswith("/") for path in about.left_out)
    try:
        paths = find_code_files(folder, everything=about.everything).paths
        found = [os.lstat(f"{folder}/{path}") for path in paths]
        indexed = (index.path / ABOUT).stat().st_mtime_ns
    except (DataError, OSError):
        return float("inf"), 1
    # A file that was renamed, or replaced by an older one, has only a newer time of its entry.
    changed = sum(max(one.st_mtime_ns, one.st_ctime_ns) > indexed for one in found)
    sizes = (one.st_size for one in found if one.st_size <= MAXIMUM_BYTES)
    return sum(sizes), max(changed, abs(len(found) - known))
