"""Match night at the desk: what the screen shows and takes without scripts, and the pages around it."""

from __future__ import annotations

import datetime as dt
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from PIL import Image

from league.models import Change, Competition, Hanchan, ResultSheet, Role, SlipPhoto, TableLink, TableSession
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError, WarningsNotAcceptedError
from league.selectors.access.actors import Actor
from league.services.competitions.schedule import hold_back
from league.services.competitions.setup import new_player
from league.services.live.links import make_link
from league.services.results.photos import attach_photo, remove_photo
from league.services.results.results import abandon_hanchan, record_result, resume_hanchan
from league.services.results.substitutes import name_substitute
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM, actor, entry, in_block, play, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Competition:
    return factories.league()


@pytest.fixture
def tables(season: Competition) -> list[TableSession]:
    """Block A at two tables."""
    people = in_block(season.blocks.get(key="A"))
    return [factories.table(season.blocks.get(key="A"), four) for four in (people[:4], people[4:])]


@pytest.fixture
def first(tables: list[TableSession]) -> Hanchan:
    return tables[0].hanchan.get(round=1)


@pytest.fixture
def scorer(season: Competition) -> User:
    return factories.user("scorer", Role.SCORER, season, is_staff=True)


@pytest.fixture
def chief(season: Competition) -> User:
    return factories.user("chief", Role.DIRECTOR, season, is_staff=True)


def desk(who: User, language: str = "en") -> Client:
    client = Client(headers={"Accept-Language": language})
    client.force_login(who)
    return client


def night(table: TableSession, page: str = "night") -> str:
    return f"/admin/league/session/{table.session_id}/{page}/"


def typed(hanchan: Hanchan, scores: tuple[str, ...] = ("412", "301", "187", "100"), **more: Any) -> dict[str, Any]:
    prefix = f"h{hanchan.pk}-"
    people = {f"{prefix}entrant_{seat.seat}": seat.entrant_id for seat in hanchan.seats.all()}
    own = {f"{prefix}score_{seat}": score for seat, score in enumerate(scores)}
    return {"hanchan": hanchan.pk, **people, **own, **{prefix + name: value for name, value in more.items()}}


def stages(client: Client, table: TableSession) -> list[str]:
    """How far each hanchan of the session is, as the screen says."""
    cards = client.get(night(table)).context["cards"]
    return [chip.stage for card in cards for chip in card.chips]


def test_the_screen_shows_every_table_with_how_far_each_hanchan_is(
    tables: list[TableSession], scorer: User, chief: User, season: Competition
) -> None:
    one, two, three, four = tables[0].hanchan.order_by("round")
    play(one)
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    play(two, (30100, 41200, 18700, 10000), by=actor(scorer))
    Hanchan.objects.filter(pk=three.pk).update(state=Hanchan.State.RUNNING)
    abandon_hanchan(hanchan=four, by=actor(chief), reason="earthquake")
    hold_back(table_session=tables[1], until=timezone.now() + dt.timedelta(hours=2), by=SYSTEM)
    client = desk(scorer)
    assert stages(client, tables[0]) == ["confirmed", "waiting", "running", "abandoned", *["scheduled"] * 4]
    assert "held back until" in client.get(night(tables[0])).content.decode()


