"""The change log in words: action, actor, subject, values before and after.

Rows that changes refer to by id are fetched together, so the number of queries does not grow with the number of
changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model, Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from league.models import (
    Block,
    Change,
    Entrant,
    Hanchan,
    OrganizationChange,
    Player,
    RulesInForce,
    Session,
    TableSession,
)
from league.selectors.access.actors import Capability, capability_name
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.wording.changes import KINDS, field_words, kind_words, value_words
from league.wording.formatting import points_text

AnyChange = Change | OrganizationChange

PERSONS: Mapping[str, type[Model]] = {
    "entrant": Entrant,
    "entrants": Entrant,
    "joining": Entrant,
    "leaving": Entrant,
    "order": Entrant,
    "player": Player,
    "players": Player,
    "duplicate": Player,
    "user": User,
}
"""Keys of the before and after snapshots that hold ids of people, with the model the ids belong to."""
NAMED: Mapping[str, type[Model]] = {**PERSONS, "block": Block, "sessions": Session}
"""All snapshot keys that hold ids, with their models."""
NAMED_BY_ID: Mapping[str, tuple[type[Model], str]] = {
    "blocks": (Block, "entrants"),
    "members": (Entrant, "players"),
    "seats": (Hanchan, "entrants"),
}
"""Snapshot keys that map row ids to values: the model of the ids, and the key under which to read each value."""
HIDDEN_KEYS = frozenset(
    {"entrant", "player", "sheet", "digest", "sha256", "totals", "moved", "overrides", "kept_members", "kept_entries"}
)
"""Snapshot keys hidden from the reader: row ids, digests, amounts that mean nothing without their ledger's unit, and
the times of tables and what is kept of teams, each of which has a change of its own."""
RELATED: Mapping[type[Model], tuple[str, ...]] = {
    Entrant: ("player",),
    Hanchan: ("table_session__session", "table_session__block"),
    TableSession: ("session", "block"),
}
MODELS: Mapping[str, type[Model]] = {
    "user": User,
    **{name: apps.get_model("league", name) for name in (
        "competition", "stage", "block", "session", "tablesession", "hanchan", "entrant", "player",
    )},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """One value of a change, before and after."""

    label: str
    before: str
    after: str

    def __str__(self) -> str:
        if not self.before:
            return f"{self.label}: {self.after}"
        return f"{self.label}: {self.before} → {self.after}" if self.after else f"{self.label}: {self.before} → –"


@dataclass(frozen=True, slots=True)
class ChangeText:
    """A change in words."""

    what: str
    who: str
    about: str
    subject: Model | None
    pieces: tuple[Piece, ...]


Rows = Mapping[type[Model], Mapping[int, Model]]


def render_changes(changes: Sequence[AnyChange]) -> list[ChangeText]:
    """Return each change in words, in the order given."""
    rows = rows_of(changes)
    labels = labels_of(changes)
    return [render_change(change, rows, labels) for change in changes]


def render_change(change: AnyChange, rows: Rows, labels: Mapping[str, str]) -> ChangeText:
    """Return one change in words, from the rows and token labels fetched for all of them."""
    subject = subject_of(change, rows)
    return ChangeText(
        what=kind_words(change.kind),
        who=actor_text(change, labels),
        about=subject_words(change, subject),
        subject=subject,
        pieces=tuple(pieces(change, rows)),
    )


def actor_text(change: AnyChange, labels: Mapping[str, str]) -> str:
    """Name the actor: the account (and its API token), the table's link, or else the service itself."""
    name = change.actor.get_username() if change.actor else ""
    kind, _colon, digest = change.credential.partition(":")
    if kind == "token":
        token = labels.get(change.credential) or digest
        return _("%(user)s by token “%(token)s”") % {"user": name, "token": token}
    if kind == "link":
        return _("the table's link")
    return name or _("the service itself")


def labels_of(changes: Sequence[AnyChange]) -> dict[str, str]:
    """Return the labels of API tokens by credential as the log stores it, including revoked tokens.

    Token rows are deleted when revoked; the log entry of their creation keeps the label.
    """
    wanted = {change.credential for change in changes if change.credential.startswith("token:")}
    if not wanted:
        return {}
    made = OrganizationChange.objects.filter(kind="token.made", after__token__in=sorted(wanted))
    return {after["token"]: after["label"] for after in made.values_list("after", flat=True) if after}


