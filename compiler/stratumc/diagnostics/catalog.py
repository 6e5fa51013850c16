"""Every code, in its one home: family, default severity, a summary in one sentence.

Why, failing example and mend of a code are its page, `checks/pages/CODE.md`; a test compares the
two as sets. Codes are names, never reused and never renamed.
"""

from __future__ import annotations

from stratumc.diagnostics.finding import Family, Severity
from stratumc.text.record import record


@record
class Rule:
    """What is the same for every finding of one code."""

    code: str
    family: Family
    severity: Severity
    summary: str
    """One sentence without a final period, as the index, SARIF and `stratumc rule` show it."""
    since: str = "0.1"


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


def _family(family: Family, *rows: tuple[str, Severity, str]) -> tuple[Rule, ...]:
    return tuple(Rule(code, family, severity, summary) for code, severity, summary in rows)


_READING = _family(
    Family.RULE,
    ("FILE_UNREADABLE", _ERROR, "a file can't be read at all"),
    ("ENCODING_INVALID", _ERROR, "bytes that aren't UTF-8, or a character that isn't allowed"),
    ("LIMIT_EXCEEDED", _ERROR, "a file is too large or too deeply nested, or its aliases expand too far"),
    ("YAML_INVALID", _ERROR, "text that isn't YAML 1.2 of the core schema"),
    ("JSON_INVALID", _ERROR, "text that isn't JSON"),
    ("DUPLICATE_KEY", _ERROR, "a key appears twice in one mapping"),
    ("NOT_OURS", _INFO, "a file with a known name that belongs to another tool"),
    ("IGNORE_UNUSED", _WARNING, "a comment or setting ignores a finding that is not there"),
)

_SPEC_RULES = _family(
    Family.RULE,
    ("SCHEMA_INVALID", _ERROR, "a value has the wrong type, is out of range, or is missing"),
    ("E2_UNKNOWN_FIELD", _ERROR, "a key that the language does not have"),
    ("E2_RESERVED_FIELD", _ERROR, "a name that is reserved"),
    ("E2_CONSTRUCT_MIX", _ERROR, "a step has no construct, or more than one"),
    ("E2_FIELD_FOR_KIND", _ERROR, "a field that belongs to another construct"),
    ("CONTRACT_INVALID_TYPE", _ERROR, "a type string has none of the known forms"),
    ("CONTRACT_UNKNOWN_REF", _ERROR, "a named contract isn't declared"),
    ("CONTRACT_RECURSIVE_REF", _ERROR, "contracts refer to each other in a circle"),
    ("FLOW_UNKNOWN_ENTRY", _ERROR, "`flows.entry` names no flow"),
    ("STEP_DUPLICATE_ID", _ERROR, "two steps of one flow have the same id"),
    ("REF_INVALID", _ERROR, "a `${…}` can't be read as a reference"),
    ("REF_INVALID_SCOPE", _ERROR, "`item` or `prev` outside the stages of a fanout"),
    ("REF_UNKNOWN_STEP", _ERROR, "a reference names no step"),
    ("REF_UNKNOWN_PATH", _ERROR, "a reference's path doesn't exist in its type"),
    ("REF_UNKNOWN_CARRY", _ERROR, "a reference names no carry variable"),
    ("REF_OUTPUT_CONTRACT_REQUIRED", _ERROR, "a reference reads a step that has no contract"),
    ("FANOUT_OVER_SINGLE_REF", _ERROR, "`fanout.over` isn't one full reference"),
    ("FANOUT_OUTPUT_REQUIRES_FINAL_OUT", _ERROR, "a flow's output is a fanout without a contract"),
    ("ROUTING_UNKNOWN_TARGET", _ERROR, "an edge names no step"),
    ("ROUTING_SELF_TARGET", _ERROR, "a step names itself"),
    ("ROUTING_CYCLE", _ERROR, "steps depend on each other in a circle"),
    ("GATE_REVISE_REQUIRES_MAX_ROUNDS", _ERROR, "a gate can revise in a flow without `max_rounds`"),
    ("GATE_REVISE_NOT_ANCESTOR", _ERROR, "a gate revises to a step that does not lead to it"),
    ("CARRY_NAME_CONFLICT", _ERROR, "a carry variable has a name that is taken"),
    ("CARRY_ROOT_ONLY", _ERROR, "carry variables outside the entry flow"),
    ("CARRY_REF_INVALID", _ERROR, "a carry source isn't one full reference"),
    ("CARRY_INITIAL_SOURCE_CONDITIONAL", _ERROR, "a carry variable starts from a step that may not run"),
    ("CARRY_PATH_RESERVED", _ERROR, "`output` right after a carry variable's name"),
    ("CARRY_REF_IN_EXPRESSION", _ERROR, "a carry reference inside an expression"),
    ("CARRY_REF_BEFORE_INITIAL", _ERROR, "a step reads a carry variable that may not be there yet"),
    ("CARRY_UNKNOWN_GATE", _ERROR, "`on_revise` of a carry variable names no gate"),
    ("CARRY_REVISE_TARGET_NULL", _ERROR, "a carry variable is written by a gate that can't revise"),
    (
        "CARRY_REVISE_MISSES_CONSUMER",
        _ERROR,
        "a revise doesn't reset a step that reads the variable it writes",
    ),
    (
        "CARRY_REVISE_GATE_NOT_AFTER_CONSUMER",
        _ERROR,
        "a gate writes a variable and isn't after every step that reads it",
    ),
    ("SUBFLOW_UNKNOWN", _ERROR, "`run` names no flow"),
    ("SUBFLOW_WITH_MISMATCH", _ERROR, "the keys of `with` aren't the callee's inputs"),
    ("SUBFLOW_RECURSIVE", _ERROR, "flows call each other in a circle"),
    ("SUBFLOW_BODY_RESTRICTED", _ERROR, "a fanout or a run outside the entry flow"),
    ("CONSUMER_WORKTREE_FILESYSTEM_UNSUPPORTED", _ERROR, "a file predicate in a consumer worktree fanout"),
    ("CONSUMER_WORKTREE_GATE_REQUIRED", _ERROR, "a consumer worktree fanout without a gate after it"),
)

