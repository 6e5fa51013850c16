"""Documents of each kind that a check meets: clean, broken, and with a warning."""

from __future__ import annotations

GOOD = """\
version: 1
contracts: {Text: {text: string}}
flows:
  entry: main
  main:
    input: {topic: string}
    output: {from: "${write.output}", contract: Text}
    steps:
      - {id: write, do: "Write about ${input.topic}", out: Text}
"""
BROKEN = GOOD.replace("out: Text}", "out: Text, colour: red}")
WARNED = GOOD.replace("version: 1", "version: 1 # stratumc: ignore[REF_INVALID] gone since")
WORKFLOW = '{"initial_state": "a", "states": {"a": {"transitions": [{"event": "go", "target": "a"}]}}}'
