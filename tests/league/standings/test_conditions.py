"""Test the conditions for advancing: pages, the sheet for a table, and what-if results."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Hashable
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from league.models import Competition, Hanchan, Role, SlotState
from league.selectors.access.readers import reader_of
from league.selectors.standings.conditions import conditions_of
from league.services.competitions.schedule import hold_back
from league.services.competitions.seating import SeatDraw, draw_seats
from league.services.competitions.setup import set_status
from league.services.results.rulings import adjust_points, pass_over
from league.services.standings.publishing import publish_standings
from league.wording.messages import DecidedBy
from league.wording.standings import conditions as words
from league.wording.standings.conditions import SeparatedBy
from scoring.conditions import (
    ALWAYS_TRUE,
    NEVER_TRUE,
    Cell,
    Clauses,
    Condition,
    ConditionClause,
    MarginKind,
    Obstacle,
    Says,
    Sentence,
    Span,
    Status,
    TieLevel,
    TieMargin,
    Word,
)
from tests import factories
from tests.factories import SYSTEM
from tests.league.misseated import misseated_final
from tests.league.played_season import BY, Season, almost_finished, preliminary

pytestmark = pytest.mark.django_db
TAG = re.compile(r"<[^>]*>")


@pytest.fixture
def visitor() -> Client:
    """Return an anonymous client that reads English."""
    return Client(headers={"accept-language": "en"})


def source_of(client: Client, path: str) -> str:
    """Return the page's HTML; the status must be 200."""
    response = client.get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def text_of(client: Client, path: str) -> str:
    """Return the page's text."""
    return " ".join(TAG.sub(" ", source_of(client, path)).split())


def last_round() -> Season:
    """Play both preliminary blocks except each player's last hanchan."""
    return preliminary(7)


def last_of(season: Season, block: str = "final") -> Hanchan:
    """Return the block's first hanchan still to be played."""
    waiting = Hanchan.objects.filter(block=season.block(block), state=Hanchan.State.SCHEDULED)
    first = waiting.order_by("number", "table_session__order").first()
    assert first is not None
    return first


# ─── conditions ───


def test_before_the_last_hanchan_of_the_final_each_players_conditions_are_sentences(visitor: Client) -> None:
    season = almost_finished()
    page = text_of(visitor, "/c/spring/conditions/")
    assert "1st enough for the title" in page
    assert re.search(r"2nd if \w+ is 1st: at most [\d,]+ behind", page), "family names, one case at a time"
    assert "3 others behind" not in page, "trivial in a final"
    assert "assumes no chonbo" in page
    assert f"/c/spring/tables/{last_of(season).table_session_id}/conditions/" in source_of(
        visitor, "/c/spring/conditions/"
    )


def test_the_conditions_page_can_be_rendered_in_japanese() -> None:
    almost_finished()
    assert text_of(Client(headers={"accept-language": "ja"}), "/c/spring/conditions/")


def test_the_sheet_of_a_table_lists_every_case_for_each_player(visitor: Client) -> None:
    season = almost_finished()
    path = f"/c/spring/tables/{last_of(season).table_session_id}/conditions/"
    page = source_of(visitor, path)
    assert page.count("<article>") == 4
    assert page.count('<table class="margins">') == 8
    assert "The same sheet for all players at the table." in text_of(visitor, path)


def test_a_table_that_is_not_before_its_last_hanchan_has_no_sheet(visitor: Client) -> None:
    season = almost_finished()
    done = Hanchan.objects.filter(block=season.block("po1")).first()
    assert done is not None
    assert "There is no sheet for this table now." in text_of(
        visitor, f"/c/spring/tables/{done.table_session_id}/conditions/"
    )
    assert visitor.get("/c/spring/tables/999999/conditions/").status_code == 404


def test_conditions_that_depend_on_the_other_table_become_exact_once_it_has_played(visitor: Client) -> None:
    season = last_round()
    before = conditions_of(reader_of(season.competition, None), block=season.block("A"))[0]
    assert len(before.last) == 2
    assert "depends on the games of" in text_of(visitor, "/c/spring/conditions/")
    season.play(before.last[0])
    season.publish()
    after = conditions_of(reader_of(season.competition, None), block=season.block("A"))[0]
    assert [row.pk for row in after.last] == [before.last[1].pk]
    told = [each for target in after.targets for each in target.players if each.needs]
    assert told
    assert all(each.needs and not each.needs.hangs_on for each in told)
    path = f"/c/spring/tables/{after.last[0].table_session_id}/conditions/"
    assert "Final score needed over those who have finished" in text_of(visitor, path)


