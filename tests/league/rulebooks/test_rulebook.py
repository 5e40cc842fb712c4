"""Test the rule books as pages: clauses with texts and values, search, summary, revisions and links."""

from __future__ import annotations

import datetime as dt
import re
from enum import StrEnum
from functools import cache
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from league.forms.service import with_clause
from league.models import Competition, RulesetRevision
from league.selectors.rulebooks.clauses import (
    Setting,
    clauses_by_id,
    least_han,
    limit_rows,
    payment_tables,
    settings_by_clause,
    yaku_of,
)
from league.selectors.rulebooks.rule_changes import ValueChange, changes_between, revisions_read
from league.selectors.rulebooks.rules_in_force import ruleset_of_revision
from league.services.results.entry import SeatEntry, SheetEntry, rule_findings
from league.services.rulebooks.own_rulesets import cloned
from league.services.standings.publishing import publish_standings
from league.templatetags.rulebook import clause_link, linked, paid_text
from league.views.rulebooks.rulebook import allowed, play_context, shown_revisions, values_of
from league.wording.live.yaku import LIMITS, YAKU, yaku_name
from league.wording.rulebooks.ruleset_settings import AWARDS, facts_of_play, setting_line, setting_text, yaku_worth
from league.wording.rulebooks.ruleset_ways import WAYS
from rulesets import loader
from rulesets.clauses import Keeper, books, load_book
from rulesets.proofs import proofs_for
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.play import Play
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from tests import factories
from tests.scoring.kyoku_tables import trial

pytestmark = pytest.mark.django_db


def body(path: str, language: str = "ja", **query: str) -> str:
    response = Client(headers={"Accept-Language": language}).get(path, query)
    assert response.status_code == 200
    return str(response.content.decode())


@cache
def book_page(name: str, language: str) -> str:
    """Return the page of a book that no competition uses."""
    return body(f"/rules/{name}/", language)


def play_of(name: str) -> Play:
    play = loader.load(name).play
    assert play is not None
    return play


def table(name: str, *, dealer: bool, tsumo: bool) -> dict[int, tuple[Any, ...]]:
    found = next(each for each in payment_tables(play_of(name)) if (each.dealer, each.tsumo) == (dealer, tsumo))
    return {row.fu: row.paid for row in found.rows}


def test_the_list_names_every_book_with_its_publisher() -> None:
    page = body("/rules/")
    for name in books():
        assert f'href="/rules/{name}/"' in page
        assert escape(load_book(name).publisher.ja) in page


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", books())
def test_every_clause_has_an_anchor_its_text_and_its_terms(name: str, language: str) -> None:
    page = book_page(name, language)
    plain = re.sub(r"<a [^>]*>|</a>|<br>", "", page)
    book = load_book(name)
    assert escape(getattr(book.title, language)) in page
    assert escape(getattr(book.publisher, language)) in page
    for clause in book.clauses:
        assert page.count(f'id="{clause.id}"') == 1
        for text in filter(None, (clause.says, clause.ambiguous, clause.decision, clause.why)):
            assert escape(getattr(text, language)).replace("\n", "") in plain
        assert escape(" · ".join(clause.terms)) in page


@pytest.mark.parametrize("name", books())
def test_every_internal_link_points_to_an_existing_anchor(name: str) -> None:
    page = book_page(name, "ja")
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert len(re.findall(r'id="([^"]+)"', page)) == len(anchors)
    for target in re.findall(rf'href="(?:/rules/{name}/)?#([^"]+)"', page):
        assert target in anchors or target == "content"


def article(name: str, number: str, language: str = "en") -> str:
    return book_page(name, language).partition(f'id="{number}"')[2].partition("</article>")[0]


@pytest.mark.clause("cinderella", "CL-002", "CL-008")
def test_the_text_of_the_book_is_separate_from_the_organizers_interpretation() -> None:
    open_ = article("cinderella", "CL-002")
    assert '<p class="says">Preliminary league' in open_
    assert re.search(r'<div class="unclear"><h4>What the book leaves open</h4>', open_)
    assert re.search(r'<div class="reading"><h4>How the organizer reads it</h4>', open_)
    silent = article("cinderella", "CL-008")
    assert "the book is silent" in silent
    assert "The organizer’s own rule" in silent
    assert 'class="says"' not in silent


