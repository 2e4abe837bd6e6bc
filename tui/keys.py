"""Every action: its id, keys, words. Bindings, palette, help and docs/keys.md come from here.

Ids stay; keys can be changed by id in the configuration file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Where: TypeAlias = Literal["any", "panes", "lists", "preview", "changes", "documents", "prompt"]


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person can do.

    `keys` are Textual's key names separated by commas; `where` says in which pane they work;
    `label` is for the key line, `help` one sentence. `call` is the method (`action_…`) of the pane,
    or of the program after `app.`; empty: the main screen performs the action, by its id. `rank`
    orders the key line, 0: not on it.
    """

    id: str
    keys: str
    where: Where
    label: str
    help: str
    call: str = ""
    rank: int = 0

    @property
    def binding(self) -> str:
        """What Textual calls for it."""
        return self.call or f"screen.perform('{self.id}')"


ACTIONS: tuple[Action, ...] = (
    Action("edit.send", "enter", "prompt", "send", "Send the instruction.", call="send", rank=1),
    Action(
        "edit.newline",
        "ctrl+j,shift+enter",
        "prompt",
        "new line",
        "Begin a new line in the instruction.",
        call="newline",
        rank=2,
    ),
    Action(
        "edit.model",
        "ctrl+t",
        "prompt",
        "model",
        "Switch between the standard and the large model.",
        call="switch_model",
        rank=5,
    ),
    Action(
        "edit.lookup",
        "ctrl+l",
        "prompt",
        "clear place",
        "Clear the target section.",
        call="clear_lookup",
    ),
    Action(
        "edit.external", "ctrl+e", "prompt", "$EDITOR", "Write the instruction in your own editor."
    ),
    Action(
        "edit.recall",
        "ctrl+r",
        "prompt",
        "earlier",
        "Search what was asked before, of any document.",
    ),
    Action(
        "edit.leave",
        "escape",
        "prompt",
        "panes",
        "Leave the prompt (shortcuts work again).",
        rank=3,
    ),
    Action("prompt.focus", "i", "panes", "prompt", "Go to the prompt.", rank=1),
    Action("pane.documents", "1", "panes", "documents", "Show the documents."),
    Action("pane.preview", "2", "panes", "preview", "Show the preview."),
    Action("pane.changes", "3", "panes", "changes", "Show the tracked changes."),
    Action("pane.history", "4", "panes", "history", "Show the edits so far."),
    Action("pane.next", "tab", "any", "next pane", "Go to the next pane."),
    Action("pane.previous", "shift+tab", "any", "previous pane", "Go to the previous pane."),
    Action("pane.zoom", "z", "panes", "zoom", "Give the pane the whole screen, or back."),
    Action(
        "list.toggle", "backslash,ctrl+b", "panes", "hide list", "Hide the documents, or show them."
    ),
    Action("list.wider", "greater_than_sign", "panes", "wider", "Widen the list."),
    Action("list.narrower", "less_than_sign", "panes", "narrower", "Narrow the list."),
    Action("move.down", "j,down", "lists", "down", "Go down.", call="down"),
    Action("move.up", "k,up", "lists", "up", "Go up.", call="up"),
    Action("move.page_down", "space,pagedown", "lists", "page", "Go down a page.", call="pages(1)"),
    Action("move.page_up", "b,pageup", "lists", "page up", "Go up a page.", call="pages(-1)"),
    Action(
        "move.half_down", "ctrl+d", "lists", "half down", "Go down half a page.", call="pages(0.5)"
    ),
    Action("move.half_up", "ctrl+u", "lists", "half up", "Go up half a page.", call="pages(-0.5)"),
    Action("move.top", "g,home", "lists", "top", "Go to the beginning.", call="edge(False)"),
    Action("move.bottom", "G,end", "lists", "end", "Go to the end.", call="edge(True)"),
    Action("choose", "enter", "lists", "open", "Open what the cursor is on.", call="choose"),
    Action("doc.upload", "u,ctrl+o", "any", "upload", "Upload a .docx or .pdf file.", rank=2),
    Action(
        "doc.save",
        "s",
        "panes",
        "save",
        "Save a copy: redline, clean, original; of a PDF also for Word.",
        rank=5,
    ),
    Action("doc.link", "S", "panes", "link", "Copy a link that downloads the document."),
    Action("doc.undo", "U", "panes", "undo", "Undo the last edit of the document.", rank=7),
    Action("doc.redo", "R", "panes", "redo", "Redo what was undone."),
    Action("doc.delete", "D", "documents", "delete", "Delete the document now.", rank=6),
    Action("doc.ttl", "T", "panes", "time left", "Explain when the document goes."),
    Action("edit.cancel", "ctrl+x", "panes", "cancel", "Cancel the edit, or the upload."),
    Action("edit.retry", "r", "panes", "again", "Try again what failed."),
    Action(
        "edit.decide",
        "w,f3",
        "any",
        "decide",
        "Look at the edit that waits for your word.",
    ),
    Action(
        "search",
        "slash",
        "panes",
        "search",
        "Search in the document; ctrl+r there: by a regular expression.",
        rank=3,
    ),
    Action(
        "change.next",
        "n,right_square_bracket",
        "panes",
        "next",
        "Next change; next hit while searching.",
        rank=4,
    ),
    Action(
        "change.previous",
        "p,N,left_square_bracket",
        "panes",
        "previous",
        "Previous change, or hit.",
    ),
    Action(
        "change.view",
        "v",
        "panes",
        "view",
        "Switch how changes are shown: inline, split, final, original.",
        rank=6,
    ),
    Action("change.filter", "f", "changes", "filter", "Show only some changes.", rank=7),
    Action(
        "change.accept", "a", "changes", "accept", "Accept the change; space does, too.", rank=2
    ),
    Action("change.reject", "x", "changes", "reject", "Reject the change.", rank=3),
    Action("change.accept_all", "A", "changes", "accept all", "Accept all changes that are shown."),
    Action("change.reject_all", "X", "changes", "reject all", "Reject all changes that are shown."),
    Action(
        "change.accept_edit",
        "e",
        "changes",
        "accept edit",
        "Accept all changes of the edit under the cursor.",
    ),
    Action(
        "change.reject_edit",
        "E",
        "changes",
        "reject edit",
        "Reject all changes of the edit under the cursor.",
    ),
    Action(
        "change.fold",
        "minus",
        "changes",
        "fold",
        "Fold the clause to one line, or open it.",
        rank=8,
    ),
    Action("change.fold_all", "plus", "changes", "fold all", "Fold all clauses, or open them."),
    Action(
        "change.review",
        "V",
        "changes",
        "review",
        "Review the changes clause by clause, with the original text below.",
        rank=4,
    ),
    Action("copy.markdown", "Y", "changes", "copy as Markdown", "Copy the change as Markdown."),
    Action("outline", "o", "panes", "outline", "Jump to a heading, or to a clause by its number."),
    Action("comments", "C", "panes", "comments", "Read, answer and resolve the comments."),
    Action("lookup.here", "at", "panes", "point here", "Point the next instruction at a section."),
    Action("copy", "y", "panes", "copy", "Copy the selection, the change or the block."),
    Action("pager", "vertical_line", "panes", "pager", "Read the preview in $PAGER."),
    Action("palette", "ctrl+p,colon", "any", "more", "Find any action by name.", rank=8),
    Action("help", "question_mark,f1", "any", "help", "Explain panes and keys.", rank=9),
    Action("theme.next", "ctrl+g", "any", "theme", "Switch the colours.", call="app.next_theme"),
    Action("connection.retry", "f5", "any", "reconnect", "Ask the service again now."),
    Action("connection.change", "c", "panes", "service", "Use a service at another address."),
    Action(
        "connection.local",
        "l",
        "panes",
        "local",
        "Use the service of this machine; it is started when needed.",
    ),
    Action("model.setup", "M", "panes", "language model", "Set up a language model."),
    Action("back", "escape", "panes", "back", "Leave the search, or the message."),
    Action(
        "suspend",
        "ctrl+z",
        "panes",
        "suspend",
        "Go back to the shell; `fg` returns.",
        call="app.suspend_process",
    ),
    Action("quit", "q,ctrl+q", "any", "quit", "Leave; edits go on at the service."),
)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}
LETTERS_IN_PROMPT = frozenset({"u", "w", "colon", "question_mark", "q"})

