"""Test that a player's total is the same on every page and in every document, and is shown as its sum."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, Entrant, Hanchan, Role, Standing, Tally
from league.services.competitions.schedule import hold_back
from league.services.exchange.archives import standings_text
from league.services.parlour.people import merge_players
from league.services.results.rulings import adjust_points
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league.files import FOUR, imported

pytestmark = pytest.mark.django_db

FORMAT = """
name = "carried"
title = { ja = "持ち越し", en = "Carried over" }
players = 4
entrants = 4
note = { ja = "例", en = "An example" }
[tiebreak]
[champion]
block = "final"
note = { ja = "優勝", en = "Champion" }
[[stages]]
key = "first"
title = { ja = "予選", en = "First round" }
hanchan = 2
seating = "stay"
assignment = "seeded"
carry_over = { kind = "none", note = { ja = "0から", en = "From zero" } }
note = { ja = "予選", en = "First round" }
[[stages.blocks]]
key = "first"
title = { ja = "予選", en = "First round" }
entrants = [{ from = "seed:1-4", note = { ja = "4名", en = "Four" } }]
[[stages]]
key = "final"
title = { ja = "決勝", en = "Final" }
hanchan = 4
seating = "stay"
assignment = "seeded"
carry_over = { kind = "half", rounding = "away_from_zero", note = { ja = "半分", en = "Half" } }
note = { ja = "決勝", en = "Final" }
[[stages.blocks]]
key = "final"
title = { ja = "決勝", en = "Final" }
entrants = [{ from = "first#1-4", note = { ja = "4名", en = "Four" } }]
"""
"""Two hanchan, then a final of four with half of each player's points carried over."""

HEAD = f"""
[competition]
slug = "cup"
name = "杯"
status = "published"
[[rules]]
ruleset = "cinderella"
format = "carried"
since = 2026-10-01T00:00:00
[[formats]]
key = "carried"
name = "carried"
text = '''{FORMAT}'''
"""
PLAYED = (
    "{ number = 1, results = [{ scores = [41200, 30100, 18700, 10000] }] }",
    "{ number = 2, results = [{ scores = [33000, 12000, 27300, 27700] }] }",
    "{ number = 3, results = [{ scores = [9000, 45500, 24500, 21000] }] }",
    "{ number = 4 }",
)
FOUR_KEYS = '["ann", "bea", "cho", "dai"]'


def table(session: int, block: str, *hanchan: str) -> str:
    """Return a table of the file with the four players and these hanchan."""
    listed = ",\n".join(hanchan)
    head = f'[[tables]]\nsession = {session}\nblock = "{block}"\nplayers = {FOUR_KEYS}\n'
    return f"{head}hanchan = [\n{listed}\n]\n"


@pytest.fixture(scope="module")
def played_cup(shared_rows: None) -> Competition:
    """Play a cup in which Ann carries points over, has three adjustments and one hanchan left to play."""
    seeds = FOUR.replace("final = [", "first = [") + "[[sessions]]\nnumber = 2\n"
    competition = imported(HEAD + seeds + table(1, "first", *PLAYED[:2]) + table(2, "final", *PLAYED))
    for block, points, reason in (
        ("first", -100, "no name tag"),
        ("final", -200, "an hour late"),
        ("final", 55, "kind"),
    ):
        row = competition.blocks.get(key=block)
        adjust_points(block=row, entrant=ann(competition), points=points, by=factories.SYSTEM, reason=reason)
    publish_standings(competition.pk)
    return competition


@pytest.fixture
def cup(played_cup: Competition) -> Competition:
    return Competition.objects.get(pk=played_cup.pk)


def ann(competition: Competition) -> Entrant:
    """Return the player with the penalty."""
    return Entrant.objects.get(competition=competition, player__key="ann")


def source(path: str, client: Client | None = None) -> str:
    """Return a page or document in English; `{table}`, `{third}` and `{last}` refer to the final."""
    ids = {f"{row.number}": row for row in Hanchan.objects.filter(block__key="final")}
    names = {"table": ids["4"].table_session_id, "third": ids["3"].pk, "last": ids["4"].pk} if ids else {}
    answer = (client or Client(headers={"accept-language": "en"})).get(path.format(**names))
    assert answer.status_code == 200, path
    return answer.getvalue().decode()


def found(pattern: str, path: str) -> list[str]:
    """Return the matches of the pattern's group in a page; `<>` in the pattern stands for tags and spaces."""
    return re.findall(pattern.replace("<>", r"(?:<[^>]*>|\s)*"), OUTSIDE.sub("", source(path)), flags=re.DOTALL)


