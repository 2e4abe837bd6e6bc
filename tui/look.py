"""How things are drawn: the signs, and whether colour may carry meaning alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.style import Style


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Every sign of the program outside ASCII, so that one set can stand in for the other."""

    cursor: str = "▸"
    gutter: str = "▎"
    bullet: tuple[str, ...] = ("•", "◦", "▪")
    spinner: tuple[str, ...] = ("⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏")
    queued: str = "⋯"
    pen: str = "✎"
    ok: str = "✓"
    failed: str = "✗"
    warning: str = "▲"
    changed: str = "±"
    online: str = "●"
    offline: str = "○"
    prompt: str = "❯"  # noqa: RUF001 - a sign, not a letter
    up: str = "↑"
    down: str = "↓"
    enter: str = "⏎"
    ellipsis: str = "…"
    section: str = "§"
    arrow: str = "→"
    dot: str = "·"
    rule: str = "─"
    bar: str = "│"
    quote: str = "▌"
    image: str = "▣"
    box: str = "┌┬┐├┼┤└┴┘─│"
    left_quote: str = "“"
    right_quote: str = "”"
    space: str = "·"
    pilcrow: str = "¶"
    checked: str = "☒"
    unchecked: str = "☐"
    half: str = "▀▄"
    place_start: str = "⟪"
    place_end: str = "⟫"


UNICODE = Glyphs()
ASCII = Glyphs(
    cursor=">",
    gutter="|",
    bullet=("*", "-", "+"),
    spinner=("|", "/", "-", "\\"),
    queued="..",
    pen="*",
    ok="ok",
    failed="x",
    warning="!",
    changed="+-",
    online="(on)",
    offline="(off)",
    prompt=">",
    up="^",
    down="v",
    enter="enter",
    ellipsis="...",
    section="at",
    arrow="->",
    dot="-",
    rule="-",
    bar="|",
    quote="|",
    image="[image]",
    box="+++++++++-|",
    left_quote='"',
    right_quote='"',
    space="_",
    pilcrow="[para]",
    checked="[x]",
    unchecked="[ ]",
    half="-_",
    place_start="[",
    place_end="]",
)


@dataclass(frozen=True, slots=True)
class Look:
    """The signs, the colours by role, `markers`: changes are written as `[-old-]{+new+}` too."""

    glyphs: Glyphs = UNICODE
    palette: dict[str, Style] = field(default_factory=dict[str, Style])
    markers: bool = False

    @property
    def is_ascii(self) -> bool:
        """Whether only ASCII signs are drawn."""
        return self.glyphs is ASCII
