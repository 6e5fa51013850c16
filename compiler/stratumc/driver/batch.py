"""Checks many inputs in one order: from the cache where nothing changed, else here or in processes.

This module and those that it imports at its top are all that a cached check loads; they have named tuples,
because importing `dataclasses` takes a quarter of the time of such a check.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from stratumc.driver.cache import Cache, key_of
from stratumc.driver.files import File, read_files
from stratumc.driver.settings import Settings, shown

if TYPE_CHECKING:
    from stratumc.diagnostics import Diagnostic

_WORTH_PROCESSES = 4
"""From so many inputs on, starting processes pays."""


class WorkerLostError(Exception):
    """A process that was checking has been ended from outside."""


class InternalError(Exception):
    """A fault of the compiler, not of the input: `name` is what it checked, `trace` where it happened."""

    def __init__(self, name: str, trace: str) -> None:
        super().__init__(name, trace)
        self.name = name
        self.trace = trace


class Input(NamedTuple):
    """One thing to check: a file by its path, or a text that was read elsewhere."""

    name: str
    kind: str | None = None
    text: bytes | None = None
    """The content, for standard input; None to read the file `name`."""


class Checked(NamedTuple):
    """An input with what was found in it, as in a CheckResult."""

    input: Input
    kind: str | None
    diagnostics: tuple[Diagnostic, ...]
    suppressed: tuple[Diagnostic, ...]
    bounds: dict[str, Any] | None
    """As in a CheckResult; None too when not asked for."""

    @property
    def is_unreadable(self) -> bool:
        """Whether a file of the input could not be read at all."""
        found = (*self.diagnostics, *self.suppressed)
        return any(
            diagnostic.code == "FILE_UNREADABLE" and diagnostic.severity == "error" for diagnostic in found
        )


class _Task(NamedTuple):
    """An input that the cache does not know."""

    position: int
    input: Input
    files: tuple[File, ...] | None
    """What was hashed, so that it is also what is checked; None when it can't be read."""
    settings: Settings
    with_bounds: bool


def check_inputs(
    inputs: Sequence[Input],
    settings: Settings,
    *,
    with_bounds: bool = False,
    jobs: int | None = None,
    cache: Cache | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Checked]:
    """The results of all inputs, in their order, whatever the number of processes (None: as many as help).

    `progress` is told how many are done.
    """
    results: list[Checked | None] = [None] * len(inputs)
    tasks, keys = [], {}
    described = repr((settings, with_bounds, settings.file and shown(settings.file)))
    for position, one in enumerate(inputs):
        files = _files_of(one)
        if cache is not None and files is not None:
            keys[position] = key = key_of(files, one.kind, described)
            results[position] = _from_entry(one, cache.get(key))
        if results[position] is None:
            tasks.append(_Task(position, one, files, settings, with_bounds))
    done = len(inputs) - len(tasks)
    for position, result in _run(tasks, jobs):
        results[position] = result
        done += 1
        if progress is not None:
            progress(done)
        if cache is not None and position in keys:
            cache.put(keys[position], _to_entry(result))
    return [result for result in results if result is not None]


def _files_of(one: Input) -> tuple[File, ...] | None:
    """The files that an input is made of, with their contents; None when one can't be read."""
    return read_files(one.name, one.kind) if one.text is None else ((one.name, one.text),)


def _run(tasks: list[_Task], jobs: int | None) -> Iterator[tuple[int, Checked]]:
    """The results as they come, each with its position."""
    workers = _workers(len(tasks), jobs)
    if workers > 1:
        yield from _run_in_processes(tasks, workers)
        return
    for task in tasks:
        yield task.position, _check(task)


def _run_in_processes(tasks: list[_Task], workers: int) -> Iterator[tuple[int, Checked]]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_all_start_methods, get_context

    context = get_context("fork" if "fork" in get_all_start_methods() else None)
    executor = ProcessPoolExecutor(workers, context, _prepare_worker)
    share = max(1, min(16, len(tasks) // (4 * workers)))
    try:
        for task, result in zip(tasks, executor.map(_check, tasks, chunksize=share), strict=True):
            yield task.position, result
    except BrokenProcessPool:
        raise WorkerLostError from None
    except BaseException:
        for child in active_children():
            child.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _prepare_worker() -> None:
    """Lets a worker end without a word: at an interrupt, which reaches every process, and with its parent.

    A parent that is ended by a signal can't end its workers, and they would hold its output open.
    """
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _workers(tasks: int, jobs: int | None) -> int:
    """How many processes: as many as asked for, at most one for each task; by default where it pays."""
    if jobs is None:
        if tasks < _WORTH_PROCESSES:
            return 1
        affinity = getattr(os, "sched_getaffinity", None)
        jobs = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, min(jobs, tasks))


def _check(task: _Task) -> Checked:
    """Checks one input. Raises InternalError for a fault of ours, naming the input."""
    from stratumc.driver.load import load_files, load_text, load_unreadable
    from stratumc.driver.pipeline import check_loaded

    one = task.input
    try:
        if one.text is not None:
            loaded = load_text(one.text, one.name, one.kind)
        elif task.files is not None:
            loaded = load_files(task.files, one.kind)
        else:
            loaded = load_unreadable(one.name, one.kind)
        result = check_loaded(loaded, task.settings)
        bounds = result.bounds if task.with_bounds else None
    except Exception as error:
        import traceback

        raise InternalError(one.name, "".join(traceback.format_exception(error))) from error
    return Checked(one, result.kind, result.diagnostics, result.suppressed, bounds)


def _to_entry(result: Checked) -> dict[str, Any]:
    return {
        "kind": result.kind,
        "diagnostics": [diagnostic.to_dict() for diagnostic in result.diagnostics],
        "suppressed": [diagnostic.to_dict() for diagnostic in result.suppressed],
        "bounds": result.bounds,
    }


def _from_entry(one: Input, entry: Any) -> Checked | None:
    if entry is None:
        return None
    diagnostics = tuple(map(_diagnostic, entry["diagnostics"]))
    suppressed = tuple(map(_diagnostic, entry["suppressed"]))
    return Checked(one, entry["kind"], diagnostics, suppressed, entry["bounds"])


def _diagnostic(fields: dict[str, Any]) -> Diagnostic:
    """The diagnostic that `to_dict` wrote."""
    from stratumc.diagnostics import Diagnostic, Related
    from stratumc.text import Span

    related = tuple(Related(place.pop("message"), Span(**place)) for place in fields["related"])
    return Diagnostic(**{**fields, "span": Span(**fields["span"]), "related": related})
