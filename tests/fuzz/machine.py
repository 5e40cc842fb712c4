"""A competition to which anything is done: each step is taken or refused with words, and undone in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, run_state_machine_as_test

from league.models import Change, Competition, ResultSheet, Role
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
    """Why it was refused; None where it was done."""
    try:
        with transaction.atomic():
            act()
    except ServiceError as refused:
        return refused
    return None


def with_people(competition: Competition) -> None:
    """Give it somebody of every kind in `ACTORS`, and its first standings."""
    for name in ("first", "second"):
        factories.user(name, Role.SCORER, competition)
    factories.user("director", Role.DIRECTOR, competition)
    factories.user("reader", Role.READER, competition)
    factories.user("stranger")
    publish_standings(competition.pk)


def try_anything(machine: type[Machine], competition: Competition) -> None:
    """Do to a competition whatever the machine can do, in any order."""
    here = type("Here", (machine,), {"competition_id": competition.pk})
    run_state_machine_as_test(here, settings=settings(tried(2), stateful_step_count=STEPS))


class Machine(RuleBasedStateMachine):
    """What holds of every competition after each step, whatever the steps are."""

    competition_id: int

    def __init__(self) -> None:
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()

    def teardown(self) -> None:
        """Forget it all."""
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    @property
    def competition(self) -> Competition:
        """As it stands now."""
        return Competition.objects.get(pk=self.competition_id)

    def one(self, rows: Any, number: int) -> Any:
        """One of these rows; None where there is none."""
        found = list(rows.order_by("pk"))
        return found[number % len(found)] if found else None

    def actor(self, number: int) -> Actor:
        """Anybody, mostly somebody who may."""
        name = ACTORS[number % len(ACTORS)]
        return factories.actor(User.objects.get(username=name) if name else None)

    def attempt(self, act: Callable[[], object]) -> None:
        """Do it; where it is refused nothing was written."""
        before = self.written()
        refused = refusal_of(act)
        event(f"refused: {refused.findings[0].code}" if refused else "taken")
        if refused:
            assert all(finding.code and finding.message for finding in refused.findings)
            assert self.written() == before
        publish_standings(self.competition_id)

    def written(self) -> object:
        """What changes with every write."""
        sheets = ResultSheet.objects.filter(hanchan__block__competition=self.competition_id)
        return (
            self.competition.version,
            Change.objects.filter(competition=self.competition_id).count(),
            list(sheets.order_by("pk").values_list("pk", "state")),
        )

    @invariant()
    def everything_follows_from_the_facts(self) -> None:
        """A rebuild gives what is stored, numbers have no gaps, both audiences."""
        assert [str(each) for each in differences_of(self.competition)] == []

    @invariant()
    def one_sheet_counts(self) -> None:
        """At most one sheet of a hanchan counts."""
        counting = ResultSheet.objects.counting().filter(hanchan__block__competition=self.competition_id)
        assert max(Counter(counting.values_list("hanchan", flat=True)).values(), default=0) <= 1