def rows_of(changes: Sequence[AnyChange]) -> Rows:
    """Fetch every row that these changes are about or refer to, with one query for each model."""
    wanted: defaultdict[type[Model], set[int]] = defaultdict(set)
    for change in changes:
        model = MODELS.get(change.subject_type)
        if model is not None and change.subject_id.isdecimal():
            wanted[model].add(int(change.subject_id))
        for side in (change.before, change.after):
            for model, pk in named_in(side):
                wanted[model].add(pk)
    adjusted = {change.competition_id for change in changes if isinstance(change, Change) and is_adjustment(change)}
    found: dict[type[Model], Mapping[int, Model]] = {model: rows_by_id(model, ids) for model, ids in wanted.items()}
    # Unlike other rows, rules are looked up by competition: they give the scale of adjusted points.
    return {**found, RulesInForce: newest_rules(adjusted)} if adjusted else found


def is_adjustment(change: AnyChange) -> bool:
    """Return True if the change is about an adjustment of points."""
    return change.subject_type == "adjustment"


def newest_rules(competitions: Iterable[int]) -> dict[int, Model]:
    """Return the newest rules of each competition by the competition's id."""
    rules = RulesInForce.objects.filter(competition__in=competitions).select_related("ruleset")
    return {row.competition_id: row for row in rules.order_by("effective_from")}


def rows_by_id(model: type[Model], ids: Iterable[int]) -> Mapping[int, Model]:
    """Return the rows of these ids, with the relations that their names need."""
    rows: QuerySet[Model] = QuerySet(model).filter(pk__in=ids).select_related(*RELATED.get(model, ()))
    return {row.pk: row for row in rows}


def named_in(side: object) -> Iterator[tuple[type[Model], int]]:
    """Yield model and id of every row that one side of a change refers to, at any depth."""
    if isinstance(side, list):
        for inner in side:
            yield from named_in(inner)
    elif isinstance(side, dict):
        for key, value in side.items():
            if key in NAMED:
                yield from ((NAMED[key], pk) for pk in ids_in(value))
            # Must come before the general recursion: here the ids are the keys of the inner object.
            elif is_by_id(key, value):
                model, inner = NAMED_BY_ID[key]
                for pk, one in value.items():
                    yield model, int(pk)
                    yield from named_in({inner: one})
            else:
                yield from named_in(value)


def is_by_id(key: str, value: object) -> bool:
    """Return True if `value` maps ids of rows to values, as `NAMED_BY_ID` lists them."""
    return key in NAMED_BY_ID and isinstance(value, dict) and all(pk.isdecimal() for pk in value)


def ids_in(value: object) -> list[int]:
    """Return the ids in a value, which is an id or nested lists of ids."""
    if isinstance(value, list):
        return [pk for inner in value for pk in ids_in(inner)]
    # JSON true is an int to Python and would be looked up as row 1.
    return [value] if isinstance(value, int) and not isinstance(value, bool) else []


def subject_of(change: AnyChange, rows: Rows) -> Model | None:
    """Return the row that a change is about; None if it is gone or of a model without a name."""
    model = MODELS.get(change.subject_type)
    if model is None or not change.subject_id.isdecimal():
        return None
    return rows.get(model, {}).get(int(change.subject_id))


def subject_words(change: AnyChange, subject: Model | None) -> str:
    """Name the subject of a change: by its row, else by its kind, with the id if the row is gone."""
    if subject is not None:
        return str(subject)
    try:
        kind = str(apps.get_model("league", change.subject_type)._meta.verbose_name)
    except LookupError:
        kind = change.subject_type
    return f"{kind} {change.subject_id}" if change.subject_type in MODELS else kind


def pieces(change: AnyChange, rows: Rows) -> Iterator[Piece]:
    """Yield the values that differ between before and after; unchanged ones are left out."""
    before, after = texts_by_label(change.before, change, rows), texts_by_label(change.after, change, rows)
    for label in dict.fromkeys([*before, *after]):
        if before.get(label) != after.get(label):
            yield Piece(label, before.get(label, ""), after.get(label, ""))


def sorted_items(side: Mapping[str, object]) -> list[tuple[str, object]]:
    """Return the items of a snapshot, people first, then by key.

    PostgreSQL stores JSON objects with keys in its own order, so the order written is not the order read.
    """
    return sorted(side.items(), key=lambda item: (item[0] not in PERSONS, item[0]))


