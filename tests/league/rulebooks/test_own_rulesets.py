"""Test custom rulesets: cloning, editing, proving, saving as revisions and activating in the admin."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from league.models import Competition, OrganizationChange, Role, RulesetRevision, RulesInForce
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError, WarningsNotAcceptedError
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.rulebooks.own_rulesets import Draft, cloned, keep_own_ruleset, prove
from league.services.rulebooks.revisions import (
    RulesChoice,
    keep_format,
    keep_ruleset,
    put_rules_in_force,
    revision_named,
)
from rulesets import loader
from tests import factories
from tests.factories import SYSTEM
from tests.fuzz.forms import forms_of

pytestmark = pytest.mark.django_db
LIST = "/admin/league/rulesetrevision/"
WRITE = f"{LIST}write/"
OWN = cloned(loader.text_of("mleague"), "tomoshibi", "灯火荘", "Tomoshibi")
EXAMPLES = """[conventions]
absent = "ignore"

[[settlement]]
id = "T-1"
clauses = ["ML-002"]
scores = [40000, 30000, 20000, 10000]
expect = { points = ["60.0", "10.0", "-20.0", "-50.0"] }
"""


def body(response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined, no-any-return]


def kept(text: str = OWN, examples: str = "", seen: int = 0, **more: object) -> RulesetRevision:
    return keep_own_ruleset(draft=Draft(text=text, examples=examples, seen=seen), by=SYSTEM, **more)  # type: ignore[arg-type]


def test_a_clone_differs_from_its_source_only_in_name_and_title() -> None:
    rules, source = loader.parse(OWN, "own"), loader.load("mleague")
    assert (rules.name, rules.title.ja, rules.title.en) == ("tomoshibi", "灯火荘", "Tomoshibi")
    assert rules.model_copy(update={"name": source.name, "title": source.title}) == source


def test_saving_a_ruleset_is_logged_once_per_revision() -> None:
    first = kept()
    assert kept(seen=1) == first
    second = kept(OWN.replace("[30, 10, -10, -30]", "[20, 10, -10, -20]"), seen=1)
    lines = OrganizationChange.objects.filter(kind="ruleset.kept").order_by("pk")
    assert list(lines.values_list("subject_id", "after__number")) == [(str(first.pk), 1), (str(second.pk), 2)]


@pytest.mark.parametrize("name", loader.names())
def test_every_built_in_ruleset_can_be_cloned(name: str) -> None:
    assert prove(cloned(loader.text_of(name), "tomoshibi", '灯火荘 "本店"')).is_sound


@pytest.mark.both_databases
def test_a_ruleset_can_be_cloned_edited_proved_and_saved(chief: Client) -> None:
    listed = chief.get(LIST)
    assert f"{LIST}add/" in body(listed)
    started = chief.post(
        f"{LIST}add/", {"source": "mleague", "name": "tomoshibi", "title_ja": "灯火荘", "title_en": "Tomoshibi"}
    )
    assert started.status_code == 302
    editor = chief.get(started["Location"])
    assert editor.context["form"].initial["text"] == OWN
    assert "As players read it: Tomoshibi" in body(editor)
    assert not RulesetRevision.objects.exists()
    text = OWN.replace("[30, 10, -10, -30]", "[20, 10, -10, -20]")
    examples = EXAMPLES.replace('"60.0"', '"50.0"').replace('"-50.0"', '"-40.0"')
    checked = chief.post(WRITE, {"text": text, "examples": examples, "seen": "0", "check": "1"})
    assert checked.status_code == 200
    assert "1 passed, 0 failed" in body(checked)
    assert "+20 / +10 / -10 / -20" in body(checked)
    done = chief.post(WRITE, {"text": text, "examples": examples, "seen": "0", "keep": "1"})
    revision = RulesetRevision.objects.get()
    assert done["Location"] == f"{LIST}{revision.pk}/change/"
    assert (str(revision), revision.text, revision.examples) == ("tomoshibi r1", text, examples)
    page = body(chief.get(done["Location"]))
    assert revision.sha256 in page
    assert "1 passed, 0 failed" in page
    assert f"{WRITE}?source=tomoshibi%401" in page


def test_every_fault_is_shown_at_its_line_and_the_input_is_kept(chief: Client) -> None:
    text = OWN.replace("unit = 1000", "unit = 0").replace("players = 4", "players = 5\ncolour = 1")
    response = chief.post(WRITE, {"text": text, "examples": EXAMPLES, "seen": "0", "keep": "1"})
    assert response.status_code == 422
    lines = text.splitlines()
    for fault in response.context["faults"]:
        assert fault.quoted == lines[fault.fault.line - 1].strip()
    by_key = {each.fault.key: each for each in response.context["faults"]}
    assert by_key["players"].quoted == "players = 5"
    assert by_key["colour"].quoted == "colour = 1"
    assert by_key["settlement.kyoutaku.unit"].quoted == "unit = 0"
    page = body(response)
    assert f"Line {by_key['players'].fault.line}" in page
    assert response.context["form"]["text"].value() == text
    assert response.context["form"]["examples"].value() == EXAMPLES
    assert not RulesetRevision.objects.exists()


def test_invalid_toml_is_reported_with_its_line(chief: Client) -> None:
    response = chief.post(WRITE, {"text": f"{OWN}\n[settlement", "seen": "0", "check": "1"})
    (only,) = response.context["faults"]
    assert only.fault.line == len(OWN.splitlines()) + 2
    assert only.quoted == "[settlement"


def test_invalid_examples_are_reported_with_their_line(chief: Client) -> None:
    response = chief.post(WRITE, {"text": OWN, "examples": EXAMPLES.replace("scores", "points"), "seen": "0"})
    assert response.status_code == 422
    faults = {each.fault.key: each for each in response.context["example_faults"]}
    assert faults["settlement.0.points"].quoted.startswith("points = [40000")
    assert "As players read it" in body(response)


def test_a_failing_example_shows_expected_and_found_values_and_must_be_accepted(chief: Client) -> None:
    typed = {"text": OWN, "examples": EXAMPLES.replace('"60.0"', '"61.0"'), "seen": "0", "keep": "1"}
    response = chief.post(WRITE, typed)
    assert response.status_code == 422
    page = body(response)
    assert "0 passed, 1 failed" in page
    assert "expected [61, 10, -20, -50], found [60, 10, -20, -50]" in page
    assert "1 example fails" in page
    assert chief.post(WRITE, {**typed, "accept": "examples_failed"}).status_code == 302


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": "cinderella"}, "name"),
        ({"name": "Own Book"}, "name"),
        ({"name": "there"}, "name"),
        ({"source": "nothing"}, "source"),
        ({"title_ja": ""}, "title_ja"),
    ],
)
def test_a_clone_needs_a_free_name_and_a_source(chief: Client, wrong: dict[str, str], field: str) -> None:
    kept(cloned(OWN, "there"))
    response = chief.post(f"{LIST}add/", {"source": "mleague", "name": "own", "title_ja": "自店", **wrong})
    assert response.status_code == 422
    assert field in response.context["form"].errors


def test_an_unknown_source_redirects_to_the_choice_of_a_source(chief: Client) -> None:
    for source in ("", "nothing", "mleague@", "mleague@1", "mleague@" + "9" * 400):
        assert chief.get(WRITE, {"source": source})["Location"] == f"{LIST}add/"


def test_an_empty_text_is_refused_at_its_field(chief: Client) -> None:
    response = chief.post(WRITE, {"text": "", "examples": "", "seen": "x", "keep": "1"})
    assert response.status_code == 422
    assert {"text", "seen"} <= set(response.context["form"].errors)


def test_an_overlong_text_is_refused_and_kept_in_the_form(chief: Client) -> None:
    long = OWN + "#" * 200_001
    response = chief.post(WRITE, {"text": long, "seen": "0", "keep": "1"})
    assert response.status_code == 422
    assert response.context["form"]["text"].value() == long
    with pytest.raises(RuleViolationError) as refused:
        kept(long)
    assert refused.value.findings[0].code == "text_too_long"


def test_the_name_of_a_built_in_ruleset_is_refused_at_its_line() -> None:
    with pytest.raises(RuleViolationError) as refused:
        kept(loader.text_of("mleague"))
    (finding,) = refused.value.findings
    assert finding.params == {"line": 1, "key": "name"}
    assert "belongs to the product" in finding.message
    assert "at most 64" in str(prove(cloned(OWN, "a" * 65)).faults[0])


@pytest.mark.both_databases
def test_a_changed_text_is_a_new_revision_and_the_same_text_is_not_saved_twice() -> None:
    first = kept()
    assert kept(OWN.replace("\n", "\r\n") + "\n\n", EXAMPLES, seen=1) == first
    first.refresh_from_db()
    assert (first.text, first.examples) == (OWN, EXAMPLES)
    second = kept(OWN.replace("[30, 10, -10, -30]", "[20, 10, -10, -20]"), seen=1)
    assert (second.number, RulesetRevision.objects.count()) == (2, 2)
    assert revision_named("tomoshibi") == second
    assert keep_ruleset("tomoshibi@1") == first
    first.refresh_from_db()
    assert first.text == OWN


@pytest.mark.both_databases
def test_a_revision_saved_meanwhile_by_another_user_must_be_accepted() -> None:
    kept()
    other = OWN.replace("[30, 10, -10, -30]", "[20, 10, -10, -20]")
    with pytest.raises(WarningsNotAcceptedError) as refused:
        kept(other)
    assert refused.value.findings[0].code == "newer_revision"
    assert kept(other, accept={"newer_revision"}).number == 2


def test_two_concurrent_saves_do_not_overwrite_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    kept()

    def at_once(model: object, name: str, text: str) -> RulesetRevision:
        return RulesetRevision.objects.create(name=name, number=1, text=text, sha256="0" * 64)

    monkeypatch.setattr("league.services.rulebooks.own_rulesets.keep", at_once)
    with pytest.raises(ConflictError):
        kept(OWN + "# more\n", seen=1)


@pytest.mark.parametrize("page", [f"{LIST}add/", WRITE, f"{WRITE}?source=mleague"])
def test_writing_rulesets_needs_its_own_permission(client: Client, page: str) -> None:
    season = factories.final_table()
    director = factories.user(role=Role.DIRECTOR, competition=season, is_staff=True)
    client.force_login(director)
    assert client.get(page).status_code == 403
    assert client.post(page, {"text": OWN, "seen": "0", "keep": "1"}).status_code == 403
    with pytest.raises(PermissionRefusedError):
        keep_own_ruleset(draft=Draft(text=OWN), by=factories.actor(director))
    writer = factories.user(is_staff=True)
    writer.user_permissions.add(Permission.objects.get(codename="add_rulesetrevision"))
    client.force_login(User.objects.get(pk=writer.pk))
    assert client.get(page).status_code in {200, 302}
    assert f'href="{LIST}"' in body(client.get("/admin/"))
    assert client.post(WRITE, {"text": OWN, "seen": "0", "keep": "1"}).status_code == 302
    revision = RulesetRevision.objects.get(name="tomoshibi")
    assert client.get(f"{LIST}{revision.pk}/change/").status_code == 200
    assert client.get(f"{LIST}{revision.pk}/force/").status_code == 403
    assert client.post(f"{LIST}{revision.pk}/delete/").status_code == 403
    client.logout()
    assert client.get(page).status_code == 302


@pytest.mark.both_databases
def test_a_director_can_activate_a_revision_for_their_own_competition_only(client: Client) -> None:
    season = factories.final_table()
    other = factories.final_table("other")
    before = factories.table(season.blocks.get()).hanchan.get(round=1)
    revision = kept()
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    client.force_login(factories.user(role=Role.DIRECTOR, competition=season, is_staff=True))
    force = f"{LIST}{revision.pk}/force/"
    assert [name for _pk, name in client.get(force).context["form"].fields["competition"].choices][1:] == [
        "Spring League"
    ]
    assert client.post(force, {"competition": other.pk}).status_code == 422
    rules_page = client.post(force, {"competition": season.pk}).headers["Location"]
    assert rules_page == f"/admin/league/competition/{season.pk}/rules/?ruleset=tomoshibi%401"
    (form,) = [form for form in forms_of(rules_page, body(client.get(rules_page))) if "ruleset" in form.fields]
    typed = {name: field.values for name, field in form.fields.items() if field.values}
    assert (typed["ruleset"], typed["options_of"]) == (["tomoshibi@1"], ["tomoshibi@1"])
    assert client.post(rules_page, typed).status_code == 302
    rules = rules_at(season)
    assert rules.ruleset == revision
    assert ruleset_of(rules).settlement.uma.amounts[0] == 30  # type: ignore[union-attr]
    assert before.rules != rules
    assert revision.sha256[:16] in body(client.get(f"/c/{season.slug}/ruleset/"))
    assert "tomoshibi r1" in body(client.get(f"/admin/league/competition/{season.pk}/change/"))


def test_custom_revisions_are_among_the_choices_of_a_competition(chief: Client) -> None:
    season = factories.final_table()
    kept()
    kept(OWN + "# second\n", seen=1)
    page = f"/admin/league/competition/{season.pk}/rules/"
    choices = dict(chief.get(page).context["form"].fields["ruleset"].choices)
    assert {"mleague", "tomoshibi@1", "tomoshibi@2"} <= set(choices)
    typed = {"ruleset": "tomoshibi@1", "league_format": "single-table-final"}
    assert chief.post(page, typed).status_code == 302
    assert str(rules_at(season).ruleset) == "tomoshibi r1"
    assert chief.get(page).context["form"].initial["ruleset"] == "tomoshibi@1"


def test_rules_for_another_number_of_players_are_refused() -> None:
    for league_format in ("single-table-final", "open-play"):
        season = factories.league(league_format.replace("-", ""), league_format=league_format)
        choice = RulesChoice(ruleset=keep_ruleset("tenhou3"), league_format=keep_format(league_format))
        with pytest.raises(RuleViolationError) as refused:
            put_rules_in_force(competition=season, choice=choice, by=SYSTEM)
        assert refused.value.findings[0].code == "other_players"


def test_two_sets_of_rules_from_the_same_moment_are_a_conflict() -> None:
    season: Competition = factories.final_table()
    since = rules_at(season).effective_from
    choice = RulesChoice(ruleset=kept(), league_format=keep_format("single-table-final"), since=since)
    with pytest.raises(ConflictError) as refused:
        put_rules_in_force(competition=season, choice=choice, by=SYSTEM)
    assert (refused.value.findings[0].code, refused.value.findings[0].pointer) == ("same_moment", "/since")


def test_the_editor_has_no_inline_styles_and_a_strict_policy(chief: Client) -> None:
    page = chief.get(WRITE, {"source": "mleague", "name": "own"})
    assert "default-src 'self'" in page["Content-Security-Policy"]
    assert "<style" not in body(page)
    assert " style=" not in body(page)


def test_the_editor_escapes_markup_in_the_text(chief: Client) -> None:
    text = OWN.replace("灯火荘", "<script>alert(1)</script>").replace("players = 4", 'players = "</textarea><b>"')
    page = body(chief.post(WRITE, {"text": text, "seen": "0", "check": "1"}))
    assert "<script>alert" not in page
    assert "</textarea><b>" not in page


@pytest.mark.both_databases
def test_a_revision_invalid_under_the_current_software_breaks_no_page(chief: Client) -> None:
    season = factories.final_table()
    kept()
    RulesetRevision.objects.create(name="older", number=1, text="players = 5", sha256="1" * 64)
    listed = body(chief.get(LIST))
    assert ">older</a>" in listed
    older = RulesetRevision.objects.get(name="older")
    assert "this key is required" not in body(chief.get(f"{LIST}{older.pk}/change/"))
    choices = dict(chief.get(f"/admin/league/competition/{season.pk}/rules/").context["form"].fields["ruleset"].choices)
    assert "tomoshibi@1" in choices
    assert "older@1" not in choices
    rules = rules_at(season)
    later = timezone.now() + dt.timedelta(days=1)
    RulesInForce.objects.create(
        competition=season, ruleset=older, format=rules.format, digest="-", effective_from=later, made_n=1
    )
    assert chief.get("/rules/compare/?scores=412,301,187,100").status_code == 200


@pytest.mark.both_databases
def test_the_history_of_a_revision_names_its_author(chief: Client) -> None:
    chief.post(WRITE, {"text": OWN, "seen": "0", "keep": "1"})
    revision = RulesetRevision.objects.get()
    history = body(chief.get(f"{LIST}{revision.pk}/history/"))
    assert "chief" in history
    assert "Kept at the desk." in history


@pytest.mark.both_databases
def test_an_effective_date_is_read_in_the_competitions_time_zone(chief: Client) -> None:
    season = factories.final_table(time_zone="America/New_York")
    kept()
    page = f"/admin/league/competition/{season.pk}/rules/"
    typed = {
        "ruleset": "tomoshibi@1",
        "league_format": "single-table-final",
        "since_0": "2030-01-10",
        "since_1": "19:00",
    }
    assert chief.post(page, typed).status_code == 302
    start = dt.datetime(2030, 1, 10, 19, 0, tzinfo=ZoneInfo("America/New_York"))
    assert str(rules_at(season, start - dt.timedelta(minutes=1)).ruleset) == "cinderella r1"
    assert str(rules_at(season, start).ruleset) == "tomoshibi r1"
    refused = chief.post(page, typed)
    assert "at this very moment already" in str(refused.context["form"].errors["since"])


def test_an_author_of_rulesets_can_compare_them_before_a_competition_uses_them(chief: Client) -> None:
    kept()
    address = "/rules/compare/?scores=412,301,187,100"
    assert "Tomoshibi" in body(chief.get(address))
    assert "Tomoshibi" not in body(Client().get(address, headers={"accept-language": "en"}))
