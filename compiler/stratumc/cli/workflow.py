"""`stratumc state`, `apply`, `history` and `modify`: the workflow tools for a shell."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from stratumc.cli.workflow_text import changed, history_text, moved, situation

if TYPE_CHECKING:
    from stratum_runtime.workflow import WorkflowEngine

Command = TypeVar("Command", bound=Callable[..., Any])
Answer = dict[str, Any]

REFUSED = 1


def _json_object(ctx: click.Context, param: click.Parameter, value: str | None) -> Answer | None:
    """A JSON object as text, or `@FILE` to read it from a file, `@-` from standard input."""
    if value is None:
        return None
    text = _read(value[1:], ctx, param) if value.startswith("@") else value
    try:
        found = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"this is not JSON: {error}", ctx, param) from None
    if not isinstance(found, dict):
        raise click.BadParameter("this isn't a JSON object", ctx, param)
    return found


def _without_repeats(members: list[tuple[str, Any]]) -> Answer:
    found: Answer = {}
    for key, value in members:
        if key in found:
            raise ValueError(f"the key `{key}` is there twice")
        found[key] = value
    return found


def _read(name: str, ctx: click.Context, param: click.Parameter) -> str:
    try:
        if name == "-":
            return sys.stdin.read()
        with open(name, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"`{name}` can't be read: {error}", ctx, param) from None


def _number(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A number as JSON writes it, kept as it is written."""
    if value is None:
        return None
    from stratumc.engine.json_document import NumberText, parse

    try:
        found = parse(value)
    except ValueError:
        found = None
    if not isinstance(found, NumberText):
        raise click.BadParameter(f"`{value}` isn't a number", ctx, param)
    return found


def settings_options(command: Command) -> Command:
    """The settings of a root of projects; each goes before its `FLOW_*` variable."""
    for option in (
        click.option("--root", metavar="DIR", help="Folder of the projects. [default: .]"),
        click.option("--workflow", metavar="FILE", help="Workflow file. [default: .forge/workflow.json]"),
        click.option("--state-file", metavar="FILE", help="State file. [default: .forge/dev-state.json]"),
        click.option("--log-file", metavar="FILE", help="Log. [default: .forge/flow-log.jsonl]"),
        click.option("--state-field", metavar="NAME", help="Field of the state. [default: workflow_state]"),
    ):
        command = option(command)
    return command


def project_options(command: Command) -> Command:
    """The options that every workflow command takes."""
    answer = click.option("--json", "as_json", is_flag=True, help="Answer with the tool's JSON object.")
    return settings_options(answer(command))


_PROJECT = click.option("--project", metavar="DIR", help="A project's folder below the root.")
context_option = click.option(
    "--context", metavar="JSON|@FILE", callback=_json_object, help="Values that conditions read."
)


def _call(tool: str, given: Answer, settings: Answer, show: Callable[[Answer], str]) -> int:
    """Calls a method of the engine with the arguments that were given, and prints its answer."""
    as_json = settings.pop("as_json")
    answer = getattr(_engine(settings), tool)(**given)
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False) if as_json else show(answer))
    return REFUSED if "error" in answer else 0


def _engine(settings: Answer) -> WorkflowEngine:
    from stratumc.engine import create_engine

    root = settings["root"]
    if root is not None and not os.path.isdir(root):
        raise click.BadParameter(f"there is no folder `{root}`", param_hint="`--root`")
    return create_engine(**settings)


@click.command(short_help="Show a project's state and what may be done in it.")
@click.argument("state", required=False)
@context_option
@_PROJECT
@project_options
def state(state: str | None, context: Answer | None, project: str | None, **settings: Any) -> int:
    """Show the state that the project is in, or STATE, and the events that may be applied there."""
    given = {"workflow_state": state, "context": context, "project_path": project}
    return _call("check", given, settings, situation)


