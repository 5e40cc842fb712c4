"""Test pictures of players and leagues: what of an upload is kept, who may change it, and who may see it."""

from __future__ import annotations

import random
from base64 import b64encode
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from league.files.pictures import encode_portrait, read_portrait
from league.models import Audience, Change, Competition, OrganizationChange, Picture, Player, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.people.personal_data import person_document
from league.services.competitions.setup import new_player
from league.services.parlour.people import merge_players
from league.services.people.erasure import erase_player
from league.services.people.pictures import MOST_KEPT, remove_picture, restore_picture, set_picture
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, actor, final_table, user
from tests.league.parlours import guests, parlour

pytestmark = pytest.mark.django_db
RED, GREEN, BLUE = (220, 30, 30), (30, 180, 30), (30, 30, 220)
ORIENTATION, GPS = 0x0112, 0x8825


def striped(kind: str = "PNG", **options: object) -> bytes:
    """Return a picture of 600 x 300 pixels: red, then a square that is green above and blue below, then red."""
    drawn = Image.new("RGB", (600, 300), RED)
    drawn.paste(GREEN, (150, 0, 450, 150))
    drawn.paste(BLUE, (150, 150, 450, 300))
    out = BytesIO()
    drawn.save(out, kind, **options)
    return out.getvalue()


def plain(colour: object = RED, size: tuple[int, int] = (80, 80), mode: str = "RGB", kind: str = "PNG") -> bytes:
    out = BytesIO()
    Image.new(mode, size, colour).save(out, kind)  # type: ignore[arg-type]
    return out.getvalue()


def with_place(data: bytes) -> bytes:
    """Return the picture as a WebP that names a place."""
    exif, out = Image.Exif(), BytesIO()
    exif[GPS] = {1: "N", 2: (35.0, 41.0, 22.0)}
    Image.open(BytesIO(data)).save(out, "WEBP", exif=exif)
    return out.getvalue()


def stored(data: bytes) -> Image.Image:
    return Image.open(BytesIO(encode_portrait(BytesIO(data)).data))


def near(pixel: object, colour: tuple[int, int, int]) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(one - other) < 40 for one, other in zip(pixel[:3], colour, strict=True))


def pictured(subject: Player | Competition, colour: object = RED) -> Picture:
    return set_picture(subject=subject, file=BytesIO(plain(colour)), by=SYSTEM)


def league_player() -> tuple[Competition, Player]:
    competition = final_table()
    return competition, competition.entrants.select_related("player")[0].player


def desk(name: str = "chief") -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user(name, is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_the_central_square_is_kept_as_a_webp_of_256_pixels(kind: str) -> None:
    picture = stored(striped(kind))
    assert (picture.format, picture.size) == ("WEBP", (256, 256))
    assert near(picture.getpixel((10, 20)), GREEN)
    assert near(picture.getpixel((245, 235)), BLUE)


def test_a_camera_held_sideways_gives_an_upright_picture_and_neither_place_nor_time_is_kept() -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    exif[0x0132] = "2026:11:24 18:00:00"
    exif[GPS] = {1: "N", 2: (35.0, 41.0, 22.0), 3: "E", 4: (139.0, 41.0, 30.0)}
    picture = stored(striped("JPEG", exif=exif, comment=b"taken at home"))
    # Turned by a quarter to the right: what was above is on the right.
    assert near(picture.getpixel((235, 128)), GREEN)
    assert near(picture.getpixel((20, 128)), BLUE)
    assert not picture.getexif()
    assert not {"exif", "xmp", "icc_profile", "comment"} & picture.info.keys()


def test_a_logo_without_a_background_keeps_none_and_a_small_picture_is_not_enlarged() -> None:
    picture = stored(plain((20, 200, 20, 0), (90, 120), "RGBA"))
    assert (picture.mode, picture.size) == ("RGBA", (90, 90))
    assert picture.getpixel((45, 45))[3] == 0  # type: ignore[index]
    assert stored(plain(3, (100, 100), "P")).mode == "RGB"
    assert near(stored(plain((0, 255, 255, 0), (100, 100), "CMYK", "JPEG")).getpixel((50, 50)), (255, 0, 0))


def test_what_is_hidden_behind_a_picture_is_not_kept() -> None:
    hidden = b"<script>alert(1)</script>PK\x03\x04"
    data = encode_portrait(BytesIO(striped("JPEG") + hidden)).data
    assert b"script" not in data
    assert data[:4] == b"RIFF"
    assert int.from_bytes(data[4:8], "little") + 8 == len(data)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", "not_a_photo"),
        (b"GIF89a" + b"\0" * 40, "not_a_photo"),
        (striped("PNG")[:400], "not_a_photo"),
        (striped("JPEG")[:900], "not_a_photo"),
        (b"", "not_a_photo"),
        (b"\0" * (5 * 1024 * 1024 + 1), "photo_too_large"),
        (plain(1, (6000, 6000), "1"), "photo_too_large"),
        (plain(RED, (300, 63)), "picture_too_small"),
    ],
)
def test_no_picture_or_one_of_a_wrong_size_is_refused_at_the_file(data: bytes, code: str) -> None:
    player = new_player(name="琥珀川 みお", by=SYSTEM)
    with pytest.raises(RuleViolationError) as refused:
        set_picture(subject=player, file=BytesIO(data), by=SYSTEM)
    assert (refused.value.findings[0].code, refused.value.findings[0].pointer) == (code, "/file")
    assert not Picture.objects.exists()


