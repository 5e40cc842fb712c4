"""URL patterns of the decisions about a competition."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from league.api.results import closing_views as closing
from league.api.results import decision_views as views

block: list[URLPattern] = [
    path("adjustments/", views.AdjustmentView.as_view(), name="adjustments"),
    path("adjustments/preview/", views.AdjustmentPreviewView.as_view(), name="adjustment-preview"),
    path("pass-over/", views.PassOverView.as_view(), name="pass-over"),
    path("pass-over/preview/", views.PassOverPreviewView.as_view(), name="pass-over-preview"),
    path("close/", closing.CloseBlockView.as_view(), name="close-block"),
    path("close/preview/", closing.CloseBlockPreviewView.as_view(), name="close-block-preview"),
    path("slots/<int:number>/override/", views.OverrideView.as_view(), name="override-slot"),
    path("slots/<int:number>/override/preview/", views.OverridePreviewView.as_view(), name="override-slot-preview"),
    path("slots/<int:number>/swap/", views.SwapSlotsView.as_view(), name="swap-slots"),
    path("slots/<int:number>/swap/preview/", views.SwapSlotsPreviewView.as_view(), name="swap-slots-preview"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("competitions/<slug:slug>/decisions/", views.DecisionsView.as_view(), name="decisions"),
    path(
        "competitions/<slug:slug>/decisions/<slug:decision_kind>/<id:pk>/take-back/",
        views.TakeBackView.as_view(),
        name="take-decision-back",
    ),
    path(
        "competitions/<slug:slug>/decisions/<slug:decision_kind>/<id:pk>/take-back/preview/",
        views.TakeBackPreviewView.as_view(),
        name="take-decision-back-preview",
    ),
    path("competitions/<slug:slug>/rulings/", views.TieView.as_view(), name="rulings"),
    path("competitions/<slug:slug>/rulings/preview/", views.TiePreviewView.as_view(), name="ruling-preview"),
    path("competitions/<slug:slug>/blocks/<slug:key>/", include(block)),
    path("competitions/<slug:slug>/stages/<slug:key>/draw/", closing.DrawStageView.as_view(), name="draw-stage"),
    path(
        "competitions/<slug:slug>/stages/<slug:key>/draw/preview/",
        closing.DrawStagePreviewView.as_view(),
        name="draw-stage-preview",
    ),
]
