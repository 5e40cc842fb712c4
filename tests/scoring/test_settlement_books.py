"""Settlement rules that are specific to the parlours' rulesets and Tenhou, clause by clause."""

from fractions import Fraction

import pytest

from rulesets import loader
from scoring.ruleset import Ruleset
from scoring.settlement import BustPayment, HanchanResult, LineCause, Settlement, settle
from scoring.tobi import receivers
from scoring.top_payment import TopType

BANCHI3, BANCHI4, KANSAI3 = loader.load("banchi3"), loader.load("banchi4"), loader.load("kansai3")
SUPERBINGO, BOO, TENHOU4 = loader.load("superbingo"), loader.load("boo"), loader.load("tenhou4")


def of(settlement: Settlement, cause: LineCause) -> list[Fraction]:
    """Return the sum of each seat's amounts for one cause."""
    sums = [Fraction(0)] * len(settlement.places)
    for line in settlement.lines:
        if line.cause is cause:
            sums[line.seat] += line.amount
    return sums


class TestBanchi:
    @pytest.mark.clause("banchi4", "B4-005", "B4-072", "B4-035")
    def test_the_uma_of_the_room_and_the_prizes_stay_in_two_ledgers(self) -> None:
        rules = BANCHI4.with_options({"uma": [20, 10, -10, -20]})
        result = HanchanResult((18800, 41500, 22700, 17000), carried={"g": (-1500, 4000, 500, -3000)})
        settled = settle(result, rules)
        assert settled.totals == {"points": (-212, 515, 27, -330), "g": (-1500, 4000, 500, -3000)}

    @pytest.mark.clause("banchi4", "B4-035")
    def test_a_player_without_prizes_has_no_line_for_them(self) -> None:
        settled = settle(HanchanResult((25000,) * 4, carried={"g": (0, 500, 0, -500)}), BANCHI4)
        assert [line.seat for line in settled.lines if line.cause is LineCause.CHIPS] == [1, 3]

    @pytest.mark.clause("banchi4", "B4-005")
    def test_without_a_difference_between_start_and_return_there_is_no_oka(self) -> None:
        rules = BANCHI4.with_options({"start": 30000, "return": 30000})
        settled = settle(HanchanResult((45000, 33000, 22000, 20000)), rules)
        assert {line.cause for line in settled.lines} == {LineCause.RETURN}

    @pytest.mark.clause("banchi4", "B4-034", "B4-070")
    def test_the_bust_prize_of_the_four_player_table_is_among_the_prizes_already(self) -> None:
        result = HanchanResult((-3100, 38000, 35100, 30000), tobi=((0, 2),), carried={"g": (-500, 0, 500, 0)})
        assert settle(result, BANCHI4).totals["g"] == (-500, 0, 500, 0)

    def test_a_prize_in_another_ledger_takes_no_part_in_rounding(self) -> None:
        data = BANCHI4.data()
        data["settlement"]["tobi"]["paid"] = "at_settlement"
        data["settlement"]["rounding"] = {"policy": "nearest_alike", "step": "0.1", "clauses": ["B4-072"]}
        rules = Ruleset.model_validate(data, strict=False)
        settled = settle(HanchanResult((-3100, 38000, 35100, 30000), tobi=((0, 2),)), rules)
        assert settled.totals == {"points": (-331, 280, 51, 0), "g": (-500, 0, 500, 0)}

    @pytest.mark.clause("banchi4", "B4-009")
    @pytest.mark.clause("banchi3", "B3-017")
    def test_the_first_dealer_of_the_next_game_is_the_next_seat(self) -> None:
        assert settle(HanchanResult((25000,) * 4), BANCHI4).next_first_dealer == 1
        assert settle(HanchanResult((35000,) * 3), BANCHI3).next_first_dealer == 1

    @pytest.mark.clause("banchi3", "B3-001", "B3-002", "B3-004", "B3-079")
    def test_the_leader_takes_the_balance_after_the_others_odd_50_is_dropped(self) -> None:
        settled = settle(HanchanResult((52000, 33000, 20000)), BANCHI3)
        assert settled.totals["g"] == (2300, -800, -1500)
        assert of(settled, LineCause.SINKING_UMA) == [1000, -500, -500]
        assert of(settled, LineCause.ROUNDING) == [-50, 50, 0]

    @pytest.mark.clause("banchi3", "B3-003")
    def test_the_part_below_minus_10000_is_a_loss_of_the_leader(self) -> None:
        settled = settle(HanchanResult((-23000, 48000, 80000)), BANCHI3)
        assert settled.totals["g"] == (-3000, 400, 2600)
        assert of(settled, LineCause.FLOOR) == [650, 0, -650]

    @pytest.mark.clause("banchi3", "B3-003")
    def test_exactly_minus_10000_is_settled_in_full_without_a_loss_of_the_leader(self) -> None:
        settled = settle(HanchanResult((-10000, 45000, 70000)), BANCHI3)
        assert LineCause.FLOOR not in {line.cause for line in settled.lines}
        assert settled.totals["g"] == (-3000, 200, 2800)

    @pytest.mark.clause("banchi3", "B3-002")
    def test_exactly_40000_is_not_sunk_and_the_room_chooses_the_amount(self) -> None:
        assert settle(HanchanResult((40000, 12000, 53000)), BANCHI3).totals["g"] == (0, -1900, 1900)
        rules = BANCHI3.with_options({"sink_uma": 20000})
        assert settle(HanchanResult((70000, 30000, 5000)), rules).totals["g"] == (4200, -1500, -2700)

    @pytest.mark.clause("banchi3", "B3-005", "B3-006")
    def test_the_top_owes_200_more_and_hands_the_tables_fees_over(self) -> None:
        settled = settle(HanchanResult((18000, 46000, 41000)), BANCHI3)
        assert settled.totals["fee"] == (-400, -600, -400)
        assert {line.params["handed_over_by"] for line in settled.lines if line.cause is LineCause.FEE} == {1}

    def test_a_house_without_a_top_fee_charges_everyone_alike(self) -> None:
        data = BANCHI3.data()
        data["settlement"]["fees"] |= {"top": 0, "handed_over_by": "each"}
        settled = settle(HanchanResult((18000, 46000, 41000)), Ruleset.model_validate(data, strict=False))
        assert settled.totals["fee"] == (-400, -400, -400)
        assert [line.params["handed_over_by"] for line in settled.lines if line.cause is LineCause.FEE] == [0, 1, 2]


