"""Dialogs: a question, a line of text, a choice from a list that narrows while typing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.fuzzy import Matcher
from textual.message import Message
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Input

from redraft.tui.error_boundary import ErrorBoundary
from redraft.tui.look import Look
from redraft.tui.panes.bar import Bar
from redraft.tui.panes.entry_view import EntryView
from redraft.tui.panes.line_view import harmless
from redraft.tui.text.runs import BOLD, Line, Run, clip, one_line, plain, spread
from redraft.tui.text.wrap import wrap

Result = TypeVar("Result")
SHOWN = 500  # choices drawn at most


class Field(ErrorBoundary, Input):
    """A line to type into."""

    def __init__(
        self,
        value: str,
        *,
        id: str,  # noqa: A002 - Textual's name
        placeholder: str = "",
        is_secret: bool = False,
    ) -> None:
        super().__init__(
            value,
            id=id,
            placeholder=placeholder,
            password=is_secret,
            compact=True,
            select_on_focus=False,
        )
        self.cursor_blink = False

    async def on_key(self, event: events.Key) -> None:
        """Submit before the next key is taken, which may have come in the same breath."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            await self.action_submit()

    def render_line(self, y: int) -> Strip:
        """Draw the line, whatever was pasted."""
        return harmless(super().render_line(y), self.size.width)


class TitleBar(Bar):
    """The first line of a box: what it is about, and a hint that is never cut for it."""

    def __init__(self, look: Look, heading: str, hint: str) -> None:
        super().__init__(look, id="dialog-title")
        self._heading = one_line(heading)
        self._hint = f"   {hint}"

    def line(self, number: int) -> Line:
        """Return the line, the heading clipped to what the hint leaves."""
        room = self.size.width - len(self._hint) - 2
        heading = clip(self._heading, max(1, room), self.look.glyphs.ellipsis)
        return (Run(f" {heading}", "strong", BOLD), Run(self._hint, "muted"))


class Dialog(ErrorBoundary, ModalScreen[Result]):
    """A box in the middle of the screen; escape leaves it."""

    class Opened(Message):
        """A dialog takes keys from now on."""

        def __init__(self, dialog: Dialog[Any]) -> None:
            super().__init__()
            self.dialog = dialog

    TAKES_AHEAD = True  # what was typed before it was open

    BINDINGS = [  # noqa: RUF012 - Textual reads a plain list
        Binding("escape", "leave", "leave", show=False),
        Binding("ctrl+c", "leave", "leave", show=False),
    ]

    def __init__(self, look: Look, title: str) -> None:
        super().__init__()
        self.look = look
        self.heading = title
        self.is_open = False  # and takes keys; the program keeps them until then
        self.set_class(look.is_ascii, "-ascii")

    def on_screen_resume(self) -> None:
        """The box is there and has the focus."""
        self.post_message(self.Opened(self))

    def action_leave(self) -> None:
        """Close without a result."""
        self.dismiss(None)

    def title_bar(self, hint: str = "esc leaves") -> Bar:
        """Return the first line of the box."""
        return TitleBar(self.look, self.heading, hint)


class ConfirmScreen(Dialog[bool]):
    """A question that is answered with y or n."""

    BINDINGS = [  # noqa: RUF012
        Binding("y", "answer(True)", "yes", show=False),
        Binding("enter", "answer(True)", "yes", show=False),
        Binding("n", "answer(False)", "no", show=False),
    ]

    def __init__(self, look: Look, title: str, text: str, yes: str = "yes", no: str = "no") -> None:
        super().__init__(look, title)
        self._text = text
        self._words = (yes, no)

    def compose(self) -> ComposeResult:
        """Make the box."""
        body = Bar(self.look, id="dialog-body", shade="card")
        margin = (Run(" "),)
        rows = wrap([Run(plain(self._text))], 56, margin, margin)
        yes, no = self._words
        keys = (
            Run(" y", "key"),
            Run(f" {yes}   ", "muted"),
            Run("n", "key"),
            Run(f" {no}", "muted"),
        )
        body.rows = ((), *rows, (), keys)
        body.styles.height = len(body.rows)
        with Vertical(id="dialog"):
            yield self.title_bar()
            yield body

    def action_answer(self, answer: bool) -> None:
        """Close with the answer."""
        self.dismiss(answer)

    def action_leave(self) -> None:
        """Close with no."""
        self.dismiss(False)


class AskScreen(Dialog[str | None]):
    """One line of text, at the bottom of the screen."""

    def __init__(
        self,
        look: Look,
        title: str,
        value: str = "",
        hint: str = "esc leaves",
        *,
        is_secret: bool = False,
    ) -> None:
        super().__init__(look, title)
        self._value = value
        self._hint = hint
        self._is_secret = is_secret
        self.add_class("-bottom")

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(id="dialog"):
            yield self.title_bar(self._hint)
            yield Field(self._value, id="answer", is_secret=self._is_secret)

    @on(Input.Submitted, "#answer")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value)


