"""A result typed while a score sheet is kept: the warning at every way in, and one state of the table afterwards."""

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
from league.models import Competition, Hanchan, ResultSheet, Role
from league.platform.errors import WarningsNotAcceptedError
from league.selectors.access.actors import Actor
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.competitions.schedule import hold_back
from league.services.exchange.table_import import Choices, ImportReport, import_results
from league.services.live.results import submit_log
from league.services.results.results import reject_result, void_hanchan
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.factories import SCORES, SYSTEM
from tests.league.table_states import ANOTHER, OPEN_SHEET, TYPED, scorer_of
from tests.league.tables import BUSTED, DRAW, RON, Device, Json, begun, entered, event, first, write

pytestmark = pytest.mark.django_db
NOTE = "end before the result, at East 3, 1 honba"
CLOSED_HANDS = ("East 1, 0 honba", "East 2, 0 honba")


@pytest.fixture
def device() -> Device:
    """A scorer's device at a table whose first hanchan stands at East 3 with one counter."""
    found = scorer_of()
    write(begun(found.table), *entered(RON, DRAW))
    return found


@pytest.fixture
def hanchan(device: Device) -> Hanchan:
    """The hanchan that the score sheet is kept of."""
    return first(device.table)


@pytest.fixture
def competition(device: Device) -> Competition:
    """Their league, where one person is enough."""
    return device.table.competition


def director_of(competition: Competition) -> Actor:
    """The director of the competition, at the desk."""
    return factories.actor(factories.user(f"director-{competition.slug}", Role.DIRECTOR, competition, is_staff=True))


def typed(hanchan: Hanchan, scores: tuple[int, ...] = SCORES, **more: Any) -> ResultSheet:
    """Type the result as the service itself does, which is not asked, and publish it."""
    sheet = factories.play(hanchan, scores, **more)
    publish_standings(hanchan.block.competition_id)
    return sheet


def live(hanchan: Hanchan, who: Api | None = None) -> Json:
    """The document of an overlay."""
    found: Json = (who or Api()).get(f"hanchan/{hanchan.pk}/live/")
    return found


def log(hanchan: Hanchan, who: Api | None = None) -> Json:
    """The log as a program reads it."""
    found: Json = (who or Api()).get(f"hanchan/{hanchan.pk}/log/")
    return found


def page(hanchan: Hanchan, part: str = "", client: Client | None = None) -> str:
    """What a page of the hanchan says, without tags."""
    address = f"/c/{hanchan.block.competition.slug}/hanchan/{hanchan.pk}/{part}"
    answer = (client or Client()).get(address, headers={"Accept-Language": "en"})
    assert answer.status_code == HTTPStatus.OK
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


class TestWarning:
    """What is said before a typed result takes the place of a score sheet, and how it is accepted."""

    def test_the_service_names_the_hand_that_is_played(self, hanchan: Hanchan, competition: Competition) -> None:
        with pytest.raises(WarningsNotAcceptedError) as caught:
            factories.play(hanchan, by=director_of(competition))
        (finding,) = caught.value.findings
        assert (finding.code, dict(finding.params)) == (
            OPEN_SHEET,
            {"round": "E", "number": 3, "honba": 1, "is_over": False},
        )
        assert "東3局 1本場" in finding.message
        assert not hanchan.sheets.exists()

    @pytest.mark.both_databases
    def test_an_accepted_one_is_kept_with_the_sheet(self, hanchan: Hanchan, competition: Competition) -> None:
        factories.play(hanchan, by=director_of(competition), accept=(OPEN_SHEET,))
        assert hanchan.sheets.get().accepted_warnings == [OPEN_SHEET]

    def test_the_desk_shows_it_with_a_tick(self, hanchan: Hanchan, competition: Competition) -> None:
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

    def test_rest_answers_with_its_code(self, hanchan: Hanchan, competition: Competition) -> None:
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
    def test_an_import_asks_in_its_preview_and_again_when_it_is_kept(
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

    def test_a_finished_score_sheet_that_is_not_handed_in_is_named(self, hanchan: Hanchan) -> None:
        write(hanchan, *entered(BUSTED))
        with pytest.raises(WarningsNotAcceptedError) as caught:
            factories.play(hanchan, by=director_of(hanchan.block.competition))
        assert [finding.params["is_over"] for finding in caught.value.findings] == [True]

    def test_of_two_people_who_enter_blindly_one_may_keep_the_finished_score_sheet(self, hanchan: Hanchan) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.BLIND)
        write(hanchan, *entered(BUSTED))
        hanchan = Hanchan.objects.get(pk=hanchan.pk)
        assert factories.play(hanchan, by=director_of(hanchan.block.competition)).accepted_warnings == []

    def test_nothing_is_asked_where_the_log_was_handed_in(self, hanchan: Hanchan) -> None:
        submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True)
        by = director_of(hanchan.block.competition)
        sheet = factories.play(hanchan, by=by, corrects=1, reason="Misread")
        assert (sheet.state, sheet.accepted_warnings) == (ResultSheet.State.CONFIRMED, [])

    def test_nothing_is_asked_where_a_typed_result_has_ended_the_score_sheet(self, hanchan: Hanchan) -> None:
        factories.play(hanchan)
        by = director_of(hanchan.block.competition)
        sheet = factories.play(hanchan, ANOTHER, by=by, corrects=1, reason="Misread")
        assert (sheet.state, sheet.accepted_warnings) == (ResultSheet.State.CONFIRMED, [])

    def test_it_is_asked_again_once_the_result_of_the_log_is_taken_back(self, hanchan: Hanchan) -> None:
        submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True)
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason="Too early")
        with pytest.raises(WarningsNotAcceptedError):
            factories.play(hanchan, by=director_of(hanchan.block.competition))

    def test_handing_in_the_score_sheet_itself_is_never_asked_about(self, device: Device) -> None:
        device.enter(BUSTED)
        handed_in = device.post("submit", sequence=4, accept=["extreme_score"])
        assert handed_in.status_code == HTTPStatus.OK
        assert first(device.table).sheets.get().accepted_warnings == ["extreme_score"]

    def test_a_table_that_agreed_on_options_has_not_begun(self) -> None:
        table = scorer_of().table
        write(first(table), event("options", options={}))
        by = director_of(table.competition)
        assert factories.play(first(table), by=by).accepted_warnings == []


