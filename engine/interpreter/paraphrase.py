"""How the interpreter read a command of looks, blocks, tables or objects, in plain words."""

from __future__ import annotations

from dataclasses import replace

from redraft.engine.interpreter.commands import (
    Address,
    Align,
    Annotate,
    Describe,
    Fill,
    Format,
    InsertRow,
    LinkTo,
    Listed,
    Merge,
    Move,
    Name,
    NewPage,
    NewTable,
    OnComment,
    OnPages,
    Options,
    Place,
    RedactText,
    Relink,
    Restyle,
    Settle,
    SetValue,
    Split,
    StampAll,
    Swap,
    Unit,
    Value,
)

Further = (
    SetValue
    | Format
    | Restyle
    | Align
    | Listed
    | Move
    | Swap
    | Merge
    | Split
    | NewPage
    | InsertRow
    | NewTable
    | LinkTo
    | Relink
    | Name
    | Describe
    | Annotate
    | OnComment
    | Settle
    | Fill
    | OnPages
    | RedactText
    | StampAll
)
_MATCHES = {"is": "", "contains": "containing ", "starts": "starting with ", "ends": "ending with "}


def saying(command: Further) -> str:
    """Say a command in plain words."""
    match command:
        case SetValue():
            return f"set {command.label} to {value(command.by)}"
        case Format() | Restyle() | Align() | Listed():
            return _looks(command)
        case Move():
            return f"move {_aim(command.what)} {placed(command.place)}"
        case Swap():
            return f"let {unit(command.one)} and {unit(command.other)} change places"
        case Merge():
            other = _aim(command.other) if command.other else "the next paragraph"
            return f"join {_aim(command.one)} with {other}"
        case Split():
            return f"begin a new paragraph at {value(command.at)}"
        case NewPage():
            return f"break the page {placed(command.place)}"
        case InsertRow() | NewTable():
            return _table(command)
        case OnPages() | RedactText() | StampAll():
            return _paging(command)
        case _:
            return _object(command)


def _looks(command: Format | Restyle | Align | Listed) -> str:
    # "all" is in the words for a piece of structure already.
    is_unit = isinstance(command.target, Unit)
    where = options(replace(command.options, everywhere=False) if is_unit else command.options)
    match command:
        case Format():
            looks = " and ".join(_look(look.property, look.value) for look in command.looks)
            return f"make {_aim(command.target)} {looks}{where}"
        case Restyle():
            return f"give {_aim(command.target)} the style {command.style}{where}"
        case Align():
            name = command.property.replace("_", " ")
            return f"set the {name} of {_aim(command.target)} to {command.value}{where}"
        case Listed():
            return f"make {_aim(command.target)} a {command.kind} list item{where}"


def _look(name: str, setting: str) -> str:
    name_in_words = name.replace("_", " ")
    if setting in ("on", "off"):
        return name_in_words if setting == "on" else f"not {name_in_words}"
    return f"{name_in_words} {setting}"


def _table(command: InsertRow | NewTable) -> str:
    cells = ", ".join(value(cell) for cell in command.cells) or "empty cells"
    where = placed(command.place) if command.place else "at the end of the table"
    kind = "table" if isinstance(command, NewTable) else command.kind
    return f"insert a {kind} of {cells} {where}"


def _object(
    command: LinkTo | Relink | Name | Describe | Annotate | OnComment | Settle | Fill,
) -> str:
    match command:
        case LinkTo(url=None):
            return f"take the link off {value(command.find)}{options(command.options)}"
        case LinkTo():
            url = command.url.text if command.url else ""
            return f"link {value(command.find)} to {url}{options(command.options)}"
        case Relink():
            return f"let the links to {command.old.text} go to {command.url.text}"
        case Name():
            is_property = command.name == "title"
            name = "title property" if is_property else command.name.removeprefix("document ")
            return f"set the document's {name} to {value(command.value)}"
        case Describe():
            return f"give {_aim(command.image)} the alternative text {value(command.text)}"
        case Annotate():
            return f"put the {command.kind} {value(command.text)} to {_aim(command.target)}"
        case OnComment():
            words = f" {value(command.comment)}" if command.comment else ""
            answer = f" with {value(command.text)}" if command.text else ""
            verb = "answer" if command.action == "reply" else command.action
            which = "all comments" if command.options.everywhere else "the comment"
            return f"{verb} {which}{words}{answer}"
        case Settle():
            by = f" by {command.author.text}" if command.author else ""
            return f"{command.action} all tracked changes{by}"
        case Fill():
            return f"fill the field {value(command.field)} with “{command.value}”"


def _paging(command: OnPages | RedactText | StampAll) -> str:
    match command:
        case RedactText():
            # What goes for good is not repeated in what is kept about the edit.
            return "redact the words named, in the whole file"
        case StampAll():
            kind = command.kind.replace("_", " ")
            words = f" {value(command.text)}" if command.text.text else ""
            return f"write the {kind}{words} on every page"
        case OnPages():
            ranges = " and ".join(
                _page(first) if first == last else f"{_page(first)} to {_page(last)}"
                for first, last in command.ranges
            )
            beside = f" {command.where} {_page(command.to)}" if command.where else ""
            turn = f" by {command.degrees} degrees" if command.degrees else ""
            return f"{command.action} {ranges or 'a blank page'}{turn}{beside}"


def _page(number: int) -> str:
    return f"page {number}" if number > 0 else "the last page"


def placed(place: Place) -> str:
    """A place in plain words."""
    where = {"top": "at the top of", "end": "at the end of"}.get(place.where, place.where)
    return f"{where} {_aim(place.target) if place.target else 'the document'}"


def _aim(target: Value | Unit) -> str:
    return unit(target) if isinstance(target, Unit) else value(target)


def value(words: Value) -> str:
    """Words in quotation marks."""
    return f"“{words.text}”" if words.text else "all of it"


_ORDINALS = {1: "first", 2: "second", 3: "third", -1: "last", -2: "last but one"}


def address(place: Address) -> str:
    """An address in plain words."""
    inside = f" of {address(place.within)}" if place.within else ""
    kind = "" if place.kind == "place" else f"{place.kind} "
    if place.labels:
        return f"{kind}{' and '.join(place.labels)}{inside}"
    if place.name:
        return f"the {kind}“{place.name}”{inside}"
    if place.holding:
        return f"the {kind}containing “{place.holding}”{inside}"
    counted = " and ".join(_ORDINALS.get(number, f"number {number}") for number in place.ordinals)
    which = f"all but the {counted}" if place.rest else f"the {counted}" if counted else "the"
    number = "" if place.count is None or counted else f" {place.count}"
    return f"{which}{number} {kind}".rstrip() + inside


def unit(piece: Unit) -> str:
    """A piece of structure in plain words."""
    if piece.address is not None:
        return address(piece.address)
    number = (
        "" if piece.number is None else f" {piece.number}" if piece.number > 0 else " (the last)"
    )
    words = f" {_MATCHES[piece.match]}{value(piece.value)}" if piece.value else ""
    column = f" and {value(piece.column)}" if piece.column else ""
    inside = f" of {unit(piece.table)}" if piece.table else ""
    return f"the {piece.kind}{number}{words}{column}{inside}"


def options(ways: Options) -> str:
    """What was said about searching, in plain words."""
    parts = [f" in {unit(scope)}" for scope in ways.scopes]
    parts += [" everywhere"] * ways.everywhere
    parts += [f" except in {unit(scope)}" for scope in ways.excepts]
    parts += [" as whole words"] * ways.whole_word
    parts += [f" (number {ways.nth})"] * (ways.nth is not None)
    return "".join(parts)
