"""Draw the picture of a link preview: a standing or a game as a printed sheet, 1200 x 630 pixels, as PNG.

Chat applications and social networks take no SVG, so Pillow draws the sheet directly. Figures come from the service's
own font; Japanese needs a font of the system (`CARD_FONT`, else the usual places). Without one, cards are in English,
with Pillow's built-in font, and leave out what is written in Japanese only.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from django.conf import settings
from PIL import Image, ImageDraw, ImageFont, ImageOps

from league.wording.marks import Mark, first_glyph

WIDTH, HEIGHT = 1200, 630
FIGURES = Path(__file__).resolve().parents[1] / "static" / "league" / "fonts"
NOTO = "/usr/share/fonts/opentype/noto/"
MACOS = "/System/Library/Fonts/"
WINDOWS = "C:/Windows/Fonts/"
GOTHIC = (f"{NOTO}NotoSansCJK-Bold.ttc", f"{MACOS}ヒラギノ角ゴシック W6.ttc", f"{WINDOWS}YuGothB.ttc")
MINCHO = (f"{NOTO}NotoSerifCJK-Bold.ttc", f"{MACOS}ヒラギノ明朝 ProN.ttc", f"{WINDOWS}yumindb.ttf", *GOTHIC)
"""Japanese fonts in their usual places, the first found is used; index 0 of these collections is the Japanese face."""

PAPER, SHEET, INK, SECOND, HAIR, RULE = "#f5f3ea", "#fffefb", "#191b18", "#54584f", "#dcd8c9", "#8b8775"
HOUSE, SHU, MINUS, MARKER, TILE, TILE_LINE = "#0d5241", "#b52c15", "#a02c1c", "#fbeea6", "#fffef8", "#b9b49f"
COLOURS = (
    "#1d4f91", "#b4371c", "#4b6b13", "#8a5606", "#6f3d91", "#0b6b6b",
    "#92264a", "#2f4459", "#4a4fb0", "#7d4a36", "#2f6b3a", "#a52a7d",
)  # fmt: skip
"""The twelve colours of marks on paper, as in the stylesheet."""
ROWS = 5
LEFT, RIGHT, TABLE = 70, 1130, 470
NEGATIVE = ("▲", "-", "−")
LAST_LATIN = "\u024f"
FIGURE_CHARACTERS = frozenset(string.ascii_letters + string.digits + " %+,-./:?±×–’−▲")
"""The characters of the service's own font, as `unicode-range` in the stylesheet lists them."""

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@dataclass(frozen=True, slots=True)
class CardRow:
    """A line of the card's table, its texts ready to draw."""

    rank: str
    mark: Mark
    name: str
    between: str
    total: str
    is_marked: bool = False
    ends_inside: bool = False
    """True if the border to the places outside is below this line."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card, its texts ready to draw: what it is about on the left, a table on the right."""

    title: str
    state: str
    mark: Mark
    seal: str
    name: str
    note: str
    heading: str
    columns: tuple[str, str]
    rows: tuple[CardRow, ...]
    address: str
    accent: str = ""
    picture: bytes = b""
    """The picture in the large tile; empty for the mark's character."""


def draw_card(card: Card) -> bytes:
    """Return the card as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = Pen(ImageDraw.Draw(image), card.accent or HOUSE)
    pen.frame()
    pen.text((LEFT, 106), card.title, 40, mincho=True, room=560)
    pen.text((RIGHT, 104), card.state, 26, SECOND, anchor="rs", room=480)
    pen.line((LEFT, 132, RIGHT, 132), RULE)
    pen.tile((84, 196, 280, 452), card.mark, 150, card.name)
    if card.picture:
        paste_picture(image, card.picture, (85, 197, 280, 424))
    pen.seal(card.seal)
    pen.text((84, 520), card.name, 52, mincho=True, room=360)
    pen.text((84, 560), card.note, 24, SECOND, room=360)
    pen.text((TABLE, 228), card.heading, 34, mincho=True, room=380)
    pen.text((960, 228), card.columns[0], 22, SECOND, anchor="rs", room=160)
    pen.text((RIGHT, 228), card.columns[1], 22, SECOND, anchor="rs", room=160)
    pen.line((TABLE, 248, 1140, 248), INK, 3)
    pen.rows(card.rows[:ROWS])
    pen.text((RIGHT, 574), card.address, 20, SECOND, anchor="rs", room=640)
    out = BytesIO()
    image.quantize(128).save(out, "PNG", optimize=True)
    return out.getvalue()


def paste_picture(image: Image.Image, data: bytes, box: tuple[int, int, int, int]) -> None:
    """Fill the face of a tile with a picture, cut to its shape."""
    with Image.open(BytesIO(data)) as picture:
        face = ImageOps.fit(picture.convert("RGBA"), (box[2] - box[0], box[3] - box[1]))
    image.paste(face, box, face)


def japanese_font() -> str:
    """Return the file of the Japanese font for text; empty if the machine has none."""
    return _first(GOTHIC)


def _first(candidates: Sequence[str]) -> str:
    chosen = str(settings.CARD_FONT)
    return next((file for file in ((chosen,) if chosen else candidates) if Path(file).is_file()), "")


@cache
def _font(file: str, size: int) -> Font:
    return ImageFont.truetype(file, size) if file else ImageFont.load_default(size)


def font_for(text: str, size: int, *, mincho: bool = False) -> Font:
    """Return the font to draw a text with: the service's own for figures, else a Japanese or the built-in one."""
    if FIGURE_CHARACTERS.issuperset(text):
        return _font(str(FIGURES / "jfig-700.woff2"), size)
    return _font(_first(MINCHO if mincho else GOTHIC), size)