@pytest.mark.both_databases
def test_a_removed_picture_can_be_shown_again_and_each_step_is_in_the_log_without_the_picture() -> None:
    competition, player = league_player()
    first, second = pictured(player, RED), pictured(player, BLUE)
    assert player.picture == second.sha256
    remove_picture(subject=player, by=SYSTEM)
    assert Player.objects.get(pk=player.pk).picture == ""
    restore_picture(picture=first, by=SYSTEM)
    assert Player.objects.get(pk=player.pk).picture == first.sha256
    lines = Change.objects.filter(competition=competition, kind="player.edited").order_by("n")
    assert [line.after for line in lines] == [{"fields": ["picture"]}] * 4
    assert OrganizationChange.objects.filter(kind="player.edited").count() == 4
    restore_picture(picture=first, by=SYSTEM)
    assert lines.count() == 4
    remove_picture(subject=player, by=SYSTEM)
    with pytest.raises(ConflictError):
        remove_picture(subject=player, by=SYSTEM)


@pytest.mark.both_databases
def test_a_leagues_log_holds_the_digests_and_its_oldest_pictures_are_deleted() -> None:
    competition = final_table()
    made = [pictured(competition, (shade, 0, 0)) for shade in range(0, 250, 25)]
    assert competition.pictures.count() == MOST_KEPT
    assert competition.picture == made[-1].sha256
    line = Change.objects.filter(competition=competition, kind="competition.edited").order_by("-n")[0]
    assert (line.before, line.after) == ({"picture": made[-2].sha256}, {"picture": made[-1].sha256})
    with pytest.raises(ConflictError):
        restore_picture(picture=made[0], by=SYSTEM)


def test_only_directors_change_a_picture() -> None:
    competition, player = league_player()
    scorer = actor(user("scorer", Role.SCORER, competition))
    director = actor(user("director", Role.DIRECTOR, competition))
    for subject in (competition, player):
        with pytest.raises(PermissionRefusedError):
            set_picture(subject=subject, file=BytesIO(plain()), by=scorer)
        picture = set_picture(subject=subject, file=BytesIO(plain()), by=director)
        with pytest.raises(PermissionRefusedError):
            remove_picture(subject=subject, by=scorer)
        with pytest.raises(PermissionRefusedError):
            restore_picture(picture=picture, by=scorer)


def test_erasing_a_player_deletes_all_pictures_and_none_can_be_uploaded_again(client: Client) -> None:
    _competition, player = league_player()
    first, second = pictured(player, RED), pictured(player, BLUE)
    erased = erase_player(player=player, by=SYSTEM)
    assert erased.picture == ""
    assert not Picture.objects.exists()
    for picture in (first, second):
        assert client.get(f"/pictures/{picture.sha256}.webp").status_code == 404
    with pytest.raises(ConflictError):
        pictured(erased)


