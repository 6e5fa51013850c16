"""Random documents and scripts: after every call the engine stands as the reference interpreter does."""

from __future__ import annotations

import json
import os
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import stratumc
from support.engine_player import EngineSubject
from support.flow_scripts import Duel, good_op, random_op
from support.flow_specs import random_input, random_spec

EXAMPLES = 2000 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 100
CALLS = 25
TO_THE_END = 120


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_engine_and_reference_stand_alike_after_every_call(seed: int) -> None:
    random = Random(seed)
    spec, value = random_spec(random), random_input(random)
    assume(stratumc.check(json.dumps(spec), kind="spec", families=("rule",)).ok)
    duel = Duel(spec, value, EngineSubject())
    for _ in range(CALLS):
        duel.play(random_op(random, duel))
    for _ in range(TO_THE_END):
        op = good_op(random, duel) if duel.going else None
        if op is None:
            break
        duel.play(op)
    assert not duel.going, duel.played
