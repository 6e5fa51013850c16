"""The contracts of what a step gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from stratumc.spec.syntax import Do, Evaluate, Fanout, Gate, Run, Set, Spec, Step, Text


def output_contract(spec: Spec, step: Step) -> Text | None:
    """The contract of a step's output, of a fanout that of its items (v1.md section 4)."""
    match step.body:
        case Do(out=out) | Evaluate(out=out) | Set(out=out):
            return out
        case Fanout(stages=stages):
            return stages[-1].out if stages else None
        case Run(flow=flow):
            return spec.flows[flow.value].output.contract
        case Gate():
            return None
        case _:
            assert_never(step.body)


def contracts_named(spec: Spec, step: Step) -> Iterator[str]:
    """The contracts of a step's output and of those of a fanout's stages."""
    contract = output_contract(spec, step)
    if contract is not None:
        yield contract.value
    if isinstance(step.body, Fanout):
        yield from (stage.out.value for stage in step.body.stages if stage.out is not None)


def construct(step: Step) -> str:
    """What a step is, with its article: `a gate`, `an evaluate`."""
    name = type(step.body).__name__.lower()
    return f"an `{name}`" if isinstance(step.body, Evaluate) else f"a `{name}`"
