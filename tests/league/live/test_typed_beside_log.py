"""Tests of a result typed while a live score sheet exists: the warning at every entry point, and the later state."""

from __future__ import annotations

import datetime as dt
import json
import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.files.result_rows import columns_of
from league.files.tables import read_table
from league.models import Competition, Hanchan, ResultSheet, Role, TableSession
from league.platform.errors import WarningsNotAcceptedError
from league.selectors.access.actors import Actor
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.competitions.schedule import hold_back
from league.services.exchange.table_import import Choices, ImportReport, import_results
from league.services.live.results import submit_log
from league.services.results.results import confirm_result, reject_result, void_hanchan
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.factories import SCORES, SYSTEM
from tests.league.table_states import ANOTHER, OPEN_SHEET, TYPED, scorer_of
from tests.league.tables import BUSTED, DRAW, RON, Device, Json, begun, entered, event, first, write

pytestmark = pytest.mark.django_db
NOTE = "end before the result, at East 3, 1 honba"
CLOSED_HANDS = ("East 1, 0 honba", "East 2, 0 honba")


@pytest.fixture(scope="module")
def followed_table(shared_rows: None) -> TableSession:
    """Follow a table's first hanchan up to East 3 with one counter."""
    table = factories.table(factories.final_table("followed", ruleset="banchi4").blocks.get(), numbers=(1,))
    write(begun(table), *entered(RON, DRAW))
    return table


@pytest.fixture
def device(followed_table: TableSession) -> Device:
    """Return a scorer's device at the table."""
    return Device.of_scorer(TableSession.objects.get(pk=followed_table.pk))


@pytest.fixture
def hanchan(device: Device) -> Hanchan:
    """Return the hanchan of the score sheet."""
    return first(device.table)


@pytest.fixture
def competition(device: Device) -> Competition:
    """Return the league, where one person confirms a result."""
    return device.table.competition


def director_of(competition: Competition) -> Actor:
    """Return the competition's director as an actor of the admin."""
    return factories.actor(factories.user(f"director-{competition.slug}", Role.DIRECTOR, competition, is_staff=True))


def typed(hanchan: Hanchan, scores: tuple[int, ...] = SCORES, **more: Any) -> ResultSheet:
    """Type the result as the system actor, which gets no warning, and publish it."""
    sheet = factories.play(hanchan, scores, **more)
    publish_standings(hanchan.block.competition_id)
    return sheet


def live(hanchan: Hanchan, who: Api | None = None) -> Json:
    """Return the live document for an overlay."""
    found: Json = (who or Api()).get(f"hanchan/{hanchan.pk}/live/")
    return found


def log(hanchan: Hanchan, who: Api | None = None) -> Json:
    """Return the log by REST."""
    found: Json = (who or Api()).get(f"hanchan/{hanchan.pk}/log/")
    return found


def page(hanchan: Hanchan, part: str = "", client: Client | None = None) -> str:
    """Return the text of a page of the hanchan, without tags."""
    address = f"/c/{hanchan.block.competition.slug}/hanchan/{hanchan.pk}/{part}"
    answer = (client or Client()).get(address, headers={"Accept-Language": "en"})
    assert answer.status_code == HTTPStatus.OK
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


