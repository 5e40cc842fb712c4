"""Find untranslatable text: words outside gettext in templates, scripts and Python.

Everything shown must exist in both languages, so words may only be where gettext finds them. `scripts.catalogue`
checks the messages that gettext found; this module looks for those it cannot find. It is a heuristic that rather
reports too many: names that are the same in every language are listed in `SAME_EVERYWHERE`.
"""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

SAME_EVERYWHERE = {"Jantaku", "EN", "English", "日本語", "REST", "iCalendar", "OpenAPI", "CSV", "JSON", "XLSX", "API"}
WORD = re.compile(r"[A-Za-z]{2,}|[\u3041-\u30fa\u3400-\u9fff]")
SPOKEN_ATTRIBUTES = ("title", "alt", "placeholder", "aria-label", "aria-description", "label")
SILENT_ELEMENTS = ("script", "style", "code", "kbd", "samp")
IN_BOTH_LANGUAGES = ("500.html", "503.html")
"""Error pages shown when the service is down: they contain both languages."""
NO_SPEECH = re.compile(r"\{%\s*block (?:bodyclass|coltype|live)\s*%\}.*?\{%\s*endblock\b.*?%\}", re.DOTALL)
TRANSLATED = re.compile(r"\{%\s*blocktrans(?:late)?\b.*?\{%\s*endblocktrans(?:late)?\s*%\}", re.DOTALL)
LEFT_OUT = re.compile(r"\{%\s*comment\b.*?\{%\s*endcomment\s*%\}|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
JAVASCRIPT = re.compile(
    r"//[^\n]*|/\*.*?\*/|" + r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)""", re.DOTALL
)
SENTENCE = re.compile(r"[\u3041-\u30fa\u3400-\u9fff]|^[A-Z][a-z]+(?: [a-z']+)+[.!?…]?$|\w [a-z]+ \w+[.!?]$")
UNITS = {"点"}
"""Characters that scripts parse in user input, and never show."""
SAID_BY = {"refuse", "conflict", "Finding", "Http404", "ValidationError", "PermissionDenied"}
MESSAGES = {"success", "error", "warning", "info"}
SPEAKING = re.compile(rf"\b(?:{'|'.join((*SAID_BY, *MESSAGES))})\s*\(")
TEXT_AT = {"refuse": 1, "conflict": 1, "Finding": 1, **dict.fromkeys(MESSAGES, 1)}
"""Position of the text among the arguments, if it is not the first."""


class Bare(HTMLParser):
    """Collects the untranslated words of a template with their lines."""

    def __init__(self) -> None:
        super().__init__()
        self.silent: list[str] = []
        self.found: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check attributes that are shown or read out by screen readers too."""
        if tag in SILENT_ELEMENTS:
            self.silent.append(tag)
        for name, value in attrs:
            if name in SPOKEN_ATTRIBUTES and value:
                self.handle_data(value)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element whose text is not checked."""
        if tag in self.silent:
            self.silent.remove(tag)

    def handle_data(self, data: str) -> None:
        """Keep words, unless they are the same in every language."""
        words = [word for word in re.findall(r"[^\W\d_]+", data) if WORD.search(word)]
        if not self.silent and any(word not in SAME_EVERYWHERE for word in words):
            self.found.append((self.getpos()[0], " ".join(data.split())[:60]))


def in_template(text: str) -> Iterator[tuple[int, str]]:
    """Yield the untranslated text of a template, with its line."""
    parser = Bare()
    for pattern in (NO_SPEECH, TRANSLATED, LEFT_OUT):
        text = pattern.sub(_blank, text)
    parser.feed(text)
    return iter(parser.found)


def _blank(found: re.Match[str]) -> str:
    """Return as many line breaks as there were, so that line numbers stay correct."""
    return "\n" * found[0].count("\n")


def in_script(text: str) -> Iterator[tuple[int, str]]:
    """Yield the string literals of a script that look like sentences, with their lines."""
    for found in JAVASCRIPT.finditer(text):
        said = (found[1] or "")[1:-1]
        if SENTENCE.search(said) and not set(re.findall(r"[\u3041-\u30fa\u3400-\u9fff]", said)) & UNITS:
            yield text.count("\n", 0, found.start()) + 1, said[:60]


def in_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield untranslated texts passed to functions that show them to users, with their lines."""
    if not SPEAKING.search(text):
        return  # parsing a module takes milliseconds, and most show nothing
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and (name := _speaker(node.func)):
            said = node.args[TEXT_AT.get(name, 0) :][:1]
            if said and (bare := _bare(said[0])) and WORD.search(bare):
                yield node.lineno, bare[:60]


def _speaker(called: ast.expr) -> str:
    """Return the name of the called function if it shows a text to users, else an empty string."""
    if isinstance(called, ast.Attribute):
        is_message = isinstance(called.value, ast.Name) and called.value.id == "messages" and called.attr in MESSAGES
        return called.attr if is_message or called.attr in SAID_BY else ""
    name = getattr(called, "id", "")
    return name if name in SAID_BY else ""


def _bare(text: ast.expr) -> str:
    """Return the text of a string literal, also of an f-string or a formatted one."""
    if isinstance(text, ast.Constant):
        return text.value if isinstance(text.value, str) else ""
    if isinstance(text, ast.JoinedStr):
        return "".join(_bare(part) for part in text.values)
    if isinstance(text, ast.BinOp):
        return _bare(text.left)
    return ""


def faults(root: Path) -> Iterator[str]:
    """Yield every untranslated text of the service: file, line, words."""
    places = (
        (root / "templates", ("*.html", "*.txt"), in_template),
        (root / "league" / "static" / "league", ("*.js",), in_script),
        (root / "league", ("*.py",), in_python),
    )
    for folder, patterns, search in places:
        for path in sorted(file for pattern in patterns for file in folder.rglob(pattern)):
            if not {"vendor", "management", *IN_BOTH_LANGUAGES} & set(path.parts):
                for line, words in search(path.read_text(encoding="utf-8")):
                    yield f"not to be translated: {path.relative_to(root)}:{line}: {words!r}"
