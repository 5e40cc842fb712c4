"""The place of every entrant in a whole competition."""

from collections.abc import Mapping

from rulesets.formats import load_format, parse_format
from scoring.final_places import final_places, stages_to_the_title
from scoring.format import Format

BLOCK = '[[stages.blocks]]\nkey = "{0}"\ntitle = "{0}"\nentrants = [{{ from = "{1}" }}]'
STAGE = (
    '[[stages]]\nkey = "{0}"\ntitle = "{0}"\nhanchan = 1\nseating = "stay"\n'
    'assignment = "seeded"\ncarry_over = {{ kind = "none" }}'
)


def cup(*, champion: bool = True) -> Format:
    """Return a format: eight play, the best four a final, the others a consolation after it."""
    stages = [
        (STAGE.format("q"), BLOCK.format("q", "seed:1-8")),
        (STAGE.format("final"), BLOCK.format("final", "q#1-4")),
        (STAGE.format("plate"), BLOCK.format("plate", "q#5-8")),
    ]
    title = '[champion]\nblock = "final"' if champion else ""
    head = 'name = "cup"\ntitle = "Cup"\nplayers = 4\nentrants = 8\n[tiebreak]\n'
    return parse_format("\n".join([head, title, *(part for stage in stages for part in stage)]), "cup.toml")


Q: Mapping[str, int | None] = {name: rank for rank, name in enumerate("abcdefgh", start=1)}


def test_the_last_stage_reached_decides_then_the_rank_there() -> None:
    places = final_places(cup(), {"q": Q, "final": {"a": 4, "b": 1, "c": 2, "d": 3}})
    assert places == {"b": 1, "c": 2, "d": 3, "a": 4, "e": 5, "f": 6, "g": 7, "h": 8}


def test_a_consolation_orders_those_who_went_out_and_lifts_none_of_them_over_the_finalists() -> None:
    places = final_places(
        cup(), {"q": Q, "final": {"a": 1, "b": 2, "c": 3, "d": 4}, "plate": {"h": 1, "g": 2, "f": 3, "e": 4}}
    )
    assert [name for name, _ in sorted(places.items(), key=lambda each: each[1] or 0)] == list("abcdhgfe")


def test_level_entrants_share_the_place_unless_an_earlier_stage_separates_them() -> None:
    level: Mapping[str, int | None] = {**Q, "g": 6, "f": 6}
    places = final_places(cup(), {"q": level, "final": {"a": 1, "b": 2, "c": 3, "d": 3}})
    assert (places["c"], places["d"]) == (3, 4)
    assert (places["f"], places["g"], places["h"]) == (6, 6, 8)


def test_without_a_champion_every_stage_counts_as_one_on_the_way() -> None:
    plate: Mapping[str, int | None] = {"h": 1, "g": 2, "f": 3, "e": 4}
    places = final_places(cup(champion=False), {"q": Q, "final": {"a": 1, "b": 2, "c": 3, "d": 4}, "plate": plate})
    assert [name for name, _ in sorted(places.items(), key=lambda each: each[1] or 0)] == list("hgfeabcd")


def test_the_best_of_a_rank_come_from_a_stage_on_the_way_to_the_title() -> None:
    assert stages_to_the_title(load_format("cinderella-2018")) == {
        stage.key for stage in load_format("cinderella-2018").stages
    }


def test_an_entrant_without_a_rank_in_the_last_stage_has_no_place_and_the_others_move_up() -> None:
    final: Mapping[str, int | None] = {"a": None, "b": 1, "c": 2, "d": 3}
    places = final_places(cup(), {"q": Q, "final": final})
    assert (places["a"], places["b"], places["d"], places["e"]) == (None, 1, 3, 4)