class TestKansai:
    @pytest.mark.clause("kansai3", "KS-020", "KS-030", "KS-216")
    def test_a_player_below_40000_pays_10000_to_the_top(self) -> None:
        settled = settle(HanchanResult((38000, 34000, 33000)), KANSAI3)
        assert settled.totals["points"] == (330, -160, -170)
        assert of(settled, LineCause.SINKING_UMA) == [20, -10, -10]

    @pytest.mark.clause("kansai3", "KS-021", "KS-022", "KS-031")
    def test_the_bust_prize_goes_to_the_player_who_caused_the_bust(self) -> None:
        settled = settle(HanchanResult((0, 62000, 43000), tobi=((0, 2),)), KANSAI3)
        assert settled.totals["points"] == (-600, 470, 130)

    @pytest.mark.clause("kansai3", "KS-032", "KS-218")
    @pytest.mark.parametrize(
        ("scores", "payment", "receiver"),
        [
            ((48000, 68000, -11000), BustPayment(2, 9000, ((1, 12000), (0, 8000))), 1),
            ((61000, 0, 44000), BustPayment(1, 2000, ((0, 1000), (2, 1000))), 0),
            ((58000, 55000, -8000), BustPayment(2, 8000, ((0, 8000), (1, 8000))), 0),
        ],
    )
    def test_payments_are_taken_in_turn_from_the_right_until_the_payer_is_out(
        self, scores: tuple[int, ...], payment: BustPayment, receiver: int
    ) -> None:
        settled = settle(HanchanResult(scores, bust_payments=(payment,)), KANSAI3)
        assert settled.tobi == ((payment.payer, receiver),)
        assert of(settled, LineCause.TOBI)[receiver] == 10

    @pytest.mark.clause("kansai3", "KS-046")
    def test_chips_stay_in_a_ledger_of_their_own(self) -> None:
        result = HanchanResult((30000, 51000, 24000), carried={"p": (1400, -600, -800)})
        assert settle(result, KANSAI3).totals == {"points": (-200, 460, -260), "p": (1400, -600, -800)}


