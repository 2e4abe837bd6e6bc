"""What panes tell the main screen; they never speak to the service themselves."""

from __future__ import annotations

from textual.message import Message


class Sent(Message):
    """The person sent an instruction."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class PathPasted(Message):
    """What was pasted names a file that is there."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path


class PromptChanged(Message):
    """The instruction, the place it points at, or the model changed."""


class ModelWanted(Message):
    """The person wants the other language model."""


class CancelWanted(Message):
    """The person wants to cancel the edit that runs, from within the prompt."""


class PlaceWanted(Message):
    """The person typed `@` to choose a section."""


class TabChosen(Message):
    """A pane was chosen on the line of tabs."""

    def __init__(self, pane: str) -> None:
        super().__init__()
        self.pane = pane


class Said(Message):
    """A sentence for the status line."""

    def __init__(self, text: str, role: str = "muted") -> None:
        super().__init__()
        self.text = text
        self.role = role
