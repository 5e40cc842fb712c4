"""URL patterns of version 1 of the API. The trailing slash is optional."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path

from league.api.access import root_views, staff_views, token_views
from league.api.competitions import competition_views, day_views, hall_views, pairing_views, schedule_views
from league.api.exchange import paifu_views, views
from league.api.live import current_views, replay_views, submit_views
from league.api.live import views as live
from league.api.organizing import setup
from league.api.organizing import urls as organizing_urls
from league.api.parlour import urls as parlour_urls
from league.api.people import career_views, player_views, rate_views
from league.api.results import absences, decision_urls, hanchan_changes
from league.api.results import views as results
from league.api.rulebooks import clause_views, comparison_views, format_views, hand_views, rule_views, tulip_views
from league.api.seasons import change_urls, line_up_views, rankings_urls, series_urls, team_change_views, teams_views
from league.api.standings import condition_views, odds_views, ranking_views
from league.api.webhooks import views as webhooks

hanchan: list[URLPattern] = [
    path("", results.HanchanView.as_view(), name="hanchan-one"),
    path("results/", results.ResultsView.as_view(), name="results"),
    path("results/preview/", results.PreviewView.as_view(), name="preview"),
    path("results/<id:revision>/", results.ResultView.as_view(), name="result"),
    path("results/<id:revision>/confirm/", results.ConfirmView.as_view(), name="confirm"),
    path("results/<id:revision>/reject/", results.RejectView.as_view(), name="reject"),
    path("results/<id:revision>/revert/", hanchan_changes.RevertView.as_view(), name="revert"),
    path("void/", results.VoidView.as_view(), name="void"),
    path("no-show/", absences.NoShowView.as_view(), name="no-show"),
    path("walkover/", absences.WalkoverView.as_view(), name="walkover"),
    path("substitute/", hanchan_changes.SubstituteView.as_view(), name="substitute"),
    path("abandon/", hanchan_changes.AbandonView.as_view(), name="abandon"),
    path("resume/", hanchan_changes.ResumeView.as_view(), name="resume"),
    path("line-ups/<slug:team>/", line_up_views.LineUpView.as_view(), name="line-up"),
    path("replay/", replay_views.ReplayView.as_view(), name="replay"),
    path("log/", live.LogView.as_view(), name="log"),
    path("log/submit/", submit_views.SubmitLogView.as_view(), name="log-submit"),
    path("log/import/", live.LogImportView.as_view(), name="log-import"),
]
entrant: list[URLPattern] = [
    path("check-in/", day_views.CheckInView.as_view(), name="check-in"),
    path("withdraw/", day_views.WithdrawView.as_view(), name="withdraw"),
    path("disqualify/", day_views.DisqualifyView.as_view(), name="disqualify"),
]
frequent_urls: list[URLPattern] = [
    path("standings/", competition_views.StandingsView.as_view(), name="standings"),
    path("competitions/<slug:slug>/bracket/", competition_views.BracketView.as_view(), name="bracket"),
    path("competitions/<slug:slug>/odds/", odds_views.OddsView.as_view(), name="odds"),
    path("table-sessions/<id:pk>/live/", current_views.LiveTableView.as_view(), name="live-table"),
    path("hanchan/<id:pk>/live/", current_views.LiveView.as_view(), name="live"),
]
"""The most frequent addresses, matched first.