@pytest.mark.clause("banchi4", "B4-070")
@pytest.mark.parametrize(("had", "expected"), [(3000, 2), (2999, 1), (9000, None)])
def test_the_first_payment_not_covered_in_full_earns_the_prize(had: int, expected: int | None) -> None:
    payment = BustPayment(0, had, ((2, 2000), (1, 3000)))
    prize = BANCHI4.settlement.tobi
    assert prize is not None
    found = list(receivers(payment, prize.receiver, BANCHI4.end.bust, 4))
    assert found == ([] if expected is None else [expected])


class TestSuperBingo:
    @pytest.mark.clause("superbingo", "SB-064")
    def test_with_30000_the_second_is_paid_by_the_first(self) -> None:
        assert settle(HanchanResult((24000, 30000, 36000)), SUPERBINGO).totals["chips"] == (-50, 10, 40)

    @pytest.mark.clause("superbingo", "SB-065", "SB-067")
    def test_below_30000_the_second_pays_the_first(self) -> None:
        settled = settle(HanchanResult((52000, 25000, 13000)), SUPERBINGO)
        assert settled.totals["chips"] == (60, -10, -50)
        assert {line.cause for line in settled.lines} == {LineCause.PLACE_PAYMENT}

    @pytest.mark.clause("superbingo", "SB-066", "SB-217", "SB-218")
    def test_a_bust_costs_10_chips_to_each_player_who_was_paid(self) -> None:
        payment = BustPayment(1, 10000, ((0, 5000), (2, 5000)))
        result = HanchanResult((45000, 0, 45000), carried={"chips": (10, -20, 10)}, bust_payments=(payment,))
        settled = settle(result, SUPERBINGO)
        assert settled.tobi == ((1, 2), (1, 0))
        assert settled.totals["chips"] == (60, -90, 30)

    @pytest.mark.clause("superbingo", "SB-209")
    def test_leftover_deposits_go_to_no_player(self) -> None:
        settled = settle(HanchanResult((41000, 30000, 18000), kyoutaku=1000), SUPERBINGO)
        assert settled.final_scores == (41000, 30000, 18000)


