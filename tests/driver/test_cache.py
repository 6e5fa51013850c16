"""The cache: a hit only for the same everything, and no way to make it an error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import stratumc
from stratumc.driver import cache as driver_cache
from stratumc.driver.cache import Cache, default_folder, key_of

KEY = "ab" + "0" * 62


def test_what_is_put_is_got(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path))
    assert cache.get(KEY) is None
    cache.put(KEY, {"kind": "spec", "diagnostics": ["é"]})
    assert cache.get(KEY) == {"kind": "spec", "diagnostics": ["é"]}


@pytest.mark.parametrize("damage", [b"", b"x", b"\xff\xfe", b'0\n{"kind": 1}'])
def test_a_damaged_entry_is_none(tmp_path: Path, damage: bytes) -> None:
    cache = Cache(str(tmp_path))
    cache.put(KEY, {"kind": "spec"})
    (entry,) = (tmp_path / "ab").iterdir()
    entry.write_bytes(damage)
    assert cache.get(KEY) is None
    cache.put(KEY, {"kind": "workflow"})
    assert cache.get(KEY) == {"kind": "workflow"}


def test_a_cut_entry_is_none(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path))
    cache.put(KEY, {"kind": "spec"})
    (entry,) = (tmp_path / "ab").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert cache.get(KEY) is None


def test_a_folder_that_cannot_be_written_is_no_cache(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    cache = Cache(str(blocked))
    cache.put(KEY, {})
    assert cache.get(KEY) is None


def test_a_bucket_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_cache, "_BUCKET_FILES", 4)
    cache = Cache(str(tmp_path))
    keys = [f"ab{number:062}" for number in range(10)]
    for number, key in enumerate(keys):
        cache.put(key, number)
        os.utime(tmp_path / "ab" / key[2:], ns=(number, number))
    kept = [key for key in keys if cache.get(key) is not None]
    assert kept == keys[-4:]


def test_a_large_result_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path))
    cache.put(KEY, "x" * 300_000)
    assert cache.get(KEY) is None


def test_every_part_counts_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [
        key_of((("a", b"1"),), None, "s"),
        key_of((("b", b"1"),), None, "s"),
        key_of((("a", b"2"),), None, "s"),
        key_of((("a", b"1"), ("b", b"")), None, "s"),
        key_of((("a", b"1b"),), None, "s"),
        key_of((("a", b"1"),), "spec", "s"),
        key_of((("a", b"1"),), None, "t"),
    ]
    monkeypatch.setattr(stratumc, "__version__", "0.0")
    keys.append(key_of((("a", b"1"),), None, "s"))
    assert len(set(keys)) == len(keys)


WRITER = """
import sys
from stratumc.driver.cache import Cache
cache = Cache(sys.argv[1])
for number in range(200):
    cache.put("ab" + "0" * 62, {"by": sys.argv[2], "text": "x" * 1000})
    entry = cache.get("ab" + "0" * 62)
    assert entry is None or entry["text"] == "x" * 1000
"""


def test_writers_at_once_never_tear_an_entry(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, name]) for name in ("one", "two", "three")]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert [path.name for path in (tmp_path / "ab").iterdir()] == ["0" * 62], "no scratch file is left"
    entry = Cache(str(tmp_path)).get(KEY)
    assert entry is not None
    assert entry["text"] == "x" * 1000


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert default_folder() == "/somewhere/stratumc"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/someone")
    assert default_folder() == "/home/someone/.cache/stratumc"
