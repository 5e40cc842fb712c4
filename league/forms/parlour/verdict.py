"""The verdict of a game at the counter, where a rule book pays the top alone: an alternative to typing scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from league.wording.formatting import score_text
from scoring.placement import groups
from scoring.ruleset import Ruleset
from scoring.ruleset.settling import GentsuuFee
from scoring.top_payment import TopType, Verdict, floating, type_of

NO_PAYER, GENTSUU = "none", "gentsuu"
NAMES = ("top", "top_type", "payers")


def verdict_fields(rules: Ruleset, names: Sequence[str]) -> dict[str, forms.Field]:
    """Return the fields of a verdict by name; none if the rules settle by more than the top and the sunk players."""
    if rules.settlement.top_payment is None:
        return {}
    chairs = list(enumerate(names))
    return {
        "top": forms.TypedChoiceField(
            label=gettext_lazy("Top"), required=False, coerce=int, empty_value=None, choices=[("", "–"), *chairs]
        ),
        "top_type": forms.ChoiceField(
            label=gettext_lazy("Kind of top"), required=False, choices=[("", "–"), *_types(rules)]
        ),
        "payers": forms.TypedMultipleChoiceField(
            label=gettext_lazy("Pay the top"),
            required=False,
            coerce=int,
            choices=chairs,
            widget=forms.CheckboxSelectMultiple,
        ),
    }


def _types(rules: Ruleset) -> list[tuple[str, str]]:
    """Return the kinds of top, most payers first; also the second on exactly the origin, if that has its own fee."""
    found = []
    payment = rules.settlement.top_payment
    for payers in range(rules.players - 1, 0, -1):
        name = type_of(payers, rules.players).value
        found.append((name, _("%(kind)s top: %(count)s pay") % {"kind": name, "count": payers}))
        if payment is not None and payment.gentsuu is GentsuuFee.OWN_FEE and payers == rules.players - 2:
            label = _("%(kind)s top: the second on exactly %(points)s")
            found.append((GENTSUU, label % {"kind": name, "points": score_text(payment.origin)}))
    return [*found, (NO_PAYER, _("All float: no player pays"))]


def is_typed(typed: Mapping[str, object]) -> bool:
    """Return True if any part of a verdict is typed."""
    return any(typed.get(name) not in (None, "", []) for name in NAMES)


def read_verdict(typed: Mapping[str, object], rules: Ruleset) -> Verdict:
    """Return the verdict by chairs. The kind gives the payers where it leaves no choice, and the payers the kind.

    Raise ValidationError for its field if a part is missing or two parts contradict each other.
    """
    top, kind = typed.get("top"), str(typed.get("top_type", ""))
    marked = typed.get("payers")
    payers = {int(chair) for chair in marked} if isinstance(marked, list) else set()
    if not isinstance(top, int):
        raise ValidationError({"top": _("Name the top.")}, code="top_missing")
    if top in payers:
        raise ValidationError({"payers": _("The top does not pay: take its mark away.")}, code="top_pays")
    others = set(range(rules.players)) - {top}
    if kind == TopType.A and not payers:
        payers = others
    if not kind and not payers:
        raise ValidationError({"top_type": _("Choose the kind of top, or mark the players who pay.")}, code="no_kind")
    expected = _payers_of(kind, rules.players) if kind else len(payers)
    if len(payers) != expected:
        message = _("With this kind of top %(expected)s pay; %(marked)s are marked.")
        raise ValidationError({"payers": message % {"expected": expected, "marked": len(payers)}}, code="payer_count")
    return Verdict(top, tuple(sorted(payers)), gentsuu=kind == GENTSUU)


def _payers_of(kind: str, players: int) -> int:
    """Return the number of sunk players of a kind of top."""
    if kind == GENTSUU:
        return players - 2
    return next((payers for payers in range(1, players) if type_of(payers, players).value == kind), 0)


def refuse_contradiction(
    verdict: Verdict, scores: Sequence[int], forced_top: int | None, rules: Ruleset, names: Sequence[str]
) -> None:
    """Raise ValidationError if scores lead to another verdict; all are in the order of the seats, `names` too."""
    payment = rules.settlement.top_payment
    if payment is None:
        return
    top = groups(tuple(scores), rules.settlement.placing.ties, forced_top)[0][0]
    found = floating(scores, top, payment, forced_top)
    payers = tuple(seat for seat, floats in enumerate(found.seats) if not floats)
    is_gentsuu_right = found.gentsuu or not verdict.gentsuu
    if (top, payers) == (verdict.top, verdict.payers) and is_gentsuu_right:
        return
    comma = pgettext("between parts", ", ")
    message = _("By the scores %(name)s is the top, and these pay: %(payers)s. Correct the scores or the verdict.")
    paying = comma.join(names[seat] for seat in payers) or "–"
    raise ValidationError({"top": message % {"name": names[top], "payers": paying}}, code="verdict_contradicts")


def typed_verdict(scores: Sequence[int], forced_top: int | None, rules: Ruleset) -> dict[str, object]:
    """Return the fields of the verdict that scores lead to, to correct a game of which only that was noted."""
    payment = rules.settlement.top_payment
    if payment is None:
        return {}
    top = groups(tuple(scores), rules.settlement.placing.ties, forced_top)[0][0]
    found = floating(scores, top, payment, forced_top)
    is_own = found.gentsuu and payment.gentsuu is GentsuuFee.OWN_FEE
    return {
        "top": top,
        "top_type": GENTSUU if is_own else found.top_type.value or NO_PAYER,
        "payers": [seat for seat, floats in enumerate(found.seats) if not floats],
    }