_WORKFLOW_RULES = _family(
    Family.RULE,
    ("STATE_UNKNOWN", _ERROR, "a name that isn't a state"),
    ("CONDITION_INVALID", _ERROR, "a condition that doesn't parse"),
    ("THRESHOLD_UNDEFINED", _ERROR, "a condition reads a threshold that isn't defined"),
    ("EVENT_DUPLICATE", _ERROR, "two transitions for the same event in one place"),
    ("RESUMPTION_UNDEFINED", _ERROR, "a null target in a workflow without resumption targets"),
    ("FRAGMENT_CONFLICT", _ERROR, "two pieces of a workflow disagree"),
    ("STATE_DEFINED_TWICE", _ERROR, "two pieces define the same state"),
    ("STATE_NEVER_DEFINED", _ERROR, "a state is only extended and never defined"),
    ("UNKNOWN_KEY", _WARNING, "a key that a workflow does not have"),
)

_TYPES = _family(
    Family.TYPE,
    ("EXPR_SYNTAX", _ERROR, "an expression doesn't parse"),
    ("EXPR_UNKNOWN_NAME", _ERROR, "a name that isn't bound in this expression"),
    ("EXPR_UNKNOWN_FUNCTION", _ERROR, "a call of a function that doesn't exist"),
    ("EXPR_ARITY", _ERROR, "a function called with the wrong number of arguments"),
    ("EXPR_TYPE", _ERROR, "an operator, function or member used on a type that rejects it"),
    ("EXPR_NOT_BOOLEAN", _ERROR, "a condition that can't be a boolean"),
    ("EXPR_UNKNOWN_STEP", _ERROR, "`result.x` where no step is `x`"),
    ("EXPR_STEP_NOT_ORDERED", _WARNING, "an expression reads a step that isn't ordered before"),
    ("ENUM_VALUE_UNKNOWN", _ERROR, "an enum is compared with a value that it doesn't have"),
    ("PATTERN_REJECTED", _ERROR, "a `matches` pattern that the evaluator refuses"),
    ("SET_TYPE_MISMATCH", _ERROR, "a `set` that can't satisfy its contract"),
    ("WITH_TYPE_MISMATCH", _ERROR, "a `with` that can't satisfy the callee's input"),
    ("OUTPUT_TYPE_MISMATCH", _ERROR, "a source that can't satisfy the flow's output contract"),
    ("EVALUATE_OUT_MISMATCH", _ERROR, "a contract that can't hold what an evaluate step returns"),
    ("FANOUT_OVER_NOT_ARRAY", _ERROR, "`fanout.over` isn't an array"),
    ("TASK_NOT_TEXT", _ERROR, "a whole-reference task that isn't a string"),
)

