"""Kana and Latin letters: competitions' names as a proposal for their addresses, guests found by typing a reading.

Kana are written in Hepburn romanization, and words that leagues are called by in English. Other kanji have no single
reading, so they are left out. A reading may be typed in Hepburn or Kunrei romanization.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulesets.normalization import normalize

WORDS = {
    "リーグ戦": "league", "リーグ": "league", "カップ": "cup", "杯": "cup", "マスターズ": "masters", "オープン": "open",
    "シンデレラ": "cinderella", "ファイナル": "final", "チーム": "team", "クラブ": "club", "サークル": "circle",
    "サロン": "salon", "フリー": "free", "ボーイ": "boy", "プロ": "pro", "アマ": "amateur", "シーズン": "season",
    "トーナメント": "tournament", "チャンピオンシップ": "championship", "チャンピオン": "champion",
    "グランプリ": "grand-prix", "ステージ": "stage", "ブロック": "block", "新人王": "rookie", "最強": "saikyo",
    "名人": "meijin", "王座": "oza", "選手権": "championship", "大会": "tournament", "麻雀": "mahjong",
    "雀荘": "janso", "三麻": "sanma", "四麻": "yonma", "予選": "preliminary", "決勝": "final", "定例会": "meeting",
    "例会": "meeting", "練習": "practice", "女流": "ladies", "春季": "spring", "夏季": "summer", "秋季": "autumn",
    "冬季": "winter", "春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter", "新春": "new-year",
    "前期": "first-half", "後期": "second-half", "東京": "tokyo", "大阪": "osaka", "京都": "kyoto", "名古屋": "nagoya",
    "福岡": "fukuoka", "札幌": "sapporo", "仙台": "sendai", "神戸": "kobe", "横浜": "yokohama", "広島": "hiroshima",
    "関東": "kanto", "関西": "kansai",
}  # fmt: skip
"""Words in the names of competitions, in English or as they are known in Latin letters."""
_ROWS = {
    "": "あいうえお", "k": "かきくけこ", "s": "さ すせそ", "t": "た  てと", "n": "なにぬねの", "h": "はひ へほ",
    "m": "まみむめも", "y": "や ゆ よ", "r": "らりるれろ", "w": "わ   ", "g": "がぎぐげご", "z": "ざ ずぜぞ",
    "d": "だ  でど", "b": "ばびぶべぼ", "p": "ぱぴぷぺぽ",
}  # fmt: skip
"""The kana of each consonant in the order of the vowels a, i, u, e, o, with blanks for those that sound otherwise."""
_OTHERS = {
    "し": "shi", "ち": "chi", "つ": "tsu", "ふ": "fu", "じ": "ji", "ぢ": "ji", "づ": "zu", "ゐ": "i", "ゑ": "e",
    "を": "o", "ん": "n", "ゔ": "vu", "ゎ": "wa",
}  # fmt: skip
_MONO = _OTHERS | {
    kana: consonant + vowel
    for consonant, row in _ROWS.items()
    for kana, vowel in zip(row, "aiueo", strict=False)
    if kana != " "
}
_SMALL_Y = {"ゃ": "ya", "ゅ": "yu", "ょ": "yo"}
_SMALL_VOWELS = {"ぁ": "a", "ぃ": "i", "ぅ": "u", "ぇ": "e", "ぉ": "o"}
_TO_HIRAGANA = {letter: letter - 0x60 for letter in range(0x30A1, 0x30F7)}
_KANA = re.compile("[ぁ-ゖァ-ヶー]+")
_PARTICLES = frozenset("のとをにはがでへも")
"""Kana that join words where they stand alone; a name's Latin words are joined without them."""
_KANJI = "[々一-龠]"
_KNOWN = re.compile("|".join(
    f"(?<!{_KANJI}){word}(?!{_KANJI})" if word in "春夏秋冬" else word for word in sorted(WORDS, key=len, reverse=True)
))  # fmt: skip
"""A season's kanji is a word only by itself: 春雀 is a name."""
_ORDINAL = re.compile("第([0-9]{1,9})[期回節季]?|([0-9]{1,9})[期回年季度]{1,4}")
_LONG_O = re.compile("o[ou](?![aeiou])")


def latin_name(name: str) -> str:
    """Return a name in Latin letters, its words separated by blanks; kanji without a known reading are left out."""
    text = normalize("NFKC", name)
    text = _ORDINAL.sub(lambda found: f" {found[1] or found[2]} ", text)
    text = _KNOWN.sub(lambda found: f" {WORDS[found[0]]} ", text)
    return " ".join(_KANA.sub(lambda found: " " if found[0] in _PARTICLES else f" {romaji(found[0])} ", text).split())


