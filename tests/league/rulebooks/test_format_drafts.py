"""Test drafts of formats: every state is stored, undo and redo go through them, and no user overwrites another."""

from __future__ import annotations

import pytest

from league.models import FormatDraft, FormatDraftState, FormatRevision, OrganizationChange
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.services.rulebooks.format_drafts import (
    MOST_STATES,
    can_redo,
    can_undo,
    change_draft,
    discard_draft,
    draft_text,
    keep_draft,
    redo_draft,
    start_draft,
    undo_draft,
)
from league.services.rulebooks.own_formats import check_format
from league.services.rulebooks.revisions import keep_format
from tests import factories
from tests.factories import SYSTEM

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def changed(draft: FormatDraft, text: str) -> FormatDraft:
    return change_draft(draft=draft, seen=draft.counter, by=SYSTEM, text=text)


def code_of(error: pytest.ExceptionInfo[ConflictError]) -> str:
    return error.value.findings[0].code


def test_a_draft_begins_from_a_format_under_a_name_of_its_own() -> None:
    draft = start_draft(by=SYSTEM, source="cinderella", name="maple", title="かえで")
    assert (draft.name, draft.title, draft.title_en, draft.source) == ("maple", "かえで", "かえで", "cinderella")
    assert check_format(draft_text(draft)).is_sound


def test_an_empty_draft_lacks_nothing_but_its_stages() -> None:
    draft = start_draft(by=SYSTEM, name="new", title="New")
    assert [fault.key for fault in check_format(draft_text(draft)).faults] == ["stages"]


def test_a_text_that_is_no_toml_is_stored_as_typed() -> None:
    draft = changed(start_draft(by=SYSTEM, name="new", title="New"), "name = broken")
    assert draft_text(draft) == "name = broken\n"
    assert (draft.name, draft.title) == ("new", "New")


def test_undo_and_redo_go_through_the_states_until_the_next_change() -> None:
    draft = start_draft(by=SYSTEM, name="one", title="One")
    first = draft_text(draft)
    draft = changed(changed(draft, 'name = "two"'), 'name = "three"')
    draft = undo_draft(draft=draft, seen=draft.counter, by=SYSTEM)
    assert draft.name == "two"
    draft = undo_draft(draft=draft, seen=draft.counter, by=SYSTEM)
    assert draft_text(draft) == first
    with pytest.raises(ConflictError) as refused:
        undo_draft(draft=draft, seen=draft.counter, by=SYSTEM)
    assert code_of(refused) == "nothing_to_undo"
    assert (can_undo(draft), can_redo(draft)) == (False, True)
    draft = redo_draft(draft=draft, seen=draft.counter, by=SYSTEM)
    draft = changed(draft, 'name = "four"')
    with pytest.raises(ConflictError) as refused:
        redo_draft(draft=draft, seen=draft.counter, by=SYSTEM)
    assert code_of(refused) == "nothing_to_redo"
    assert [state.text for state in draft.states.all()] == [first, 'name = "two"\n', 'name = "four"\n']


def test_an_equal_text_is_no_new_state() -> None:
    draft = start_draft(by=SYSTEM, name="one", title="One")
    assert changed(draft, draft_text(draft)).counter == draft.counter
    assert draft.states.count() == 1


def test_the_last_states_are_stored_and_older_ones_are_gone() -> None:
    draft = start_draft(by=SYSTEM, name="one", title="One")
    for number in range(MOST_STATES + 3):
        draft = changed(draft, f'name = "n{number}"')
    assert draft.states.count() == MOST_STATES
    assert draft_text(draft) == f'name = "n{MOST_STATES + 2}"\n'


def test_a_user_who_changes_an_older_state_is_told_and_overwrites_nothing() -> None:
    draft = start_draft(by=SYSTEM, name="one", title="One")
    changed(draft, 'name = "two"')
    for write in (undo_draft, discard_draft, keep_draft):
        with pytest.raises(ConflictError) as refused:
            write(draft=draft, seen=1, by=SYSTEM)
        assert code_of(refused) == "draft_changed"
    assert FormatDraft.objects.get().name == "two"


def test_data_become_a_text_and_what_toml_cannot_hold_is_refused() -> None:
    draft = start_draft(by=SYSTEM, name="one", title="One")
    draft = change_draft(draft=draft, seen=1, by=SYSTEM, data={"stages": [{"key": "a"}], "name": "two"})
    assert draft_text(draft) == 'name = "two"\n\n[[stages]]\nkey = "a"\n'
    with pytest.raises(RuleViolationError) as refused:
        change_draft(draft=draft, seen=2, by=SYSTEM, data={"name": None})
    assert refused.value.findings[0].code == "no_toml"


def test_a_kept_draft_becomes_a_revision_and_is_gone() -> None:
    draft = start_draft(by=SYSTEM, source="cinderella", name="maple", title="かえで")
    revision = keep_draft(draft=draft, seen=1, by=SYSTEM)
    assert (revision.name, revision.number) == ("maple", 1)
    assert keep_format("maple") == revision
    assert not FormatDraftState.objects.exists()
    with pytest.raises(ConflictError) as refused:
        keep_draft(draft=draft, seen=1, by=SYSTEM)
    assert code_of(refused) == "draft_gone"


def test_a_draft_with_faults_stays_when_it_is_refused() -> None:
    draft = start_draft(by=SYSTEM, name="new", title="New")
    with pytest.raises(RuleViolationError):
        keep_draft(draft=draft, seen=1, by=SYSTEM)
    assert draft_text(FormatDraft.objects.get()) == draft_text(draft)
    assert not FormatRevision.objects.exists()


def test_discarding_is_logged() -> None:
    draft = start_draft(by=SYSTEM, name="new", title="New")
    discard_draft(draft=draft, seen=1, by=SYSTEM)
    assert not FormatDraft.objects.exists()
    assert OrganizationChange.objects.filter(kind="format.draft_discarded").count() == 1


def test_only_those_who_may_write_formats_open_a_draft() -> None:
    with pytest.raises(PermissionRefusedError):
        start_draft(by=factories.actor(factories.user()), name="new", title="New")
