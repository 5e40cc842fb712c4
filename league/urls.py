"""Which address leads where."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/", include("league.api.urls")),
    path("", include("league.views.urls")),
    path("", include("league.views.feeds_urls")),
]

handler400 = "league.views.errors.bad_request"
handler403 = "league.views.errors.forbidden"
handler404 = "league.views.errors.not_found"
handler500 = "league.views.errors.server_error"
