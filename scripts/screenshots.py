"""Pictures of every public page, to be looked at: both languages, both themes, on a phone and at a desk.

`python -m scripts.screenshots [FOLDER] [--data DIR] [--only VIEW ...]` serves the demo season from a folder of its own
(or what DIR holds), finds the pages by following links from the start page, and takes each of them in a real Chromium.
The table that is followed comes last, as its staff see it: its games, its score sheet and its overlay. A page that is
wider than the phone is named at the end, and the run then fails.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import django
from django.urls import Resolver404, resolve, reverse

from scripts.servers import LOCALHOST, free_port, started, wait_for_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, StorageState

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
LANGUAGES = ("ja", "en")
THEMES = ("light", "dark")
SIZES = {"phone": (360, 740), "desk": (1280, 800)}
OF_EACH = 2
"""So many pages of one view, but all of `ALL_OF`."""
ALL_OF = ("pages:home", "pages:block", "pages:rules")
MOST = 12
MISSING = "/there-is-no-such-page/"
HAND = "hand=234p067p34s678s99s+%2B+2s&riichi=riichi&dora=8s"
ASKED = {
    "hand-answered": f"/rules/cinderella/hand/?{HAND}",
    "hand-refused": "/rules/banchi3/hand/?hand=234p067p34s678s9s+%2B+2s&ippatsu=on",
    "everywhere-answered": f"/rules/hand/?{HAND}",
    "tulip-first": "/rules/superbingo/tulip/",
    "tulip-flips": "/rules/superbingo/tulip/?hand=34567899p12378s+nuki:1b+%2B+9s&riichi=riichi&flips=7p7p8p6s6p",
}
"""Pages that show what their address asks for."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A page to be taken, and what its pictures are called."""

    name: str
    path: str
    alone: tuple[int, int] | None = None
    """The one size it is made for."""


def main() -> int:
    """Serve, find the pages, take them; 1 if a page is wider than the phone."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("folder", nargs="?", type=Path, default=ROOT / "var" / "screenshots")
    given.add_argument("--data", type=Path, help="a data folder to serve instead of a fresh demo")
    given.add_argument("--only", nargs="+", default=(), help="views to take, such as home or block")
    chosen = given.parse_args()
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sys.exit("There is no Chromium: install Debian's chromium.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="jantaku-pictures-") as fresh:
        return take_all(chosen.data or Path(fresh), chosen.folder, program, chosen.only)


def take_all(data: Path, folder: Path, program: str, only: tuple[str, ...]) -> int:
    """Every page in every language, theme and size."""
    from playwright.sync_api import sync_playwright

    port = free_port()
    environment = os.environ | {"DATA_DIR": str(data), "PORT": str(port), "HOST": LOCALHOST}
    log = folder / "server.log"
    with started([sys.executable, "manage.py", "serve"], log, env=environment) as process:
        wait_for_port(port, process, log)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
            address = f"http://{LOCALHOST}:{port}"
            found = pages_of(browser, address)
            by_staff = at_the_table(browser, address, found)
            shots, staffs = ([shot for shot in some if is_asked(shot, only)] for some in (found, by_staff))
            state = signed_in(browser, address, data)
            wide = [
                name
                for how in product(LANGUAGES, THEMES, SIZES)
                for some, who in ((shots, None), (staffs, state))
                for name in take(browser, address, some, folder, how, who)
            ]
            browser.close()
    print(f"{len(shots) + len(staffs)} pages in {folder}")
    for name in wide:
        print(f"wider than the screen: {name}")
    return 1 if wide else 0


def is_asked(shot: Shot, only: tuple[str, ...]) -> bool:
    """Whether its view is one of those to be taken."""
    return not only or shot.name.split("-")[0] in only


def at_the_table(browser: "Browser", address: str, shots: list[Shot]) -> list[Shot]:
    """The pages of the table that is followed, if there is one."""
    follow = next((shot for shot in shots if view_of(shot.path) == "pages:follow"), None)
    if follow is None:
        return []
    page = browser.new_page()
    page.goto(address + follow.path)
    table = next(path for path in links_of(page) if view_of(path) == "pages:table")
    page.goto(address + table)
    games = sorted({path for path in links_of(page) if view_of(path) == "pages:hanchan"})
    page.close()
    key = resolve(table).kwargs["key"]
    return [
        *(Shot(f"game-{number}", path) for number, path in enumerate(games, start=1)),
        Shot("sheet-1", reverse("pages:table-sheet", args=[key])),
        Shot("overlay-1", reverse("pages:overlay", args=[key]), (1920, 1080)),
    ]


def signed_in(browser: "Browser", address: str, data: Path) -> "StorageState | None":
    """The cookies of the first account, where its password is still the one that was made for it."""
    from league.embedded import ADMIN_NAME, PASSWORD_FILE

    file = data / PASSWORD_FILE
    if not file.exists():
        return None
    context = browser.new_context()
    page = context.new_page()
    page.goto(address + reverse("pages:sign_in"))
    page.fill("[name=username]", ADMIN_NAME)
    page.fill("[name=password]", file.read_text().strip())
    page.press("[name=password]", "Enter")
    page.wait_for_load_state()
    state = context.storage_state()
    context.close()
    return state


def pages_of(browser: "Browser", address: str) -> list[Shot]:
    """Follow links from the start page; of each view a few pages."""
    page = browser.new_page()
    waiting, seen, taken = ["/"], {"/"}, Counter[str]()
    found = []
    while waiting:
        path = waiting.pop(0)
        view = view_of(path)
        limit = MOST if view in ALL_OF else OF_EACH
        if not view.startswith("pages:") or taken[view] >= limit:
            continue
        taken[view] += 1
        found.append(Shot(f"{view.removeprefix('pages:')}-{taken[view]}", path))
        page.goto(address + path)
        for link in links_of(page):
            if link not in seen:
                seen.add(link)
                waiting.append(link)
    page.close()
    return [*found, *(Shot(name, path) for name, path in ASKED.items()), Shot("missing-1", MISSING)]


def links_of(page: "Page") -> Iterator[str]:
    """The paths a page leads to, without queries and anchors."""
    for link in page.eval_on_selector_all(
        "a[href]", "all => all.map(a => new URL(a.getAttribute('href'), document.baseURI).href)"
    ):
        yield urlsplit(link).path


def view_of(path: str) -> str:
    """The name of the view that answers this path; empty if there is none."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""


def take(
    browser: "Browser",
    address: str,
    shots: list[Shot],
    folder: Path,
    how: tuple[str, str, str],
    who: "StorageState | None",
) -> list[str]:
    """One picture of each page; return the names of those that scroll sideways."""
    language, theme, size = how
    width, height = SIZES[size]
    context = browser.new_context(
        locale=language,
        color_scheme="dark" if theme == "dark" else "light",
        viewport={"width": width, "height": height},
        storage_state=who,
    )
    page, wide = context.new_page(), []
    for shot in shots:
        if shot.alone is not None and size != "desk":
            continue
        if shot.alone is not None:
            page.set_viewport_size({"width": shot.alone[0], "height": shot.alone[1]})
        page.goto(address + shot.path, wait_until="networkidle" if who else "load")
        name = f"{shot.name}-{language}-{theme}-{size}"
        page.screenshot(path=folder / f"{name}.png", full_page=True)
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            wide.append(name)
    context.close()
    return wide


if __name__ == "__main__":
    sys.exit(main())
