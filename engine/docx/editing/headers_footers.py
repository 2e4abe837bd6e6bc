"""Headers and footers that a plan writes into by the words `header` and `footer`.

What is there is written into as any story is. What is missing is made first: an empty part and the
reference to it in the first section, from which the others take it over. Word cannot track that, so
both the baseline and the working copy have it; the text that comes in is tracked.

ECMA-376 Part 1, 17.10.4 (hdr), 17.10.3 (ftr), 17.10.5 (headerReference), 17.10.2 (footerReference).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final
from xml.sax.saxutils import quoteattr

from msgspec import structs

from redraft.engine.docx.anchors import StoryPlace, blocks, stories
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.names import STRICT, W_P, W_SECT_PR, W_VAL, Element, R, W
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.redline.textmap import read as read_line
from redraft.engine.errors import RefusedError, VerificationError
from redraft.engine.plan import EditPlan, InsertBlocks, Operation, RewriteBlock
from redraft.engine.state import State

FURNITURE: Final = ("header", "footer")
_ROOTS: Final = {"header": "hdr", "footer": "ftr"}
_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.{}+xml"
_MADE: Final = (
    "The document had no {0}; an empty one was made, which Word cannot track. Its text is tracked"
)
_NO_SECTION: Final = (
    "The document has no section that could refer to a new {0}; add one in Word first"
)
_CHANGE: Final = W("sectPrChange")
_SECTION: Final = re.compile(
    rb"<((?:[A-Za-z_][\w.-]*:)?)sectPr(?=[\s/>])(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>"
)


@dataclass(frozen=True, slots=True)
class Furnished:
    """The package with what a plan needs, what is known of it, and the plan with real anchors.

    `data` is the new file; None when nothing had to be made.
    """

    package: Package
    state: State
    plan: EditPlan
    data: bytes | None
    warnings: tuple[str, ...]


def furnish(package: Package, state: State, plan: EditPlan) -> Furnished:
    """Makes the headers and footers that a plan names and the document lacks.

    Raises:
        RefusedError: the document has no place for the reference.
        VerificationError: making them changed something else.
    """
    wanted = dict.fromkeys(
        insertion.block
        for insertion in plan.operations
        if isinstance(insertion, InsertBlocks) and insertion.block in FURNITURE
    )
    if not wanted:
        return Furnished(package, state, plan, None, ())
    data: bytes | None = None
    warnings: list[str] = []
    for kind in wanted:
        if _story(package, kind) is None:
            _make(package, kind)
            data = package.save()
            package = Package.open(data)
            state = _moved(package, state)
            warnings.append(_MADE.format(kind))
    filled: set[str] = set()
    operations = tuple(
        made for operation in plan.operations for made in _placed(package, state, operation, filled)
    )
    return Furnished(package, state, replace(plan, operations=operations), data, tuple(warnings))


def _story(package: Package, kind: str) -> StoryPlace | None:
    """Returns the header or footer of ordinary pages; another one where there is none."""
    candidates = [story for story in stories(package) if story.kind == kind]
    return next(
        (story for story in candidates if story.purpose == "default"), next(iter(candidates), None)
    )


def _placed(
    package: Package, state: State, operation: Operation, filled: set[str]
) -> list[Operation]:
    """Returns an operation with the anchor of a block; the first new one fills an empty header."""
    if not isinstance(operation, InsertBlocks) or operation.block not in FURNITURE:
        return [operation]
    story = _story(package, operation.block)
    children = [] if story is None else list(blocks(story.container))
    if story is None or not children:
        message = f"The {operation.block} of the document holds no paragraph to write beside"
        raise RefusedError(message)
    at = 0 if operation.where == "before" else len(children) - 1
    block = children[at]
    number = sum(child.tag == block.tag for child in children[: at + 1])
    anchor = f"{story.anchor}.{'p' if block.tag == W_P else 't'}{number}"
    is_empty = (
        anchor not in filled
        and len(children) == 1
        and block.tag == W_P
        and not read_line(block, state.ours).units
    )
    if not is_empty or operation.blocks[0].kind not in ("paragraph", "like_anchor"):
        return [structs.replace(operation, block=anchor)]
    filled.add(anchor)
    first, *others = operation.blocks
    made: list[Operation] = [RewriteBlock(anchor, first.text)]
    if others:
        made.append(InsertBlocks(anchor, "after", tuple(others)))
    return made


def _make(package: Package, kind: str) -> None:
    """Adds an empty header or footer and refers to it in the first section."""
    style = _style(package, kind)
    looks = "" if style is None else f"<w:pPr><w:pStyle w:val={quoteattr(style)}/></w:pPr>"
    root = _ROOTS[kind]
    content = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<w:{root} xmlns:w="{_spelled(package, W)}"><w:p>{looks}</w:p></w:{root}>'
    )
    before = set(package.relationships(package.main))
    new_parts.add(package, package.main, kind, _TYPE.format(kind), content.encode())
    identifier = next(iter(set(package.relationships(package.main)) - before))
    package.replace(package.main, _referring(package, kind, identifier))


def _style(package: Package, kind: str) -> str | None:
    """Returns the id of the paragraph style for headers or footers, if the document has it."""
    for part in package.related(package.main, "styles"):
        for style in package.tree(part).iter(W("style")):
            name = style.find(W("name"))
            if name is not None and name.get(W_VAL, "").lower() == kind:
                return style.get(W("styleId"))
    return None


def _spelled(package: Package, namespace: str) -> str:
    """Returns a namespace as the file spells it: Strict files have their own."""
    strict = {value: key for key, value in STRICT.items()}
    return strict.get(namespace, namespace) if package.strict else namespace


def _referring(package: Package, kind: str, identifier: str) -> bytes:
    """Returns the main part with a reference in its first section; all other bytes stay.

    Raises:
        RefusedError: the main part has no section, or is not written in UTF-8.
    """
    data = package.read(package.main)
    sections = list(package.tree(package.main).iter(W_SECT_PR))
    spans = list(_SECTION.finditer(data))
    at = next((n for n, section in enumerate(sections) if not _is_former(section)), None)
    if at is None or len(spans) != len(sections):
        raise RefusedError(_NO_SECTION.format(kind))
    span = spans[at]
    prefix = span[1].decode()
    reference = (
        f'<{prefix}{kind}Reference xmlns:r="{_spelled(package, R)}" '
        f'{prefix or "w:"}type="default" r:id={quoteattr(identifier)}/>'
    ).encode()
    if not span[0].endswith(b"/>"):
        return data[: span.end()] + reference + data[span.end() :]
    tag = span[0][:-2] + b">" + reference + b"</" + span[1] + b"sectPr>"
    return data[: span.start()] + tag + data[span.end() :]


def _is_former(section: Element) -> bool:
    parent = section.getparent()
    return parent is not None and parent.tag == _CHANGE


def _moved(package: Package, state: State) -> State:
    """Returns what is known of the document with an empty header.

    One block of the baseline differs.

    Raises:
        VerificationError: more does.
    """
    baseline = fingerprint(package, state.ours)
    for part, before in state.baseline.items():
        after = baseline.get(part, ())
        differing = sum(a != b for a, b in zip(before, after, strict=False))
        if len(before) != len(after) or differing > (part == package.main):
            message = f"law 1 is broken in {part}: a new header or footer changed other blocks"
            raise VerificationError(message)
    return replace(state, baseline=baseline)
