"""Completes the operations of the OpenAPI document: summaries, tags, security, headers of responses, refusals."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import cast

from league.api.enums import ApiDescription, Operation, Response

HEADERS: Mapping[str, str] = {
    "ETag": "The version of this response; send it back in If-None-Match, or in If-Match where an operation takes it.",
    "Cache-Control": "How long the response may be reused, and by which caches.",
    "Content-Language": "The language of the messages: `ja` or `en`.",
    "X-Request-ID": "The id of this request in the log of the service; name it to the operator.",
    "Retry-After": "The seconds to wait before the next attempt.",
    "WWW-Authenticate": "The way to log in: `Bearer`.",
    "Location": "The URL of the sheet that was written.",
    "Idempotency-Replayed": "`true` if the response is that of an earlier request with the same Idempotency-Key.",
}
"""Maps each header that responses carry to its description."""
REPLAYED = "Idempotency-Replayed"
ALWAYS = ("Content-Language", "X-Request-ID")
BY_STATUS: Mapping[str, tuple[str, ...]] = {
    "304": ("ETag",),
    "401": ("WWW-Authenticate",),
    "429": ("Retry-After",),
    "503": ("Retry-After",),
}
BY_OPERATION: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("submit_result", "201"): ("ETag", "Location"),
    ("submit_result", "409"): ("ETag", "Location", REPLAYED),
    ("confirm_result", "200"): ("ETag", "Location"),
    ("reject_result", "200"): ("ETag", "Location"),
    ("void_hanchan", "200"): ("ETag", "Location"),
    ("name_line_up", "200"): ("ETag",),
}
"""The headers of single responses, by operation and status."""
SUMMARIES: Mapping[str, str] = {
    "answer_call": "Answer the call for a referee",
    "append_to_log": "Append events to a hanchan's log",
    "bring_online_games": "Read the logs of online games",
    "call_referee": "Call a referee to a table",
    "change_webhook": "Change the URL or the events of a webhook",
    "check_format": "Check a league format",
    "compare_hand": "Score a hand under every ruleset",
    "compare_rulesets": "Settle one game under every ruleset, side by side",
    "confirm_result": "Confirm a result",
    "decide_move": "Decide a player's move between tiers",
    "declare_walkover": "Declare a walkover",
    "disqualify": "Disqualify an entrant",
    "end_table_link": "Revoke a link of a table",
    "flip_tulip": "Replay the flips of a tulip bonus",
    "get_export": "Export a table of a competition",
    "get_ranking_export": "Export a ranking, or every term of its sums",
    "get_archive": "Return the whole competition as a verifiable file",
    "get_ranking_archive": "Return the ranking and its competitions as a verifiable file",
    "get_series_archive": "Return the series and its competitions as a verifiable file",
    "get_webhook": "Return a webhook",
    "import_log": "Write the whole log of a hanchan",
    "import_online_games": "Import online games with the choices made",
    "keep_format": "Store a league format",
    "list_ranking_event": "Let a competition count for a ranking",
    "login": "Log in for a token",
    "make_table_link": "Create a link of a table",
    "name_line_up": "Name the member who sits for a team",
    "ping_webhook": "Send a test message to a webhook",
    "preview_next_roster": "Preview the roster of the next term",
    "preview_pairing": "Preview the pairing of a round",
    "preview_result": "Check and settle a result without writing it",
    "publish_pairing": "Publish the pairing of a round",
    "record_no_show": "Record that an entrant did not come",
    "redeliver_webhook_message": "Send a webhook's message again",
    "reject_result": "Reject a result",
    "rotate_webhook_key": "Make a new signing key for a webhook",
    "score_hand": "Score a hand under a ruleset",
    "set_clock": "Start, extend or stop the round clock",
    "take_line_up_back": "Take a line-up back",
    "take_move_decision_back": "Take the decision on a move back",
    "take_next_roster_back": "Take the roster of the next term back",
    "add_member": "Add a member to a team",
    "change_ranking_event": "Replace the facts of an event of a ranking",
    "edit_ranking": "Change the names or the audience of a ranking",
    "edit_series": "Change the names or the audience of a series",
    "forget_online_account": "Forget an account at an online service",
    "remember_online_account": "Remember an account of a person at an online service",
    "set_opening_balance": "Write the promotion points that a player brought along",
    "add_staff": "Give an account a role in the competition",
    "enter_teams": "Enter teams with their members",
    "enter_guest": "Enter a guest",
    "open_sitting": "Open a table",
    "record_game": "Record a game of a sitting",
    "set_tariff": "Set fees from a business day on",
    "add_waiting": "Put a guest on the waiting list",
    "try_format": "Play a league format on trial",
    "try_results_out": "Compute the changes under results in the body",
    "unlist_ranking_event": "Let a competition count no more for a ranking",
    "void_hanchan": "Void the result of a hanchan",
    "withdraw": "Withdraw an entrant",
    "write_next_roster": "Write the roster of the next term",
}
"""Summaries of operations whose description begins with no sentence that can stand alone."""
TAGS: Mapping[str, str] = {
    "root": "The entry point.",
    "announcements": "Announcements in the hall.",
    "auth": "Tokens.",
    "clauses": "Clauses of the rule books.",
    "comparisons": "Rulesets side by side.",
    "competitions": "Competitions with their brackets, teams and players.",
    "formats": "League formats.",
    "hanchan": "Games at one table, with their results and logs.",
    "parlours": "Parlours: sittings, games, guests, bills and days.",
    "people": "People as organizers keep them.",
    "players": "People and their careers.",
    "ranking": "The running ranking of an open table.",
    "rankings": "Rankings across competitions.",
    "records": "Records over all leagues.",
    "rulesets": "Rulesets, and hands scored under them.",
    "series": "Series of competitions whose tiers exchange players.",
    "sessions": "Days of play with their clocks and seats.",
    "stages": "Stages of a competition.",
    "standings": "Standings.",
    "table-sessions": "Tables with their links and calls.",
    "webhooks": "Messages about changes.",
}
CLAUSE = re.compile(r"[.:;](\s|$)|\n")
LONGEST_SUMMARY = 80


def complete_operations(result: ApiDescription, **_arguments: object) -> ApiDescription:
    """Return the OpenAPI document with a summary, a tag, its security and response headers for every operation."""
    result["components"]["headers"] = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in HEADERS.items()
    }
    for method, operation in operations(result):
        operation.setdefault("tags", ["root"])
        operation.setdefault("security", [])
        operation["description"] = without_errors(operation["description"])
        operation["summary"] = summary_of(operation)
        for status, response in operation["responses"].items():
            names = headers_of(method, operation, status)
            response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
            response["description"] = response.get("description") or "The response."
    used = {tag for _method, operation in operations(result) for tag in operation["tags"]}
    result["tags"] = [{"name": tag, "description": TAGS[tag]} for tag in sorted(used)]
    return result


def share_refusals(result: ApiDescription, **_arguments: object) -> ApiDescription:
    """Return the OpenAPI document with the usual refusal of each status as a component that operations refer to.

    Two thirds of the document were the same fifteen refusals, and tools work through them again for each operation.
    """
    found: dict[str, list[Response]] = defaultdict(list)
    for _method, operation in operations(result):
        for status, response in operation["responses"].items():
            if status >= "3":
                found[status].append(response)
    usual = {status: Counter(map(repr, each)).most_common(1)[0][0] for status, each in found.items()}
    result["components"]["responses"] = {
        f"Status{status}": next(response for response in each if repr(response) == usual[status])
        for status, each in sorted(found.items())
    }
    for _method, operation in operations(result):
        for status, response in operation["responses"].items():
            if repr(response) == usual.get(status):
                ref = {"$ref": f"#/components/responses/Status{status}"}
                operation["responses"][status] = cast("Response", ref)
    return result


def without_errors(text: str) -> str:
    """Return a description without the sentences about exceptions, which are for readers of the code."""
    kept = []
    for paragraph in text.split("\n\n"):
        if "Raise " in paragraph:
            sentences = " ".join(paragraph.split()).removesuffix(".").split(". ")
            said = [each for each in sentences if not each.startswith("Raise ")]
            kept.append(f"{'. '.join(said)}." if said else "")
        else:
            kept.append(paragraph)
    return "\n\n".join(filter(None, kept)).strip()


def operations(result: ApiDescription) -> Iterator[tuple[str, Operation]]:
    """Yield every operation with its method."""
    for path in result["paths"].values():
        yield from path.items()


def summary_of(operation: Operation) -> str:
    """Return the summary: a given one, or the first clause of the description, a long one without its last parts."""
    text = SUMMARIES.get(operation["operationId"]) or CLAUSE.split(operation["description"], maxsplit=1)[0]
    while len(text) > LONGEST_SUMMARY and ", " in text:
        text = text.rpartition(", ")[0]
    return text


def headers_of(method: str, operation: Operation, status: str) -> tuple[str, ...]:
    """Return the names of the headers that a response with this status can carry."""
    read = ("ETag", "Cache-Control") if (method, status) == ("get", "200") else ()
    takes_key = any(each["name"] == "Idempotency-Key" for each in operation["parameters"])
    replayed = (REPLAYED,) if takes_key and status.startswith("2") else ()
    more = (*BY_OPERATION.get((operation["operationId"], status), ()), *replayed)
    return (*ALWAYS, *read, *BY_STATUS.get(status, ()), *(header for header in more if header not in read))
