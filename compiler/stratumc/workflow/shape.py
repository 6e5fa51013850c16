"""The shape of a workflow file and of a fragment, which validates them and gives their JSON Schema."""

from __future__ import annotations

import re

from stratumc.read.shape import (
    Boolean,
    Field,
    ListOf,
    MapOf,
    Null,
    Number,
    Object,
    Text,
    Union,
    Unknown,
)

_PATH = Text(re.compile(r"[\s\S]+"), "a path")
_NAME = Text(re.compile(r"[\s\S]+"), "a field name")
_EVENT_NAME = Text(re.compile(r"[\s\S]+"), "the name of an event")
_STATE = Text(means="the name of a state")
_EVENT = Field(_EVENT_NAME, required=True, about="What an agent applies.")
_ACTION = Field(
    Union((Text(), Null()), means="text or null"), about="The command that the agent should run next."
)
_TARGET = Field(
    Union((_STATE, Null()), means="the name of a state or null"),
    about="The state to enter; null looks it up in `resumption_targets` by the previous state.",
)
_JUDGMENT = Field(Boolean(), about="Marks a choice that the agent has to weigh.")

_TRANSITION = Object(
    {"event": _EVENT, "target": _TARGET, "action": _ACTION, "judgment": _JUDGMENT},
    means="transition",
    unknown=Unknown.WARNING,
)
_GLOBAL_TRANSITION = Object(
    {**_TRANSITION.fields, "except": Field(ListOf(_STATE), about="States in which it isn't available.")},
    means="global transition",
    unknown=Unknown.WARNING,
)
_TRIGGER = Object(
    {
        "condition": Field(
            Text(means="a condition"), required=True, about="`always`, or `<path> <op> <path|number>`."
        ),
        "target": Field(_STATE, required=True, about="The state to enter."),
        "action": _ACTION,
    },
    means="trigger",
    unknown=Unknown.WARNING,
)
_STATE_ENTRY = Object(
    {
        "description": Field(Text(), about="What being in the state means; in a fragment, what defines it."),
        "transitions": Field(ListOf(_TRANSITION), about="Events that lead out of the state."),
        "triggers": Field(ListOf(_TRIGGER), about="Automatic transitions; the first that fires wins."),
    },
    means="state",
    unknown=Unknown.WARNING,
)
_CONFIG = Object(
    {
        "state_file": Field(_PATH, about="Where the state is kept, from the project's folder."),
        "log_file": Field(_PATH, about="Where transitions are logged, from the root."),
        "state_field": Field(_NAME, about="The field of the state file that holds the state."),
        "previous_state_field": Field(
            _NAME, about="The field of the state file that holds the state before."
        ),
    },
    means="configuration",
    unknown=Unknown.WARNING,
)

FRAGMENT_SHAPE = Object(
    {
        "$schema": Field(Text(), about="The JSON Schema of this file, for editors."),
        "name": Field(Text(), about="What the workflow is called; of a fragment, the plugin that ships it."),
        "initial_state": Field(_STATE, about="The state of a project that has none yet."),
        "states": Field(MapOf(_STATE_ENTRY), about="Every state by its name."),
        "thresholds": Field(MapOf(Number()), about="Numbers that conditions read as `thresholds.<name>`."),
        "global_transitions": Field(ListOf(_GLOBAL_TRANSITION), about="Events available in every state."),
        "global_actions": Field(ListOf(Text()), about="Commands that an agent may run in every state."),
        "resumption_targets": Field(MapOf(_STATE), about="Where a null target leads, by previous state."),
    },
    means="fragment",
    unknown=Unknown.WARNING,
)
"""One piece of `workflow.d/`."""

WORKFLOW_SHAPE = Object(
    {**FRAGMENT_SHAPE.fields, "config": Field(_CONFIG, about="Where the state and the log are kept.")},
    means="workflow",
    unknown=Unknown.WARNING,
)
"""A workflow file. States and the initial state may come from fragments, so none of its keys is required."""