def test_with_several_hanchan_left_the_page_shows_distance_and_average(visitor: Client) -> None:
    preliminary(6)
    page = text_of(visitor, "/c/spring/conditions/")
    assert re.search(r"[\d.]+ behind .+: [\d.]+ more in each of 2 hanchan", page)
    assert re.search(r"[\d.]+ ahead of .+: [\d.]+ in each of 2 hanchan", page)


def test_a_season_without_results_and_a_finished_block_have_no_conditions(visitor: Client) -> None:
    season = Season()
    assert "Nothing is being decided at the moment." in text_of(visitor, "/c/spring/conditions/")
    season.play_preliminary()
    assert conditions_of(reader_of(season.competition, None), block=season.block("A")) == ()


def test_results_under_embargo_change_no_public_condition(visitor: Client) -> None:
    season = last_round()
    table = last_of(season, "A").table_session
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=BY)
    season.play(last_of(season, "A"), (70_000, 20_000, 9_000, 1_000))
    season.publish()
    shown = conditions_of(reader_of(season.competition, None), block=season.block("A"))[0]
    assert sorted(shown.situation.left.values()) == [1] * 4 + [4] * 4
    assert table.pk not in {row.table_session_id for row in shown.last}
    director = factories.user(role=Role.DIRECTOR, competition=season.competition)
    staff = conditions_of(reader_of(season.competition, director), block=season.block("A"))[0]
    assert list(staff.situation.left.values()).count(0) == 4
    assert "depends on the games of" in text_of(visitor, "/c/spring/conditions/")


def test_a_passed_over_player_blocks_no_other_player(visitor: Client) -> None:
    season = last_round()
    block = season.block("A")
    first = conditions_of(reader_of(season.competition, None), block=block)[0]
    leader = first.people[first.ranked[0].entrant]
    pass_over(block=block, entrant=leader, by=BY, reason="Cannot come to the final.")
    season.publish()
    after = conditions_of(reader_of(season.competition, None), block=block)[0]
    assert leader.pk not in after.situation.rows
    assert len(after.ranked) == 7
    assert [each.target.places for each in after.targets] == [1, 2, 3, 5]


@pytest.mark.both_databases
def test_a_ruleset_not_decided_by_margins_says_so_and_claims_only_provable_statuses(
    visitor: Client,
) -> None:
    competition = factories.final_table(ruleset="boo")
    table = factories.table(competition.blocks.get())
    for hanchan in table.hanchan.order_by("round")[:3]:
        factories.play(hanchan, (4_400, 1_800, 1_500, 300), accept={"same_result_twice"})
    publish_standings(competition.pk)
    page = text_of(visitor, "/c/final/conditions/")
    assert "Margins do not say it all under these rules." in page
    assert "Sunk players pay the top." in page
    competition.refresh_from_db()
    (block,) = conditions_of(reader_of(competition, None))
    assert [each.status.word for each in block.targets[0].players] == [Word.CERTAIN] + [Word.ELIMINATED] * 3
    assert "What each needs" in text_of(visitor, "/c/final/blocks/final/")
    assert "There is no sheet" in text_of(visitor, f"/c/final/tables/{table.pk}/conditions/")


def test_an_open_table_has_no_conditions(visitor: Client) -> None:
    factories.league("open", ruleset="banchi4", league_format="open-play", kind=Competition.Kind.OPEN)
    assert visitor.get("/c/open/conditions/").status_code == 404
    assert visitor.get("/c/open/what-if/").status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_results(visitor: Client) -> None:
    counted = []
    for slug, hanchan in (("few", 5), ("many", 7)):
        Season(slug).play_preliminary(hanchan_each=hanchan)
        with CaptureQueriesContext(connection) as queries:
            source_of(visitor, f"/c/{slug}/conditions/")
        counted.append(len(queries))
    assert counted[0] == counted[1] <= 36


# ─── why this rank ───


def test_each_pair_of_neighbours_can_be_expanded_into_both_totals(visitor: Client) -> None:
    season = preliminary(3)
    season_block = season.block("A")
    one = season_block.slots.select_related("seeded").first()
    assert one is not None
    assert one.seeded is not None
    adjust_points(block=season_block, entrant=one.seeded, points=-100, by=BY, reason="Late.")
    season.publish()
    page = source_of(visitor, "/c/spring/blocks/A/")
    why = page.partition('id="why-title"')[2].partition("</section>")[0]
    assert why.count("<details>") == 7
    assert why.count("/c/spring/hanchan/") == 2 * 3 * 7
    assert "more in all" in why
    assert "adjusted" in why
    assert "CL-003" in why


