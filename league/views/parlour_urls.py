"""The addresses of a parlour's own pages, for its staff."""

from django.urls import path

from league.views import parlour, parlour_counter, parlour_days

urlpatterns = [
    path("board/", parlour.boards, name="boards"),
    path("c/<slug:slug>/board/", parlour.board, name="board"),
    path("c/<slug:slug>/board/waiting/", parlour.waiting, name="waiting"),
    path("c/<slug:slug>/board/open/", parlour.open_table, name="open_table"),
    path("c/<slug:slug>/guests/", parlour.guests, name="guests"),
    path("c/<slug:slug>/guests/merge/", parlour.merge, name="merge_guests"),
    path("c/<slug:slug>/sittings/<int:pk>/", parlour_counter.counter, name="counter"),
    path("c/<slug:slug>/sittings/<int:pk>/preview/", parlour_counter.preview, name="counter_preview"),
    path("c/<slug:slug>/sittings/<int:pk>/seats/", parlour_counter.seats, name="seats"),
    path("c/<slug:slug>/sittings/<int:pk>/take-back/", parlour_counter.take_back, name="take_back"),
    path("c/<slug:slug>/sittings/<int:pk>/chips/", parlour_counter.chips, name="chips"),
    path("c/<slug:slug>/sittings/<int:pk>/close/", parlour_counter.close, name="close_sitting"),
    path("c/<slug:slug>/sittings/<int:pk>/reopen/", parlour_counter.reopen, name="reopen_sitting"),
    path("c/<slug:slug>/days/", parlour_days.days, name="days"),
    path("c/<slug:slug>/days/<str:date>/", parlour_days.day, name="day"),
    path("c/<slug:slug>/days/<str:date>/close/", parlour_days.close, name="close_day"),
    path("c/<slug:slug>/days/<str:date>/reopen/", parlour_days.reopen, name="reopen_day"),
]
