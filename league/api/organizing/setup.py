"""Setting a competition up: creating it, its settings, state, address and rules."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.competitions.competition_documents import CompetitionDetail, CompetitionDocument, competition_detail
from league.api.competitions.competition_views import CompetitionsView
from league.api.fields import AcceptField, OptionalTextField, StrictSerializer, TimeOfDayField
from league.api.organizing.base import OrganizerView
from league.api.queries import CompetitionsQuery
from league.api.schema import describe_get
from league.api.writing import Checked, WritingView, describe_write
from league.models import Audience, Competition, RulesInForce, Stage
from league.selectors.access.actors import Actor
from league.selectors.access.readers import reader_of
from league.selectors.rulebooks.rules_in_force import rules_at
from league.services.competitions.addresses import change_slug
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.competitions.setup import CompetitionPlan, create_competition, refuse_strangers, set_status
from league.services.rulebooks.revisions import RulesChoice, keep_format, keep_ruleset, put_rules_in_force
from league.web.documents import Document, Page

MOST_PLACES = 500


class NewCompetitionInput(StrictSerializer):
    """A competition to be created, as a draft that only its staff can read."""

    slug = serializers.SlugField(max_length=64, help_text="Its part of the address, such as `spring-2027`.")
    name = serializers.CharField(max_length=100, help_text="The name.")
    name_en = OptionalTextField(max_length=100, help_text="The English name.")
    ruleset = serializers.SlugField(max_length=64, help_text="A ruleset's name.")
    format = serializers.SlugField(max_length=64, help_text="A format's name, ready-made or your own.")
    options = serializers.DictField(required=False, default=dict, help_text="Options of the ruleset, by name.")
    entrants = serializers.IntegerField(
        min_value=1, max_value=MOST_PLACES, required=False, help_text="The number expected, for formats of open size."
    )
    time_zone = serializers.CharField(max_length=64, default="Asia/Tokyo", help_text="An IANA name.")
    audience = serializers.ChoiceField(
        Audience.choices, default=Audience.PUBLIC, help_text="The readers once it is published."
    )
    confirmation = serializers.ChoiceField(
        Competition.Confirmation.choices, default=Competition.Confirmation.ONE, help_text="How results begin to count."
    )
    shows_odds = serializers.BooleanField(default=True, help_text="Chances are computed and shown.")


class SettingsInput(StrictSerializer):
    """The settings of a competition; fields left out stay as they are."""

    name = serializers.CharField(max_length=100, required=False, help_text="The name.")
    name_en = serializers.CharField(max_length=100, required=False, allow_blank=True, help_text="The English name.")
    audience = serializers.ChoiceField(Audience.choices, required=False, help_text="The readers.")
    confirmation = serializers.ChoiceField(
        Competition.Confirmation.choices, required=False, help_text="How results begin to count."
    )
    time_zone = serializers.CharField(max_length=64, required=False, help_text="An IANA name.")
    day_starts_at = TimeOfDayField(required=False, help_text="The time at which a business day begins.")
    shows_odds = serializers.BooleanField(required=False, help_text="Chances are computed and shown.")
    advice = serializers.ChoiceField(
        Competition.Advice.choices, required=False, help_text="Who is told of mistakes in followed hands."
    )
    live_delay = serializers.IntegerField(
        min_value=0, required=False, help_text="Minutes by which the public follows tables later."
    )
    mark_glyph = serializers.CharField(
        max_length=8, required=False, allow_blank=True, help_text="The character on its tile."
    )
    mark_colour = serializers.IntegerField(
        min_value=0, required=False, allow_null=True, help_text="The number of the tile's colour."
    )
    accent = serializers.CharField(max_length=16, required=False, allow_blank=True, help_text="The accent colour.")


class NewStatusInput(StrictSerializer):
    """The state of a competition."""

    status = serializers.ChoiceField(Competition.Status.choices, help_text="Draft, published or closed.")


class NewAddressInput(StrictSerializer):
    """A new address of a competition."""

    slug = serializers.SlugField(max_length=64, help_text="The new slug; the one before leads here from now on.")


class RulesChoiceInput(StrictSerializer):
    """Rules to be put in force."""

    ruleset = serializers.SlugField(max_length=64, required=False, help_text="Left out: the ruleset in force.")
    format = serializers.SlugField(max_length=64, required=False, help_text="Left out: the format in force.")
    options = serializers.DictField(required=False, help_text="Left out: the options in force.")
    since = serializers.DateTimeField(required=False, help_text="Left out: from now on.")
    entrants = serializers.IntegerField(
        min_value=1, max_value=MOST_PLACES, required=False, help_text="Their number, for formats of open size."
    )
    accept = AcceptField()


class CompetitionSettings(Document):
    """The settings of a competition, for its directors."""

    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name.")
    audience: Audience = Field(description="The readers.")
    confirmation: Competition.Confirmation = Field(description="How results begin to count.")
    time_zone: str = Field(description="An IANA name.")
    day_starts_at: str = Field(description="The time at which a business day begins.")
    shows_odds: bool = Field(description="Chances are computed and shown.")
    advice: Competition.Advice = Field(description="Who is told of mistakes in followed hands.")
    live_delay: int = Field(description="Minutes by which the public follows tables later.")
    mark_glyph: str = Field(description="The character on its tile; empty for one derived from the name.")
    mark_colour: int | None = Field(description="The number of the tile's colour; null for a derived one.")
    accent: str = Field(description="The accent colour; empty for the usual one.")


def detail_of(competition: Competition, user: Any) -> CompetitionDetail:
    """Return the document of a competition as it is now."""
    rules = RulesInForce.objects.filter(competition=competition).select_related("ruleset", "format")
    stages = Stage.objects.filter(competition=competition).prefetch_related("blocks")
    fresh = Competition.objects.get(pk=competition.pk)
    return competition_detail(reader_of(fresh, user), list(rules.order_by("effective_from")), list(stages))


class CompetitionChangeView(OrganizerView):
    """Base of the changes of the competition itself, which return it."""

    def detail(self) -> CompetitionDetail:
        """Return the competition after the change."""
        return detail_of(self.competition, self.request.user)


@describe_get("list_competitions", Page[CompetitionDocument], query=CompetitionsQuery)
@describe_write("create_competition", NewCompetitionInput, CompetitionDetail)
class NewCompetitionView(CompetitionsView, WritingView):
    """List the competitions that the user may know of, newest first. A POST creates one, as a draft.

    Creating needs the right to add competitions, which a restricted token never has.
    """

    creates = True

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Create a competition from a ruleset and a format; it is a draft until it is published."""
        refuse_strangers(actor_of(request))
        values: Checked = NewCompetitionInput.check(request.data or {})
        told = {**values, "league_format": values["format"]}
        del told["format"]
        told["audience"] = Audience(told["audience"])
        told["confirmation"] = Competition.Confirmation(told["confirmation"])
        plan = CompetitionPlan(**told)
        return self.run_once(
            lambda by: detail_of(create_competition(plan=plan, by=by), request.user), HTTPStatus.CREATED
        )


