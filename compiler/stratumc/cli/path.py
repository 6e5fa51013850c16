"""`stratumc path`: ways between states or steps, and assertions on what every way passes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from stratumc.cli.guard import WRONG_USAGE, complain
from stratumc.cli.workflow import context_option
from stratumc.text.visible import visible

if TYPE_CHECKING:
    from stratumc.driver.review import Checked
    from stratumc.review.paths.flow_questions import FlowPath
    from stratumc.review.paths.questions import Claim

Answer = dict[str, Any]

NO_PATH = 1


@click.command(short_help="Find a way between states or steps, or assert what every way passes.")
@click.argument("file")
@click.argument("start", required=False, metavar="[FROM]")
@click.argument("goal", required=False, metavar="[TO]")
@click.option("--avoid", multiple=True, metavar="NAME", help="Avoid this state or step (repeatable).")
@click.option("--all", "list_all", is_flag=True, help="List everything reachable from FROM.")
@click.option(
    "--must-pass", multiple=True, metavar="GATE", help="Exit with 1 unless every way passes it (repeatable)."
)
@click.option("--flow", metavar="NAME", help="The flow of a spec; its entry by default.")
@context_option
@click.option("--json", "as_json", is_flag=True, help="Answer with a JSON object.")
def path(file: str, start: str | None, goal: str | None, **options: Any) -> int:
    """Show the shortest path FROM one state or step TO another, or everything that can be reached.

    FILE is a spec, a workflow file or its folder, or `REV:path` of git. FROM is where runs begin unless
    given; with one name only, that is where the path starts, but with --must-pass it is the goal. Hops by
    trigger say which values fire them. A way round --must-pass is shown as a counterexample.
    """
    from stratumc.driver.review import BrokenInputError, read_argument
    from stratumc.review.paths.questions import UnknownPlaceError

    if options["list_all"] and goal is not None:
        raise click.UsageError("with --all, leave TO out")
    try:
        one = read_argument(file)
    except BrokenInputError as error:
        complain(str(error))
        return WRONG_USAGE
    try:
        if one.loaded.workflow is not None and options["flow"] is not None:
            raise click.UsageError("a workflow has no flows: `--flow` is for specs")
        if options["must_pass"]:
            return _assert(one, _claims(start, goal, options), as_json=options["as_json"])
        if one.loaded.spec is not None:
            if options["context"] is not None:
                raise click.UsageError("a spec's steps read no context: `--context` is for workflows")
            return _flow(one, start, goal, options)
        return _workflow(one, start, goal, options)
    except UnknownPlaceError as error:
        raise click.UsageError(visible(str(error))) from None


def _claims(start: str | None, goal: str | None, options: Answer) -> list[Claim]:
    from stratumc.review.paths.questions import Claim

    for name in ("avoid", "context", "list_all"):
        if options[name] not in ((), None, False):
            flag = "all" if name == "list_all" else name
            raise click.UsageError(f"`--must-pass` speaks of every way: `--{flag}` can't restrict it")
    if goal is None:
        start, goal = None, start
    if goal is None:
        raise click.UsageError("`--must-pass` needs a goal: `stratumc path FILE TO --must-pass GATE`")
    return [Claim(goal, gate, start, options["flow"]) for gate in options["must_pass"]]


def _assert(one: Checked, claims: list[Claim], *, as_json: bool) -> int:
    """Answers assertions: 0 when all are proved, 1 when one is refuted or undecided."""
    from stratumc.proof.results import Proved
    from stratumc.review.paths.decide import decide
    from stratumc.review.paths.verdict import verdict_dict, verdict_lines

    results = [decide(claim, one.loaded.spec, one.loaded.workflow) for claim in claims]
    told = list(zip(claims, results, strict=True))
    if as_json:
        answers = [verdict_dict(claim, result) for claim, result in told]
        click.echo(_json({"claims": answers}))
    else:
        noun = "run" if one.loaded.workflow is None else "path"
        _show(line for claim, result in told for line in verdict_lines(claim, result, noun))
    return 0 if all(isinstance(result, Proved) for result in results) else NO_PATH


def _flow(one: Checked, start: str | None, goal: str | None, options: Answer) -> int:
    from stratumc.review.paths.flow_questions import flow_path

    assert one.loaded.spec is not None
    found = flow_path(one.loaded.spec, options["flow"], start, goal, options["avoid"])
    if options["as_json"]:
        click.echo(_json(found.to_dict()))
    else:
        _show(_flow_lines(found))
    return NO_PATH if goal is not None and found.hops is None else 0


def _workflow(one: Checked, start: str | None, goal: str | None, options: Answer) -> int:
    from stratumc.engine.explain import explain_loaded
    from stratumc.review.paths.workflow_questions import require_states, workflow_passes

    workflow = one.loaded.workflow
    assert workflow is not None
    require_states(workflow, (start, goal, *options["avoid"]))
    result = explain_loaded(one.loaded, start, goal, avoid=options["avoid"], context=options["context"])
    answer = result.answer
    if goal is not None and result.path:
        places = [result.start, *(hop["to"] for hop in result.path)]
        answer = {**answer, "passes": list(workflow_passes(workflow, start, places))}
    if options["as_json"]:
        click.echo(_json(answer))
    else:
        _show(_workflow_lines(answer))
    return 0 if result.ok else NO_PATH


def _show(lines: Iterable[str]) -> None:
    click.echo("\n".join(map(visible, lines)))


def _json(value: Answer) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _hops(count: int) -> str:
    return "1 hop" if count == 1 else f"{count} hops"


def _flow_lines(found: FlowPath) -> Iterator[str]:
    begin = found.start or "the start"
    if not found.completes:
        yield "no run of this flow can end well, whatever it comes to on the way"
    if found.hops is not None:
        yield f"{begin} to {found.goal}: {_hops(len(found.hops))}"
        for hop in found.hops:
            ended = hop.outcome in ("succeeds", "fails")
            over = f", with {', '.join(hop.over)} skipped" if hop.over else ""
            yield f"  {hop.source} -> {hop.target} {'when it' if ended else 'on'} {hop.outcome}{over}"
        if found.words:
            yield f"for example when {found.words}"
        if found.passes:
            yield f"every run passes {', '.join(found.passes)} on the way"
        return
    if found.goal is not None:
        yield f"no path from {begin} to {found.goal}{'' if found.is_sure else ' was found'}"
    elif not found.reachable:
        yield f"nothing can be reached from {begin}{'' if found.is_sure else ', as far as is known'}"
    else:
        yield f"reachable from {begin}:"
    for name, distance in found.reachable:
        yield f"  {name}: {_hops(distance)}"


def _workflow_lines(answer: Answer) -> Iterator[str]:
    if answer.get("path") is not None:
        yield f"{answer['from']} to {answer['to']}: {_hops(answer['length'])}{_when(answer)}"
        for hop in answer["path"]:
            yield from _hop(hop)
        if answer.get("passes"):
            yield f"every path passes {', '.join(answer['passes'])} on the way"
    else:
        if "message" in answer:
            yield answer["message"]
        elif not answer["reachable"]:
            yield f"nothing can be reached from {answer['from']}"
        else:
            yield f"reachable from {answer['from']}:"
        for item in answer["reachable"]:
            yield f"  {item['state']}: {_hops(item['distance'])}{_when(item)}"
        if answer.get("unreachable"):
            yield f"unreachable: {', '.join(answer['unreachable'])}"
    if "note" in answer:
        yield f"note: {answer['note']}"


def _when(answer: Answer) -> str:
    """On what an answer depends that the state before the start was."""
    before = answer.get("when_previous_state")
    return "" if before is None else f", when the state before was `{before}`"


def _hop(hop: Answer) -> Iterator[str]:
    how = hop.get("event") or f"trigger `{hop['condition']}`"
    action = f", run {hop['action']}" if hop["action"] else ""
    weigh = ", a judgment" if hop["judgment"] else ""
    yield f"  {hop['from']} -> {hop['to']} by {how}{action}{weigh}"
    if "witness" in hop:
        yield f"    for example with {json.dumps(hop['witness'], ensure_ascii=False)}"
    if "previous_state" in hop:
        yield f"    resumes by the state before, `{hop['previous_state']}`"
