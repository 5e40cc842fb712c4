"""Tests of the change log in the admin: words for every kind, actors and subjects, search, filters and CSV export."""

from __future__ import annotations

import ast
import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

import league.services
from league.models import Change, Competition, Door, OrganizationChange, Role
from league.selectors.access.actors import Actor, Capability
from league.selectors.access.change_log import render_changes
from league.selectors.results.corrections import DECIDED, ENDED
from league.services.access.memberships import add_member
from league.services.access.tokens import TokenPlan, bearer_of, credential_of, make_token
from league.services.competitions.seating import SeatDraw, draw_seats
from league.services.competitions.setup import new_player
from league.services.competitions.wizard import Filling, fill_blocks
from league.wording.changes import KINDS
from league.wording.names import person_name, title_of
from tests import factories
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db
SERVICES = Path(league.services.__file__).parent
KIND = re.compile(r"[a-z_]+\.[a-z_]+")
RECORDING = {"record", "record_organization_change", "note", "decide", "_forget"}
LOG, OTHERS = "/admin/league/change/", "/admin/league/organizationchange/"


def kinds_in(tree: ast.AST) -> Iterator[str]:
    """Yield the kinds that the calls of a module record; a conditional expression yields both."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node.func) in RECORDING:
            first = [
                each
                for each in ast.walk(ast.Tuple(elts=node.args[:2], ctx=ast.Load()))
                if isinstance(each, ast.Constant)
            ]
            yield from (each.value for each in first if isinstance(each.value, str) and KIND.fullmatch(each.value))
        if isinstance(node, ast.Assign) and any(name_of(target) == "kind" for target in node.targets):
            values = (each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant))
            yield from (value for value in values if isinstance(value, str) and KIND.fullmatch(value))


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def recorded_kinds() -> set[str]:
    files = list(SERVICES.rglob("*.py"))
    files.append(SERVICES.parent / "admin" / "access" / "accounts.py")
    found = {kind for file in files for kind in kinds_in(ast.parse(file.read_text()))}
    return found | {f"competition.{status}" for status in Competition.Status.values} | set(DECIDED) | set(ENDED)


def test_every_kind_of_change_has_words_in_both_languages() -> None:
    recorded = recorded_kinds()
    assert len(recorded) > 60
    assert sorted(recorded - set(KINDS)) == []
    for language in ("ja", "en"):
        with translation.override(language):
            assert [kind for kind, words in KINDS.items() if not str(words) or str(words) == kind] == []


@pytest.fixture(scope="module")
def season(shared_rows: None) -> Competition:
    competition = factories.final_table(hanchan=8)
    hanchan = factories.table(competition.blocks.get()).hanchan.get(round=1)
    factories.play(hanchan)
    return competition


@pytest.fixture
def director(season: Competition, client: Client) -> Client:
    client.force_login(factories.user("director", Role.DIRECTOR, season, is_staff=True))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


def test_a_correction_is_described_by_player_name_with_both_scores(season: Competition) -> None:
    hanchan = season.blocks.get().hanchan.first() or pytest.fail("there is a hanchan")
    factories.play(hanchan, (20000, 31000, 29500, 19500), reason="misread", corrects=1)
    change = season.changes.get(kind="result.corrected")
    with translation.override("en"):
        (words,) = render_changes([change])
    assert words.what == "Result corrected"
    first = next(piece for piece in words.pieces if "20000" in piece.after)
    assert first.label == person_name(factories.seated(hanchan)[0].player, "en")
    assert f"score {factories.SCORES[0]}" in first.before
    assert "score 20000" in first.after


def test_blocks_and_seats_are_described_by_name_and_not_by_id(season: Competition) -> None:
    filled = factories.league("filled", status=None)
    fill_blocks(competition=filled, filling=Filling.SNAKE, by=factories.SYSTEM)
    block = filled.blocks.get(key="A")
    table = factories.table(block, people := factories.in_block(block)[:4], numbers=(1,))
    draw_seats(session=table.session, draw=SeatDraw(seed="7", redraws=True), by=factories.SYSTEM)
    with translation.override("en"):
        changes = {
            kind: render_changes([Change.objects.filter(competition=filled, kind=kind).latest("n")])[0]
            for kind in ("blocks.filled", "table_session.created", "seats.drawn")
        }
        said = {kind: "; ".join(map(str, one.pieces)) for kind, one in changes.items()}
        name = person_name(people[0].player)
        assert f"{title_of(block)}: " in said["blocks.filled"]
        assert name in said["blocks.filled"]
        assert title_of(block) in said["table_session.created"]
        assert f"{title_of(block)} · Hanchan 1: " in said["seats.drawn"]
        assert name in said["seats.drawn"]
    with translation.override("ja"):
        (drawn,) = render_changes([filled.changes.get(kind="seats.drawn")])
        assert [piece.label for piece in drawn.pieces if piece.label.isascii()] == []


def test_a_change_by_token_shows_the_token_label_even_after_the_token_is_deleted(season: Competition) -> None:
    chief = factories.user("chief", Role.DIRECTOR, season)
    plan = TokenPlan(label="scoreboard", scopes=[Capability.MANAGE], expires_in=dt.timedelta(days=1))
    made = make_token(plan=plan, by=Actor(user=chief, door=Door.PAGE))
    row = bearer_of(made.token) or pytest.fail("the token is good")
    by = Actor(user=row.user, door=Door.API, credential=credential_of(row))
    member = add_member(competition=season, user=factories.user("hana"), role=Role.READER, by=by)
    row.delete()
    with translation.override("en"):
        (words,) = render_changes([season.changes.get(kind="member.added")])
    assert words.who == "chief by token “scoreboard”"
    assert [str(piece) for piece in words.pieces] == ["account: hana", "role: reader"]
    assert words.about == str(member._meta.verbose_name)


def test_the_page_shows_changes_in_words_and_the_search_finds_those_words(
    director: Client, season: Competition
) -> None:
    page = director.get(LOG).content.decode()
    assert "Result confirmed" in page
    assert "result.confirmed" not in page.replace("?kind=result.confirmed", "").replace("kind=result.confirmed", "")
    found = director.get(LOG, {"q": "result conf"}).content.decode()
    assert "Result confirmed" in found
    assert director.get(LOG, {"q": "結果を確定"}).status_code == 200
    only = director.get(LOG, {"kind": "competition.created"})
    assert {change.kind for change in only.context["cl"].queryset} == {"competition.created"}


def test_the_csv_export_contains_the_filtered_rows_and_escapes_formulas(director: Client, season: Competition) -> None:
    Change.objects.filter(kind="competition.created").update(reason="=1+1")
    answer = director.get(f"{LOG}csv/", {"kind": "competition.created"})
    text = b"".join(answer.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    lines = text.strip().split("\r\n")
    assert len(lines) == 2
    assert "'=1+1" in lines[1]
    assert "Competition set up" in lines[1]


def test_a_superuser_can_read_but_not_add_edit_or_delete_changes(client: Client, season: Competition) -> None:
    client.force_login(factories.user("master", is_superuser=True, is_staff=True))
    new_player(name="花", by=SYSTEM)
    for model, page in ((Change, LOG), (OrganizationChange, OTHERS)):
        row = model._default_manager.first() or pytest.fail("there is a change")
        for address in (f"{page}{row.pk}/delete/", f"{page}{row.pk}/change/", f"{page}add/"):
            assert client.post(address, {"kind": "x", "reason": "x", "post": "yes"}).status_code == 403
        assert client.get(f"{page}{row.pk}/change/").status_code == 200


def test_directors_see_changes_of_players_but_not_of_other_accounts(director: Client) -> None:
    person = new_player(name="花", by=SYSTEM)
    OrganizationChange.objects.create(kind="two_factor.on", subject_type="user", subject_id="1", door=Door.PAGE)
    kinds = {change.kind for change in director.get(OTHERS).context["cl"].queryset}
    assert kinds == {"player.added"}
    assert str(person) in director.get(OTHERS).content.decode()


def test_a_scorer_cannot_read_the_organization_log(client: Client, season: Competition) -> None:
    client.force_login(factories.user("scorer", Role.SCORER, season, is_staff=True))
    assert client.get(LOG).status_code == 200
    assert client.get(OTHERS).status_code == 403


def test_a_longer_log_costs_no_more_queries(director: Client, season: Competition) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert director.get(LOG).status_code == 200
        return len(captured)

    before = cost()
    table = factories.table(season.blocks.get(), numbers=(5, 6, 7, 8))
    for hanchan in table.hanchan.order_by("round")[:3]:
        factories.play(hanchan, (41000 + 100 * hanchan.round, 30000, 20000, 9000 - 100 * hanchan.round))
    assert cost() <= before