def test_a_house_settles_what_the_book_of_a_parlour_leaves_open_and_an_organizer_what_that_of_a_league_does() -> None:
    for name, silent, unclear in (("ariari", "AR-007", "AR-006"), ("jpmla", "JP-048", "JP-047")):
        assert load_book(name).kept_by is (Keeper.HOUSE if name == "ariari" else Keeper.ORGANIZER)
        own, reading = article(name, silent, "ja"), article(name, unclear, "ja")
        assert ("ハウスの定め" in own) is ("大会の定め" not in own) is (name == "ariari")
        assert ("ハウスでの扱い" in reading) is ("大会での扱い" not in reading) is (name == "ariari")


def test_every_clause_that_is_not_executed_shows_its_status_and_the_reason() -> None:
    assert "status-descriptive" in article("cinderella", "CL-001")
    assert "<strong>descriptive:</strong>" in article("cinderella", "CL-001")
    assert '<span class="chip status-executed"' in article("cinderella", "CL-037")
    assert 'class="why"' not in article("cinderella", "CL-037")


def test_options_and_reconstructed_values_are_marked() -> None:
    han = article("boo", "BOO-033")
    assert "reconstructed" in han
    assert "house option" in han
    assert 'href="#option-yaku_han_table"' in han
    assert "reconstructed" not in article("boo", "BOO-012")


@pytest.mark.clause("cinderella", "CL-037", "CL-035")
def test_a_clause_shows_the_values_that_cite_it() -> None:
    assert settings_by_clause("cinderella")["CL-037"] == (Setting("settlement.uma.amounts", [20, 10, -10, -20]),)
    uma = article("cinderella", "CL-037")
    assert "<dt>Uma <code>settlement.uma.amounts</code></dt><dd>20, 10, -10, -20</dd>" in uma
    assert "<dt>Start <code>setup.start</code></dt><dd>25,000</dd>" in article("cinderella", "CL-035")
    assert "▲10" in article("cinderella", "CL-037", "ja")


def test_every_clause_cited_by_a_value_exists() -> None:
    for name in books():
        assert set(settings_by_clause(name)) <= set(load_book(name).by_id)


def test_simple_values_are_shown_in_words() -> None:
    assert setting_line("play.calls.chi", False).value == "no"
    assert setting_line("play.renchan.rounds", {"E": "tenpai", "S": "any_draw"}).value == (
        "East: by winning or tenpai, South: by winning, and at every draw"
    )
    assert setting_line("play.renchan.rounds", {"RE": "win"}).value == "East again: by winning"
    assert setting_line("play.pao.yaku", []).value == "none"
    assert setting_line("play.wall.last_kan", "impossible").name == ""
    assert setting_text("play.wall.last_kan", "impossible") == "impossible"
    assert setting_text("setup.rounds", ["E", "S"]) == "East, South"
    assert setting_text("play.pao.yaku", ["daisangen"]) == "Daisangen"
    assert setting_text("play.calls.kan", "something_else") == "something_else"
    assert setting_text("", {"m": 1, "p": 2, "s": 0}) == "characters: 1, circles: 2, bamboos: 0"
    with translation.override("ja"):
        assert setting_text("", {"m": 1, "p": 2, "s": 0}) == "萬子: 1、筒子: 2、索子: 0"
        assert setting_text("", {"C": 300, "gentsuu": 0}) == "C: 300、ゲンツー: 0"


@pytest.mark.clause("cinderella", "CL-141", "CL-119", "CL-144")
def test_the_payment_tables_match_the_standard_ones() -> None:
    ron = table("cinderella", dealer=False, tsumo=False)
    assert [paid and paid.ron for paid in ron[30]] == [1_000, 2_000, 3_900, 8_000]
    assert [paid and paid.ron for paid in ron[25]] == [None, 1_600, 3_200, 6_400]
    assert 20 not in ron
    tsumo = table("cinderella", dealer=False, tsumo=True)
    assert [paid and (paid.from_other, paid.from_dealer) for paid in tsumo[20]] == [
        None,
        (400, 700),
        (700, 1_300),
        (1_300, 2_600),
    ]
    assert [paid and paid.from_other for paid in table("cinderella", dealer=True, tsumo=True)[30]] == [
        500,
        1_000,
        2_000,
        4_000,
    ]


