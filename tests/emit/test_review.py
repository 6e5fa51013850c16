"""Pages hold any text as text, and nothing of what is filled in is taken for a part of the template."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stratumc.driver.diagram import picture_of
from stratumc.driver.load import load
from stratumc.driver.page import review_of
from stratumc.emit.dot import render_dot
from stratumc.emit.page import picture_page
from stratumc.emit.picture import Edge, Line, Node, Picture, PictureKind, Shape, Tone
from stratumc.emit.review import review_page
from stratumc.emit.template import assets, fill
from support.pictures import FINDINGS, workflow_of
from support.review_page import page_data

NAME = "</script><script>alert(1)</script>{{data}}\u2028\u202e"


def test_what_is_filled_in_is_not_looked_at_again() -> None:
    given = {"title": "{{svg}}", "style": "{{title}}", "whole": "", "legend": "", "svg": "{{nothing}}"}
    page = fill("picture.html", given)
    assert "<title>{{svg}}</title>" in page
    assert "{{title}}" in page
    assert "{{nothing}}" in page


def test_any_name_stays_inside_of_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = "a<b>&\"'.json"
    (tmp_path / file).write_text(workflow_of([NAME, "b", "c"]), "utf-8")
    page = review_page(review_of((file,), None))
    (tmp_path / "p.html").write_text(page, "utf-8")
    assert page.count("</script>") == 2
    assert "<title>Review of a&lt;b&gt;&amp;&quot;&#x27;.json</title>" in page
    assert page_data(tmp_path / "p.html")["pictures"][0]["names"][0] == NAME
    assert "\u2028" not in page


def test_a_picture_alone_is_named() -> None:
    page = picture_page(picture_of(load(workflow_of([NAME, "b"]), name="w.json", kind="workflow")))
    assert 'role="img" aria-label="&lt;/script&gt;&lt;script&gt;' in page
    assert "<script" not in page.replace("&lt;script", "")


def test_every_colour_of_drawings_has_one_on_pages() -> None:
    nodes = tuple(Node(f"n{number}", None, ("x",), Shape.TASK, tone) for number, tone in enumerate(Tone))
    edges = tuple(Edge("n0", "n1", ("x",), line) for line in Line)
    drawn = render_dot(Picture(PictureKind.FLOW, "all", (), nodes, edges, ()))
    used = set(re.findall(r"#[0-9a-f]{6}", drawn)) - {"#1c1917"}
    assert len(used) > 12
    assert used <= set(re.findall(r"#[0-9a-f]{6}", assets("drawing.css")))


def test_the_same_inputs_give_the_same_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.stratum.yaml").write_text(FINDINGS, "utf-8")
    pages = {review_page(review_of(("a.stratum.yaml",), "a.stratum.yaml")) for _ in range(2)}
    assert len(pages) == 1
    assert "http://" not in next(iter(pages)).replace("http://www.w3.org/", "")
