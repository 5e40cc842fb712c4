"""URL patterns of rankings across competitions."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from league.api.seasons import export_views
from league.api.seasons import ranking_change_views as changes
from league.api.seasons import rankings_views as views

ranking: list[URLPattern] = [
    path("", views.RankingAcrossView.as_view(), name="ranking-across"),
    path("exports/<slug:ranking_table>/", export_views.RankingExportView.as_view(), name="ranking-export"),
    path("archive/", export_views.RankingArchiveView.as_view(), name="ranking-archive"),
    path("settings/", changes.RankingSettingsView.as_view(), name="ranking-settings"),
    path("rules/", changes.RankingRulesView.as_view(), name="ranking-rules"),
    path("rules/preview/", changes.RankingRulesPreviewView.as_view(), name="ranking-rules-preview"),
    path("events/", changes.NewRankingEventView.as_view(), name="ranking-events"),
    path("events/<id:pk>/", changes.RankingEventView.as_view(), name="ranking-event"),
    path("players/<slug:key>/", views.RankingPersonView.as_view(), name="ranking-person"),
    path("players/<slug:key>/what-if/", views.RankingWhatIfView.as_view(), name="ranking-what-if"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("rankings/", changes.NewRankingView.as_view(), name="rankings"),
    path("rankings/<slug:slug>/", include(ranking)),
]
