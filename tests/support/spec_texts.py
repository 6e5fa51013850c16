"""Small v1 documents as YAML text, built around the one step or flow that a test is about."""

from __future__ import annotations

from textwrap import dedent, indent

from stratumc.read import read_document
from stratumc.spec import LoadedSpec, load_spec
from stratumc.text import Document, format_path

WRITE = """
- id: write
  do: Write about ${input.topic}
  out: Note
"""
Faults = set[tuple[str, str]]

GATE = """
- id: decide
  after: [check]
  gate: {on_approve: null, on_revise: write, on_kill: null}
"""
CONTRACTS = """
Note:
  text: string
  tags: string[]
  more: object
  rest: array
  parts: Part[]?
Part:
  size: integer
"""


def _block(text: str, by: int) -> str:
    return indent(dedent(text).strip("\n"), " " * by) + "\n"


def flow(
    steps: str = "", *, name: str = "main", head: str = "", out: str = "${write.output}", inputs: str = ""
) -> str:
    """One flow, with the step `write` before the steps given."""
    declared = "topic: string\ntopics: string[]\n" + dedent(inputs)
    output = f'    output:\n      from: "{out}"\n      contract: Note\n'
    return (
        f"  {name}:\n    input:\n{_block(declared, 6)}{output}"
        f"{_block(head, 4) if head else ''}    steps:\n{_block(WRITE, 6)}{_block(steps, 6) if steps else ''}"
    )


def spec(*flows: str, entry: str = "main", contracts: str = CONTRACTS) -> str:
    """A document of these flows."""
    return f"version: 1\ncontracts:\n{_block(contracts, 2)}flows:\n  entry: {entry}\n{''.join(flows)}"


def load(text: str) -> LoadedSpec:
    """The document that a YAML or JSON text holds."""
    read = read_document(Document("case.stratum.yaml", text))
    assert read.root is not None, read.findings
    assert not read.findings, read.findings
    return load_spec(read.root)


def faults(text: str) -> set[tuple[str, str]]:
    """The code and the path of every finding about a text."""
    return {(finding.code, format_path(finding.at.path)) for finding in load(text).findings}


CHECK = "- {id: check, after: [write], do: Check it}\n"
FANOUT = """
- id: each
  fanout:
    over: {over}
    steps:
      - do: Look at ${{item}}
      - do: Sum up ${{prev}}
        {more}
    concurrency: 2
    isolation: {isolation}
    require: all
    merge: sequential
    dispatch: consumer
"""


def fanout(over: str = "${input.topics}", isolation: str = "none", more: str = "agent: codex") -> str:
    return FANOUT.format(over=f'"{over}"', isolation=isolation, more=more)


def steps(text: str, **options: str) -> Faults:
    """The findings about a flow of the step `write` and these; paths begin at `steps[1]`."""
    prefix = "flows.main."
    return {(code, path.removeprefix(prefix)) for code, path in faults(spec(flow(text, **options)))}
