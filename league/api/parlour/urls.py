"""URL patterns of parlours in version 1 of the API."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from league.api.parlour import chair_views as chairs
from league.api.parlour import game_views as games
from league.api.parlour import guest_views as guests
from league.api.parlour import house_views as house
from league.api.parlour import money_views as money
from league.api.parlour import sitting_views as sittings

chair: list[URLPattern] = [
    path("leave/", chairs.LeaveChairView.as_view(), name="chair-leave"),
    path("last-game/", chairs.ChairLastGameView.as_view(), name="chair-last-game"),
    path("stand-in/", chairs.StandInView.as_view(), name="chair-stand-in"),
    path("house/", chairs.HousePlayerView.as_view(), name="chair-house"),
    path("swap/", chairs.SwapChairsView.as_view(), name="chair-swap"),
    path("move/", chairs.MoveView.as_view(), name="chair-move"),
]
sitting: list[URLPattern | URLResolver] = [
    path("", sittings.SittingView.as_view(), name="parlour-sitting"),
    path("seats/", chairs.SittingSeatsView.as_view(), name="sitting-seats"),
    path("seats/<int:chair>/", include(chair)),
    path("games/", games.GamesView.as_view(), name="sitting-games"),
    path("games/preview/", games.GamePreviewView.as_view(), name="sitting-game-preview"),
    path("games/last/correct/", games.CorrectGameView.as_view(), name="last-game-correct"),
    path("games/last/correct/preview/", games.CorrectGamePreviewView.as_view(), name="last-game-correct-preview"),
    path("games/last/take-back/", games.TakeBackGameView.as_view(), name="last-game-take-back"),
    path("chips/", sittings.SittingChipsView.as_view(), name="sitting-chips"),
    path("follow/", sittings.FollowView.as_view(), name="sitting-follow"),
    path("follow/confirm/", sittings.ConfirmFollowedView.as_view(), name="sitting-follow-confirm"),
    path("follow/abandon/", sittings.AbandonFollowedView.as_view(), name="sitting-follow-abandon"),
    path("close/", sittings.CloseSittingView.as_view(), name="sitting-close"),
    path("reopen/", sittings.ReopenSittingView.as_view(), name="sitting-reopen"),
]
guest: list[URLPattern] = [
    path("", money.BillView.as_view(), name="bill"),
    path("link/", guests.GuestLinkView.as_view(), name="parlour-guest-link"),
    path("settle/", money.SettleView.as_view(), name="settle-bill"),
    path("settle/preview/", money.SettlePreviewView.as_view(), name="settle-bill-preview"),
    path("terms/", money.TermsView.as_view(), name="guest-terms"),
    path("extras/", money.ExtrasView.as_view(), name="bill-extras"),
    path("extras/<id:extra>/", money.ExtraView.as_view(), name="bill-extra"),
    path("payments/", money.PaymentsView.as_view(), name="guest-payments"),
]
parlour: list[URLPattern | URLResolver] = [
    path("", house.ParlourDetailView.as_view(), name="parlour"),
    path("books/", house.BooksView.as_view(), name="parlour-books"),
    path("tables/", house.HouseTablesView.as_view(), name="parlour-house-tables"),
    path("tables/<id:house_table>/", house.HouseTableView.as_view(), name="parlour-house-table"),
    path("tables/<id:house_table>/renew-code/", house.RenewCodeView.as_view(), name="parlour-renew-code"),
    path("tariffs/", house.TariffsView.as_view(), name="parlour-tariffs"),
    path("sittings/", sittings.SittingsView.as_view(), name="parlour-sittings"),
    path("sittings/<id:pk>/", include(sitting)),
    path("guests/", guests.GuestsView.as_view(), name="parlour-guests"),
    path("guests/merge/", guests.MergeView.as_view(), name="merge-guests"),
    path("guests/<id:player>/", include(guest)),
    path("waiting/", guests.WaitingView.as_view(), name="parlour-waiting"),
    path("waiting/<id:pk>/", guests.DropWaitingView.as_view(), name="drop-waiting"),
    path("waiting/<id:pk>/seat/", guests.SeatWaitingView.as_view(), name="seat-waiting"),
    path("statements/", money.StatementsView.as_view(), name="parlour-statements"),
    path("statements/<int:number>/", money.StatementView.as_view(), name="parlour-statement"),
    path("statements/<int:number>/cancel/", money.CancelStatementView.as_view(), name="parlour-statement-cancel"),
    path("days/<str:date>/", money.DayView.as_view(), name="parlour-day"),
    path("days/<str:date>/close/", money.CloseDayView.as_view(), name="parlour-day-close"),
    path("days/<str:date>/close/preview/", money.CloseDayPreviewView.as_view(), name="parlour-day-close-preview"),
    path("days/<str:date>/reopen/", money.ReopenDayView.as_view(), name="parlour-day-reopen"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("parlours/", house.ParloursView.as_view(), name="parlours"),
    path("parlours/<slug:slug>/", include(parlour)),
]