def test_without_scripts_a_sheet_is_a_form_and_the_next_table_has_the_focus(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    client = desk(scorer)
    answer = client.post(night(tables[0]), typed(first), follow=True)
    assert "Hanchan 1 is in and counts." in answer.content.decode()
    card = answer.context["cards"][1]
    assert "autofocus" in str(card.panel.form["score_0"])


def test_a_script_gets_the_card_handed_in_and_those_that_changed_meanwhile_alone(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    client = desk(scorer)
    cards = client.get(night(tables[0])).context["cards"]
    have = ",".join(f"{card.session.pk}:{card.version}" for card in cards)
    answer = client.post(night(tables[0]), {**typed(first), "have": have}, headers={"Accept": "application/json"})
    parts = answer.json()
    assert list(parts["cards"]) == [str(tables[0].pk)]
    assert parts["saved"] == first.pk
    assert parts["version"] == Competition.objects.get().version


def test_what_is_refused_comes_back_in_its_card_with_what_was_typed(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    sheet = typed(first, ("412", "301", "187", "99"))
    answer = desk(scorer).post(night(tables[0]), sheet, headers={"Accept": "application/json"})
    assert answer.status_code == 422
    card = answer.json()["cards"][str(tables[0].pk)]
    assert "100 missing" in card
    assert 'value="412"' in card


def test_the_version_address_asks_few_questions_and_parts_say_what_changed(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    client = desk(scorer)
    cards = client.get(night(tables[0])).context["cards"]
    have = ",".join(f"{card.session.pk}:{card.version}" for card in cards)
    play(first)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        version = client.get(night(tables[0], "night-version")).json()["version"]
    assert len(asked) <= 6
    assert version == Competition.objects.get().version
    parts = client.get(night(tables[0], "night-parts"), {"have": have}).json()
    assert list(parts["cards"]) == [str(tables[0].pk)]


def test_more_tables_ask_no_more_questions(tables: list[TableSession], season: Competition, scorer: User) -> None:
    client = desk(scorer)
    client.get(night(tables[0]))
    with CaptureQueriesContext(connection) as two:
        client.get(night(tables[0]))
    people = in_block(season.blocks.get(key="A"))
    for four in (people[:4], people[4:]):
        factories.table(season.blocks.get(key="A"), four, numbers=(5, 6))
    with CaptureQueriesContext(connection) as eight:
        client.get(night(tables[0]))
    assert len(eight) == len(two)


def test_all_sheets_without_warnings_are_confirmed_at_one_go_and_odd_ones_are_left(
    tables: list[TableSession], scorer: User, chief: User
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    rows = list(tables[0].hanchan.order_by("round"))
    play(rows[0], by=actor(scorer))
    play(rows[1], (30100, 41200, 18700, 10000), by=actor(scorer))
    play(rows[2], (120000, -5000, -5000, -10000), by=actor(scorer), accept=["extreme_score"])
    client = desk(chief)
    plain = client.get(night(tables[0])).context["plain"]
    assert [each.hanchan.pk for each in plain] == [rows[0].pk, rows[1].pk]
    answer = client.post(night(tables[0]), {"confirm": [each.sheet.pk for each in plain]}, follow=True)
    assert "2 results confirmed." in answer.content.decode()
    assert stages(client, tables[0])[:3] == ["confirmed", "confirmed", "waiting"]


@pytest.mark.both_databases
def test_whoever_entered_a_sheet_cannot_confirm_it_with_the_others(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    sheet = play(first, by=actor(scorer))
    client = desk(scorer)
    assert client.get(night(tables[0])).context["plain"] == []
    page = client.post(night(tables[0]), {"confirm": sheet.pk}, follow=True).content.decode()
    assert "A second person must confirm it." in page
    assert not ResultSheet.objects.counting().exists()


def test_that_a_game_ended_by_time_is_kept_until_a_second_person_confirms(
    tables: list[TableSession], first: Hanchan, scorer: User, chief: User
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    desk(scorer).post(night(tables[0]), typed(first, ended_by_time="on"))
    desk(chief).post(night(tables[0]), {"confirm": ResultSheet.objects.get().pk})
    first.refresh_from_db()
    assert first.state == Hanchan.State.ENDED_BY_TIME
    form = desk(chief).get(f"{night(tables[0])}?correct={first.pk}").context["cards"][0].panel.form
    assert form["ended_by_time"].value() is True


def test_where_the_players_confirm_the_screen_counts_them(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    play(first, by=actor(scorer))
    page = desk(scorer).get(night(tables[0])).content.decode()
    assert "0 of 4 players confirmed" in page
    assert "Links for the players" in page


def test_a_referee_reads_the_screen_and_enters_nothing(tables: list[TableSession], season: Competition) -> None:
    client = desk(factories.user("ref", Role.REFEREE, season, is_staff=True))
    assert "sheet-form" not in client.get(night(tables[0])).content.decode()


def test_a_stranger_finds_nothing(tables: list[TableSession]) -> None:
    other = factories.league("autumn")
    client = desk(factories.user("elsewhere", Role.DIRECTOR, other, is_staff=True))
    for page in ("night", "night-parts", "night-version", "slips"):
        assert client.get(night(tables[0], page)).status_code == 404


class TestOddSlips:
    """What wants a tick."""

    def refused(self, hanchan: Hanchan, by: User, sheet: Any) -> set[str]:
        with pytest.raises(WarningsNotAcceptedError) as odd:
            record_result(hanchan=hanchan, entry=sheet, by=actor(by))
        return {finding.code for finding in odd.value.findings}

    def test_the_scores_of_another_table(self, tables: list[TableSession], first: Hanchan, scorer: User) -> None:
        play(first)
        other = tables[1].hanchan.get(round=2)
        sheet = entry(seated(other), (10000, 18700, 30100, 41200))
        assert self.refused(other, scorer, sheet) == {"same_scores_elsewhere"}

    @pytest.mark.both_databases
    def test_a_player_at_two_tables_in_one_round(
        self, tables: list[TableSession], first: Hanchan, scorer: User
    ) -> None:
        play(first)
        other = tables[1].hanchan.get(round=1)
        people = [*seated(other)[:3], seated(first)[0]]
        Hanchan.objects.filter(pk=other.pk).update(number=9)
        other.refresh_from_db()
        assert "at_two_tables" in self.refused(other, scorer, entry(people, (40000, 30000, 20000, 10000)))

    def test_seats_in_another_order_than_scheduled_where_they_are_said_to_be_right(
        self, first: Hanchan, scorer: User
    ) -> None:
        people = list(reversed(seated(first)))
        assert self.refused(first, scorer, entry(people)) == {"seats_not_as_scheduled"}
        record_result(hanchan=first, entry=entry(people, are_seats_known=False), by=actor(scorer))

    def test_an_extreme_score(self, first: Hanchan, scorer: User) -> None:
        assert self.refused(first, scorer, entry(seated(first), (120000, -5000, -5000, -10000))) == {"extreme_score"}


class TestAbandoned:
    """Games that come to nothing, and that do after all."""

    def test_it_takes_no_result_until_it_is_taken_back(self, first: Hanchan, scorer: User, chief: User) -> None:
        abandon_hanchan(hanchan=first, by=actor(chief), reason="fire alarm")
        with pytest.raises(ConflictError):
            play(first, by=actor(scorer))
        resume_hanchan(hanchan=first, by=actor(chief), reason="false alarm")
        assert play(first, by=actor(scorer)).state == "confirmed"

    def test_it_wants_a_reason_a_director_and_a_game_without_result(
        self, first: Hanchan, scorer: User, chief: User
    ) -> None:
        with pytest.raises(RuleViolationError):
            abandon_hanchan(hanchan=first, by=actor(chief), reason=" ")
        with pytest.raises(PermissionRefusedError):
            abandon_hanchan(hanchan=first, by=actor(scorer), reason="late")
        play(first)
        with pytest.raises(ConflictError):
            abandon_hanchan(hanchan=first, by=actor(chief), reason="late")

    @pytest.mark.both_databases
    def test_from_the_screen_and_back(self, tables: list[TableSession], first: Hanchan, chief: User) -> None:
        client = desk(chief)
        client.post(f"/admin/league/hanchan/{first.pk}/abandon/", {"reason": "fire alarm"})
        assert stages(client, tables[0])[0] == "abandoned"
        answer = client.post(f"/admin/league/hanchan/{first.pk}/resume/", {"reason": "false alarm"})
        assert answer["Location"].startswith(night(tables[0]))
        assert stages(client, tables[0])[0] == "scheduled"
        kinds = Change.objects.filter(subject_type="hanchan").order_by("n").values_list("kind", flat=True)
        assert list(kinds)[-2:] == ["hanchan.abandoned", "hanchan.resumed"]


class TestSubstitutes:
    """Somebody else sits; the points stay where they belong, and who sat is shown."""

    @pytest.mark.both_databases
    def test_who_sat_is_shown_to_everybody_and_the_points_are_the_players(
        self, tables: list[TableSession], first: Hanchan, scorer: User
    ) -> None:
        stand_in = new_player(by=SYSTEM, name="代打 太郎", name_romaji="Taro Daida", key="daida")
        seat = first.seats.get(seat=0)
        client = desk(scorer)
        page = client.get(f"/admin/league/hanchan/{first.pk}/substitute/").content.decode()
        assert "Withdrawals and substitutes" in page
        answer = client.post(
            f"/admin/league/hanchan/{first.pk}/substitute/",
            {"seat": seat.pk, "player": "代打 太郎 (daida)", "is_for_all": "on", "reason": "a cold"},
        )
        assert answer.status_code == 302
        sat = tables[0].hanchan.filter(seats__player=stand_in)
        assert sat.count() == 4
        client.post(night(tables[0]), typed(first, substitute_0="代打 太郎 (daida)"))
        result = ResultSheet.objects.counting().get().seats.get(seat=0)
        assert (result.entrant, result.player) == (seat.entrant, stand_in)
        publish_standings(first.block.competition_id)
        public = Client(headers={"Accept-Language": "en"})
        slug = first.block.competition.slug
        for address in (f"/c/{slug}/hanchan/{first.pk}/", f"/c/{slug}/tables/{tables[0].pk}/"):
            assert "Taro Daida" in public.get(address).content.decode(), address

    def test_a_reason_is_needed_and_somebody_at_the_table_cannot_sit_twice(self, first: Hanchan, scorer: User) -> None:
        one, two = seated(first)[:2]
        stranger = new_player(by=SYSTEM, name="Somebody")
        with pytest.raises(RuleViolationError):
            name_substitute(hanchan=first, entrant=one, player=stranger, by=actor(scorer), reason="")
        with pytest.raises(RuleViolationError):
            name_substitute(hanchan=first, entrant=one, player=two.player, by=actor(scorer), reason="a cold")

    @pytest.mark.both_databases
    def test_somebody_who_plays_for_points_of_their_own_wants_a_tick(
        self, season: Competition, first: Hanchan, scorer: User
    ) -> None:
        other = in_block(season.blocks.get(key="B"))[0].player
        one = seated(first)[0]
        with pytest.raises(WarningsNotAcceptedError):
            name_substitute(hanchan=first, entrant=one, player=other, by=actor(scorer), reason="a cold")
        name_substitute(
            hanchan=first,
            entrant=one,
            player=other,
            by=actor(scorer),
            reason="a cold",
            accept=["substitute_plays_here"],
        )
        name_substitute(hanchan=first, entrant=one, player=None, by=actor(scorer), reason="came after all")
        assert first.seats.get(entrant=one).player == one.player

    def test_once_the_result_is_in_it_is_a_correction(self, first: Hanchan, scorer: User) -> None:
        play(first)
        stranger = new_player(by=SYSTEM, name="Somebody")
        with pytest.raises(ConflictError):
            name_substitute(hanchan=first, entrant=seated(first)[0], player=stranger, by=actor(scorer), reason="a cold")


def picture(kind: str = "JPEG", size: tuple[int, int] = (3000, 1500), **options: Any) -> BytesIO:
    file = BytesIO()
    Image.new("RGB", size, "#3a7").save(file, kind, **options)
    file.seek(0)
    return file


def located() -> Any:
    """What a phone writes into a picture: where it was taken."""
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    exif[0x0112] = 6
    return exif


class TestPhotos:
    """Pictures of slips: small, plain, and for the staff alone."""

    def test_it_is_drawn_anew_upright_small_and_without_what_the_phone_wrote(
        self, first: Hanchan, scorer: User
    ) -> None:
        photo = attach_photo(hanchan=first, file=picture(exif=located()), by=actor(scorer))
        assert (photo.width, photo.height) == (1000, 2000)
        kept = bytes(photo.picture)
        assert b"secret" not in kept
        with Image.open(BytesIO(kept)) as drawn:
            assert (drawn.format, drawn.size, len(drawn.getexif())) == ("JPEG", (1000, 2000), 0)

    @pytest.mark.django_db(transaction=True)
    def test_it_is_drawn_before_anything_is_locked(self) -> None:
        class Watched(BytesIO):
            def read(self, *size: Any) -> bytes:
                locked.append(connection.in_atomic_block)
                return super().read(*size)

        locked: list[bool] = []
        hanchan = factories.table(factories.final_table().blocks.get()).hanchan.get(round=1)
        attach_photo(hanchan=hanchan, file=Watched(picture().getvalue()), by=SYSTEM)
        assert locked == [False]
        assert SlipPhoto.objects.get().hanchan == hanchan

    @pytest.mark.parametrize("kind", ["PNG", "WEBP"])
    def test_other_kinds_become_jpeg_whatever_they_are_called(self, first: Hanchan, scorer: User, kind: str) -> None:
        photo = attach_photo(hanchan=first, file=picture(kind), by=actor(scorer))
        assert bytes(photo.picture)[:3] == b"\xff\xd8\xff"

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", "not_a_photo"),
            (b"GIF89a" + b"\0" * 40, "not_a_photo"),
            (picture().getvalue()[:400], "not_a_photo"),
            (b"\0" * (10 * 1024 * 1024 + 1), "photo_too_large"),
        ],
    )
    def test_what_is_no_picture_is_refused_with_what_to_do(
        self, first: Hanchan, scorer: User, data: bytes, code: str
    ) -> None:
        with pytest.raises(RuleViolationError) as refused:
            attach_photo(hanchan=first, file=BytesIO(data), by=actor(scorer))
        assert refused.value.findings[0].code == code

    def test_a_picture_of_a_hundred_million_pixels_is_not_even_drawn(self, first: Hanchan, scorer: User) -> None:
        file = BytesIO()
        Image.new("1", (10_000, 10_000)).save(file, "PNG")
        assert len(file.getvalue()) < 100_000
        file.seek(0)
        with pytest.raises(RuleViolationError) as refused:
            attach_photo(hanchan=first, file=file, by=actor(scorer))
        assert refused.value.findings[0].code == "photo_too_large"

    @pytest.mark.both_databases
    def test_the_staff_of_the_competition_see_it_and_nobody_else(
        self, season: Competition, first: Hanchan, scorer: User
    ) -> None:
        client = desk(scorer)
        upload = SimpleUploadedFile("slip.exe", picture().getvalue())
        assert client.post(f"/admin/league/hanchan/{first.pk}/photos/", {"file": upload}).status_code == 302
        address = f"/admin/league/hanchan/{first.pk}/photos/{SlipPhoto.objects.get().pk}.jpg"
        answer = client.get(address)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
        assert answer["Cache-Control"].startswith("private")
        assert answer["X-Content-Type-Options"] == "nosniff"
        stranger = factories.user("elsewhere", Role.DIRECTOR, factories.league("autumn"), is_staff=True)
        assert desk(stranger).get(address).status_code == 404
        assert Client().get(address).status_code == 302
        reader = factories.user("reader", Role.READER, season, is_staff=True)
        assert desk(reader).get(address).status_code == 200

    def test_taken_away_it_is_empty_and_the_row_and_the_reason_stay(self, first: Hanchan, scorer: User) -> None:
        photo = attach_photo(hanchan=first, file=picture(), by=actor(scorer))
        remove_photo(photo=photo, by=actor(scorer), reason="shows a guest")
        photo.refresh_from_db()
        assert (bytes(photo.picture), photo.removed_at is None) == (b"", False)
        assert Change.objects.get(kind="photo.removed").reason == "shows a guest"
        assert desk(scorer).get(f"/admin/league/hanchan/{first.pk}/photos/{photo.pk}.jpg").status_code == 404

    @pytest.mark.both_databases
    def test_whoever_keeps_the_score_sheet_by_a_link_hands_one_in_and_sees_none(
        self, tables: list[TableSession], first: Hanchan
    ) -> None:
        token = make_link(table_session=tables[0], kind=TableLink.Kind.SCORER, by=SYSTEM).token
        client = Client(headers={"Accept-Language": "en"})
        client.get(f"/t/{token}/")
        address = f"/tables/{tables[0].pk}/photo/1/"
        upload = SimpleUploadedFile("slip.jpg", picture().getvalue())
        page = client.post(address, {"file": upload}, follow=True).content.decode()
        assert "with the organizers" in page
        photo = SlipPhoto.objects.get()
        assert (photo.hanchan, photo.link is None) == (first, False)
        assert client.get(f"/admin/league/hanchan/{first.pk}/photos/{photo.pk}.jpg").status_code == 302
        assert Client().get(address).status_code == 404

    def test_a_links_holder_cannot_send_photos_to_another_table(
        self, tables: list[TableSession], first: Hanchan
    ) -> None:
        link = make_link(table_session=tables[1], kind=TableLink.Kind.SCORER, by=SYSTEM).link
        with pytest.raises(PermissionRefusedError):
            attach_photo(hanchan=first, file=picture(), by=Actor(user=None, door=SYSTEM.door, link=link))


class TestSlips:
    """Paper for the tables."""

    def test_a_page_for_each_table_without_making_anything(self, tables: list[TableSession], scorer: User) -> None:
        answer = desk(scorer).get(night(tables[0], "slips"))
        assert [len(paper.names) for paper in answer.context["papers"]] == [4, 4]
        page = answer.content.decode()
        assert page.count('class="paper"') == 2
        assert "adds up to 100,000" in page
        assert not TableLink.objects.exists()

    @pytest.mark.both_databases
    def test_with_codes_a_link_is_made_for_each_table_and_earlier_ones_end_if_asked(
        self, tables: list[TableSession], scorer: User
    ) -> None:
        client = desk(scorer)
        page = client.post(night(tables[0], "slips"), {"with_links": "on"}).content.decode()
        assert page.count("<svg") >= 2
        assert TableLink.objects.filter(ended_at=None).count() == 2
        again = client.post(night(tables[0], "slips"), {"with_links": "on"}).content.decode()
        assert "2 earlier links" in again
        client.post(night(tables[0], "slips"), {"with_links": "on", "ends_earlier": "on"})
        assert TableLink.objects.filter(ended_at=None).count() == 2

    @pytest.mark.both_databases
    def test_in_japanese(self, tables: list[TableSession], scorer: User) -> None:
        page = desk(scorer, "ja").get(night(tables[0], "slips")).content.decode()
        assert "東" in page
        assert "第1節" in page


def test_players_confirm_on_their_phones_what_was_typed_at_the_desk(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    sheet = play(first, by=actor(scorer))
    for one in seated(first):
        token = make_link(table_session=tables[0], kind=TableLink.Kind.PLAYER, by=SYSTEM, entrant=one).token
        phone = Client(headers={"Accept-Language": "en"})
        phone.get(f"/t/{token}/")
        document = phone.get(f"/tables/{tables[0].pk}/sheet/state/", {"hanchan": first.pk}).json()
        assert [row["final_score"] for row in document["result"]["settlement"]] == [41200, 30100, 18700, 10000]
        body = {"hanchan": first.pk, "sheet": document["submit"]["sheet"]["id"]}
        approve = f"/tables/{tables[0].pk}/sheet/approve/"
        assert phone.post(approve, body, content_type="application/json").status_code == 200
    sheet.refresh_from_db()
    assert sheet.state == ResultSheet.State.CONFIRMED
    assert stages(desk(scorer), tables[0])[0] == "confirmed"