class TestBoo:
    def settled(self, *scores: int, rules: Ruleset = BOO, forced_top: int | None = None) -> Settlement:
        return settle(HanchanResult(scores, forced_top=forced_top), rules)

    @pytest.mark.clause("boo", "BOO-020", "BOO-021", "BOO-022", "BOO-023", "BOO-026")
    @pytest.mark.parametrize(
        ("scores", "kind", "units"),
        [
            ((4100, 1500, 1200, 1200), TopType.A, (3, -1, -1, -1)),
            ((1400, 4020, 2080, 500), TopType.B, (-1, 2, 0, -1)),
            ((2300, 2000, 3700, 0), TopType.C, (0, 0, 1, -1)),
            ((2000, 2000, 2000, 2000), TopType.NONE, (0, 0, 0, 0)),
        ],
    )
    def test_only_the_sunk_pay_and_only_the_top_collects(
        self, scores: tuple[int, ...], kind: TopType, units: tuple[int, ...]
    ) -> None:
        settled = self.settled(*scores)
        assert settled.floating is not None
        assert settled.floating.top_type is kind
        assert settled.totals["units"] == units

    @pytest.mark.clause("boo", "BOO-110", "BOO-031", "BOO-029")
    @pytest.mark.parametrize(("policy", "fee"), [("own_fee", 150), ("as_b", 200)])
    def test_a_second_exactly_at_the_origin_can_have_its_own_fee(self, policy: str, fee: int) -> None:
        rules = BOO.with_options(
            {
                "stake_per_sunk": {"A": 2000, "B": 2000, "C": 2000},
                "house_fee": {"A": 300, "B": 200, "C": 100, "gentsuu": 150},
                "gentsuu": policy,
            }
        )
        settled = self.settled(1300, 2000, 4200, 500, rules=rules)
        assert settled.floating is not None
        assert settled.floating.gentsuu
        assert settled.totals["units"] == (-2000, 0, 4000 - fee, -2000)

    @pytest.mark.clause("boo", "BOO-152", "BOO-030")
    def test_no_fee_is_due_if_no_player_is_sunk(self) -> None:
        rules = BOO.with_options({"house_fee": {"A": 300, "B": 200, "C": 100}})
        settled = self.settled(2000, 2000, 2000, 2000, rules=rules)
        assert settled.lines == ()
        assert settled.next_first_dealer == 0
        assert settled.floating is not None
        assert rules.settlement.top_payment is not None
        owed = (
            settled.floating.stake(rules.settlement.top_payment),
            settled.floating.fee(rules.settlement.top_payment),
        )
        assert owed == (Fraction(0), Fraction(0))

    @pytest.mark.clause("boo", "BOO-101", "BOO-112")
    def test_a_yakuman_can_be_an_unconditional_a_top(self) -> None:
        rules = BOO.with_options({"yakuman": "instant_a_top"})
        settled = self.settled(2500, 2400, 2100, 1000, rules=rules, forced_top=3)
        assert settled.totals["units"] == (-1, -1, -1, 3)
        assert settled.next_first_dealer == 3

    @pytest.mark.clause("boo", "BOO-116")
    def test_the_origin_moves_with_the_starting_score(self) -> None:
        rules = BOO.with_options({"starting_score": 4000})
        assert self.settled(3900, 8100, 4000, 0, rules=rules).totals["units"] == (-1, 2, 0, -1)

    @pytest.mark.clause("boo", "BOO-115")
    def test_ura_chips_are_entered_only_where_the_house_plays_them(self) -> None:
        assert [ledger.key for ledger in BOO.entered_ledgers] == []
        rules = BOO.with_options({"ura_chips": True})
        result = HanchanResult((4100, 1500, 1200, 1200), carried={"chips": (3, -1, -1, -1)})
        assert settle(result, rules).totals["chips"] == (3, -1, -1, -1)


class TestTenhou:
    @pytest.mark.clause("tenhou4", "TH-002", "TH-003")
    @pytest.mark.parametrize(
        ("edition", "expected"),
        [
            ("tenhou-2008", (360, -150, 0, -210)),
            ("tenhou-2022", (460, -200, 50, -310)),
            ("tenhou-2023", (474, -205, 45, -314)),
        ],
    )
    def test_editions_round_scores_or_keep_tenths(self, edition: str, expected: tuple[int, ...]) -> None:
        rules = TENHOU4.with_options({"edition": edition})
        settled = settle(HanchanResult((37400, 19500, 24500, 18600)), rules)
        assert sum(settled.totals["points"]) == 0
        assert settled.totals["points"] == expected

    @pytest.mark.clause("tenhou4", "TH-003")
    def test_a_half_is_rounded_away_from_zero_below_zero_too(self) -> None:
        rules = TENHOU4.with_options({"edition": "tenhou-2022"})
        settled = settle(HanchanResult((60000, 24500, 16000, -500)), rules)
        assert settled.totals["points"] == (700, 50, -240, -510)

    def test_five_hundred_may_be_rounded_down_and_six_hundred_up_as_in_ar_053(self) -> None:
        data = TENHOU4.data() | {"options": {}}
        data["settlement"]["rounding"] |= {"policy": "scores_nearest", "halves": "towards_zero"}
        data["settlement"] |= {"uma": None, "oka": None}
        rules = Ruleset.model_validate(data, strict=False)
        for scores, totals in (
            ((44900, 30500, 24500, 100), (160, 0, -60, -300)),
            ((45400, 30600, 24500, -500), (150, 10, -60, -300)),
        ):
            settled = settle(HanchanResult(scores), rules)
            assert settled.totals["points"][1:] == totals[1:]
            assert sum(settled.totals["points"]) == 0
