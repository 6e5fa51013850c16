"""What can be drawn of a document that is too faulty for a syntax tree."""

from __future__ import annotations

from stratumc.read.shape.mend import mend
from stratumc.read.tree import Mapping, Node
from stratumc.spec.build import build
from stratumc.spec.legacy import legacy_version
from stratumc.spec.shape import SPEC
from stratumc.spec.syntax import Flow, Spec


def sketch_spec(root: Node) -> Spec | None:
    """A syntax tree with `?` for what is missing, for pictures alone; None without a flow, and for v0.x.

    What is there has its places in the document.
    """
    if not isinstance(root, Mapping) or legacy_version(root) is not None:
        return None
    draft = build(mend(SPEC, root), any_names=True)
    flows = {
        name: Flow(
            name,
            flow.input or {},
            flow.output,
            flow.steps,
            flow.budget,
            flow.max_rounds,
            flow.carry or {},
            flow.at,
        )
        for name, flow in draft.flows.items()
        if flow.output is not None
    }
    if not flows or draft.entry is None:
        return None
    return Spec(draft.contracts, draft.entry.value, flows, draft.at)
