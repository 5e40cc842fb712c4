"""A competition's tables as files: CSV that Excel opens, XLSX and JSON; they contain only what the reader may see.

`?lang=` names the language of the headers: Japanese has headers in Japanese, English has the field names that programs
use.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag_of
from league.selectors.exchange.table_export import Export
from league.views.base import conditional, reader_at
from league.views.competitions.schedule import refuse_if_closed
from league.web.middleware.language import language_asked
from league.web.table_files import WRITERS, as_attachment
from league.wording.formatting import language_of


@require_safe
@rate_limited("file")
def export(request: HttpRequest, slug: str, kind: str, suffix: str) -> HttpResponseBase:
    """Return one table of a competition as a file; raise Http404 for an open table, whose games are not public."""
    reader = reader_at(request, slug)
    refuse_if_closed(reader)
    tables = Export(reader)
    if kind not in tables.kinds or suffix not in WRITERS:
        raise Http404(_("There is no such file. Take standings, results, seats, roster or schedule."))
    language = language_of(language_asked(request))
    etag = etag_of(reader, suffix, kind, language)

    def made() -> HttpResponseBase:
        with translation.override(language):
            return as_attachment(WRITERS[suffix](tables.kinds[kind](), language), f"{slug}-{kind}.{suffix}")

    return conditional(request, etag, made)