def is_latin(text: str) -> bool:
    """Return True if every machine can draw a text: figures, Latin letters and ▲."""
    return all(char <= LAST_LATIN or char == "…" or char in FIGURE_CHARACTERS for char in text)


def drawable(text: str) -> str:
    """Return the text, without characters that this machine has no font for."""
    if is_latin(text) or japanese_font():
        return text
    return " ".join("".join(char if is_latin(char) else " " for char in text).split())


class Pen:
    """Draw the parts of a card on its image; positions are pixels, those of text on its baseline."""

    def __init__(self, on: ImageDraw.ImageDraw, house: str) -> None:
        self.on = on
        self.house = house

    def frame(self) -> None:
        """Draw the sheet: a thick line above, two thin ones below."""
        self.on.rectangle((40, 40, 1160, 590), fill=SHEET)
        self.on.rectangle((40, 37, 1160, 43), fill=INK)
        for y in (583, 590):
            self.line((40, y, 1160, y), INK, 2)

    def line(self, ends: tuple[int, int, int, int], colour: str, width: int = 1) -> None:
        """Draw a straight line."""
        self.on.line(ends, fill=colour, width=width)

    def text(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: str = INK,
        *,
        anchor: str = "ls",
        mincho: bool = False,
        room: int = 0,
    ) -> None:
        """Write a text, shrunk by a third at most and then cut off to fit the room in pixels, if one is given."""
        shown = drawable(text)
        smallest = size * 2 // 3
        while room and size > smallest and font_for(shown, size, mincho=mincho).getlength(shown) > room:
            size -= 2
        font = font_for(shown, size, mincho=mincho)
        while room and len(shown) > 1 and font.getlength(shown) > room:
            shown = f"{shown.rstrip('…')[:-1].rstrip()}…"
        self.on.text(at, shown, fill=colour, font=font, anchor=anchor)

    def tile(self, box: tuple[int, int, int, int], mark: Mark, size: int, name: str) -> None:
        """Draw a mark: a tile with its character, or one of the name that has a font, and a foot in its colour."""
        left, top, right, bottom = box
        colour = COLOURS[mark.colour]
        radius, foot = max(3, (right - left) // 14), (bottom - top) // 9
        self.on.rounded_rectangle(box, radius, fill=colour, outline=TILE_LINE)
        upper = (True, True, False, False)
        self.on.rounded_rectangle(
            (left, top, right, bottom - foot),
            radius,
            fill=colour if mark.is_filled else TILE,
            outline=TILE_LINE,
            corners=upper,
        )
        middle = ((left + right) / 2, (top + bottom - foot) / 2)
        glyph = drawable(mark.glyph) or first_glyph(drawable(name))
        ink = SHEET if mark.is_filled else colour
        self.text(middle, glyph, size, ink, anchor="mm", mincho=True, room=right - left - 2)

    def seal(self, text: str) -> None:
        """Stamp a seal of up to two characters below each other; a word in Latin letters gets a frame of its own."""
        shown = drawable(text)
        if not shown:
            return
        if is_latin(shown):
            self.on.rounded_rectangle((300, 196, 440, 252), 6, outline=SHU, width=5)
            self.text((370, 226), shown, 30, SHU, anchor="mm", room=120)
            return
        self.on.rounded_rectangle((309, 193, 399, 375), 8, outline=SHU, width=6)
        for place, char in enumerate(shown[:2]):
            self.text((354, 245 + 78 * place), char, 66, SHU, anchor="mm", mincho=True)

    def rows(self, rows: Sequence[CardRow]) -> None:
        """Write the table, its rows 62 pixels high."""
        for place, row in enumerate(rows):
            top = 252 + 62 * place
            base = top + 42
            if row.is_marked:
                self.on.rectangle((TABLE, top, 1140, top + 58), fill=MARKER)
            self.text((500, base), row.rank, 34, anchor="rs")
            self.tile((524, top + 8, 558, top + 52), row.mark, 25, row.name)
            self.text((576, base), row.name, 32, room=270)
            self.text((960, base), row.between, 26, _amount_colour(row.between, SECOND), anchor="rs", room=110)
            self.text((RIGHT, base), row.total, 36, _amount_colour(row.total, INK), anchor="rs", room=160)
            if row.ends_inside:
                self.line((TABLE, top + 60, 1140, top + 60), self.house, 4)
            elif place + 1 < len(rows):
                self.line((TABLE, top + 60, 1140, top + 60), HAIR)


def _amount_colour(text: str, otherwise: str) -> str:
    return MINUS if text.startswith(NEGATIVE) else otherwise
