"""Screenshots of every public page and of the admin, in both languages and themes, for phone and desktop.

`python -m scripts.screenshots [FOLDER] [--data DIR] [--only VIEW ...] [--public]` serves the demo season from a
folder of its own (or from DIR), finds the pages by following links (`scripts.site`), and takes each in a real
Chromium, several at a time. Faults that can be measured are listed at the end, and the run then fails: pages wider
than a small phone, clipped text, characters without a glyph, and contrast that axe-core finds too low. For the rest
there are contact sheets in FOLDER/sheets.
"""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
from PIL import Image, ImageDraw

from scripts.looks import CONTRAST, CUT, UNDRAWN, WIDE, axe
from scripts.servers import LOCALHOST, free_port, started, wait_for_port
from scripts.site import Shot, SiteClient, crawl, public_pages, view_of

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LANGUAGES = ("ja", "en")
THEMES = ("light", "dark")
SIZES = {"phone": (390, 844), "desk": (1280, 800)}
SMALL_PHONE = 360
TALLEST = 5000
"""Pixels at which a longer page is cut."""
AT_A_TIME = 3
DESK = ("/admin/", "/board/", "/account/")
PLAIN = ("_changelist", "_change", "_history", "_add")
"""Admin pages that look alike; one of each kind is enough."""
PLAIN_TAKEN = ("league_tablesession", "league_competition", "league_player", "league_resultsheet")
SHEET = {"phone": (6, 260, 1500), "desk": (3, 520, 1100)}
"""Layout of a contact sheet: pictures in a row, their width, the height at which they are cut."""
ON_A_SHEET = 6
CAPTION = 18


@dataclass(frozen=True, slots=True)
class How:
    """One combination of language, theme and viewport."""

    language: str
    theme: str
    size: str

    def name_of(self, shot: Shot) -> str:
        """Return the name of the picture's file."""
        return f"{shot.name}-{self.language}-{self.theme}-{self.size}"


@dataclass(frozen=True, slots=True)
class Tour:
    """Pages to take with the same cookies."""

    shots: Sequence[Shot]
    cookies: Any = None


def main() -> int:
    """Serve, find the pages, take them; return 1 if a check finds a fault."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("folder", nargs="?", type=Path, default=ROOT / "var" / "screenshots")
    given.add_argument("--data", type=Path, help="a data folder to serve instead of a fresh demo")
    given.add_argument("--only", nargs="+", default=(), help="views to take, such as home or block")
    given.add_argument("--public", action="store_true", help="leave out what only staff may open")
    chosen = given.parse_args()
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sys.exit("There is no Chromium: install Debian's chromium-headless-shell.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    shutil.rmtree(chosen.folder, ignore_errors=True)
    (chosen.folder / "sheets").mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="jantaku-pictures-") as fresh:
        found = serve_and_take(chosen.data or Path(fresh), chosen.folder, program, chosen.only, is_public=chosen.public)
    print(*found, f"{len(found)} findings, contact sheets in {chosen.folder / 'sheets'}", sep="\n")
    return 1 if found else 0


def serve_and_take(data: Path, folder: Path, program: str, only: Sequence[str], *, is_public: bool) -> list[str]:
    """Serve the data and take the requested pages; return the findings."""
    port = free_port()
    environment = os.environ | {"DATA_DIR": str(data), "PORT": str(port), "HOST": LOCALHOST}
    log = folder / "server.log"
    with started([sys.executable, "manage.py", "serve"], log, env=environment) as process:
        wait_for_port(port, process, log)
        address = f"http://{LOCALHOST}:{port}"
        public = Tour(public_pages(address))
        tours = [public] if is_public else [public, staff_tour(address, data, public.shots)]
        tours = [Tour([shot for shot in tour.shots if is_asked(shot, only)], tour.cookies) for tour in tours]
        print(f"{sum(len(tour.shots) for tour in tours)} pages", flush=True)
        found = asyncio.run(take_all(address, folder, program, tours))
    make_sheets(folder)
    return found


def is_asked(shot: Shot, only: Sequence[str]) -> bool:
    """Return True if the page's view was requested, or no view was named."""
    return not only or shot.name.rpartition("-")[0] in only


def staff_tour(address: str, data: Path, seen: Sequence[Shot]) -> Tour:
    """Return the admin, the parlour's pages and the table followed live, as the first account sees them."""
    visitor = SiteClient(address)
    password = data / "admin_password"
    if not password.exists():
        return Tour(())
    visitor.sign_in("/login/", "admin", password.read_text().strip())
    known = {view_of(shot.path.partition("?")[0]) for shot in seen}
    desk = [shot for shot in crawl(visitor, DESK, ("admin", "pages")) if view_of(shot.path) not in known]
    follow = next((shot.path for shot in seen if view_of(shot.path) == "pages:follow"), "")
    return Tour([*(shot for shot in desk if is_worth_a_picture(shot)), *at_the_table(visitor, follow)], visitor.state())


def is_worth_a_picture(shot: Shot) -> bool:
    """Return True for one page of each view, and for a few of the admin's plain lists and records."""
    # The crawl numbers the pages of a view: "-1" is its first one.
    view = shot.name.removesuffix("-1")
    return view != shot.name and (view.startswith(PLAIN_TAKEN) or not view.endswith(PLAIN))


