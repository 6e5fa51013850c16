"""Whether all, some or none of the values of one type satisfy another, and what is wrong with the rest."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from stratumc.expr.types import (
    Kind,
    MemberType,
    ObjectKind,
    ObjectType,
    Presence,
    Strings,
    Type,
    describe,
    list_names,
)


class Verdict(enum.IntEnum):
    """How many values fit; what is unknown counts as fitting."""

    ALL = 0
    SOME = 1
    NONE = 2


@dataclass(frozen=True, slots=True)
class Fit:
    """A verdict, and for SOME and NONE the first fault."""

    verdict: Verdict
    fault: str = ""
    """What is said of the value at `path`: `is a string, but must be an integer`."""
    path: tuple[str, ...] = ()
    """The members on the way to the fault; empty for the value itself."""


ALL_FIT = Fit(Verdict.ALL)
_MAX_DEPTH = 40
"""What lies deeper inside counts as fitting."""


def fit(source: Type, target: Type) -> Fit:
    """How the values of `source` satisfy `target`."""
    return _Fitting({}).types(source, target, 0)


class _Fitting:
    """One comparison; pairs of objects are compared once, so shared and recursive contracts cost no more."""

    def __init__(self, known: dict[tuple[ObjectType, ObjectType], Fit]) -> None:
        self._known = known

    def types(self, source: Type, target: Type, depth: int) -> Fit:
        if source.unknown or target.unknown or source.is_never or depth > _MAX_DEPTH:
            return ALL_FIT
        wrong = _wrong_kinds(source, target)
        inner = [self._object(one, target.objects, depth) for one in source.objects if target.objects]
        if source.element is not None and target.element is not None:
            inner.append(self._items(source.element, target.element, depth))
        faulty = [one for one in inner if one.verdict is not Verdict.ALL]
        if wrong.is_never and not faulty:
            return ALL_FIT
        some_fit = _some_scalar_fits(source, target) or any(one.verdict is not Verdict.NONE for one in inner)
        verdict = Verdict.SOME if some_fit else Verdict.NONE
        if faulty:
            return replace(max(faulty, key=lambda one: one.verdict), verdict=verdict)
        found = _shown(wrong if some_fit else source)
        return Fit(verdict, f"{'may be' if some_fit else 'is'} {found}, but must be {describe(target)}")

    def _items(self, source: Type, target: Type, depth: int) -> Fit:
        """An empty array fits every array, so wrong items alone never make a value hopeless."""
        items = self.types(source, target, depth + 1)
        if items.verdict is Verdict.ALL:
            return ALL_FIT
        fault = items.fault if items.path else f"may have an item that {items.fault}"
        return Fit(Verdict.SOME, fault, items.path)

    def _object(self, source: ObjectType, targets: tuple[ObjectType, ...], depth: int) -> Fit:
        """The best over the objects that the target admits."""
        return min((self._members(source, one, depth) for one in targets), key=lambda one: one.verdict)

    def _members(self, source: ObjectType, target: ObjectType, depth: int) -> Fit:
        if source is target or ObjectKind.OPEN in (source.kind, target.kind):
            return ALL_FIT
        if (source, target) in self._known:
            return self._known[source, target]
        self._known[source, target] = ALL_FIT
        parts = [self._declared(name, source.members.get(name), target, depth) for name in target.members] + [
            _undeclared(name, member, target)
            for name, member in source.members.items()
            if name not in target.members
        ]
        self._known[source, target] = max(parts, key=lambda one: one.verdict, default=ALL_FIT)
        return self._known[source, target]

    def _declared(self, name: str, source: MemberType | None, holder: ObjectType, depth: int) -> Fit:
        """How one field that the target declares is met."""
        target = holder.members[name]
        required = target.presence is Presence.ALWAYS
        if source is None:
            missing = Fit(Verdict.NONE, f"lacks the field `{name}` of `{holder.name}`")
            return missing if required else ALL_FIT
        inner = self.types(source.type, target.type, depth + 1)
        may_miss = source.presence is not Presence.ALWAYS
        if inner.verdict is Verdict.ALL:
            missing = Fit(Verdict.SOME, f"may lack the field `{name}` of `{holder.name}`")
            return missing if required and may_miss else ALL_FIT
        is_saved = inner.verdict is Verdict.NONE and may_miss and not required
        return Fit(Verdict.SOME if is_saved else inner.verdict, inner.fault, (name, *inner.path))


def _undeclared(name: str, source: MemberType, target: ObjectType) -> Fit:
    """A field that the target, being strict, refuses."""
    is_there = source.presence is Presence.ALWAYS
    has = "has" if is_there else "may have"
    fault = f"{has} the field `{name}`, which `{target.name}` doesn't have"
    return Fit(Verdict.NONE if is_there else Verdict.SOME, fault)


def _wrong_kinds(source: Type, target: Type) -> Type:
    """The values of `source` that are of no kind that `target` admits."""
    booleans = not target.kinds & Kind.BOOLEAN
    return Type(
        null=source.null and not target.null,
        true=source.true and booleans,
        false=source.false and booleans,
        integer=source.integer and not target.integer,
        fraction=source.fraction and not target.fraction,
        strings=_wrong_strings(source.strings, target.strings),
        element=source.element if target.element is None else None,
        objects=() if target.objects else source.objects,
    )


def _wrong_strings(source: Strings | None, target: Strings | None) -> Strings | None:
    if source is None or target is None or target.members is None:
        return source if target is None else None
    if source.members is None:
        return source
    odd = tuple(member for member in source.members if member not in target.members)
    return Strings(odd, source.declared) if odd else None


def _some_scalar_fits(source: Type, target: Type) -> bool:
    both = source.strings, target.strings
    strings = None not in both and (_wrong_strings(*both) != source.strings or source.strings == Strings())
    return bool(
        strings
        or (source.null and target.null)
        or ((source.true or source.false) and target.kinds & Kind.BOOLEAN)
        or (source.integer and target.integer)
        or (source.fraction and target.fraction)
    )


def _shown(inner: Type) -> str:
    """The type in words; strings that are known one by one."""
    if inner.kinds == Kind.STRING and inner.strings is not None and inner.strings.members is not None:
        shown = list_names(inner.strings.members)
        if len(inner.strings.members) > 1:
            return f"one of {shown}"
        return shown if inner.strings.declared is not None else f"the string {shown}"
    return describe(inner)