Resolving a URL among many patterns takes longer than answering that nothing has changed there.
"""
version_1: list[URLPattern | URLResolver] = [
    *frequent_urls,
    path("", root_views.RootView.as_view(), name="root"),
    path("auth/login/", token_views.LoginView.as_view(), name="login"),
    path("auth/logout/", token_views.LogoutView.as_view(), name="logout"),
    path("competitions/", setup.NewCompetitionView.as_view(), name="competitions"),
    *organizing_urls.urlpatterns,
    path("competitions/<slug:slug>/", competition_views.CompetitionDetailView.as_view(), name="competition"),
    path("competitions/<slug:slug>/rates/", rate_views.RatesView.as_view(), name="rates"),
    path("competitions/<slug:slug>/conditions/", condition_views.ConditionsView.as_view(), name="conditions"),
    path("competitions/<slug:slug>/explanations/", condition_views.ExplanationsView.as_view(), name="explanations"),
    path("competitions/<slug:slug>/what-if/", condition_views.WhatIfView.as_view(), name="what-if"),
    path("competitions/<slug:slug>/teams/", team_change_views.EnterTeamsView.as_view(), name="teams"),
    path("competitions/<slug:slug>/teams/<slug:key>/", teams_views.TeamView.as_view(), name="team"),
    path("competitions/<slug:slug>/members/", teams_views.MembersView.as_view(), name="members"),
    path("competitions/<slug:slug>/fixtures/", teams_views.FixturesView.as_view(), name="fixtures"),
    path("competitions/<slug:slug>/exports/<slug:kind>/", views.ExportView.as_view(), name="export"),
    path("competitions/<slug:slug>/online-games/", paifu_views.PaifuImportsView.as_view(), name="online-games"),
    path("competitions/<slug:slug>/online-games/<id:pk>/", paifu_views.PaifuImportView.as_view(), name="online-game"),
    path(
        "competitions/<slug:slug>/online-games/<id:pk>/apply/",
        paifu_views.ApplyPaifuView.as_view(),
        name="online-games-apply",
    ),
    path("competitions/<slug:slug>/archive/", views.ArchiveView.as_view(), name="archive"),
    path("competitions/<slug:slug>/entrants/<id:pk>/", include(entrant)),
    path("competitions/<slug:slug>/blocks/<slug:key>/rounds/", pairing_views.RoundsView.as_view(), name="rounds"),
    path(
        "competitions/<slug:slug>/blocks/<slug:key>/rounds/<int:number>/pairing/",
        pairing_views.PairingView.as_view(),
        name="pairing",
    ),
    path(
        "competitions/<slug:slug>/blocks/<slug:key>/rounds/<int:number>/pairing/preview/",
        pairing_views.PairingPreviewView.as_view(),
        name="pairing-preview",
    ),
    path("stages/", competition_views.StagesView.as_view(), name="stages"),
    path("stages/<id:pk>/", competition_views.StageView.as_view(), name="stage"),
    path("ranking/", ranking_views.RankingView.as_view(), name="ranking"),
    path("sessions/", schedule_views.SessionsView.as_view(), name="sessions"),
    path("sessions/<id:pk>/", schedule_views.SessionView.as_view(), name="session"),
    path("sessions/<id:pk>/clock/", hall_views.ClockView.as_view(), name="clock"),
    path("sessions/<id:pk>/seats/", hall_views.SeatsView.as_view(), name="seats"),
    path("sessions/<id:pk>/table-states/", hall_views.FloorView.as_view(), name="table-states"),
    path("table-sessions/<id:pk>/referee-call/", hall_views.CallView.as_view(), name="referee-call"),
    path("table-sessions/<id:pk>/referee-call/answer/", hall_views.AnswerView.as_view(), name="answer-call"),
    path("table-sessions/", schedule_views.TableSessionsView.as_view(), name="table-sessions"),
    path("table-sessions/<id:pk>/", schedule_views.TableSessionView.as_view(), name="table-session"),
    path("table-sessions/<id:pk>/links/", live.LinksView.as_view(), name="table-links"),
    path("table-sessions/<id:pk>/links/<id:link>/", live.LinkView.as_view(), name="table-link"),
    path("hanchan/", schedule_views.HanchanListView.as_view(), name="hanchan"),
    path("hanchan/<id:pk>/", include(hanchan)),
    path("players/", player_views.PlayersView.as_view(), name="players"),
    path("players/<id:pk>/", player_views.PlayerView.as_view(), name="player"),
    path("players/<id:pk>/career/", career_views.CareerView.as_view(), name="career"),
    path("records/", career_views.RecordsView.as_view(), name="records"),
    path("rulesets/", rule_views.RulesetsView.as_view(), name="rulesets"),
    path("rulesets/<slug:name>/", rule_views.RulesetView.as_view(), name="ruleset"),
    path("rulesets/<slug:name>/score/", hand_views.ScoreView.as_view(), name="score-hand"),
    path("rulesets/<slug:name>/tulip/", tulip_views.TulipView.as_view(), name="tulip"),
    path("clauses/", clause_views.ClausesView.as_view(), name="clauses"),
    path("clauses/<slug:id>/", clause_views.ClauseView.as_view(), name="clause"),
    path("formats/", format_views.FormatsView.as_view(), name="formats"),
    path("formats/check/", format_views.CheckFormatView.as_view(), name="check-format"),
    path("formats/<slug:name>/", format_views.FormatView.as_view(), name="format"),
    path("formats/<slug:name>/trial/", format_views.TryFormatView.as_view(), name="try-format"),
    path("comparisons/", comparison_views.ComparisonsView.as_view(), name="comparisons"),
    path("comparisons/hand/", hand_views.CompareHandView.as_view(), name="compare-hand"),
    *rankings_urls.urlpatterns,
    *series_urls.urlpatterns,
    *parlour_urls.urlpatterns,
    *decision_urls.urlpatterns,
    *change_urls.urlpatterns,
    path(
        "competitions/<slug:slug>/sessions/<id:pk>/scorer-links/",
        submit_views.ScorerLinksView.as_view(),
        name="scorer-links",
    ),
    path("competitions/<slug:slug>/staff/", staff_views.StaffView.as_view(), name="staff"),
    path("competitions/<slug:slug>/staff/<id:pk>/", staff_views.StaffMemberView.as_view(), name="staff-member"),
    path("competitions/<slug:slug>/invitations/", staff_views.InvitationsView.as_view(), name="invitations"),
    path("competitions/<slug:slug>/invitations/<id:pk>/", staff_views.InvitationView.as_view(), name="invitation"),
    path("webhooks/", webhooks.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/<id:pk>/", webhooks.WebhookView.as_view(), name="webhook"),
    path("webhooks/<id:pk>/rotate/", webhooks.RotateView.as_view(), name="webhook-rotate"),
    path("webhooks/<id:pk>/enable/", webhooks.EnableView.as_view(), name="webhook-enable"),
    path("webhooks/<id:pk>/ping/", webhooks.PingView.as_view(), name="webhook-ping"),
    path("webhooks/<id:pk>/deliveries/", webhooks.DeliveriesView.as_view(), name="webhook-deliveries"),
    path("webhooks/<id:pk>/deliveries/<id:delivery>/", webhooks.DeliveryView.as_view(), name="webhook-delivery"),
    path(
        "webhooks/<id:pk>/deliveries/<id:delivery>/redeliver/",
        webhooks.RedeliverView.as_view(),
        name="webhook-redeliver",
    ),
    path("schema/", root_views.SchemaView.as_view(), name="schema"),
    path("docs/", root_views.DocsView.as_view(), name="docs"),
]
app_name = "api"
urlpatterns = [
    path("", root_views.VersionsView.as_view(), name="versions"),
    path("v1/", include(version_1)),
    path("problems/", root_views.ProblemsView.as_view(), name="problems"),
    path("problems/<slug:code>/", root_views.ProblemView.as_view(), name="problem"),
    re_path(r"^(?P<rest>(?s:.*))$", root_views.missing, name="missing"),
]
