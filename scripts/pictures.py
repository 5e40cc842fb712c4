"""Take the pictures of the README, of docs/organizers.md and docs/organizers.ja.md, and of docs/pictures/pages.

`python -m scripts.pictures [FOLDER]` serves the demo season from a folder of its own, walks through the admin as an
organizer would and through the pages as a player would, and writes one small PNG for each picture. The pages are
listed here, not crawled: each picture belongs to a sentence of a text. It fails if a page gives an error or a picture
grows too large.
"""

import argparse
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from scripts.servers import LOCALHOST, free_port, started, wait_for_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LANGUAGES = ("en", "ja")
ADMIN = "admin"
PASSWORD_FILE = "admin_password"  # noqa: S105 - a file's name
WIDTH, TALLEST = 1180, 860
WIDEST = 1280
COLOURS = 96
LARGEST = 100_000
"""Bytes of a picture: a manual is read on a phone too."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A page, the action before the picture is taken, and the screen: without a height, down to the page's footer."""

    name: str
    path: str
    act: "Callable[[Page], None]" = lambda _page: None
    width: int = WIDTH
    height: int | None = None


def adjust(page: "Page") -> None:
    """Fill in a penalty and show its preview."""
    page.select_option("[name=entrant]", index=1)
    page.fill("[name=points]", "-90")
    page.fill("[name=reason]", "遅刻 / Late")
    page.click(".submit-row button")
    page.wait_for_selector(".effect")


def corrected(page: "Page") -> None:
    """Wait for the revisions of the hanchan whose result was corrected."""
    page.wait_for_selector(".revision")


def tonight(page: "Page") -> None:
    """Go from the start page to today's session."""
    page.click(".desk td.act a[href$='/night/']")
    page.wait_for_load_state()


PICTURES = (
    Picture("desk-start", "/admin/"),
    Picture("desk-set-up", "/admin/league/competition/set-up/?players=16&at_table=4&evenings=5"),
    Picture("desk-competition", "/admin/league/competition/1/change/"),
    Picture("desk-night", "/admin/", tonight),
    Picture("desk-entry", "/admin/league/tablesession/1/entry/?correct=1"),
    Picture("desk-effect", "/admin/league/block/6/adjust/", adjust),
    Picture("desk-revisions", "/admin/league/resultsheet/of-hanchan/2/", corrected),
    Picture("desk-log", "/admin/league/change/"),
    Picture("desk-phone", "/admin/", width=390),
)


def nothing(_page: "Page") -> None:
    """Leave the page as it is."""


def on_phone(name: str, path: str, act: "Callable[[Page], None]" = nothing) -> Picture:
    """Return the picture of a page's first screen on a phone."""
    return Picture(name, path, act, 390, 844)


def on_desktop(name: str, path: str, act: "Callable[[Page], None]" = nothing) -> Picture:
    """Return the picture of a page's first screen on a desktop."""
    return Picture(name, path, act, 1280, 800)


PLAYER = "/c/demo/players/demo-kohakugawa/"
FIRST_SCREENS = (
    on_phone("league", "/c/demo/"),
    on_desktop("league-desktop", "/c/demo/"),
    on_phone("standings", "/c/demo/blocks/A/"),
    on_phone("player", PLAYER),
    on_phone("ladder", "/c/demo/ladder/"),
    on_phone("conditions", "/c/demo/conditions/"),
    on_phone("odds", "/c/demo/odds/"),
    on_phone("sessions", "/c/demo/sessions/"),
    on_phone("hanchan", "/c/demo/hanchan/47/"),
    on_phone("followed", "/c/demo/hanchan/48/live/"),
    on_desktop("projector", "/c/demo/projector/"),
    Picture("overlay", "/overlay/12/", width=1920, height=1080),
    on_phone("match-night", "/admin/", tonight),
    on_desktop("admin", "/admin/"),
    on_desktop("board", "/board/"),
)
"""First screens of fifteen pages, in Japanese: docs/pictures/pages shows them beside those of the first look."""
README = (
    on_desktop("home", "/c/demo/"),
    on_phone("home-phone", "/c/demo/"),
    on_phone("player-phone", PLAYER),
    on_phone("ladder-phone", "/c/demo/ladder/?path=demo-kohakugawa"),
)
"""The README's pictures, in English."""
TAKEN = (
    *((picture, language, Path(f"{picture.name}.{language}.png")) for language in LANGUAGES for picture in PICTURES),
    *((picture, "ja", Path("pages") / f"{picture.name}.png") for picture in FIRST_SCREENS),
    *((picture, "en", Path(f"{picture.name}.png")) for picture in README),
)
"""Each picture with its language and its file below docs/pictures."""


def main() -> int:
    """Serve, take the pictures; return 1 if a page gave an error or a picture is too large."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder: Path = given.parse_args().folder
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sys.exit("There is no Chromium: install Debian's chromium-headless-shell.")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="jantaku-pictures-") as data:
        faults = take_all(Path(data), folder, program)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def take_all(data: Path, folder: Path, program: str) -> list[str]:
    """Take every picture in every language; return the errors."""
    from playwright.sync_api import sync_playwright

    port = free_port()
    environment = os.environ | {"DATA_DIR": str(data), "PORT": str(port), "HOST": LOCALHOST}
    log = data / "server.log"
    with started([sys.executable, "manage.py", "serve"], log, env=environment) as process:
        wait_for_port(port, process, log)
        password = (data / PASSWORD_FILE).read_text().strip()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
            address = f"http://{LOCALHOST}:{port}"
            faults = [
                fault for language in LANGUAGES for fault in take_language(browser, address, password, language, folder)
            ]
            browser.close()
    return faults


def take_language(browser: "Browser", address: str, password: str, language: str, folder: Path) -> list[str]:
    """Sign in, and take each picture in one language."""
    context = browser.new_context(locale=language, color_scheme="light", viewport={"width": WIDTH, "height": TALLEST})
    page = context.new_page()
    page.goto(f"{address}/login/")
    page.fill("[name=username]", ADMIN)
    page.fill("[name=password]", password)
    page.press("[name=password]", "Enter")
    page.wait_for_load_state()
    faults = []
    for picture, _language, name in (taken for taken in TAKEN if taken[1] == language):
        page.set_viewport_size({"width": picture.width, "height": picture.height or TALLEST})
        answer = page.goto(address + picture.path, wait_until="networkidle")
        if answer is None or not answer.ok:
            faults.append(f"{picture.name}: {picture.path} did not answer")
            continue
        picture.act(page)
        if picture.height is None:
            shrink(page, picture.width)
        size = write_small(page.screenshot(), folder / name)
        if size > LARGEST:
            faults.append(f"{name} has {size} bytes, more than {LARGEST}")
    context.close()
    return faults


def shrink(page: "Page", width: int) -> None:
    """Reduce the viewport to the upper part of the page, without empty space below the footer."""
    height = page.evaluate("Math.ceil(document.querySelector('#footer, footer').getBoundingClientRect().bottom)")
    page.set_viewport_size({"width": width, "height": min(max(height, 200), TALLEST)})


def write_small(png: bytes, file: Path) -> int:
    """Write the picture with a reduced palette, at most `WIDEST` pixels wide; return its size in bytes."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    if image.width > WIDEST:
        image = image.resize((WIDEST, image.height * WIDEST // image.width))
    file.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(COLOURS).save(file, optimize=True)
    return file.stat().st_size


if __name__ == "__main__":
    sys.exit(main())
