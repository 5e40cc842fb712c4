"""Values of a ruleset in the reader's words where a short label exists; other values as written in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.wording.formatting import score_text
from league.wording.live.hands import round_name, worth_text
from league.wording.live.yaku import yaku_name
from league.wording.messages import wind_name
from league.wording.names import title_in
from league.wording.rulebooks.ruleset_values import VALUES
from league.wording.rulebooks.ruleset_ways import WAYS, penalty_cost, ways_shown
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import BustLine, RoundName
from scoring.ruleset.flow import AbortiveKind, Chonbo, RenchanPolicy
from scoring.ruleset.play import Play
from scoring.ruleset.value import MultiRon
from scoring.ruleset.yaku import OpenTanyao, Yaku, YakuName

Words = Mapping[str, str | Promise]

KEYS: Words = MappingProxyType(
    {
        "setup.start": gettext_lazy("Start"),
        "setup.return": gettext_lazy("Return"),
        "entry.unit": gettext_lazy("Scores are entered in"),
        "end.bust.line": gettext_lazy("Going out"),
        "end.target.score": gettext_lazy("The game ends at"),
        "settlement.uma.amounts": gettext_lazy("Uma"),
        "settlement.uma.floating.line": gettext_lazy("Line above which a player floats"),
        "settlement.uma.floating.at_line": gettext_lazy("Exactly the line"),
        "settlement.uma.floating.rows.0": gettext_lazy("Uma with no player floating"),
        "settlement.uma.floating.rows.1": gettext_lazy("Uma with one player floating"),
        "settlement.uma.floating.rows.2": gettext_lazy("Uma with two players floating"),
        "settlement.uma.floating.rows.3": gettext_lazy("Uma with three players floating"),
        "settlement.uma.floating.rows.4": gettext_lazy("Uma with four players floating"),
        "settlement.chonbo.amount": gettext_lazy("Chonbo"),
        "settlement.substitute.amount": gettext_lazy("Account of a substitute"),
        "settlement.substitute.replaces": gettext_lazy("A substitute's account stands for"),
        "play.calls.chi": gettext_lazy("Chi"),
        "play.wall.kans": gettext_lazy("Kans in a hand"),
        "play.win.min_han": gettext_lazy("Han a win needs"),
        "play.riichi.stake": gettext_lazy("Riichi stake"),
        "play.riichi.needs": gettext_lazy("Points needed for riichi"),
        "play.riichi.open.stake": gettext_lazy("Stake of an open riichi"),
        "play.honba.ron": gettext_lazy("Each honba on ron"),
        "play.honba.tsumo_each": gettext_lazy("Each honba on a self-draw, from each"),
        "play.draws.noten.pool": gettext_lazy("Noten payments in all"),
        "play.renchan.rounds": gettext_lazy("The dealer stays"),
        "play.several_winners.two": gettext_lazy("Two call ron"),
        "play.several_winners.three": gettext_lazy("Three call ron"),
        "play.value.kiriage": gettext_lazy("Rounded up to mangan"),
        "play.yaku_rules.open_tanyao": gettext_lazy("Tanyao in an opened hand"),
        "play.payments.round_up_to": gettext_lazy("Payments are rounded up to"),
        "play.fu.pair_double_wind": gettext_lazy("Fu of a pair of the double wind"),
        "play.fu.seven_pairs": gettext_lazy("Fu of seven pairs"),
        "play.tiles.total": gettext_lazy("Tiles in all"),
        **{path: way.label for path, way in WAYS.items()},
    }
)
"""Labels of ruleset values, by their path in the file."""

POLICIES: Mapping[str, Words] = MappingProxyType(
    {
        "end.bust.line": {
            BustLine.BELOW_ZERO: gettext_lazy("below zero"),
            BustLine.AT_ZERO: gettext_lazy("at zero or below"),
            BustLine.NEVER: gettext_lazy("no player goes out"),
        },
        "play.renchan.rounds": {
            RenchanPolicy.WIN: gettext_lazy("by winning"),
            RenchanPolicy.TENPAI: gettext_lazy("by winning or tenpai"),
            RenchanPolicy.ANY_DRAW: gettext_lazy("by winning, and at every draw"),
        },
        "play.several_winners.two": {
            MultiRon.HEAD_BUMP: gettext_lazy("the next in turn wins alone"),
            MultiRon.ALL: gettext_lazy("all win"),
            MultiRon.DRAW: gettext_lazy("the hand is drawn"),
        },
        "play.yaku_rules.open_tanyao": {
            OpenTanyao.ALWAYS: gettext_lazy("counts"),
            OpenTanyao.NEVER: gettext_lazy("does not count"),
            OpenTanyao.WITH_COMPANION: gettext_lazy("counts with certain other yaku only"),
        },
        **{path: way.values for path, way in WAYS.items()},
    }
)
"""Labels of the policies that a value may have, by the value's path."""

