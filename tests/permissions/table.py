"""Read the declared table of permissions (`access.toml`) for the tests."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("access.toml")
APPS = {
    "user": "auth",
    "accessattempt": "axes",
    "accesslog": "axes",
    "accessfailurelog": "axes",
}
"""The apps of models that are not ours."""
PUBLIC = frozenset({"here", "open", "teams"})
DESK = ("scorer of another", "reader", "referee", "scorer", "director", "superuser")
WITH_ACCOUNT = ("player", "captain")
"""Users of pages who do not work at the desk."""
LINKS = ("scorer's link", "player's link")
SENT_LINKS = {"scorer's link sent": "scorer's link", "player's link sent": "player's link", "other link sent": ""}
"""Links to a table in the Authorization header, for REST alone, with the link of pages whose rights they have."""


@dataclass(frozen=True, slots=True)
class Access:
    """The rules of one URL."""

    group: str
    read: str = ""
    write: str = ""
    query: str = ""
    body: Mapping[str, str] = field(default_factory=dict)
    json: Mapping[str, Any] = field(default_factory=dict)
    vague: bool = False
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table, with the rights of each role."""

    rules: Mapping[str, str]
    roles: Mapping[str, frozenset[str]]
    tokens: Mapping[str, frozenset[str]]
    accesses: Mapping[str, Access]
    accepts_links: frozenset[str]
    """The REST addresses that accept a link in the Authorization header."""

    def may(self, rule: str, role: str, place: str, *, by_rest: bool) -> bool:
        """Return whether a rule admits the role; tokens are valid in the API only."""
        given = self.given(role, place, by_rest=by_rest)
        link = SENT_LINKS.get(role, "") if by_rest else role
        is_at_table = link in LINKS and place == "here"
        others = {
            "": False,
            "no_one": False,
            "way": False,
            "anyone": True,
            "secret": True,
            "visible": place in PUBLIC or "read" in given,
            "public": place in PUBLIC,
            "account": role in WITH_ACCOUNT or role in DESK,
            "token": by_rest and role in self.tokens,
            "desk": role in DESK,
            "directs": role in ("director", "superuser"),
            "master": role == "superuser",
            "table": "read" in given or is_at_table,
            "sheet": "submit" in given or (link == "scorer's link" and is_at_table),
            "player": link == "player's link" and is_at_table,
            "captain": role == "captain",
            "caller": "submit" in given or is_at_table,
            "answer": "rule" in given or "submit" in given,
        }
        return others.get(rule, rule in given)

    def given(self, role: str, place: str, *, by_rest: bool) -> frozenset[str]:
        """Return the rights of a role in a place's competition."""
        if role in self.tokens:
            is_its_own = by_rest and place in ("here", "held")
            return self.tokens[role] if is_its_own else frozenset()
        return self.roles.get(role, frozenset())


def read_table() -> Table:
    """Read the table. Raise KeyError for an unknown rule, ValueError for a URL named twice."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    details = {name: as_written(detail) for name, detail in data["details"].items()}
    accesses: dict[str, Access] = {}
    for group in data["groups"]:
        for name, rules in _named(group):
            if name in accesses:
                raise ValueError(f"{name} is in two groups")
            assert all(rule in data["rules"] for rule in rules.values() if rule), (name, rules)
            accesses[name] = Access(
                group=group["title"], read=rules["read"], write=rules.get("write", ""), **details.pop(name, {})
            )
    if details:
        raise ValueError(f"details of addresses that are in no group: {sorted(details)}")
    roles, tokens = ({name: frozenset(given) for name, given in data[key].items()} for key in ("roles", "tokens"))
    return Table(data["rules"], roles, tokens, accesses, frozenset(data["accepts_links"]))


def as_written(detail: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of one URL besides its rules."""
    return {key: tuple(value) if key == "places" else value for key, value in detail.items()}


def _named(group: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the URLs of a group, including the six of each model."""
    for name in group.get("routes", ()):
        yield name, {"read": group.get("read", ""), "write": group.get("write", "")}
    for model in group.get("models", ()):
        start = f"admin:{APPS.get(model, 'league')}_{model}"
        add, change, delete = (group.get(word, {}).get(model, "no_one") for word in ("add", "change", "delete"))
        yield f"{start}_changelist", {"read": group["list"]}
        yield f"{start}_add", {"read": add, "write": add}
        yield f"{start}_change", {"read": group["rows"], "write": change}
        yield f"{start}_delete", {"read": delete, "write": delete}
        yield f"{start}_history", {"read": group["rows"]}
        yield f"admin:row-{model}", {"read": "desk"}