_FLOW_PROOFS = _family(
    Family.PROOF,
    ("STEP_NEVER_RUNS", _WARNING, "no run ever runs this step"),
    ("WHEN_ALWAYS_TRUE", _INFO, "a condition that is always true"),
    ("ENSURE_CONTRADICTION", _ERROR, "ensures and contract together admit no output"),
    ("ENSURE_REDUNDANT", _INFO, "an ensure that the contract or earlier ensures imply"),
    ("UNTIL_NEVER_HOLDS", _ERROR, "a loop that can't end well"),
    ("UNTIL_ALREADY_HOLDS", _WARNING, "a loop that never loops"),
    ("REF_MAY_BE_MISSING", _WARNING, "a step can run while an output it reads doesn't exist"),
    ("OUTPUT_MAY_BE_MISSING", _WARNING, "a flow can end without its output"),
    ("FLOW_CANNOT_COMPLETE", _ERROR, "no run of the flow can end well"),
    ("GATE_ROUNDS_UNREACHABLE", _INFO, "a gate's `max_rounds` is above the flow's"),
    ("BUDGET_CANNOT_SUFFICE", _ERROR, "a budget with fewer dispatches than the shortest good run needs"),
    ("BUDGET_MAY_RUN_OUT", _INFO, "a budget with fewer dispatches than the longest good run needs"),
    ("CONTRACT_UNUSED", _INFO, "a contract that nothing names"),
    ("FLOW_UNUSED", _INFO, "a flow that nothing runs"),
    ("INPUT_UNUSED", _INFO, "an input that nothing reads"),
    ("CARRY_UNUSED", _INFO, "a carry variable that nothing reads"),
    ("AFTER_REDUNDANT", _INFO, "an entry of `after` that is implied anyway"),
    ("ASSERTION_FAILED", _ERROR, "an assertion of the settings that some run breaks"),
    ("ASSERTION_VACUOUS", _INFO, "an assertion of the settings on a goal that nothing comes to"),
)

_WORKFLOW_PROOFS = _family(
    Family.PROOF,
    ("STATE_UNREACHABLE", _WARNING, "a state that no run enters"),
    ("STATE_NO_EXIT", _INFO, "a state with no way out"),
    ("TRIGGER_NEVER_FIRES", _WARNING, "a trigger whose condition can't hold"),
    ("TRIGGER_SHADOWED", _WARNING, "a trigger that earlier ones always beat"),
    ("TRIGGER_OVERLAP", _WARNING, "two triggers can hold at once and only their order decides"),
    ("TRIGGER_BLOCKS_EVENTS", _WARNING, "an `always` trigger keeps a state's events from being offered"),
    ("TRIGGER_LOOP", _ERROR, "triggers that one context keeps firing in a circle"),
    ("THRESHOLD_UNUSED", _INFO, "a threshold that no condition reads"),
    ("GLOBAL_SHADOWED", _INFO, "a global transition that no state ever offers"),
    ("RESUMPTION_MISSING", _WARNING, "a null target with a previous state that has no resumption target"),
    ("JUDGMENT_ALONE", _INFO, "a judgment where there is no choice"),
)

CATALOG: dict[str, Rule] = {
    rule.code: rule
    for rule in (*_READING, *_SPEC_RULES, *_WORKFLOW_RULES, *_TYPES, *_FLOW_PROOFS, *_WORKFLOW_PROOFS)
}

NEVER_IGNORED = frozenset(
    ("FILE_UNREADABLE", "ENCODING_INVALID", "LIMIT_EXCEEDED", "YAML_INVALID", "JSON_INVALID")
)
"""Codes of reading: a file that has one isn't checked, so no setting or comment may hide or lower them."""