def texts_by_label(side: object, change: AnyChange, rows: Rows) -> dict[str, str]:
    """Return one side of a change as texts by label."""
    found: dict[str, str] = {}
    for key, value in sorted_items(side) if isinstance(side, dict) else ():
        if key in HIDDEN_KEYS - set(PERSONS):
            continue
        if isinstance(value, list) and value and all(isinstance(inner, dict) for inner in value):
            for number, inner in enumerate(value, start=1):
                found[title_of_part(key, number, inner, change, rows)] = part_text(inner, change, rows)
        else:
            found[field_words(key, change.subject_type)] = text(key, value, change, rows)
    return found


def title_of_part(key: str, number: int, inner: Mapping[str, object], change: AnyChange, rows: Rows) -> str:
    """Return the label of one item in a list of objects: its entrant's name, else the field's name with its number."""
    if "entrant" in inner:
        return text("entrant", inner["entrant"], change, rows)
    return f"{field_words(key, change.subject_type)} {number}"


def part_text(inner: Mapping[str, object], change: AnyChange, rows: Rows) -> str:
    """Return one item of a list of objects as a line; zero values are left out."""
    left = {key: value for key, value in sorted_items(inner) if key not in HIDDEN_KEYS and value != 0}
    said = [f"{field_words(key, change.subject_type)} {text(key, value, change, rows)}" for key, value in left.items()]
    return _(", ").join(said)


def text(key: str, value: object, change: AnyChange, rows: Rows) -> str:
    """Return a value as text; ids are replaced by the names of their rows."""
    if key in NAMED:
        return _(", ").join(row_name(NAMED[key], pk, rows) for pk in ids_in(value)) or "–"
    if is_by_id(key, value) and isinstance(value, dict):
        model, held = NAMED_BY_ID[key]
        each = ((int(pk), text(held, one, change, rows)) for pk, one in value.items())
        return "; ".join(f"{row_name(model, pk, rows)}: {said}" for pk, said in sorted(each)) or "–"
    if isinstance(value, list):
        return _(", ").join(text(key, inner, change, rows) for inner in value) or "–"
    if isinstance(value, dict):
        inner = (
            f"{field_words(name, change.subject_type)} {text(name, one, change, rows)}"
            for name, one in sorted_items(value)
        )
        return _(", ").join(inner) or "–"
    rules = rows.get(RulesInForce, {}).get(change.competition_id) if isinstance(change, Change) else None
    if key == "points" and is_adjustment(change) and isinstance(value, int) and isinstance(rules, RulesInForce):
        return points_text(value, ruleset_of(rules).ranking_ledger.scale, plus=True)
    return plain_text(key, value, change)


def plain_text(key: str, value: object, change: AnyChange) -> str:
    """Return a value that is not an id in words."""
    if key == "scopes" and value in set(Capability):
        return capability_name(Capability(str(value)))
    if key == "fields":
        return field_words(str(value), change.subject_type)
    return value_words(key, value)


def row_name(model: type[Model], pk: int, rows: Rows) -> str:
    """Return the name of a row, or its id if it is gone."""
    row = rows.get(model, {}).get(pk)
    return str(row) if row is not None else f"#{pk}"


def people_who_acted(rows: QuerySet[Model]) -> list[tuple[int, str]]:
    """Return id and username of the accounts that made the changes in `rows`, a queryset of changes."""
    # Without order_by() the model's ordering would add its column to DISTINCT, and no row would be a duplicate.
    ids = rows.exclude(actor=None).order_by().values("actor").distinct()
    return list(User.objects.filter(pk__in=ids).order_by("username").values_list("pk", "username"))


def search_filter(said: str) -> Q:
    """Return a filter for changes that match a search text.

    It looks in the words of both languages, reasons, usernames, subject ids and request ids.
    """
    wanted = said.strip().lower()
    kinds = set()
    # The log stores codes, not words: the words of both languages are searched here, not in the database.
    for language in ("ja", "en"):
        with translation.override(language):
            kinds |= {kind for kind, words in KINDS.items() if wanted in str(words).lower()}
    found = Q(kind__in=kinds) | Q(kind__icontains=wanted) | Q(reason__icontains=wanted)
    return found | Q(actor__username__icontains=wanted) | Q(subject_id=wanted) | Q(request_id=wanted)