@pytest.mark.clause("boo", "BOO-086", "BOO-087")
def test_boo_has_hands_without_han_and_twenty_fu_on_ron_only() -> None:
    ron, tsumo = (table("boo", dealer=False, tsumo=tsumo) for tsumo in (False, True))
    assert [paid and paid.ron for paid in ron[20]] == [None, 160, 320, 640, 1_280]
    assert [paid and paid.ron for paid in ron[30]][:2] == [120, 240]
    assert 20 not in tsumo


@pytest.mark.clause("kansai3", "KS-212", "KS-211")
def test_kansai_rounds_to_thousands_and_pays_a_self_draw_in_full() -> None:
    assert [paid and paid.ron for paid in table("kansai3", dealer=False, tsumo=False)[30]] == [
        1_000,
        2_000,
        4_000,
        8_000,
    ]
    paid = table("kansai3", dealer=False, tsumo=True)[30][3]
    assert (paid.from_other, paid.from_dealer) == (3_000, 5_000)


@pytest.mark.clause("superbingo", "SB-009", "SB-204")
def test_the_table_for_fixed_fu_has_one_row() -> None:
    assert list(table("superbingo", dealer=False, tsumo=False)) == [30]
    assert least_han(30, play_of("superbingo"), tsumo=True) == 0


def test_limit_payments_increase_up_to_yakuman() -> None:
    for name in books():
        rows = limit_rows(play_of(name))
        paid = [row.other.ron for row in rows if row.other]
        assert paid == sorted(paid)
        assert rows[-1].name is LimitName.YAKUMAN
    assert [(row.from_han, row.to_han) for row in limit_rows(play_of("cinderella"))] == [
        (5, 5),
        (6, 7),
        (8, 10),
        (11, None),
        (None, None),
    ]


def test_a_yakuman_that_ends_the_game_moves_no_points() -> None:
    key = next(key for key, each in loader.load("boo").options.items() if "yakuman" in key)
    option = loader.load("boo").options[key]
    for value in option.candidates():
        play = loader.load("boo").with_options({key: value}).play
        assert play is not None
        last = limit_rows(play)[-1]
        assert (last.other is None) == (play.value.yakuman.effect == "instant_top")
    assert paid_text(None, tsumo=False, dealer=False) == "–"


def test_every_yaku_and_limit_has_a_unique_name() -> None:
    assert set(YAKU) == set(YakuName)
    assert set(LIMITS) == set(LimitName)
    assert len({yaku_name(name) for name in YakuName}) == len(YakuName)


def test_the_yaku_table_lists_the_yaku_in_use_with_their_values() -> None:
    found = dict(yaku_of(play_of("boo")))
    assert YakuName.CHIITOITSU not in found
    assert YakuName.GUEST_WIND not in found
    assert yaku_worth(YakuName.CHINITSU, play_of("boo")) == ("mangan", "mangan")
    assert yaku_worth(YakuName.CHINITSU, play_of("cinderella")) == ("6 han", "5 han")
    assert yaku_worth(YakuName.KOKUSHI, play_of("cinderella")) == ("yakuman", "–")
    assert yaku_worth(YakuName.TANYAO, play_of("kansai3")) == ("1 han", "1 han, with certain other yaku only")
    page = body("/rules/cinderella/", "en")
    assert "Chinitsu (full flush)" in page.partition('id="yaku-table"')[2]


def summary_facts(name: str) -> dict[str, str]:
    return {each.path: each.value for each in facts_of_play(loader.load(name))}


