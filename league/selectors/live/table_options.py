"""House options that are chosen per table: the available ones, and findings about values that were given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from league.models import RulesInForce
from league.platform.errors import Finding
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.wording.names import title_in
from scoring.ruleset import Option, OptionError, Ruleset, Scope
from scoring.ruleset.options import Choice, Flag, Integer, Integers, NumberTable, Subset


def table_options(rules: Ruleset) -> dict[str, Option]:
    """Return the options with table scope; all others are fixed for the competition."""
    return {key: option for key, option in rules.options.items() if option.scope is Scope.TABLE}


def option_findings(rules: RulesInForce, values: Mapping[str, object]) -> tuple[Finding, ...]:
    """Return a finding for each value that the rules in force do not allow at a table, with a pointer to its option."""
    found = tuple(_refused(ruleset_of(rules), values))
    if found:
        return found
    try:
        ruleset_of(rules, values)
    except OptionError as error:
        return tuple(_impossible(error))
    return ()


def _refused(rules: Ruleset, values: Mapping[str, object]) -> Iterator[Finding]:
    for key, value in values.items():
        pointer, option = f"/options/{key}", rules.options.get(key)
        if option is None:
            message = _("The rules know no option “%(option)s”. A table may choose: %(known)s.")
            known = ", ".join(table_options(rules)) or _("nothing")
            yield Finding("option_unknown", message % {"option": key, "known": known}, pointer)
        elif option.refusal(value):
            message = _("“%(value)s” is no value of %(option)s. Allowed: %(allowed)s.")
            shown = {"value": value, "option": title_in(option.title), "allowed": allowed_text(option)}
            yield Finding("option_value", message % shown, pointer)
        elif option.scope is not Scope.TABLE and value != usual(option):
            message = _("%(option)s is fixed for the whole competition: a table cannot change it.")
            yield Finding("option_fixed", message % {"option": title_in(option.title)}, pointer)


def usual(option: Option) -> object:
    """Return an option's default as JSON and fields read it; in rules narrowed by a choice that is the value chosen."""
    return list(option.default) if isinstance(option.default, tuple) else option.default


def _impossible(error: OptionError) -> Iterator[Finding]:
    """Yield a finding for each combination of values that are allowed only separately."""
    for fault in error.faults:
        message = _("These options do not go together: %(why)s.") % {"why": fault.message}
        yield Finding("options_impossible", message, "/options")


def allowed_text(option: Option) -> str:
    """Describe the values of an option in the active language."""
    match option:
        case Flag():
            return _("yes or no")
        case Choice(values=values):
            return ", ".join(str(value) for value in values)
        case Integer(minimum=low, maximum=high, step=step):
            return _("%(low)s to %(high)s in steps of %(step)s") % {"low": low, "high": high, "step": step}
        case Integers(length=length, minimum=low, maximum=high):
            return _("%(count)s whole numbers from %(low)s to %(high)s that add up to 0") % {
                "count": length,
                "low": low,
                "high": high,
            }
        case NumberTable(keys=keys, minimum=low, maximum=high):
            return _("a whole number from %(low)s to %(high)s for each of %(keys)s") % {
                "low": low,
                "high": high,
                "keys": ", ".join(keys),
            }
        case Subset(values=names):
            return _("any of %(names)s, each once") % {"names": ", ".join(names)}
