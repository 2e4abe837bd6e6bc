"""Holds a random edit of a PDF against what it should do, by readers that know no editor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from redraft.engine.pdf import form_fields
from redraft.engine.pdf.glyphs.lines import letters
from redraft.engine.plan import FormatText, Redact, RemoveLink, SetField, SetLink
from tests.engine.pdf.hunt_readers import (
    LARGEST,
    NO_PAGE,
    Box,
    Letter,
    Sheet,
    is_repaired,
    lines,
    marks,
    middle,
    mupdf_letters,
    picture,
    require,
    sheets,
    shown,
    stored,
    stored_texts,
    text_of,
)
from tests.engine.pdf.hunting import WORD, Attempt

MOVED = 0.1
"""Points; MuPDF and PDFium add up widths that they have rounded to thousandths of the size."""
COVERED = 0.45
"""Two letters stand on each other if so much of the smaller box is shared."""
VISIBLE, FEW = 48, 40


def judge(before: bytes, after: bytes, done: Attempt) -> None:
    """Hold an edited file against the one before it."""
    opens(after, before)
    if done.order is not None:
        judge_order(before, after, done.order)
        return
    judge_letters(before, after, done)
    judge_stored(before, after, done)
    for page in range(len(sheets(before))):
        if done.page is not None and page not in (done.page, done.page + 1):
            require(picture(before, page) == picture(after, page), f"page {page + 1} looks changed")
        elif done.page is not None:
            judge_page(before, after, page, done)
    if isinstance(done.operation, Redact):
        judge_gone(after, [done.operation.find])
    else:
        shown_now = {word for sheet in sheets(after) for word in WORD.findall(sheet.said)}
        judge_gone(after, set(WORD.findall(done.gone)) - shown_now, besides=NO_PAGE)


def opens(data: bytes, before: bytes) -> None:
    """All three libraries open it, and find nothing wrong that was not so before."""
    more = stored(data).problems - stored(before).problems
    require(not more, f"qpdf finds {sorted(more)[:2]}")
    require(is_repaired(before) or not is_repaired(data), "MuPDF has to repair it")
    require(len(sheets(data)) > 0, "PDFium finds no page")


def judge_letters(before: bytes, after: bytes, done: Attempt) -> None:
    """The letters are those of before, less what went, and what came."""
    expected, now = text_of(before), text_of(after)
    if isinstance(done.operation, Redact):
        lost = expected - now
        require(not now - expected, f"letters came: {now - expected}")
        own = Counter(letters(done.operation.find))
        require(set(lost) <= set(own), f"other letters went: {lost - own}")
        return
    expected.subtract(letters(done.gone))
    expected.update(letters(done.come))
    missing, more = +expected - now, now - +expected
    require(not missing and not more, f"letters: missing {dict(missing)}, more {dict(more)}")


def judge_stored(before: bytes, after: bytes, done: Attempt) -> None:
    """Annotations, tags and outline are as many as before."""
    first, second = stored(before), stored(after)
    old, new = Counter(first.annotations), Counter(second.annotations)
    # A link over two lines may come to stand on one, and the other way round.
    old["Link"] = new["Link"] = 0
    lost = done.targets - second.targets
    require(not lost, f"links went: {sorted(lost)[:3]}")
    # A mark goes, and its window, where all of its words go.
    gone = Counter(letters(done.gone))
    for kinds, words in marks(before, done.page) if done.page is not None else ():
        if words and Counter(words) <= gone and kinds <= old - new:
            old -= kinds
    require(+old == +new, f"annotations: {dict(old)} became {dict(new)}")
    for name in ("tags", "titles", "pages"):
        was, now = getattr(first, name), getattr(second, name)
        require(was == now, f"{name}: {was} became {now}")


def judge_page(before: bytes, after: bytes, page: int, done: Attempt) -> None:
    """Beside the lines that changed all stands and looks as it did, and nothing lies on another."""
    old, new = lines(before, page), lines(after, page)
    changed = [box for _, box in set(old) ^ set(new)]
    judge_lines(old, new, page, done)
    if isinstance(done.operation, FormatText | SetLink | RemoveLink):
        changed = [box for _, box in old]
    drifted = _shifted(sheets(before)[page].found, sheets(after)[page].found, changed)
    if drifted:
        judge_drift(before, after, page, changed)
        changed += [each.box for each in drifted]
    first, second = sheets(before)[page], sheets(after)[page]
    was, now = covered(first.found), covered(second.found)
    require(len(now) <= len(was) + 1, f"page {page + 1}: letters lie on others: {now[-6:]}")
    was, now = outside(first), outside(second)
    require(len(now) <= len(was), f"page {page + 1}: letters beside the page: {now[:20]}")
    if not _is_pushed(old, new):
        # Letters are judged by their places, and may snap to another fraction of a pixel.
        text = [*changed, *(box for _, box in old)]
        count = differing(before, after, page, shown(before, page, text))
        require(count <= FEW, f"page {page + 1}: {count} pixels changed beside the lines")


def judge_lines(
    old: Sequence[tuple[str, Box]], new: Sequence[tuple[str, Box]], page: int, done: Attempt
) -> None:
    """Lines that share no word with the block stay, or go up or down all together."""
    own = set(re.findall(r"\w+", f"{done.own} {done.gone} {done.come}"))
    there: dict[str, list[Box]] = {}
    for text, box in set(new) - set(old):
        there.setdefault(_bare(text), []).append(box)
    steps: Counter[float] = Counter()
    for text, box in set(old) - set(new):
        if not re.search(r"\w", text) or own & set(re.findall(r"\w+", text)):
            continue
        same = [each for each in there.get(_bare(text), ()) if abs(each[0] - box[0]) < 0.3]
        require(bool(same), f"page {page + 1}: the line {text[:50]!r} changed too")
        steps[round(min((e[1] - box[1] for e in same), key=abs) * 2) / 2] += 1
    few = [step for step, count in steps.items() if count < 2 < steps.total()]
    require(len(steps) - len(few) < 3, f"page {page + 1}: lines moved apart: {dict(steps)}")


def _bare(text: str) -> str:
    return "".join(text.split())


def judge_drift(before: bytes, after: bytes, page: int, changed: Sequence[Box]) -> None:
    """What PDFium sees move, outside of boxes, stands where it stood if MuPDF is asked.

    PDFium drops the fractions of widths (277.8 counts as 277), so that what stands behind many
    letters in one string stands too far left until something before it is placed anew. MuPDF rounds
    them, and is hardly wrong.
    """
    moved = _shifted(mupdf_letters(before, page), mupdf_letters(after, page), changed)
    text = "".join(each.char for each in moved)
    require(not moved, f"page {page + 1}: moved {text[:60]!r}")


def _shifted(old: Sequence[Letter], new: Sequence[Letter], changed: Sequence[Box]) -> list[Letter]:
    """Give the letters that stand elsewhere now, outside of boxes."""
    near: dict[tuple[str, int, int], list[tuple[float, float]]] = {}
    for each in new:
        x, y = middle(each.box)
        near.setdefault((each.char, round(x), round(y)), []).append((x, y))
    found: list[Letter] = []
    for each in old:
        x, y = middle(each.box)
        if any(a - 1 <= x <= c + 1 and b - 1 <= y <= d + 1 for a, b, c, d in changed):
            continue
        places = [
            place
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for place in near.get((each.char, round(x) + dx, round(y) + dy), ())
        ]
        if not any(abs(x - u) < MOVED and abs(y - v) < MOVED for u, v in places):
            found.append(each)
    return found


def covered(found: Sequence[Letter]) -> list[str]:
    """Give the pairs of letters that lie on each other, but for neighbours, which may lean so."""
    cells: dict[tuple[int, int], list[tuple[int, Letter]]] = {}
    pairs: list[str] = []
    for number, each in enumerate(found):
        x, y = middle(each.box)
        here = int(x) // 12, int(y) // 12
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for at, other in cells.get((here[0] + dx, here[1] + dy), ()):
                    if number - at > 1 and _share(each.box, other.box) > COVERED:
                        pairs.append(other.char + each.char)
        cells.setdefault(here, []).append((number, each))
    return pairs


def _share(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    areas = ((b[2] - b[0]) * (b[3] - b[1]) for b in (one, other))
    return width * height / max(min(areas), 0.01) if width > 0 and height > 0 else 0.0


def outside(sheet: Sheet) -> list[str]:
    """Give the letters that stand beside the page."""
    width, height = sheet.size
    return [
        each.char
        for each in sheet.found
        if not (each.box[0] >= -1 and each.box[2] <= width + 1)
        or not (each.box[1] >= -1 and each.box[3] <= height + 1)
    ]


def _is_pushed(old: Sequence[tuple[str, Box]], new: Sequence[tuple[str, Box]]) -> bool:
    """Whether lines went up or down as a whole."""
    there = {text: box for text, box in old if len(text) > 2}
    return any(
        text in there and there[text] != box and abs(there[text][1] - box[1]) > 2
        for text, box in new
    )


def differing(before: bytes, after: bytes, page: int, changed: Sequence[Box]) -> int:
    """Count the pixels that differ clearly, outside of boxes and a little around them."""
    (width, height, one), (_, _, two) = picture(before, page), picture(after, page)
    require(len(one) == len(two), "the page has another size")
    stride = 4 * width
    scale = min(1.0, LARGEST / max(sheets(before)[page].size))
    changed = [(a * scale, b * scale, c * scale, d * scale) for a, b, c, d in changed]
    count = 0
    for y in range(height):
        first, second = one[y * stride : (y + 1) * stride], two[y * stride : (y + 1) * stride]
        if first == second:
            continue
        across = [(a - 6, c + 6) for a, b, c, d in changed if b - 3 <= y <= d + 3]
        for x in range(width):
            at = 4 * x
            if first[at : at + 3] != second[at : at + 3] and not any(
                a <= x <= c for a, c in across
            ):
                count += max(abs(first[at + n] - second[at + n]) for n in range(3)) > VISIBLE
    return count


def judge_order(before: bytes, after: bytes, order: Sequence[int | None]) -> None:
    """Every page says what the page it was says."""
    old, new = sheets(before), sheets(after)
    require(len(new) == len(order), f"{len(new)} pages, not {len(order)}")
    for number, was in enumerate(order):
        text = "" if was is None else old[was].text
        require(Counter(text) == Counter(new[number].text), f"page {number + 1} says other words")
    require(not stored(after).annotations - stored(before).annotations, "annotations came")


def judge_gone(data: bytes, words: Iterable[str], besides: tuple[str, ...] = ()) -> None:
    """Nobody finds words in what is stored, besides what is under some keys."""
    gone = [word for word in words if len(word) > 4]
    if not gone:
        return
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, gone))})(?!\w)")
    for name, text in stored_texts(data):
        found = pattern.search(text)
        require(
            found is None or name.endswith(besides),
            f"{found and found[0]!r} still stands in {name}",
        )


def judge_field(before: bytes, after: bytes, operation: SetField) -> None:
    """One field has another value, and the pages are the same."""
    opens(after, before)
    old, new = ({n: f.value for n, f in form_fields.fields(d).items()} for d in (before, after))
    require(new.pop(operation.control) == operation.value, "the field has another value")
    old.pop(operation.control)
    require(old == new, "other fields changed")


def same_look(one: bytes, other: bytes, what: str) -> None:
    """Two files say the same and look the same on every page."""
    first, second = sheets(one), sheets(other)
    require(len(first) == len(second), f"{what}: the number of pages")
    for page, (old, new) in enumerate(zip(first, second, strict=True)):
        require(Counter(old.text) == Counter(new.text), f"{what}: the words of page {page + 1}")
        if old != new or page in (0, len(first) - 1):
            count = differing(one, other, page, ())
            require(count <= FEW, f"{what}: {count} pixels of page {page + 1}")
