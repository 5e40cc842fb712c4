"""Guests of a parlour by what is typed: part of a name, a reading in kana or Latin letters, a number, a card, a key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Case, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Replace

from league.models import Entrant, Player, SittingSeat
from league.wording.romaji import kana_pattern
from rulesets.normalization import normalize

MOST = 12
FEWEST = 6
"""Guests offered where a typed text may mean several."""
LONGEST = 100
LONGEST_NUMBER = 9
_HIRAGANA = range(0x3041, 0x3097)
_KATAKANA = range(0x30A1, 0x30F7)
_APART = _KATAKANA.start - _HIRAGANA.start


@dataclass(frozen=True, slots=True)
class FoundGuest:
    """A match of the search; `entrant` is None for a person who is no guest of the house yet."""

    player: Player
    entrant: Entrant | None

    @property
    def number(self) -> str:
        """Return the number by which the house knows the guest: the member number, or else the entrant's."""
        return self.player.number or (str(self.entrant.number) if self.entrant else "")


@dataclass(frozen=True, slots=True)
class NewGuest:
    """A new guest as typed in one line: “name/kana” or “name/kana/number”."""

    name: str
    kana: str = ""
    number: str = ""

    @classmethod
    def of(cls, text: str) -> NewGuest:
        """Split a line at its slashes, which may be full-width."""
        name, kana, number, *_rest = (*(part.strip() for part in text.replace("／", "/").split("/", 2)), "", "")
        return cls(name, kana, normalize("NFKC", number))


@dataclass(frozen=True, slots=True)
class TypedGuest:
    """The guest meant by a typed text: a known one, a new one, or a question with the guests it may mean.

    `may_add` tells whether the text can also be the name of a new guest.
    """

    player: Player | None = None
    new: NewGuest | None = None
    options: tuple[FoundGuest, ...] = ()
    may_add: bool = False


def find_guests(parlour_id: int | None, text: str, most: int = MOST) -> list[FoundGuest]:
    """Return the best matches: exact numbers first, then names that begin with the text, then others.

    Guests of the house come before people who have played only elsewhere.
    """
    wanted = plain(text)
    if not wanted:
        return []
    numbers = _numbered(parlour_id, wanted)
    people = _people(parlour_id)
    for word in wanted.split():
        people = people.filter(reduce(or_, numbers, _has(word)))
    nearness = Case(
        *(When(number, then=Value(place)) for place, number in enumerate(numbers)),
        When(_begins(wanted), then=Value(len(numbers))),
        default=Value(len(numbers) + 1),
        output_field=IntegerField(),
    )
    ranked = people.annotate(nearness=nearness).order_by("nearness", F("is_guest").desc(), "name_kana", "name", "pk")
    return _with_entrants(parlour_id, list(ranked[:most]))


def guests_numbered(parlour_id: int | None, text: str) -> list[Player]:
    """Return the people with exactly this number, card, handle or key; leading zeros do not count.

    The number beside a guest of the house wins over any other: an entrant's number counts for guests without a member
    number first.
    """
    wanted = plain(text)
    for number in _numbered(parlour_id, wanted):
        if found := list(_people(parlour_id).filter(number)[:FEWEST]):
            return found
    return []


def _numbered(parlour_id: int | None, wanted: str) -> list[Q]:
    """Return the conditions that a text is exactly a person's number, the strongest first."""
    if not wanted or " " in wanted:
        return []
    own = Q(number__iexact=wanted)
    # isdigit alone accepts digits such as ² that int refuses, and a long number overflows the database's integer.
    digits = (wanted.lstrip("0") or "0") if wanted.isascii() and wanted.isdigit() else ""
    if digits:
        own |= Q(number__regex=f"^0*{digits}$")
    found = [Q(is_guest=True) & own]
    if digits and len(digits) <= LONGEST_NUMBER:
        entered = Entrant.objects.filter(competition__parlour=parlour_id, number=int(digits), merged_into=None)
        found += [Q(pk__in=entered.values("player"), number=""), Q(pk__in=entered.values("player"))]
    return [*found, own | Q(handle__iexact=wanted) | Q(key=wanted)]


def typed_guest(parlour_id: int | None, text: str) -> TypedGuest:
    """Return the guest meant by a text that was entered without choosing a suggestion.

    1. A text with a slash is a new guest, unless its name, reading or number is a known person's: that is a question.
    2. An exact number, card, handle or key is that guest.
    3. A full name, or part of a name that only one person has, is that person; of several one must be chosen.
    4. A text that fits no person is a question: it may be the name of a new guest.
    """
    if "/" in text or "／" in text:
        new = NewGuest.of(text)
        known = _with_entrants(parlour_id, _alike(parlour_id, new))
        return TypedGuest(options=tuple(known), may_add=True) if known else TypedGuest(new=new)
    numbered = guests_numbered(parlour_id, text)
    if numbered:
        return _one_of(_with_entrants(parlour_id, numbered), may_add=False)
    found = find_guests(parlour_id, text, most=FEWEST)
    same = [guest for guest in found if _close(guest.player.name) == _close(text)]
    return _one_of(same or found, may_add=not plain(text).isdigit() and bool(plain(text)))


