"""URL patterns of the pages of series."""

from django.urls import path

from league.views.seasons import series

urlpatterns = [
    path("series/", series.series_list, name="series-list"),
    path("series/<slug:slug>/", series.series, name="series"),
    path("series/<slug:slug>/terms/<int:number>/", series.term, name="series-term"),
    path("series/<slug:slug>/terms/<int:number>/<slug:term_table>.<slug:suffix>", series.term_file, name="series-file"),
    path("series/<slug:slug>/players/<slug:key>/", series.way, name="series-way"),
]
