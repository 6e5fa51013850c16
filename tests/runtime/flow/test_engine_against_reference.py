"""Random documents and scripts: after every call the engine stands as the reference interpreter does."""

from __future__ import annotations

import os
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import stratumc
from stratum_runtime.flow import FlowEngine
from stratum_runtime.store import MemoryStore, SqliteStore
from support.flow_scripts import Duel, good_op, random_op
from support.flow_specs import random_input, random_spec
from support.reference import Reference

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
STEPS = 25
TO_THE_END = 120


@settings(max_examples=2000 if LONG else 100, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_engine_and_reference_stand_alike_after_every_call(seed: int) -> None:
    random = Random(seed)
    spec, value = random_spec(random), random_input(random)
    compiled = stratumc.compile(_text(spec), name="random.stratum.json", kind="spec", families=("rule",))
    assume(compiled.table is not None)
    engine = FlowEngine(SqliteStore(":memory:") if seed % 4 == 0 else MemoryStore())
    flow_id = engine.plan(compiled.table, inputs=value)["flow_id"]
    duel = Duel(engine, flow_id, Reference(spec, value))
    duel.compare()
    for _ in range(STEPS):
        duel.play(random_op(random, duel))
    for _ in range(TO_THE_END):
        op = good_op(random, duel) if duel.going else None
        if op is None:
            break
        duel.play(op)
    assert not duel.going, duel.played


def _text(spec: object) -> str:
    import json

    return json.dumps(spec)
