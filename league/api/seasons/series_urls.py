"""URL patterns of series in the API."""

from __future__ import annotations

from django.urls import URLPattern, path

from league.api.seasons import export_views, series_change_views, series_views

TERM = "series/<slug:slug>/terms/<int:number>/"
urlpatterns: list[URLPattern] = [
    path("series/", series_change_views.NewSeriesView.as_view(), name="series"),
    path("series/<slug:slug>/", series_views.SeriesView.as_view(), name="one-series"),
    path("series/<slug:slug>/archive/", export_views.SeriesArchiveView.as_view(), name="series-archive"),
    path("series/<slug:slug>/settings/", series_change_views.SeriesSettingsView.as_view(), name="series-settings"),
    path("series/<slug:slug>/rules/", series_change_views.SeriesRulesView.as_view(), name="series-rules"),
    path(
        "series/<slug:slug>/rules/preview/",
        series_change_views.SeriesRulesPreviewView.as_view(),
        name="series-rules-preview",
    ),
    path(
        "series/<slug:slug>/opening-balances/",
        series_change_views.OpeningBalancesView.as_view(),
        name="opening-balances",
    ),
    path("series/<slug:slug>/terms/", series_change_views.TermsView.as_view(), name="terms"),
    path(f"{TERM}tiers/", series_change_views.NewTiersView.as_view(), name="new-tiers"),
    path(f"{TERM}tiers/<slug:tier>/", series_change_views.TierView.as_view(), name="tier"),
    path(f"{TERM}tiers/<slug:tier>/detach/", series_change_views.DetachView.as_view(), name="detach-tier"),
    path(f"{TERM}newcomers/", series_change_views.NewcomersView.as_view(), name="newcomers"),
    path(f"{TERM}moves/", series_views.MovesView.as_view(), name="moves"),
    path(f"{TERM}exports/<slug:term_table>/", export_views.TermExportView.as_view(), name="term-export"),
    path(f"{TERM}decisions/", series_views.DecisionsView.as_view(), name="move-decisions"),
    path(f"{TERM}decisions/<id:pk>/back/", series_views.DecisionBackView.as_view(), name="move-decision-back"),
    path(f"{TERM}roster/", series_views.RosterView.as_view(), name="next-roster"),
    path(f"{TERM}roster/preview/", series_views.RosterPreviewView.as_view(), name="next-roster-preview"),
    path(f"{TERM}roster/back/", series_views.RosterBackView.as_view(), name="next-roster-back"),
]