@describe_get("get_competition_settings", CompetitionSettings, refusals=(403,))
@describe_write("edit_competition", SettingsInput, CompetitionSettings, method="patch", match=True)
class SettingsView(OrganizerView):
    """Return the settings of a competition. A PATCH changes those that are sent."""

    http_method_names = ["get", "head", "patch", "options"]

    def build(self) -> CompetitionSettings:
        """Return the settings."""
        starts = self.competition.day_starts_at.isoformat("minutes")
        return CompetitionSettings.build(self.competition, day_starts_at=starts)

    def patch(self, request: Request, **path: object) -> HttpResponse:
        """Change settings."""
        return self.make_change(SettingsInput)

    def change(self, values: Checked, by: Actor) -> CompetitionSettings:
        """Change the settings that were sent."""
        names = CompetitionWords.__dataclass_fields__
        words = CompetitionWords(**{**{name: getattr(self.competition, name) for name in names}, **values})
        edit_competition(competition=self.competition, words=words, by=by)
        return self.build()


@describe_write("set_competition_status", NewStatusInput, CompetitionDetail)
class StatusView(CompetitionChangeView):
    """Publish a competition, close it, open it again, or make it a draft while it has no results."""

    input_class = NewStatusInput

    def change(self, values: Checked, by: Actor) -> CompetitionDetail:
        """Change the state."""
        set_status(competition=self.competition, status=Competition.Status(values["status"]), by=by)
        return self.detail()


@describe_write("move_competition", NewAddressInput, CompetitionDetail)
class AddressView(CompetitionChangeView):
    """Give a competition another address; the one before leads to it from then on."""

    input_class = NewAddressInput

    def change(self, values: Checked, by: Actor) -> CompetitionDetail:
        """Change the slug."""
        change_slug(competition=self.competition, slug=values["slug"], by=by)
        return self.detail()


@describe_write("put_rules_in_force", RulesChoiceInput, CompetitionDetail)
class RulesView(CompetitionChangeView):
    """Put a ruleset, a format and options in force from a moment on; games scheduled before keep their rules.

    What changes stages or unseats players must be accepted by the code of its warning.
    """

    input_class = RulesChoiceInput

    def change(self, values: Checked, by: Actor) -> CompetitionDetail:
        """Put the rules in force."""
        now = rules_at(self.competition)
        choice = RulesChoice(
            ruleset=keep_ruleset(values["ruleset"]) if "ruleset" in values else now.ruleset,
            league_format=keep_format(values["format"]) if "format" in values else now.format,
            options=values.get("options", now.options),
            since=values.get("since"),
            entrants=values.get("entrants"),
        )
        put_rules_in_force(competition=self.competition, choice=choice, by=by, accept=values["accept"])
        return self.detail()


@describe_write("preview_rules", RulesChoiceInput, CompetitionDetail)
class RulesPreviewView(RulesView):
    """Show the competition under other rules. Nothing is written."""

    is_preview = True
