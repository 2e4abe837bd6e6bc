"""Answers, resolves and deletes comments that are in a Word document; Word tracks none of it.

An answer is a comment on the same words, which `commentsExtended` ties to the first of its
conversation by the ids of their last paragraphs; `commentsIds` and `people` are written along, as
Word 2013 to 365 do ([MS-DOCX] 2.5.4). The text of the body is not read: markers are put beside
markers and taken out as bytes, and all else of the part stays as it is.

[x] comments  [x] commentsExtended  [x] commentsIds  [x] people  [-] commentsExtensible (UTC dates)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from typing import Final

from lxml import etree

from redraft.engine.docx.judging.comment_remarks import remarks
from redraft.engine.docx.judging.fingerprint import fingerprint
from redraft.engine.docx.names import W_P, W_R, W_RPR, Element, Namespace, W
from redraft.engine.docx.opc import new_parts
from redraft.engine.docx.opc.package import CONTENT_TYPES, Package
from redraft.engine.docx.reading.comment_threads import (
    EXTENDED,
    PARA_ID,
    W15,
    comments,
    elements_of,
    entries_of,
    id_of,
    last_paragraph_id,
    root_of,
)
from redraft.engine.docx.steps.comments import highest_number, written_comment
from redraft.engine.errors import NotFoundError, PlanError, RefusedError, VerificationError
from redraft.engine.judge.conversations import judge_comments
from redraft.engine.plan import CommentThread, DeleteComment, ReplyComment, ResolveComment
from redraft.engine.report import Signature
from redraft.engine.state import State

UNTRACKED: Final = (
    "Word does not track comments: what is done to them is undone by hand or by undoing the edit"
)
_CID: Final = Namespace("http://schemas.microsoft.com/office/word/2016/wordml/cid")
_W14_URI: Final = "http://schemas.microsoft.com/office/word/2010/wordml"
_MC_URI: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_MS: Final = "http://schemas.microsoft.com/office"
_TYPES: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_MARKERS: Final = (b"commentRangeStart", b"commentRangeEnd", b"commentReference")
# Kind of part -> its root, the namespace of that, and what its relationship's type begins with.
_BESIDE: Final = {
    EXTENDED: ("commentsEx", W15, f"{_MS}/2011/relationships"),
    "commentsIds": ("commentsIds", _CID, f"{_MS}/2016/09/relationships"),
    "people": ("people", W15, f"{_MS}/2011/relationships"),
}


def discuss(
    data: bytes, state: State, operations: Sequence[CommentThread], signature: Signature
) -> tuple[bytes, State]:
    """Carries out operations on comments; the file that comes back is `data` if nothing changes.

    Raises:
        NotFoundError, PlanError, RefusedError: one of them cannot be carried out.
        VerificationError: it was, and something else changed or the plan says otherwise.
    """
    package, before = Package.open(data), Package.open(data)
    known = remarks(before)
    names = {name: id_of(element) for name, element in elements_of(package).items()}
    for operation in operations:
        if operation.target not in names:
            message = f"There is no comment {operation.target[:60]}"
            raise NotFoundError(message)
    _Discussion(package, names, signature).carry_out(operations)
    result = package.save()
    if result == before.save():
        return data, state
    opened = Package.open(result)
    judge_comments(known, operations, signature.author, remarks(opened))
    _hold(before, opened)
    return result, replace(state, baseline=fingerprint(opened, state.ours))


class _Discussion:
    """Carries out operations on the comments of one file.

    Comments are named as the plan found them: `names` gives the number of each in the text.
    """

    def __init__(self, package: Package, names: dict[str, str], signature: Signature) -> None:
        self._package = package
        self._names = names
        self._signature = signature
        self._listed = {comment.id: comment for comment in comments(package)}
        self._part = package.related(package.main, "comments")[0]

    def carry_out(self, operations: Sequence[CommentThread]) -> None:
        deleted = [op for op in operations if isinstance(op, DeleteComment)]
        gone = {
            name
            for name in self._names
            for op in deleted
            if name == op.target or op.target in self._above(name)
        }
        for operation in operations:
            if isinstance(operation, DeleteComment):
                continue
            root = root_of(self._listed, operation.target)
            if root in gone:
                message = f"The comment {operation.target} is to be deleted and answered"
                raise PlanError(message)
            if isinstance(operation, ResolveComment):
                self._resolve(root, is_done=operation.resolved)
            else:
                self._answer(root, operation)
        for name in sorted(gone, key=lambda name: int(name[1:])):
            self._delete(name)

    def _above(self, name: str) -> set[str]:
        above: set[str] = set()
        while (name := self._listed[name].parent) and name not in above:
            above.add(name)
        return above

    def _resolve(self, root: str, *, is_done: bool) -> None:
        if self._listed[root].resolved == is_done:
            return
        paragraph = self._paragraph_id(root)
        part = self._beside(EXTENDED)
        self._entry(paragraph).set(W15("done"), "1" if is_done else "0")
        self._package.replace(part, self._package.serialize(part))

    def _answer(self, root: str, operation: ReplyComment) -> None:
        if not operation.text.strip():
            message = "The answer says nothing"
            raise PlanError(message)
        package, signature = self._package, self._signature
        paragraph = self._paragraph_id(root)
        number = str(highest_number(package) + 1)
        self._mark(self._names[root], number)
        new = self._new_id(f"{number} {operation.text}")
        comment = written_comment(
            package, signature.author, signature.date, number, operation.text, new
        )
        new_parts.append(package, self._part, [comment])
        part = self._beside(EXTENDED)
        self._entry(paragraph)
        entry = self._entry(new)
        entry.set(W15("paraIdParent"), paragraph)
        package.replace(part, package.serialize(part))
        self._note_ids(paragraph, new)
        self._note_person()

    def _delete(self, name: str) -> None:
        package, number = self._package, self._names[name]
        element = self._element(name)
        paragraph = last_paragraph_id(element)
        parent = element.getparent()
        assert parent is not None  # it stands in its part
        parent.remove(element)
        package.replace(self._part, package.serialize(self._part))
        for kind, tag in ((EXTENDED, W15("paraId")), ("commentsIds", _CID("paraId"))):
            for part in package.related(package.main, kind):
                tree = package.tree(part)
                for entry in [e for e in tree if str(e.get(tag, "")).upper() == paragraph != ""]:
                    tree.remove(entry)
                    package.replace(part, package.serialize(part))
        self._unmark(number)

    # Entries beside the comments

    def _element(self, name: str) -> Element:
        number = self._names[name]
        return next(e for e in elements_of(self._package).values() if id_of(e) == number)

    def _paragraph_id(self, name: str) -> str:
        """Returns the id of a comment's last paragraph, which gets one if it has none."""
        known = last_paragraph_id(self._element(name))
        if known:
            self._declare()
            return known
        self._declare()
        paragraphs = list(self._element(name).iter(W_P))
        if not paragraphs:
            message = f"The comment {name} has no paragraph and cannot be answered"
            raise RefusedError(message)
        new = self._new_id(f"paragraph of {name}")
        paragraphs[-1].set(PARA_ID, new)
        self._package.replace(self._part, self._package.serialize(self._part))
        return new

    def _declare(self) -> None:
        """Lets readers that do not know the ids of paragraphs pass over them (ECMA-376 Part 3)."""
        package = self._package
        root = package.tree(self._part)
        data = package.read(self._part)
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            data = package.serialize(self._part)
        prefix = {uri: name for name, uri in root.nsmap.items() if name}
        w14, mc = prefix.get(_W14_URI, "w14"), prefix.get(_MC_URI, "mc")
        ignorable = root.get(f"{{{_MC_URI}}}Ignorable", "").split()
        added = "" if _W14_URI in prefix else f' xmlns:{w14}="{_W14_URI}"'
        added += "" if _MC_URI in prefix else f' xmlns:{mc}="{_MC_URI}"'
        if w14 not in ignorable and not ignorable:
            added += f' {mc}:Ignorable="{w14}"'
        match = re.search(rb"<(?:[\w.-]+:)?comments(?=[\s/>])", data)
        assert match is not None  # its root was parsed
        data = data[: match.end()] + added.encode() + data[match.end() :]
        if ignorable and w14 not in ignorable:
            pattern = rf'({mc}:Ignorable\s*=\s*["\'])'.encode()
            data = re.sub(pattern, rb"\g<1>" + f"{w14} ".encode(), data, count=1)
        if added or w14 not in ignorable:
            package.replace(self._part, data)

    def _new_id(self, seed: str) -> str:
        """Returns an id that no paragraph has: eight digits below 80000000, from the words."""
        used = {
            match.upper()
            for name in self._package.names()
            if name.endswith(".xml")
            for match in re.findall(
                rb'paraId(?:Parent)?="([0-9A-Fa-f]{8})"', self._package.read(name)
            )
        }
        # Not of the edit's own id: the same plan gives the same file through every door.
        words = f"{self._signature.date} {self._signature.author} {seed}"
        turn = 0
        while True:
            digest = sha256(f"{words} {turn}".encode()).digest()
            new = f"{int.from_bytes(digest[:4], 'big') % 0x7FFFFFFE + 1:08X}"
            if new.encode() not in used:
                return new
            turn += 1

    def _beside(self, kind: str) -> str:
        """Returns the part of a kind, made where there is none."""
        package = self._package
        known = package.related(package.main, kind)
        if known:
            return known[0]
        local, namespace, base = _BESIDE[kind]
        prefix = "w16cid" if namespace is _CID else "w15"
        data = f'<{prefix}:{local} xmlns:{prefix}="{namespace}"></{prefix}:{local}>'
        written = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n' + data.encode()
        name = new_parts.free_name(package, package.main, kind)
        new_parts.declare(package, name, f"{_TYPES}{kind}+xml")
        package.replace(name, written)
        new_parts.relate(package, package.main, kind, name.rpartition("/")[2], base=base)
        return name

    def _entry(self, paragraph: str) -> Element:
        """Returns what `commentsExtended` says of a comment, made where it says nothing."""
        known = entries_of(self._package).get(paragraph)
        if known is not None:
            return known
        root = self._package.tree(self._beside(EXTENDED))
        attributes = {W15("paraId"): paragraph, W15("done"): "0"}
        return etree.SubElement(root, W15("commentEx"), attributes)

    def _note_ids(self, *paragraphs: str) -> None:
        part = self._beside("commentsIds")
        root = self._package.tree(part)
        known = {entry.get(_CID("paraId"), "").upper() for entry in root}
        for paragraph in paragraphs:
            if paragraph not in known:
                durable = self._new_id(f"durable {paragraph}")
                attributes = {_CID("paraId"): paragraph, _CID("durableId"): durable}
                etree.SubElement(root, _CID("commentId"), attributes)
        self._package.replace(part, self._package.serialize(part))

    def _note_person(self) -> None:
        part = self._beside("people")
        root = self._package.tree(part)
        author = self._signature.author
        if author in {person.get(W15("author"), "") for person in root}:
            return
        person = etree.SubElement(root, W15("person"), {W15("author"): author})
        attributes = {W15("providerId"): "None", W15("userId"): author}
        etree.SubElement(person, W15("presenceInfo"), attributes)
        self._package.replace(part, self._package.serialize(part))

    # Markers in the text

    def _mark(self, number: str, new: str) -> None:
        """Puts markers of a new comment beside those of another one."""

        def doubled(found: bytes) -> bytes:
            return found + _ID_VALUE.sub(lambda m: m[1] + new.encode() + m[3], found)

        data = self._text()
        for marker in _MARKERS[:2]:
            data = _edited(data, marker, number, doubled)
        span = _reference_run(data, number)
        if span is None:
            message = "The comment hangs on no text, and cannot be answered"
            raise RefusedError(message)
        start, end = span
        run = data[start:end]
        reference = _marker(_MARKERS[2], number).search(run)
        assert reference is not None  # the span was found by it
        is_alone = _CONTENT.search(run.replace(reference[0], b"")) is None
        if is_alone:
            added = _ID_VALUE.sub(lambda m: m[1] + new.encode() + m[3], run)
        else:
            prefix = re.match(rb"<((?:[\w.-]+:)?)r", run)
            assert prefix is not None  # it is a run
            name = prefix[1] + b"r"
            copy = _ID_VALUE.sub(lambda m: m[1] + new.encode() + m[3], reference[0])
            added = b"<" + name + b">" + copy + b"</" + name + b">"
        # The end of a range stands before the reference that closes it.
        at = end
        moved = _taken_out(data, _MARKERS[1], new)
        if moved is not None:
            data, tag, place = moved
            at = end - len(tag) if place < end else end
            added = tag + added
        self._package.replace(self._package.main, data[:at] + added + data[at:])

    def _unmark(self, number: str) -> None:
        """Takes the markers of a comment out, and the run of its reference if it is alone there."""
        data = self._text()
        for marker in _MARKERS[:2]:
            data = _edited(data, marker, number, lambda _: b"")
        span = _reference_run(data, number)
        if span is not None:
            start, end = span
            run = _marker(_MARKERS[2], number).sub(b"", data[start:end])
            is_empty = _CONTENT.search(_RUN_PROPERTIES.sub(b"", run)) is None
            data = data[:start] + (b"" if is_empty else run) + data[end:]
        if data != self._text():
            self._package.replace(self._package.main, data)

    def _text(self) -> bytes:
        data = self._package.read(self._package.main)
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return self._package.serialize(self._package.main)
        return data


