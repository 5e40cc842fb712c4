"""URL patterns of series in the API."""

from __future__ import annotations

from django.urls import URLPattern, path

from league.api.seasons import export_views
from league.api.seasons import move_views as moves
from league.api.seasons import series_change_views as changes
from league.api.seasons import series_views as views

TERM = "series/<slug:slug>/terms/<int:number>/"
urlpatterns: list[URLPattern] = [
    path("series/", changes.NewSeriesView.as_view(), name="series"),
    path("series/<slug:slug>/", views.SeriesView.as_view(), name="one-series"),
    path("series/<slug:slug>/archive/", export_views.SeriesArchiveView.as_view(), name="series-archive"),
    path("series/<slug:slug>/settings/", changes.SeriesSettingsView.as_view(), name="series-settings"),
    path("series/<slug:slug>/rules/", changes.SeriesRulesView.as_view(), name="series-rules"),
    path(
        "series/<slug:slug>/rules/preview/",
        changes.SeriesRulesPreviewView.as_view(),
        name="series-rules-preview",
    ),
    path(
        "series/<slug:slug>/opening-balances/",
        changes.OpeningBalancesView.as_view(),
        name="opening-balances",
    ),
    path("series/<slug:slug>/terms/", changes.TermsView.as_view(), name="terms"),
    path(f"{TERM}tiers/", changes.NewTiersView.as_view(), name="new-tiers"),
    path(f"{TERM}tiers/<slug:tier>/", changes.TierView.as_view(), name="tier"),
    path(f"{TERM}tiers/<slug:tier>/detach/", changes.DetachView.as_view(), name="detach-tier"),
    path(f"{TERM}newcomers/", changes.NewcomersView.as_view(), name="newcomers"),
    path(f"{TERM}moves/", views.MovesView.as_view(), name="moves"),
    path(f"{TERM}exports/<slug:term_table>/", export_views.TermExportView.as_view(), name="term-export"),
    path(f"{TERM}decisions/", moves.DecisionsView.as_view(), name="move-decisions"),
    path(f"{TERM}decisions/<id:pk>/back/", moves.DecisionBackView.as_view(), name="move-decision-back"),
    path(f"{TERM}roster/", moves.RosterView.as_view(), name="next-roster"),
    path(f"{TERM}roster/preview/", moves.RosterPreviewView.as_view(), name="next-roster-preview"),
    path(f"{TERM}roster/back/", moves.RosterBackView.as_view(), name="next-roster-back"),
]
