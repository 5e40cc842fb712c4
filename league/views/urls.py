"""URL patterns of the public pages."""

from django.urls import path

from league.views.access import account, invitations, spoilers, tokens, two_factor
from league.views.competitions import cards, home, projector, schedule, sharing, sitemap, start, titles, version
from league.views.live import urls as table_urls
from league.views.parlour import urls
from league.views.people import me, pictures, players, records
from league.views.results import corrections
from league.views.rulebooks import comparison, hand, rulebook, rules, tulip
from league.views.standings import blocks, charts, conditions_urls, ladder, odds, ranking

app_name = "pages"
asked_most = [
    path("c/<slug:slug>/version/", version.version, name="version"),
    path("c/<slug:slug>/", home.home, name="home"),
    path("c/<slug:slug>/blocks/<slug:key>/", blocks.block, name="block"),
    path("c/<slug:slug>/ladder/", ladder.ladder, name="ladder"),
    path("c/<slug:slug>/ranking/", ranking.ranking, name="ranking"),
]
"""The most requested pages, matched first: matching among a hundred patterns costs more than answering 304."""
urlpatterns = [
    *asked_most,
    path("", start.start, name="start"),
    path("competitions/", start.competitions, name="competitions"),
    path("login/", account.SignInView.as_view(), name="sign_in"),
    path("logout/", account.SignOutView.as_view(), name="sign_out"),
    path("account/", account.account, name="account"),
    path("account/password/", account.PasswordView.as_view(), name="password"),
    path("account/elsewhere/", account.sign_out_elsewhere_view, name="sign_out_elsewhere"),
    path("account/code/", two_factor.set_up, name="set_up_code"),
    path("account/code/recovery/", two_factor.renew, name="renew_codes"),
    path("account/code/off/", two_factor.turn_off, name="turn_off_code"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/revoke/", tokens.revoke, name="revoke_token"),
    path("login/code/", account.second_step, name="second_step"),
    path("invitation/<str:token>/", invitations.invitation, name="invitation"),
    *urls.urlpatterns,
    *conditions_urls.urlpatterns,
    *table_urls.urlpatterns,
    path("rules/", rulebook.books_list, name="rulebooks"),
    path("rules/compare/", comparison.compare, name="compare"),
    path("rules/hand/", hand.calculator, name="hand-everywhere"),
    path("rules/hand/value/", hand.value, name="hand-value"),
    path("rules/<slug:name>/", rulebook.rulebook, name="rulebook"),
    path("rules/<slug:name>/hand/", hand.calculator, name="hand"),
    path("rules/<slug:name>/hand/value/", hand.value, name="hand-value"),
    path("rules/<slug:name>/summary/", rulebook.summary, name="rulebook-summary"),
    path("rules/<slug:name>/tulip/", tulip.tulip, name="tulip"),
    path("players/", players.search, name="people"),
    path("players/<slug:key>/", players.player, name="player"),
    path("pictures/<slug:digest>.webp", pictures.picture, name="picture"),
    path("sitemap.xml", sitemap.sitemap, name="sitemap"),
    path("robots.txt", sitemap.robots, name="robots"),
    path("c/<slug:slug>/accent.css", cards.accent, name="accent"),
    path("c/<slug:slug>/card/<slug:language>.png", cards.home, name="home-card"),
    path("c/<slug:slug>/blocks/<slug:key>/card/<slug:language>.png", cards.block, name="block-card"),
    path("c/<slug:slug>/players/<slug:key>/card/<slug:language>.png", cards.entrant, name="entrant-card"),
    path("c/<slug:slug>/hanchan/<int:key>/card/<slug:language>.png", cards.hanchan, name="hanchan-card"),
    path("c/<slug:slug>/projector/", projector.projector, name="projector"),
    path("c/<slug:slug>/share/", sharing.share, name="share"),
    path("c/<slug:slug>/tables/<int:key>/share/", sharing.share, name="table-share"),
    path("c/<slug:slug>/champion/", titles.champion, name="champion"),
    path("c/<slug:slug>/stages/<slug:key>/advanced/", titles.advanced, name="advanced"),
    path("c/<slug:slug>/spoilers/", spoilers.spoilers, name="spoilers"),
    path("c/<slug:slug>/blocks/<slug:key>/charts/", charts.charts, name="charts"),
    path("c/<slug:slug>/sessions/", schedule.sessions, name="sessions"),
    path("c/<slug:slug>/sessions/<int:number>/", schedule.session, name="session"),
    path("c/<slug:slug>/tables/<int:key>/", schedule.table, name="table"),
    path("c/<slug:slug>/hanchan/<int:key>/", schedule.hanchan, name="hanchan"),
    path("c/<slug:slug>/players/", players.entrants, name="entrants"),
    path("c/<slug:slug>/players/<slug:key>/", players.entrant, name="entrant"),
    path("c/<slug:slug>/me/", me.me, name="me"),
    path("c/<slug:slug>/me/card/", me.card, name="me-card"),
    path("c/<slug:slug>/odds/", odds.odds, name="odds"),
    path("c/<slug:slug>/corrections/", corrections.corrections, name="corrections"),
    path("c/<slug:slug>/corrections/<int:before>/", corrections.corrections, name="corrections-before"),
    path("c/<slug:slug>/records/", records.records, name="records"),
    path("c/<slug:slug>/ruleset/", rules.rules, name="rules"),
]