OUTSIDE = re.compile(
    r' <a class="why"[^>]*>\*</a>|<abbr title="adjusted.*?</abbr>|<title>adjusted[^<]*</title>\*| \(adjusted [^)]*\)'
)
"""The mark beside a total with points from outside the hanchan."""
FINAL = r"Final<>1st<>([-\d.]+)<"
OF_ANN = r"Ann<>([-\d.]+)<"
MADE_OF = r"Final: what the total is made of.*?Total<>([-\d.]+)<"
RESULTS = r"Final: results of Ann, newest first.*?Total<>([-\d.]+)<"
COURSE = r"Final, running total over 3 hanchan: ([-\d.]+) at the end"
PAGES = {
    "the player's page": ("/c/cup/players/ann/", (FINAL, RESULTS, COURSE)),
    "the player's page for all competitions": ("/players/ann/", (MADE_OF, COURSE)),
    "the competition's page": (
        "/c/cup/",
        (
            r'id="stage-final".*?>Ann<.*?class="n tot[^>]*>([-\d.]+)<',
            r'blocks/final/" transform="[^"]*"><rect.*?Ann<>([-\d.]+)</text>',
        ),
    ),
    "the block's page": (
        "/c/cup/blocks/final/",
        (
            r"<caption[^>]*>Standings of Final.*?Ann<>([-\d.]+)<",
            r'class="sums">.*?Ann<>([-\d.]+)<',
            r'id="grid-title".*?>Ann<.*?<small>([-\d.]+)</small></td><td class="num"><span class="none">',
            r'id="grid-title".*?>Ann<.*?class="num total">([-\d.]+)[ <]',
        ),
    ),
    "the charts": ("/c/cup/blocks/final/charts/", (r">Ann</a>.*?(?:<td.*?){2}<td[^>]*><>([-\d.]+)<",)),
    "the conditions": ("/c/cup/conditions/", (OF_ANN,)),
    "the sheet of conditions": ("/c/cup/tables/{table}/conditions/", (OF_ANN,)),
    "the screen in the hall": ("/c/cup/projector/", (r'>Ann<.*?class="[^"]*tot[^>]*>([-\d.]+)<',)),
    "the standings in a frame": (
        "/embed/cup/standings/",
        (r'>Final</a></h3>.*?>Ann<.*?class="n tot[^>]*>([-\d.]+)<',),
    ),
    "the ladder in a frame": ("/embed/cup/ladder/", (r"<h3[^>]*>Final</h3>.*?Ann<>([-\d.]+)<",)),
    "the text to post": ("/c/cup/hanchan/{third}/", (r"Totals in Final: 1st Ann \+([-\d.]+),",)),
}


@pytest.mark.parametrize("place", PAGES)
def test_every_page_shows_the_total_of_the_standings(cup: Competition, place: str) -> None:
    path, patterns = PAGES[place]
    for pattern in patterns:
        assert found(pattern, path)[:1] == [total_of(cup)], pattern


def total_of(cup: Competition) -> str:
    """Return Ann's published total in the final."""
    row = Standing.objects.get(block__competition=cup, block__key="final", entrant=ann(cup), audience="public")
    assert (row.total, row.carried, row.adjustment) == (808, 421, -145)
    return "80.8"