ABORTIVE: Words = MappingProxyType(
    {
        AbortiveKind.NINE_TERMINALS: gettext_lazy("nine terminals"),
        AbortiveKind.FOUR_WINDS: gettext_lazy("four winds"),
        AbortiveKind.FOUR_RIICHI: gettext_lazy("four riichi"),
        AbortiveKind.FOUR_KANS: gettext_lazy("four kans"),
        AbortiveKind.FOUR_KANS_BY_ANYONE: gettext_lazy("four kans, by one player too"),
        AbortiveKind.FOUR_KANS_SHOWN: gettext_lazy("four kans, the fourth shown"),
        AbortiveKind.TRIPLE_RON: gettext_lazy("three ron"),
    }
)


AWARDS: Words = MappingProxyType(
    {
        AwardEvent.IPPATSU: gettext_lazy("Ippatsu"),
        AwardEvent.URA: gettext_lazy("Ura dora"),
        AwardEvent.RED: gettext_lazy("Red or marked five"),
        AwardEvent.GOLD: gettext_lazy("Gold five"),
        AwardEvent.YAKUMAN: gettext_lazy("Yakuman"),
        AwardEvent.KAZOE: gettext_lazy("Counted yakuman"),
        AwardEvent.FLUSH: gettext_lazy("All flowers"),
        AwardEvent.FORCED: gettext_lazy("Forced deal-in to an open riichi"),
    }
)

PARTS: Words = MappingProxyType(
    {
        "m": pgettext_lazy("suit", "characters"),
        "p": pgettext_lazy("suit", "circles"),
        "s": pgettext_lazy("suit", "bamboos"),
        "gentsuu": gettext_lazy("gentsuu"),
    }
)
"""Keys of values that have a part for each suit, or for a kind of game; the kinds A, B and C are called that."""

