"""URL patterns of the changes of teams."""

from __future__ import annotations

from django.urls import URLPattern, path

from league.api.seasons import team_change_views as views

OF = "competitions/<slug:slug>"
urlpatterns: list[URLPattern] = [
    path(f"{OF}/teams/<slug:key>/links/", views.TeamLinksView.as_view(), name="team-links"),
    path(f"{OF}/teams/<slug:key>/both-sexes/", views.BothSexesView.as_view(), name="both-sexes"),
    path(f"{OF}/memberships/", views.MembershipsView.as_view(), name="memberships"),
    path(f"{OF}/memberships/<id:pk>/end/", views.EndMembershipView.as_view(), name="end-membership"),
    path(f"{OF}/memberships/<id:pk>/transfer/", views.TransferView.as_view(), name="transfer-member"),
    path(f"{OF}/memberships/<id:pk>/captain/", views.CaptainView.as_view(), name="make-captain"),
    path(f"{OF}/blocks/<slug:key>/fixtures/", views.AddFixturesView.as_view(), name="add-fixtures"),
    path(f"{OF}/blocks/<slug:key>/fixtures/preview/", views.FixturesPreviewView.as_view(), name="fixtures-preview"),
    path(f"{OF}/table-sessions/<id:pk>/line-up-deadline/", views.LineUpDeadlineView.as_view(), name="line-up-deadline"),
]