def test_a_running_block_shows_each_players_conditions(visitor: Client) -> None:
    last_round()
    page = text_of(visitor, "/c/spring/blocks/A/")
    assert "What each needs" in page
    assert "What each needs" not in text_of(visitor, "/c/spring/blocks/po1/")


# ─── what-if ───


def what_if_url(hanchan: Hanchan, *scores: object, deposits: str = "") -> str:
    """Return the what-if URL for these scores."""
    query = "&".join(f"s{hanchan.pk}={score}" for score in scores)
    return f"/c/spring/what-if/?{query}&d{hanchan.pk}={deposits}"


def test_a_what_if_shows_standings_and_ladder_and_writes_nothing(visitor: Client) -> None:
    season = almost_finished()
    hanchan = last_of(season)
    version = season.competition.version
    page = text_of(visitor, what_if_url(hanchan, 100, 200, 300, 380, deposits="2000"))
    assert "40,000" in page
    assert "Standings of Final if it ends like this" in page
    assert re.search(r"Champion \S+ \S+", page)
    season.competition.refresh_from_db()
    assert season.competition.version == version
    assert not hanchan.sheets.exists()


def test_an_empty_score_in_a_what_if_gets_the_remaining_points(visitor: Client) -> None:
    hanchan = last_of(almost_finished())
    assert "28,100" in text_of(visitor, what_if_url(hanchan, "412", "30,700", "", "0"))


def test_a_what_if_for_the_last_round_fills_the_later_places(visitor: Client) -> None:
    season = last_round()
    states = SlotState.objects.filter(slot__block=season.block("final"), audience="public")
    assert {state.state for state in states} <= {"provisional", "open"}
    query = "&".join(
        f"s{row.pk}={score}"
        for row in conditions_of(reader_of(season.competition, None), block=season.block("A"))[0].last
        for score in (400, 300, 200, 100)
    )
    page = text_of(visitor, f"/c/spring/what-if/?{query}")
    ladder = page.partition("Ladder")[2]
    assert "Playoff 3" in ladder
    assert "certain" in ladder


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (("412", "", "", ""), "one may be left empty"),
        (("412", "300", "200", "10"), "add up to"),
        (("412", "abc", "200", ""), "is not a score"),
        (("4" * 30, "300", "200", ""), "is too long"),
    ],
)
def test_an_invalid_what_if_shows_its_error_and_keeps_the_input(
    visitor: Client, scores: tuple[str, ...], said: str
) -> None:
    hanchan = last_of(almost_finished())
    page = source_of(visitor, what_if_url(hanchan, *scores))
    assert said in page
    assert "Error:" in page
    for score in filter(None, scores):
        assert f'value="{score}"' in page
    assert "What would follow is shown here." in page


def test_a_what_if_shows_the_one_of_two_tables_that_can_be_settled(visitor: Client) -> None:
    season = last_round()
    good, bad = conditions_of(reader_of(season.competition, None), block=season.block("A"))[0].last
    query = "&".join([f"s{good.pk}=400,300,200,100", f"s{bad.pk}=400,300,200,900"])
    page = text_of(visitor, f"/c/spring/what-if/?{query}")
    assert "add up to" in page
    assert "These results" in page


def test_each_what_if_has_its_own_etag_and_answers_304_to_it(visitor: Client) -> None:
    hanchan = last_of(almost_finished())
    path = what_if_url(hanchan, 400, 300, 200, 100)
    first = visitor.get(path)
    assert first.headers["ETag"] != visitor.get("/c/spring/what-if/").headers["ETag"]
    assert visitor.get(path, headers={"if-none-match": first.headers["ETag"]}).status_code == 304


def test_without_a_table_in_play_the_what_if_page_says_so(visitor: Client) -> None:
    Season()
    assert "No table is in play." in text_of(visitor, "/c/spring/what-if/")


def test_a_what_if_leaves_out_a_table_whose_player_has_lost_the_place(visitor: Client) -> None:
    session, _players = misseated_final()
    assert "No table is in play." in text_of(visitor, "/c/rests/what-if/")
    draw_seats(session=session, draw=SeatDraw(seed="again", redraws=True), by=SYSTEM)
    assert "Try it out" in text_of(visitor, "/c/rests/what-if/")


