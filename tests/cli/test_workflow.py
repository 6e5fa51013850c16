"""The workflow commands from the outside: answers on standard output, exit statuses, JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command import Outcome, stratumc
from support.workflows import SMALL, Json, lay_out


@pytest.fixture
def root(tmp_path: Path) -> Path:
    lay_out(tmp_path, SMALL)
    return tmp_path


def run(root: Path, *arguments: str, stdin: bytes = b"") -> Outcome:
    return stratumc(*arguments, cwd=root, stdin=stdin)


def as_json(outcome: Outcome) -> Json:
    value: Json = json.loads(outcome.out)
    return value


def test_state_and_apply(root: Path) -> None:
    shown = run(root, "state")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out == (
        "state: a\n  A.\n  go -> b, run /do-b\n  stay -> a\n  panic -> c [global]\nalways available: /help\n"
    )
    moved = run(root, "apply", "go", "--reason", "ready", "--update", '{"x": 1}')
    assert (moved.status, moved.err) == (0, "")
    assert moved.out.startswith("a -> b by go\nrun: /do-b\n  back -> a\n  on -> c, run /c, a judgment\n")
    assert json.loads((root / ".forge" / "dev-state.json").read_text())["x"] == 1
    assert as_json(run(root, "state", "--json"))["state"] == "b"
    context = '{"session_counters": {"rounds": 3}}'
    assert "a trigger fires" in run(root, "state", "--context", context).out
    (root / "context.json").write_text(context)
    assert run(root, "apply", "auto", "--context", "@context.json").out.startswith("b -> c by auto\n")
    assert "resume -> b" in run(root, "state", "c").out.replace("(no resumption target)", "b")


def test_a_refusal_is_an_answer_with_status_one(root: Path) -> None:
    refused = run(root, "apply", "no")
    assert (refused.status, refused.err) == (1, "")
    assert refused.out == (
        "refused (event_not_allowed): event `no` is not allowed in state `a`; "
        "valid events: `go`, `stay`, `panic`\nvalid events: go, stay, panic\n"
    )
    assert run(root, "apply", "go", "--expect", "b").status == 1
    assert as_json(run(root, "apply", "no", "--json"))["error"]["code"] == "event_not_allowed"
    (root / ".forge" / "workflow.json").write_text("{")
    broken = run(root, "state")
    assert broken.status == 1
    assert "  .forge/workflow.json:1:1: error[JSON_INVALID]" in broken.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("apply",),
        ("apply", "go", "--context", "{"),
        ("apply", "go", "--context", "[]"),
        ("apply", "go", "--update", "@no-such-file"),
        ("state", "--no-such-option"),
        ("history", "--limit", "-1"),
        ("modify", "add_threshold", "--name", "x", "--value", "many"),
        ("modify", "add_transition", "--target", "a", "--null-target"),
        ("path", "no-such-file"),
        ("path", ".forge", "mars"),
    ],
)
def test_wrong_usage_is_status_two(root: Path, arguments: tuple[str, ...]) -> None:
    outcome = run(root, *arguments)
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err


def test_context_from_standard_input(root: Path) -> None:
    run(root, "apply", "go")
    moved = run(root, "apply", "auto", "--context", "@-", stdin=b'{"session_counters": {"rounds": 4}}')
    assert moved.out.startswith("b -> c by auto\n")


def test_history(root: Path) -> None:
    assert run(root, "history").out == "no transitions\n"
    run(root, "apply", "go", "--reason", "why")
    for _ in range(5):
        run(root, "apply", "off")
        run(root, "apply", "go")
    shown = run(root, "history", "--event", "off", "--limit", "2", "--summary")
    lines = shown.out.splitlines()
    assert [line.split("  ")[1] for line in lines[:2]] == ["b -> a by off"] * 2
    assert "transitions: 5" in lines
    assert "always the same: off in b, 5 times; could be a trigger" in lines
    assert as_json(run(root, "history", "--json", "--to", "b"))["total"] == 6
    (root / "one").mkdir()
    run(root, "apply", "stay", "--project", "one")
    assert run(root, "history", "--limit", "1").out.rstrip().endswith("a -> a by stay [one]")
    assert run(root, "history", "--since", "soon").status == 1


def test_modify_previews_then_confirms(root: Path) -> None:
    arguments = ("modify", "add_transition", "--state", "a", "--event", "x", "--null-target", "--judgment")
    preview = run(root, *arguments)
    assert preview.status == 0
    assert '+          "event": "x",' in preview.out
    token = preview.out.split()[-1]
    done = run(root, *arguments, "--confirm", token)
    assert done.out.endswith("written\n")
    assert run(root, *arguments, "--confirm", token).status == 1
    assert "x -> (no resumption target), a judgment" in run(root, "state").out
    assert run(root, "modify", "remove_transition", "--state", "a", "--event", "x", "--yes").status == 0
    assert "x ->" not in run(root, "state").out
    assert run(root, "modify", "add_state", "--state", "a", "--yes").status == 1


def test_a_preview_says_when_the_layout_changes_too(root: Path) -> None:
    file, word = root / ".forge" / "workflow.json", "reformatted"
    arguments = ("modify", "add_state", "--state", "new")
    assert word not in run(root, *arguments).out
    file.write_text(json.dumps(json.loads(file.read_text("utf-8"))), "utf-8")
    assert word in run(root, *arguments).out


def test_path(root: Path) -> None:
    shown = run(root, "path", ".forge", "a", "c", "--avoid", "b")
    assert shown.out == "a to c: 1 hop\n  a -> c by panic\n"
    shown = run(root, "path", ".forge/workflow.json", "a")
    assert shown.out == "reachable from a:\n  b: 1 hop\n  c: 1 hop\n"
    assert run(root, "path", ".forge", "--all").out == shown.out
    assert run(root, "path", ".forge", "c", "a", "--avoid", "a").status == 1
    assert as_json(run(root, "path", ".forge", "a", "b", "--json"))["length"] == 1


def test_settings_are_options(root: Path, tmp_path: Path) -> None:
    options = ("--root", str(root), "--state-file", "s.json", "--log-file", "l.jsonl", "--state-field", "f")
    assert stratumc("apply", "go", *options, cwd=tmp_path.parent).status == 0
    assert json.loads((root / "s.json").read_text())["f"] == "b"
    assert (root / "l.jsonl").exists()


def test_a_change_of_what_goes_with_a_way_is_told_as_one(root: Path) -> None:
    changed = run(root, "modify", "change_transition", "--state", "a", "--event", "go", "--action", "/x")
    assert "transitions changed: a -> b by go, run /do-b => run /x\n" in changed.out
    assert "transitions added" not in changed.out
    gone = run(root, "modify", "change_transition", "--state", "a", "--event", "go", "--no-action")
    assert "transitions changed: a -> b by go, run /do-b => run nothing\n" in gone.out


def test_a_key_given_twice_is_wrong_usage(root: Path) -> None:
    refused = run(root, "apply", "go", "--update", '{"x": 1, "x": 2}')
    assert refused.status == 2
    assert "the key `x` is there twice" in refused.err


def test_a_number_stays_as_it_is_written(root: Path) -> None:
    arguments = ("modify", "change_threshold", "--name", "most", "--value", "1e3", "--yes")
    assert run(root, *arguments).status == 0
    assert '"most": 1e3' in (root / ".forge" / "workflow.json").read_text()
    assert run(root, "modify", "change_threshold", "--name", "most", "--value", "1e999").status == 1


def test_a_root_that_is_not_there_is_told(root: Path) -> None:
    outcome = run(root, "state", "--root", "nope")
    assert outcome.status == 2
    assert "there is no folder `nope`" in outcome.err
