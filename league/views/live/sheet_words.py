"""Texts of the score sheet and the broadcast overlay for their scripts, in the reader's language.

The scripts fill in `{n}` and other placeholders, so a translation may put them in the order of its language.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.wording.formatting import minus, place_text
from league.wording.messages import wind_name
from scoring.ruleset import Wind


def sheet_words() -> dict[str, object]:
    """Return every text that the sheet's scripts show by themselves; all other texts come from the server."""
    return {**_line(), **_table(), **_advice(), **_asking(), **_value(), **_review(), **_ends(), "acts": _acts()}


def confirm_words() -> dict[str, str]:
    """Return the texts that the scripts of a player's confirmation page show by themselves."""
    keys = ("settlement", "why", "saidYes", "saidNothing", "toClause", "needsLine", "isSent", "isOffline", *_loading())
    return {key: word for key, word in {**_line(), **_review(), **_ends()}.items() if key in keys} | {
        "notYet": _("No result has been handed in yet. This page shows it as soon as it is."),
        "isRight": _("Is this result right?"),
        "yes": _("Correct"),
        "no": _("Not correct"),
        "whyNot": _("What is not right?"),
        "sendNo": _("Say that it is not right"),
        "back": _("Back"),
        "youSaidYes": _("You have agreed to this result."),
        "youSaidNo": _("You said that this result is not right. The organizers look at it."),
        "isConfirmed": _("The result is confirmed. Thank you for playing."),
        "others": _("The players"),
        "notYours": _("This page is for a player's own link. Results can be looked at here."),
        "hanchanOf": _("Hanchan {n}"),
    }


def overlay_words() -> dict[str, object]:
    """Return the texts that the overlay's script shows by itself."""
    return {
        "deposits": _("Deposits"),
        "honba": _("{n} honba"),
        "riichi": pgettext("at the table", "Riichi"),
        "openRiichi": pgettext("at the table", "Open riichi"),
        "over": _("The game is over"),
        "typed": _("Result as typed"),
        "advice": _("What the last hand needs"),
        "adviceNow": _("What this hand needs"),
        "places": [place_text(number) for number in range(1, 5)],
        "rank": _("#{n}"),
        "stale": _("No connection"),
        "waiting": _("The game has not begun"),
        "notShown": _("This table is not shown here. Give the overlay a token that may read it."),
        "minus": minus(),
        "withdrawn": _("withdrawn"),
        "winds": {wind.value: wind_name(wind) for wind in Wind},
    }


def _loading() -> dict[str, str]:
    return {
        "loading": _("Loading the sheet …"),
        "cannotLoad": _("The sheet cannot be loaded: the service does not answer. This page tries again by itself."),
        "tryAgain": _("Try again"),
    }


def _line() -> dict[str, str]:
    return {
        **_loading(),
        "isSent": _("All saved"),
        "isSending": _("Sending {n} …"),
        "isWaiting": _("No connection: {n} waiting on this device"),
        "isOffline": _("No connection"),
        "isStopped": _("Please decide"),
        "whatWaits": _("What is waiting"),
        "waitsHelp": _("These entries are kept on this device and are sent in this order once the connection is back."),
        "shownBefore": _("Entries still on their way: {n}. The table is shown as it was before them."),
        "otherDevice": _("Another device was quicker"),
        "fromElsewhere": _("From another device:"),
        "cameIn": _("This came in meanwhile:"),
        "logChanged": _("Something in the log was undone or put right."),
        "notTaken": _("This could not be taken"),
        "youEntered": _("You were entering:"),
        "enterAgain": _("Enter mine too"),
        "lookAgain": _("Look at it again"),
        "dropIt": _("Drop it"),
        "isIn": _("{what}: entered"),
        "needsLine": _("This needs a connection. Try again in a moment."),
        "asking": _("Checking …"),
        "checkedLater": _("No connection: the entry is kept and checked once the connection is back."),
    }