def _one_of(found: list[FoundGuest], *, may_add: bool) -> TypedGuest:
    if len(found) == 1:
        return TypedGuest(player=found[0].player)
    return TypedGuest(options=tuple(found), may_add=may_add)


def house_players(parlour_id: int | None) -> list[Player]:
    """Return the people who played for the house (本走) when they last sat there, by reading: the staff who play."""
    # Chairs stay with a merged duplicate's entrant; the person is the entry kept.
    person = Coalesce("entrant__player__merged_into", "entrant__player")
    here = SittingSeat.objects.filter(entrant__competition__parlour=parlour_id).annotate(person=person)
    last = here.filter(person=OuterRef("pk")).order_by("-joined_at", "-pk").values("is_house")[:1]
    people = Player.objects.filter(pk__in=here.filter(is_house=True).order_by().values("person"), erased_at=None)
    return list(people.annotate(is_staff=Subquery(last)).filter(is_staff=True).order_by("name_kana", "name", "pk"))


def plain(text: str) -> str:
    """Return a text with full-width letters and half-width kana made ordinary; what no database stores is a blank."""
    letters = (each if each.isprintable() else " " for each in normalize("NFKC", text[:LONGEST]))
    return " ".join("".join(letters).split())


def spellings(text: str) -> tuple[str, ...]:
    """Return the text as typed, in hiragana and in katakana, without duplicates."""
    return tuple(dict.fromkeys((text, _moved(text, _KATAKANA, -_APART), _moved(text, _HIRAGANA, _APART))))


def _moved(text: str, letters: range, by: int) -> str:
    return "".join(chr(ord(letter) + by) if ord(letter) in letters else letter for letter in text)


def _close(text: str) -> str:
    """Return a name without blanks: 湯川みなと is 湯川 みなと."""
    return plain(text).replace(" ", "")


def _people(parlour_id: int | None) -> QuerySet[Player]:
    """Return the players in use, with name and reading without blanks, and whether they are guests of the house."""
    here = Entrant.objects.filter(competition__parlour=parlour_id, merged_into=None, player=OuterRef("pk"))
    return Player.objects.filter(erased_at=None, merged_into=None, is_team=False).annotate(
        close_name=_without_blanks("name"), close_kana=_without_blanks("name_kana"), is_guest=Exists(here)
    )


def _without_blanks(field: str) -> Replace:
    return Replace(Replace(F(field), Value(" "), Value("")), Value("　"), Value(""))


def _has(text: str) -> Q:
    """Return the condition that a text is part of a name or reading, or a word of the reading in Latin letters."""
    found = Q(name_romaji__icontains=text) | Q(handle__icontains=text)
    for spelling in spellings(text):
        found |= Q(close_name__icontains=spelling) | Q(close_kana__icontains=spelling)
    pattern = kana_pattern(text)
    return found | Q(close_kana__regex=f"^{pattern}") | Q(name_kana__regex=f"[ 　]{pattern}") if pattern else found


def _begins(text: str) -> Q:
    """Return the condition that a name or reading begins with a text."""
    close = _close(text)
    found = Q(name_romaji__istartswith=text)
    for spelling in spellings(close):
        found |= Q(close_name__istartswith=spelling) | Q(close_kana__istartswith=spelling)
    pattern = kana_pattern(close)
    return found | Q(close_kana__regex=f"^{pattern}") if pattern else found


def _alike(parlour_id: int | None, new: NewGuest) -> list[Player]:
    """Return the people with the name, the reading or the number of a new guest."""
    same = Q(pk=None)
    if name := _close(new.name):
        same |= Q(close_name__iexact=name)
    if kana := _close(new.kana):
        same |= Q(close_kana__in=spellings(kana)) | Q(name_romaji__iexact=plain(new.kana))
    ranked = _people(parlour_id).filter(same).order_by(F("is_guest").desc(), "name_kana", "pk")
    found = {player.pk: player for player in [*guests_numbered(parlour_id, new.number), *ranked[:FEWEST]]}
    return list(found.values())


def _with_entrants(parlour_id: int | None, players: list[Player]) -> list[FoundGuest]:
    there = Entrant.objects.filter(competition__parlour=parlour_id, player__in=players, merged_into=None)
    entrants = {row.player_id: row for row in there}
    return [FoundGuest(player, entrants.get(player.pk)) for player in players]
