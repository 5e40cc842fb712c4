"""The root URL configuration and the error handlers."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/", include("league.api.urls")),
    path("", include("league.views.urls")),
    path("", include("league.views.exchange.urls")),
]

handler400 = "league.web.error_pages.bad_request"
handler403 = "league.web.error_pages.forbidden"
handler404 = "league.web.error_pages.not_found"
handler500 = "league.web.error_pages.server_error"
