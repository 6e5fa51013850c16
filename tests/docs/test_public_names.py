"""The page on the Python API names everything that the package offers."""

from __future__ import annotations

import re

import pytest

import stratumc
from support.repository import ROOT


@pytest.mark.parametrize("name", stratumc.__all__)
def test_the_api_page_names_it(name: str) -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    assert re.search(rf"`{name}\b", page), f"docs/api.md doesn't name {name}"
