"""State machine over a competition: each step is accepted or refused with findings; all is rolled back in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, run_state_machine_as_test

from league.models import Change, Competition, OrganizationChange, ResultSheet, Role
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.services.operations.verification import differences_of
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.fuzz.examples import tried

HUGE = (2**31, 2**63, -(2**63) - 1, 10**30)
UNSTORABLE = ("\0", "\ud800")
STEPS = 12
ACTORS = ("first", "second", "director", "director", None, None, "reader", "stranger")
picks = st.integers(0, 10**6)
reasons = st.sampled_from(("a slip", "as agreed", "", " ", "x" * 10_000, *UNSTORABLE))


def refusal_of(act: Callable[[], object]) -> ServiceError | None:
    """Run a service in a savepoint; return its refusal, or None if it succeeded."""
    try:
        with transaction.atomic():
            act()
    except ServiceError as refused:
        return refused
    return None


def with_people(competition: Competition) -> None:
    """Add a user of every kind in `ACTORS` to the competition, and publish its first standings."""
    for name in ("first", "second"):
        factories.user(name, Role.SCORER, competition)
    factories.user("director", Role.DIRECTOR, competition)
    factories.user("reader", Role.READER, competition)
    factories.user("stranger")
    publish_standings(competition.pk)


def try_anything(machine: type[Machine], competition: Competition) -> None:
    """Run the rules of the machine on a competition in any order."""
    here = type("Here", (machine,), {"competition_id": competition.pk})
    run_state_machine_as_test(here, settings=settings(tried(2), stateful_step_count=STEPS))


class Machine(RuleBasedStateMachine):
    """Base of the state machines; it holds the invariants of every competition."""

    competition_id: int

    def __init__(self) -> None:
        super().__init__()
        self.verified: object = None
        self.transaction = transaction.atomic()
        self.transaction.__enter__()

    def teardown(self) -> None:
        """Roll everything back."""
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    @property
    def competition(self) -> Competition:
        """Return the competition, read from the database."""
        return Competition.objects.get(pk=self.competition_id)

    def one(self, rows: Any, number: int) -> Any:
        """Return one of these rows; None if there is none."""
        found = list(rows.order_by("pk"))
        return found[number % len(found)] if found else None

    def actor(self, number: int) -> Actor:
        """Return one of the actors, most of whom have a role."""
        name = ACTORS[number % len(ACTORS)]
        return factories.actor(User.objects.get(username=name) if name else None)

    def attempt(self, act: Callable[[], object]) -> None:
        """Run a service; if it is refused, check that it wrote nothing."""
        before = self.written()
        refused = refusal_of(act)
        event(f"refused: {refused.findings[0].code}" if refused else "taken")
        if refused:
            assert all(finding.code and finding.message for finding in refused.findings)
            assert self.written() == before
        publish_standings(self.competition_id)

    def written(self) -> object:
        """Return the data that every write changes."""
        sheets = ResultSheet.objects.filter(hanchan__block__competition=self.competition_id)
        return (
            self.competition.version,
            Change.objects.filter(competition=self.competition_id).count(),
            list(sheets.order_by("pk").values_list("pk", "state")),
        )

    @invariant()
    def everything_follows_from_the_facts(self) -> None:
        """A rebuild gives the stored rows, for both audiences, and numbers have no gaps; checked after each write."""
        written = self.written(), OrganizationChange.objects.count()
        if written != self.verified:
            assert [str(each) for each in differences_of(self.competition)] == []
            self.verified = written

    @invariant()
    def one_sheet_counts(self) -> None:
        """At most one sheet of a hanchan is confirmed."""
        counting = ResultSheet.objects.counting().filter(hanchan__block__competition=self.competition_id)
        assert max(Counter(counting.values_list("hanchan", flat=True)).values(), default=0) <= 1
