"""The addresses of tables followed hand by hand: the way in by a link, and the live sheet's JSON."""

from django.urls import path

from league.views import sheet_tiles, table_follow, table_pages, table_photo, table_sheet

urlpatterns = [
    path("t/<str:token>/", table_sheet.enter, name="table-link"),
    path("c/<slug:slug>/hanchan/<int:key>/live/", table_follow.follow, name="follow"),
    path("c/<slug:slug>/hanchan/<int:key>/live/now/", table_follow.follow_now, name="follow-now"),
    path("overlay/<id:table>/", table_follow.overlay, name="overlay"),
    path("tables/worker.js", table_pages.worker, name="table-worker"),
    path("tables/<int:table>/sheet/", table_pages.sheet, name="table-sheet"),
    path("tables/<int:table>/sheet/hand/", sheet_tiles.hand, name="table-hand"),
    path("tables/<int:table>/photo/<int:round>/", table_photo.photo, name="table-photo"),
    path("tables/<int:table>/confirm/", table_pages.confirm, name="table-confirm"),
    path("tables/<int:pk>/sheet/state/", table_sheet.state, name="table-state"),
    path("tables/<int:pk>/sheet/events/", table_sheet.events, name="table-events"),
    path("tables/<int:pk>/sheet/preview/", table_sheet.preview, name="table-preview"),
    path("tables/<int:pk>/sheet/legality/", table_sheet.legality, name="table-legality"),
    path("tables/<int:pk>/sheet/submit/", table_sheet.submit, name="table-submit"),
    path("tables/<int:pk>/sheet/approve/", table_sheet.approve, name="table-approve"),
    path("tables/<int:pk>/sheet/object/", table_sheet.object_, name="table-object"),
]
