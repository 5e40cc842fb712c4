"""The addresses of what other programs and other sites take from here: calendars and widgets."""

from django.urls import path

from league.views import calendar, embed

app_name = "feeds"
urlpatterns = [
    path("c/<slug:slug>/calendar.ics", calendar.competition_calendar, name="calendar"),
    path("c/<slug:slug>/blocks/<slug:key>/calendar.ics", calendar.block_calendar, name="block-calendar"),
    path("c/<slug:slug>/players/<slug:key>/calendar.ics", calendar.player_calendar, name="player-calendar"),
    path("embed/<slug:slug>/standings/", embed.standings, name="embed-standings"),
    path("embed/<slug:slug>/ladder/", embed.ladder, name="embed-ladder"),
]