def test_a_closed_competition_has_no_table_for_a_what_if(visitor: Client) -> None:
    season = almost_finished()
    assert "Try it out" in text_of(visitor, "/c/spring/what-if/")
    set_status(competition=season.competition, status=Competition.Status.CLOSED, by=SYSTEM)
    assert "No table is in play." in text_of(visitor, "/c/spring/what-if/")


# ─── wording ───

NAMES: dict[Hashable, str] = {"B": "Bee", "C": "Cee"}
HERE, THERE = words.SentenceContext(NAMES, "", "the title"), words.SentenceContext(NAMES, "table 2", "the title")


def clauses(*parts: ConditionClause, otherwise: object = NEVER_TRUE, is_complete: bool = False) -> Clauses:
    """Build clauses with a default case."""
    return Clauses(parts, otherwise, is_complete)  # type: ignore[arg-type]


IF_THIRD = ConditionClause((("B", (3,)),), ((Condition("B", 7_800),),))


@pytest.mark.parametrize(
    ("sentence", "told", "text"),
    [
        (Sentence(Says.ENOUGH, (1, 2)), HERE, "1st, 2nd: enough for the title."),
        (Sentence(Says.ENOUGH, (1,)), THERE, "1st: enough for the title, whatever happens at other tables."),
        (Sentence(Says.OUT, (4,)), HERE, "4th: out of reach."),
        (Sentence(Says.OUT, (4,)), THERE, "4th: out of reach, whatever happens at other tables."),
        (Sentence(Says.DEPENDS, (2,)), THERE, "2nd: depends on table 2."),
        (Sentence(Says.ELSE, (2,)), THERE, "2nd: otherwise depends on table 2."),
        (
            Sentence(Says.NEEDS, (2,), clauses(IF_THIRD)),
            HERE,
            "2nd: if Bee is 3rd: 7,800 ahead or more; otherwise out of reach.",
        ),
        (
            Sentence(Says.NEEDS, (2,), clauses(IF_THIRD, otherwise=ALWAYS_TRUE)),
            HERE,
            "2nd: if Bee is 3rd: 7,800 ahead or more; otherwise always enough.",
        ),
        (
            Sentence(Says.SURE, (2,), clauses(IF_THIRD)),
            THERE,
            "2nd: enough for the title whatever happens at other tables: if Bee is 3rd: 7,800 ahead or more.",
        ),
        (
            Sentence(
                Says.POSSIBLE, (2,), clauses(ConditionClause((), ((Condition(None, 18_600),),)), is_complete=True)
            ),
            THERE,
            "2nd: depends on table 2; needed in any case: a final score of 18,600 or more.",
        ),
        (
            Sentence(Says.POSSIBLE, (2,), clauses(IF_THIRD, otherwise=ALWAYS_TRUE)),
            THERE,
            ("2nd: depends on table 2; needed in any case: if Bee is 3rd: 7,800 ahead or more; otherwise any margin."),
        ),
        (
            Sentence(
                Says.NEEDS,
                (3,),
                clauses(
                    ConditionClause(
                        (("B", (1, 2)), ("C", (4,))),
                        ((Condition("B", -21_100), Condition("C", 0)), (Condition(None, 40_000),)),
                    ),
                    ConditionClause((("B", (4,)),), ALWAYS_TRUE),
                    ConditionClause((("C", (1,)),), NEVER_TRUE),
                    is_complete=True,
                ),
            ),
            HERE,
            (
                "3rd: if Bee is 1st or 2nd and Cee is 4th: at most 21,100 behind Bee and level with Cee or ahead, or a "
                "final score of 40,000 or more; if Bee is 4th: always enough; if Cee is 1st: out of reach."
            ),
        ),
    ],
)
def test_sentences_contain_every_condition(sentence: Sentence, told: words.SentenceContext, text: str) -> None:
    assert words.sentence_text(sentence, told) == text


def test_an_overlong_sentence_refers_to_the_table() -> None:
    assert "the table has every case" in words.sentence_text(Sentence(Says.TABLE, (2,)), HERE)
    assert "depends on table 2" in words.sentence_text(Sentence(Says.TABLE, (2,)), THERE)
    assert "the organizer decides" in words.sentence_text(Sentence(Says.RULING, ()), HERE)


SECOND = Span(2)


def cell(kind: MarginKind, least: int, tie: TieMargin | None = None, *, rival: Span | None = SECOND) -> Cell:
    """Build a cell for an own first place."""
    return Cell(Span(1), rival, kind, least, tie)


