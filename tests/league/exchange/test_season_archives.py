"""Archives of series and rankings: restored elsewhere they lead to the same moves and lines, or are refused."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client

from league.files.archive import ArchiveRefusedError, seal
from league.files.season_archive import SeasonArchive, kind_of_archive, pack_season, unpack_season
from league.models import (
    Audience,
    Competition,
    EventListed,
    MoveDecision,
    NextRoster,
    OrganizationChange,
    Parlour,
    Player,
    Ranking,
    Series,
)
from league.models.ranking import EventResult
from league.platform.errors import ConflictError, PermissionRefusedError
from league.selectors.exchange.season_export import lines_text, moves_text
from league.services.competitions.setup import new_player
from league.services.exchange.season_archives import (
    archive_of_ranking,
    archive_of_series,
    import_season,
    verify_season,
)
from league.services.parlour.people import add_guest, merge_players
from league.services.parlour.sittings import Guest, join, leave
from league.services.seasons.moves import decide_move, decide_newcomer, set_opening_balance, take_move_decision_back
from league.services.seasons.next_rosters import preview_next_roster, undo_next_roster, write_next_roster
from league.services.seasons.rankings import EventFacts, change_event, change_rules, create_ranking, list_event
from league.services.seasons.series import revise_rules
from tests import factories
from tests.api.client import Api
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.seasons.pyramid import TWO_TIERS, play, publish, series_of_two, tiers
from tests.league.seasons.ranked_events import DAY, again, played, players

pytestmark = pytest.mark.django_db


def decided_series() -> Series:
    """Return a series with a term played, exceptions, a roster once taken back, and the next term half played."""
    series = series_of_two()
    first = series.terms.get()
    people = {row.key: row for row in Player.objects.all()}
    set_opening_balance(series=series, player=people["spring-b2"], points=2, reason="before", by=SYSTEM)
    for competition in tiers(first).values():
        play(competition)
    wrong = decide_move(
        term=first, player=people["spring-b2"], kind=MoveDecision.Kind.LEAVES, reason="mistaken", by=SYSTEM
    )
    take_move_decision_back(decision=wrong, reason="stays after all", by=SYSTEM)
    decide_move(term=first, player=people["spring-b1"], kind=MoveDecision.Kind.DECLINED, reason="moves away", by=SYSTEM)
    decide_newcomer(term=first, name="新人", tier="B", reason="test passed", by=SYSTEM)
    for attempt in range(2):
        digest = preview_next_roster(term=first, by=SYSTEM).digest
        write_next_roster(term=first, digest=digest, by=SYSTEM, reason="assembly")
        if not attempt:
            undo_next_roster(term=first, reason="too early", by=SYSTEM)
    second = series.terms.get(number=2)
    for competition in tiers(second).values():
        publish(competition)
    play(tiers(second)["A"])
    revise_rules(series=series, text=TWO_TIERS.replace("B#1", "B#1-1"), reason="clearer", by=SYSTEM)
    series.refresh_from_db()
    return series


def move_away() -> None:
    """Rename everything here, so that nothing in an archive is known: an installation of its own."""
    models = ((Competition, "slug"), (Parlour, "slug"), (Series, "slug"), (Ranking, "slug"), (Player, "key"))
    for model, column in models:
        model.objects.update(**{column: Concat(Value("old-"), column)})


def facts_of(series: Series) -> list[object]:
    """Return the facts that no outcome shows: what was taken back, with its reasons, and the rules before."""
    own = {"term__series": series}
    kept = ("player__key", "kind", "tier", "reason", "made_at", "ended_at")
    competitions = ("number", "name", "name_en", "competitions__slug", "competitions__tier")
    return [
        list(MoveDecision.objects.filter(**own).order_by("pk").values_list(*kept)),
        list(NextRoster.objects.filter(**own).order_by("pk").values_list("term__number", "reason", "ended_at")),
        list(series.opening_balances.order_by("player__key").values_list("player__key", "points", "reason")),
        list(OrganizationChange.objects.filter(subject_id=str(series.pk), kind="series.rules").values_list("reason")),
        list(series.terms.order_by("number", "competitions__slug").values_list(*competitions)),
        (series.slug, series.name, series.name_en, series.is_public, series.rules.text),
    ]


@pytest.mark.both_databases
def test_a_series_restored_elsewhere_has_the_same_moves_explained_equally() -> None:
    series = decided_series()
    archive = archive_of_series(series=series, by=SYSTEM)
    data, before, moves = pack_season(archive), facts_of(series), moves_text(series)
    assert '"declined"' in moves
    move_away()
    again_ = import_season(data=data, by=SYSTEM)
    assert isinstance(again_, Series)
    assert moves_text(again_) == moves
    assert facts_of(again_) == before
    assert pack_season(archive_of_series(series=again_, by=SYSTEM)) == data


@pytest.mark.both_databases
def test_a_series_whose_level_players_have_other_ids_elsewhere_is_restored() -> None:
    series = series_of_two()
    merge_players(
        duplicate=Player.objects.get(key="spring-b2"), keep=new_player(name="本人", key="later", by=SYSTEM), by=SYSTEM
    )
    data = pack_season(archive_of_series(series=series, by=SYSTEM))
    verify_season(data=data)
    move_away()
    again_ = import_season(data=data, by=SYSTEM)
    assert isinstance(again_, Series)
    assert again_.terms.get().competitions.get(tier="B").entrants.filter(player__key="later").exists()


def forged(archive: SeasonArchive, before: str, after: str) -> bytes:
    """Return the archive sealed again with another outcome."""
    assert before in archive.outcome
    return pack_season(replace(archive, outcome=archive.outcome.replace(before, after, 1)))


def test_an_archive_of_a_series_is_verified_where_it_is_and_refused_if_it_leads_elsewhere() -> None:
    archive = archive_of_series(series=series_of_two(), by=SYSTEM)
    data = pack_season(archive)
    verify_season(data=data)
    with pytest.raises(ArchiveRefusedError, match="do not lead to its outcome"):
        verify_season(data=forged(archive, '"is_written": false', '"is_written": true'))
    assert (Series.objects.count(), Competition.objects.count(), Player.objects.count()) == (1, 2, 8)
    with pytest.raises(ArchiveRefusedError, match="damaged"):
        unpack_season(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    with pytest.raises(ConflictError, match="already a series"):
        import_season(data=data, by=SYSTEM)
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert sorted(file.namelist())[:2] == ["competitions/spring-1-a.zip", "competitions/spring-1-b.zip"]


def test_an_archive_without_a_player_that_it_names_is_refused() -> None:
    series = series_of_two()
    set_opening_balance(series=series, player=Player.objects.earliest("pk"), points=2, reason="before", by=SYSTEM)
    archive = archive_of_series(series=series, by=SYSTEM)
    strange = replace(archive, competitions={}, facts=archive.facts.model_copy(update={"players": (), "terms": ()}))
    with pytest.raises(ArchiveRefusedError, match="who is not in it"):
        verify_season(data=pack_season(strange))


def altered(data: bytes, part: str, *changes: tuple[str, object]) -> bytes:
    """Return an archive sealed again with other values at these places; `+` at the end of one repeats its last row."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    facts = json.loads(parts[part])
    for place, value in changes:
        *path, last = (int(step) if step.isdigit() else step for step in place.split("."))
        node = facts
        for step in path:
            node = node[step]
        if last == "+":
            node.append(node[-1])
        else:
            node[last] = value
    return seal({**parts, part: json.dumps(facts).encode()})


