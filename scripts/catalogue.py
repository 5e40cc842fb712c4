"""Maintain the Japanese message catalogue without the gettext tools.

`python -m scripts.catalogue update` brings `django.po` up to date with the messages found in code and templates,
keeps existing translations, and compiles `django.mo`, which is committed with it. `check` fails when a message is
missing, left over, untranslated, marked fuzzy, has other placeholders than its original, or is not compiled; and when
text is where no catalogue can find it (`scripts.wording`).

Django's `makemessages` needs xgettext, which is often missing. Babel has no extractor for today's templates: django-
babel ends with version 0.6.2 of 2017, for Django before 3, and cannot be imported with Django 5.2. Babel over
Django's `templatize` finds the same 3,551 messages, in 145 lines instead of these, with 33 MB more to install and
2,296 changed lines in `django.po`; hence polib and our own extraction.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
from django.utils.translation.template import templatize

from scripts import wording

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "league" / "locale" / "ja" / "LC_MESSAGES" / "django.po"
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|\{(\w*)\}")
LITERAL = r"""u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
TEMPLATE_CALL = re.compile(rf"\b(_|gettext|pgettext|ngettext|npgettext)\({LITERAL}(?:,\s*{LITERAL})?(?:,\s*{LITERAL})?")
METADATA = {
    "Project-Id-Version": "jantaku",
    "Language": "ja",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=1; plural=0;",
}


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """The identity of a message: its English, its plural and its context, the latter two often empty."""

    english: str
    plural: str = ""
    context: str = ""


def shape(function: str, texts: list[str]) -> Message | None:
    """Return the message of a call of a gettext function with these texts, or None if it is not one."""
    name = function.removesuffix("_lazy").removesuffix("_noop")
    context = texts.pop(0) if name in ("pgettext", "npgettext") and texts else ""
    if name in ("ngettext", "npgettext") and len(texts) > 1:
        return Message(texts[0], texts[1], context)
    if name in ("_", "gettext", "pgettext") and texts:
        return Message(texts[0], "", context)
    return None


def in_python(text: str) -> Iterator[Message]:
    """Yield the messages of a module."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        message = shape(name, texts)
        if message:
            yield message


def in_engine(text: str) -> Iterator[Message]:
    """Yield the sentences of a module of the engine: the values of its table `SENTENCES`."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "SENTENCES":
            table = node.value.values if isinstance(node.value, ast.Dict) else []
            yield from (Message(ast.literal_eval(sentence)) for sentence in table)


def in_template(text: str) -> Iterator[Message]:
    """Yield the messages of a template."""
    for name, *literals in TEMPLATE_CALL.findall(templatize(text)):
        message = shape(name, [ast.literal_eval(literal) for literal in literals if literal])
        if message:
            yield message


def used() -> dict[Message, list[str]]:
    """Return every message of the service with the files that use it."""
    found: dict[Message, list[str]] = defaultdict(list)
    modules = sorted((ROOT / "league").rglob("*.py"))
    templates = sorted(path for path in (ROOT / "templates").rglob("*") if path.is_file())
    for path in modules + templates:
        text = path.read_text(encoding="utf-8")
        messages = in_python(text) if path.suffix == ".py" else in_template(text)
        for message in set(messages):
            found[message].append(str(path.relative_to(ROOT)))
    for path in sorted([*(ROOT / "scoring").rglob("*.py"), *(ROOT / "rulesets").rglob("*.py")]):
        for message in in_engine(path.read_text(encoding="utf-8")):
            found[message].append(str(path.relative_to(ROOT)))
    return found


def key(entry: polib.POEntry) -> Message:
    """Return the message that an entry of the catalogue translates."""
    return Message(entry.msgid, entry.msgid_plural, entry.msgctxt or "")


def texts_of(entry: polib.POEntry) -> list[str]:
    """Return the entry's translations: one, or one per plural form."""
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def update() -> None:
    """Rewrite the catalogue from the messages in use and the existing translations."""
    old = {key(entry): entry for entry in polib.pofile(str(CATALOGUE))} if CATALOGUE.exists() else {}
    catalogue = polib.POFile(wrapwidth=110)
    catalogue.metadata = METADATA
    for message, files in sorted(used().items(), key=lambda item: (item[1], item[0])):
        entry = old.get(message) or polib.POEntry(msgid=message.english, msgctxt=message.context or None)
        if message.plural:
            entry.msgid_plural = message.plural
            entry.msgstr_plural = entry.msgstr_plural or {0: ""}
        entry.occurrences = [(file, "") for file in files]
        catalogue.append(entry)
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(CATALOGUE))
    catalogue.save_as_mofile(str(CATALOGUE.with_suffix(".mo")))


def faults(catalogue: polib.POFile, messages: set[Message]) -> Iterator[str]:
    """Yield every fault of the catalogue, compared with the messages in use."""
    entries = {key(entry): entry for entry in catalogue}
    for message in sorted(messages - entries.keys()):
        yield f"missing: {message.english!r}"
    for message in sorted(entries.keys() - messages):
        yield f"no longer used: {message.english!r}"
    for message, entry in entries.items():
        if entry.fuzzy or not all(texts_of(entry)):
            yield f"not translated: {message.english!r}"
        elif any(placeholders(text) != placeholders(message.english) for text in texts_of(entry)):
            yield f"other placeholders than its original: {message.english!r}"


def placeholders(text: str) -> set[str]:
    """Return the names of a text's placeholders."""
    return {name or position for name, position in PLACEHOLDER.findall(text)}


def check() -> int:
    """Print every fault and return the exit status."""
    if not CATALOGUE.exists():
        print("There is no catalogue yet: make messages")
        return 0
    catalogue = polib.pofile(str(CATALOGUE))
    found = list(faults(catalogue, set(used())))
    compiled = CATALOGUE.with_suffix(".mo")
    if not compiled.exists() or compiled.read_bytes() != catalogue.to_binary():
        found.append("django.mo is not what django.po compiles to: make messages")
    found += wording.faults(ROOT)
    print(*found, f"{len(catalogue)} messages, {len(found)} faults", sep="\n")
    return 1 if found else 0


def main(arguments: list[str]) -> int:
    """Update or check the catalogue, by the first argument."""
    if arguments == ["update"]:
        update()
        return 0
    if arguments == ["check"]:
        return check()
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