def test_a_cell_is_a_sign_a_margin_or_a_score() -> None:
    cells = [cell(kind, 7_800) for kind in (MarginKind.ALWAYS, MarginKind.NEVER, MarginKind.RULING, MarginKind.MARGIN)]
    assert [words.cell_text(each) for each in cells] == ["○", "×", "ruling", "+7,800"]
    assert words.cell_text(cell(MarginKind.MARGIN, 0)) == "±0"
    assert words.cell_text(cell(MarginKind.MARGIN, -21_100)) == "-21,100"
    assert words.cell_text(cell(MarginKind.MARGIN, 41_200, rival=None)) == "41,200"
    with translation.override("ja"):
        assert words.cell_text(cell(MarginKind.MARGIN, -21_100)) == "▲21,100"


def test_the_tiebreak_is_shown_beside_the_margin() -> None:
    ahead = TieMargin(7_700, TieLevel.AHEAD, "points", 4)
    behind = TieMargin(7_700, TieLevel.BEHIND, "points", 3)
    assert words.tie_text(cell(MarginKind.MARGIN, 7_700, ahead)) == "level at +7,700: ahead by points of hanchan 4"
    assert words.tie_text(cell(MarginKind.MARGIN, 7_800, behind)) == "level at +7,700: behind by points of hanchan 3"
    assert (
        words.tie_text(cell(MarginKind.RULING, 100, TieMargin(0, TieLevel.RULING)))
        == "level at ±0: only a ruling decides"
    )
    assert words.tie_text(cell(MarginKind.MARGIN, 7_700, ahead, rival=None)).startswith("level at 7,700")
    assert words.tie_text(cell(MarginKind.ALWAYS, 7_700, ahead)) == words.tie_text(cell(MarginKind.MARGIN, 7_700)) == ""


def test_a_status_is_shown_as_its_word() -> None:
    assert [words.status_text(Status(word)) for word in Word] == [
        "certain",
        "almost in",
        "open",
        "almost out",
        "eliminated",
    ]


def test_an_estimate_is_labelled_as_advancing_or_as_the_title() -> None:
    assert words.status_text(Status(Word.ALMOST, ">99")) == "almost in (advances >99%)"
    assert words.status_text(Status(Word.OPEN, "42")) == "advances 42%"
    assert words.status_text(Status(Word.OPEN, "42"), is_title=True) == "wins the title 42%"
    assert words.status_text(Status(Word.ALMOST_OUT, "3"), is_title=True) == "wins the title 3%", (
        "no player leaves for that"
    )
    with translation.override("ja"):
        assert words.status_text(Status(Word.OPEN, "95")) == "勝ち上がり 95%"
        assert words.status_text(Status(Word.OPEN, "42"), is_title=True) == "優勝確率 42%"
        assert words.status_text(Status(Word.ALMOST_OUT, "<1")) == "勝ち上がり 1%未満", (
            "nothing is called out while open"
        )


def test_a_player_who_misses_one_target_is_not_called_eliminated() -> None:
    missed = Status(Word.ELIMINATED)
    assert words.status_text(missed, is_last=False) == "out of reach"
    assert words.status_text(missed, is_title=True) == "out of reach"
    assert words.status_text(Status(Word.CERTAIN), is_title=True) == "title won"


def test_a_needed_average_is_rounded_up_and_an_allowed_loss_down() -> None:
    assert words.average_text(Fraction(125, 3), 10, is_needed=True) == "4.2"
    assert words.average_text(Fraction(125, 3), 10, is_needed=False) == "4.1"


def test_every_obstacle_and_every_kind_of_explanation_has_a_wording() -> None:
    assert len({words.obstacle_text(each) for each in Obstacle}) == len(Obstacle)
    told = words.explanation_text
    decision: DecidedBy = {"number": 2, "criterion": "points"}
    assert told(SeparatedBy.TOTAL, 53, None, 10) == "5.3 more in all"
    assert told(SeparatedBy.HANCHAN, 0, decision, 10) == "level in all; hanchan 2 decides by points"
    assert told(SeparatedBy.RULING, 0, decision, 10) == "level in everything; the organizers ruled"
    assert told(SeparatedBy.NOTHING, 0, None, 10) == "level in everything; they share the rank"


def test_shared_places_are_labelled_as_shared() -> None:
    assert words.span_text(Span(2)) == "2nd"
    assert words.span_text(Span(2, 3)) == "2–4th shared"
