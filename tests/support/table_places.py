"""Random v1 documents with a few cuts, swaps and misspellings."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from support.specs import specs

Json = Any
Draw = st.DrawFn

_JUNK: tuple[Json, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "${",
    "${item}",
    "${ghost.output}",
    [],
    {},
    [1],
    {"a": 1},
)


@st.composite
def damaged_specs(draw: Draw, *, most: int = 3) -> Json:
    """A valid document after one to `most` random changes: mostly invalid, sometimes still valid.

    Half of the changes put one text of the document in the place of another.
    """
    spec = copy.deepcopy(draw(specs(largest=4)))
    for _ in range(draw(st.integers(1, most))):
        places = list(_places(spec))
        if not places:
            break
        texts = [(container, key) for container, key in places if isinstance(container[key], str)]
        if draw(st.booleans()) and texts:
            (container, key), (other, name) = (texts[draw(st.integers(0, len(texts) - 1))] for _ in range(2))
            container[key] = other[name]
            continue
        container, key = places[draw(st.integers(0, len(places) - 1))]
        _DAMAGES[draw(st.sampled_from(sorted(_DAMAGES)))](draw, container, key)
    return spec


def _places(value: Json) -> Any:
    """Every container with each of its keys or indexes, outermost first."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield value, key
            yield from _places(below)
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield value, index
            yield from _places(below)


def _cut(draw: Draw, container: Json, key: Any) -> None:
    del container[key]


def _replace(draw: Draw, container: Json, key: Any) -> None:
    container[key] = copy.deepcopy(draw(st.sampled_from(_JUNK)))


def _misspell(draw: Draw, container: Json, key: Any) -> None:
    if isinstance(container[key], str):
        text = container[key]
        cut = draw(st.integers(0, len(text)))
        container[key] = (
            text[:cut] + draw(st.sampled_from(["", "q", "\n", "}", "${", "A", "?"])) + text[cut + 1 :]
        )


def _rename(draw: Draw, container: Json, key: Any) -> None:
    if isinstance(container, dict):
        new = draw(st.sampled_from([f"{key}s", str(key).upper(), "__proto__", "constructor", "", "a b", "x"]))
        renamed = {new if name == key else name: value for name, value in container.items()}
        container.clear()
        container.update(renamed)


def _repeat(draw: Draw, container: Json, key: Any) -> None:
    if isinstance(container, list):
        container.insert(draw(st.integers(0, len(container))), copy.deepcopy(container[key]))
    else:
        container[draw(st.sampled_from(["extra", "do", "after", "out", "when", "gate"]))] = copy.deepcopy(
            container[key]
        )


_DAMAGES = {"cut": _cut, "replace": _replace, "misspell": _misspell, "rename": _rename, "repeat": _repeat}
