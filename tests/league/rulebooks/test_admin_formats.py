"""Pages of formats: the list, ways to begin, the builder, its text and its trial; every input that is refused."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.models import Competition, FormatDraft, FormatRevision
from league.services.rulebooks.format_drafts import draft_text
from rulesets.formats import format_text, parse_format
from tests import factories

pytestmark = pytest.mark.django_db
BUILD = "/admin/league/formatrevision/build/"
LIST = "/admin/league/formatrevision/"


@pytest.fixture
def desk(client: Client) -> Client:
    """Return a client of an organizer who may set up competitions, in English."""
    client.force_login(factories.user("builder", is_staff=True, is_superuser=True))
    client.cookies["jantaku_language"] = "en"
    return client


@pytest.fixture
def draft(desk: Client) -> FormatDraft:
    """Return a draft of fifteen players in one block."""
    desk.post(BUILD, {"players": "15", "table": "4", "title": ""})
    return FormatDraft.objects.get()


def page(draft: FormatDraft, more: str = "") -> str:
    return f"{LIST}drafts/{draft.pk}/{more}"


FORMS: dict[tuple[str, int], dict[str, str]] = {}
"""Forms read before, by the text of the draft and the number of its changes, which alone decide what a form has."""


def fields(desk: Client, draft: FormatDraft) -> dict[str, str]:
    """Return the builder's form as a browser would send it unchanged."""
    state = text(draft), FormatDraft.objects.get(pk=draft.pk).counter
    if state not in FORMS:
        FORMS[state] = fields_in(desk.get(page(draft)).content.decode())
    return FORMS[state]