class TestWarning:
    """Tests of the warning before a typed result replaces a score sheet, and of its acceptance."""

    def test_the_warning_names_the_running_kyoku(self, hanchan: Hanchan, competition: Competition) -> None:
        with pytest.raises(WarningsNotAcceptedError) as caught:
            factories.play(hanchan, by=director_of(competition))
        (finding,) = caught.value.findings
        assert (finding.code, dict(finding.params)) == (
            OPEN_SHEET,
            {"round": "E", "number": 3, "honba": 1, "is_over": False},
        )
        assert "東3局 1本場" in finding.message
        assert not hanchan.sheets.exists()

    def test_an_accepted_warning_is_stored_with_the_sheet(self, hanchan: Hanchan, competition: Competition) -> None:
        factories.play(hanchan, by=director_of(competition), accept=(OPEN_SHEET,))
        assert hanchan.sheets.get().accepted_warnings == [OPEN_SHEET]

    def test_the_admin_shows_the_warning_with_a_checkbox(self, hanchan: Hanchan, competition: Competition) -> None:
        client = Client(headers={"Accept-Language": "en"})
        client.force_login(factories.user("desk", Role.SCORER, competition, is_staff=True))
        prefix, address = f"h{hanchan.pk}-", f"/admin/league/tablesession/{hanchan.table_session_id}/entry/"
        body: Json = {"hanchan": hanchan.pk}
        for seat, score in zip(hanchan.seats.order_by("seat"), ("412", "301", "187", "100"), strict=True):
            body |= {f"{prefix}entrant_{seat.seat}": seat.entrant_id, f"{prefix}score_{seat.seat}": score}
        asked = client.post(address, body)
        assert asked.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        text = asked.content.decode()
        assert "The score sheet of this hanchan is in progress: East 3, 1 honba." in text
        assert f'value="{OPEN_SHEET}"' in text
        form = next(panel.form for panel in asked.context["panels"] if panel.hanchan.pk == hanchan.pk)
        ticked = {f"{prefix}accept": OPEN_SHEET, f"{prefix}accepted_for": form.entry_digest}
        assert client.post(address, body | ticked).status_code == HTTPStatus.FOUND
        assert hanchan.sheets.get().accepted_warnings == [OPEN_SHEET]

    def test_rest_returns_the_code_of_the_warning(self, hanchan: Hanchan, competition: Competition) -> None:
        publish_standings(competition.pk)
        scorer = Api(factories.user("program", Role.SCORER, competition))
        seats = [
            {"entrant": str(who.pk), "score": score}
            for who, score in zip(factories.seated(hanchan), SCORES, strict=True)
        ]
        address = f"hanchan/{hanchan.pk}/results/"
        answer = json.loads(scorer.change(address, {"seats": seats}).content)
        assert [error["code"] for error in answer["errors"]] == [OPEN_SHEET]
        assert scorer.change(address, {"seats": seats, "accept": [OPEN_SHEET]}).status_code == HTTPStatus.CREATED

    @pytest.mark.both_databases
    def test_an_import_needs_the_warning_accepted_after_the_preview(
        self, hanchan: Hanchan, competition: Competition
    ) -> None:
        people = [who.player.key for who in factories.seated(hanchan)]
        cells = ",".join(f"{key},{score}" for key, score in zip(people, SCORES, strict=True))
        text = f"対局ID,東家,東家の点,南家,南家の点,西家,西家の点,北家,北家の点\n{hanchan.pk},{cells}"
        table, by = read_table(text, columns_of(ruleset_of(rules_at(competition)))), director_of(competition)

        def bring(*accept: str, keep: bool = False) -> ImportReport:
            choices = Choices(accept=frozenset(accept))
            return import_results(competition=competition, table=table, by=by, keep=keep, choices=choices)

        preview = bring()
        assert list(preview.questions) == [OPEN_SHEET], preview.all_faults
        assert not bring(keep=True).is_kept
        assert bring(OPEN_SHEET, keep=True).is_kept
        assert hanchan.sheets.get().accepted_warnings == [OPEN_SHEET]

    def test_the_warning_reports_a_finished_but_unsubmitted_score_sheet(self, hanchan: Hanchan) -> None:
        write(hanchan, *entered(BUSTED))
        with pytest.raises(WarningsNotAcceptedError) as caught:
            factories.play(hanchan, by=director_of(hanchan.block.competition))
        assert [finding.params["is_over"] for finding in caught.value.findings] == [True]

    def test_with_blind_entry_a_finished_score_sheet_causes_no_warning(self, hanchan: Hanchan) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.BLIND)
        write(hanchan, *entered(BUSTED))
        hanchan = Hanchan.objects.get(pk=hanchan.pk)
        assert factories.play(hanchan, by=director_of(hanchan.block.competition)).accepted_warnings == []

    def test_a_submitted_log_causes_no_warning(self, hanchan: Hanchan) -> None:
        submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True)
        by = director_of(hanchan.block.competition)
        sheet = factories.play(hanchan, by=by, corrects=1, reason="Misread")
        assert (sheet.state, sheet.accepted_warnings) == (ResultSheet.State.CONFIRMED, [])

    def test_an_earlier_typed_result_causes_no_warning(self, hanchan: Hanchan) -> None:
        factories.play(hanchan)
        by = director_of(hanchan.block.competition)
        sheet = factories.play(hanchan, ANOTHER, by=by, corrects=1, reason="Misread")
        assert (sheet.state, sheet.accepted_warnings) == (ResultSheet.State.CONFIRMED, [])

    def test_the_warning_returns_after_the_result_of_the_log_is_voided(self, hanchan: Hanchan) -> None:
        submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True)
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason="Too early")
        with pytest.raises(WarningsNotAcceptedError):
            factories.play(hanchan, by=director_of(hanchan.block.competition))

    def test_submitting_the_score_sheet_itself_causes_no_warning(self, device: Device) -> None:
        device.enter(BUSTED)
        handed_in = device.post("submit", sequence=4, accept=["extreme_score"])
        assert handed_in.status_code == HTTPStatus.OK
        assert first(device.table).sheets.get().accepted_warnings == ["extreme_score"]

    @pytest.mark.both_databases
    def test_who_confirms_a_waiting_typed_result_is_warned_of_the_score_sheet_too(
        self, hanchan: Hanchan, competition: Competition
    ) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
        hanchan = Hanchan.objects.get(pk=hanchan.pk)
        by = director_of(competition)
        sheet = factories.play(hanchan, by=by, accept=(OPEN_SHEET,))
        assert sheet.state == ResultSheet.State.SUBMITTED
        client = Client(headers={"Accept-Language": "en"})
        client.force_login(factories.user("second", Role.DIRECTOR, competition, is_staff=True))
        night = f"/admin/league/session/{hanchan.table_session.session_id}/night/"
        confirm = f"/admin/league/resultsheet/{sheet.pk}/confirm/"
        assert confirm in client.get(night).content.decode()
        assert (
            "is in progress: East 3, 1 honba" in client.post(night, {"confirm": sheet.pk}, follow=True).content.decode()
        )
        asked = client.post(confirm)
        assert f'value="{OPEN_SHEET}"' in asked.content.decode()
        assert client.post(confirm, {"accept": OPEN_SHEET}).status_code == HTTPStatus.FOUND
        sheet.refresh_from_db()
        assert sheet.state == ResultSheet.State.CONFIRMED

    def test_confirming_a_typed_result_needs_nothing_accepted_without_a_score_sheet(self) -> None:
        final = factories.final_table(confirmation=Competition.Confirmation.SECOND)
        sheet = factories.play(factories.table(final.blocks.get()).hanchan.get(round=1), by=director_of(final))
        other = factories.actor(factories.user("second", Role.DIRECTOR, final))
        assert confirm_result(sheet=sheet, by=other).state == ResultSheet.State.CONFIRMED

    def test_options_without_a_start_cause_no_warning(self) -> None:
        table = scorer_of().table
        write(first(table), event("options", options={}))
        by = director_of(table.competition)
        assert factories.play(first(table), by=by).accepted_warnings == []