def rows_of(path: str, *names: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of the final in a document, found under these names."""
    document = json.loads(source(f"/api/v1/{path}"))
    for block in document["blocks"] if "blocks" in document else document["outcome"]["blocks"]:
        if block["key"] == "final":
            for row in block[names[0]]:
                yield row[names[1]] if len(names) > 1 else row


def lines_of(path: str) -> list[dict[str, str]]:
    """Return the rows of the final in a CSV file."""
    lines = csv.DictReader(io.StringIO(source(f"/api/v1/{path}").removeprefix("\ufeff")))
    return [line for line in lines if line["block"].lower() == "final"]


TRIED = "{last}:30000,30000,20000,20000"
DOCUMENTS: dict[str, Callable[[], object]] = {
    "standings": lambda: next(rows_of("standings/?competition=cup", "rows"))["total"],
    "standings as CSV": lambda: lines_of("standings/?competition=cup&format=csv")[0]["total"],
    "explanations": lambda: next(rows_of("competitions/cup/explanations/", "pairs", "above"))["total"],
    "conditions": lambda: next(rows_of("competitions/cup/conditions/", "players"))["total"],
    "results tried out": lambda: next(rows_of(f"competitions/cup/what-if/?results={TRIED}", "rows"))["total_before"],
    "the file of standings": lambda: lines_of("competitions/cup/exports/standings/?format=csv&lang=en")[0]["points"],
}


@pytest.mark.parametrize(
    ("path", "marks"), [("/c/cup/", 2), ("/embed/cup/standings/", 2), ("/c/cup/projector/", 1)]
)  # Ann is adjusted in the first round and in the final; the projector shows only the final.
def test_adjusted_totals_are_marked_in_lists(cup: Competition, path: str, marks: int) -> None:
    page = Client(headers={"accept-language": "en"}).get(path).content.decode()
    assert len(re.findall(r' title="adjusted -1[04]\.[05]"', page)) == marks


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_every_document_has_the_total_of_the_standings(cup: Competition, kind: str) -> None:
    assert DOCUMENTS[kind]() == total_of(cup)


def test_an_archive_has_the_total_of_the_standings(cup: Competition) -> None:
    rows = json.loads(standings_text(cup))["standings"]
    assert [row["total"] for row in rows if (row["block"], row["player"]) == ("final", "ann")] == [808]


def test_the_page_of_all_competitions_shows_the_summands_of_each_total(cup: Competition) -> None:
    assert summands("/players/ann/", r"<caption>(\w[^<]*): what the total is made of(.*?)</table>") == {
        "First round": ["2 hanchan+94.2", "adjusted: no name tag -10.0", "Total84.2"],
        "Final": [
            "carried over+42.1",
            "3 hanchan+53.2",
            "adjusted: an hour late -20.0",
            "adjusted: kind +5.5",
            "Total80.8",
        ],
    }


def test_a_players_page_shows_penalties_and_points_carried_over_below_the_results(cup: Competition) -> None:
    assert summands("/c/cup/players/ann/", r"<caption>(\w[^<]*): results of Ann.*?(<tr class=.*?)</table>") == {
        "Final": ["adjusted: an hour late -20.0", "adjusted: kind +5.5", "carried over +42.1", "Total80.8"],
        "First round": ["adjusted: no name tag -10.0", "Total84.2"],
    }


def summands(path: str, table: str) -> dict[str, list[str]]:
    """Return the lines of each block's table in a page: what, and how many points."""
    line = r">([^<>]+)<small.*?>([+-][\d.]+)<|<th[^>]*>([^<]+)</th><td[^>]*>([+-]?[\d.]+)<"
    tables = re.findall(table, source(path), re.DOTALL)
    return {block: ["".join(found) for found in re.findall(line, rows)] for block, rows in tables}


def test_a_total_of_hanchan_only_is_shown_without_summands(cup: Competition) -> None:
    page = source("/players/bea/")
    assert "First round: what the total is made of" not in page
    assert "Final: what the total is made of" in page, "she carries points over"


@pytest.mark.both_databases
def test_the_public_does_not_see_a_penalty_given_after_a_result_under_embargo(cup: Competition) -> None:
    last = Hanchan.objects.get(block__key="final", number=4)
    hold_back(table_session=last.table_session, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    factories.play(last, (20_000, 30_000, 40_000, 10_000))
    final = cup.blocks.get(key="final")
    adjust_points(block=final, entrant=ann(cup), points=-300, by=factories.SYSTEM, reason="left early")
    publish_standings(cup.pk)
    director = director_client(cup)
    for path in ("/c/cup/players/ann/", "/players/ann/"):
        assert "adjusted: left early" in source(path, director), path
        page = source(path)
        assert "left early" not in page, path
        assert "-30.0" not in page, path


def test_the_points_of_a_single_table_are_labelled_as_a_subtotal(cup: Competition) -> None:
    for path in ("/c/cup/tables/{table}/", "/c/cup/sessions/2/"):
        heads = found(r'<th scope="col" class="num">(\w+)</th>', path)
        assert heads == ["Subtotal"], path


def director_client(competition: Competition) -> Client:
    """Return a client logged in as the competition's director, in English."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("director", role=Role.DIRECTOR, competition=competition))
    return client


@pytest.mark.both_databases
def test_a_guests_page_has_the_same_total_as_the_ranking() -> None:
    parlour = factories.league("free", league_format="open-play", kind=Competition.Kind.OPEN)
    people = factories.entrants(parlour, 4)
    played = factories.table(parlour.blocks.get(), people, numbers=(1, 2))
    factories.play_all(played, factories.SCORES, (10_000, 20_000, 30_000, 40_000))
    adjust_points(
        block=parlour.blocks.get(), entrant=people[0], points=-200, by=factories.SYSTEM, reason="broke a tile"
    )
    publish_standings(parlour.pk)
    tally = Tally.objects.get(entrant=people[0], period=Tally.Period.ALL, audience="staff")
    staff = director_client(parlour)
    page = source(f"/c/{parlour.slug}/players/{people[0].player.key}/", staff)
    assert "adjusted: broke a tile" in page
    assert re.findall(r"Total</th><td[^>]*>([-\d.]+)<", page) == [f"{tally.points / 10}"] == ["-8.8"]


def test_a_merged_guest_has_one_total_over_the_games_of_both_entries() -> None:
    parlour = factories.league("free", league_format="open-play", kind=Competition.Kind.OPEN)
    people = factories.entrants(parlour, 5)
    for company in (people[:4], people[1:]):
        factories.play(factories.table(parlour.blocks.get(), company, numbers=(1,)).hanchan.get())
    merge_players(duplicate=people[4].player, keep=people[0].player, by=factories.SYSTEM, reason="one person")
    publish_standings(parlour.pk)
    page = source(f"/c/{parlour.slug}/players/{people[0].player.key}/", director_client(parlour))
    assert re.findall(r'All players</a> <strong>\w+</strong> <span class="num">([-\d.]+)<', page) == ["11.2"]
    assert re.findall(r"<dt>Hanchan</dt><dd[^>]*>(\d+)<", page) == ["2"]
    assert "substitute" not in page
    assert "what the total is made of" not in page