SHOWN = {
    "enter": "⏎",
    "escape": "esc",
    "backslash": "\\",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "slash": "/",
    "minus": "-",
    "plus": "+",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "vertical_line": "|",
    "question_mark": "?",
    "colon": ":",
    "at": "@",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "down": "↓",
    "up": "↑",
}
SHOWN_IN_ASCII = {"enter": "enter", "down": "down", "up": "up"}
PLACES: Mapping[Where, str] = {
    "any": "anywhere",
    "panes": "panes",
    "lists": "lists and views",
    "preview": "preview",
    "changes": "changes",
    "documents": "documents",
    "prompt": "prompt",
}


def shown(key: str, *, ascii_only: bool = False) -> str:
    """Write a key as people know it."""
    if ascii_only and key in SHOWN_IN_ASCII:
        return SHOWN_IN_ASCII[key]
    return SHOWN.get(key, key)


def shown_keys(action: Action, keys: Mapping[str, str], *, ascii_only: bool = False) -> str:
    """Write the keys of an action, as the person has set them."""
    written = keys.get(action.id, action.keys)
    return " ".join(shown(key, ascii_only=ascii_only) for key in written.split(","))


def first_key(action: Action, keys: Mapping[str, str], *, is_typing: bool) -> str:
    """Return the key to show for an action; while typing, one that is not a letter of the text."""
    written = keys.get(action.id, action.keys).split(",")
    if is_typing:
        written = [key for key in written if len(key) > 1 and key not in LETTERS_IN_PROMPT]
    return written[0] if written else ""


def table() -> str:
    """Write docs/keys.md."""
    lines = [
        "# Keys",
        "",
        "Made from `tui/keys.py` by `python -m redraft.tui.keys`; a test compares the two.",
        "",
        "There are two ways of typing. In the **prompt** letters are text; everywhere else letters",
        "act. `i`, or `enter` on a document, goes to the prompt, `esc` leaves it. Every action is",
        "also in the palette (`ctrl+p`). Keys are changed by id in `config.toml`, in redraft's",
        "folder for configuration (`~/.config/redraft` on Linux):",
        "",
        "```toml",
        "[keys]",
        '"doc.save" = "ctrl+s,s"',
        "```",
        "",
        "`redraft config edit` opens it, `redraft config show --terminal` prints what is in",
        "force, `redraft config validate` checks it, `redraft config schema` prints its JSON",
        "Schema, for editors that complete TOML. A key with two meanings in one place is refused.",
        "",
        "| action | keys | where | what it does |",
        "|---|---|---|---|",
    ]
    for action in ACTIONS:
        keys = " ".join(
            f"`{shown(key, ascii_only=True)}`".replace("|", "\\|") for key in action.keys.split(",")
        )
        lines.append(f"| `{action.id}` | {keys} | {PLACES[action.where]} | {action.help} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    import sys

    sys.stdout.write(table())
