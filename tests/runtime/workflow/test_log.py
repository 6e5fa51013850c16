"""The log: whole lines, repaired ends, bad lines told by their number, order by sequence number."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from stratum_runtime.workflow.log import KEYS, open_log, read_log


def entry(seq: Any = 1, **more: Any) -> dict[str, Any]:
    values = {
        "from": "a",
        "event": "go",
        "to": "b",
        "seq": seq,
        "time": "2026-01-01T00:00:00Z",
        "project": ".",
    }
    return dict.fromkeys(KEYS) | values | more


def line(seq: Any = 1, **more: Any) -> bytes:
    return json.dumps(entry(seq, **more), ensure_ascii=False).encode() + b"\n"


def append(path: Path, **more: Any) -> int:
    with open_log(str(path)) as log:
        log.append(entry(log.last_seq + 1, **more))
        return log.last_seq + 1


def test_an_entry_has_exactly_its_keys_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "log"
    append(path, reason="é\n\u2028")
    text = path.read_bytes().decode()
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert list(json.loads(text)) == list(KEYS)
    assert "é" in text


def test_half_a_surrogate_pair_is_written_escaped(tmp_path: Path) -> None:
    append(tmp_path / "log", reason="\ud800")
    assert read_log(str(tmp_path / "log")).entries[0]["reason"] == "\ud800"


@pytest.mark.parametrize(
    ("torn", "kept"),
    [
        (b'{"from": "a', 2),
        ('{"from": "a", "reason": "gr\u00fc'.encode()[:-1], 2),
        (b"   ", 2),
        (b"\x00\x00\x00\x00", 2),
        (b"{", 2),
        (b'{"seq": 3}', 2),
        (line(3)[:-1], 3),
        (line(3)[:-2], 2),
        (b'{"from": "a", "event": "go", "to": "' + b"x" * 20_000, 2),
        (line(3, reason="x" * 20_000)[:-1], 3),
    ],
)
def test_a_torn_end_is_repaired_before_the_next_line(tmp_path: Path, torn: bytes, kept: int) -> None:
    path = tmp_path / "log"
    path.write_bytes(line(1) + line(2) + torn)
    before = read_log(str(path))
    assert (len(before.entries), before.problems) == (kept, ())
    assert append(path) == kept + 1
    after = read_log(str(path))
    assert [one["seq"] for one in after.entries] == list(range(1, kept + 2))
    assert after.problems == ()


@pytest.mark.parametrize("torn", [b"", b"{", b" ", line(1)[:-1]])
def test_a_log_of_one_torn_line(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "log"
    path.write_bytes(torn)
    append(path)
    assert [one["seq"] for one in read_log(str(path)).entries] == ([1, 2] if len(torn) > 1 else [1])


def test_a_bad_line_in_the_middle_is_told_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(line(1) + b"nonsense\n" + b"\n" + b'{"from": 1}\n' + line(2) + b"\xff\n" + line(3))
    reading = read_log(str(path))
    assert [one["seq"] for one in reading.entries] == [1, 2, 3]
    assert [problem.split()[1] for problem in reading.problems] == ["2", "4", "6"]
    assert append(path) == 4


@pytest.mark.parametrize(
    "tail", [b"my last words", b'{"name": "package"}', b"}", b"[1, 2", b"{ set }", b"\xc3"]
)
def test_what_is_no_beginning_of_an_entry_is_kept(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"one\n" + tail)
    append(path)
    kept, _, rest = path.read_bytes().partition(tail)
    assert kept == b"one\n"
    assert rest.startswith(b'\n{"seq": 1,')


@pytest.mark.parametrize("blank", [b"\n", b"\n\n\n", b"  \n\t", b"\r\n"])
def test_blank_lines_are_passed_over(tmp_path: Path, blank: bytes) -> None:
    path = tmp_path / "log"
    path.write_bytes(line(1) + blank)
    assert append(path) == 2
    reading = read_log(str(path))
    assert [one["seq"] for one in reading.entries] == [1, 2]
    assert reading.problems == ()


def test_garbage_at_the_end_does_not_restart_the_numbers(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(line(41) + b"garbage\n" * 3000)
    assert append(path) == 42


def test_order_is_by_number_whatever_the_clock_says(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(line(3, time="2020-01-01T00:00:00Z") + line(1) + line(None, to="x") + line(2))
    assert [(one["seq"], one["to"]) for one in read_log(str(path)).entries] == [
        (1, "b"),
        (None, "x"),
        (2, "b"),
        (3, "b"),
    ]


def test_no_log_is_an_empty_one(tmp_path: Path) -> None:
    assert read_log(str(tmp_path / "none")).entries == ()
    assert not (tmp_path / "none").exists()


def test_a_log_that_was_moved_away_while_we_waited_is_opened_anew(tmp_path: Path) -> None:
    import threading
    import time

    path = tmp_path / "log"
    with open_log(str(path)) as log:
        log.append(entry(1))
        waiter = threading.Thread(target=append, args=(path,))
        waiter.start()
        time.sleep(0.05)
        os.rename(path, tmp_path / "log.1")
    waiter.join()
    assert [one["seq"] for one in read_log(str(path)).entries] == [1]
    assert [one["seq"] for one in read_log(str(tmp_path / "log.1")).entries] == [1]
