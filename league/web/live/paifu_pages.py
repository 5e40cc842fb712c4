"""Games of an import as pages show them: seats, hands beside ours, scores, and the fields of the choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import Hanchan, ImportedPaifu
from league.selectors.exchange.paifu_matching import How, Match, SeatedPerson
from league.selectors.exchange.paifu_play import HandBeside
from league.services.exchange.paifu_preview import GamePreview, ImportPreview
from league.wording.formatting import points_text, score_text
from league.wording.live.live import honba_text, kyoku_text, refusal_text
from league.wording.live.paifu import difference_text
from league.wording.names import person_name
from scoring.ruleset import Ruleset

Choice = tuple[str, str]
"""Value and label of an option."""


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A player of the log, the person found, and the field to choose another."""

    online: str
    name: str
    how: str
    field: str
    value: str
    is_open: bool
    """True if the person has to be chosen."""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand: the log's points beside ours, seat by seat, and the reasons of each difference."""

    title: str
    told: tuple[str, ...]
    ours: tuple[str, ...]
    reasons: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Return True if our points are not the log's."""
        return self.told != self.ours


@dataclass(frozen=True, slots=True)
class ShownFinal:
    """A player's end of the game: the log's score beside ours, the place and the points by our rules."""

    name: str
    told: str
    ours: str
    place: int
    points: str


@dataclass(frozen=True, slots=True)
class ShownGame:
    """One game of an import."""

    number: int
    label: str
    outcome: str
    outcome_text: str
    is_ready: bool
    source: str
    moment: object
    seats: tuple[ShownSeat, ...] = ()
    hanchan: Hanchan | None = None
    is_added: bool = False
    offers: tuple[Choice, ...] = ()
    hands: tuple[ShownHand, ...] = ()
    finals: tuple[ShownFinal, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def may_choose(self) -> bool:
        """Return True if people and hanchan can still be chosen."""
        return bool(self.seats) and self.outcome != ImportedPaifu.Outcome.IMPORTED


def shown_games(preview: ImportPreview) -> list[ShownGame]:
    """Return the games of an import in their order."""
    return [shown_game(one) for one in preview.games]


def people_choices(people: Sequence[SeatedPerson]) -> list[Choice]:
    """Return the options for a seat."""
    return [(value_of(seated), seated_name(seated)) for seated in people]


def value_of(seated: SeatedPerson | None) -> str:
    """Return the value of a person's option."""
    return "" if seated is None else "{}.{}".format(*seated.key)


def seated_name(seated: SeatedPerson) -> str:
    """Return a person's name, with the team that they sit for."""
    name = person_name(seated.player)
    if seated.entrant.player_id == seated.player.pk:
        return name
    return _("%(name)s (%(team)s)") % {"name": name, "team": person_name(seated.entrant.player)}


def shown_game(one: GamePreview) -> ShownGame:
    """Return one game as pages show it."""
    game, record = one.game, one.record
    kept = [str(each["message"]) for each in game.findings if each.get("message")]
    now = [finding.message for finding in one.findings if finding.level == "error"]
    return ShownGame(
        number=game.number,
        label=game.label,
        outcome=game.outcome,
        outcome_text=game.get_outcome_display(),
        is_ready=one.is_ready,
        source=record.source.value if record else "",
        moment=record.played_at if record else None,
        seats=tuple(shown_seat(game.number, match) for match in one.matches),
        hanchan=one.hanchan,
        is_added=one.is_added,
        offers=tuple((str(hanchan.pk), str(hanchan)) for hanchan in one.offers),
        hands=shown_hands(one),
        finals=tuple(shown_finals(one)),
        errors=tuple(dict.fromkeys((*now, *(() if one.is_ready else kept)))),
        warnings=tuple(finding.message for finding in one.findings if finding.level == "warning"),
    )


def shown_seat(number: int, match: Match) -> ShownSeat:
    """Return a player of the log with the person found."""
    words = {
        How.CHOSEN: _("chosen"),
        How.ACCOUNT: _("by the account"),
        How.REMEMBERED: _("by the name remembered"),
        How.NAME: _("by the name"),
        How.UNKNOWN: _("several are called so") if match.candidates else _("not known"),
    }
    return ShownSeat(
        online=match.online.name,
        name=seated_name(match.seated) if match.seated else "",
        how=words[match.how],
        field=f"seat-{number}-{match.online.seat}",
        value=value_of(match.seated) if match.how is How.CHOSEN else "",
        is_open=match.seated is None,
    )


def shown_hands(one: GamePreview) -> tuple[ShownHand, ...]:
    """Return the hands of a game that was played by our rules."""
    if one.played is None:
        return ()
    names = [match.seated.player.name if match.seated else match.online.name for match in one.matches]
    return tuple(shown_hand(hand, names, one.played.rules) for hand in one.played.hands)


def shown_hand(hand: HandBeside, names: Sequence[str], rules: Ruleset) -> ShownHand:
    """Return a hand with the log's points beside ours."""
    told, ours = hand.told, hand.changes
    title = kyoku_text(told.round, told.number)
    return ShownHand(
        title=f"{title} {honba_text(told.honba)}" if told.honba else title,
        told=tuple(map(score_text, told.deltas)),
        ours=("–",) * len(told.deltas) if ours is None else tuple(map(score_text, ours)),
        reasons=(
            *(refusal_text(each, names) for each in hand.refusals),
            *(difference_text(each, names) for each in hand.differences(rules) if each.code != "refused"),
        ),
    )


def shown_finals(one: GamePreview) -> list[ShownFinal]:
    """Return the final scores and points by our rules beside the log's scores; empty while a hand is refused."""
    played, record = one.played, one.record
    if played is None or record is None or played.settlement is None:
        return []
    settled, ledger = played.settlement, played.rules.ranking_ledger
    return [
        ShownFinal(
            name=seated_name(match.seated) if match.seated else match.online.name,
            told=score_text(record.final_scores[seat]),
            ours=score_text(settled.final_scores[seat]),
            place=settled.places[seat],
            points=points_text(settled.totals[ledger.key][seat], ledger.scale),
        )
        for seat, match in enumerate(one.matches)
    ]
