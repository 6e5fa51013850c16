"""Strongly connected components in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def components(edges: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The strongly connected components, they and their members in the mapping's order; linear time."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    component: dict[str, int] = {}
    count = 0
    for root in edges:
        if root in number:
            continue
        work = [(root, iter(edges[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in number:
                    number[successor] = low[successor] = len(number)
                    stack.append(successor)
                    work.append((successor, iter(edges[successor])))
                    break
                if successor not in component:
                    low[node] = min(low[node], number[successor])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == number[node]:
                    while True:
                        member = stack.pop()
                        component[member] = count
                        if member == node:
                            break
                    count += 1
    groups: dict[int, list[str]] = {}
    for node in edges:
        groups.setdefault(component[node], []).append(node)
    return list(groups.values())