@pytest.mark.both_databases
def test_an_archive_with_a_row_twice_or_a_value_that_no_table_keeps_is_refused_with_its_place() -> None:
    data = pack_season(archive_of_series(series=decided_series(), by=SYSTEM))
    change = "A text in it has characters"
    for place, value, said in (
        ("decisions.+", None, "decisions: 1, p-[a-z0-9]+ is there more than once"),
        ("balances.+", None, "balances: spring-b2 is there more than once"),
        ("rosters.+", None, "rosters: 1 is there more than once"),
        ("terms.+", None, "terms: 2 is there more than once"),
        ("terms.1.number", 10**20, "terms.1.number: "),
        ("balances.0.points", -1, "balances.0.points: "),
        ("decisions.0.tier", "A" * 33, "decisions.0.tier: "),
        ("decisions.0.reason", "a\0b", f"decisions.0.reason: {change}"),
        ("decisions.0.made_at", "9999-12-31T23:59:59Z", "decisions.0.made_at: A date in it is out of reach"),
        ("decisions.0.made_at", "2026-04-01T12:00:00", "decisions.0.made_at: "),
        ("terms.0.competitions", {}, "belongs in none: competitions/spring-1-a.zip"),
    ):
        with pytest.raises(ArchiveRefusedError, match=said):
            verify_season(data=altered(data, "series.json", (place, value)))


