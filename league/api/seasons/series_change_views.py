"""Views of changes of series: setting one up, its rules, terms and tiers, newcomers and opening balances."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.fields import PagedQuery
from league.api.schema import describe_get
from league.api.seasons.series_change_documents import (
    NewcomerInput,
    NewSeriesInput,
    NewTermInput,
    NewTiersInput,
    OpeningBalanceDocument,
    OpeningBalanceInput,
    OpeningBalancesDocument,
    ReasonInput,
    SeriesRulesInput,
    TermsDocument,
    TierCompetitionInput,
    opening_balance,
    terms_document,
)
from league.api.seasons.series_documents import (
    MovesDocument,
    SeriesDocument,
    SeriesHead,
    TermDocument,
    moves_document,
    series_document,
    series_head,
    term_document,
)
from league.api.seasons.series_views import SeriesListView
from league.api.seasons.writes import NamesDocument, NamesInput, SeriesWriteView, TermWriteView
from league.api.writing import Checked, WritingView, describe_write
from league.models import Competition, OpeningBalance, Player, Series
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, AnyUser
from league.selectors.access.readers import visible_competitions
from league.selectors.competitions.addresses import competition_at
from league.selectors.seasons.series import TermSeasons, seasons_of_series
from league.selectors.seasons.series_moves import full_moves
from league.services.seasons.moves import decide_newcomer, set_opening_balance
from league.services.seasons.series import (
    SeriesPlan,
    SeriesWords,
    add_term,
    attach_competition,
    create_series,
    create_tiers,
    detach_competition,
    edit_series,
    refuse_adding,
    revise_rules,
)
from league.web.documents import Page


def document_of(series: Series, user: AnyUser) -> SeriesDocument:
    """Return a series with its rules, and the terms of which a competition may be read."""
    fresh = Series.objects.select_related("rules").get(pk=series.pk)
    return series_document(fresh, [each for each in seasons_of_series(fresh, user) if each.is_shown])


@describe_get("list_series", Page[SeriesHead], query=PagedQuery)
@describe_write("create_series", NewSeriesInput, SeriesHead)
class NewSeriesView(SeriesListView, WritingView):
    """List the series that the client may know of. A POST sets one up, with its first term.

    Setting one up needs the right to add series, which a restricted token never has.
    """

    creates = True

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Set a series up from the text of its rules, with its first term."""
        refuse_adding(actor_of(request))
        values: Checked = NewSeriesInput.check(request.data or {})
        plan = SeriesPlan(**values)
        return self.run_once(lambda by: series_head(create_series(plan=plan, by=by)), HTTPStatus.CREATED)


@describe_get("get_series_settings", NamesDocument, refusals=(403,))
@describe_write("edit_series", NamesInput, NamesDocument, method="patch", match=True)
class SeriesSettingsView(SeriesWriteView):
    """Return the names and the audience of a series, for users allowed to change it. A PATCH changes those sent."""

    http_method_names = ["get", "head", "patch", "options"]

    def build(self) -> NamesDocument:
        """Return names and audience."""
        return NamesDocument.build(self.series)

    def patch(self, request: Request, **path: object) -> HttpResponse:
        """Change names or audience; fields left out stay."""
        return self.make_change(NamesInput)

    def change(self, values: Checked, by: Actor) -> NamesDocument:
        """Change the fields sent."""
        words = SeriesWords(**{**dict(self.build()), **values})
        self.series = edit_series(series=self.series, words=words, by=by)
        return self.build()


@describe_write("revise_series_rules", SeriesRulesInput, SeriesDocument)
class SeriesRulesView(SeriesWriteView):
    """Give a series other rules; rosters that are written stay as they were decided."""

    input_class = SeriesRulesInput

    def change(self, values: Checked, by: Actor) -> SeriesDocument:
        """Revise the rules."""
        revise_rules(series=self.series, by=by, **values)
        return document_of(self.series, self.request.user)


@describe_write("preview_series_rules", SeriesRulesInput, SeriesDocument)
class SeriesRulesPreviewView(SeriesRulesView):
    """Return the series under other rules, or everything that is wrong with them. Nothing is written."""

    is_preview = True


