"""The queries of the collections."""

from __future__ import annotations

from rest_framework import serializers

from league.api.fields import CompetitionField, IdField, KeyField, PagedQuery, Query
from league.models import Competition, Hanchan


class CompetitionsQuery(PagedQuery):
    """Which competitions."""

    status = serializers.ChoiceField(Competition.Status.choices, required=False)
    kind = serializers.ChoiceField(Competition.Kind.choices, required=False)


class OfCompetitionQuery(PagedQuery):
    """Rows of one competition."""

    competition = CompetitionField()


class SessionsQuery(OfCompetitionQuery):
    """Which sessions."""

    number = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)


class TableSessionsQuery(OfCompetitionQuery):
    """Which table sessions."""

    session = IdField(required=False, help_text="A session's id.")
    stage = KeyField(help_text="A stage's key.")
    block = KeyField(help_text="A block's key.")


class HanchanQuery(TableSessionsQuery):
    """Which hanchan."""

    table_session = IdField(required=False, help_text="A table session's id.")
    number = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    entrant = IdField(required=False, help_text="Hanchan with a result of this entrant.")
    state = serializers.ChoiceField(Hanchan.State.choices, required=False)


class StandingsQuery(Query):
    """Which standings: of a stage, of a block, or of the whole competition."""

    format = serializers.ChoiceField(["json", "csv"], required=False, help_text="The representation.")
    competition = CompetitionField()
    stage = KeyField(help_text="A stage's key; without it, every stage.")
    block = KeyField(help_text="A block's key; without it, every block.")


class PlayersQuery(PagedQuery):
    """Which players."""

    competition = CompetitionField(required=False)
    search = serializers.CharField(
        required=False, max_length=100, help_text="Part of a name, of its reading, or the whole key."
    )


class RevisionQuery(Query):
    """Which revision of a rule text."""

    revision = serializers.IntegerField(
        min_value=1, max_value=1_000_000, required=False, help_text="By default what is installed now."
    )