def test_a_ranking_whose_archive_lists_an_event_twice_is_refused() -> None:
    data = pack_season(archive_of_ranking(ranking=circuit("mers"), by=SYSTEM))
    for place, value, said in (
        ("events.+", None, "events: spring is there more than once"),
        ("events.0.days", -1, "events.0.days: "),
    ):
        with pytest.raises(ArchiveRefusedError, match=said):
            verify_season(data=altered(data, "ranking.json", (place, value)))


def circuit(source: str) -> Ranking:
    """Return a ranking over two leagues, with an event changed and the rules replaced."""
    spring = played("spring")
    summer = again("summer", players(spring)[::-1])
    row = create_ranking(slug="circuit", name="年間", name_en="Circuit", source="mers", is_public=True, by=SYSTEM)
    event = list_event(ranking=row, competition=spring, facts=EventFacts(day=DAY), by=SYSTEM, reason="first")
    list_event(ranking=row, competition=summer, facts=EventFacts(day=DAY.replace(month=7)), by=SYSTEM)
    change_event(event=event, facts=EventFacts(day=DAY, days=3, countries=2), by=SYSTEM, reason="three days")
    if source != "mers":
        change_rules(ranking=row, source=source, reason="simpler", by=SYSTEM)
    row.refresh_from_db()
    return row


@pytest.mark.both_databases
@pytest.mark.parametrize("source", ["mers", "tenhou-r", "house-dan"])
def test_a_ranking_restored_elsewhere_has_the_same_lines_with_the_same_sums(source: str) -> None:
    ranking = circuit(source)
    day = DAY.replace(month=8)
    archive = archive_of_ranking(ranking=ranking, by=SYSTEM, day=day)
    data, lines = pack_season(archive), lines_text(ranking, day)
    assert "summer" in lines
    kept = ("competition__slug", "day", "days", "countries", "reason", "made_at", "ended_at")
    events = list(EventListed.objects.order_by("pk").values_list(*kept))
    move_away()
    restored = import_season(data=data, by=SYSTEM)
    assert isinstance(restored, Ranking)
    assert lines_text(restored, day) == lines
    assert list(restored.events.order_by("pk").values_list(*kept)) == events
    assert pack_season(archive_of_ranking(ranking=restored, by=SYSTEM, day=day)) == data
    if source == "mers":
        assert EventResult.objects.filter(event__ranking=restored).count() == 8


