"""Contracts and their types (v1.md section 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from stratumc.diagnostics import Finding, RelatedPlace
from stratumc.diagnostics.nearest import Names
from stratumc.read.shape import quoted
from stratumc.read.tree import Node, Scalar, descend
from stratumc.spec.draft import Draft
from stratumc.spec.scope import Scope
from stratumc.spec.syntax import Do, Evaluate, Fanout, Field, Set, Step, Text
from stratumc.spec.types import named_contract, parse_type
from stratumc.text import Location
from stratumc.text.record import record

_PRIMITIVES = ("string", "integer", "number", "boolean", "object", "array")
_SHOWN_FIELDS = 8
"""Fields of a circle that are shown."""

_OTHER_WORDS = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
    "map": "object",
    "any": "object",
}


def contract_rules(draft: Draft, root: Node) -> Iterator[Finding]:
    """Type strings and the contracts that they name, in contracts and in flow inputs."""
    usable = [name for name in draft.contracts if parse_type(name) is not None]
    names, spelling = Names(usable), Names((*_PRIMITIVES, *usable))
    for contract in draft.contracts.values():
        for field in contract.fields.values():
            yield from _field(draft, field, root, names, spelling)
    for flow in draft.flows.values():
        for field in (flow.input or {}).values():
            yield from _field(draft, field, root, names, spelling)
    yield from _circles(draft)


def _field(draft: Draft, field: Field, root: Node, names: Names, spelling: Names) -> Iterator[Finding]:
    if field.type is None:
        text = _text_at(root, field.at)
        if text is not None:
            message = f"{quoted(text)} isn't a type"
            yield Finding("CONTRACT_INVALID_TYPE", field.at, message, suggestion=_mend(text, spelling))
        return
    name = named_contract(field.type)
    if name is not None and not draft.declares_contract(name):
        yield _unknown_type(Text(name, field.at.within(0, len(name))), names)


def _text_at(root: Node, at: Location) -> str | None:
    """The type string at a place; None for a value of another kind, which the shape has reported."""
    node = descend(root, at.path)[0][-1]
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def _mend(text: str, spelling: Names) -> str | None:
    word = text.strip()
    if word != text and parse_type(word) is not None:
        return f"leave out the white space: `{word}`"
    if word.endswith("??"):
        return "one `?` is enough"
    if word.removesuffix("?").endswith("?[]"):
        return "the items of an array can't be optional"
    respelt = _respelt(word)
    if respelt is not None:
        return f"did you mean `{respelt}`?"
    base = word.rstrip("?[]")
    known = _OTHER_WORDS.get(base.lower())
    return f"did you mean `{known}`?" if known is not None else spelling.did_you_mean(base)


def _respelt(word: str) -> str | None:
    """The type string that somebody meant who wrote an array as `[T]` or `list[T]`, or white space in it."""
    compact = "".join(word.split())
    array = re.compile(r"(?:[Ll]ist|[Aa]rray)?[\[<](.+)[\]>](\??)").fullmatch(compact)
    if array is not None:
        compact = f"{array[1]}[]{array[2]}"
    return compact if compact != word and parse_type(compact) is not None else None


def _unknown(named: Text, names: Names) -> Finding:
    message = f"no contract {quoted(named.value)} is declared"
    suggestion = names.did_you_mean(named.value)
    return Finding("CONTRACT_UNKNOWN_REF", named.at, message, suggestion=suggestion)


def _unknown_type(named: Text, names: Names) -> Finding:
    """As `_unknown`, in a type string, where a primitive may be meant."""
    word = named.value.lower()
    primitive = word if word in _PRIMITIVES else _OTHER_WORDS.get(word)
    finding = _unknown(named, names)
    return finding if primitive is None else replace(finding, suggestion=f"did you mean `{primitive}`?")


def named_contract_rules(scope: Scope) -> Iterator[Finding]:
    """The contracts that `out` and `output.contract` name."""
    output = scope.flow.output
    named = [out for step in scope.flow.steps for out in _outs(step)]
    for text in (*named, *(() if output is None else (output.contract,))):
        if not scope.draft.declares_contract(text.value):
            yield _unknown(text, scope.contract_names)


def _outs(step: Step) -> tuple[Text, ...]:
    match step.body:
        case Do(out=out) | Set(out=out) | Evaluate(out=out):
            return () if out is None else (out,)
        case Fanout(stages=stages):
            return tuple(stage.out for stage in stages if stage.out is not None)
        case _:
            return ()


def _circles(draft: Draft) -> Iterator[Finding]:
    for circle in circles(draft):
        closing = circle.closing
        if not circle.length:
            message = f"contract `{closing.at.path[1]}` contains itself"
            yield Finding("CONTRACT_RECURSIVE_REF", closing.at, message)
            continue
        names = [f"`{field.at.path[1]}.{field.name}`" for field in (*circle.way, closing)]
        if circle.length > len(circle.way):
            names.insert(-1, "…")
        message = f"contracts refer to each other in a circle: {' → '.join(names)}"
        related = tuple(RelatedPlace(field.at, "the circle goes through here") for field in circle.way)
        yield Finding("CONTRACT_RECURSIVE_REF", closing.at, message, related=related)


@record
class Circle:
    """A circle of contracts: the fields along it, and the one that closes it."""

    way: tuple[Field, ...]
    """The first of them, as many as are shown."""
    length: int
    """How many there are."""
    closing: Field


def circles(draft: Draft) -> Iterator[Circle]:
    """Each circle of contracts.

    A depth-first walk in document order; a circle is closed by the field that leads back to a
    contract from which the walk came.
    """
    done: set[str] = set()
    for name in draft.contracts:
        if name in done:
            continue
        way: list[Field] = []
        entered = {name: 0}
        stack = [iter(draft.contracts[name].fields.values())]
        while stack:
            field = next(stack[-1], None)
            if field is None:
                stack.pop()
                left = named_contract(way.pop().type) if way else name
                entered.pop(left or "")
                done.add(left or "")
                continue
            target = named_contract(field.type)
            if target in entered:
                start = entered[target]
                yield Circle(tuple(way[start : start + _SHOWN_FIELDS]), len(way) - start, field)
            elif target in draft.contracts and target not in done:
                way.append(field)
                entered[target] = len(way)
                stack.append(iter(draft.contracts[target].fields.values()))