class TestLinkToHands:
    """Tests of the link from the table's page to the hands of a game."""

    def test_a_game_typed_before_its_first_hand_ended_has_no_link_to_hands(self) -> None:
        table = scorer_of().table
        hanchan = begun(table)
        typed(hanchan)
        slug = table.competition.slug
        tables = Client().get(f"/c/{slug}/tables/{table.pk}/").content.decode()
        assert f"/hanchan/{hanchan.pk}/#game" not in tables

    def test_a_game_typed_after_a_hand_has_a_link_that_leads_to_the_hands(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        table, slug = hanchan.table_session, hanchan.block.competition.slug
        tables = Client().get(f"/c/{slug}/tables/{table.pk}/").content.decode()
        assert f"/hanchan/{hanchan.pk}/#game" in tables
        assert 'id="game"' in Client().get(f"/c/{slug}/hanchan/{hanchan.pk}/").content.decode()


class TestTypedResult:
    """Tests that a counting typed result hides the state of the score sheet."""

    def test_the_overlay_shows_the_typed_result_and_nothing_of_the_log(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        document = live(hanchan)
        assert [document[key] for key in ("is_followed", "is_over", "is_final", "is_typed")] == [
            False,
            True,
            True,
            True,
        ]
        assert [document[key] for key in ("round", "deposits", "last", "ends", "advice")] == [
            None,
            None,
            None,
            [],
            None,
        ]
        assert [(seat["score"], seat["place"]) for seat in document["seats"]] == list(
            zip(SCORES, (1, 2, 3, 4), strict=True)
        )
        top = document["seats"][0]
        assert (top["points"], top["league_total"], top["league_total_now"]) == ("31.2", "0.0", "31.2")

    def test_the_overlay_also_shows_a_result_typed_without_a_log(self) -> None:
        hanchan = first(scorer_of().table)
        typed(hanchan)
        document = live(hanchan)
        assert (document["is_typed"], document["started_at"], len(document["seats"])) == (True, None, 4)

    def test_winds_are_omitted_if_the_seats_are_unknown(self, hanchan: Hanchan) -> None:
        typed(hanchan, are_seats_known=False)
        assert [seat["wind"] for seat in live(hanchan)["seats"]] == [None] * 4
        assert "Place and points" not in page(hanchan, "live/now/")

    def test_the_live_page_shows_the_result_apart_from_the_logged_kyoku(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        text = page(hanchan, "live/now/")
        result, hands = text.split(NOTE)
        assert TYPED in result
        assert "41,200" in result
        assert "28,700" not in result
        assert all(title in hands for title in CLOSED_HANDS)
        assert "if it ended now" not in text

    def test_the_hanchan_page_keeps_the_kyoku_and_shows_that_they_end_before_the_result(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        text = page(hanchan)
        assert text.index(TYPED) < text.index(NOTE) < text.index(CLOSED_HANDS[0])
        table = Client().get(f"/c/{hanchan.block.competition.slug}/tables/{hanchan.table_session_id}/")
        assert f"/hanchan/{hanchan.pk}/#game" in table.content.decode()

    def test_the_log_reports_that_the_result_was_typed(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        document = log(hanchan)
        assert (document["is_typed"], document["is_over"], len(document["kyoku"])) == (True, False, 2)

    def test_the_score_sheet_shows_the_result_and_keeps_the_kyoku(self, device: Device, hanchan: Hanchan) -> None:
        typed(hanchan)
        document = device.document(hanchan=hanchan.pk)
        assert (document["phase"], document["settlement"], document["end"]) == ("typed", None, None)
        assert NOTE in document["result"]["hands"]
        assert [kyoku["text"] for kyoku in document["log"]] == list(CLOSED_HANDS)

    def test_an_unfinished_kyoku_is_marked_as_not_recorded_to_its_end(self, hanchan: Hanchan) -> None:
        write(hanchan, *entered({"type": "riichi", "seat": 1}))
        typed(hanchan)
        text = page(hanchan, "live/now/")
        assert "not recorded to its end" in text
        assert "being played" not in text

    def test_the_page_shows_that_the_result_was_not_made_from_the_finished_log(self, hanchan: Hanchan) -> None:
        write(hanchan, *entered(BUSTED))
        typed(hanchan)
        assert "The result was not made from them." in page(hanchan)

    def test_an_embargoed_table_reveals_nothing_to_the_public(self, hanchan: Hanchan, competition: Competition) -> None:
        hold_back(table_session=hanchan.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
        typed(hanchan)
        for path in ("live/", "log/"):
            assert Api().send("get", f"hanchan/{hanchan.pk}/{path}").status_code == HTTPStatus.NOT_FOUND
        for part in ("", "live/", "live/now/"):
            address = f"/c/{competition.slug}/hanchan/{hanchan.pk}/{part}"
            assert Client().get(address).status_code == HTTPStatus.NOT_FOUND
        staff = Api(factories.user("staff", Role.DIRECTOR, competition))
        assert live(hanchan, staff)["is_typed"]

    def test_later_entries_are_a_correction_that_the_public_does_not_see(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        public = log(hanchan), page(hanchan), page(hanchan, "live/now/")
        write(hanchan, *entered(DRAW))
        assert (log(hanchan), page(hanchan), page(hanchan, "live/now/")) == public
        typed(hanchan, ANOTHER, corrects=1, reason="Misread")
        assert log(hanchan) == public[0]
        staff = Api(factories.user("staff", Role.DIRECTOR, hanchan.block.competition))
        assert len(log(hanchan, staff)["kyoku"]) == len(public[0]["kyoku"]) + 1

    def test_a_hanchan_whose_result_counts_does_not_run_because_its_log_is_written_afterwards(self) -> None:
        hanchan = first(scorer_of().table)
        typed(hanchan)
        write(hanchan, event("start"), *entered(RON))
        publish_standings(hanchan.block.competition_id)
        assert Api().get(f"hanchan/{hanchan.pk}/")["state"] == Hanchan.State.FINISHED
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason="Not over")
        assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.RUNNING

    @pytest.mark.both_databases
    def test_a_typed_correction_keeps_the_kyoku_of_the_replaced_result(self, hanchan: Hanchan) -> None:
        submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True)
        publish_standings(hanchan.block.competition_id)
        write(hanchan, *entered(DRAW))
        typed(hanchan, ANOTHER, corrects=1, reason="Misread")
        assert (log(hanchan)["sequence"], len(log(hanchan)["kyoku"])) == (3, 2)


class TestTakingBack:
    """Tests of the table's state after a typed result is voided, replaced or rejected."""

    def taken_back(self, hanchan: Hanchan) -> None:
        """Type the result and void it."""
        typed(hanchan)
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason="The game is not over")
        publish_standings(hanchan.block.competition_id)

    def test_after_voiding_the_score_sheet_continues_at_its_last_kyoku(self, hanchan: Hanchan) -> None:
        self.taken_back(hanchan)
        device = Device.of_scorer(hanchan.table_session)
        document = device.document()
        assert (document["phase"], document["round"]["text"], document["you"]["may_enter"]) == (
            "playing",
            "East 3, 1 honba",
            True,
        )
        assert device.enter(DRAW).status_code == HTTPStatus.OK
        assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.RUNNING

    def test_after_voiding_overlay_and_live_page_show_the_running_game(self, hanchan: Hanchan) -> None:
        self.taken_back(hanchan)
        document = live(hanchan)
        assert (document["is_followed"], document["is_final"], document["is_typed"]) == (True, False, False)
        assert document["round"]["text"]["en"] == "East 3, 1 honba"
        assert [seat["score"] for seat in document["seats"]] == [26500, 28700, 26500, 18300]
        text = page(hanchan, "live/now/")
        assert "East 3, 1 honba" in text
        assert TYPED not in text
        assert "Follow hand by hand" in page(hanchan)

    def test_after_voiding_a_hanchan_without_a_score_sheet_is_scheduled(self) -> None:
        hanchan = first(scorer_of().table)
        self.taken_back(hanchan)
        assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.SCHEDULED

    def test_a_log_submitted_as_a_correction_replaces_the_typed_result(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        sequence = write(hanchan, *entered(BUSTED))
        submit_log(hanchan=hanchan, sequence=sequence, by=SYSTEM, accept=["extreme_score"], reason="Typed too early")
        publish_standings(hanchan.block.competition_id)
        document = live(hanchan)
        assert (document["is_followed"], document["is_final"], document["is_typed"]) == (True, True, False)
        assert TYPED not in page(hanchan)
        assert not log(hanchan)["is_typed"]

    @pytest.mark.parametrize("ends_by_time", [True, False])
    def test_a_hanchan_continues_after_its_submitted_log_is_rejected(
        self, hanchan: Hanchan, *, ends_by_time: bool
    ) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
        sequence = 3 if ends_by_time else write(hanchan, *entered(BUSTED))
        by = factories.actor(factories.user("scorer", Role.SCORER, hanchan.block.competition))
        submit_log(hanchan=hanchan, sequence=sequence, by=by, accept=["extreme_score"], ended_by_time=ends_by_time)
        reject_result(sheet=hanchan.sheets.get(), by=SYSTEM, reason="Wrong table")
        assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.RUNNING

    def test_a_rejected_correction_does_not_affect_the_counting_result(self, hanchan: Hanchan) -> None:
        submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True)
        Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
        by = director_of(hanchan.block.competition)
        write(hanchan, *entered(BUSTED))
        submit_log(hanchan=hanchan, sequence=4, by=by, accept=["extreme_score"], reason="One more hand")
        reject_result(sheet=hanchan.sheets.get(revision=2), by=SYSTEM, reason="There was none")
        assert Hanchan.objects.get(pk=hanchan.pk).state != Hanchan.State.RUNNING
