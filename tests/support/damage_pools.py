"""Damage to pools, proofs and settings."""

from __future__ import annotations

from support.table_places import Data, first


def pool_lost(data: Data) -> bool:
    del data["pools"]["values"]
    return True


def unknown_pool(data: Data) -> bool:
    data["pools"]["strings"] = []
    return True


def expression_code(data: Data) -> bool:
    code = {"fails": {"code": "parse_error", "message": "x"}}
    return first(iter(data["pools"]["expressions"]), lambda one: one.__setitem__("code", code))


def expression_code_malformed(data: Data) -> bool:
    return first(iter(data["pools"]["expressions"]), lambda one: one.__setitem__("code", {"ops": [["what"]]}))


def expression_text(data: Data) -> bool:
    return first(iter(data["pools"]["expressions"]), lambda one: one.__setitem__("text", "true || true"))


def template_text(data: Data) -> bool:
    return first(iter(data["pools"]["templates"]), lambda one: one.__setitem__("text", one["text"] + "!"))


def template_part(data: Data) -> bool:
    return first(iter(data["pools"]["templates"]), lambda one: one["parts"].append("!"))


def template_full(data: Data) -> bool:
    single = (one for one in data["pools"]["templates"] if one["full"])
    return first(single, lambda one: one.__setitem__("full", False))


def template_refers_to_nothing(data: Data) -> bool:
    parts = (part for one in data["pools"]["templates"] for part in one["parts"])
    return first((part for part in parts if part[0] == "step"), lambda part: part.__setitem__(1, 10_000))


def contract_type(data: Data) -> bool:
    fields = (field for one in data["pools"]["contracts"] for field in one["fields"])
    return first(fields, lambda field: field.__setitem__(1, "object" if field[1] != "object" else "array"))


def contract_unknown_type(data: Data) -> bool:
    fields = (field for one in data["pools"]["contracts"] for field in one["fields"])
    return first(fields, lambda field: field.__setitem__(1, "date"))


def contract_optional(data: Data) -> bool:
    fields = (field for one in data["pools"]["contracts"] for field in one["fields"])
    return first(fields, lambda field: field.__setitem__(2, not field[2]))


def contract_field_lost(data: Data) -> bool:
    return first(
        (one for one in data["pools"]["contracts"] if one["fields"]), lambda one: one["fields"].pop()
    )


def condition_code(data: Data) -> bool:
    return first(iter(data["pools"]["conditions"]), lambda one: one.__setitem__("code", "always"))


def condition_operator(data: Data) -> bool:
    compared = (one for one in data["pools"]["conditions"] if one["code"] != "always")
    return first(compared, lambda one: one["code"].__setitem__(1, "<>"))


def proof_verdict(data: Data) -> bool:
    data["proofs"][0][2] = "refuted" if data["proofs"][0][2] == "proved" else "proved"
    return True


def proof_unknown_verdict(data: Data) -> bool:
    data["proofs"][0][2] = "likely"
    return True


def proof_unknown_method(data: Data) -> bool:
    data["proofs"][0][1] = "faith"
    return True


def proof_lost(data: Data) -> bool:
    data["proofs"].pop(0)
    return True


def settings_lost(data: Data) -> bool:
    settings = data["machines"][data["entry"]]["data"]
    settings.pop(next(iter(settings)))
    return True


def initial_state(data: Data) -> bool:
    settings = data["machines"][0]["data"]
    if "initial" not in settings:
        return False
    settings["initial"] += 1 if settings["initial"] == 0 else -1
    return True


def threshold_value(data: Data) -> bool:
    thresholds = data["machines"][0]["data"].get("thresholds")
    return bool(thresholds) and first(iter(thresholds), lambda name: thresholds.update({name: 99}))


def threshold_lost(data: Data) -> bool:
    thresholds = data["machines"][0]["data"].get("thresholds")
    return bool(thresholds) and first(iter(tuple(thresholds)), thresholds.pop)


def resumption_target(data: Data) -> bool:
    pairs = data["machines"][0]["data"].get("resumption")
    return bool(pairs) and first(iter(pairs), lambda pair: pair.__setitem__(1, 1 if pair[1] == 0 else 0))


def description(data: Data) -> bool:
    settings = data["machines"][0]["data"]
    if "descriptions" not in settings:
        return False
    settings["descriptions"][0] = "something else"
    return True


def global_action(data: Data) -> bool:
    settings = data["machines"][0]["data"]
    return "global_actions" in settings and settings["global_actions"].append("/more") is None


def state_file(data: Data) -> bool:
    settings = data["machines"][0]["data"]
    return "config" in settings and settings["config"].update(state_file="elsewhere.json") is None


def more_flow_rounds(data: Data) -> bool:
    settings = data["machines"][data["entry"]]["data"]
    return "max_rounds" in settings and settings.update(max_rounds=(settings["max_rounds"] or 0) + 1) is None


def flow_budget(data: Data) -> bool:
    settings = data["machines"][data["entry"]]["data"]
    budget = {"usd": 0.5, "tokens": None, "dispatches": 3, "ms": None}
    return "budget" in settings and settings.update(budget=budget) is None