@pytest.mark.both_databases
def test_merging_keeps_the_picture_of_the_kept_entry_or_takes_the_duplicates() -> None:
    competition, double = league_player()
    bare, own = new_player(name="本人", by=SYSTEM), new_player(name="別人", by=SYSTEM)
    red = pictured(double, RED)
    merge_players(duplicate=double, keep=bare, by=SYSTEM)
    bare.refresh_from_db()
    assert bare.picture == red.sha256
    assert Player.objects.get(pk=double.pk).picture == ""
    blue = pictured(own, BLUE)
    before = Change.objects.filter(competition=competition).count()
    merge_players(duplicate=bare, keep=own, by=SYSTEM)
    own.refresh_from_db()
    assert own.picture == blue.sha256
    assert {picture.sha256 for picture in own.pictures.all()} == {red.sha256, blue.sha256}
    assert Change.objects.filter(competition=competition).count() == before + 1
    erase_player(player=own, by=SYSTEM)
    assert not Picture.objects.exists()


def test_the_public_sees_pictures_of_public_leagues_only_and_browsers_keep_them(client: Client) -> None:
    competition, player = league_player()
    addresses = [f"/pictures/{pictured(subject).sha256}.webp" for subject in (player, competition)]
    # Both pictures are the same: the league's is enough to be shown.
    address, same = addresses
    assert address == same
    shown = client.get(address)
    assert (shown.status_code, shown["Content-Type"], shown["X-Content-Type-Options"]) == (200, "image/webp", "nosniff")
    assert shown["Content-Security-Policy"] == "default-src 'none'"
    assert {"public", "immutable", "max-age=31536000", "s-maxage=60"} == set(shown["Cache-Control"].split(", "))
    assert "Vary" not in shown or "Cookie" not in shown["Vary"]
    assert client.head(address).status_code == 200
    assert client.post(address).status_code == 405
    assert client.get("/pictures/nothing.webp").status_code == 404
    remove_picture(subject=competition, by=SYSTEM)
    assert client.get(address).status_code == 200
    remove_picture(subject=player, by=SYSTEM)
    assert client.get(address).status_code == 404


@pytest.mark.both_databases
def test_a_draft_and_a_parlours_guests_are_for_their_staff_alone(client: Client) -> None:
    competition, player = league_player()
    Competition.objects.filter(pk=competition.pk).update(status=Competition.Status.DRAFT)
    place = parlour(audience=Audience.PUBLIC)
    guest = guests(place, 1)[0].player
    of_league = f"/pictures/{pictured(competition, RED).sha256}.webp"
    of_player = f"/pictures/{pictured(player, BLUE).sha256}.webp"
    of_guest = f"/pictures/{pictured(guest, GREEN).sha256}.webp"
    reader, clerk = Client(), Client()
    reader.force_login(user("reader", Role.READER, competition))
    clerk.force_login(user("clerk", Role.SCORER, place))
    for visitor, readable in ((client, ()), (reader, (of_league, of_player)), (clerk, (of_guest,))):
        for address in (of_league, of_player, of_guest):
            shown = visitor.get(address)
            assert shown.status_code == (200 if address in readable else 404)
            assert address not in readable or shown["Cache-Control"].startswith("private")


def test_cards_pages_and_the_head_of_the_league_show_the_pictures_and_tables_the_characters(client: Client) -> None:
    competition, player = league_player()
    of_player, of_league = pictured(player, BLUE).sha256, pictured(competition, RED).sha256
    image = f'<img src="/pictures/{of_player}.webp" alt="" width="256" height="256">'
    for page in (f"/c/{competition.slug}/players/{player.key}/", f"/players/{player.key}/"):
        assert client.get(page).content.decode().count(image) == 1
    home = client.get(f"/c/{competition.slug}/").content.decode()
    assert image not in home
    assert home.count(f"/pictures/{of_league}.webp") == 1
    assert f"/pictures/{of_league}.webp" in client.get("/competitions/").content.decode()
    remove_picture(subject=player, by=SYSTEM)
    page = client.get(f"/players/{player.key}/").content.decode()
    assert "/pictures/" not in page


def test_an_organizer_uploads_previews_removes_and_restores_and_a_fault_is_told_at_the_field() -> None:
    competition, player = league_player()
    client = desk()
    for subject, model in ((player, "player"), (competition, "competition")):
        page = f"/admin/league/{model}/{subject.pk}/picture/"
        refused = client.post(page, {"file": SimpleUploadedFile("face.png", plain(size=(20, 20)))})
        assert refused.status_code == 422
        assert "20 × 20 pixels; both sides need 64" in refused.content.decode()
        assert client.post(page, {}).status_code == 422
        # The content decides, not the name.
        assert client.post(page, {"file": SimpleUploadedFile("face.exe", plain())}).status_code == 302
        shown = client.get(page).content.decode()
        assert "data:image/webp;base64," in shown
        assert 'name="remove"' in shown
        assert client.post(page, {"remove": "1"}).status_code == 302
        subject.refresh_from_db()
        assert subject.picture == ""
        assert client.post(page, {"remove": "1"}, follow=True).status_code == 200
        number = subject.pictures.get().pk
        assert f'name="restore" value="{number}"' in client.get(page).content.decode()
        assert client.post(page, {"restore": "x"}).status_code == 404
        assert client.post(page, {"restore": str(number)}).status_code == 302
        subject.refresh_from_db()
        assert subject.picture