@describe_get("list_terms", TermsDocument, refusals=(403,))
@describe_write("add_term", NewTermInput, TermDocument)
class TermsView(SeriesWriteView):
    """List all terms of a series, for users allowed to change it. A POST adds one without competitions."""

    http_method_names = ["get", "head", "post", "options"]
    creates = True
    input_class = NewTermInput

    def build(self) -> TermsDocument:
        """Return the terms."""
        return terms_document(self.series, self.request.user)

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Add a term without competitions, such as an earlier one."""
        return self.make_change(NewTermInput)

    def change(self, values: Checked, by: Actor) -> TermDocument:
        """Add the term."""
        term = add_term(series=self.series, number=values["number"], by=by)
        return term_document(TermSeasons(term, ()))


class TiersView(TermWriteView):
    """Base of the changes of a term's tiers, which return the term."""

    def found_term(self) -> TermDocument:
        """Return the term after the change."""
        found = seasons_of_series(self.series, self.request.user)
        return term_document(next(each for each in found if each.term.pk == self.term.pk))


@describe_write("create_tiers", NewTiersInput, TermDocument)
class NewTiersView(TiersView):
    """Create a draft for each tier of a term that has no competition, by the tier's format."""

    creates = True
    input_class = NewTiersInput

    def change(self, values: Checked, by: Actor) -> TermDocument:
        """Create the tiers."""
        create_tiers(term=self.term, ruleset=values["ruleset"], entrants=values["entrants"], by=by)
        return self.found_term()


@describe_write("attach_competition", TierCompetitionInput, TermDocument, method="put")
class TierView(TiersView):
    """Make an existing competition a tier of a term."""

    http_method_names = ["put", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Make the competition the tier."""
        return self.make_change(TierCompetitionInput)

    def change(self, values: Checked, by: Actor) -> TermDocument:
        """Attach the competition."""
        competition = competition_at(values["competition"], self.request.user)
        if competition is None:
            raise refuse("unknown_competition", _("There is no such competition."), "/competition")
        attach_competition(term=self.term, tier=self.kwargs["tier"], competition=competition, by=by)
        return self.found_term()


@describe_write("detach_competition", ReasonInput, TermDocument)
class DetachView(TiersView):
    """Take the competition that is a tier out of its term; it stays as it is otherwise."""

    input_class = ReasonInput

    def change(self, values: Checked, by: Actor) -> TermDocument:
        """Detach the competition."""
        rows = visible_competitions(self.request.user).filter(term=self.term, tier=self.kwargs["tier"])
        competition: Competition = get_object_or_404(rows)
        competition.term = self.term
        detach_competition(competition=competition, by=by, **values)
        return self.found_term()


@describe_write("decide_newcomer", NewcomerInput, MovesDocument)
class NewcomersView(TermWriteView):
    """Add a player who is not known yet, and place the newcomer in a tier of the next term."""

    creates = True
    input_class = NewcomerInput

    def change(self, values: Checked, by: Actor) -> MovesDocument:
        """Place the newcomer."""
        decide_newcomer(term=self.term, by=by, **values)
        return moves_document(full_moves(self.term))


@describe_get("list_opening_balances", OpeningBalancesDocument, refusals=(403,))
@describe_write("set_opening_balance", OpeningBalanceInput, OpeningBalanceDocument)
class OpeningBalancesView(SeriesWriteView):
    """List the promotion points that players brought into the first term. A POST writes those of one player.

    They replace the points written before.
    """

    http_method_names = ["get", "head", "post", "options"]
    input_class = OpeningBalanceInput

    def build(self) -> OpeningBalancesDocument:
        """Return the balances that hold."""
        rows = OpeningBalance.objects.filter(series=self.series, ended_at=None).select_related("player")
        return OpeningBalancesDocument(balances=[opening_balance(row) for row in rows])

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Write the promotion points that a player brought into the first term; 0 takes them away."""
        return self.make_change(OpeningBalanceInput)

    def change(self, values: Checked, by: Actor) -> OpeningBalanceDocument:
        """Write the balance."""
        player = Player.objects.filter(key=values["player"], merged_into=None, erased_at=None).first()
        if player is None:
            message = _("There is no player or team “%(name)s”.") % {"name": values["player"]}
            raise refuse("no_such_player", message, "/player")
        row = set_opening_balance(
            series=self.series, player=player, points=values["points"], reason=values["reason"], by=by
        )
        return opening_balance(row)
