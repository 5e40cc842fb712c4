"""URL patterns of the parlour's staff pages."""

from django.urls import path

from league.views.parlour import board, counter, days, followed, table_code

urlpatterns = [
    path("t/<code:signed>/", table_code.scan, name="table_code"),
    path("board/", board.boards, name="boards"),
    path("c/<slug:slug>/board/", board.former_board, name="former_board"),
    path("p/<slug:slug>/board/", board.board, name="board"),
    path("p/<slug:slug>/board/waiting/", board.waiting, name="waiting"),
    path("p/<slug:slug>/board/open/", board.open_table, name="open_table"),
    path("p/<slug:slug>/guests/", board.guests, name="guests"),
    path("p/<slug:slug>/guests/merge/", board.merge, name="merge_guests"),
    path("p/<slug:slug>/sittings/<int:pk>/", counter.counter, name="counter"),
    path("p/<slug:slug>/sittings/<int:pk>/preview/", counter.preview, name="counter_preview"),
    path("p/<slug:slug>/sittings/<int:pk>/seats/", counter.seats, name="seats"),
    path("p/<slug:slug>/sittings/<int:pk>/take-back/", counter.take_back, name="take_back"),
    path("p/<slug:slug>/sittings/<int:pk>/chips/", counter.chips, name="chips"),
    path("p/<slug:slug>/sittings/<int:pk>/close/", counter.close, name="close_sitting"),
    path("p/<slug:slug>/sittings/<int:pk>/reopen/", counter.reopen, name="reopen_sitting"),
    path("p/<slug:slug>/sittings/<int:pk>/follow/", followed.follow_start, name="follow_start"),
    path("p/<slug:slug>/sittings/<int:pk>/follow/confirm/", followed.follow_confirm, name="follow_confirm"),
    path("p/<slug:slug>/sittings/<int:pk>/follow/abandon/", followed.follow_abandon, name="follow_abandon"),
    path("p/<slug:slug>/codes/", followed.codes, name="codes"),
    path("p/<slug:slug>/codes/renew/", followed.renew_code, name="renew_code"),
    path("p/<slug:slug>/days/", days.days, name="days"),
    path("p/<slug:slug>/days/<str:date>/", days.day, name="day"),
    path("p/<slug:slug>/days/<str:date>/close/", days.close, name="close_day"),
    path("p/<slug:slug>/days/<str:date>/reopen/", days.reopen, name="reopen_day"),
]
