"""URL patterns of series in the API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from league.api.seasons import export_views
from league.api.seasons import move_views as moves
from league.api.seasons import series_change_views as changes
from league.api.seasons import series_views as views

term: list[URLPattern] = [
    path("tiers/", changes.NewTiersView.as_view(), name="new-tiers"),
    path("tiers/<slug:tier>/", changes.TierView.as_view(), name="tier"),
    path("tiers/<slug:tier>/detach/", changes.DetachView.as_view(), name="detach-tier"),
    path("newcomers/", changes.NewcomersView.as_view(), name="newcomers"),
    path("moves/", views.MovesView.as_view(), name="moves"),
    path("exports/<slug:term_table>/", export_views.TermExportView.as_view(), name="term-export"),
    path("decisions/", moves.DecisionsView.as_view(), name="move-decisions"),
    path("decisions/<id:pk>/back/", moves.DecisionBackView.as_view(), name="move-decision-back"),
    path("roster/", moves.RosterView.as_view(), name="next-roster"),
    path("roster/preview/", moves.RosterPreviewView.as_view(), name="next-roster-preview"),
    path("roster/back/", moves.RosterBackView.as_view(), name="next-roster-back"),
]
series: list[URLPattern | URLResolver] = [
    path("", views.SeriesView.as_view(), name="one-series"),
    path("archive/", export_views.SeriesArchiveView.as_view(), name="series-archive"),
    path("settings/", changes.SeriesSettingsView.as_view(), name="series-settings"),
    path("rules/", changes.SeriesRulesView.as_view(), name="series-rules"),
    path("rules/preview/", changes.SeriesRulesPreviewView.as_view(), name="series-rules-preview"),
    path("opening-balances/", changes.OpeningBalancesView.as_view(), name="opening-balances"),
    path("terms/", changes.TermsView.as_view(), name="terms"),
    path("terms/<int:number>/", include(term)),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("series/", changes.NewSeriesView.as_view(), name="series"),
    path("series/<slug:slug>/", include(series)),
]