def test_the_api_gives_the_paths_of_pictures_but_none_of_a_guest_known_by_a_handle(client: Client) -> None:
    competition, player = league_player()
    of_league, of_player = pictured(competition, RED).sha256, pictured(player, BLUE).sha256
    publish_standings(competition.pk)
    shown = client.get("/api/v1/competitions/").json()["results"][0]
    detail = client.get(f"/api/v1/competitions/{competition.slug}/").json()
    assert {name: detail[name] for name in shown} == shown
    assert (shown["mark"]["glyph"], shown["accent"]) == (competition.name[0].upper(), "")
    assert shown["picture"] == f"/pictures/{of_league}.webp"
    assert client.get(f"/api/v1/players/{player.pk}/").json()["picture"] == f"/pictures/{of_player}.webp"
    place = parlour(audience=Audience.PUBLIC)
    guest = guests(place, 1)[0].player
    pictured(guest)
    Player.objects.filter(pk=guest.pk).update(is_public=True, handle="つばめ")
    assert client.get(f"/api/v1/players/{guest.pk}/").json()["picture"] == ""


def test_a_persons_document_holds_every_stored_picture() -> None:
    player = new_player(name="琥珀川 みお", by=SYSTEM)
    pictured(player, RED)
    pictured(player, BLUE)
    profile = person_document(player)["profile"]
    assert isinstance(profile, list)
    assert [text[:5] for text in profile[0]["pictures"]] == ["UklGR"] * 2


@pytest.mark.filterwarnings("ignore:.*:UserWarning:PIL")
def test_damaged_files_are_refused_or_read_but_never_fail() -> None:
    chance = random.Random(7)
    noise = Image.effect_noise((80, 70), 60)
    exif = Image.Exif()
    exif[ORIENTATION], exif[GPS] = 6, {1: "N"}
    seeds = []
    for kind in ("JPEG", "PNG", "WEBP"):
        out = BytesIO()
        noise.convert("RGB").save(out, kind, exif=exif)
        seeds.append(out.getvalue())
    # A number of the GPS data that is none: Pillow reads it, and cannot write it.
    odd = bytearray(seeds[0])
    odd[odd.index(b"\x00\x01\x00\x02\x00\x00\x00\x02N") + 1] = 0
    broken = [bytes(odd), *(damaged(chance.choice(seeds), chance) for _ in range(400))]
    told = {outcome_of(data) for data in broken}
    assert told == {"read", "not_a_photo", "photo_too_large"}


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return the file with one to three bytes changed, most of them in its head."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        changed[min(int(chance.expovariate(1 / 60)), len(data) - 1)] = chance.choice([0, 1, 127, 255])
    return bytes(changed)


def outcome_of(data: bytes) -> str:
    try:
        encode_portrait(BytesIO(data))
    except RuleViolationError as refused:
        return refused.findings[0].code
    return "read"


@pytest.mark.parametrize(
    "data",
    [
        striped("WEBP"),  # not square
        plain(RED, (300, 300), kind="WEBP"),  # too large
        plain(RED, (40, 40), kind="WEBP"),  # too small
        plain(RED, (100, 100), kind="PNG"),
        encode_portrait(BytesIO(plain())).data + b"<script>",
        encode_portrait(BytesIO(striped())).data[:-40],
        with_place(plain(RED, (100, 100), kind="WEBP")),
        b"",
    ],
)
def test_a_file_gives_no_picture_but_one_that_an_export_writes(data: bytes) -> None:
    own = b64encode(encode_portrait(BytesIO(plain())).data).decode()
    assert read_portrait(own).width == 80
    for text in (b64encode(data).decode() or "?", own + "!"):
        with pytest.raises(ValueError, match="must be a"):
            read_portrait(text)
