"""Build every state in which a scorer can find a table, with the expected content of the score sheet."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils import timezone

from league.models import Competition, Hanchan, Role, TableSession
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.competitions.departures import withdraw
from league.services.competitions.editing import TableWords, edit_table_session
from league.services.competitions.schedule import hold_back
from league.services.competitions.setup import set_status
from league.services.live.results import submit_log
from league.services.results.results import abandon_hanchan, reject_result, void_hanchan
from tests import factories
from tests.factories import SYSTEM
from tests.league.tables import BUSTED, DRAW, RIICHI, RON, Device, begun, entered, first, followed, write

ANOTHER = (25000, 30100, 34900, 10000)
FOUR_SEATS = ("cinderella", "banchi4", "boo", "tenhou4", "mleague")
THREE_SEATS = ("banchi3", "kansai3", "superbingo", "tenhou3")
TYPED = "was entered without the score sheet"
OPEN_SHEET = "score_sheet_in_progress"
START = "Before the first hand"


@dataclass(frozen=True, slots=True)
class State:
    """A table in a state, with expectations for the document and the page that its scorer opens."""

    device: Device
    phase: str
    says: str
    """A sentence that the sheet shows, in English."""
    result: str | None = None
    """The state of a typed result."""
    score: str = ""
    """A final score that the sheet shows; empty where it shows none."""
    may_enter: bool = False
    """The service accepts entries from this scorer; a result that awaits confirmation has no buttons."""
    is_locked: bool = False
    leads_on: bool = False
    """The sheet has a link to another hanchan or to the result."""
    asks_for: Hanchan | None = None
    """The hanchan in the URL; None for the next one to play."""

    @property
    def table(self) -> TableSession:
        """Return the table session."""
        return self.device.table


def scorer_of(rounds: int = 1, confirmation: str = Competition.Confirmation.ONE) -> Device:
    """Return the scorer's device for a new table of four in a league under `banchi4`."""
    competition = factories.final_table(unused_slug("table"), ruleset="banchi4")
    Competition.objects.filter(pk=competition.pk).update(confirmation=confirmation)
    block = competition.blocks.get()
    return Device.of_scorer(factories.table(block, numbers=tuple(range(1, rounds + 1))))


def scorer_under(ruleset: str) -> Device:
    """Return the scorer's device for a table under a rule book."""
    competition = factories.league(
        unused_slug(ruleset), ruleset=ruleset, league_format="open-play", kind=Competition.Kind.OPEN
    )
    people = factories.entrants(competition, 3 if ruleset in THREE_SEATS else 4)
    return Device.of_scorer(factories.table(competition.blocks.get(), people, numbers=(1,)))


def unused_slug(name: str) -> str:
    """Return a slug that no competition has; each test's first one is the same, so that its rows are stored again."""
    return f"{name}{Competition.objects.count()}"


def typed(
    device: Device, scores: tuple[int, ...] = factories.SCORES, by: Role | None = None, **more: object
) -> Hanchan:
    """Enter the table's first hanchan as final scores, by a user or by the service itself."""
    hanchan = first(device.table)
    who = factories.user(role=by, competition=device.table.competition) if by else None
    factories.play(hanchan, scores, by=factories.actor(who), **{"accept": (OPEN_SHEET,), **more})
    return hanchan


def level(device: Device) -> tuple[int, ...]:
    """Return the scores that the rules give each player at the start."""
    rules = ruleset_of(first(device.table).rules)
    return (rules.setup.start,) * rules.players


def not_begun() -> State:
    return State(scorer_of(), "start", START, may_enter=True)


def no_players_seated() -> State:
    device = scorer_of()
    first(device.table).seats.all().delete()
    return State(device, "start", "Who sits East?", may_enter=True)


def scheduled_later() -> State:
    device = scorer_of()
    later = timezone.now() + dt.timedelta(days=7)
    edit_table_session(table_session=device.table, words=TableWords(starts_at=later), by=SYSTEM)
    return State(device, "start", START, may_enter=True)


def player_withdrew() -> State:
    device = scorer_of()
    write(begun(device.table), *entered(RON))
    seated = first(device.table).seats.get(seat=1)
    withdraw(entrant=seated.entrant, by=SYSTEM, reason="Unwell")
    return State(device, "playing", "East 2", may_enter=True)


def running() -> State:
    device = scorer_of()
    write(begun(device.table), *entered(RON))
    return State(device, "playing", "East 2", may_enter=True)


def over() -> State:
    device = scorer_of()
    write(begun(device.table), *entered(BUSTED))
    return State(device, "over", "Hand in the result", may_enter=True)


def log_waits() -> State:
    device = scorer_of(confirmation=Competition.Confirmation.SECOND)
    hand_in(device)
    return State(device, "waiting", "Handed in. It counts once it is confirmed.", may_enter=True)


