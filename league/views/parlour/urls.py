"""URL patterns of the parlour's staff pages."""

from django.urls import path

from league.views.parlour import board, counter, days, followed, table_code

urlpatterns = [
    path("t/<code:code>/", table_code.scan, name="table_code"),
    path("board/", board.boards, name="boards"),
    path("c/<slug:slug>/board/", board.board, name="board"),
    path("c/<slug:slug>/board/waiting/", board.waiting, name="waiting"),
    path("c/<slug:slug>/board/open/", board.open_table, name="open_table"),
    path("c/<slug:slug>/guests/", board.guests, name="guests"),
    path("c/<slug:slug>/guests/merge/", board.merge, name="merge_guests"),
    path("c/<slug:slug>/sittings/<int:pk>/", counter.counter, name="counter"),
    path("c/<slug:slug>/sittings/<int:pk>/preview/", counter.preview, name="counter_preview"),
    path("c/<slug:slug>/sittings/<int:pk>/seats/", counter.seats, name="seats"),
    path("c/<slug:slug>/sittings/<int:pk>/take-back/", counter.take_back, name="take_back"),
    path("c/<slug:slug>/sittings/<int:pk>/chips/", counter.chips, name="chips"),
    path("c/<slug:slug>/sittings/<int:pk>/close/", counter.close, name="close_sitting"),
    path("c/<slug:slug>/sittings/<int:pk>/reopen/", counter.reopen, name="reopen_sitting"),
    path("c/<slug:slug>/sittings/<int:pk>/follow/", followed.follow_start, name="follow_start"),
    path("c/<slug:slug>/sittings/<int:pk>/follow/confirm/", followed.follow_confirm, name="follow_confirm"),
    path("c/<slug:slug>/sittings/<int:pk>/follow/abandon/", followed.follow_abandon, name="follow_abandon"),
    path("c/<slug:slug>/days/", days.days, name="days"),
    path("c/<slug:slug>/days/<str:date>/", days.day, name="day"),
    path("c/<slug:slug>/days/<str:date>/close/", days.close, name="close_day"),
    path("c/<slug:slug>/days/<str:date>/reopen/", days.reopen, name="reopen_day"),
]
