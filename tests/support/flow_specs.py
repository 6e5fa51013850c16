"""Random v1 documents with every construct, mostly valid by construction; the compiler has the last word."""

from __future__ import annotations

from random import Random
from typing import Any

from support.reference_graph import reach

Spec = dict[str, Any]

CONTRACTS: dict[str, dict[str, str]] = {
    "Note": {"text": "string", "tag": "string?"},
    "Num": {"n": "integer", "ok": "boolean"},
    "List": {"xs": "string[]"},
}
TEXTS = ("p", "q", "go", "stop")
KINDS = ("do", "do", "do", "do", "set", "gate", "gate", "fanout", "run")
READ = {"do": [""], "set": ["", ".n"], "run": ["", ".text"], "fanout": ["[0]", "[1]"]}
MEMBER = {"Note": "text", "Num": "n", "List": "xs"}
INPUT = {"topic": "string", "k": "integer", "xs": "string[]", "maybe": "string?"}


def random_spec(random: Random) -> Spec:
    """A document whose entry flow `main` calls `kid`."""
    kid = random_flow(random, {"w": "string"}, random.randint(1, 4), nested=True)
    main = random_flow(random, INPUT, random.randint(1, 7), nested=False)
    return {"version": 1, "contracts": CONTRACTS, "flows": {"entry": "main", "main": main, "kid": kid}}


def random_input(random: Random) -> dict[str, Any]:
    """An input of the entry flow."""
    value: dict[str, Any] = {"topic": random.choice(TEXTS), "k": random.randint(0, 3)}
    value["xs"] = [random.choice(TEXTS) for _ in range(random.randint(0, 3))]
    return value | ({"maybe": random.choice(["x", None])} if random.random() < 0.5 else {})


def random_flow(random: Random, declared: dict[str, str], size: int, *, nested: bool) -> Spec:
    """A flow whose steps depend on and route to steps later in a hidden order; `last` gives its output."""
    names = [f"s{number}" for number in range(size)]
    kinds = [random.choice(KINDS[:7] if nested else KINDS) for _ in names]
    steps = [_step(random, declared, names, kinds, at) for at in range(size)]
    _revises(random, steps)
    last: Spec = {"id": "last", "do": "finish", "out": "Note"}
    if names and random.random() < 0.8:
        last["after"] = random.sample(names, random.randint(1, min(3, size)))
    flow: Spec = {"input": declared, "output": {"from": "${last.output}", "contract": "Note"}}
    flow["max_rounds"] = random.randint(1, 3)
    if random.random() < 0.15:
        flow["budget"] = _budget(random)
    if not nested and random.random() < 0.3:
        _carry(random, flow, steps)
    declaration = [*steps, last]
    if random.random() < 0.5:
        random.shuffle(declaration)
    return flow | {"steps": declaration}


def _step(random: Random, declared: dict[str, str], names: list[str], kinds: list[str], at: int) -> Spec:
    before, after, kind = names[:at], names[at + 1 :], kinds[at]
    step: Spec = {"id": names[at]}
    if before and random.random() < 0.7:
        step["after"] = random.sample(before, random.randint(1, min(2, len(before))))
    if random.random() < 0.25:
        step["when"] = _condition(random, before, declared)
    if kind == "do":
        step |= _task(random, declared, names, kinds, at)
        if random.random() < 0.2:
            step["iterate"] = {"max": random.randint(1, 3), "until": f"result.n > {random.randint(0, 2)}"}
            step["out"] = "Num"
    elif kind == "set":
        step |= _set(random, before, declared)
    elif kind == "gate":
        step["gate"] = {key: random.choice([*after, None, None]) for key in ("on_approve", "on_kill")}
        step["gate"]["on_revise"] = None
        if random.random() < 0.3:
            step["gate"]["max_rounds"] = random.randint(1, 2)
    elif kind == "fanout":
        step |= _fanout(random)
    else:
        step |= {"run": "kid", "with": {"w": "${input.topic}"}}
    if kind in ("do", "fanout", "run"):
        if after and random.random() < 0.35:
            step["on_fail"] = random.choice([*after, "last"])
        if random.random() < 0.12:
            step["budget"] = _budget(random)
    return step


