"""Tests of the parlour's guests: found by what is typed, entered in one line, asked about where a text is not clear."""

from __future__ import annotations

import pytest

from league.models import Competition, Player
from league.platform.errors import RuleViolationError
from league.selectors.parlour.guests import find_guests, typed_guest
from league.services.parlour.people import GuestChoice, add_guest, choose_guest, choose_known
from league.wording.romaji import kana_pattern
from tests.factories import SYSTEM
from tests.league import parlours

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def opened(shared_rows: None) -> Competition:
    """Open a table for three players with five guests."""
    competition = parlours.parlour()
    parlours.guests(competition, 5)
    return competition


def named(parlour: Competition, text: str) -> str:
    """Return the name of the guest that a text alone means, or an empty string."""
    player = typed_guest(parlour.parlour_id, text).player
    return player.name if player else ""


def choose(parlour: Competition, text: str, **choice: bool) -> Player:
    """Return the guest that the counter takes for a text."""
    return choose_guest(competition=parlour, choice=GuestChoice(text=text, **choice), by=SYSTEM).player


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "text",
    [
        "湯川みなと",
        "湯川　みなと",
        "ゆかわみなと",
        "ユカワ",
        "ﾕｶﾜ ﾐﾅﾄ",
        "yukawa",
        "Minato Yukawa",
        "yukawaminato",
        "1",
        "０１",
        "001",
    ],
)
def test_a_guest_is_found_by_kana_romaji_or_number_however_it_is_written(parlour: Competition, text: str) -> None:
    assert named(parlour, text) == parlours.THREE[0]


@pytest.mark.parametrize(
    ("latin", "kana"),
    [
        ("sinzi", "しんじ"),
        ("shinji", "シンジ"),
        ("tsutsui", "つつい"),
        ("tutui", "つつい"),
        ("oot", "おおた"),
        ("ōta", "おおた"),
        ("ohta", "おおた"),
        ("shota", "しょうた"),
        ("syouta", "しょうた"),
        ("junichi", "じゅんいち"),
        ("shimpei", "しんぺい"),
        ("match", "まっちゃ"),
        ("hatt", "はっとり"),
        ("anna", "あんな"),
        ("kenn", "けんじ"),
        ("ken", "けねこ"),
        ("sh", "しょうた"),
        ("iizuka", "いいづか"),
        ("ferunando", "フェルナンド"),
    ],
)
def test_latin_letters_are_read_as_kana_in_hepburn_and_kunrei(latin: str, kana: str) -> None:
    people = Player.objects.create(key="one", name="名", name_kana=kana)
    assert [guest.player for guest in find_guests(None, latin)] == [people]


@pytest.mark.parametrize("latin", ["xq", "湯", "q1", ""])
def test_letters_that_are_no_reading_match_no_kana(latin: str) -> None:
    assert kana_pattern(latin) is None


@pytest.mark.both_databases
def test_a_card_number_wins_at_once_with_zeros_and_full_width_digits(parlour: Competition) -> None:
    add_guest(competition=parlour, name="会員 いち", number="00420", by=SYSTEM)
    add_guest(competition=parlour, name="会員 に", number="A-7", by=SYSTEM)
    Player.objects.create(key="elsewhere", name="よその 人", number="3")
    assert named(parlour, "420") == named(parlour, "００４２０") == named(parlour, "0000420") == "会員 いち"
    assert named(parlour, "a-7") == named(parlour, "Ａ－７") == "会員 に"
    assert named(parlour, "3") == parlours.THREE[2], (
        "the number shown beside a guest of the house, not another league's"
    )
    assert named(parlour, "6") == "会員 いち", "the entrant's number still finds a guest with a member number"


@pytest.mark.both_databases
def test_a_guest_is_found_by_handle_and_key(parlour: Competition) -> None:
    guest = Player.objects.get(name=parlours.THREE[1])
    Player.objects.filter(pk=guest.pk).update(handle="aoi99")
    assert named(parlour, "AOI99") == named(parlour, guest.key) == guest.name


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("text", "entered"),
    [
        ("夜風 しの/よかぜ しの", ("夜風 しの", "よかぜ しの", "")),
        (" 夜風 しの ／ よかぜ しの ／ ０７７ ", ("夜風 しの", "よかぜ しの", "077")),
        ("夜風 しの//77", ("夜風 しの", "", "77")),
        ("夜風 しの/", ("夜風 しの", "", "")),
    ],
)
def test_a_new_guest_is_entered_in_one_line_without_choosing(
    parlour: Competition, text: str, entered: tuple[str, str, str]
) -> None:
    player = choose(parlour, text)
    assert (player.name, player.name_kana, player.number) == entered


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("湯川みなと/べつ", parlours.THREE[0]),
        ("別人/ユカワミナト", parlours.THREE[0]),
        ("Yukawa/ゆかわ みなと/9", parlours.THREE[0]),
        ("別人/べつじん/2", parlours.THREE[1]),
    ],
)
def test_a_new_guest_like_a_known_one_is_asked_about(parlour: Competition, text: str, known: str) -> None:
    typed = typed_guest(parlour.parlour_id, text)
    assert [guest.player.name for guest in typed.options] == [known]
    assert typed.may_add
    with pytest.raises(RuleViolationError) as refused:
        choose(parlour, text)
    assert refused.value.findings[0].code == "several_players"
    assert Player.objects.count() == 5


def test_a_name_of_no_known_guest_is_asked_about_once(parlour: Competition) -> None:
    typed = typed_guest(parlour.parlour_id, "夜風 しの")
    assert (typed.player, typed.new, typed.options, typed.may_add) == (None, None, (), True)
    with pytest.raises(RuleViolationError) as refused:
        choose(parlour, "夜風 しの")
    assert refused.value.findings[0].code == "unknown_player"
    assert choose(parlour, "夜風 しの", is_new=True).name == "夜風 しの"
    assert named(parlour, "夜風") == "夜風 しの"


def test_a_number_that_no_guest_has_is_no_name(parlour: Competition) -> None:
    assert not typed_guest(parlour.parlour_id, "777").may_add


def test_part_of_a_name_that_several_have_is_asked_about(parlour: Competition) -> None:
    add_guest(competition=parlour, name="湯川 あさ", name_kana="ゆかわ あさ", by=SYSTEM)
    options = typed_guest(parlour.parlour_id, "yukawa").options
    assert [guest.player.name for guest in options] == ["湯川 あさ", parlours.THREE[0]]
    assert named(parlour, "湯川 あさ") == "湯川 あさ"


def test_a_guest_who_must_be_known_is_never_added(parlour: Competition) -> None:
    for text in ("夜風 しの", "夜風 しの/よかぜ しの"):
        with pytest.raises(RuleViolationError):
            choose_known(parlour, GuestChoice(text=text))
    assert choose_known(parlour, GuestChoice(text="2")).name == parlours.THREE[1]
    assert Player.objects.count() == 5