def _table() -> dict[str, str]:
    return {
        "table": _("The table"),
        "deposits": _("Deposits"),
        "inRiichi": _("{n} in riichi"),
        "riichi": pgettext("at the table", "Riichi"),
        "openRiichi": pgettext("at the table", "Open riichi"),
        "ron": _("Ron"),
        "tsumo": _("Tsumo"),
        "draw": _("Exhaustive draw"),
        "abortive": _("Abortive draw"),
        "fourthKan": _("Fourth kan stands"),
        "nagashi": _("Terminals and honours only among the discards"),
        "penalty": _("Penalties"),
        "outsidePenalty": _("Penalty outside the game"),
        "scoresOnly": _("Scores only"),
        "scoresOnlyHelp": _("how the points moved, without the hand"),
        "ruling": _("Ruling"),
        "rulingHelp": _("what the referee decided"),
        "legality": _("Who may win?"),
        "time": _("Time called"),
        "timeHelp": _("the signal of the clock"),
        "whatHappened": _("What happened"),
        "undo": _("Undo"),
        "redo": _("Redo"),
        "log": pgettext("of a table", "Log"),
        "turn": _("Turn the table"),
        "letters": _("Letters and digits act as keys"),
        "deadHand": _("No right to win"),
        "redeclare": _("Must declare riichi again"),
        "finesOf": _("Fines: {n}"),
        "chonboOf": _("Chonbo: {n}"),
        "hanchanOf": _("Hanchan {n}"),
        "minus": minus(),
        "comma": _(", "),
    }


def _advice() -> dict[str, str]:
    return {
        "advice": _("What the last hand needs"),
        "adviceNow": _("What this hand needs"),
        "othersWin": _("What wins of the others do"),
        "inOwnRiichi": _("Having declared riichi: {text}"),
        "print": _("Print"),
    }


def _asking() -> dict[str, str]:
    return {
        "who": _("Who?"),
        "whoWins": _("Who wins?"),
        "whoDealtIn": _("Who dealt in?"),
        "fromWhom": _("From whom?"),
        "winner": pgettext("at the table", "wins"),
        "severalWin": _("Several win"),
        "goOn": _("Go on"),
        "back": _("Back"),
        "askAgain": _("{text}: ask again"),
        "chonbo": _("Chonbo"),
        "chonboHelp": _("The hand is void."),
        "otherChonbo": _("Another offence"),
        "offence": _("Offence"),
        "offenceHelp": _("A fine, a lost right to win, or a chonbo that waits for the draw."),
        "deadHandHelp": _("The player gives up, or has lost, the right to win in this hand."),
        "withdrawn": _("Riichi taken back"),
        "withdrawnHelp": _("With or without a penalty."),
        "withoutPenalty": _("Without a penalty"),
        "atDraw": _("if the hand is drawn"),
        "whoWon": _("Who won?"),
        "whoTenpai": _("Who was tenpai?"),
        "scoresNow": _("Scores on the table's display now"),
        "reason": _("Reason"),
        "clause": _("Clause (if it rests on one)"),
        "moves": _("What moves"),
        "addMove": _("Add a payment"),
        "theTable": _("the table"),
        "payer": _("from"),
        "receiver": _("to"),
        "amount": _("Amount"),
        "thenWhat": _("Then"),
        "again": _("{kyoku} again"),
        "there": _("Play goes on at"),
        "ends": _("The game ends"),
        "round": _("Round"),
        "kyokuNumber": _("Kyoku"),
        "kyokuOf": pgettext("number of a hand in its round", "{n}"),
        "honba": _("Honba"),
    }


