"""Threads that take tasks and put what came of them, or what went wrong, into one queue."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerThreads(Generic[Task, Result]):
    """A number of threads that do one kind of work; they end with the process."""

    def __init__(
        self,
        count: int,
        work: Callable[[Task], Result],
        results: queue.SimpleQueue[Result | BaseException],
    ) -> None:
        """Start ``count`` threads that call ``work`` and put what it gives into ``results``."""
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._work = work
        self._results = results
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def add(self, tasks: Iterable[Task]) -> None:
        """Let tasks be done, in this order."""
        for task in tasks:
            self._tasks.put(task)

    def drop(self) -> int:
        """Forget the tasks that nobody has begun; how many these were."""
        count = 0
        with contextlib.suppress(queue.Empty):
            while True:
                self._tasks.get_nowait()
                count += 1
        return count

    def end(self, seconds: float) -> None:
        """Begin no task any more; wait some seconds for those that are under way."""
        self._ended.set()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join(seconds)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None and not self._ended.is_set():
            try:
                self._results.put(self._work(task))
            except BaseException as error:
                self._results.put(error)