def test_a_rating_of_guests_who_changed_tables_is_restored_with_the_games_in_the_order_of_play() -> None:
    parlour = parlours.parlour("banchi4", audience=Audience.PUBLIC)
    guests = [
        *parlours.guests(parlour, 5),
        *(add_guest(competition=parlour, name=name, by=SYSTEM) for name in ("六郎", "七郎", "八郎")),
    ]
    Player.objects.update(is_public=True, handle="Fox")
    wanderer, others = guests[0], guests[4:]
    one, two = parlours.sitting(parlour, guests[:4]), parlours.sitting(parlour, others, table="2")
    for sitting in (one, two):
        parlours.play(sitting)
    leave(seat=parlours.chair(one, 0), by=SYSTEM)
    for there, scores in ((two, (18700, 10000, 30100, 41200)), (one, (10000, 41200, 30100, 18700))):
        leave(seat=parlours.chair(two, 0), by=SYSTEM)
        join(sitting=there, seat=0, guest=Guest(entrant=wanderer), by=SYSTEM)
        parlours.play(there, scores)
    publish(parlour)
    ranking = create_ranking(slug="rate", name="レート", source="tenhou-r", is_public=True, by=SYSTEM)
    list_event(ranking=ranking, competition=parlour, facts=EventFacts(day=DAY), by=SYSTEM)
    archive = archive_of_ranking(ranking=ranking, by=SYSTEM, day=DAY.replace(year=2100))
    assert archive.outcome.count("banchi4") == 16
    data = pack_season(archive)
    move_away()
    again_ = import_season(data=data, by=SYSTEM)
    assert isinstance(again_, Ranking)
    assert pack_season(archive_of_ranking(ranking=again_, by=SYSTEM, day=DAY.replace(year=2100))) == data


def test_competitions_that_are_here_already_are_used_and_changed_ones_refused() -> None:
    ranking = circuit("mers")
    data = pack_season(archive_of_ranking(ranking=ranking, by=SYSTEM))
    Ranking.objects.update(slug="old")
    restored = import_season(data=data, by=SYSTEM)
    assert Competition.objects.count() == 2
    assert restored.slug == "circuit"
    Ranking.objects.filter(pk=restored.pk).update(slug="older")
    Competition.objects.filter(slug="spring").update(name="another")
    with pytest.raises(ArchiveRefusedError, match="another competition at “spring”"):
        import_season(data=data, by=SYSTEM)


def test_commands_archive_verify_and_import_series_and_rankings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    circuit("season-points")
    file = tmp_path / "circuit.zip"
    call_command("archive_ranking", "circuit", str(file))
    assert kind_of_archive(file.read_bytes()) == "ranking"
    call_command("verify_archive", str(file))
    assert "年間 (circuit) is whole and leads to its outcome" in capsys.readouterr().out
    with pytest.raises(CommandError, match="Only a competition"):
        call_command("import_archive", str(file), "--slug", "other")
    move_away()
    call_command("import_archive", str(file))
    assert "its outcome is the archive's" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no series “none”"):
        call_command("archive_series", "none", str(file))


def test_archives_are_downloaded_and_taken_in_over_rest_and_in_the_admin() -> None:
    series, ranking = series_of_two(), circuit("mers")
    chief = User.objects.create_superuser("chief")
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(chief)
    content = b""
    for name, row in (("series", series), ("rankings", ranking)):
        answer = Api(chief).send("get", f"{name}/{row.slug}/archive/")
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{row.slug}-archive.zip"'
        assert desk.get(f"/admin/league/{row._meta.model_name}/{row.pk}/archive/").content == answer.content
        content = answer.content
        assert Api(User.objects.create_user(name)).send("get", f"{name}/{row.slug}/archive/").status_code == 403
    move_away()
    Series.objects.update(slug="old")
    added = desk.post("/admin/league/competition/archive/", {"file": SimpleUploadedFile("a.zip", content)})
    made = Ranking.objects.get(slug="circuit")
    assert added["Location"] == f"/admin/league/ranking/{made.pk}/change/"
    again_ = desk.post("/admin/league/competition/archive/", {"file": SimpleUploadedFile("a.zip", content)})
    assert again_.status_code == 422


def test_only_those_who_direct_every_competition_get_an_archive() -> None:
    ranking = circuit("mers")
    organizer = User.objects.create_user("organizer")
    organizer.user_permissions.add(Permission.objects.get(codename="change_ranking"))
    with pytest.raises(PermissionRefusedError, match="its director"):
        archive_of_ranking(ranking=ranking, by=factories.actor(organizer))
    data = pack_season(archive_of_ranking(ranking=ranking, by=SYSTEM))
    move_away()
    with pytest.raises(PermissionRefusedError, match="set up competitions"):
        import_season(data=data, by=factories.actor(organizer))