def _value() -> dict[str, str]:
    return {
        "howMuch": _("How much?"),
        "worthOf": _("{name}: how much?"),
        "openOrClosed": _("Open or closed"),
        "closed": _("Closed hand"),
        "opened": _("Open hand"),
        "han": _("Han"),
        "hanOf": _("{n} han"),
        "hanFuOf": _("{n} han {fu} fu"),
        "fu": _("Fu"),
        "fuOf": _("{n} fu"),
        "fromHan": _("from {n} han"),
        "limits": _("Limits"),
        "times": _("× {n}"),
        "asPoints": _("Type the points"),
        "asTiles": _("Tap the tiles"),
        "takeTiles": _("Take this value"),
        "asHan": _("By han and fu"),
        "paidByLoser": _("The discarder pays"),
        "paidByDealer": _("The dealer pays"),
        "paidByOthers": _("The others pay each"),
        "paidByEach": _("Each player pays"),
        "dora": _("Dora"),
        "without": _("of them without a prize: {yaku}"),
        "prizeEach": _("{title} from each payer besides"),
        "forced": _("Forced: no other discard was left"),
        "robbed": _("Robbed from a kan, or from a tile laid aside"),
        "doubleRiichi": _("Double riichi"),
        "pao": _("A player is liable ({yaku})"),
        "paoOpenKan": _("Won on the replacement tile of an open kan: who fed it?"),
        "paoHowMany": _("for how many yakuman"),
        "noPlayer": _("No player"),
    }


def _review() -> dict[str, str]:
    return {
        "record": _("Record"),
        "recordEdit": _("Record the correction"),
        "nothingMoves": _("Nothing is paid now."),
        "changes": _("Changes"),
        "whoPays": _("Who pays whom, and why"),
        "flagsAfter": _("Later entries that can no longer be: {n}. They stay in the log and are marked there."),
        "next": _("Next:"),
        "gameEnds": _("The game is over"),
        "stopsHere": _("Does the dealer end the game?"),
        "playsOn": _("Plays on"),
        "stops": _("Ends the game"),
        "tenpai": _("Tenpai"),
        "noten": _("Noten"),
        "restTenpai": _("All others tenpai"),
        "restNoten": _("All others noten"),
        "toClause": _("Read the clause"),
    }


def _ends() -> dict[str, str]:
    return {
        "startTitle": _("Before the first hand"),
        "cannotFollow": _("This rule book knows final scores only: it has nothing to be kept hand by hand."),
        "notStarted": _("This hanchan has not begun."),
        "start": _("Begin the hanchan"),
        "whoSitsFor": _("Who sits for {team}?"),
        "firstDealer": _("first dealer"),
        "whoSits": _("Who sits {wind}?"),
        "reseat": _("Seat all players again"),
        "options": _("Options of this table"),
        "noEntries": _("Nothing has been entered yet."),
        "flagged": _("Entries that can no longer be: {n}. Put them right or take them out."),
        "running": _("being played"),
        "notToEnd": _("not recorded to its end"),
        "edit": _("Put right"),
        "remove": _("Take out"),
        "handsOf": _("Hands: {n}"),
        "settlement": _("Settlement"),
        "why": _("How it was reckoned"),
        "waitingForYes": _("Handed in. It counts once it is confirmed."),
        "isConfirmed": _("The result is confirmed."),
        "isChanged": _("The log was changed after the result was handed in. Hand it in again."),
        "isRejected": _("The result was not agreed to."),
        "saidYes": _("has agreed"),
        "saidNothing": _("has not answered"),
        "reasonOfCorrection": _("Reason for the correction"),
        "byTime": _("Time is up"),
        "endByTime": _("End this hanchan by time"),
        "acceptAndSubmit": _("Accept and hand in"),
        "submit": _("Hand in the result"),
        "submitToPlayers": _("Hand in for the players to confirm"),
        "toHanchan": _("To hanchan {n}"),
        "toResult": _("To the result"),
    }


def _acts() -> dict[str, str]:
    """Return the heading above the questions of each kind of event."""
    return {
        "riichi": pgettext("at the table", "Riichi"),
        "ron": _("Ron"),
        "tsumo": _("Tsumo"),
        "draw": _("Exhaustive draw"),
        "abortive": _("Abortive draw"),
        "fourth_kan": _("Fourth kan stands"),
        "chonbo": _("Chonbo"),
        "offence": _("Offence"),
        "withdrawn": _("Riichi taken back"),
        "dead": _("No right to win"),
        "time": _("Time called"),
        "scores": _("Scores only"),
        "ruling": _("Ruling"),
    }
