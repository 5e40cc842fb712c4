"""Test organizers' own formats: checking, cloning, keeping as revisions, and their place among the choices."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from league.api.examples import FORMAT
from league.models import FormatRevision, OrganizationChange
from league.platform.errors import PermissionRefusedError, RuleViolationError, WarningsNotAcceptedError
from league.selectors.rulebooks.catalogue import may_write_formats
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.services.rulebooks.own_formats import (
    check_format,
    cloned_format,
    faults_found,
    format_data,
    keep_own_format,
)
from league.services.rulebooks.revisions import keep_format
from scoring.format.limits import LONGEST_KEY, MOST_HANCHAN, places_named
from tests import factories
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db


def kept(text: str = FORMAT, **more: object) -> FormatRevision:
    return keep_own_format(text=text, by=SYSTEM, **more)  # type: ignore[arg-type]


def codes(text: str) -> list[str]:
    return [fault.code for fault in check_format(text).faults]


def test_an_equal_text_is_stored_and_logged_once() -> None:
    first = kept()
    assert kept(FORMAT.replace("\n", "\r\n")) == first
    second = kept(FORMAT.replace("hanchan = 4", "hanchan = 8"))
    assert (first.number, second.number) == (1, 2)
    logged = OrganizationChange.objects.filter(kind="format.kept").order_by("pk")
    assert [row.subject_id for row in logged] == [str(first.pk), str(second.pk)]


def test_all_faults_of_a_text_are_refused_at_once_with_code_key_line_and_what_is_allowed() -> None:
    text = FORMAT.replace('"seed:1-4"', '"seed:1-5"').replace('kind = "none"', 'kind = "full"')
    with pytest.raises(RuleViolationError) as refused:
        kept(text)
    found = {finding.code: finding for finding in refused.value.findings}
    assert set(found) == {"seeds_differ", "nothing_carried"}
    assert found["nothing_carried"].params["key"] == "stages.only.carry_over.kind"
    assert found["nothing_carried"].params["line"] == text.splitlines().index('carry_over = { kind = "full" }') + 1
    assert found["nothing_carried"].message == found["nothing_carried"].params["allowed"]
    assert not FormatRevision.objects.filter(name="evening").exists()


def test_faults_of_data_point_to_their_places() -> None:
    text = FORMAT.replace('"seed:1-4"', '"nobody"')
    found = faults_found(check_format(text).faults, format_data(text), "/format")
    assert "/format/stages/0/blocks/0/entrants/0/from" in [finding.pointer for finding in found]


def test_the_name_of_a_format_of_the_product_is_refused() -> None:
    assert codes(FORMAT.replace('"evening"', '"cinderella"')) == ["name_of_product"]


def test_numbers_and_names_that_no_table_could_hold_are_refused() -> None:
    long = "k" * (LONGEST_KEY + 1)
    assert codes(FORMAT.replace("hanchan = 4", f"hanchan = {MOST_HANCHAN + 4}")) == ["number_too_large"]
    assert codes(FORMAT.replace('key = "only"', f'key = "{long}"')) == ["text_too_long"] * 2
    assert codes(FORMAT.replace('title = "Only stage"', f'title = "{"t" * 101}"')) == ["text_too_long"] * 2
    many = ", ".join(['{ from = "seed:1-2000" }'] * 6)
    assert codes(FORMAT.replace('{ from = "seed:1-4" }', many)) == ["too_many_sources"]


def test_places_named_counts_a_rank_of_a_stage_once_for_each_block() -> None:
    assert places_named(format_data(cloned_format("cinderella", "x"))) == 8 + 8 + 2 * 2 + 2 + 2 + 2 + 2 + 2 + 2


def test_a_clone_differs_in_name_and_title_alone() -> None:
    clone = check_format(cloned_format("cinderella", "maple", "かえでリーグ")).format
    source = check_format(cloned_format("cinderella", "maple")).format
    assert clone is not None
    assert source is not None
    assert clone.title.en == clone.title.ja == "かえでリーグ"
    assert clone.stages == source.stages
    with pytest.raises(RuleViolationError):
        cloned_format("cinderella@7", "maple")


def test_organizers_who_set_up_competitions_may_write_formats_and_others_may_not() -> None:
    writer, other = factories.user(), factories.user()
    writer.user_permissions.add(Permission.objects.get(codename="add_competition"))
    assert may_write_formats(writer)
    keep_own_format(text=FORMAT, by=factories.actor(writer))
    with pytest.raises(PermissionRefusedError):
        keep_own_format(text=FORMAT, by=factories.actor(other))


def test_a_newer_revision_that_the_author_has_not_seen_must_be_accepted() -> None:
    kept()
    changed = FORMAT.replace("hanchan = 4", "hanchan = 8")
    with pytest.raises(WarningsNotAcceptedError) as refused:
        kept(changed, seen=0)
    assert [finding.code for finding in refused.value.findings] == ["newer_revision"]
    assert kept(changed, seen=0, accept={"newer_revision"}).number == 2


def test_own_formats_are_among_the_choices_with_their_newest_revision_first(chief: Client) -> None:
    kept()
    kept(FORMAT.replace("hanchan = 4", "hanchan = 8"))
    season = factories.league("own", league_format="evening")
    assert format_of(rules_at(season)).stage("only").hanchan == 8
    page = f"/admin/league/competition/{season.pk}/rules/"
    form = chief.get(page).context["form"]
    choices = [value for value, _label in form.fields["league_format"].choices]
    assert choices[-2:] == ["evening@2", "evening@1"]
    assert form.initial["league_format"] == "evening@2"
    assert keep_format("evening@1").number == 1


def test_an_unknown_format_is_refused_with_the_known_names() -> None:
    kept()
    for name in ("evening@3", "evening@x", "nothing"):
        with pytest.raises(RuleViolationError) as refused:
            keep_format(name)
        assert "cinderella" in str(refused.value)
        assert "evening" in str(refused.value)
