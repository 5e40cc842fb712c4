"""The addresses of the public pages."""

from django.urls import path

from league.views import (
    blocks,
    comparing,
    competitions,
    conditions_urls,
    hand,
    live,
    odds,
    parlour_urls,
    players,
    ranking,
    rulebook,
    rules,
    schedule,
    start,
    table_urls,
    tulip,
)

app_name = "pages"
urlpatterns = [
    path("", start.start, name="start"),
    *parlour_urls.urlpatterns,
    *conditions_urls.urlpatterns,
    *table_urls.urlpatterns,
    path("rules/", rulebook.books_list, name="rulebooks"),
    path("rules/compare/", comparing.compare, name="compare"),
    path("rules/hand/", hand.calculator, name="hand-everywhere"),
    path("rules/hand/value/", hand.value, name="hand-value"),
    path("rules/<slug:name>/", rulebook.rulebook, name="rulebook"),
    path("rules/<slug:name>/hand/", hand.calculator, name="hand"),
    path("rules/<slug:name>/hand/value/", hand.value, name="hand-value"),
    path("rules/<slug:name>/summary/", rulebook.summary, name="rulebook-summary"),
    path("rules/<slug:name>/tulip/", tulip.tulip, name="tulip"),
    path("players/<slug:key>/", players.player, name="player"),
    path("c/<slug:slug>/", competitions.home, name="home"),
    path("c/<slug:slug>/version/", live.version, name="version"),
    path("c/<slug:slug>/blocks/<slug:key>/", blocks.block, name="block"),
    path("c/<slug:slug>/sessions/", schedule.sessions, name="sessions"),
    path("c/<slug:slug>/sessions/<int:number>/", schedule.session, name="session"),
    path("c/<slug:slug>/tables/<int:key>/", schedule.table, name="table"),
    path("c/<slug:slug>/hanchan/<int:key>/", schedule.hanchan, name="hanchan"),
    path("c/<slug:slug>/players/", players.entrants, name="entrants"),
    path("c/<slug:slug>/players/<slug:key>/", players.entrant, name="entrant"),
    path("c/<slug:slug>/odds/", odds.odds, name="odds"),
    path("c/<slug:slug>/ranking/", ranking.ranking, name="ranking"),
    path("c/<slug:slug>/ruleset/", rules.rules, name="rules"),
]
