"""A team's own page: its coming hanchan, and one choice of the member who sits in each.

It opens with the team's link, whose token is in the address, or for a captain who is logged in. Nothing here is cached,
since a line-up may be secret until its deadline.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.forms.seasons.line_ups import LineUpForm
from league.models import Competition, Door, Entrant, Membership, Role
from league.platform.errors import ServiceError
from league.platform.throttling import limit_failed_attempts
from league.selectors.access.actors import Actor
from league.selectors.access.readers import public_reader_of
from league.selectors.seasons.line_ups import TeamLines, games_of_team, lines_of_team
from league.services.seasons.line_ups import name_line_up, take_line_up_back
from league.services.seasons.team_links import team_link_of
from league.views.base import PageData, show
from league.web.access.visitors import to_sign_in, user_of

METHODS = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(METHODS)
def captains(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the line-ups of the team whose captain is logged in."""
    if not request.user.is_authenticated:
        return to_sign_in(request)
    user = user_of(request)
    rows = Membership.objects.filter(competition__slug=slug, user=user, role=Role.CAPTAIN)
    own = rows.select_related("team__competition__parlour", "team__player").first()
    if own is None or own.team is None:
        raise Http404(_("You are no captain in this competition."))
    return team_page(request, own.team, Actor(user, Door.PAGE))


@never_cache
@require_http_methods(METHODS)
@limit_failed_attempts
def by_link(request: HttpRequest, slug: str, token: str) -> HttpResponseBase:
    """Show the line-ups of the team whose link this is."""
    link = team_link_of(token)
    if link is None or link.entrant.competition.slug != slug:
        raise Http404(_("There is no such link. Ask the organizers for a new one."))
    return team_page(request, link.entrant, Actor(None, Door.PAGE, credential=f"team:{link.pk}", team_link=link))


def team_page(request: HttpRequest, team: Entrant, by: Actor) -> HttpResponse:
    """Show a team's coming hanchan with a form for each, or write the line-up that was sent."""
    competition = team.competition
    with timezone.override(ZoneInfo(competition.time_zone)):
        games = games_of_team(team)
        sent = request.POST.get("hanchan", "") if request.method == "POST" else ""
        forms = [LineUpForm(request.POST if str(game.hanchan.pk) == sent else None, game=game) for game in games]
        if request.method == "POST":
            form = next((one for one in forms if one.is_bound), None)
            if form is None:
                raise Http404(_("This hanchan is not to come any more. Reload the page."))
            if form.is_valid() and write(form, by):
                return HttpResponseRedirect(f"{request.path}?saved={form.game.hanchan.pk}#g{form.game.hanchan.pk}")
        return shown(request, competition, team, forms)


def write(form: LineUpForm, by: Actor) -> bool:
    """Name the chosen member, or take the line-up back; return False with the findings in the form."""
    game = form.game
    try:
        if form.player is None:
            take_line_up_back(hanchan=game.hanchan, entrant=game.entrant, by=by)
        else:
            name_line_up(hanchan=game.hanchan, entrant=game.entrant, player=form.player, by=by, accept=form.accepted)
    except ServiceError as error:
        form.take(error)
        return False
    return True


def shown(request: HttpRequest, competition: Competition, team: Entrant, forms: list[LineUpForm]) -> HttpResponse:
    """Render the page; the status is 422 if a form has errors or warnings."""
    reader = public_reader_of(competition)
    stages = dict.fromkeys(form.game.hanchan.block.stage for form in forms)
    lines: list[TeamLines] = [line for stage in stages if (line := lines_of_team(team, stage))]
    response = show(
        request,
        "seasons/line_ups.html",
        PageData(reader),
        team=team,
        forms=forms,
        lines=lines,
        saved=request.GET.get("saved", ""),
        tab="line-ups",
    )
    response.status_code = 422 if any(form.errors or form.warnings for form in forms) else 200
    return response