@pytest.mark.clause("banchi4", "B4-031", "B4-032", "B4-033", "B4-014", "B4-017")
def test_the_summary_shows_prizes_and_the_rule_for_several_winners() -> None:
    facts = summary_facts("banchi4")
    assert facts["play.chips.awards"] == (
        "Ippatsu 500 / 500, Ura dora 500 / 500, Red or marked five 500 / 500, Gold five 1,000 / 1,000, "
        "Yakuman 5,000 / 3,000"
    )
    assert facts["play.honba"] == "1,500 on ron, 500 from each on a self-draw"
    assert facts["play.several_winners.three"] == "the hand is drawn"
    assert "play.several_winners.three" not in summary_facts("banchi3")
    assert "play.chips.awards" not in summary_facts("cinderella") | summary_facts("boo")
    assert set(AWARDS) == set(AwardEvent)


def test_a_ruleset_of_final_scores_only_has_a_summary_of_the_end_of_the_game() -> None:
    assert list(summary_facts("mleague")) == ["end.bust.line"]
    assert play_context(loader.load("mleague").play) == {}
    assert [each.path for each in values_of("cinderella", loader.load("mleague"), "CL-037")] == [
        "settlement.uma.amounts"
    ]


def test_every_option_lists_its_allowed_values() -> None:
    for name in books():
        for option in loader.load(name).options.values():
            assert allowed(option)


@pytest.mark.parametrize("name", books())
@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_summary_has_yaku_and_payment_tables(name: str, language: str) -> None:
    page = body(f"/rules/{name}/summary/", language)
    play = play_of(name)
    with translation.override(language):
        assert all(escape(yaku_name(each)) in page for each, _yaku in yaku_of(play))
    assert page.count('class="pays"') == 4
    assert escape(getattr(load_book(name).publisher, language)) in page


@pytest.mark.parametrize("path", ["/rules/", "/rules/cinderella/", "/rules/cinderella/summary/", "/rules/boo/?q=ドラ"])
def test_an_unchanged_page_answers_304_and_each_language_has_its_own_etag(path: str) -> None:
    tags = set()
    for language in ("ja", "en"):
        client = Client(headers={"Accept-Language": language})
        first = client.get(path)
        tags.add(first.headers["ETag"])
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304
        assert again.content == b""
        assert "Accept-Language" in first.headers["Vary"]
    assert len(tags) == 2


@pytest.mark.parametrize("path", ["/rules/", "/rules/boo/", "/rules/boo/summary/"])
def test_the_pages_respect_the_content_security_policy(path: str) -> None:
    response = Client().get(path)
    page = response.content.decode()
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    assert "<script" not in page
    assert "style=" not in page
    assert "http://" not in page


def test_a_search_finds_clauses_and_escapes_its_text() -> None:
    page = body("/rules/cinderella/", "en", q="<b>チョンボは何ポイント</b>")
    assert "<b>チョンボ" not in page
    assert 'id="CL-082"' in page
    assert 'value="&lt;b&gt;チョンボ' in page
    assert page.count('<article class="ruleclause"') <= 12


def test_a_search_without_matches_says_so_and_an_empty_one_shows_the_book() -> None:
    assert "No clause has anything of this." in body("/rules/cinderella/", "en", q="xyzzy")
    assert 'id="CL-145"' in body("/rules/cinderella/", "en", q="  ")


def test_a_missing_rule_book_has_no_page() -> None:
    for path in ("/rules/nothing/", "/rules/nothing/summary/", "/rules/mleague/"):
        assert Client().get(path).status_code == 404


def test_a_clause_number_is_linked_to_its_anchor() -> None:
    assert 'href="/rules/cinderella/#CL-022"' in clause_link("CL-022")
    assert clause_link("ML-001") == '<small class="clause">ML-001</small>'
    assert (
        linked("See <CL-022> and XX-001.") == 'See &lt;<a href="/rules/cinderella/#CL-022">CL-022</a>&gt; and XX-001.'
    )