def romaji(kana: str) -> str:
    """Return hiragana or katakana in Hepburn romanization without marks of length: とうきょう is tokyo."""
    found = ""
    is_doubled = False
    for letter in kana.translate(_TO_HIRAGANA):
        if letter == "っ":
            is_doubled = True
            continue
        if letter in _SMALL_Y and found.endswith("i"):
            palatal = found.endswith(("shi", "chi", "ji"))
            found = found[:-1] + (_SMALL_Y[letter][1:] if palatal else _SMALL_Y[letter])
        elif letter in _SMALL_VOWELS and found.endswith(("u", "i", "e", "o")):
            found = found[:-1] + _SMALL_VOWELS[letter]
        else:
            sound = _MONO.get(letter) or _SMALL_Y.get(letter) or _SMALL_VOWELS.get(letter, "")
            found += (("t" if sound.startswith("ch") else sound[:1]) if is_doubled else "") + sound
        is_doubled = False
    return _LONG_O.sub("o", found).replace("uu", "u")


_KUNREI = {
    "し": "si", "ち": "ti", "つ": "tu", "ふ": "hu", "じ": "zi", "ぢ": "di", "づ": "du", "を": "wo",
    "しゃ": "sya", "しゅ": "syu", "しょ": "syo", "ちゃ": "tya", "ちゅ": "tyu", "ちょ": "tyo",
    "じゃ": "zya", "じゅ": "zyu", "じょ": "zyo", "じゃ ": "jya", "じゅ ": "jyu", "じょ ": "jyo",
}  # fmt: skip
"""Spellings other than Hepburn's; a blank sets two spellings of the same kana apart."""


def _syllables() -> dict[str, tuple[str, ...]]:
    """Return the kana that may be meant by each syllable in Latin letters."""
    kana = [*_MONO, *(first + small for first in _MONO if _MONO[first].endswith("i") for small in _SMALL_Y)]
    kana += [first + small for first in ("ふ", "ゔ", "う", "て", "で", "し", "じ", "ち") for small in _SMALL_VOWELS]
    found: dict[str, list[str]] = {}
    for each in kana:
        found.setdefault(romaji(each), []).append(each)
    for each, latin in _KUNREI.items():
        found.setdefault(latin, []).append(each.strip())
    # Without the apostrophe, "junichi" may be じゅにち or じゅんいち.
    for latin, start in (("na", "あ"), ("ni", "い"), ("nu", "う"), ("ne", "え"), ("no", "お"), ("nya", "や")):
        found[latin].append("ん" + start)
    return {latin: tuple(kana) for latin, kana in found.items()}


_SYLLABLES = _syllables()
_LONGEST_SYLLABLE = max(map(len, _SYLLABLES))
_CLOSED = re.compile(r"nn(?![aiueoy])|n(?![aiueoy]|$)|m(?=[bpm])|t(?=ch)|([bcdfghjkpqrstvwyz])(?=\1)")
"""A mora without a vowel: ん, also written m, or the first of two consonants."""
_MACRONS = str.maketrans("āīūēōâîûêô", "aiueoaiueo")


def kana_pattern(latin: str) -> str | None:
    """Return a regular expression for kana that are read as these Latin letters, or None if none are.

    Long vowels may be written or left out, and the last syllable may be unfinished: "oot", "ōta" and "ota" all match
    おおた. Only constructs that every database knows are used.
    """
    rest = latin.casefold().translate(_MACRONS).replace("'", "").replace("-", "")
    found = ""
    while rest:
        if mora := _CLOSED.match(rest):
            found += "[んン]" if mora[0][0] in "nm" else "[っッ]"
            rest = rest[mora.end() :]
            continue
        syllable = next((rest[:end] for end in range(_LONGEST_SYLLABLE, 0, -1) if rest[:end] in _SYLLABLES), None)
        if syllable is None or rest == "n":
            begun = [kana for known, kana in _SYLLABLES.items() if known.startswith(rest)]
            return found + _either(dict.fromkeys(each for kana in begun for each in kana)) if begun else None
        rest = rest[len(syllable) :]
        found += _either(_SYLLABLES[syllable]) + _lengthened(syllable[-1])
        rest = rest.removeprefix("h") if syllable.endswith("o") and rest[1:2] not in set("aiueoy") else rest
    return found or None


def _either(kana: Iterable[str]) -> str:
    """Return a pattern for any of these kana, in hiragana or katakana."""
    return "(" + "|".join("".join(f"[{one}{chr(ord(one) + 0x60)}]" for one in each) for each in kana) + ")"


def _lengthened(vowel: str) -> str:
    """Return a pattern for what may lengthen a vowel in kana without being typed."""
    return {"o": "[おうオウー]?", "u": "[うウー]?", "a": "ー?", "i": "ー?", "e": "[いイー]?"}.get(vowel, "")