_PARA_IDS: Final = re.compile(rb'(?:paraId|paraIdParent|durableId)="([0-9A-Fa-f]{8})"')
_RUN_PROPERTIES: Final = re.compile(
    rb"<(?:[\w.-]+:)?rPr(?:\s[^<>]*)?(?:/>|>.*</(?:[\w.-]+:)?rPr\s*>)", re.DOTALL
)
# What a run holds beside its properties.
_CONTENT: Final = re.compile(rb"<(?!/)(?!(?:[\w.-]+:)?r[\s/>])")
_ID_VALUE: Final = re.compile(rb"((?<![\w.-])(?:[\w.-]+:)?id\s*=\s*[\"'])(\d+)([\"'])")


def _marker(local: bytes, number: str) -> re.Pattern[bytes]:
    """An expression for a marker of a comment, open and closed in one tag or in two."""
    value = rb"(?:[\w.-]+:)?id\s*=\s*[\"']" + re.escape(number.encode()) + rb"[\"']"
    tag = rb"<(?:[\w.-]+:)?" + local + rb"(?=\s)[^<>]*?(?<![\w.-])" + value + rb"[^<>]*?"
    return re.compile(tag + rb"(?:/>|>\s*</(?:[\w.-]+:)?" + local + rb"\s*>)")