def _revises(random: Random, steps: list[Spec]) -> None:
    """Lets gates send the run back to any step before them."""
    for step in steps:
        if "gate" in step:
            before = [
                s["id"] for s in steps if s is not step and step["id"] in reach(steps, s["id"], routing=True)
            ]
            if before and random.random() < 0.8:
                step["gate"]["on_revise"] = random.choice(before)


def _task(random: Random, declared: dict[str, str], names: list[str], kinds: list[str], at: int) -> Spec:
    text = f"work on {names[at]}"
    for name, kind in zip(names[:at], kinds[:at], strict=True):
        if kind in READ and random.random() < 0.2:
            text += f" after ${{{name}.output{random.choice(READ[kind])}}}"
    if "maybe" in declared and random.random() < 0.1:
        text += " ${input.maybe}"
    out = random.choice(["Note", "Num", "List"])
    task: Spec = {"do": text, "out": out}
    if random.random() < 0.3:
        task["attempts"] = random.randint(1, 3)
    if random.random() < 0.3:
        task["ensure"] = [{"expr": f"len(str(result.{MEMBER[out]})) > {random.randint(0, 2)}"}]
    return task


def _condition(random: Random, before: list[str], declared: dict[str, str]) -> str:
    choices = ["true", "false", "input.k > 1" if "k" in declared else "input.w == 'go'"]
    choices += [f"result.{name}.ok" for name in before] + [f"result.{name}.n > 1" for name in before]
    return random.choice(choices)


def _set(random: Random, before: list[str], declared: dict[str, str]) -> Spec:
    number = "input.k" if "k" in declared else "len(input.w)"
    fields = {"n": f"{number} + 1", "ok": f"{number} > 1"}
    if before and random.random() < 0.1:
        fields["n"] = f"result.{random.choice(before)}.n"
    return {"set": fields, "out": "Num"}


def _fanout(random: Random) -> Spec:
    stages = [_stage(random, number) for number in range(random.randint(1, 2))]
    fanout: Spec = {
        "over": "${input.xs}",
        "steps": stages,
        "concurrency": random.randint(1, 3),
        "isolation": "none",
        "require": random.choice(["all", "any", 1, 2]),
        "merge": "sequential",
        "dispatch": random.choice(["consumer", "engine"]),
    }
    return {"fanout": fanout} | ({"attempts": random.randint(1, 2)} if random.random() < 0.3 else {})


def _stage(random: Random, number: int) -> Spec:
    stage: Spec = {
        "do": f"stage {number} of ${{item}}" + (" ${prev}" if number and random.random() < 0.5 else "")
    }
    stage["out"] = random.choice(["Note", "Num"])
    if random.random() < 0.3:
        stage["attempts"] = random.randint(1, 3)
    if random.random() < 0.3:
        stage["when"] = random.choice(["item != 'q'", "item == 'p'", "prev.n > 1"])
    return stage


def _budget(random: Random) -> dict[str, Any]:
    return random.choice(
        [{"dispatches": random.randint(1, 9)}, {"tokens": random.randint(3, 20)}, {"usd": 1.5, "ms": 900}]
    )


def _carry(random: Random, flow: Spec, steps: list[Spec]) -> None:
    """A variable that starts from the input or a step, is read after it, and is written by a gate."""
    sources = [s["id"] for s in steps if s.get("out") == "List" and "do" in s and "when" not in s]
    source = random.choice([None, *sources])
    initial = "${input.xs}" if source is None else f"${{{source}.output.xs}}"
    readers = [s for s in steps if "do" in s and (source is None or source in s.get("after", []))]
    for step in readers[:2]:
        step["do"] += " with ${wave}"
    gates = [s for s in steps if s.get("gate", {}).get("on_revise")]
    rewritten = {s["id"]: "${input.xs}" for s in gates if random.random() < 0.5}
    flow["carry"] = {"wave": {"initial": initial} | ({"on_revise": rewritten} if rewritten else {})}
