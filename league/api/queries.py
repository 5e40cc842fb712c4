"""Query parameters of the collections."""

from __future__ import annotations

from rest_framework import serializers

from league.api.fields import CompetitionField, IdField, KeyField, PagedQuery, Query, SinceField
from league.models import Competition, Hanchan


class CompetitionsQuery(PagedQuery):
    """Filters of the collection of competitions."""

    status = serializers.ChoiceField(Competition.Status.choices, required=False)
    kind = serializers.ChoiceField(Competition.Kind.choices, required=False)
    updated_since = SinceField()


class OfCompetitionQuery(PagedQuery):
    """Filter by the competition that the rows belong to, and by their last change."""

    competition = CompetitionField()
    updated_since = SinceField()


class SessionsQuery(OfCompetitionQuery):
    """Filters of the collection of sessions."""

    number = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)


class RoundQuery(Query):
    """The round of a session."""

    round = serializers.IntegerField(
        min_value=1, max_value=1_000_000, required=False, help_text="The round (回戦); by default the one to be played."
    )


class TableSessionsQuery(OfCompetitionQuery):
    """Filters of the collection of table sessions."""

    session = IdField(required=False, help_text="A session's id.")
    stage = KeyField(help_text="A stage's key.")
    block = KeyField(help_text="A block's key.")


class HanchanQuery(TableSessionsQuery):
    """Filters of the collection of hanchan."""

    table_session = IdField(required=False, help_text="A table session's id.")
    number = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    entrant = IdField(required=False, help_text="Hanchan with a result of this entrant.")
    state = serializers.ChoiceField(Hanchan.State.choices, required=False)


class StandingsQuery(Query):
    """Filters of the standings: a stage, a block, or the whole competition."""

    format = serializers.ChoiceField(["json", "csv"], required=False, help_text="The representation.")
    competition = CompetitionField()
    stage = KeyField(help_text="A stage's key; without it, every stage.")
    block = KeyField(help_text="A block's key; without it, every block.")


class PlayersQuery(PagedQuery):
    """Filters of the collection of players."""

    competition = CompetitionField(required=False)
    updated_since = SinceField()
    search = serializers.CharField(
        required=False, max_length=100, help_text="Part of a name, of its reading, or the whole key."
    )


class RevisionQuery(Query):
    """The revision of a rule text to read."""

    revision = serializers.IntegerField(
        min_value=1, max_value=1_000_000, required=False, help_text="By default the installed revision."
    )
