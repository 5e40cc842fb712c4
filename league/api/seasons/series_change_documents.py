"""Request bodies and documents of changes of series."""

from __future__ import annotations

from pydantic import Field
from rest_framework import serializers

from league.api.fields import CompetitionField, OptionalTextField, StrictSerializer
from league.api.people.career_documents import PersonRef, person_ref
from league.api.seasons.series_documents import TermDocument, term_document
from league.models import OpeningBalance, Series
from league.selectors.access.actors import AnyUser
from league.selectors.seasons.series import seasons_of_series
from league.services.rulebooks.own_formats import LONGEST_FORMAT
from league.services.seasons.moves import MOST_POINTS
from league.services.seasons.series import LARGEST_TERM
from league.web.documents import Document

MOST_ENTRANTS = 500


class ReasonInput(StrictSerializer):
    """A change with its reason."""

    reason = serializers.CharField(max_length=2000, help_text="The reason, kept in the log.")


class NewSeriesInput(StrictSerializer):
    """A series with its first term."""

    slug = serializers.SlugField(max_length=64, help_text="Its part of the address.")
    name = serializers.CharField(max_length=100, help_text="The name.")
    name_en = OptionalTextField(max_length=100, help_text="The English name.")
    text = serializers.CharField(
        max_length=LONGEST_FORMAT, trim_whitespace=False, help_text="The rules: tiers and moves, as the text of a file."
    )
    first_term = serializers.IntegerField(
        min_value=1, max_value=LARGEST_TERM, default=1, help_text="The number of the first term kept here."
    )
    is_public = serializers.BooleanField(default=False, help_text="True if the public may read it.")


class SeriesRulesInput(ReasonInput):
    """Other rules of a series."""

    text = serializers.CharField(max_length=LONGEST_FORMAT, trim_whitespace=False, help_text="The text of a file.")


class NewTermInput(StrictSerializer):
    """A term to be added."""

    number = serializers.IntegerField(min_value=1, max_value=LARGEST_TERM, help_text="The term's number.")


class NewTiersInput(StrictSerializer):
    """Competitions for the tiers of a term that have none."""

    ruleset = serializers.SlugField(max_length=64, help_text="A ruleset's name.")
    entrants = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_ENTRANTS),
        default=dict,
        help_text="By tier, the number expected where its format is of open size; left out: the least.",
    )


class TierCompetitionInput(StrictSerializer):
    """The competition that is a tier of a term."""

    competition = CompetitionField()


class NewcomerInput(ReasonInput):
    """A new player who is placed in a tier of the next term."""

    name = serializers.CharField(max_length=100, help_text="The name.")
    tier = serializers.CharField(max_length=32, help_text="The tier's key.")


class OpeningBalanceInput(ReasonInput):
    """The promotion points that a player brought into the first term."""

    player = serializers.SlugField(max_length=64, help_text="The key of the player or team.")
    points = serializers.IntegerField(min_value=0, max_value=MOST_POINTS, help_text="0 takes them away.")


class TermsDocument(Document):
    """The terms of a series."""

    terms: list[TermDocument] = Field(description="The newest first.")


class OpeningBalanceDocument(Document):
    """The promotion points that a player brought into the first term."""

    player: PersonRef
    points: int = Field(description="The points.")
    reason: str = Field(description="The reason.")


class OpeningBalancesDocument(Document):
    """The promotion points that players brought into the first term."""

    balances: list[OpeningBalanceDocument] = Field(description="In the order in which they were written.")


def terms_document(series: Series, user: AnyUser) -> TermsDocument:
    """Return all terms of a series."""
    return TermsDocument(terms=[term_document(each) for each in seasons_of_series(series, user)])


def opening_balance(row: OpeningBalance) -> OpeningBalanceDocument:
    """Return what a player brought into the first term."""
    return OpeningBalanceDocument(player=person_ref(row.player), points=row.points, reason=row.reason)