def fields_in(html: str) -> dict[str, str]:
    form = html[html.index('id="builder"') :]
    sent: dict[str, str] = {}
    for tag in re.finditer(r'<input[^>]*name="([^"]+)"[^>]*>', form):
        if 'type="checkbox"' in tag[0] and " checked" not in tag[0]:
            continue
        value = re.search(r'value="([^"]*)"', tag[0])
        sent[tag[1]] = value[1] if value else "on" if 'type="checkbox"' in tag[0] else ""
    for choice in re.finditer(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', choice[2])
        sent[choice[1]] = chosen[1] if chosen else ""
    return sent


def send(desk: Client, draft: FormatDraft, **changed: str) -> int:
    """Change fields of the builder and send its form; return the status."""
    names = {name.replace("__", "-"): value for name, value in changed.items()}
    return desk.post(page(draft), {**fields(desk, draft), "do": "update", **names}).status_code


def text(draft: FormatDraft) -> str:
    """Return the text of the draft's newest state."""
    return draft_text(FormatDraft.objects.get(pk=draft.pk))


def test_three_blocks_of_five_are_built_tried_out_kept_and_chosen_for_a_league(
    desk: Client, draft: FormatDraft
) -> None:
    assert send(desk, draft, s__stage1__blocks="3") == 302
    assert send(desk, draft, do="stage-add") == 302
    assert send(desk, draft, do="stage-add") == 302
    tried = desk.get(page(draft, "trial/?seed=4"))
    assert tried.status_code == 200
    assert "Player" in tried.context["played"]["champion"]
    answer = desk.post(page(draft), {**fields(desk, draft), "do": "keep"})
    revision = FormatRevision.objects.get()
    assert answer.headers["Location"] == f"{LIST}{revision.pk}/change/"
    assert parse_format(revision.text, "kept.toml").entrants == 15
    kept = desk.get(answer.headers["Location"]).content.decode()
    assert f"?format={revision.name}@1" in kept
    assert f"<h1>{revision.name} r1" not in kept
    chosen = desk.get(f"/admin/league/competition/set-up/?format={revision.name}@1")
    assert chosen.status_code == 200
    options = {row.name: row.value() for row in chosen.context["form"].option_rows if row.value() not in {None, False}}
    typed = {
        "name": "Fifteen", "first_day": "2026-12-05", "every": "7",
        "starts_at": "12:00", "confirmation": "second",
    }  # fmt: skip
    ruleset = chosen.context["form"].ruleset_name
    address = f"/admin/league/competition/set-up/?format={revision.name}@1"
    made = desk.post(address, {**typed, **options, "ruleset": ruleset, "options_of": ruleset})
    assert made.status_code == 302, made.context["form"].errors
    assert Competition.objects.get().rules_in_force.get().format == revision


def test_the_builder_begins_with_the_size_that_no_ready_format_fits(desk: Client) -> None:
    found = desk.get("/admin/league/competition/set-up/?players=14&at_table=3").content.decode()
    assert f'href="{BUILD}?players=14&amp;table=3"' in found
    form = desk.get(f"{BUILD}?players=14&table=3").context["form"]
    assert (form["players"].value(), form["table"].value()) == ("14", "3")


def test_a_form_sent_unchanged_stores_no_new_state(desk: Client, draft: FormatDraft) -> None:
    before = FormatDraft.objects.get().counter
    assert send(desk, draft) == 302
    assert FormatDraft.objects.get().counter == before


def test_each_field_changes_the_text(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, s__stage1__blocks="3", format__title="会社", format__tie_2="")
    send(desk, draft, do="stage-add")
    send(
        desk,
        draft,
        s__stage1__title="予選A",
        s__stage1__hanchan="12",
        s__stage1__sessions="３",
        s__stage1__spread="drawn",
        s__stage1__name_1="東",
        s__stage2__carry="half",
        s__stage2__first_0="2",
        s__stage2__last_0="3",
    )
    send(desk, draft, s__stage2__rounding="down", s__stage2__offer="best:stage1#1/1-2", format__champion="")
    found = text(draft)
    for line in (
        'title = "会社"', 'title = "予選A"', "hanchan = 12", "sessions = 3", 'assignment = "drawn"', 'title = "東"',
        'rounding = "down"', "stage1#2-3", "best:stage1#1/1-2",
    ):  # fmt: skip
        assert line in found, line
    assert "champion" not in found
    assert '"score"' not in found


def test_points_by_place_are_typed_as_leagues_write_them(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, do="stage-add")
    send(desk, draft, s__stage2__carry="table")
    assert send(desk, draft, s__stage2__points="３０、10.5 ▲10, -30") == 302
    assert 'points = [30, "10.5", -10, -30]' in text(draft)


def test_a_field_that_cannot_be_read_keeps_what_was_typed_and_stores_nothing(desk: Client, draft: FormatDraft) -> None:
    before, sent = text(draft), {**fields(desk, draft), "do": "update"}
    for field, typed in (
        ("format-players", "many"),
        ("format-players", "2"),
        ("format-players", "401"),
        ("format-players", ""),
        ("format-title", ""),
        ("format-title", "x" * 61),
        ("format-table", "5"),
        ("format-champion", "nowhere"),
        ("format-tie_0", "luck"),
        ("s-stage1-blocks", "27"),
        ("s-stage1-hanchan", "0"),
        ("s-stage1-hanchan", "two"),
        ("s-stage1-sessions", "-1"),
        ("s-stage1-seating", "standing"),
        ("s-stage1-spread", "dice"),
        ("s-stage1-carry", "double"),
        ("s-stage1-points", "thirty"),
        ("s-stage1-first_0", "99"),
        ("s-stage1-offer", "stage9#1"),
        ("s-stage1-size_0", "0"),
    ):
        answer = desk.post(page(draft), {**sent, field: typed})
        assert (answer.status_code, text(draft)) == (422, before), (field, typed)
        forms = [answer.context["whole"], *(card.form for card in answer.context["cards"])]
        assert any(form.errors for form in forms), (field, typed)
        kept = answer.content.decode()
        if typed and "<select" not in kept[kept.index(f'name="{field}"') - 40 : kept.index(f'name="{field}"')]:
            assert f'value="{typed}"' in kept, field


def test_a_format_with_faults_is_not_kept_and_says_what_is_missing(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, s__stage1__blocks="3")
    send(desk, draft, s__stage1__hanchan="3", s__stage1__sessions="")
    answer = desk.post(page(draft), {**fields(desk, draft), "do": "keep"})
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert "This format cannot be kept yet" in shown
    assert "Use 4 hanchan" in shown
    assert not FormatRevision.objects.exists()
    tried = desk.get(page(draft, "trial/"))
    assert tried.headers["Location"] == page(draft)
    assert send(desk, draft, do="take-hanchan stage1 4") == 302
    assert desk.post(page(draft), {**fields(desk, draft), "do": "keep"}).status_code == 302


def test_changes_are_undone_and_redone(desk: Client, draft: FormatDraft) -> None:
    first = text(draft)
    send(desk, draft, format__players="16")
    second = text(draft)
    assert send(desk, draft, do="undo") == 302
    assert text(draft) == first
    assert send(desk, draft, do="redo") == 302
    assert text(draft) == second
    assert send(desk, draft, do="redo") == 409


def test_of_two_who_edit_at_once_the_second_is_told_and_keeps_what_was_typed(desk: Client, draft: FormatDraft) -> None:
    old = fields(desk, draft)
    send(desk, draft, format__players="16")
    answer = desk.post(page(draft), {**old, "do": "update", "format-title": "Mine"})
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "Another organizer has changed this draft" in shown
    assert 'value="Mine"' in shown
    assert "Mine" not in text(draft)


def test_a_button_that_names_nothing_changes_nothing(desk: Client, draft: FormatDraft) -> None:
    before = text(draft)
    for action in (
        "stage-remove", "stage-remove nowhere", "pick-remove stage1", "pick-remove stage1 x", "pick-up stage1 999",
        "take-hanchan stage1 999999999", "nonsense", "stage-up stage1", "pick-remove stage1 7",
    ):  # fmt: skip
        assert (send(desk, draft, do=action), text(draft)) == (302, before), action


def test_stages_and_picks_are_moved_and_removed(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, s__stage1__blocks="3")
    send(desk, draft, do="stage-add")
    send(desk, draft, s__stage2__offer="stage1#3")
    send(desk, draft, s__stage2__offer="best:stage1#4")
    send(desk, draft, do="pick-up stage2 2")
    assert text(draft).index("best:stage1#4") < text(draft).index('"stage1#3"')
    send(desk, draft, do="pick-remove stage2 1")
    assert "best:" not in text(draft)
    send(desk, draft, do="stage-down stage1")
    assert text(draft).index('key = "stage2"') < text(draft).index('key = "stage1"')
    send(desk, draft, do="stage-remove stage2")
    assert "stage2" not in text(draft)


def test_a_draft_is_discarded(desk: Client, draft: FormatDraft) -> None:
    assert send(desk, draft, do="discard") == 302
    assert not FormatDraft.objects.exists()
    assert desk.get(page(draft)).status_code == 404
    assert desk.post(page(draft), {"do": "update"}).status_code == 404


def test_nothing_is_begun_with_what_cannot_be_read(desk: Client) -> None:
    for sent, field in (
        ({"players": "", "table": "4"}, "players"),
        ({"players": "1e9", "table": "4"}, "players"),
        ({"players": "12", "table": "9"}, "table"),
        ({"way": "text", "text": ""}, "text"),
        ({"way": "text", "text": "stages = 3"}, ""),
        ({"way": "text", "text": "= broken"}, ""),
    ):
        answer = desk.post(BUILD, sent)
        assert (answer.status_code, FormatDraft.objects.exists()) == (422, False), sent
        if field:
            assert field in {**answer.context["form"].errors, **answer.context["text_form"].errors}, sent
        else:
            assert answer.context["faults"], sent
            assert sent["text"] in answer.content.decode()


def test_a_draft_begins_from_a_file_a_ready_format_and_an_own_one(desk: Client, draft: FormatDraft) -> None:
    file = SimpleUploadedFile("cinderella.toml", format_text("cinderella").encode())
    assert desk.post(BUILD, {"way": "text", "file": file}).status_code == 302
    imported = FormatDraft.objects.latest("pk")
    assert imported.name not in {"cinderella", draft.name}
    binary = SimpleUploadedFile("picture.png", b"\x89PNG\xff\xfe")
    assert desk.post(BUILD, {"way": "text", "file": binary}).status_code == 422
    assert desk.post(BUILD, {"way": "from", "source": "cinderella-2018", "clone": "1"}).status_code == 302
    copied = FormatDraft.objects.latest("pk")
    assert copied.title_en.endswith("(copy)")
    assert desk.get(page(copied)).status_code == 200
    assert desk.post(BUILD, {"way": "from", "source": "nowhere"}).status_code == 404
    desk.post(page(draft), {**fields(desk, draft), "do": "keep"})
    own = FormatRevision.objects.get()
    assert desk.post(BUILD, {"way": "from", "source": own.name}).status_code == 302
    assert FormatDraft.objects.latest("pk").name == own.name
    assert desk.post(BUILD, {"way": "from", "source": f"{own.name}@1", "clone": "1"}).status_code == 302
    assert FormatDraft.objects.latest("pk").name != own.name


def test_the_text_is_changed_taken_away_and_refused_with_its_faults(desk: Client, draft: FormatDraft) -> None:
    address = page(draft, "text/")
    shown = desk.get(address)
    assert shown.status_code == 200
    file = desk.get(f"{address}?file=1")
    assert file.headers["Content-Disposition"].endswith('.toml"')
    written = file.content.decode().replace("hanchan = 8", "hanchan = 12")
    counter = str(FormatDraft.objects.get().counter)
    assert desk.post(address, {"text": written, "seen": counter}).status_code == 302
    assert "hanchan = 12" in text(draft)
    assert desk.post(address, {"text": written, "seen": "77"}).status_code == 409
    counter = str(FormatDraft.objects.get().counter)
    broken = desk.post(address, {"text": "nonsense", "seen": counter})
    assert broken.status_code == 422
    assert broken.context["faults"]
    assert desk.get(page(draft)).headers["Location"] == address
    assert desk.post(page(draft), {"do": "update"}).headers["Location"] == address
    assert desk.get(page(draft, "trial/")).status_code == 302


def test_a_trial_is_shown_for_every_query(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, s__stage1__blocks="3")
    send(desk, draft, do="stage-add")
    for query in ("", "?seed=7&results=level", "?seed=x&results=odd", "?seed=99999999999"):
        answer = desk.get(page(draft, f"trial/{query}"))
        assert answer.status_code == 200, query
        assert answer.context["played"]["games"] > 0, query
        assert answer.context["played"]["rulings"] or "level" not in query


def test_a_text_with_too_many_hanchan_is_neither_tried_out_nor_kept(desk: Client, draft: FormatDraft) -> None:
    many = re.sub(r"hanchan = \d+", "hanchan = 4000", text(draft))
    counter = str(FormatDraft.objects.get().counter)
    refused = desk.post(page(draft, "text/"), {"text": many, "seen": counter, "keep": "1"})
    assert refused.status_code == 422
    assert [each.key for each in refused.context["faults"]] == ["stages.stage1.hanchan"]
    assert not FormatRevision.objects.exists()
    tried = desk.get(page(draft, "trial/"), follow=True)
    assert "at most 3000 can be tried out" in tried.content.decode()


def test_rounds_are_counted_for_the_tables_of_the_venue(desk: Client, draft: FormatDraft) -> None:
    assert "With 2 tables: 15 rounds in all" in desk.get(page(draft, "?venue=2")).content.decode()
    assert desk.get(page(draft, "?venue=none")).status_code == 200


def test_the_list_shows_drafts_own_and_ready_formats(desk: Client, draft: FormatDraft) -> None:
    desk.post(page(draft), {**fields(desk, draft), "do": "keep"})
    desk.post(BUILD, {"players": "8", "table": "4", "title": "Eight"})
    shown = desk.get(LIST).content.decode()
    for part in ("League of 15", "Eight", "Cinderella League", BUILD):
        assert part in shown
    own = FormatRevision.objects.get()
    assert desk.get(f"{LIST}{own.pk}/export/").content.decode() == own.text
    assert desk.get(f"{LIST}999/export/").status_code == 404


def test_only_those_who_may_write_formats_see_the_builder(client: Client, desk: Client, draft: FormatDraft) -> None:
    reader = Client()
    reader.force_login(factories.user("reader", is_staff=True))
    for address in (BUILD, page(draft), page(draft, "text/"), page(draft, "trial/"), f"{LIST}drafts/999/"):
        assert reader.get(address).status_code == 403
        assert reader.post(address).status_code == 403
    assert client.get(BUILD).status_code == 200


def test_no_format_page_answers_in_two_languages(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, s__stage1__hanchan="3", s__stage1__sessions="")
    desk.cookies["jantaku_language"] = "ja"
    shown = desk.get(page(draft)).content.decode()
    assert "4半荘にする" in shown
    assert not re.search(
        r"take|tables of|do not fill",
        re.sub(r'(name|value|id|class|href)="[^"]*"', "", shown[shown.index("builder") :]),
    )


def test_an_open_tournament_with_cut_knock_out_and_consolation_is_built_from_buttons(
    desk: Client, draft: FormatDraft
) -> None:
    assert send(desk, draft, format__players="16", format__most="120", policy__odd="byes") == 302
    assert send(desk, draft, s__stage1__hanchan="5", s__stage1__sessions="1") == 302
    assert send(desk, draft, do="part-add stage1") == 302
    assert send(desk, draft, do="go-knock-out stage1 16") == 302
    assert send(desk, draft, do="go-consolation stage1") == 302
    built = desk.get(page(draft)).content.decode()
    assert "The format is complete." in built
    assert "all entrants" not in built
    found = text(draft)
    for line in (
        "entrants = { least = 20, most = 120 }", 'odd = { by = "byes", points = "average" }', 'from = "seed:*"',
        'arrange = "crossed"', 'from = "stage1#17-*"', 'numbers = "3-5"',
    ):  # fmt: skip
        assert line in found, line
    assert desk.get(page(draft, "trial/")).status_code == 200
    assert desk.post(page(draft), {**fields(desk, draft), "do": "keep"}).status_code == 302
    kept = FormatRevision.objects.get()
    assert [stage.key for stage in parse_format(kept.text, "kept").stages] == [
        "stage1", "stage5", "stage2", "stage3", "stage4"
    ]  # fmt: skip


def test_rounds_tables_and_policies_are_fields_of_the_page(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, format__players="32", s__stage1__hanchan="6", s__stage1__sessions="1")
    send(desk, draft, do="part-add stage1")
    assert (
        send(
            desk,
            draft,
            s__stage1__until_0="4",
            s__stage1__avoid_1="club",
            s__stage1__arrange_1="snake",
            s__stage1__band_1="16",
            s__stage1__met_1="90",
            format__further="seed",
            policy__odd="substitutes",
            policy__odd_points="▲15.0",
            policy__late="-5",
            policy__withdrawal="unranked",
            policy__withdrawal_results="annul",
            policy__no_show_twice="withdrawal",
            policy__no_show_after="１０",
            policy__walkover="worth",
            policy__walkover_worth="3.5",
            policy__declined="empty",
        )
        == 302
    )
    send(desk, draft, do="go-cut stage1 16")
    send(desk, draft, s__stage2__places="tables")
    send(desk, draft, s__stage2__arrange="straight", s__stage2__carry="part 1/4")
    found = text(draft)
    for line in (
        '{ numbers = "1-4", by = "plan" }',
        '{ numbers = "5-6", by = "standing", avoid = ["club"], arrange = "snake", band = 16, weights = { met = 90 } }',
        'then = ["seed"]',
        'odd = { by = "substitutes", points = "-15.0" }',
        "late = { worth = -5 }",
        'withdrawal = { ranked = false, results = "annul" }',
        'no_show = { after_minutes = 10, twice = "withdrawal" }',
        'walkover = { by = "worth", worth = "3.5" }',
        'declined = "empty"',
        'arrange = "straight"',
        'of = "1/4"',
    ):
        assert line in found, line
    assert "The format is complete." in desk.get(page(draft)).content.decode()
    before = found
    assert send(desk, draft) == 302
    assert text(draft) == before
    wrong = {"policy-walkover": "worth", "policy-walkover_worth": "", "policy-late": "viel"}
    refused = desk.post(page(draft), {**fields(desk, draft), "do": "update", **wrong})
    assert (refused.status_code, text(draft)) == (422, before)
    assert refused.content.decode().count("Write points such as -15.0.") >= 1
    assert 'value="viel"' in refused.content.decode()
    usual = {"policy-odd": "", "policy-late": "", "policy-withdrawal": "", "policy-withdrawal_results": "stay"}
    usual |= {"policy-no_show_twice": "ask", "policy-no_show_after": "", "policy-walkover": "ruling"}
    desk.post(page(draft), {**fields(desk, draft), **usual, "policy-declined": "next", "do": "update"})
    assert "policies" not in text(draft)


def test_odd_values_of_rounds_tables_and_policies_store_nothing(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, format__players="24", format__most="40", policy__odd="byes")
    send(desk, draft, do="part-add stage1")
    send(desk, draft, do="go-knock-out stage1 16")
    before, sent = text(draft), {**fields(desk, draft), "do": "update"}
    for changes in (
        {"s-stage1-until_0": "99"},
        {"s-stage1-by_0": "chance"},
        {"s-stage1-avoid_1": "luck"},
        {"s-stage1-band_1": "7"},
        {"s-stage1-met_1": "1001"},
        {"s-stage2-arrange": "round"},
        {"s-stage2-blocks": "65"},
        {"s-stage2-carry": "part 9/9"},
        {"s-stage2-places": "rooms"},
        {"format-most": "401"},
        {"format-further": "age"},
        {"policy-odd": "threes"},
        {"policy-odd_points": "viel"},
        {"policy-no_show_after": "-1"},
        {"policy-withdrawal": "later"},
    ):
        refused = desk.post(page(draft), {**sent, **changes})
        assert (refused.status_code, text(draft)) == (422, before), changes


def test_every_text_of_an_open_format_is_shown_or_refused_with_its_faults(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, format__players="24", format__most="40", policy__odd="byes")
    send(desk, draft, do="part-add stage1")
    send(desk, draft, do="go-knock-out stage1 16")
    written = text(draft)
    for part, odd in (
        ("least = 24", "least = 0"),
        ("count = 4", "count = 2500"),
        ("count = 4", "count = 4, size = 3"),
        ('arrange = "snake"', ""),
        ('arrange = "snake"', 'arrange = "snake"\nblocks = [{ key = "x", title = "X" }]'),
        ('from = "seed:*"', 'from = "seed:30-*"'),
        ('from = "stage1#1-16"', 'from = "stage4#*"'),
        ('from = "stage1#1-16"', 'from = "stage1#5-*"'),
        ('numbers = "1-4"', 'numbers = "x"'),
    ):
        assert part in written, part
        desk.post(page(draft, "text/"), {"text": written.replace(part, odd), "seen": "9"})
        opened = desk.post(BUILD, {"way": "text", "text": written.replace(part, odd)})
        assert opened.status_code in {302, 422}, odd
        if opened.status_code == 302:
            shown = desk.get(page(FormatDraft.objects.latest("pk")), follow=True)
            assert shown.status_code == 200, odd


def test_faults_of_tables_and_rounds_name_no_keys_of_the_text(desk: Client, draft: FormatDraft) -> None:
    send(desk, draft, format__players="24", format__most="40", s__stage1__hanchan="4")
    send(desk, draft, do="go-knock-out stage1 16")
    send(desk, draft, s__stage2__last_0="20", s__stage2__arrange="crossed", s__stage1__by_0="standing")
    assert send(desk, draft, format__players="16") == 302
    shown = desk.get(page(draft)).content.decode()
    for sentence in (
        "With 17 players the tables are not full: choose what happens then",
        "With 16 players, the fewest allowed, there are fewer ranks than that: allow more or take fewer",
        "Before the first round there is no standing: take a plan or a draw for it",
        "Only two ranks of each table of one stage can be crossed",
    ):
        assert sentence in shown, sentence
    assert not re.search(r"policies\.odd|entrants\.least|name an earlier stage in of", shown)


ONLY_AS_TEXT = """
name = "two-blocks"
title = "上位4名とそれ以外"
players = 4
entrants = { least = 8, most = 16 }
tiebreak = {}
policies = { odd = { by = "byes" } }

[[stages]]
key = "main"
title = "本戦"
hanchan = 4
seating = "rounds"
assignment = "seeded"
carry_over = { kind = "none" }
blocks = [
  { key = "A", title = "上位", entrants = [{ from = "seed:1-4" }] },
  { key = "B", title = "その他", entrants = [{ from = "seed:5-*" }] },
]
"""


def test_what_the_builder_cannot_show_is_kept_from_its_text(desk: Client) -> None:
    written = ONLY_AS_TEXT.strip()
    assert desk.post(BUILD, {"way": "text", "text": written}).status_code == 302
    opened = FormatDraft.objects.latest("pk")
    address = page(opened, "text/")
    assert desk.get(page(opened)).headers["Location"] == address
    assert "The builder does not show everything" in desk.get(address).content.decode()
    sent = {"text": written, "seen": str(opened.counter), "keep": "1"}
    answer = desk.post(address, {**sent, "text": "nonsense"})
    assert answer.status_code == 422
    sent["seen"] = str(FormatDraft.objects.get(pk=opened.pk).counter)
    assert desk.post(address, sent).headers["Location"].endswith("/change/")
    assert FormatRevision.objects.get().text == text_of(written)


def text_of(written: str) -> str:
    return written.strip() + "\n"


def test_a_team_league_is_begun_built_and_tried_out(desk: Client) -> None:
    assert desk.post(BUILD, {"kind": "teams", "players": "7", "table": "4", "title": ""}).status_code == 302
    draft = FormatDraft.objects.get()
    assert send(desk, draft, do="stage-add") == 302
    assert send(desk, draft, team__members_least="3", team__members_most="4", team__both_sexes="on") == 302
    limit = {"s__stage1__limit_least": "1", "s__stage1__limit_most": "6", "s__stage1__limit_note": "Rules of May 2026"}
    assert send(desk, draft, **limit, team__by_0="total", team__least_0="3", team__title_0="MVP") == 302
    found = parse_format(text(draft), "teams.toml")
    assert (found.kind, found.entrants) == ("teams", 7)
    assert found.team is not None
    assert (found.team.members.least, found.team.members.most, found.team.both_sexes) == (3, 4, True)
    assert [(each.stage, each.least, each.most, each.note and each.note.en) for each in found.limits] == [
        ("stage1", 1, 6, "Rules of May 2026")
    ]
    (award,) = found.awards
    assert (award.stage, award.by, award.least_hanchan, award.title and award.title.en) == (
        "stage1", "total", 3, "MVP",
    )  # fmt: skip
    assert send(desk, draft) == 302
    assert text(draft) == draft_text(FormatDraft.objects.get(pk=draft.pk))
    assert "3 to 4 members to a team" in desk.get(page(draft)).content.decode()
    assert desk.get(page(draft, "trial/?seed=2")).status_code == 200


def test_a_limit_that_the_members_cannot_keep_is_marked_at_its_stage(desk: Client) -> None:
    desk.post(BUILD, {"kind": "teams", "players": "8", "table": "4", "title": ""})
    draft = FormatDraft.objects.get()
    send(desk, draft, s__stage1__limit_least="7")
    assert "hanchan each need" in desk.get(page(draft)).content.decode()
    assert desk.post(page(draft), {**fields(desk, draft), "do": "keep"}).status_code == 422


def test_players_take_the_place_of_teams(desk: Client) -> None:
    desk.post(BUILD, {"kind": "teams", "players": "8", "table": "4", "title": ""})
    draft = FormatDraft.objects.get()
    assert send(desk, draft, team__kind="players") == 302
    found = parse_format(text(draft), "players.toml")
    assert (found.kind, found.team, found.stages[0].seating) == ("players", None, "rounds")


def test_a_shipped_team_league_is_copied_into_the_builder(desk: Client) -> None:
    assert desk.post(BUILD, {"way": "from", "source": "mleague-2019", "clone": "1"}).status_code == 302
    draft = FormatDraft.objects.get()
    before = FormatDraft.objects.get().counter
    assert send(desk, draft) == 302
    assert FormatDraft.objects.get().counter == before
    assert [award.key for award in parse_format(text(draft), "copy").awards] == [
        "points", "fourth-avoidance", "best-score",
    ]  # fmt: skip
