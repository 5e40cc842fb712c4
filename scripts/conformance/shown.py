"""Values that no computation reads, and values of hands that cannot occur: documented, but not proved by any test.

A clause with such values only is not executed. When the engine learns to execute one, its pattern is removed here. A
pattern of one ruleset, or of several, has their names before a colon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

TABLE = "the table draws and calls tiles by it; the software does not see the wall or the discards"
EYES = "the players judge it by the tiles, and the scorer enters the outcome"
CLOSED = "no opened hand can have this yaku"
UNCALLED = "an opened hand with it needs chi, which is not played"
PRINTED = "self-draws are paid by the printed table"
ELSEWHERE = "what it pays stands in play.draws.nagashi"
THREE = "with three players a discard cannot have three winners"
NO_FINES = "there are no fines to give back"
WITH_KANSAKI = "it counts only where the yaku must be settled before the win"
WITH_COMPANION = "it counts only where open all simples need another yaku"
NO_NORTH = "North is not a value tile for all players here"
NO_ASIDE = "no bonus tiles are laid aside here"
IN_HAN = "where dora are points, those of the indicators count for all"
WITH_YAKU = "no hand is won without yaku here"
NO_FORCE = "there is no open riichi that a player could be forced to deal into"
ONE_WINNER = "one player alone wins on a discard"
NOT_PLAYED = "it is not played here"
EXACT = "nothing is rounded, so nothing is left over"
ENDS = "a great offence ends the game"
ENTERED = "a referee enters the deduction; the bounds are checked then"
ANY_SCORE = "any score is accepted"
PAID_ONCE = "however many yakuman count once"
COMPETITION = "ema2016,ema2025,wrc,saikouisen,rmu"
"""Books of the competitions that share most of their rules."""
NO_OFFENCES = "the server lets no offence happen"
OUTRIGHT = "a mangan outright is one mangan"
UNCHIPPED = "without the option there are no chips"

SHOWN: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *(f"play.wall.{key}" for key in ("dead_wall", "kept", "replacements", "kan_needs_indicator", "last_kan")),
            *(f"play.calls.{key}" for key in ("kuikae", "pon_priority", "kan_after_riichi", "kan_after_riichi_must")),
            *(f"play.nuki.*.{key}" for key in ("discardable", "ponned", "breaks_first_turn")),
            "play.penalties.dead_hand.calls",
            "play.penalties.dead_hand.nuki",
            "play.dora.turning.kan",
        ),
        TABLE,
    ),
    **dict.fromkeys(
        (
            *(f"play.pocchi.{key}" for key in ("must_win", "mistaken_discard_wins", "chosen_after_ura")),
            "play.riichi.draws_left",
            "play.riichi.dead_wait_is_offence",
            "play.draws.tenpai*",
            *(f"play.draws.nagashi.{key}" for key in ("called_from_spoils", "own_call_spoils", "also_allowed*")),
        ),
        EYES,
    ),
    **dict.fromkeys(
        (
            f"play.yaku.{name}.open"
            for name in (
                *("riichi", "open_riichi", "double_riichi", "ippatsu", "menzen_tsumo", "tenhou", "chiihou", "renhou"),
                *("ryanpeikou", "chiitoitsu", "shousharin", "daisharin", "kokushi", "kokushi13", "nanatsu_musou"),
                *("suuankou", "suuankou_tanki", "chuuren", "chuuren9"),
            )
        ),
        CLOSED,
    ),
    **dict.fromkeys(
        (f"play.dora.kinds.{kind}.points_*" for kind in ("ura", "kan", "kan_ura", "red", "gold", "five", "flower")),
        IN_HAN,
    ),
    **dict.fromkeys((f"play.dora.kinds.{kind}.points_*" for kind in ("north", "bingo")), IN_HAN),
    "ledgers.*.unit": "it names the unit",
    "ledgers.points.zero_sum": "it states the sum that the loader requires of the uma",
    "ledgers.fee.zero_sum": "no one enters amounts of this ledger",
    "play.yaku.nagashi*": ELSEWHERE,
    "banchi3,kansai3,superbingo:play.yaku.pinfu.open": UNCALLED,
    "banchi3,kansai3,superbingo:play.fu.open_least": UNCALLED,
    "banchi3,kansai3,superbingo:play.payments.tsumo_other_*": PRINTED,
    "banchi3,kansai3,superbingo:play.payments.tsumo_dealer_*": PRINTED,
    "banchi3,kansai3,superbingo:play.several_winners.three": THREE,
    "cinderella,banchi3,boo:play.penalties.chonbo.after.fines_returned": NO_FINES,
    "cinderella,banchi3,banchi4,superbingo,boo:play.win.incidental": WITH_KANSAKI,
    "cinderella,banchi3,banchi4,superbingo,boo:play.yaku_rules.tanyao_companions": WITH_COMPANION,
    "cinderella,banchi3,banchi4,boo:play.fu.pair_north": NO_NORTH,
    "cinderella,banchi3,banchi4,boo:play.dora.turning.bonus_tile_doubles": NO_ASIDE,
    "cinderella,banchi3,banchi4,kansai3,superbingo:play.honba.without_yaku": WITH_YAKU,
    "cinderella,banchi3,banchi4,kansai3,superbingo:play.riichi.tsumo_declared": (
        "it counts only where a passed win costs the self-draw"
    ),
    "banchi4,kansai3:play.chips.rules.none_if_forced": NO_FORCE,
    "banchi3:play.chips.rules.pao_pays_all": "there is no liability here",
    "banchi3:play.yaku_rules.manzu_half_flush_haneman": "a half flush in characters is a yakuman here",
    "kansai3:play.yaku_rules.manzu_half_flush_haneman": (
        "with ones and nines alone such a hand has the other yaku of a haneman anyway"
    ),
    "superbingo:play.yaku_rules.manzu_half_flush_haneman": "there are no characters",
    "banchi3:settlement.oka*": "the leader's amount balances the others', the oka included",
    "banchi4,kansai3,cinderella,superbingo,boo:settlement.balance_to_top": EXACT,
    "banchi3,kansai3:play.furiten.draws_before_ron": "a furiten hand wins by no ron at all",
    **dict.fromkeys(
        (
            f"banchi3,kansai3:play.payments.tsumo_table.{row}.0"
            for row in ("other.0", *(f"dealer.{n}" for n in (1, 3, 5, 7, 9)))
        ),
        "the next row pays the same",
    ),
    "superbingo:play.payments.tsumo_table.other.0.0": "the next row pays the same",
    **dict.fromkeys(
        (
            *(f"superbingo:play.fu.{key}" for key in ("base", "closed_ron", "tsumo*", "wait", "pair_*", "seven_pairs")),
            "superbingo:play.fu.round_up_to",
            "superbingo:play.fu.triplets.*",
        ),
        "every hand has the fixed fu",
    ),
    "superbingo:play.penalties.redeclare": "without it the player can be tenpai as well",
    "superbingo,boo:setup.return": "scores are not compared with it",
    "ledgers.*.scale": "it is the scale of the stored integers",
    "options.*.settings.*.ledgers.*.scale": "it is the scale of the stored integers",
    "options.*.settings.*.play.wall.*": TABLE,
    "boo:options.kan_after_riichi*": TABLE,
    "boo:options.kuikae*": TABLE,
    "boo:play.wall.kans": "no indicator is turned for a kan",
    "boo:play.riichi.needs": ANY_SCORE,
    "boo:play.yaku_rules.manzu_half_flush_haneman": "there is no haneman here",
    "boo:settlement.top_payment.fee.gentsuu": "it is read only where the house has a fee of its own for it",
    "boo:options.house_fee.default.gentsuu": "it is read only where the house has a fee of its own for it",
    "boo:play.yaku.chinitsu.closed": "a mangan outright is one mangan",
    "boo:play.yaku.chinitsu.open": "a mangan outright is one mangan",
    **dict.fromkeys(
        (
            f"boo:play.yaku.{name}.closed"
            for name in (
                *("tenhou", "chiihou", "kokushi", "daisangen", "suuankou", "suushiihou", "tsuuiisou", "chinroutou"),
                *("chuuren", "ryuuiisou"),
            )
        ),
        PAID_ONCE,
    ),
    **dict.fromkeys(
        (f"boo:play.chips.rules.{key}" for key in ("open_hands", "none_if_forced", "yakuman_without", "pao_pays_all")),
        "the only chips are those for ura, of hands in riichi",
    ),
    "cinderella,kansai3,superbingo:play.pao.open_kan_as_ron": "an open kan creates no liability here",
    "boo:play.pao.honba": "only an open kan creates liability, and that win is a self-draw",
    "superbingo:play.chips.awards.forced.tsumo_each": "no player is forced into a self-draw",
    "superbingo:play.nuki.bingo.won_on": "no hand waits for a bingo tile",
    "ledgers.units.zero_sum": "no one enters amounts of this ledger",
    "boo:play.penalties.chonbo.after.stakes_returned": "a riichi stakes nothing here",
    "boo:play.value.kiriage": "the rounding is that of books with a larger mangan",
    "boo:options.starting_score.settings.*.setup.return": "scores are not compared with it",
    "kansai3:play.nuki.flower.won_on": "a flower completes no hand",
    "cinderella:play.several_winners.deal": ONE_WINNER,
    "banchi4:play.draws.abortive.four_riichi": NOT_PLAYED,
    "banchi4:play.draws.abortive.four_riichi.deal": NOT_PLAYED,
    "banchi4:end.dealer_stop.leader_has.S": "some player always has that much",
    **dict.fromkeys((f"{COMPETITION}:settlement.rounding{key}" for key in ("", ".step")), EXACT),
    f"{COMPETITION}:settlement.penalties.*": ENTERED,
    "saikouisen:play.wall.kans": "no indicator is turned for a kan",
    f"{COMPETITION}:play.honba.without_yaku": WITH_YAKU,
    f"{COMPETITION}:play.riichi.needs": ANY_SCORE,
    f"{COMPETITION}:play.riichi.tsumo_declared": "it counts only where a passed win costs the self-draw",
    f"{COMPETITION}:play.penalties.chonbo.after.fines_returned": NO_FINES,
    **dict.fromkeys(
        (f"saikouisen:play.penalties.chonbo.after.{key}" for key in ("honba", "dealer_offends.*", "other_offends")),
        ENDS,
    ),
    f"{COMPETITION}:play.win.incidental": WITH_KANSAKI,
    f"{COMPETITION}:play.yaku_rules.tanyao_companions": WITH_COMPANION,
    "wrc,saikouisen,rmu:play.several_winners.deal": ONE_WINNER,
    f"{COMPETITION}:play.pao.open_kan_as_ron": "an open kan creates no liability here",
    **dict.fromkeys(("ema2016,ema2025:play.pao.covers", "ema2016,ema2025:options.pao_covers*"), PAID_ONCE),
    f"{COMPETITION}:play.dora.turning.bonus_tile_doubles": NO_ASIDE,
    f"{COMPETITION}:play.fu.pair_north": NO_NORTH,
    "play.dora.kinds.north_aside.points_*": IN_HAN,
    "jpmla,jpmlb,mleague_full,ariari,mahjongsoul4,mahjongsoul3:play.win.incidental": WITH_KANSAKI,
    "jpmla,jpmlb,mleague_full,ariari,mahjongsoul4,mahjongsoul3:play.yaku_rules.tanyao_companions": WITH_COMPANION,
    "jpmla,jpmlb,mleague_full,ariari,mahjongsoul4,mahjongsoul3:play.fu.pair_north": NO_NORTH,
    "jpmla,jpmlb,mleague_full,ariari,mahjongsoul4:play.dora.turning.bonus_tile_doubles": NO_ASIDE,
    "mahjongsoul3:play.dora.turning.bonus_tile_doubles": "the indicator of a North laid aside is that of the hand",
    "jpmla,jpmlb,mleague_full,ariari,mahjongsoul4,mahjongsoul3:play.honba.without_yaku": WITH_YAKU,
    "jpmla,jpmlb,mleague_full,ariari,mahjongsoul4,mahjongsoul3:play.riichi.tsumo_declared": (
        "it counts only where a passed win costs the self-draw"
    ),
    "jpmla,jpmlb,mleague_full,ariari:play.penalties.chonbo.after.fines_returned": NO_FINES,
    "mahjongsoul4,mahjongsoul3:play.penalties.chonbo.*": NO_OFFENCES,
    "mahjongsoul4,mahjongsoul3:end.extension.void_hands_count": NO_OFFENCES,
    "jpmla,jpmlb,mleague_full:play.several_winners.deal": ONE_WINNER,
    "mahjongsoul3:play.several_winners.three": THREE,
    "jpmla:play.wall.kans": "no indicator is turned for a kan",
    "mahjongsoul4,mahjongsoul3,ariari,jpmlb,jpmla:*play.calls.closed_kan_robbed_by.1": (
        "a hand that waits for all thirteen holds one of the tile itself, so no player has four"
    ),
    "jpmlb,mleague_full,ariari,mahjongsoul4,mahjongsoul3:play.pao.open_kan_as_ron": (
        "an open kan creates no liability here"
    ),
    "jpmlb,mahjongsoul4,mahjongsoul3:settlement.rounding": EXACT,
    "jpmlb,mahjongsoul4,mahjongsoul3:settlement.rounding.step": EXACT,
    "mahjongsoul4,mahjongsoul3,ariari:settlement.balance_to_top": EXACT,
    "jpmla,jpmlb:play.yaku.renhou.closed": OUTRIGHT,
    "mleague_full,ariari,rmu:options.renhou.settings.mangan.play.yaku.renhou.closed": OUTRIGHT,
    "mleague_full,ariari,rmu:play.yaku.renhou.counts": NOT_PLAYED,
    "mleague_full,ariari,rmu:play.yaku.renhou.closed": NOT_PLAYED,
    "mleague_full:settlement.penalties.*": "a referee decides it; the amount is checked where it is entered",
    "jpmla,jpmlb:options.kuikae*": TABLE,
    "mleague_full:options.kan_after_riichi*": TABLE,
    "ariari:options.kan_dora*": TABLE,
    "ariari:options.riichi_draws_left*": EYES,
    "ariari:options.own_copies_of_every_wait*": EYES,
    "jpmla,jpmlb:options.time_limit.settings.*.end.time.minutes": "the organizer's clock calls time",
    "mahjongsoul3:play.yaku.pinfu.open": UNCALLED,
    "mahjongsoul3:play.fu.open_least": UNCALLED,
    "mahjongsoul3:play.yaku_rules.manzu_half_flush_haneman": "the characters are ones and nines alone",
    "ariari:play.chips.rules.none_if_forced": NO_FORCE,
    "ariari:play.chips.rules.open_hands": UNCHIPPED,
    "ariari:play.chips.rules.yakuman_without": "a yakuman brings no prize of its own",
    "rmu:settlement.rounding.policy": EXACT,
    **dict.fromkeys(
        (f"rmu:options.rule.settings.M.play.dora.kinds.{kind}.points_*" for kind in ("ura", "kan", "kan_ura", "red")),
        IN_HAN,
    ),
    f"{COMPETITION}:options.time_limit.settings.*.end.time.minutes": "the organizer calls time after these minutes",
    "ema2016,ema2025:options.kept_from*": "pages subtract it from the scores on paper before the engine sees them",
    "ema2016,ema2025,rmu:options.riichi_draws_left*": EYES,
    "ema2016,ema2025,wrc:play.yaku.renhou.closed": "a mangan outright is one mangan",
    "ema2016,ema2025:options.renhou.settings.none.play.yaku.renhou.closed": NOT_PLAYED,
}
"""Patterns of paths, each with the reason."""


def reasons(name: str) -> Iterator[tuple[str, str]]:
    """Yield every pattern that applies to a ruleset, with its reason."""
    for pattern, why in SHOWN.items():
        ruleset, _, path = pattern.rpartition(":")
        if name in (ruleset or name).split(","):
            yield path, why


def why_shown(name: str, path: str) -> str:
    """Return the reason why no test can notice a value of a ruleset; empty if one has to."""
    return next((why for pattern, why in reasons(name) if fnmatchcase(path, pattern)), "")
