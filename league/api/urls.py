"""The addresses of version 1. A last slash may be left out."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path

from league.api.views import (
    auth,
    clauses,
    comparing,
    competitions,
    conditions,
    exports,
    hand,
    live,
    odds,
    people,
    ranking,
    rates,
    results,
    root,
    rules,
    schedule,
    tulip,
    webhooks,
)

hanchan: list[URLPattern] = [
    path("", results.HanchanView.as_view(), name="hanchan-one"),
    path("results/", results.ResultsView.as_view(), name="results"),
    path("results/preview/", results.PreviewView.as_view(), name="preview"),
    path("results/<id:revision>/", results.ResultView.as_view(), name="result"),
    path("results/<id:revision>/confirm/", results.ConfirmView.as_view(), name="confirm"),
    path("results/<id:revision>/reject/", results.RejectView.as_view(), name="reject"),
    path("void/", results.VoidView.as_view(), name="void"),
    path("live/", live.LiveView.as_view(), name="live"),
    path("log/", live.LogView.as_view(), name="log"),
    path("log/import/", live.LogImportView.as_view(), name="log-import"),
]
asked_most: list[URLPattern] = [
    path("standings/", competitions.StandingsView.as_view(), name="standings"),
    path("competitions/<slug:slug>/bracket/", competitions.BracketView.as_view(), name="bracket"),
    path("competitions/<slug:slug>/odds/", odds.OddsView.as_view(), name="odds"),
]
"""Looked at first: to find an address among many takes longer than to say that nothing has changed there."""
version_1: list[URLPattern | URLResolver] = [
    *asked_most,
    path("", root.RootView.as_view(), name="root"),
    path("auth/login/", auth.LoginView.as_view(), name="login"),
    path("auth/logout/", auth.LogoutView.as_view(), name="logout"),
    path("competitions/", competitions.CompetitionsView.as_view(), name="competitions"),
    path("competitions/<slug:slug>/", competitions.CompetitionDetailView.as_view(), name="competition"),
    path("competitions/<slug:slug>/rates/", rates.RatesView.as_view(), name="rates"),
    path("competitions/<slug:slug>/conditions/", conditions.ConditionsView.as_view(), name="conditions"),
    path("competitions/<slug:slug>/explanations/", conditions.ExplanationsView.as_view(), name="explanations"),
    path("competitions/<slug:slug>/what-if/", conditions.WhatIfView.as_view(), name="what-if"),
    path("competitions/<slug:slug>/exports/<slug:kind>/", exports.ExportView.as_view(), name="export"),
    path("competitions/<slug:slug>/archive/", exports.ArchiveView.as_view(), name="archive"),
    path("stages/", competitions.StagesView.as_view(), name="stages"),
    path("stages/<id:pk>/", competitions.StageView.as_view(), name="stage"),
    path("ranking/", ranking.RankingView.as_view(), name="ranking"),
    path("sessions/", schedule.SessionsView.as_view(), name="sessions"),
    path("sessions/<id:pk>/", schedule.SessionView.as_view(), name="session"),
    path("table-sessions/", schedule.TableSessionsView.as_view(), name="table-sessions"),
    path("table-sessions/<id:pk>/", schedule.TableSessionView.as_view(), name="table-session"),
    path("table-sessions/<id:pk>/links/", live.LinksView.as_view(), name="table-links"),
    path("table-sessions/<id:pk>/links/<id:link>/", live.LinkView.as_view(), name="table-link"),
    path("hanchan/", schedule.HanchanListView.as_view(), name="hanchan"),
    path("hanchan/<id:pk>/", include(hanchan)),
    path("players/", people.PlayersView.as_view(), name="players"),
    path("players/<id:pk>/", people.PlayerView.as_view(), name="player"),
    path("rulesets/", rules.RulesetsView.as_view(), name="rulesets"),
    path("rulesets/<slug:name>/", rules.RulesetView.as_view(), name="ruleset"),
    path("rulesets/<slug:name>/score/", hand.ScoreView.as_view(), name="score-hand"),
    path("rulesets/<slug:name>/tulip/", tulip.TulipView.as_view(), name="tulip"),
    path("clauses/", clauses.ClausesView.as_view(), name="clauses"),
    path("clauses/<slug:id>/", clauses.ClauseView.as_view(), name="clause"),
    path("formats/", rules.FormatsView.as_view(), name="formats"),
    path("formats/<slug:name>/", rules.FormatView.as_view(), name="format"),
    path("comparisons/", comparing.ComparisonsView.as_view(), name="comparisons"),
    path("comparisons/hand/", hand.CompareHandView.as_view(), name="compare-hand"),
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
    path("schema/", root.SchemaView.as_view(), name="schema"),
    path("docs/", root.DocsView.as_view(), name="docs"),
]
app_name = "api"
urlpatterns = [
    path("", root.VersionsView.as_view(), name="versions"),
    path("v1/", include(version_1)),
    path("problems/", root.ProblemsView.as_view(), name="problems"),
    path("problems/<slug:code>/", root.ProblemView.as_view(), name="problem"),
    re_path(r"^(?P<rest>(?s:.*))$", root.missing, name="missing"),
]
