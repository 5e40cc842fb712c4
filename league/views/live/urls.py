"""URL patterns of tables recorded hand by hand: the entry by a link, and the live sheet's JSON."""

from django.urls import path

from league.views.live import calls, follow, pages, paifu, photo, replay, sheet, sheet_tiles

urlpatterns = [
    path("t/<str:token>/", sheet.enter, name="table-link"),
    path("c/<slug:slug>/hanchan/<int:key>/live/", follow.follow, name="follow"),
    path("c/<slug:slug>/hanchan/<int:key>/replay/", replay.replay, name="replay"),
    path("c/<slug:slug>/hanchan/<int:key>/replay/<int:number>/", replay.replay_kyoku, name="replay-kyoku"),
    path("c/<slug:slug>/hanchan/<int:key>/live/now/", follow.follow_now, name="follow-now"),
    path("c/<slug:slug>/hanchan/<int:key>/live/box/", follow.nowbox, name="nowbox"),
    path("c/<slug:slug>/hanchan/<int:key>/live/screen/", follow.screen, name="screen"),
    path("overlay/<id:table>/", follow.overlay, name="overlay"),
    path("tables/worker.js", pages.worker, name="table-worker"),
    path("tables/<int:table>/sheet/", pages.sheet, name="table-sheet"),
    path("tables/<int:table>/sheet/hand/", sheet_tiles.hand, name="table-hand"),
    path("tables/<int:table>/photo/<int:round>/", photo.photo, name="table-photo"),
    path("tables/<int:table>/paifu/", paifu.paifu, name="table-paifu"),
    path("tables/<int:table>/call/", calls.call, name="table-call"),
    path("tables/<int:table>/confirm/", pages.confirm, name="table-confirm"),
    path("tables/<int:pk>/sheet/state/", sheet.state, name="table-state"),
    path("tables/<int:pk>/sheet/events/", sheet.events, name="table-events"),
    path("tables/<int:pk>/sheet/preview/", sheet.preview, name="table-preview"),
    path("tables/<int:pk>/sheet/legality/", sheet.legality, name="table-legality"),
    path("tables/<int:pk>/sheet/submit/", sheet.submit, name="table-submit"),
    path("tables/<int:pk>/sheet/approve/", sheet.approve, name="table-approve"),
    path("tables/<int:pk>/sheet/object/", sheet.object_, name="table-object"),
]