def test_a_custom_ruleset_links_to_the_clauses_of_the_book_it_was_cloned_from() -> None:
    text = cloned(loader.text_of("cinderella"), "our-league")
    own = RulesetRevision.objects.create(name="our-league", number=1, text=text, sha256="1" * 64)
    competition = factories.league(ruleset=own)
    page = body(reverse("pages:rules", args=[competition.slug]), "en")
    assert 'href="/rules/cinderella/#CL-082"' in page
    entry = SheetEntry(seats=tuple(SeatEntry(entrant=seat, player=seat, score=0) for seat in range(4)))
    (finding,) = rule_findings(entry, ruleset_of_revision(own))
    assert 'href="/rules/cinderella/#CL-035"' in with_clause(finding.message, finding.clause)


def test_an_unknown_clause_is_not_linked() -> None:
    assert with_clause("Check it.", "XX-001") == with_clause("Check it.", "") == "Check it."


def test_clause_numbers_are_unique_across_all_books() -> None:
    assert len(clauses_by_id()) == sum(len(load_book(name).clauses) for name in books()) == 1385


def test_revisions_show_their_dates_and_the_changed_values() -> None:
    competition = factories.league(ruleset="cinderella")
    first = competition.rules_in_force.get().ruleset
    text = first.text.replace("amounts = [20, 10, -10, -20]", "amounts = [30, 10, -10, -30]")
    second = RulesetRevision.objects.create(name="cinderella", number=2, text=text, sha256="2" * 64)
    before = Client().get("/rules/cinderella/")
    assert "Revision 2" not in before.content.decode()
    in_force = competition.rules_in_force.get()
    in_force.pk, in_force.ruleset = None, second
    in_force.effective_from += dt.timedelta(days=1)
    in_force.save()
    after = Client(headers={"Accept-Language": "en"}).get("/rules/cinderella/")
    page = after.content.decode()
    assert "Revision 1" in page
    assert "Revision 2" in page
    assert "<del>20, 10, -10, -20</del> → <ins>30, 10, -10, -30</ins> <a" in page
    assert "Clauses with another text" not in page
    assert after.headers["ETag"] != before.headers["ETag"]


def test_revisions_used_only_by_a_hidden_competition_are_not_shown() -> None:
    factories.league(status=Competition.Status.DRAFT)
    assert 'id="revisions"' not in body("/rules/cinderella/", "en")


def test_an_added_or_removed_value_is_a_change_too() -> None:
    boo = loader.load("boo")
    changes = {each.path: each for each in changes_between(loader.load("banchi4"), boo)}
    clauses = boo.settlement.top_payment.clauses if boo.settlement.top_payment else ()
    origin = ValueChange("settlement.top_payment.origin", None, 2_000, clauses)
    assert changes["settlement.top_payment.origin"] == origin
    assert changes["settlement.uma.amounts"].after is None
    assert changes["settlement.uma.amounts"].clauses == ("B4-005", "B4-072")
    assert list(changes_between(boo, boo)) == []


def test_a_changed_clause_text_inside_a_ruleset_is_a_change_of_text() -> None:
    old = RulesetRevision(name="mleague", number=1, text=loader.text_of("mleague"), sha256="1")
    text = old.text.replace("A chonbo costs 20 points.", "A chonbo costs 30 points.")
    new = RulesetRevision(name="mleague", number=2, text=text.replace('"ML-006"', '"ML-008"'), sha256="2")
    newest, first = revisions_read([old, new])
    assert [(each.clause, each.before and each.before.en, each.after and each.after.en) for each in newest.texts] == [
        ("ML-005", "A chonbo costs 20 points.", "A chonbo costs 30 points."),
        ("ML-006", "No player goes bust: play goes on below zero.", None),
        ("ML-008", None, "No player goes bust: play goes on below zero."),
    ]
    assert first.texts == ()
    with translation.override("en"):
        shown, _first = shown_revisions([old, new])
    assert shown.texts[1] == ("ML-006", "No player goes bust: play goes on below zero.", "–")


def test_each_clause_shows_the_number_of_examples_that_prove_it() -> None:
    page = book_page("cinderella", "en")
    chonbo = page.split('id="CL-082"')[1].split("</article>")[0]
    examples = sum(proof.is_example for proof in proofs_for("cinderella", "CL-082"))
    assert f"Proved by {examples} worked examples" in chonbo
    assert "Proved by" not in page.split('id="CL-001"')[1].split("</article>")[0]