class TellScreen(Dialog[None]):
    """A text that a line of the screen is too short for, whole, until it is closed."""

    BINDINGS = [  # noqa: RUF012
        Binding("enter", "leave", "leave", show=False),
        Binding("q", "leave", "leave", show=False),
    ]

    def __init__(self, look: Look, title: str, text: str, cells: int) -> None:
        super().__init__(look, title)
        self._rows = wrap([Run(plain(text))], max(20, cells - 4), (Run(" "),), (Run(" "),))
        self.add_class("-bottom")

    def compose(self) -> ComposeResult:
        """Make the box."""
        body = Bar(self.look, id="dialog-body", shade="card")
        body.show(*self._rows, ())
        with Vertical(id="dialog"):
            yield self.title_bar()
            yield body


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose: id, words, what stands at the right, why it cannot be chosen."""

    id: str
    words: str
    right: str = ""
    refusal: str = ""
    indent: int = 0


class ChoiceList(EntryView):
    """The choices that fit what was typed."""

    def __init__(self, look: Look, *, id: str = "choices") -> None:  # noqa: A002
        super().__init__(look, id=id)
        self.can_focus = False
        self.choices: tuple[Choice, ...] = ()
        self.empty = "Nothing fits."

    def show(self, choices: Sequence[Choice]) -> None:
        """Show these, the cursor on the first."""
        self.choices = tuple(choices[:SHOWN])
        self.cursor = 0
        self.relayout()
        self.go_to_line(0)

    def current(self) -> Choice | None:
        """Return the choice under the cursor."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    def entry_count(self) -> int:
        """Return the number of choices."""
        return len(self.choices)

    def draw_entry(self, index: int, cells: int) -> Sequence[Line]:
        """Draw a choice."""
        choice = self.choices[index]
        role = "muted" if choice.refusal else "text"
        words = " " * (1 + 2 * choice.indent) + one_line(choice.words)
        right = choice.refusal or choice.right
        return (spread((Run(words, role),), (Run(f"{one_line(right)} ", "muted"),), cells),)

    def lines_when_empty(self, cells: int) -> Sequence[Line]:
        """Say that nothing fits."""
        margin = (Run(" "),)
        return wrap([Run(plain(self.empty), "muted")], max(8, cells - 2), margin, margin)

    def backdrop(self, number: int) -> str:
        """The list has no focus of its own, and its cursor always counts."""
        return "cursor" if super().backdrop(number) else ""


class ChoiceScreen(Dialog[Choice | None]):
    """A list that narrows while typing."""

    BINDINGS = [  # noqa: RUF012
        Binding("down,ctrl+n", "step(1)", show=False, priority=True),
        Binding("up,ctrl+p", "step(-1)", show=False, priority=True),
        Binding("pagedown", "step(10)", show=False, priority=True),
        Binding("pageup", "step(-10)", show=False, priority=True),
    ]

    def __init__(
        self, look: Look, title: str, choices: Sequence[Choice], numbered: Sequence[Choice] = ()
    ) -> None:
        """Prepares.

        Args:
            look: The signs.
            title: What is asked.
            choices: What can be chosen.
            numbered: What more can be chosen by typing the number that it begins with.
        """
        super().__init__(look, title)
        self._choices = tuple(choices)
        self._numbered = tuple(numbered)

    def compose(self) -> ComposeResult:
        """Make the box."""
        with Vertical(id="dialog", classes="-tall"):
            yield self.title_bar("type to narrow, enter chooses, esc leaves")
            yield Field("", id="answer", placeholder="filter")
            yield ChoiceList(self.look)

    def on_mount(self, event: events.Mount) -> None:
        """Show all."""
        self.query_one(ChoiceList).show(self._choices)

    @on(Input.Changed, "#answer")
    def _typed(self, event: Input.Changed) -> None:
        typed = event.value.strip()
        by_number = numbered_so((*self._choices, *self._numbered), typed)
        shown = by_number or narrowed((*self._choices, *(self._numbered if typed else ())), typed)
        self.query_one(ChoiceList).show(shown)

    @on(Input.Submitted, "#answer")
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._choose()

    @on(EntryView.Chosen)
    def _clicked(self, event: EntryView.Chosen) -> None:
        event.stop()
        self._choose()

    def _choose(self) -> None:
        current = self.query_one(ChoiceList).current()
        if current is not None and not current.refusal:
            self.dismiss(current)

    def action_step(self, step: int) -> None:
        """Move the cursor."""
        self.query_one(ChoiceList).move(step)


def numbered_so(choices: Sequence[Choice], typed: str) -> Sequence[Choice]:
    """Returns the choices whose number begins as what was typed, the very number first."""
    wanted = "".join(typed.casefold().split())
    if not wanted[:1].isdigit():
        return ()
    numbers = [
        (choice.words.partition(" ")[0].casefold().rstrip("."), choice) for choice in choices
    ]
    fitting = [
        (number != wanted, choice) for number, choice in numbers if number.startswith(wanted)
    ]
    return [choice for _, choice in sorted(fitting, key=lambda one: one[0])]


def narrowed(choices: Sequence[Choice], typed: str) -> Sequence[Choice]:
    """Return the choices that have the typed letters in order, the best first."""
    wanted = typed.strip()
    if not wanted:
        return choices
    matcher = Matcher(wanted)
    scored = [
        (matcher.match(choice.words), number, choice) for number, choice in enumerate(choices)
    ]
    fitting = [entry for entry in scored if entry[0] > 0]
    return [choice for _, _, choice in sorted(fitting, key=lambda entry: (-entry[0], entry[1]))]
