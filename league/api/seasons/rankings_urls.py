"""URL patterns of rankings across competitions."""

from __future__ import annotations

from django.urls import URLPattern, path

from league.api.seasons import export_views
from league.api.seasons import ranking_change_views as changes
from league.api.seasons import rankings_views as views

urlpatterns: list[URLPattern] = [
    path("rankings/", changes.NewRankingView.as_view(), name="rankings"),
    path("rankings/<slug:slug>/", views.RankingAcrossView.as_view(), name="ranking-across"),
    path(
        "rankings/<slug:slug>/exports/<slug:ranking_table>/",
        export_views.RankingExportView.as_view(),
        name="ranking-export",
    ),
    path("rankings/<slug:slug>/archive/", export_views.RankingArchiveView.as_view(), name="ranking-archive"),
    path("rankings/<slug:slug>/settings/", changes.RankingSettingsView.as_view(), name="ranking-settings"),
    path("rankings/<slug:slug>/rules/", changes.RankingRulesView.as_view(), name="ranking-rules"),
    path(
        "rankings/<slug:slug>/rules/preview/", changes.RankingRulesPreviewView.as_view(), name="ranking-rules-preview"
    ),
    path("rankings/<slug:slug>/events/", changes.NewRankingEventView.as_view(), name="ranking-events"),
    path("rankings/<slug:slug>/events/<id:pk>/", changes.RankingEventView.as_view(), name="ranking-event"),
    path("rankings/<slug:slug>/players/<slug:key>/", views.RankingPersonView.as_view(), name="ranking-person"),
    path("rankings/<slug:slug>/players/<slug:key>/what-if/", views.RankingWhatIfView.as_view(), name="ranking-what-if"),
]
