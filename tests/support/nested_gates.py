"""A flow whose steps run flows with gates of their own."""

NESTED = """\
version: 1
contracts:
  Note: {text: string}
flows:
  entry: main
  main:
    input: {is_big: boolean, is_late: boolean}
    output: {from: "${end.output}", contract: Note}
    steps:
      - {id: plain, run: reviewed, with: {deep: false}}
      - {id: deep, after: [plain], run: checked, with: {deep: true}}
      - {id: shallow, after: [deep], run: checked, with: {deep: "${input.is_big}"}}
      - {id: big, after: [shallow], when: "input.is_big", do: Big}
      - id: late
        after: [shallow]
        when: "input.is_big || input.is_late"
        gate: {on_approve: null, on_revise: null, on_kill: null}
      - {id: early, after: [plain], when: "!input.is_late", do: Early}
      - {id: either, after: [late], when: "input.is_big != input.is_late", do: Either}
      - {id: end, after: [either, early, big], do: End, out: Note}
  reviewed:
    input: {deep: boolean}
    output: {from: "${write.output}", contract: Note}
    steps:
      - {id: review, gate: {on_approve: null, on_revise: null, on_kill: null}}
      - {id: write, after: [review], when: "input.deep || !input.deep", do: Write, out: Note}
  checked:
    input: {deep: boolean}
    output: {from: "${write.output}", contract: Note}
    steps:
      - {id: check, when: "input.deep", gate: {on_approve: null, on_revise: null, on_kill: null}}
      - {id: write, after: [check], do: Write, out: Note}
"""
"""Gates of called flows: always passed, passed with what one step gives, and with what another may give."""
