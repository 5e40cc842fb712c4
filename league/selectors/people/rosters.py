"""Parsing of a roster pasted from a spreadsheet: the meaning of each column, and the player of each row.

Nothing is guessed silently. A row is matched to a known player only by a key, a member number or the whole
name. Where a name merely resembles known ones (a variant character, the same reading, one letter off), the
candidates are listed and the organizer chooses.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.files.tables import LINES_TO_HEADER
from league.models import Competition, Entrant, Player
from league.selectors.competitions.roster import active_entrants
from league.selectors.people.name_parts import name_parts
from league.selectors.people.search import folded
from league.selectors.rulebooks.rules_in_force import is_of_teams, rules_at
from rulesets.normalization import normalize

LONGEST_ROSTER = 500
MOST_CELLS = 200
LONGEST_CELL = 200
"""Limits on the cells read of a line and the characters read of a cell, above those of any valid roster."""
LONGEST = {"name": 100, "kana": 100, "romaji": 100, "affiliation": 100, "number": 32, "key": 64, "country": 40}
HEADERS: Mapping[str, tuple[str, ...]] = {
    "name": ("氏名", "名前", "お名前", "選手", "選手名", "プレイヤー", "プレーヤー", "参加者",
             "name", "player", "fullname"),
    "kana": ("かな", "ふりがな", "フリガナ", "よみ", "よみがな", "読み", "読み仮名", "読みがな", "氏名かな", "名前かな",
             "kana", "reading"),
    "romaji": ("ローマ字", "英字", "英語名", "英名", "romaji", "roman", "romanletters", "english", "englishname"),
    "affiliation": ("所属", "所属団体", "団体", "クラブ", "チーム", "affiliation", "club", "team", "organization"),
    "country": ("国", "国・地域", "国籍", "国名", "出身国", "country", "nation", "nationality", "countryorregion"),
    "number": ("会員番号", "会員no", "会員no.", "登録番号", "membernumber", "number", "memberno"),
    "key": ("キー", "key", "id", "playerkey"),
    "": ("番号", "no", "no.", "#", "順", "順番", "シード", "seed", "order"),
}  # fmt: skip
"""The headings of each field; the empty field is a column that only numbers the rows."""
VARIANTS = str.maketrans(
    "髙﨑碕埼邊邉濵濱嶋嶌澤廣國學櫻齋齊斉龍瀧惠惠眞槇德祐冨栁栄榮曽會萬彌壽與豐豊圓條藏藪靜",
    "高崎崎崎辺辺浜浜島島沢広国学桜斎斎斎竜滝恵恵真槙徳祐富柳栄栄曾会万弥寿与豊豊円条蔵薮静",
)
"""Variant characters in names, each mapped to its common form."""
LONG_ENOUGH = 4
"""Names of at least this many letters may differ in one letter and still resemble each other."""
_KANA = re.compile(r"[぀-ヿー・\s゛゜]+")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ.,'’\s-]+")
_CODE = re.compile(r"[A-Za-z]*[-_]?[0-9][A-Za-z0-9_-]*|[a-z]+-[a-z0-9-]+")


class Who(StrEnum):
    """The result of matching a row."""

    NEW = "new"
    """No known player resembles the row."""
    KNOWN = "known"
    """A key, a member number or the whole name identifies a player."""
    ENTERED = "entered"
    """The identified player is an entrant already."""
    SIMILAR = "similar"
    """Known players resemble the row; the organizer must choose."""
    DOUBLE = "double"
    """An earlier row has the same name."""
    FAULTY = "faulty"
    """The row cannot be accepted as it is."""


class NameReading(StrEnum):
    """An interpretation of a name cell with blanks."""

    SPLIT = "split"
    """Name, reading and what follows are separate: 渡辺 誠 / わたなべまこと."""
    WHOLE = "whole"
    """All of it is the name: 渡辺 まこと."""


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One row as pasted."""

    line: int
    name: str = ""
    kana: str = ""
    romaji: str = ""
    affiliation: str = ""
    number: str = ""
    key: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class MatchedRow:
    """A row with its match, or with the candidates."""

    row: RosterRow
    who: Who
    players: tuple[Player, ...] = ()
    double_of: int | None = None
    """Number of the line with the same name."""
    fault: str = ""
    readings: Mapping[NameReading, RosterRow] = field(default_factory=dict)
    """Both interpretations of a name cell that seems to contain more than the name; `row` is the one in effect."""

    @property
    def reading(self) -> NameReading | None:
        """Return the interpretation in effect; None if there is no question."""
        return next((reading for reading, row in self.readings.items() if row == self.row), None)


