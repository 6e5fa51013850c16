"""Damage to valid inputs: of their bytes, and of what they say."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from hypothesis import strategies as st

from stratumc.read import read_document
from stratumc.text import Document
from support.repository import EXAMPLES, GOLDEN_CHECKS
from support.trees import plain

FILES = tuple(
    sorted(path for folder in (EXAMPLES, GOLDEN_CHECKS) for path in folder.rglob("*.*") if path.is_file())
)
TEXTS = tuple(
    (path.name, path.read_bytes())
    for path in FILES
    if path.suffix in (".yaml", ".json") and path.stat().st_size < 20_000
)

_PIECES = (
    *(
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
        b"\t",
        b"\r",
        b"\n",
        b"\xe2\x80\xa8",
        b"\xf0\x9f\x98\x80",
        b"\xed\xa0\x80",
    ),
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b": ",
        b", ",
        b"- ",
        b"? ",
        b"#",
        b" #",
        b"'",
        b'"',
        b"|\n",
        b">\n",
        b"&a ",
        b"*a",
    ),
    *(
        b"!!int ",
        b"!x ",
        b"---\n",
        b"...\n",
        b"%YAML 1.2\n",
        b"<<: ",
        b"\\",
        b"\\ud800",
        b"1e999",
        b".nan",
        b"null",
        b"~",
    ),
    *(
        b"${",
        b"${item}",
        b"${a.output[0]}",
        b"$${x}",
        b"==",
        b"&&",
        b"(",
        b")",
        b"result.",
        b"-",
        b"__proto__",
        b"9" * 400,
    ),
)
_LEAVES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        2.5,
        10**30,
        "",
        "a",
        "é😀",
        "\n",
        "x" * 300,
        "string",
        "A",
        "a|b",
        "T[][]?",
        "?",
    ),
    *(
        "${input.x}",
        "${a.output.b}",
        "${item}",
        "result.x == 1",
        "a.b >= thresholds.c",
        "always",
        "((",
        "1 +",
        "__proto__",
    ),
    *([], {}, [None], {"": {}}, {"id": "a"}, {"expr": "true"}, [[]]),
)


@st.composite
def damaged_files(draw: st.DrawFn) -> tuple[str, bytes]:
    """A name and the bytes of a valid file after one to six edits of its bytes."""
    name, data = draw(st.sampled_from(TEXTS))
    random = draw(st.randoms(use_true_random=False))
    for _ in range(random.randint(1, 6)):
        data = _edit_bytes(data, random)
    return name, data


def _edit_bytes(data: bytes, random: Random) -> bytes:
    start = random.randint(0, len(data))
    stop = min(len(data), start + random.choice((0, 1, 2, 8, 40)))
    match random.randrange(6):
        case 0:
            return data[:start] + data[stop:]
        case 1:
            return data[:start] + random.choice(_PIECES) + data[start:]
        case 2:
            return data[:start] + random.choice(_PIECES) + data[stop:]
        case 3:
            return data[:stop] + data[start:stop] * random.choice((1, 2, 50)) + data[stop:]
        case 4:
            return data[:start] + bytes([random.randrange(256)]) + data[start + 1 :]
        case _:
            other = random.choice(TEXTS)[1]
            cut = random.randint(0, len(other))
            return data[:start] + other[cut : cut + 60] + data[stop:]


@st.composite
def damaged_documents(draw: st.DrawFn) -> tuple[str, bytes]:
    """A name and the JSON of a valid document after one to five edits of its structure."""
    name, value = draw(st.sampled_from(_documents()))
    random = draw(st.randoms(use_true_random=False))
    value = copy.deepcopy(value)
    for _ in range(random.randint(1, 5)):
        _edit_value(value, random)
    return name, json.dumps(value, ensure_ascii=random.random() < 0.5).encode("utf-8", "replace")


def _documents() -> list[tuple[str, Any]]:
    found = []
    for name, data in TEXTS:
        try:
            root = read_document(Document(name, data.decode("utf-8"))).root
        except UnicodeDecodeError:
            continue
        value = plain(root)
        if isinstance(value, dict):
            found.append(("workflow.json" if "states" in value else "x.stratum.json", value))
    return found


def _edit_value(root: Any, random: Random) -> None:
    """Changes one collection somewhere below the root, in place."""
    here = root
    while True:
        inner = list(here.values()) if isinstance(here, dict) else list(here)
        inner = [value for value in inner if isinstance(value, dict | list) and value]
        if not inner or random.random() < 0.25:
            break
        here = random.choice(inner)
    if not here:
        return
    key: Any = random.choice(list(here)) if isinstance(here, dict) else random.randrange(len(here))
    match random.randrange(5):
        case 0:
            del here[key]
        case 1 | 2:
            here[key] = copy.deepcopy(random.choice(_LEAVES))
        case 3 if isinstance(here, dict):
            here[random.choice(("x", "id", "after", "when", "out", "do", "target", "", "é"))] = copy.deepcopy(
                here[key]
            )
        case 3:
            here.insert(random.randint(0, len(here)), copy.deepcopy(here[key]))
        case _:
            here[key] = _edit_leaf(here[key], random)


def _edit_leaf(value: Any, random: Random) -> Any:
    if isinstance(value, str):
        at = random.randint(0, len(value))
        piece = random.choice(("$", "{", "}", ".", "'", " ", "a", "[0]", "\n", "==", "?", "|", "x.output"))
        return value[:at] + piece + value[at + random.choice((0, 1)) :]
    return [value] if random.random() < 0.5 else {"x": value}
