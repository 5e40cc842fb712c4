"""Every ready format becomes a published league through the pages of the guided set-up, in both languages."""

from __future__ import annotations

from collections import Counter

import pytest
from django.test import Client

from league.models import Competition, HanchanSeat
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from rulesets.formats import format_names, load_format
from scoring.format import Seating
from scoring.format.fit import size_of
from tests.fuzz.forms import forms_of
from tests.league.admin_pages import at
from tests.league.competitions.admin.test_admin_wizard import BEGIN, schedule, untouched
from tests.league.roster_texts import ANY_NUMBER, roster

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", format_names())
def test_a_ready_format_is_published_with_invented_players(chief: Client, name: str) -> None:
    format_, language = load_format(name), ("ja", "en")[format_names().index(name) % 2]
    chief.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    ruleset = "tenhou3" if format_.players == 3 else "cinderella"
    begin = f"{BEGIN}?format={name}"
    assert chief.post(begin, {**untouched(chief.get(begin)), "ruleset": ruleset}).status_code == 302
    league = Competition.objects.get()
    # A format of open size has as many places as the page proposes.
    format_ = format_of(rules_at(league))
    players = {"pasted": roster(format_.seeds or ANY_NUMBER)}
    seen = chief.post(at(league, "set-up-players"), players).context["form"].digest
    chief.post(at(league, "set-up-players"), {**players, "seen": seen, "enter": "1"})
    if format_.seeds:
        assert chief.post(at(league, "set-up-blocks"), {"filling": "draw", "seed": "moon"}).status_code == 302
    page = chief.get(at(league, "set-up-schedule"), follow=True)
    if not format_.seeds:
        (form,) = [form for form in forms_of("", page.content.decode()) if "hanchan" in form.fields]
        page = chief.post(at(league, "set-up-schedule"), {**form.untouched, "hanchan": "4"}, follow=True)
    assert chief.post(at(league, "set-up-schedule"), {**schedule(page), "write": "1"}).status_code == 302
    assert chief.post(at(league, "set-up-publish")).status_code == 302
    league.refresh_from_db()
    assert (league.status, league.entrants.count()) == ("published", format_.seeds or ANY_NUMBER)
    first = {block.key for block in format_.stages[0].blocks}
    fixed = load_format(name)
    if fixed.seeds and fixed.stages[0].seating is not Seating.FIXTURES:
        assert league.sessions.count() == size_of(fixed).sessions
        seats = Counter(HanchanSeat.objects.filter(hanchan__block__key__in=first).values_list("entrant", flat=True))
        assert set(seats.values()) == {fixed.stages[0].hanchan}
        assert len(seats) == fixed.entrants
    assert set(league.table_sessions.values_list("block__key", flat=True)) >= first
    shown = chief.get(f"/c/{league.slug}/").content.decode()
    assert f'<html lang="{language}"' in shown
    assert len(format_.stages) == 1 or "ladder" in shown