def _edited(data: bytes, local: bytes, number: str, edit: Callable[[bytes], bytes]) -> bytes:
    return _marker(local, number).sub(lambda match: edit(match[0]), data)


def _taken_out(data: bytes, local: bytes, number: str) -> tuple[bytes, bytes, int] | None:
    """Takes a marker out; what is left, the marker, and where it stood."""
    match = _marker(local, number).search(data)
    if match is None:
        return None
    return data[: match.start()] + data[match.end() :], match[0], match.start()


def _reference_run(data: bytes, number: str) -> tuple[int, int] | None:
    """Returns where the run with the reference to a comment begins and ends."""
    match = _marker(_MARKERS[2], number).search(data)
    if match is None:
        return None
    starts = list(re.finditer(rb"<(?:[\w.-]+:)?r(?=[\s>])", data[: match.start()]))
    end = re.compile(rb"</(?:[\w.-]+:)?r\s*>").search(data, match.end())
    if not starts or end is None:
        return None
    return starts[-1].start(), end.end()


# Laws 1 and 3


def _hold(before: Package, after: Package) -> None:
    """Sees that nothing but comments has changed.

    Raises:
        VerificationError: something has.
    """
    part = before.related(before.main, "comments")[0]
    beside = {name for kind in _BESIDE for name in after.related(after.main, kind)}
    folder, _, base = after.main.rpartition("/")
    relations = f"{folder}/_rels/{base}.rels".lstrip("/")
    changed = {before.main, part, relations, CONTENT_TYPES, *beside}
    for name in before.names():
        if name not in changed and (not after.has(name) or after.read(name) != before.read(name)):
            message = f"{name} was not to be changed"
            raise VerificationError(message)
    if _bare(before.tree(before.main)) != _bare(after.tree(after.main)):
        message = f"{before.main} says something else than before"
        raise VerificationError(message)
    known = {id_of(node): _canonical(node) for node in elements_of(before).values()}
    for node in elements_of(after).values():
        if known.get(id_of(node), _canonical(node)) != _canonical(node):
            message = "a comment that was there is another one"
            raise VerificationError(message)


def _bare(root: Element) -> bytes:
    """A part in canonical form without the markers of comments and runs that hold nothing else."""
    copy = deepcopy(root)
    tags = [W(marker.decode()) for marker in _MARKERS]
    for node in list(copy.iter(*tags)):
        parent = node.getparent()
        assert parent is not None  # a marker is no root
        is_alone = parent.tag == W_R and all(
            child is node or child.tag == W_RPR for child in parent
        )
        target, holder = (parent, parent.getparent()) if is_alone else (node, parent)
        assert holder is not None  # a run is no root
        holder.remove(target)
    return etree.tostring(copy, method="c14n", exclusive=True)


def _canonical(comment: Element) -> bytes:
    copy = deepcopy(comment)
    copy.tail = None
    for paragraph in copy.iter(W_P):
        paragraph.attrib.pop(PARA_ID, "")
    return etree.tostring(copy, method="c14n", exclusive=True)
