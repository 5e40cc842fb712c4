"""URL patterns for other programs and sites: calendars, tables as files, widgets."""

from django.urls import path

from league.views.competitions import calendar
from league.views.exchange import exports
from league.views.standings import widgets

app_name = "feeds"
urlpatterns = [
    path("c/<slug:slug>/calendar.ics", calendar.competition_calendar, name="calendar"),
    path("c/<slug:slug>/blocks/<slug:key>/calendar.ics", calendar.block_calendar, name="block-calendar"),
    path("c/<slug:slug>/players/<slug:key>/calendar.ics", calendar.player_calendar, name="player-calendar"),
    path("c/<slug:slug>/<slug:kind>.<slug:suffix>", exports.export, name="export"),
    path("embed/<slug:slug>/standings/", widgets.standings, name="embed-standings"),
    path("embed/<slug:slug>/next/", widgets.upcoming, name="embed-next"),
    path("embed/<slug:slug>/ladder/", widgets.ladder, name="embed-ladder"),
]
