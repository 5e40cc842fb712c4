"""Pictures of players and competitions, at addresses that name their content."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.selectors.people.pictures import public_picture, staff_picture

PUBLIC = "public, max-age=31536000, s-maxage=60, immutable"
"""Browsers keep a picture for good; a shared cache asks again each minute, so that an erased one disappears there."""
PRIVATE = "private, max-age=3600"


@require_safe
def picture(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the picture with this SHA-256 if the visitor may see whose it is; raise Http404 otherwise."""
    # The public's pictures first: for these no session is read, so that shared caches may keep the response.
    found = public_picture(digest) or staff_picture(digest, request.user)
    if found is None:
        raise Http404(_("There is no such picture."))
    headers = {"Cache-Control": PUBLIC if found.is_public else PRIVATE, "Content-Security-Policy": "default-src 'none'"}
    return HttpResponse(found.data, content_type="image/webp", headers=headers)
