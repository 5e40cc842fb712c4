"""Exports and archives over REST: same content and same permissions as on the pages and in the admin."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from league.files.reading import ImportRefusedError
from league.models import Competition, Door, Membership, Role
from league.selectors.access.actors import Actor, Capability
from league.services.access.tokens import TokenPlan, make_token
from league.services.exchange.archives import verify_archive
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.league.odd_rows import ODD
from tests.league.parlours import parlour

pytestmark = pytest.mark.django_db
EXPORTS = "competitions/final/exports/"
ARCHIVE = "competitions/final/archive/"


@pytest.fixture(scope="module")
def shared_season(shared_rows: None) -> Competition:
    """Return a final with one hanchan played, and another played at a table under embargo."""
    competition = factories.final_table()
    factories.play(factories.table(competition.blocks.get()).hanchan.get(round=1), (41200, 30100, 32200, -3500))
    tomorrow = timezone.now() + dt.timedelta(days=1)
    held = factories.table(competition.blocks.get(), numbers=(2,), table="secret", public_at=tomorrow)
    factories.play(held.hanchan.get(), (99000, 1000, 0, 0), accept=("extreme_score",))
    publish_standings(competition.pk)
    return competition


@pytest.fixture
def season(shared_season: Competition) -> Competition:
    return Competition.objects.get(pk=shared_season.pk)


@pytest.fixture
def director(season: Competition) -> User:
    return factories.user("director", Role.DIRECTOR, season)


def limited(user: User, season: Competition, *scopes: Capability) -> Api:
    """Return a client whose token has exactly these scopes in this competition."""
    plan = TokenPlan(label="a club's site", scopes=scopes, competition=season, expires_in=dt.timedelta(days=30))
    api = Api()
    api.headers["Authorization"] = f"Token {make_token(plan=plan, by=Actor(user=user, door=Door.PAGE)).token}"
    return api


def test_an_export_over_rest_is_identical_to_the_download_of_its_page(season: Competition) -> None:
    kinds = ("standings", "results", "seats", "roster", "schedule")
    for kind, form in ((kind, form) for kind in kinds for form in ("csv", "json")):
        from_rest = Api().send("get", f"{EXPORTS}{kind}/", format=form, lang="en")
        from_page = Client().get(f"/c/final/{kind}.{form}?lang=en")
        assert from_rest.content == from_page.getvalue(), (kind, form)
        assert from_rest.headers["Content-Disposition"] == f'attachment; filename="final-{kind}.{form}"'


def test_json_is_the_default_format(season: Competition) -> None:
    [first, *_rest] = Api().get(f"{EXPORTS}standings/")
    assert (first["rank"], first["points"]) == (1, "51.2")


def test_a_spreadsheet_stores_numbers_as_numbers(season: Competition) -> None:
    answer = Api().send("get", f"{EXPORTS}results/", format="xlsx", lang="en")
    page = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    assert page is not None
    header, row = page.iter_rows(max_row=2, values_only=True)
    assert dict(zip(header, row, strict=True))["score4"] == -3500


def test_column_headers_follow_the_requested_language(season: Competition) -> None:
    japanese = Api(language="ja").send("get", f"{EXPORTS}standings/", format="csv").content.decode("utf-8-sig")
    english = (
        Api(language="ja").send("get", f"{EXPORTS}standings/", format="csv", lang="en").content.decode("utf-8-sig")
    )
    assert "順位" in next(csv.reader(io.StringIO(japanese)))
    assert "rank" in next(csv.reader(io.StringIO(english)))


def test_embargoed_results_are_exported_to_staff_tokens_only(season: Competition, director: User) -> None:
    stranger = Api(factories.user("stranger"))
    for public in (Api(), stranger):
        assert "99000" not in json.dumps(public.get(f"{EXPORTS}results/"))
        assert "secret" not in json.dumps(public.get(f"{EXPORTS}schedule/"))
    assert "99000" in json.dumps(limited(director, season, Capability.READ).get(f"{EXPORTS}results/"))


def test_a_token_for_another_competition_exports_only_public_results(season: Competition, director: User) -> None:
    other = factories.final_table("other")
    Membership.objects.create(user=director, role=Role.DIRECTOR, competition=other)
    assert "99000" not in json.dumps(limited(director, other, Capability.READ).get(f"{EXPORTS}results/"))


def test_games_of_an_open_table_are_exported_to_its_staff_only(season: Competition) -> None:
    hall = parlour()
    path = f"competitions/{hall.slug}/exports/results/"
    Api().get(path, expect=404)
    Api(factories.user("counter", Role.SCORER, hall)).get(path)


def test_an_unknown_table_format_or_parameter_is_refused(season: Competition) -> None:
    Api().get(f"{EXPORTS}secrets/", expect=404)
    assert Api().send("get", f"{EXPORTS}results/", format="exe").status_code == 406
    assert Api().get(f"{EXPORTS}results/", expect=400, language="en")["code"] == "invalid_request"


def test_an_unchanged_export_gives_304(season: Competition) -> None:
    tag = Api().send("get", f"{EXPORTS}results/", format="csv").headers["ETag"]
    again = Api().send("get", f"{EXPORTS}results/", headers={"If-None-Match": tag}, format="csv")
    assert (again.status_code, again.content) == (304, b"")


def test_an_archive_is_sent_to_a_manager_and_verifies(season: Competition, director: User) -> None:
    answer = limited(director, season, Capability.READ, Capability.MANAGE).send("get", ARCHIVE)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"
    assert verify_archive(data=answer.content).name == season.name


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ODD)
def test_an_archive_of_invalid_rows_is_exported_and_refused_on_verification(
    season: Competition, director: User, name: str
) -> None:
    store, told = ODD[name]
    store()
    answer = Api(director).send("get", ARCHIVE)
    assert answer.status_code == 200
    with pytest.raises(ImportRefusedError) as refused:
        verify_archive(data=answer.content)
    assert told in str(refused.value)


def test_an_archive_is_refused_to_other_users(season: Competition, director: User) -> None:
    Api().get(ARCHIVE, expect=401)
    Api(factories.user("scorer", Role.SCORER, season)).get(ARCHIVE, expect=403)
    limited(director, season, Capability.READ).get(ARCHIVE, expect=403)


def test_an_unchanged_archive_gives_304(season: Competition, director: User) -> None:
    api = Api(director)
    tag = api.send("get", ARCHIVE).headers["ETag"]
    assert api.send("get", ARCHIVE, headers={"If-None-Match": tag}).status_code == 304