def log_rejected() -> State:
    device = scorer_of(confirmation=Competition.Confirmation.SECOND)
    hand_in(device)
    reject_result(sheet=first(device.table).sheets.get(), by=SYSTEM, reason="Wrong table")
    return State(device, "over", "The result was not agreed to. Wrong table", may_enter=True)


def log_counts() -> State:
    device = scorer_of()
    followed(first(device.table), BUSTED)
    return State(device, "confirmed", "The result is confirmed.", leads_on=True)


def log_ended_by_time() -> State:
    device = scorer_of()
    followed(first(device.table), RON)
    return State(device, "confirmed", "The time was up.", leads_on=True)


def log_corrected_by_typing() -> State:
    device = scorer_of()
    followed(first(device.table), BUSTED)
    typed(device, ANOTHER, corrects=1, reason="Wrong table")
    return State(device, "typed", TYPED, "confirmed", "34,900", leads_on=True)


def typed_waits() -> State:
    device = scorer_of(confirmation=Competition.Confirmation.SECOND)
    typed(device, by=Role.SCORER)
    return State(device, "typed", "awaits confirmation", "waiting", "41,200", may_enter=True)


def typed_waits_blindly() -> State:
    device = scorer_of(confirmation=Competition.Confirmation.BLIND)
    typed(device, by=Role.SCORER)
    return State(device, "typed", "awaits confirmation", "waiting", may_enter=True)


def typed_waits_for_players() -> State:
    device = scorer_of(confirmation=Competition.Confirmation.PLAYERS)
    typed(device, by=Role.SCORER)
    return State(device, "typed", "has not answered", "waiting", "41,200", may_enter=True)


def typed_rejected() -> State:
    device = scorer_of(confirmation=Competition.Confirmation.SECOND)
    hanchan = typed(device, by=Role.SCORER)
    reject_result(sheet=hanchan.sheets.get(), by=SYSTEM, reason="Wrong table")
    return State(device, "start", "was not agreed to", "rejected", may_enter=True)


def typed_counts() -> State:
    device = scorer_of()
    typed(device)
    return State(device, "typed", TYPED, "confirmed", "41,200", leads_on=True)


def typed_ended_by_time() -> State:
    device = scorer_of()
    typed(device, state=Hanchan.State.ENDED_BY_TIME)
    return State(device, "typed", TYPED, "confirmed", "41,200", leads_on=True)


def typed_corrected() -> State:
    device = scorer_of()
    typed(device)
    typed(device, ANOTHER, corrects=1, reason="Misread")
    return State(device, "typed", TYPED, "confirmed", "34,900", leads_on=True)


def typed_over_running_log() -> State:
    device = scorer_of()
    write(begun(device.table), *entered(RON))
    typed(device)
    return State(device, "typed", "end before the result, at East 2, 0 honba", "confirmed", "41,200", leads_on=True)


def typed_waits_beside_running_log() -> State:
    device = scorer_of(confirmation=Competition.Confirmation.SECOND)
    write(begun(device.table), *entered(RON))
    typed(device, by=Role.SCORER)
    return State(device, "playing", "awaits confirmation", "waiting", may_enter=True)


def typed_waits_beside_finished_log() -> State:
    device = scorer_of(confirmation=Competition.Confirmation.BLIND)
    write(begun(device.table), *entered(BUSTED))
    typed(device, by=Role.SCORER)
    return State(device, "over", "Hand in the result", "waiting", may_enter=True)


def one_of_several_typed() -> State:
    device = scorer_of(rounds=2)
    typed(device)
    return State(device, "start", START, may_enter=True, leads_on=True)


def voided() -> State:
    device = scorer_of()
    void_hanchan(hanchan=typed(device), by=SYSTEM, reason="Wrong table")
    return State(Device.of_scorer(device.table), "start", START, may_enter=True)


def voided_with_a_log() -> State:
    device = scorer_of()
    followed(first(device.table), BUSTED)
    void_hanchan(hanchan=first(device.table), by=SYSTEM, reason="Wrong table")
    return State(Device.of_scorer(device.table), "over", "Hand in the result", may_enter=True)


def typed_over_a_log_and_taken_back() -> State:
    device = scorer_of()
    write(begun(device.table), *entered(RON))
    void_hanchan(hanchan=typed(device), by=SYSTEM, reason="The game is not over")
    return State(Device.of_scorer(device.table), "playing", "East 2", may_enter=True)


def typed_over_a_log_that_goes_on() -> State:
    device = scorer_of(rounds=2)
    write(begun(device.table), *entered(RON))
    hanchan = typed(device)
    write(hanchan, *entered(DRAW))
    submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True, reason="Typed too early")
    return State(device, "confirmed", "The result is confirmed.", leads_on=True, asks_for=hanchan)


