"""The roster step of the guided set-up: a roster pasted or chosen, and the decisions on each of its rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.competitions.setup import PlayersField
from league.forms.fields import field_of
from league.forms.service import ServiceForm
from league.models import Competition, Player
from league.selectors.people.rosters import MatchedRow, NameReading, RosterRow, Who, digest_of
from league.services.competitions.wizard import Newcomer

_READING = re.compile(r"reading_(?P<line>[0-9]{1,9})")


class RosterForm(ServiceForm):
    """A roster, pasted or chosen among known players."""

    pasted = forms.CharField(
        label=gettext_lazy("Roster"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "cols": 60}),
        help_text=gettext_lazy(
            "Paste it from a spreadsheet, one player to a line: name, reading, roman letters, affiliation, member "
            "number, in any order, with or without a line of headings; under a heading also the country or region. The "
            "name alone will do."
        ),
    )
    known = PlayersField(lines=10)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    pointers = {"/roster": "pasted", "/name": "pasted"}

    def __init__(self, data: object = None, *, competition: Competition, pasted: str = "") -> None:
        super().__init__(data, initial={"pasted": pasted})
        field_of(self, "known", PlayersField).offer_to(competition)

    @property
    def digest(self) -> str:
        """The digest of the pasted text."""
        return digest_of(str(self.data.get("pasted", "")))

    @property
    def is_seen(self) -> bool:
        """Return True if the preview showed this very text, so that the choices made there apply."""
        return self.data.get("seen") == self.digest


NEW, SKIP = "new", "skip"


class RowChoice:
    """A row of the roster preview, with the possible choices and the one made."""

    def __init__(self, matched: MatchedRow, chosen: str | None, seen_reading: str = "") -> None:
        self.matched, self.row = matched, matched.row
        self.key, self.reading_key = f"row_{matched.row.line}", f"reading_{matched.row.line}"
        self.choices = list(self._choices())
        # The choice was made for a player found under the other reading of the name.
        self.is_read_again = bool(seen_reading) and seen_reading != matched.reading
        self.chosen = chosen if chosen in dict(self.choices) and not self.is_read_again else self._usual()

    @property
    def readings(self) -> list[tuple[str, str]]:
        """The interpretations of the name cell to choose from; empty if there is no question."""
        texts = {
            NameReading.SPLIT: _("Name %(name)s · %(rest)s"),
            NameReading.WHOLE: _("All of it is the name: %(name)s"),
        }
        return [
            (reading.value, texts[reading] % {"name": row.name, "rest": rest_of(row)})
            for reading, row in self.matched.readings.items()
        ]

    def _choices(self) -> Iterator[tuple[str, str]]:
        who, players = self.matched.who, self.matched.players
        if who in {Who.FAULTY, Who.ENTERED}:
            return
        if who is Who.SIMILAR:
            yield "", _("Choose...")
        for player in players:
            told = " · ".join(filter(None, (player.name, player.name_kana, player.affiliation, player.key)))
            yield str(player.pk), _("known: %(player)s") % {"player": told}
        yield NEW, _("a new player")
        yield SKIP, _("leave out")

    def _usual(self) -> str:
        """Return the default choice for the kind of match."""
        match self.matched.who:
            case Who.KNOWN:
                return str(self.matched.players[0].pk)
            case Who.NEW:
                return NEW
            case Who.DOUBLE:
                return SKIP
            case _:
                return ""

    @property
    def fault(self) -> str:
        """The reason why the row cannot be entered; empty if it can."""
        if self.matched.who is Who.FAULTY:
            return self.matched.fault
        if self.matched.who is Who.SIMILAR and not self.chosen:
            return _("Line %(number)s: say who it is.") % {"number": self.row.line}
        if self.is_read_again and self.matched.who is not Who.NEW:
            return _("Line %(number)s is read differently now. Check who it is.") % {"number": self.row.line}
        return ""

    def person(self) -> Player | Newcomer | None:
        """Return the player to enter, new or known; None if already entered or left out."""
        if self.chosen == NEW:
            row = self.row
            return Newcomer(
                name=row.name,
                name_kana=row.kana,
                name_romaji=row.romaji,
                affiliation=row.affiliation,
                number=row.number,
                country=row.country,
            )
        return next((player for player in self.matched.players if str(player.pk) == self.chosen), None)


def choices_of(rows: Sequence[MatchedRow], data: Mapping[str, object], *, is_seen: bool) -> list[RowChoice]:
    """Return the rows with their choices; choices count only if they were made for this very text."""
    if not is_seen:
        return [RowChoice(row, None) for row in rows]
    return [
        RowChoice(row, str(data.get(f"row_{row.row.line}", "")), str(data.get(f"seen_reading_{row.row.line}", "")))
        for row in rows
    ]


def readings_in(data: Mapping[str, object]) -> dict[int, str]:
    """Return the readings of names chosen in the preview, by line."""
    found = ((_READING.fullmatch(name), str(value)) for name, value in data.items())
    return {int(named["line"]): value for named, value in found if named}


def rest_of(row: RosterRow) -> str:
    """Return what a row says besides the name, each with its label."""
    labelled = (
        (_("reading %(text)s"), row.kana),
        (_("roman letters %(text)s"), row.romaji),
        (_("affiliation %(text)s"), row.affiliation),
        (_("number %(text)s"), row.number),
        (_("country %(text)s"), row.country),
    )
    return " · ".join(label % {"text": text} for label, text in labelled if text)
