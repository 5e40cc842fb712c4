"""Search of a parlour's guests by part of a name, by reading in kana or Latin letters, or by number."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Case, IntegerField, Q, Value, When

from league.models import Entrant, Player

MOST = 12
LONGEST = 100
_HIRAGANA = range(0x3041, 0x3097)
_KATAKANA = range(0x30A1, 0x30F7)
_APART = _KATAKANA.start - _HIRAGANA.start


@dataclass(frozen=True, slots=True)
class FoundGuest:
    """A match of the search; `entrant` is None for a person who is no guest of the house yet."""

    player: Player
    entrant: Entrant | None


def find_guests(house: int | None, text: str, most: int = MOST) -> list[FoundGuest]:
    """Return the best matches: exact numbers first, then names that begin with the text, then others.

    `house` is the id of the parlour, whose guests have numbers.
    """
    wanted = unicodedata.normalize("NFKC", text[:LONGEST]).strip()
    if not wanted:
        return []
    words = [part for part in wanted.split() if part]
    people = Player.objects.filter(erased_at=None, merged_into=None)
    for word in words:
        people = people.filter(_anywhere(word) | Q(pk__in=_numbered(house, word)))
    ranked = people.annotate(nearness=_nearness(house, wanted)).order_by("nearness", "name_kana", "name", "pk")
    players = list(ranked[:most])
    there = Entrant.objects.filter(competition__parlour=house, player__in=players, merged_into=None)
    entrants = {row.player_id: row for row in there}
    return [FoundGuest(player, entrants.get(player.pk)) for player in players]


def spellings(text: str) -> tuple[str, ...]:
    """Return the text as typed, in hiragana and in katakana, without duplicates."""
    return tuple(dict.fromkeys((text, _moved(text, _KATAKANA, -_APART), _moved(text, _HIRAGANA, _APART))))


def _moved(text: str, letters: range, by: int) -> str:
    return "".join(chr(ord(letter) + by) if ord(letter) in letters else letter for letter in text)


def _anywhere(word: str) -> Q:
    found = Q(name_romaji__icontains=word) | Q(number=word) | Q(handle__icontains=word) | Q(key=word)
    for spelling in spellings(word):
        found |= Q(name__icontains=spelling) | Q(name_kana__icontains=spelling)
    return found


def _numbered(house: int | None, word: str) -> list[int]:
    """Return the player ids of entrants with this number in the house."""
    # isdigit alone accepts digits such as ² that int refuses, and a long number overflows the database's integer.
    if not (word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER):
        return []
    rows = Entrant.objects.filter(competition__parlour=house, number=int(word), merged_into=None)
    return list(rows.values_list("player", flat=True))


LONGEST_NUMBER = 9


def _nearness(house: int | None, text: str) -> Case:
    begins = Q(name_romaji__istartswith=text)
    for spelling in spellings(text):
        begins |= Q(name__istartswith=spelling) | Q(name_kana__istartswith=spelling)
    return Case(
        *_numbers_first(house, text),
        When(begins, then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )


def _numbers_first(house: int | None, text: str) -> Iterator[When]:
    yield When(number=text, then=Value(0))
    if numbered := _numbered(house, text):
        yield When(pk__in=numbered, then=Value(1))
