"""Tests of a table's log: accepted events, rejected events, and undo, redo, edit and repeated batches."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import Change, Competition, Hanchan, Role, TableEvent
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.access.actors import Actor
from league.selectors.live.log import EventKind, Writing, fold_events, log_of
from league.services.live.log import NewEvent, NumberedEvent, foresee
from scoring import written_log
from tests import factories
from tests.league.tables import BUSTED, DRAW, RIICHI, RON, begun, entered, event, final_table, first, write

pytestmark = pytest.mark.django_db


def entries(hanchan: Hanchan) -> list[str]:
    """Return the types of the entries that are not undone."""
    return [str(each["type"]) for each in written_log.write(log_of(hanchan).writing.entries)]


def refused(hanchan: Hanchan, *events: NewEvent, by: Actor = factories.SYSTEM) -> list[tuple[str, str]]:
    """Require that the batch is rejected as a whole; return the codes and pointers."""
    before = hanchan.events.count()
    with pytest.raises((RuleViolationError, ConflictError)) as error:
        write(hanchan, *events, by=by)
    assert hanchan.events.count() == before
    return [(finding.code, finding.pointer) for finding in error.value.findings]


def test_entries_are_numbered_in_order_and_fold_into_the_table() -> None:
    hanchan = begun(final_table())
    assert write(hanchan, *entered(RIICHI, RON)) == 3
    log = log_of(hanchan)
    assert log.state.scores == (25000, 30200, 25000, 19800)
    assert (log.state.number, log.state.kyoutaku) == (2, 0)


def test_a_start_seats_the_players_in_the_given_order_and_records_a_change() -> None:
    table = final_table()
    hanchan, people = first(table), [seat.entrant_id for seat in first(table).seats.order_by("seat")]
    drawn = [people[2], people[0], people[3], people[1]]
    write(hanchan, event("start", seats=drawn))
    hanchan.refresh_from_db()
    assert [seat.entrant_id for seat in hanchan.seats.order_by("seat")] == drawn
    assert hanchan.state == Hanchan.State.RUNNING
    assert hanchan.started_at is not None
    after = Change.objects.get(kind="hanchan.started").after
    assert after is not None
    assert after["entrants"] == drawn


def test_seats_can_be_set_again_until_the_first_entry() -> None:
    hanchan = begun(final_table())
    people = [seat.entrant_id for seat in hanchan.seats.order_by("seat")]
    write(hanchan, event("start", seats=people[::-1]))
    assert [seat.entrant_id for seat in hanchan.seats.order_by("seat")] == people[::-1]
    write(hanchan, *entered(RIICHI))
    assert refused(hanchan, event("start", seats=people)) == [("already_started", "")]


@pytest.mark.parametrize("seats", [[1, 2, 3], "nobody", [1, 1, 2, 3], [901, 902, 903, 904]])
def test_a_start_with_wrong_players_is_rejected(seats: object) -> None:
    ((code, pointer),) = refused(first(final_table()), event("start", seats=seats))
    assert code in {"wrong_number_of_players", "player_not_at_table"}
    assert pointer == "/events/0/payload/seats"


@pytest.mark.both_databases
def test_without_planned_seats_players_of_the_block_can_be_seated() -> None:
    competition = factories.final_table()
    block = competition.blocks.get()
    table = factories.table(block)
    hanchan = first(table)
    hanchan.seats.all().delete()
    assert refused(hanchan, event("start"))[0][0] == "wrong_number_of_players"
    people = [entrant.pk for entrant in factories.in_block(block)]
    write(hanchan, event("start", seats=people))
    assert hanchan.seats.count() == 4


def test_entries_before_the_start_are_rejected() -> None:
    assert refused(first(final_table()), *entered(RIICHI)) == [("not_started", "")]


def test_a_ruleset_without_hand_rules_has_no_log() -> None:
    hanchan = first(final_table(ruleset="mleague"))
    assert refused(hanchan, event("start")) == [("hands_unknown", "")]


def test_a_refusal_of_the_engine_has_a_pointer_and_names_the_player() -> None:
    hanchan = begun(final_table())
    own = {"type": "ron", "loser": 1, "wins": [{"seat": 1, "value": {"han": 3, "fu": 40}}]}
    with pytest.raises(RuleViolationError) as error:
        write(hanchan, *entered(RIICHI, own))
    (finding,) = error.value.findings
    assert (finding.code, finding.pointer) == ("winner_is_loser", "/events/1/payload/entry/wins/0")
    assert finding.message == "Player final2 cannot win on their own discard."


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"type": "dance"}, "entry_unreadable"),
        ({"type": "riichi", "seat": "east"}, "entry_unreadable"),
        ({"type": "riichi", "seat": 1, "loudly": True}, "entry_unreadable"),
        ({"type": "riichi", "seat": 4}, "seat_unknown"),
        ({"type": "tsumo", "win": {"seat": 0, "value": {"han": 10**9, "fu": 30}}}, "number_too_large"),
        ({"type": "ruling", "reason": "x" * 1001}, "text_too_long"),
        ("riichi", "entry_unreadable"),
        (None, "entry_unreadable"),
    ],
)
def test_an_unreadable_entry_is_rejected_with_a_code(entry: object, code: str) -> None:
    assert refused(begun(final_table()), event("entry", entry=entry))[0][0] == code


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (event("dance"), "unknown_kind"),
        (event("undo", to=7), "no_such_entry"),
        (event("undo"), "nothing_to_undo"),
        (event("redo"), "nothing_to_redo"),
        (event("edit", number=-1, entry=RIICHI), "no_such_entry"),
        (event("remove", number=True), "no_such_entry"),
        (event("redo", loudly=True), "unknown"),
        (event("options", options={}), "already_started"),
    ],
)
def test_an_invalid_event_is_rejected_with_a_code(wrong: NewEvent, code: str) -> None:
    assert refused(begun(final_table()), wrong)[0][0] == code


@pytest.mark.parametrize("ids", [["a b", "a"], ["a", "a"], ["x" * 65], ["é"], [f"{n}" for n in range(101)], []])
def test_a_batch_needs_events_with_valid_and_unique_client_ids(ids: list[str]) -> None:
    hanchan = begun(final_table())
    assert refused(hanchan, *(event("entry", each, entry=RIICHI) for each in ids))[0][0] in {
        "bad_client_id",
        "batch_size",
    }


@pytest.mark.parametrize("reason", ["torn\x00slip", "half \ud83d", "\ude00"])
def test_texts_that_a_database_cannot_store_are_rejected(reason: str) -> None:
    hanchan = begun(final_table())
    ruling = event("entry", entry={"type": "ruling", "reason": reason})
    assert refused(hanchan, ruling) == [("unstorable_text", "/events/0/payload")]


def test_a_text_that_only_looks_like_an_escape_is_accepted() -> None:
    hanchan = begun(final_table())
    write(hanchan, event("entry", entry={"type": "ruling", "reason": r"torn \u0000 slip 😀"}))
    assert "ruling" in entries(hanchan)[-1]


def test_a_batch_is_accepted_as_a_whole_or_not_at_all() -> None:
    hanchan = begun(final_table())
    assert refused(hanchan, *entered(RIICHI, DRAW, {**RIICHI, "seat": 9})) != []
    assert entries(hanchan) == []


def test_a_batch_sent_again_changes_nothing() -> None:
    hanchan = begun(final_table())
    batch = entered(RIICHI, RON)
    assert write(hanchan, *batch, after=1) == write(hanchan, *batch, after=1) == 3
    assert entries(hanchan) == ["riichi", "ron"]


def test_a_partly_written_batch_is_completed_without_duplicates() -> None:
    hanchan = begun(final_table())
    first_part, *rest = entered(RIICHI, RON, DRAW)
    write(hanchan, first_part, after=1)
    assert write(hanchan, first_part, *rest, after=1) == 4
    assert entries(hanchan) == ["riichi", "ron", "draw"]


def test_a_client_id_cannot_be_reused_for_another_event() -> None:
    hanchan = begun(final_table())
    write(hanchan, event("entry", "same", entry=RIICHI))
    assert refused(hanchan, event("entry", "same", entry=DRAW)) == [("client_id_reused", "")]


def test_a_batch_after_an_outdated_or_unknown_sequence_is_refused() -> None:
    hanchan = begun(final_table())
    write(hanchan, *entered(RIICHI), after=1)
    with pytest.raises(ConflictError) as error:
        write(hanchan, *entered(DRAW), after=1)
    assert error.value.findings[0].code == "behind"
    assert error.value.findings[0].params == {"sequence": 2}
    with pytest.raises(ConflictError):
        write(hanchan, *entered(DRAW), after=5)
    assert entries(hanchan) == ["riichi"]


def test_an_undo_reverts_the_last_entry_edit_or_removal() -> None:
    hanchan = begun(final_table())
    write(hanchan, *entered(RIICHI, RON), event("edit", number=1, entry=DRAW), event("remove", number=0))
    assert entries(hanchan) == ["draw"]
    write(hanchan, event("undo"))
    assert entries(hanchan) == ["riichi", "draw"]
    write(hanchan, event("undo"), event("undo"))
    assert entries(hanchan) == ["riichi"]
    write(hanchan, event("redo"))
    assert entries(hanchan) == ["riichi", "ron"]


def test_an_undo_to_a_number_keeps_that_number_of_entries_and_can_be_undone() -> None:
    hanchan = begun(final_table())
    write(hanchan, *entered(RIICHI, RON, DRAW), event("undo", to=1))
    assert entries(hanchan) == ["riichi"]
    write(hanchan, event("undo"))
    assert entries(hanchan) == ["riichi", "ron", "draw"]


def test_an_edit_recomputes_later_entries_and_flags_impossible_ones() -> None:
    hanchan = begun(final_table(ruleset="banchi4"))
    write(hanchan, *entered(RON, RON), event("edit", number=0, entry=BUSTED))
    log = log_of(hanchan)
    assert log.game.refused == (1,)
    assert log.state.is_over
    assert refused(hanchan, event("edit", number=1, entry=DRAW))[0][0] == "game_over"


def test_a_preview_writes_nothing_and_returns_the_refusals() -> None:
    hanchan = begun(final_table())
    found = foresee(hanchan=hanchan, events=entered(RIICHI, RIICHI), by=factories.SYSTEM)
    assert found.step is not None
    assert [refusal.code for refusal in found.step.refusals] == ["riichi_twice"]
    assert TableEvent.objects.count() == 1


def test_only_a_director_can_write_to_the_log_of_a_counting_result() -> None:
    table = final_table()
    competition = table.competition
    hanchan = begun(table)
    factories.play(hanchan)
    scorer = factories.actor(factories.user("scorer", Role.SCORER, competition))
    with pytest.raises(PermissionRefusedError):
        write(hanchan, *entered(RIICHI), by=scorer)
    write(hanchan, *entered(RIICHI), by=factories.actor(factories.user("boss", Role.DIRECTOR, competition)))
    assert entries(hanchan) == ["riichi"]


def test_readers_and_users_without_a_role_cannot_write() -> None:
    hanchan = begun(final_table())
    reader = factories.user("reader", Role.READER, hanchan.block.competition)
    for who in (reader, factories.user("stranger")):
        with pytest.raises(PermissionRefusedError):
            write(hanchan, *entered(RIICHI), by=factories.actor(who))


def test_an_abandoned_hanchan_or_a_closed_competition_accepts_no_events() -> None:
    hanchan = begun(final_table())
    Hanchan.objects.filter(pk=hanchan.pk).update(state=Hanchan.State.ABANDONED)
    assert refused(hanchan, *entered(RIICHI)) == [("hanchan_abandoned", "")]
    Hanchan.objects.filter(pk=hanchan.pk).update(state=Hanchan.State.RUNNING)
    Competition.objects.update(status=Competition.Status.CLOSED)
    assert refused(hanchan, *entered(RIICHI)) == [("competition_closed", "")]


def test_options_of_a_table_are_set_before_the_start() -> None:
    competition = factories.league(
        "open", ruleset="superbingo", league_format="open-play", kind=Competition.Kind.OPEN, status=None
    )
    people = factories.entrants(competition, 3)
    hanchan = first(factories.table(competition.blocks.get(), people, numbers=(1,)))
    write(hanchan, event("options", options={"dx": True}))
    assert refused(hanchan, event("options", options={"dx": "loud"}))[0][0] == "option_value"
    assert refused(hanchan, event("options", options={"start": 1}))[0][0] == "option_unknown"
    write(hanchan, event("start", options={"pocchi": True}))
    hanchan.refresh_from_db()
    assert hanchan.options == {"dx": True, "pocchi": True}
    assert log_of(hanchan).rules.play is not None


# ---------------------------------------------------------------- properties of the fold

ENTRIES = st.sampled_from([RIICHI, RON, DRAW, BUSTED])


def an_event(writing: Writing) -> st.SearchStrategy[tuple[EventKind, dict[str, object]]]:
    """Return a strategy for any event that is valid after the log."""
    numbers = st.integers(0, len(writing.lines) - 1)
    found = [st.tuples(st.just(EventKind.ENTRY), ENTRIES.map(lambda entry: {"entry": entry}))]
    if writing.lines:
        found += [
            st.tuples(
                st.just(EventKind.EDIT), st.tuples(numbers, ENTRIES).map(lambda p: {"number": p[0], "entry": p[1]})
            ),
            st.tuples(st.just(EventKind.REMOVE), numbers.map(lambda number: {"number": number})),
            st.tuples(st.just(EventKind.UNDO), numbers.map(lambda number: {"to": number})),
        ]
    return st.one_of(*found)


def drawn(data: st.DataObject, writing: Writing, most: int) -> list[NumberedEvent]:
    """Draw a run of events, each valid after those before it."""
    events: list[NumberedEvent] = []
    for sequence in range(data.draw(st.integers(0, most))):
        kind, payload = data.draw(an_event(writing))
        events.append(NumberedEvent(sequence, kind, payload))
        writing = fold_events(events[-1:], writing)
    return events


PURE = settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)


@PURE
@given(st.data())
def test_undoing_a_run_of_events_restores_the_log_before_it(data: st.DataObject) -> None:
    base = fold_events(drawn(data, Writing(), 6))
    more = drawn(data, base, 6)
    undone = fold_events([*more, *(NumberedEvent(0, EventKind.UNDO, {}) for _ in more)], base)
    assert undone.lines == base.lines


@PURE
@given(st.data())
def test_undo_followed_by_redo_restores_the_log(data: st.DataObject) -> None:
    writing = fold_events(drawn(data, Writing(), 8))
    back = data.draw(st.integers(0, writing.at))
    there = fold_events(
        [NumberedEvent(0, kind, {}) for kind in (EventKind.UNDO, EventKind.REDO) for _ in range(back)], writing
    )
    assert there == writing


@PURE
@given(st.data())
def test_an_undo_to_the_previous_length_removes_the_new_entries(data: st.DataObject) -> None:
    base = fold_events(drawn(data, Writing(), 6))
    more = [
        NumberedEvent(9, EventKind.ENTRY, {"entry": entry})
        for entry in data.draw(st.lists(ENTRIES, min_size=1, max_size=5))
    ]
    assert fold_events([*more, NumberedEvent(99, EventKind.UNDO, {"to": len(base.lines)})], base).lines == base.lines