def at_the_table(visitor: SiteClient, follow: str) -> Iterator[Shot]:
    """Yield the games and the overlay of the table followed live, if there is one."""
    table = next((path for path in visitor.links(follow) if view_of(path) == "pages:table"), "") if follow else ""
    if not table:
        return
    games = sorted({path for path in visitor.links(table) if view_of(path) == "pages:hanchan"})
    yield from (Shot(f"game-{number}", path) for number, path in enumerate(games, start=1))
    yield Shot("overlay-1", f"/overlay/{table.rstrip('/').rpartition('/')[2]}/", (1920, 1080))


async def take_all(address: str, folder: Path, program: str, tours: Sequence[Tour]) -> list[str]:
    """Take every page in every language, theme and size, several at a time in one browser."""
    from playwright.async_api import async_playwright

    free, findings = asyncio.Semaphore(AT_A_TIME), []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])

        async def go(tour: Tour, how: How) -> list[str]:
            async with free:
                return await take(browser, address, tour, folder, how)

        ways = [How(*way) for way in product(LANGUAGES, THEMES, SIZES)]
        for found in await asyncio.gather(*(go(tour, how) for how in ways for tour in tours)):
            findings += found
        await browser.close()
    return findings


async def take(browser: "Browser", address: str, tour: Tour, folder: Path, how: How) -> list[str]:
    """Take one picture of each page; return the findings."""
    width, height = SIZES[how.size]
    context = await browser.new_context(
        locale=how.language,
        color_scheme="dark" if how.theme == "dark" else "light",
        reduced_motion="reduce",
        viewport={"width": width, "height": height},
        storage_state=tour.cookies,
    )
    findings = []
    for shot in tour.shots:
        if shot.alone is None or how.size == "desk":
            name = how.name_of(shot)
            try:
                seen = await looked_at(context, address + shot.path, shot, folder / f"{name}.png", how)
            except Exception as fault:  # noqa: BLE001 - one page that cannot be taken must not hide the others
                seen = [f"not taken: {fault}"]
            findings += [f"{name}: {each}" for each in seen]
    await context.close()
    return findings


async def looked_at(context: "BrowserContext", address: str, shot: Shot, file: Path, how: How) -> list[str]:
    """Take a picture of the page and run the checks on it."""
    page = await context.new_page()
    width, height = shot.alone or SIZES[how.size]
    await page.set_viewport_size({"width": width, "height": height})
    answer = await page.goto(address, wait_until="load")
    await page.wait_for_timeout(150)
    tall = min(TALLEST, max(height, await page.evaluate("document.documentElement.scrollHeight")))
    await page.screenshot(path=file, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": tall})
    findings = [] if shot.alone else await seen_by_program(page, how)
    await page.close()
    is_broken = answer is None or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return ["answered with an error", *findings] if is_broken else findings


async def seen_by_program(page: "Page", how: How) -> list[str]:
    """Run the checks: clipped text, missing glyphs; for phones also overflow on a small one, and contrast."""
    found: list[str] = await page.evaluate(CUT)
    found += await page.evaluate(UNDRAWN)
    if how.size == "phone":
        await page.set_viewport_size({"width": SMALL_PHONE, "height": SIZES["phone"][1]})
        found += await page.evaluate(WIDE)
        if how.language == "ja":
            await page.evaluate(axe())
            found += await page.evaluate(CONTRAST)
    return found


def make_sheets(folder: Path) -> None:
    """Write contact sheets of the pictures, one series for each language, theme and size."""
    pictures = sorted(folder.glob("*.png"), key=lambda file: (file.stem.split("-")[-3:], file.stem))
    for way, files in groupby(pictures, key=lambda file: "-".join(file.stem.split("-")[-3:])):
        size, waiting, number = SHEET[way.rpartition("-")[2]], list(files), 0
        while waiting:
            number += 1
            sheet_of(waiting[:ON_A_SHEET], size).save(folder / "sheets" / f"{way}-{number:02}.png")
            del waiting[:ON_A_SHEET]


def sheet_of(files: Sequence[Path], size: tuple[int, int, int]) -> Image.Image:
    """Return one contact sheet, each picture under its name."""
    across, width, tallest = size
    thumbs = [thumb_of(file, width, tallest) for file in files]
    rows = [thumbs[at : at + across] for at in range(0, len(thumbs), across)]
    heights = [CAPTION + max(thumb.height for thumb in row) for row in rows]
    sheet = Image.new("RGB", (across * (width + 8), sum(heights)), "#888888")
    draw = ImageDraw.Draw(sheet)
    for number, (file, thumb) in enumerate(zip(files, thumbs, strict=True)):
        left, top = (number % across) * (width + 8), sum(heights[: number // across])
        draw.text((left + 2, top + 3), "-".join(file.stem.split("-")[:-3])[:40], "black")
        sheet.paste(thumb, (left, top + CAPTION))
    return sheet


def thumb_of(file: Path, width: int, tallest: int) -> Image.Image:
    """Return a picture scaled down and cut at the bottom if it is too tall."""
    with Image.open(file) as picture:
        scaled = picture.convert("RGB").resize((width, round(picture.height * width / picture.width)))
    return scaled.crop((0, 0, width, min(scaled.height, tallest)))


if __name__ == "__main__":
    sys.exit(main())
