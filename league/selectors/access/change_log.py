"""Changes as people read them: what, who, about what, before and after; so many queries however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    Session,
    TableSession,
)
from league.selectors.access.actors import Capability, capability_name
from league.wording.changes import KINDS, field_words, kind_words, value_words

AnyChange = Change | OrganizationChange

PERSONS: Mapping[str, type[Model]] = {
    "entrant": Entrant,
    "entrants": Entrant,
    "order": Entrant,
    "player": Player,
    "players": Player,
    "duplicate": Player,
    "user": User,
}
"""Which pieces of before and after hold ids of people, and whose."""
NAMED: Mapping[str, type[Model]] = {**PERSONS, "block": Block, "sessions": Session}
"""All pieces that hold ids."""
NAMED_BY_ID: Mapping[str, tuple[type[Model], str]] = {"blocks": (Block, "entrants"), "seats": (Hanchan, "entrants")}
"""Pieces that hold something for each of several rows, by the rows' ids: of which kind the rows are, and what it is."""
UNSAID = frozenset({"entrant", "player", "sheet", "digest", "sha256", "totals"})
"""What says nothing to people: numbers of rows, digests, and amounts that a ledger's unit would have to go with."""
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
    """Something that a change put in the place of something else."""

    label: str
    before: str
    after: str

    def __str__(self) -> str:
        if not self.before:
            return f"{self.label}: {self.after}"
        return f"{self.label}: {self.before} → {self.after}" if self.after else f"{self.label}: {self.before} → –"


@dataclass(frozen=True, slots=True)
class Told:
    """A change in words."""

    what: str
    who: str
    about: str
    subject: Model | None
    pieces: tuple[Piece, ...]


Rows = Mapping[type[Model], Mapping[int, Model]]


def told(changes: Sequence[AnyChange]) -> list[Told]:
    """Each change in words, in the order given."""
    rows = rows_of(changes)
    labels = labels_of(changes)
    return [one(change, rows, labels) for change in changes]


def one(change: AnyChange, rows: Rows, labels: Mapping[str, str]) -> Told:
    """A change in words, from what was fetched for all of them."""
    subject = subject_of(change, rows)
    return Told(
        what=kind_words(change.kind),
        who=who(change, labels),
        about=subject_words(change, subject),
        subject=subject,
        pieces=tuple(pieces(change, rows)),
    )


def who(change: AnyChange, labels: Mapping[str, str]) -> str:
    """The account, the token it came by, or the table's link; nobody means the service itself."""
    name = change.actor.get_username() if change.actor else ""
    kind, _colon, digest = change.credential.partition(":")
    if kind == "token":
        token = labels.get(change.credential) or digest
        return _("%(user)s by token “%(token)s”") % {"user": name, "token": token}
    if kind == "link":
        return _("the table's link")
    return name or _("the service itself")


def labels_of(changes: Sequence[AnyChange]) -> dict[str, str]:
    """What tokens are called, by how the log names them; revoked ones too, since their making stays in the log."""
    wanted = {change.credential for change in changes if change.credential.startswith("token:")}
    if not wanted:
        return {}
    made = OrganizationChange.objects.filter(kind="token.made", after__token__in=sorted(wanted))
    return {after["token"]: after["label"] for after in made.values_list("after", flat=True) if after}


def rows_of(changes: Sequence[AnyChange]) -> Rows:
    """Every row that these changes are about or name, one query for each kind of row."""
    wanted: defaultdict[type[Model], set[int]] = defaultdict(set)
    for change in changes:
        model = MODELS.get(change.subject_type)
        if model is not None and change.subject_id.isdecimal():
            wanted[model].add(int(change.subject_id))
        for side in (change.before, change.after):
            for model, pk in named_in(side):
                wanted[model].add(pk)
    return {model: rows_by_id(model, ids) for model, ids in wanted.items()}


def rows_by_id(model: type[Model], ids: Iterable[int]) -> Mapping[int, Model]:
    """The rows of these ids."""
    rows: QuerySet[Model] = QuerySet(model).filter(pk__in=ids).select_related(*RELATED.get(model, ()))
    return {row.pk: row for row in rows}


def named_in(side: Any) -> Iterator[tuple[type[Model], int]]:
    """The rows that one side of a change names by their ids, however deep."""
    if isinstance(side, list):
        for inner in side:
            yield from named_in(inner)
    elif isinstance(side, dict):
        for key, value in side.items():
            if key in NAMED:
                yield from ((NAMED[key], pk) for pk in ids_in(value))
            elif is_by_id(key, value):
                model, inner = NAMED_BY_ID[key]
                for pk, one in value.items():
                    yield model, int(pk)
                    yield from named_in({inner: one})
            else:
                yield from named_in(value)


def is_by_id(key: str, value: Any) -> bool:
    """Whether this holds something for each of several rows, by their ids."""
    return key in NAMED_BY_ID and isinstance(value, dict) and all(pk.isdecimal() for pk in value)