def roster_text(competition: Competition) -> str:
    """Return the entrants who have not withdrawn as a roster to paste; keys tell players of one name apart."""
    rows = [f"{entrant.player.name}\t{entrant.player.key}" for entrant in active_entrants(competition)]
    headings = (HEADERS[name][0] for name in ("name", "key"))
    return "\n".join(["\t".join(headings), *rows])


def digest_of(text: str) -> str:
    """Return a digest of the pasted text; choices made on the preview are valid for this very text only."""
    # Browsers submit a textarea with CRLF line ends, whatever was pasted.
    return hashlib.sha256("\n".join(text.split("\r\n")).encode()).hexdigest()[:16]


def roster_rows(text: str) -> list[RosterRow]:
    """Return the rows of a pasted text; columns are identified by a header, else by their content.

    Lines above a header, such as a title and a date, are none of the roster.

    A text that is too long yields more rows than can be entered at a time, so that callers can tell.
    """
    filled = ((number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip())
    # More by the lines down to the header, and by one too many to show that the text is too long.
    cells = [(number, _cells(line)) for number, line in islice(filled, LONGEST_ROSTER + LINES_TO_HEADER + 1)]
    for place, (_number, row) in enumerate(cells[:LINES_TO_HEADER]):
        if (columns := _columns_by_header(row)) is not None:
            cells = cells[place + 1 :]
            break
    else:
        columns = _columns_by_content([row for _number, row in cells]) if cells else []
    return [RosterRow(number, **_named(columns, row)) for number, row in cells]


def _cells(line: str) -> list[str]:
    """Split a line at tabs, as spreadsheets copy it, or else at commas of any width; remove quotes around cells."""
    plain = line.replace("，", ",").replace("、", ",")
    parts = line.split("\t", MOST_CELLS) if "\t" in line else plain.split(",", MOST_CELLS)
    return [" ".join(part.strip().strip('"').split())[:LONGEST_CELL] for part in parts[:MOST_CELLS]]


def _named(columns: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for column, cell in zip(columns, row, strict=False):
        if column and cell and column not in found:
            is_plain = column in {"number", "key"}
            found[column] = normalize("NFKC", cell).strip() if is_plain else cell
    return found


def _heading(cell: str) -> str | None:
    """Return the field that a heading names; None if it is not a heading."""
    said = "".join(normalize("NFKC", cell).casefold().split())
    said = re.sub(r"[(（].*$", "", said) or said
    return next((name for name, words in HEADERS.items() if said in words), None)


def _columns_by_header(first: Sequence[str]) -> list[str] | None:
    """Return the fields of the columns from the first row.

    None if it is not a header, which must name the players' names.
    """
    headings = [_heading(cell) for cell in first]
    known = [heading for heading in headings if heading is not None]
    if "name" not in known or len(known) * 2 < len([cell for cell in first if cell]):
        return None
    return [heading or "" for heading in headings]


def _kind(cells: Iterable[str]) -> str:
    """Return the kind of a column's cells: kana, latin, code or other."""
    filled = [normalize("NFKC", cell) for cell in cells if cell]
    if not filled:
        return ""
    for kind, pattern in (("code", _CODE), ("kana", _KANA), ("latin", _LATIN)):
        if all(pattern.fullmatch(cell) for cell in filled):
            return kind
    return "other"


def _columns_by_content(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the fields of the columns by their content, for a text without a header.

    The first column of names is the name; readings and numbers are recognized by their characters. A first column
    with 1, 2, 3 and so on only numbers the rows.
    """
    width = max(map(len, rows))
    columns = [[row[place] if place < len(row) else "" for row in rows] for place in range(width)]
    kinds = [_kind(column) for column in columns]
    if width > 1 and [normalize("NFKC", cell) for cell in columns[0]] == [
        str(number) for number in range(1, len(rows) + 1)
    ]:
        kinds[0] = "count"
    free = [place for place, kind in enumerate(kinds) if kind not in {"", "count"}]
    found = [""] * width
    for name, wanted in (("name", ("other", "kana", "latin", "code")), ("kana", ("kana",)), ("romaji", ("latin",)),
                         ("number", ("code",)), ("affiliation", ("other", "kana", "latin"))):  # fmt: skip
        place = next((place for kind in wanted for place in free if kinds[place] == kind), None)
        if place is not None:
            found[place] = name
            free.remove(place)
    return found


def name_folded(text: str) -> str:
    """Return a name with differences of spelling removed: spaces, width, kana, variant characters."""
    return folded(text.translate(VARIANTS))


def _romaji_folded(text: str) -> str:
    """Return Latin letters folded, with family and given name in a fixed order."""
    return " ".join(sorted(folded(word) for word in re.split(r"[\s,]+", text) if word))


def _near(text: str) -> set[str]:
    """Return the text and its variants with one letter deleted.

    Two texts that differ in one letter have a variant in common, so a dict lookup finds them.
    """
    return (
        {text, *(text[:place] + text[place + 1 :] for place in range(len(text)))}
        if len(text) >= LONG_ENOUGH
        else {text}
    )


@dataclass(slots=True)
class _Known:
    """Known players, indexed by everything that may identify a row."""

    by_key: dict[str, list[Player]] = field(default_factory=lambda: defaultdict(list))
    by_number: dict[str, list[Player]] = field(default_factory=lambda: defaultdict(list))
    by_name: dict[str, list[Player]] = field(default_factory=lambda: defaultdict(list))
    by_likeness: dict[str, list[Player]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, players: Iterable[Player]) -> _Known:
        known = cls()
        for player in players:
            known.by_key[player.key].append(player)
            if player.number:
                known.by_number[player.number].append(player)
            known.by_name[_spaced(player.name)].append(player)
            for likeness in _likenesses(player.name, player.name_kana, player.name_romaji):
                known.by_likeness[likeness].append(player)
        return known

    def exactly(self, row: RosterRow) -> list[Player]:
        """Return the players identified by a key, a member number or the whole name."""
        by_code = self.by_key.get(row.key or row.number) or self.by_number.get(row.number, [])
        # A code beside an unlike name identifies no player: numbers get mistyped and reused.
        if by_code and (not row.name or by_code[0] in self.by_likenesses(row)):
            return by_code
        return self.by_key.get(row.name) or self.by_name.get(_spaced(row.name), [])

    def like(self, row: RosterRow) -> list[Player]:
        """Return the players with a similar name, or with the row's key or number."""
        found = self.by_likenesses(row) + self.by_key.get(row.key, []) + self.by_number.get(row.number, [])
        return list(dict.fromkeys(found))

    def by_likenesses(self, row: RosterRow) -> list[Player]:
        """Return the players with a similar name or reading."""
        return [
            player
            for likeness in sorted(_likenesses(row.name, row.kana, row.romaji))
            for player in self.by_likeness.get(likeness, ())
        ]


def _spaced(name: str) -> str:
    """Return a name with single ordinary spaces."""
    return " ".join(normalize("NFKC", name).split())


def _likenesses(name: str, kana: str, romaji: str) -> set[str]:
    """Return the index keys under which two entries of one person meet."""
    found = {f"name:{part}" for part in _near(name_folded(name))}
    if reading := kana or (name if _KANA.fullmatch(name) else ""):
        found.add(f"kana:{folded(reading)}")
    if letters := romaji or (name if _LATIN.fullmatch(name) else ""):
        found.add(f"romaji:{_romaji_folded(letters)}")
    return found


def players_like(player: Player) -> list[Player]:
    """Return other players with a similar name or reading: possible duplicates of the same person."""
    alike = Player.objects.filter(erased_at=None, merged_into=None, is_team=player.is_team)
    known = _Known.of(alike.exclude(pk=player.pk))
    row = RosterRow(0, name=player.name, kana=player.name_kana, romaji=player.name_romaji)
    return list(dict.fromkeys(known.by_likenesses(row)))


def possible_entrants(competition: Competition) -> QuerySet[Player]:
    """Return the known players who may enter the competition: teams in a league of teams, else people."""
    is_team = is_of_teams(rules_at(competition))
    return Player.objects.filter(erased_at=None, merged_into=None, is_team=is_team)


def matched_roster(competition: Competition, text: str, readings: Mapping[int, str] | None = None) -> list[MatchedRow]:
    """Return each row of the text with its match.

    `readings` are the interpretations chosen for name cells, by line; without it every name cell is a name.
    """
    known = _Known.of(possible_entrants(competition))
    entered = frozenset(
        Entrant.objects.filter(competition=competition, merged_into=None).values_list("player", flat=True)
    )
    lines: dict[str, int] = {}
    found = []
    for pasted in roster_rows(text)[: LONGEST_ROSTER + 1]:
        both = {} if readings is None else _both_readings(pasted)
        row = _read(pasted, both, (readings or {}).get(pasted.line, ""), known)
        matched = replace(_matched(row, known, entered), readings=both)
        sames = [f"name:{name_folded(row.name)}"] if row.name else []
        if matched.who in {Who.KNOWN, Who.ENTERED}:
            sames.append(f"player:{matched.players[0].pk}")
        double_of = next((lines[same] for same in sames if same in lines), None)
        if double_of is not None and matched.who is not Who.FAULTY:
            matched = MatchedRow(row, Who.DOUBLE, matched.players, double_of, readings=both)
        for same in sames:
            lines.setdefault(same, row.line)
        found.append(matched)
    return found


def match_people(rows: Iterable[RosterRow]) -> list[MatchedRow]:
    """Return each row with its match among all people; teams are none of them."""
    known = _Known.of(Player.objects.filter(erased_at=None, merged_into=None, is_team=False))
    return [_matched(row, known, frozenset()) for row in rows]


def _both_readings(row: RosterRow) -> dict[NameReading, RosterRow]:
    """Return both interpretations of a row's name cell, the likelier one first; empty if there is only one."""
    parts = name_parts(row.name)
    if parts is None or row.key or (parts.kana and row.kana) or (parts.romaji and row.romaji):
        return {}
    split = replace(
        row,
        name=parts.name,
        kana=parts.kana or row.kana,
        romaji=parts.romaji or row.romaji,
        affiliation=row.affiliation or parts.affiliation,
        number=row.number or parts.number,
    )
    both = {NameReading.SPLIT: split, NameReading.WHOLE: row}
    return both if parts.is_likely else dict(reversed(both.items()))


def _read(row: RosterRow, both: Mapping[NameReading, RosterRow], chosen: str, known: _Known) -> RosterRow:
    """Return the row as it was chosen to be read, else as a known player is called, else as is likelier."""
    if chosen in both:
        return both[NameReading(chosen)]
    if not both or known.exactly(row):
        return row
    return next(iter(both.values()))


def _matched(row: RosterRow, known: _Known, entered: frozenset[int]) -> MatchedRow:
    exact = known.exactly(row)
    if len(exact) == 1:
        return MatchedRow(row, Who.ENTERED if exact[0].pk in entered else Who.KNOWN, tuple(exact))
    if fault := _fault(row):
        return MatchedRow(row, Who.FAULTY, fault=fault)
    like = exact or known.like(row)
    if row.key and not like:
        message = _("Line %(number)s: no player has the key “%(key)s”.") % {"number": row.line, "key": row.key}
        return MatchedRow(row, Who.FAULTY, fault=message)
    return MatchedRow(row, Who.SIMILAR, tuple(like)) if like else MatchedRow(row, Who.NEW)


def _fault(row: RosterRow) -> str:
    """Return the reason why a row cannot become a player; empty if it can."""
    if not row.name:
        return _("Line %(number)s has no name.") % {"number": row.line}
    for name, longest in LONGEST.items():
        if len(getattr(row, name)) > longest:
            message = _("Line %(number)s: “%(text)s…” is longer than %(most)s characters.")
            return message % {"number": row.line, "text": getattr(row, name)[:20], "most": longest}
    return ""