def test_a_revision_invalid_under_the_current_software_is_left_out() -> None:
    good = RulesetRevision(name="boo", number=1, text=loader.text_of("boo"), sha256="1")
    bad = RulesetRevision(name="boo", number=2, text="name = 1", sha256="2")
    assert [each.number for each in revisions_read([good, bad])] == [1]


@pytest.mark.clause("cinderella", "CL-037")
def test_settlement_lines_and_the_active_rules_link_to_their_clauses() -> None:
    competition = factories.league()
    block = competition.blocks.get(key="A")
    table = factories.table(block, factories.in_block(block)[:4], (1,))
    hanchan = table.hanchan.get()
    factories.play(hanchan)
    publish_standings(competition.pk)
    assert 'href="/rules/cinderella/#CL-037"' in body(f"/c/spring/hanchan/{hanchan.pk}/")
    rules = body("/c/spring/ruleset/")
    assert 'href="/rules/cinderella/"' in rules
    for number in ("CL-035", "CL-036", "CL-037", "CL-056", "CL-022", "CL-029"):
        assert f'href="/rules/cinderella/#{number}"' in rules, number


@pytest.mark.clause("cinderella", "CL-022")
def test_a_tie_decision_links_to_the_deciding_clause() -> None:
    competition = factories.league()
    block = competition.blocks.get(key="A")
    table = factories.table(block, factories.in_block(block)[:4], (1, 2))
    factories.play_all(table, (40_000, 30_000, 20_000, 10_000), (30_000, 40_000, 20_000, 10_000))
    publish_standings(competition.pk)
    why = body("/c/spring/blocks/A/", "en").partition('id="why-')[2]
    assert "hanchan 2 decides" in why
    assert 'href="/rules/cinderella/#CL-022"' in why


def test_a_way_of_few_books_has_a_line_where_a_book_differs_from_the_usual() -> None:
    rules = trial(
        loader.load("cinderella"),
        ("play.several_winners.honba", "each"),
        ("play.several_winners.stakes", "own_back"),
        ("play.penalties.chonbo.after.game", "ends"),
        ("play.win.unshown", "without_wait"),
        ("play.calls.kuikae", "allowed"),
        ("play.calls.kan_after_riichi", "never"),
        ("end.time", {"minutes": 90, "last": "one_more_hand", "void_hand": "ends", "clauses": ["CL-032"]}),
        ("settlement.rounding.halves", "towards_zero"),
        ("entry.kept_from", "zero"),
        (
            "settlement.penalties",
            [{"key": "late", "title": {"ja": "遅刻", "en": "Late"}, "least": 1, "most": 20, "step": 1}
             | {"clauses": ["CL-001"]}],
        ),
    )  # fmt: skip
    with translation.override("en"):
        lines = {each.path: (each.name, each.value, each.clauses) for each in facts_of_play(rules)}
        usual = {each.path for each in facts_of_play(loader.load("cinderella"))}
    assert lines["play.several_winners.stakes"] == (
        "Riichi sticks when several win",
        "winners take their own stick back, the next in turn the rest",
        ("CL-047", "CL-064"),
    )
    assert lines["end.time.minutes"][:2] == ("Time limit in minutes", "90")
    late = "Late 1.0 to 20.0 in steps of 1.0"
    assert lines["settlement.penalties"] == ("Penalties outside the game", late, ("CL-001",))
    assert {path for path in WAYS if path in lines} - usual >= {
        "play.several_winners.honba", "play.penalties.chonbo.after.game", "play.win.unshown", "end.time.last",
        "end.time.void_hand", "settlement.rounding.halves", "entry.kept_from",
    }  # fmt: skip


def test_every_setting_of_a_way_has_a_text() -> None:
    kinds = {type(value) for way in WAYS.values() for value in way.values if isinstance(value, StrEnum)}
    for kind in kinds:
        (values,) = {tuple(way.values) for way in WAYS.values() if type(next(iter(way.values), None)) is kind}
        assert set(values) == set(kind)