def ids_in(value: Any) -> list[int]:
    """Ids, alone or in lists."""
    if isinstance(value, list):
        return [pk for inner in value for pk in ids_in(inner)]
    return [value] if isinstance(value, int) and not isinstance(value, bool) else []


def subject_of(change: AnyChange, rows: Rows) -> Model | None:
    """The row a change is about, if it is still there and of a kind that has a name."""
    model = MODELS.get(change.subject_type)
    if model is None or not change.subject_id.isdecimal():
        return None
    return rows.get(model, {}).get(int(change.subject_id))


def subject_words(change: AnyChange, subject: Model | None) -> str:
    """What a change is about."""
    if subject is not None:
        return str(subject)
    try:
        kind = str(apps.get_model("league", change.subject_type)._meta.verbose_name)
    except LookupError:
        kind = change.subject_type
    return f"{kind} {change.subject_id}"


def pieces(change: AnyChange, rows: Rows) -> Iterator[Piece]:
    """What differs between before and after, piece by piece; what stayed the same is left out."""
    before, after = flat(change.before, change, rows), flat(change.after, change, rows)
    for label in dict.fromkeys([*before, *after]):
        if before.get(label) != after.get(label):
            yield Piece(label, before.get(label, ""), after.get(label, ""))


def in_order(side: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """People first, then by name: a database may keep another order than the one that was written."""
    return sorted(side.items(), key=lambda item: (item[0] not in PERSONS, item[0]))


def flat(side: Any, change: AnyChange, rows: Rows) -> dict[str, str]:
    """One side of a change as labels and texts."""
    found: dict[str, str] = {}
    for key, value in in_order(side) if isinstance(side, dict) else ():
        if key in UNSAID - set(PERSONS):
            continue
        if isinstance(value, list) and value and all(isinstance(inner, dict) for inner in value):
            for number, inner in enumerate(value, start=1):
                found[title_of_part(key, number, inner, change, rows)] = part(inner, change, rows)
        else:
            found[field_words(key, change.subject_type)] = text(key, value, change, rows)
    return found


def title_of_part(key: str, number: int, inner: Mapping[str, Any], change: AnyChange, rows: Rows) -> str:
    """What one of several is called: whose it is, else its number."""
    if "entrant" in inner:
        return text("entrant", inner["entrant"], change, rows)
    return f"{field_words(key, change.subject_type)} {number}"


def part(inner: Mapping[str, Any], change: AnyChange, rows: Rows) -> str:
    """One of several in a line, without what is nought."""
    left = {key: value for key, value in in_order(inner) if key not in UNSAID and value != 0}
    said = [f"{field_words(key, change.subject_type)} {text(key, value, change, rows)}" for key, value in left.items()]
    return ", ".join(said)


def text(key: str, value: Any, change: AnyChange, rows: Rows) -> str:
    """A value as people read it, ids by the names of those they stand for."""
    if key in NAMED:
        return ", ".join(called(NAMED[key], pk, rows) for pk in ids_in(value)) or "–"
    if is_by_id(key, value):
        model, held = NAMED_BY_ID[key]
        each = ((int(pk), text(held, one, change, rows)) for pk, one in value.items())
        return "; ".join(f"{called(model, pk, rows)}: {said}" for pk, said in sorted(each)) or "–"
    if isinstance(value, list):
        return ", ".join(text(key, inner, change, rows) for inner in value) or "–"
    if isinstance(value, dict):
        inner = (
            f"{field_words(name, change.subject_type)} {text(name, one, change, rows)}" for name, one in in_order(value)
        )
        return ", ".join(inner) or "–"
    return plain_text(key, value, change)


def plain_text(key: str, value: Any, change: AnyChange) -> str:
    """A value that stands for itself, in words."""
    if key == "scopes" and value in set(Capability):
        return capability_name(Capability(value))
    if key == "fields":
        return field_words(str(value), change.subject_type)
    return value_words(key, value)


def called(model: type[Model], pk: int, rows: Rows) -> str:
    """A row by its name, or by its number where it is gone."""
    row = rows.get(model, {}).get(pk)
    return str(row) if row is not None else f"#{pk}"


def people_who_acted(rows: Any) -> list[tuple[int, str]]:
    """The accounts in a part of the log."""
    ids = rows.exclude(actor=None).order_by().values("actor").distinct()
    return list(User.objects.filter(pk__in=ids).order_by("username").values_list("pk", "username"))


def searched(said: str) -> Q:
    """Changes that a search means: their words in either language, reasons, who, or a number."""
    wanted = said.strip().lower()
    kinds = set()
    for language in ("ja", "en"):
        with translation.override(language):
            kinds |= {kind for kind, words in KINDS.items() if wanted in str(words).lower()}
    found = Q(kind__in=kinds) | Q(kind__icontains=wanted) | Q(reason__icontains=wanted)
    return found | Q(actor__username__icontains=wanted) | Q(subject_id=wanted) | Q(request_id=wanted)
