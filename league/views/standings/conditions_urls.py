"""URL patterns of the pages on conditions and what-if."""

from django.urls import path

from league.views.standings import conditions, what_if

urlpatterns = [
    path("c/<slug:slug>/conditions/", conditions.conditions, name="conditions"),
    path("c/<slug:slug>/tables/<int:key>/conditions/", conditions.sheet, name="conditions-sheet"),
    path("c/<slug:slug>/what-if/", what_if.what_if, name="what-if"),
]