@click.command(short_help="Apply an event to a project.")
@click.argument("event")
@context_option
@click.option("--expect", metavar="STATE", help="Refuse unless the project is in this state.")
@click.option("--reason", help="Why, for the log.")
@click.option(
    "--update",
    metavar="JSON|@FILE",
    callback=_json_object,
    help="Further fields to write into the state file.",
)
@_PROJECT
@project_options
def apply(event: str, context: Answer | None, project: str | None, **more: Any) -> int:
    """Apply EVENT, or with `auto` the trigger that fires in the given context."""
    given = {
        "event": event,
        "context": context,
        "project_path": project,
        "expected_state": more.pop("expect"),
        "reason": more.pop("reason"),
        "state_updates": more.pop("update"),
    }
    return _call("transition", given, more, moved)


@click.command(short_help="Show what happened in a project.")
@click.option("--limit", type=click.IntRange(min=0), help="At most this many entries, newest first.")
@click.option("--event", help="Only entries of this event.")
@click.option("--from", "from_state", metavar="STATE", help="Only entries that left this state.")
@click.option("--to", "to_state", metavar="STATE", help="Only entries that entered this state.")
@click.option("--since", metavar="TIME", help="Only entries from this time on (ISO 8601).")
@click.option("--until", metavar="TIME", help="Only entries up to this time (ISO 8601).")
@click.option("--summary", is_flag=True, default=None, help="Counts, time per state, repeated judgments.")
@_PROJECT
@project_options
def history(project: str | None, **more: Any) -> int:
    """Show the log of transitions, newest first."""
    names = ("limit", "event", "from_state", "to_state", "since", "until", "summary")
    given = {name: more.pop(name) for name in names}
    return _call("history", {**given, "project_path": project}, more, history_text)


@click.command(short_help="Edit the workflow file, with a preview.")
@click.argument("operation")
@click.option("--state", help="The state to edit.")
@click.option("--new-name", help="The state's new name, for `rename_state`.")
@click.option("--description", help="What being in the state means.")
@click.option("--event", help="The event to edit.")
@click.option("--target", help="The state to enter.")
@click.option("--null-target", is_flag=True, help="Enter the previous state's resumption target.")
@click.option("--action", help="The command to run next.")
@click.option("--no-action", is_flag=True, help="Run no command next.")
@click.option("--judgment/--no-judgment", default=None, help="Whether this is a choice to weigh.")
@click.option("--index", type=click.IntRange(min=0), help="Which trigger of the state, from 0.")
@click.option("--condition", help="A trigger's condition.")
@click.option(
    "--except", "excepted", multiple=True, metavar="STATE", help="A state that doesn't get it (repeatable)."
)
@click.option("--name", help="The threshold to edit.")
@click.option("--value", metavar="NUMBER", callback=_number, help="Its value.")
@click.option("--confirm", metavar="TOKEN", help="Make the change that this token's preview showed.")
@click.option("--yes", is_flag=True, help="Make the change without asking for a token.")
@project_options
def modify(operation: str, confirm: str | None, *, yes: bool, **more: Any) -> int:
    """Preview OPERATION, for example `add_transition`, on the base workflow file, or make it."""
    arguments = _edit(more)
    if not yes:
        token = {} if confirm is None else {"confirm": True, "token": confirm}
        return _call("modify", {"operation": operation, **arguments, **token}, more, changed)
    settings = {name: value for name, value in more.items() if name != "as_json"}
    preview = _engine(settings).modify(operation, **arguments)
    token = {"confirm": True, "token": preview.get("token")} if "error" not in preview else {}
    return _call("modify", {"operation": operation, **arguments, **token}, more, changed)


def _edit(more: Answer) -> Answer:
    """Takes the arguments of the edit out of what the command line gave."""
    names = ("state", "new_name", "description", "event", "index", "condition", "judgment", "name", "value")
    found = {name: value for name in names if (value := more.pop(name)) is not None}
    for name, no in (("target", more.pop("null_target")), ("action", more.pop("no_action"))):
        value = more.pop(name)
        if value is not None and no:
            raise click.UsageError(f"`--{name}` and its opposite can't be given together")
        if value is not None or no:
            found[name] = value
    excepted = more.pop("excepted")
    return {**found, "except": list(excepted)} if excepted else found
