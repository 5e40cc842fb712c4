"""Test the admin's match night screen without scripts, and its related pages."""

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

from league.admin.results.night_slips import Paper
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
from rulesets import loader
from tests import factories
from tests.factories import SYSTEM, actor, entry, in_block, play, seated
from tests.league import parlours

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def scheduled(shared_rows: None) -> Competition:
    """Seat block A at two tables."""
    block = factories.league().blocks.get(key="A")
    people = in_block(block)
    for four in (people[:4], people[4:]):
        factories.table(block, four)
    return block.competition


@pytest.fixture
def season(scheduled: Competition) -> Competition:
    return Competition.objects.get(pk=scheduled.pk)


@pytest.fixture
def tables(season: Competition) -> list[TableSession]:
    return list(season.table_sessions.order_by("pk"))


@pytest.fixture
def first(tables: list[TableSession]) -> Hanchan:
    return tables[0].hanchan.get(round=1)


@pytest.fixture
def scorer(season: Competition) -> User:
    return factories.user("scorer", Role.SCORER, season, is_staff=True)


@pytest.fixture
def chief(season: Competition) -> User:
    return factories.user("chief", Role.DIRECTOR, season, is_staff=True)


def admin_client(who: User, language: str = "en") -> Client:
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
    """Return the stage of each hanchan of the session, as the screen shows it."""
    cards = client.get(night(table)).context["cards"]
    return [chip.stage for card in cards for chip in card.chips]


def test_the_screen_shows_the_stage_of_each_hanchan_of_every_table(
    tables: list[TableSession], scorer: User, chief: User, season: Competition
) -> None:
    one, two, three, four = tables[0].hanchan.order_by("round")
    play(one)
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    play(two, (30100, 41200, 18700, 10000), by=actor(scorer))
    Hanchan.objects.filter(pk=three.pk).update(state=Hanchan.State.RUNNING)
    abandon_hanchan(hanchan=four, by=actor(chief), reason="earthquake")
    hold_back(table_session=tables[1], until=timezone.now() + dt.timedelta(hours=2), by=SYSTEM)
    client = admin_client(scorer)
    assert stages(client, tables[0]) == ["confirmed", "waiting", "running", "abandoned", *["scheduled"] * 4]
    assert "held back until" in client.get(night(tables[0])).content.decode()