def abandoned() -> State:
    device = scorer_of()
    abandon_hanchan(hanchan=first(device.table), by=SYSTEM, reason="Fire alarm")
    return State(device, "start", "This hanchan was abandoned", is_locked=True)


def abandoned_while_running() -> State:
    device = scorer_of(rounds=2)
    write(begun(device.table), *entered(RON))
    abandon_hanchan(hanchan=first(device.table), by=SYSTEM, reason="Fire alarm")
    hanchan = first(device.table)
    return State(device, "playing", "This hanchan was abandoned", is_locked=True, leads_on=True, asks_for=hanchan)


def cancelled() -> State:
    device = scorer_of()
    edit_table_session(table_session=device.table, words=TableWords(is_cancelled=True), by=SYSTEM)
    return State(device, "start", "This table is cancelled.", is_locked=True)


def closed() -> State:
    device = scorer_of()
    write(begun(device.table), *entered(RON))
    set_status(competition=device.table.competition, status=Competition.Status.CLOSED, by=SYSTEM)
    return State(device, "playing", "The competition is closed", is_locked=True)


def closed_with_result() -> State:
    device = scorer_of()
    typed(device)
    set_status(competition=device.table.competition, status=Competition.Status.CLOSED, by=SYSTEM)
    return State(device, "typed", TYPED, "confirmed", "41,200", is_locked=True, leads_on=True)


def held_back() -> State:
    device = scorer_of()
    hold_back(table_session=device.table, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    typed(device)
    return State(device, "typed", TYPED, "confirmed", "41,200")


def hand_in(device: Device) -> None:
    """Play a game on the score sheet to its end and submit it as its scorer."""
    document = device.document()
    device.send({"client_id": "s", "kind": "start", "payload": {}}, after=document["sequence"])
    device.enter(BUSTED)
    sequence = device.document()["sequence"]
    assert device.post("submit", sequence=sequence, accept=["extreme_score"]).status_code == 200


def typed_under(ruleset: str) -> Callable[[], State]:
    """Return a builder of a typed result under a rule book."""

    def reached() -> State:
        device = scorer_under(ruleset)
        scores = level(device)
        typed(device, scores, accept=("everybody_level",))
        return State(device, "typed", TYPED, "confirmed", f"{scores[0]:,}")

    return reached


def begun_under(ruleset: str) -> Callable[[], State]:
    """Return a builder of a game before its first hand under a rule book."""

    def reached() -> State:
        says = START if ruleset != "mleague" else "This rule book knows final scores only"
        return State(scorer_under(ruleset), "start", says, may_enter=True)

    return reached


def running_under(ruleset: str) -> Callable[[], State]:
    """Return a builder of a game in its first hand under a rule book."""

    def reached() -> State:
        device = scorer_under(ruleset)
        begun(device.table)
        return State(device, "playing", "East 1", may_enter=True)

    return reached


def typed_over_log_under(ruleset: str) -> Callable[[], State]:
    """Return a builder of a result typed over a first hand, after a player declared riichi."""

    def reached() -> State:
        device = scorer_under(ruleset)
        write(begun(device.table), *entered(RIICHI))
        scores = level(device)
        typed(device, scores, accept=("everybody_level",))
        return State(device, "typed", "end before the result, at East 1", "confirmed", f"{scores[0]:,}")

    return reached


STATES: Mapping[str, Callable[[], State]] = {
    each.__name__: each
    for each in (
        not_begun,
        no_players_seated,
        scheduled_later,
        player_withdrew,
        running,
        over,
        log_waits,
        log_rejected,
        log_counts,
        log_ended_by_time,
        log_corrected_by_typing,
        typed_waits,
        typed_waits_blindly,
        typed_waits_for_players,
        typed_rejected,
        typed_counts,
        typed_ended_by_time,
        typed_corrected,
        typed_over_running_log,
        typed_waits_beside_running_log,
        typed_waits_beside_finished_log,
        one_of_several_typed,
        voided,
        voided_with_a_log,
        typed_over_a_log_and_taken_back,
        typed_over_a_log_that_goes_on,
        abandoned,
        abandoned_while_running,
        cancelled,
        closed,
        closed_with_result,
        held_back,
    )
} | {
    f"{name}_{ruleset}": of(ruleset)
    for name, of, rulesets in (
        ("typed_under", typed_under, (*FOUR_SEATS, *THREE_SEATS)),
        ("begun_under", begun_under, ("mleague", "superbingo")),
        ("running_under", running_under, ("boo", "banchi3", "superbingo")),
        ("typed_over_log_under", typed_over_log_under, ("boo", "banchi3")),
    )
    for ruleset in rulesets
}
"""The builder of each state, by its name."""