class TestTypedResult:
    """Once a typed result counts nothing shows the table as the score sheet left it."""

    def test_the_overlay_gets_the_typed_result_and_nothing_of_the_log(self, hanchan: Hanchan) -> None:
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

    def test_the_overlay_gets_a_result_typed_without_a_log_too(self) -> None:
        hanchan = first(scorer_of().table)
        typed(hanchan)
        document = live(hanchan)
        assert (document["is_typed"], document["started_at"], len(document["seats"])) == (True, None, 4)

    def test_winds_are_not_told_where_the_seats_are_not_known(self, hanchan: Hanchan) -> None:
        typed(hanchan, are_seats_known=False)
        assert [seat["wind"] for seat in live(hanchan)["seats"]] == [None] * 4
        assert "Place and points" not in page(hanchan, "live/now/")

    def test_the_page_that_follows_shows_the_result_apart_from_the_hands_before_it(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        text = page(hanchan, "live/now/")
        result, hands = text.split(NOTE)
        assert TYPED in result
        assert "41,200" in result
        assert "28,700" not in result
        assert all(title in hands for title in CLOSED_HANDS)
        assert "if it ended now" not in text

    def test_the_hanchan_page_keeps_its_hands_and_says_that_they_end_before_the_result(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        text = page(hanchan)
        assert text.index(TYPED) < text.index(NOTE) < text.index(CLOSED_HANDS[0])
        table = Client().get(f"/c/{hanchan.block.competition.slug}/tables/{hanchan.table_session_id}/")
        assert f"/hanchan/{hanchan.pk}/#game" in table.content.decode()

    def test_the_log_says_that_the_result_was_typed(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        document = log(hanchan)
        assert (document["is_typed"], document["is_over"], len(document["kyoku"])) == (True, False, 2)

    def test_the_score_sheet_shows_the_result_and_keeps_its_hands(self, device: Device, hanchan: Hanchan) -> None:
        typed(hanchan)
        document = device.document(hanchan=hanchan.pk)
        assert (document["phase"], document["settlement"], document["end"]) == ("typed", None, None)
        assert NOTE in document["result"]["hands"]
        assert [kyoku["text"] for kyoku in document["log"]] == list(CLOSED_HANDS)

    def test_a_hand_that_was_begun_is_marked_as_not_recorded_to_its_end(self, hanchan: Hanchan) -> None:
        write(hanchan, *entered({"type": "riichi", "seat": 1}))
        typed(hanchan)
        text = page(hanchan, "live/now/")
        assert "not recorded to its end" in text
        assert "being played" not in text

    def test_a_finished_log_is_kept_beside_the_result_that_was_not_made_from_it(self, hanchan: Hanchan) -> None:
        write(hanchan, *entered(BUSTED))
        typed(hanchan)
        assert "The result was not made from them." in page(hanchan)

    def test_a_held_back_table_tells_the_public_nothing(self, hanchan: Hanchan, competition: Competition) -> None:
        hold_back(table_session=hanchan.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
        typed(hanchan)
        for path in ("live/", "log/"):
            assert Api().send("get", f"hanchan/{hanchan.pk}/{path}").status_code == HTTPStatus.NOT_FOUND
        for part in ("", "live/", "live/now/"):
            address = f"/c/{competition.slug}/hanchan/{hanchan.pk}/{part}"
            assert Client().get(address).status_code == HTTPStatus.NOT_FOUND
        staff = Api(factories.user("staff", Role.DIRECTOR, competition))
        assert live(hanchan, staff)["is_typed"]

    @pytest.mark.both_databases
    def test_entries_written_afterwards_are_a_correction_that_the_public_does_not_see(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        public = log(hanchan), page(hanchan), page(hanchan, "live/now/")
        write(hanchan, *entered(DRAW))
        assert (log(hanchan), page(hanchan), page(hanchan, "live/now/")) == public
        typed(hanchan, ANOTHER, corrects=1, reason="Misread")
        assert log(hanchan) == public[0]
        staff = Api(factories.user("staff", Role.DIRECTOR, hanchan.block.competition))
        assert len(log(hanchan, staff)["kyoku"]) == len(public[0]["kyoku"]) + 1

    @pytest.mark.both_databases
    def test_a_typed_correction_keeps_the_hands_of_the_result_that_it_replaces(self, hanchan: Hanchan) -> None:
        submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True)
        publish_standings(hanchan.block.competition_id)
        write(hanchan, *entered(DRAW))
        typed(hanchan, ANOTHER, corrects=1, reason="Misread")
        assert (log(hanchan)["sequence"], len(log(hanchan)["kyoku"])) == (3, 2)


class TestTakingBack:
    """Where the typed result goes, the states of the table follow."""

    def taken_back(self, hanchan: Hanchan) -> None:
        """Type the result and take it back."""
        typed(hanchan)
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason="The game is not over")
        publish_standings(hanchan.block.competition_id)

    @pytest.mark.both_databases
    def test_the_score_sheet_goes_on_where_it_stood(self, hanchan: Hanchan) -> None:
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

    def test_what_is_on_air_is_the_running_game_again(self, hanchan: Hanchan) -> None:
        self.taken_back(hanchan)
        document = live(hanchan)
        assert (document["is_followed"], document["is_final"], document["is_typed"]) == (True, False, False)
        assert document["round"]["text"]["en"] == "East 3, 1 honba"
        assert [seat["score"] for seat in document["seats"]] == [26500, 28700, 26500, 18300]
        text = page(hanchan, "live/now/")
        assert "East 3, 1 honba" in text
        assert TYPED not in text
        assert "Follow hand by hand" in page(hanchan)

    def test_a_hanchan_without_a_score_sheet_is_scheduled_again(self) -> None:
        hanchan = first(scorer_of().table)
        self.taken_back(hanchan)
        assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.SCHEDULED

    def test_the_log_handed_in_as_a_correction_is_the_result_of_its_hands(self, hanchan: Hanchan) -> None:
        typed(hanchan)
        sequence = write(hanchan, *entered(BUSTED))
        submit_log(hanchan=hanchan, sequence=sequence, by=SYSTEM, accept=["extreme_score"], reason="Typed too early")
        publish_standings(hanchan.block.competition_id)
        document = live(hanchan)
        assert (document["is_followed"], document["is_final"], document["is_typed"]) == (True, True, False)
        assert TYPED not in page(hanchan)
        assert not log(hanchan)["is_typed"]

    @pytest.mark.parametrize("ends_by_time", [True, False])
    def test_a_rejected_sheet_of_the_log_lets_the_hanchan_go_on(self, hanchan: Hanchan, *, ends_by_time: bool) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
        sequence = 3 if ends_by_time else write(hanchan, *entered(BUSTED))
        by = factories.actor(factories.user("scorer", Role.SCORER, hanchan.block.competition))
        submit_log(hanchan=hanchan, sequence=sequence, by=by, accept=["extreme_score"], ended_by_time=ends_by_time)
        reject_result(sheet=hanchan.sheets.get(), by=SYSTEM, reason="Wrong table")
        assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.RUNNING

    def test_a_rejected_correction_leaves_the_counting_result_alone(self, hanchan: Hanchan) -> None:
        submit_log(hanchan=hanchan, sequence=3, by=SYSTEM, ended_by_time=True)
        Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
        by = director_of(hanchan.block.competition)
        write(hanchan, *entered(BUSTED))
        submit_log(hanchan=hanchan, sequence=4, by=by, accept=["extreme_score"], reason="One more hand")
        reject_result(sheet=hanchan.sheets.get(revision=2), by=SYSTEM, reason="There was none")
        assert Hanchan.objects.get(pk=hanchan.pk).state != Hanchan.State.RUNNING