def test_without_scripts_a_sheet_is_a_form_and_the_next_table_gets_the_focus(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    client = admin_client(scorer)
    answer = client.post(night(tables[0]), typed(first), follow=True)
    assert "Hanchan 1 is in and counts." in answer.content.decode()
    card = answer.context["cards"][1]
    assert "autofocus" in str(card.panel.form["score_0"])


def test_a_script_receives_only_the_submitted_and_the_changed_cards(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    client = admin_client(scorer)
    cards = client.get(night(tables[0])).context["cards"]
    have = ",".join(f"{card.session.pk}:{card.version}" for card in cards)
    answer = client.post(night(tables[0]), {**typed(first), "have": have}, headers={"Accept": "application/json"})
    parts = answer.json()
    assert list(parts["cards"]) == [str(tables[0].pk)]
    assert parts["saved"] == first.pk
    assert parts["version"] == Competition.objects.get().version


def test_a_refused_sheet_is_returned_in_its_card_with_its_input(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    sheet = typed(first, ("412", "301", "187", "99"))
    answer = admin_client(scorer).post(night(tables[0]), sheet, headers={"Accept": "application/json"})
    assert answer.status_code == 422
    card = answer.json()["cards"][str(tables[0].pk)]
    assert "100 missing" in card
    assert 'value="412"' in card


def test_the_version_url_needs_at_most_six_queries_and_parts_lists_changed_cards(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    client = admin_client(scorer)
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


def test_more_tables_need_no_more_queries(tables: list[TableSession], season: Competition, scorer: User) -> None:
    client = admin_client(scorer)
    client.get(night(tables[0]))
    with CaptureQueriesContext(connection) as two:
        client.get(night(tables[0]))
    people = in_block(season.blocks.get(key="A"))
    for four in (people[:4], people[4:]):
        factories.table(season.blocks.get(key="A"), four, numbers=(5, 6))
    with CaptureQueriesContext(connection) as eight:
        client.get(night(tables[0]))
    assert len(eight) == len(two)


def test_all_sheets_without_warnings_are_confirmed_together_and_others_are_left(
    tables: list[TableSession], scorer: User, chief: User
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    rows = list(tables[0].hanchan.order_by("round"))
    play(rows[0], by=actor(scorer))
    play(rows[1], (30100, 41200, 18700, 10000), by=actor(scorer))
    play(rows[2], (120000, -5000, -5000, -10000), by=actor(scorer), accept=["extreme_score"])
    client = admin_client(chief)
    plain = client.get(night(tables[0])).context["plain"]
    assert [each.hanchan.pk for each in plain] == [rows[0].pk, rows[1].pk]
    answer = client.post(night(tables[0]), {"confirm": [each.sheet.pk for each in plain]}, follow=True)
    assert "Results confirmed: 2." in answer.content.decode()
    assert stages(client, tables[0])[:3] == ["confirmed", "confirmed", "waiting"]


def test_a_user_cannot_confirm_their_own_sheet_together_with_others(
    tables: list[TableSession], first: Hanchan, scorer: User
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    sheet = play(first, by=actor(scorer))
    client = admin_client(scorer)
    assert client.get(night(tables[0])).context["plain"] == []
    page = client.post(night(tables[0]), {"confirm": sheet.pk}, follow=True).content.decode()
    assert "A second person must confirm it." in page
    assert not ResultSheet.objects.counting().exists()


def test_an_end_by_time_is_kept_until_a_second_user_confirms(
    tables: list[TableSession], first: Hanchan, scorer: User, chief: User
) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    admin_client(scorer).post(night(tables[0]), typed(first, ended_by_time="on"))
    admin_client(chief).post(night(tables[0]), {"confirm": ResultSheet.objects.get().pk})
    first.refresh_from_db()
    assert first.state == Hanchan.State.ENDED_BY_TIME
    form = admin_client(chief).get(f"{night(tables[0])}?correct={first.pk}").context["cards"][0].panel.form
    assert form["ended_by_time"].value() is True


def test_the_screen_counts_the_players_confirmations(tables: list[TableSession], first: Hanchan, scorer: User) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    play(first, by=actor(scorer))
    page = admin_client(scorer).get(night(tables[0])).content.decode()
    assert "0 of 4 players confirmed" in page
    assert "Links for the players" in page


def test_a_referee_reads_the_screen_and_cannot_enter_results(tables: list[TableSession], season: Competition) -> None:
    client = admin_client(factories.user("ref", Role.REFEREE, season, is_staff=True))
    assert "sheet-form" not in client.get(night(tables[0])).content.decode()


def test_staff_of_another_competition_get_404(tables: list[TableSession]) -> None:
    other = factories.league("autumn")
    client = admin_client(factories.user("elsewhere", Role.DIRECTOR, other, is_staff=True))
    for page in ("night", "night-parts", "night-version", "slips"):
        assert client.get(night(tables[0], page)).status_code == 404


class TestOddSlips:
    """Test slips that raise a warning."""

    def refused(self, hanchan: Hanchan, by: User, sheet: Any) -> set[str]:
        with pytest.raises(WarningsNotAcceptedError) as odd:
            record_result(hanchan=hanchan, entry=sheet, by=actor(by))
        return {finding.code for finding in odd.value.findings}

    def test_the_scores_of_another_table_raise_a_warning(
        self, tables: list[TableSession], first: Hanchan, scorer: User
    ) -> None:
        play(first)
        other = tables[1].hanchan.get(round=2)
        sheet = entry(seated(other), (10000, 18700, 30100, 41200))
        assert self.refused(other, scorer, sheet) == {"same_scores_elsewhere"}

    def test_a_player_at_two_tables_in_one_round_raises_a_warning(
        self, tables: list[TableSession], first: Hanchan, scorer: User
    ) -> None:
        play(first)
        other = tables[1].hanchan.get(round=1)
        people = [*seated(other)[:3], seated(first)[0]]
        Hanchan.objects.filter(pk=other.pk).update(number=9)
        other.refresh_from_db()
        assert "at_two_tables" in self.refused(other, scorer, entry(people, (40000, 30000, 20000, 10000)))

    def test_a_seat_order_other_than_scheduled_raises_a_warning_if_seats_are_known(
        self, first: Hanchan, scorer: User
    ) -> None:
        people = list(reversed(seated(first)))
        assert self.refused(first, scorer, entry(people)) == {"seats_not_as_scheduled"}
        record_result(hanchan=first, entry=entry(people, are_seats_known=False), by=actor(scorer))

    def test_an_extreme_score_raises_a_warning(self, first: Hanchan, scorer: User) -> None:
        assert self.refused(first, scorer, entry(seated(first), (120000, -5000, -5000, -10000))) == {"extreme_score"}


class TestAbandoned:
    """Test games that are abandoned, and abandoned games that are resumed."""

    def test_an_abandoned_game_accepts_no_result_until_it_is_resumed(
        self, first: Hanchan, scorer: User, chief: User
    ) -> None:
        abandon_hanchan(hanchan=first, by=actor(chief), reason="fire alarm")
        with pytest.raises(ConflictError):
            play(first, by=actor(scorer))
        resume_hanchan(hanchan=first, by=actor(chief), reason="false alarm")
        assert play(first, by=actor(scorer)).state == "confirmed"

    def test_abandoning_needs_a_reason_a_director_and_a_game_without_a_result(
        self, first: Hanchan, scorer: User, chief: User
    ) -> None:
        with pytest.raises(RuleViolationError):
            abandon_hanchan(hanchan=first, by=actor(chief), reason=" ")
        with pytest.raises(PermissionRefusedError):
            abandon_hanchan(hanchan=first, by=actor(scorer), reason="late")
        play(first)
        with pytest.raises(ConflictError):
            abandon_hanchan(hanchan=first, by=actor(chief), reason="late")

    def test_a_game_can_be_abandoned_and_resumed_from_the_screen(
        self, tables: list[TableSession], first: Hanchan, chief: User
    ) -> None:
        client = admin_client(chief)
        client.post(f"/admin/league/hanchan/{first.pk}/abandon/", {"reason": "fire alarm"})
        assert stages(client, tables[0])[0] == "abandoned"
        answer = client.post(f"/admin/league/hanchan/{first.pk}/resume/", {"reason": "false alarm"})
        assert answer["Location"].startswith(night(tables[0]))
        assert stages(client, tables[0])[0] == "scheduled"
        kinds = Change.objects.filter(subject_type="hanchan").order_by("n").values_list("kind", flat=True)
        assert list(kinds)[-2:] == ["hanchan.abandoned", "hanchan.resumed"]


class TestSubstitutes:
    """Test substitutes: the points stay with the entrant, and pages show the actual player."""

    @pytest.mark.both_databases
    def test_pages_show_the_substitute_and_the_points_belong_to_the_entrant(
        self, tables: list[TableSession], first: Hanchan, scorer: User
    ) -> None:
        stand_in = new_player(by=SYSTEM, name="代打 太郎", name_romaji="Taro Daida", key="daida")
        seat = first.seats.get(seat=0)
        client = admin_client(scorer)
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

    def test_a_substitute_needs_a_reason_and_cannot_already_sit_at_the_table(
        self, first: Hanchan, scorer: User
    ) -> None:
        one, two = seated(first)[:2]
        stranger = new_player(by=SYSTEM, name="Somebody")
        with pytest.raises(RuleViolationError):
            name_substitute(hanchan=first, entrant=one, player=stranger, by=actor(scorer), reason="")
        with pytest.raises(RuleViolationError):
            name_substitute(hanchan=first, entrant=one, player=two.player, by=actor(scorer), reason="a cold")

    def test_a_substitute_who_plays_in_the_competition_raises_a_warning(
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

    def test_a_substitute_cannot_be_set_once_the_result_is_in(self, first: Hanchan, scorer: User) -> None:
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
    """Return EXIF data with a location, as a phone writes it."""
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    exif[0x0112] = 6
    return exif


class TestPhotos:
    """Test photos of slips: small, without metadata, and visible to the staff only."""

    def test_a_photo_is_reencoded_upright_and_small_without_metadata(self, first: Hanchan, scorer: User) -> None:
        photo = attach_photo(hanchan=first, file=picture(exif=located()), by=actor(scorer))
        assert (photo.width, photo.height) == (1000, 2000)
        kept = bytes(photo.picture)
        assert b"secret" not in kept
        with Image.open(BytesIO(kept)) as drawn:
            assert (drawn.format, drawn.size, len(drawn.getexif())) == ("JPEG", (1000, 2000), 0)

    @pytest.mark.parametrize("kind", ["PNG", "WEBP"])
    def test_other_image_formats_are_converted_to_jpeg(self, first: Hanchan, scorer: User, kind: str) -> None:
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
    def test_a_file_that_is_no_photo_or_too_large_is_refused(
        self, first: Hanchan, scorer: User, data: bytes, code: str
    ) -> None:
        with pytest.raises(RuleViolationError) as refused:
            attach_photo(hanchan=first, file=BytesIO(data), by=actor(scorer))
        assert refused.value.findings[0].code == code

    def test_an_image_of_a_hundred_million_pixels_is_refused_without_decoding(
        self, first: Hanchan, scorer: User
    ) -> None:
        file = BytesIO()
        Image.new("1", (10_000, 10_000)).save(file, "PNG")
        assert len(file.getvalue()) < 100_000
        file.seek(0)
        with pytest.raises(RuleViolationError) as refused:
            attach_photo(hanchan=first, file=file, by=actor(scorer))
        assert refused.value.findings[0].code == "photo_too_large"

    def test_the_queue_leads_to_the_photos_of_the_slip(
        self, tables: list[TableSession], first: Hanchan, scorer: User
    ) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
        play(first, by=actor(scorer))
        photos = f'href="/admin/league/hanchan/{first.pk}/photos/"'
        assert photos not in self.queue(tables[0], scorer)
        attach_photo(hanchan=first, file=picture(), by=actor(scorer))
        assert photos in self.queue(tables[0], scorer)

    def queue(self, table: TableSession, who: User) -> str:
        """Return the queue of match night as HTML."""
        page = admin_client(who).get(night(table)).content.decode()
        return page[page.index('id="night-queue"') :]

    @pytest.mark.both_databases
    def test_only_staff_of_the_competition_can_see_a_photo(
        self, season: Competition, first: Hanchan, scorer: User
    ) -> None:
        client = admin_client(scorer)
        upload = SimpleUploadedFile("slip.exe", picture().getvalue())
        assert client.post(f"/admin/league/hanchan/{first.pk}/photos/", {"file": upload}).status_code == 302
        address = f"/admin/league/hanchan/{first.pk}/photos/{SlipPhoto.objects.get().pk}.jpg"
        answer = client.get(address)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
        assert answer["Cache-Control"].startswith("private")
        assert answer["X-Content-Type-Options"] == "nosniff"
        stranger = factories.user("elsewhere", Role.DIRECTOR, factories.league("autumn"), is_staff=True)
        assert admin_client(stranger).get(address).status_code == 404
        assert Client().get(address).status_code == 302
        reader = factories.user("reader", Role.READER, season, is_staff=True)
        assert admin_client(reader).get(address).status_code == 200

    def test_removing_a_photo_empties_it_and_keeps_the_row_and_the_reason(self, first: Hanchan, scorer: User) -> None:
        photo = attach_photo(hanchan=first, file=picture(), by=actor(scorer))
        remove_photo(photo=photo, by=actor(scorer), reason="shows a guest")
        photo.refresh_from_db()
        assert (bytes(photo.picture), photo.removed_at is None) == (b"", False)
        assert Change.objects.get(kind="photo.removed").reason == "shows a guest"
        assert admin_client(scorer).get(f"/admin/league/hanchan/{first.pk}/photos/{photo.pk}.jpg").status_code == 404

    @pytest.mark.both_databases
    def test_the_holder_of_a_scorer_link_can_upload_a_photo_but_not_see_it(
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

    def test_the_holder_of_a_link_cannot_upload_a_photo_to_another_table(
        self, tables: list[TableSession], first: Hanchan
    ) -> None:
        link = make_link(table_session=tables[1], kind=TableLink.Kind.SCORER, by=SYSTEM).link
        with pytest.raises(PermissionRefusedError):
            attach_photo(hanchan=first, file=picture(), by=Actor(user=None, door=SYSTEM.door, link=link))


class TestSlips:
    """Test the paper slips for the tables."""

    def test_the_slips_have_a_page_for_each_table_and_create_no_link(
        self, tables: list[TableSession], scorer: User
    ) -> None:
        answer = admin_client(scorer).get(night(tables[0], "slips"))
        assert [len(paper.people) for paper in answer.context["papers"]] == [4, 4]
        page = answer.content.decode()
        assert page.count('class="paper"') == 2
        assert "adds up to 100,000" in page
        assert not TableLink.objects.exists()

    @pytest.mark.both_databases
    def test_slips_with_codes_create_a_link_per_table_and_end_earlier_links_on_request(
        self, tables: list[TableSession], scorer: User
    ) -> None:
        client = admin_client(scorer)
        page = client.post(night(tables[0], "slips"), {"with_links": "on"}).content.decode()
        assert page.count("<svg") >= 2
        assert TableLink.objects.filter(ended_at=None).count() == 2
        again = client.post(night(tables[0], "slips"), {"with_links": "on"}).content.decode()
        assert "2 earlier links" in again
        client.post(night(tables[0], "slips"), {"with_links": "on", "ends_earlier": "on"})
        assert TableLink.objects.filter(ended_at=None).count() == 2

    @pytest.mark.both_databases
    def test_the_slips_can_be_printed_in_japanese(self, tables: list[TableSession], scorer: User) -> None:
        page = admin_client(scorer, "ja").get(night(tables[0], "slips")).content.decode()
        assert "東" in page
        assert "第1節" in page

    @pytest.mark.parametrize(
        ("ruleset", "boxes"), [("superbingo", 2), ("banchi3", 2), ("boo", 3), ("cinderella", 3), ("wrc", 3)]
    )
    def test_a_slip_has_a_box_for_each_digit_of_a_usual_score(self, ruleset: str, boxes: int) -> None:
        paper = Paper(TableSession(), [], loader.load(ruleset), [], None)
        assert len(paper.boxes) == boxes

    def test_a_slip_asks_for_what_the_entry_form_asks(self, scorer: User) -> None:
        house = parlours.parlour("kansai3")
        table = factories.table(house.blocks.get(), parlours.guests(house, 3), numbers=(1,))
        boss = factories.user("boss", is_staff=True, is_superuser=True)
        page = admin_client(boss).get(night(table, "slips")).content.decode()
        assert page.count("Chips ±") == 3
        assert "Taken out by" in page
        other = admin_client(scorer).get(night(TableSession.objects.earliest("pk"), "slips")).content.decode()
        assert "Chips ±" not in other
        assert "Taken out by" not in other


def test_players_confirm_on_their_phones_a_result_entered_in_the_admin(
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
    assert stages(admin_client(scorer), tables[0])[0] == "confirmed"
