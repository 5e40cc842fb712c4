"""URL patterns of series in the API."""

from __future__ import annotations

from django.urls import URLPattern, path

from league.api.seasons import export_views, series_views

TERM = "series/<slug:slug>/terms/<int:number>/"
urlpatterns: list[URLPattern] = [
    path("series/", series_views.SeriesListView.as_view(), name="series"),
    path("series/<slug:slug>/", series_views.SeriesView.as_view(), name="one-series"),
    path("series/<slug:slug>/archive/", export_views.SeriesArchiveView.as_view(), name="series-archive"),
    path(f"{TERM}moves/", series_views.MovesView.as_view(), name="moves"),
    path(f"{TERM}exports/<slug:term_table>/", export_views.TermExportView.as_view(), name="term-export"),
    path(f"{TERM}decisions/", series_views.DecisionsView.as_view(), name="move-decisions"),
    path(f"{TERM}decisions/<id:pk>/back/", series_views.DecisionBackView.as_view(), name="move-decision-back"),
    path(f"{TERM}roster/", series_views.RosterView.as_view(), name="next-roster"),
    path(f"{TERM}roster/preview/", series_views.RosterPreviewView.as_view(), name="next-roster-preview"),
    path(f"{TERM}roster/back/", series_views.RosterBackView.as_view(), name="next-roster-back"),
]