WINDS, YAKU, ROUNDS = frozenset(Wind), frozenset(YakuName), frozenset(RoundName)
THREE_CALLERS = 3
"""With this number of players only two can call ron on a discard, so the rule for three winners is not shown."""


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A ruleset value as text for people; `name` is empty if there is no label beside the path."""

    path: str
    name: str
    value: str
    clauses: tuple[str, ...] = ()


def setting_line(path: str, value: object) -> SettingLine:
    """Return a value of the file with its label."""
    return SettingLine(path, str(KEYS.get(path, "")), setting_text(path, value))


def setting_text(path: str, value: object) -> str:
    """Return the value as text: yes or no, labels of policies, numbers with a thousands separator."""
    policies = POLICIES.get(path.replace(".three", ".two"), {})
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return score_text(value)
    if isinstance(value, dict):
        named = (f"{_key(key)}: {setting_text(path, each)}" for key, each in value.items())
        return _(", ").join(named) or _("none")
    if isinstance(value, list | tuple):
        return _(", ").join(setting_text(path, each) for each in value) or _("none")
    text = str(value)
    return str(policies.get(text) or _named(text))


def _named(value: str) -> str:
    """Return the name of a policy, a wind or a yaku; any other text unchanged."""
    if value in VALUES:
        return str(VALUES[value])
    if value in WINDS:
        return wind_name(value)
    return yaku_name(YakuName(value)) if value in YAKU else value


def _key(key: str) -> str:
    """Return the key of a mapping as text; rounds are named by their winds."""
    return round_name(RoundName(key)) if key in ROUNDS else str(PARTS.get(key, key))


def yaku_worth(name: YakuName, play: Play) -> tuple[str, str]:
    """Return the worth of a yaku in a closed and in an opened hand, as texts."""
    yaku = play.yaku[name]
    closed, opened = _worth(yaku, yaku.closed), _worth(yaku, yaku.open)
    if name is YakuName.TANYAO and play.yaku_rules.open_tanyao is OpenTanyao.WITH_COMPANION:
        opened = _("%(worth)s, with certain other yaku only") % {"worth": opened}
    return closed, opened


def _worth(yaku: Yaku, count: int) -> str:
    return worth_text(count, yaku.counts) if count else "–"


def yaku_line(name: YakuName, play: Play) -> SettingLine:
    """Return a yaku with its worth as one line."""
    yaku, worth = play.yaku[name], combined_worth(name, play)
    played = worth if yaku.played else _("%(worth)s where it is played; here it is not") % {"worth": worth}
    return SettingLine(f"play.yaku.{name}", yaku_name(name), played, yaku.clauses)


def combined_worth(name: YakuName, play: Play) -> str:
    """Return the worth closed and opened as one text, given once if both are equal."""
    closed, opened = yaku_worth(name, play)
    return closed if closed == opened else f"{closed} / {opened}"


def facts_of_play(ruleset: Ruleset) -> Iterator[SettingLine]:
    """Yield the main rules of play in a line each, after the start, return and uma that every player asks for first."""
    yield _fact("end.bust.line", ruleset.end.bust.line, ruleset.end.bust.clauses)
    if ruleset.end.target is not None:
        yield _fact("end.target.score", ruleset.end.target.score, ruleset.end.target.clauses)
    if ruleset.play is not None:
        yield from _flow(ruleset.play)
        yield from _wins(ruleset.play, ruleset.players)
        yield from _prizes(ruleset)
    for way in ways_shown(ruleset):
        yield _fact(way.path, way.value, way.clauses)
    yield from _penalties(ruleset)


def _fact(path: str, value: object, clauses: tuple[str, ...]) -> SettingLine:
    found = setting_line(path, value)
    return SettingLine(path, found.name, found.value, clauses)


def _flow(play: Play) -> Iterator[SettingLine]:
    """Yield the rules on dealer repeats, honba, riichi, draws and chonbo."""
    yield _fact(
        "play.renchan.rounds", {key.value: each for key, each in play.renchan.rounds.items()}, play.renchan.clauses
    )
    honba = _("%(ron)s on ron, %(each)s from each on a self-draw") % {
        "ron": score_text(play.honba.ron),
        "each": score_text(play.honba.tsumo_each),
    }
    yield SettingLine("play.honba", _("Each honba"), honba, play.honba.clauses)
    yield _fact("play.riichi.stake", play.riichi.stake, play.riichi.clauses)
    yield _fact("play.draws.noten.pool", play.draws.noten.pool, play.draws.noten.clauses)
    broken_off = [str(ABORTIVE[kind]) for kind, each in play.draws.abortive.items() if each.played]
    clauses = tuple(dict.fromkeys(clause for each in play.draws.abortive.values() for clause in each.clauses))
    yield SettingLine(
        "play.draws.abortive", _("Abortive draws"), _(", ").join(broken_off) or _("none"), clauses or play.draws.clauses
    )
    yield from _chonbo(play.penalties.chonbo)


def _chonbo(chonbo: Chonbo) -> Iterator[SettingLine]:
    """Yield the payment for a chonbo at the table, if it costs points there."""
    paid = sorted(
        {chonbo.points.from_dealer_to_each, chonbo.points.from_other_to_dealer, chonbo.points.from_other_to_other}
    )
    if any(paid):
        amounts = " / ".join(map(score_text, paid))
        text = _("%(points)s to each opponent") % {"points": amounts}
        yield SettingLine("play.penalties.chonbo.points", _("Chonbo at the table"), text, chonbo.points.clauses)


def _penalties(ruleset: Ruleset) -> Iterator[SettingLine]:
    """Yield the penalties outside the hanchan, each with what it costs."""
    listed = ruleset.settlement.penalties
    named = [f"{title_in(one.title)} {penalty_cost(one, ruleset.ranking_ledger)}" for one in listed]
    if named:
        clauses = tuple(dict.fromkeys(clause for one in listed for clause in one.clauses))
        yield SettingLine("settlement.penalties", _("Penalties outside the game"), _(", ").join(named), clauses)


def _wins(play: Play, players: int) -> Iterator[SettingLine]:
    """Yield the requirements of a win and the rules for its value."""
    yield _fact("play.win.min_han", play.win.min_han, play.win.clauses)
    yield _fact("play.yaku_rules.open_tanyao", play.yaku_rules.open_tanyao, play.yaku_rules.clauses)
    yield _fact("play.calls.chi", play.calls.chi, play.calls.clauses)
    yield _fact("play.several_winners.two", play.several_winners.two, play.several_winners.clauses)
    if players > THREE_CALLERS:
        yield _fact("play.several_winners.three", play.several_winners.three, play.several_winners.clauses)
    yield _fact("play.value.kiriage", play.value.kiriage, play.value.clauses)
    yield _fact("play.tiles.total", play.tiles.total, play.tiles.clauses)


def _prizes(ruleset: Ruleset) -> Iterator[SettingLine]:
    """Yield the prizes (chips) beside the points: on ron, and from each payer on a self-draw."""
    chips = ruleset.play.chips if ruleset.play else None
    if chips is None:
        return
    amounts = [
        f"{AWARDS[event]} {score_text(each.ron)} / {score_text(each.tsumo_each)}"
        for event, each in chips.awards.items()
        if each.ron or each.tsumo_each
    ]
    amounts += [f"{yaku_name(name)} {score_text(each.each)}" for name, each in chips.fixed.items()]
    if amounts:
        title = title_in(ruleset.ledger(chips.rules.ledger).title)
        named = _("%(ledger)s, ron / each on a self-draw") % {"ledger": title}
        yield SettingLine("play.chips.awards", named, _(", ").join(amounts), chips.rules.clauses)
