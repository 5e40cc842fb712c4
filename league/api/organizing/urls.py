"""Addresses of the operations of organizers."""

from django.urls import path

from league.api.organizing import day, people, schedule, setup, tables

urlpatterns = [
    path("competitions/<slug:slug>/settings/", setup.SettingsView.as_view(), name="settings"),
    path("competitions/<slug:slug>/status/", setup.StatusView.as_view(), name="status"),
    path("competitions/<slug:slug>/address/", setup.AddressView.as_view(), name="address"),
    path("competitions/<slug:slug>/rules/", setup.RulesView.as_view(), name="rules"),
    path("competitions/<slug:slug>/rules/preview/", setup.RulesPreviewView.as_view(), name="rules-preview"),
    path("competitions/<slug:slug>/roster/", setup.RosterView.as_view(), name="roster"),
    path("competitions/<slug:slug>/roster/preview/", setup.RosterPreviewView.as_view(), name="roster-preview"),
    path("competitions/<slug:slug>/house-players/", setup.HousePlayersView.as_view(), name="house-players"),
    path("competitions/<slug:slug>/blocks/fill/", setup.FillingView.as_view(), name="fill-blocks"),
    path("competitions/<slug:slug>/blocks/fill/preview/", setup.FillingPreviewView.as_view(), name="fill-preview"),
    path("competitions/<slug:slug>/blocks/<slug:key>/entrants/", setup.SeedsView.as_view(), name="seed-block"),
    path("competitions/<slug:slug>/blocks/<slug:key>/swap/", tables.SwapView.as_view(), name="swap"),
    path("competitions/<slug:slug>/blocks/<slug:key>/late-arrivals/", day.LateArrivalsView.as_view(), name="late"),
    path("competitions/<slug:slug>/blocks/<slug:key>/replanning/", day.ReplanView.as_view(), name="replan"),
    path(
        "competitions/<slug:slug>/blocks/<slug:key>/replanning/preview/",
        day.ReplanPreviewView.as_view(),
        name="replan-preview",
    ),
    path("competitions/<slug:slug>/blocks/<slug:key>/replanning/back/", day.RestoreView.as_view(), name="restore-plan"),
    path(
        "competitions/<slug:slug>/blocks/<slug:key>/rounds/<int:number>/pairing/back/",
        day.PairingBackView.as_view(),
        name="pairing-back",
    ),
    path("competitions/<slug:slug>/admissions/", day.AdmissionsView.as_view(), name="admissions"),
    path("competitions/<slug:slug>/entrants/", people.EntrantsView.as_view(), name="entrants"),
    path("competitions/<slug:slug>/entrants/preview/", people.EntrantsPreviewView.as_view(), name="entrants-preview"),
    path("competitions/<slug:slug>/entrants/<id:pk>/", people.EntrantWordsView.as_view(), name="entrant"),
    path("competitions/<slug:slug>/schedule/", schedule.ScheduleView.as_view(), name="schedule"),
    path("competitions/<slug:slug>/schedule/preview/", schedule.SchedulePreviewView.as_view(), name="schedule-preview"),
    path("competitions/<slug:slug>/sessions/", schedule.NewSessionView.as_view(), name="new-session"),
    path("competitions/<slug:slug>/table-sessions/", tables.NewTableView.as_view(), name="new-table"),
    path("sessions/<id:pk>/names/", schedule.SessionNamesView.as_view(), name="session-names"),
    path("sessions/<id:pk>/move/", schedule.MoveSessionView.as_view(), name="move-session"),
    path("sessions/<id:pk>/move/preview/", schedule.MoveSessionPreviewView.as_view(), name="move-preview"),
    path("sessions/<id:pk>/draw/", schedule.DrawView.as_view(), name="draw-seats"),
    path("sessions/<id:pk>/announcements/", schedule.AnnouncementsView.as_view(), name="announcements"),
    path("announcements/<id:pk>/", schedule.AnnouncementView.as_view(), name="announcement"),
    path("table-sessions/<id:pk>/plan/", tables.TablePlanView.as_view(), name="table-plan"),
    path("table-sessions/<id:pk>/hold-back/", tables.HoldBackView.as_view(), name="hold-back"),
    path("hanchan/<id:pk>/seats/", tables.SeatsView.as_view(), name="seat-hanchan"),
    path("people/", people.PeopleView.as_view(), name="people"),
    path("people/preview/", people.PeoplePreviewView.as_view(), name="people-preview"),
    path("people/<id:pk>/", people.PersonView.as_view(), name="person"),
]
