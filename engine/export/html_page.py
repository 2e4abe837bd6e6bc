"""One self-contained page of HTML: what a document says, its changes in colour, and a list of them.

No script, no picture, no font and no address of elsewhere is in it. Nothing of a document can
become a tag (`engine.markdown.html`).
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from redraft.engine.markdown.html import fragment
from redraft.engine.model import Revision

_STYLE: Final = """\
:root { color-scheme: light dark; --ins: #0a6b2b; --del: #b3261e; --line: #8884; }
@media (prefers-color-scheme: dark) { :root { --ins: #6fd28f; --del: #ff8a80; } }
body { margin: 0; font: 16px/1.55 Georgia, "Times New Roman", serif; }
header, aside { font-family: system-ui, sans-serif; }
header { padding: 1rem 2rem; border-bottom: 1px solid var(--line); }
header h1 { font-size: 1.1rem; margin: 0; } header p { margin: .2rem 0 0; opacity: .75; }
.columns { display: flex; align-items: flex-start; }
main { flex: 1 1 auto; max-width: 46rem; min-width: 0; margin: 0 auto; padding: 1rem 2rem 4rem; }
aside { flex: 0 0 20rem; border-left: 1px solid var(--line); padding: 1rem; font-size: .85rem; }
aside ol { padding-left: 2rem; } aside li { margin-bottom: .8rem; overflow-wrap: anywhere; }
aside .where { opacity: .75; display: block; }
ins { color: var(--ins); text-decoration: underline; }
del { color: var(--del); text-decoration: line-through; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
td, th { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; }
td, th { vertical-align: top; }
.picture { opacity: .75; font-style: italic; }
.note { font-size: .85em; display: flex; gap: .4rem; } .note p { margin: .2rem 0; }
@media (max-width: 60rem) { .columns { display: block; } aside { border-left: 0; } }
@media print { .columns { display: block; } aside { break-before: page; border: 0; } }
"""


def page(name: str, markdown: str, revisions: Sequence[Revision]) -> str:
    """Returns a whole page of HTML.

    Args:
        name: What the document is called.
        markdown: What it says, in any view.
        revisions: The changes that are listed; none where they are not shown.
    """
    title = escape(name)
    listed = f"<aside><h2>Changes</h2><ol>{''.join(map(_item, revisions))}</ol></aside>"
    return (
        '<!doctype html>\n<html lang="">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n"
        f"<header><h1>{title}</h1>{_summary(revisions)}</header>\n"
        f'<div class="columns"><main>{fragment(markdown)}</main>\n'
        f"{listed if revisions else ''}</div>\n</body>\n</html>\n"
    )


def _summary(revisions: Sequence[Revision]) -> str:
    if not revisions:
        return ""
    authors = ", ".join(dict.fromkeys(change.author for change in revisions if change.author))
    count = "1 change" if len(revisions) == 1 else f"{len(revisions)} changes"
    return f"<p>{count}{f' by {escape(authors)}' if authors else ''}</p>"


def _item(change: Revision) -> str:
    """Returns a change as an entry of the list: its words, its author and where it stands."""
    words = ""
    if change.formatting:
        values = "; ".join(
            f"{name}: {old or 'as styled'} → {new}" for name, old, new in change.formatting
        )
        words = f"{escape(change.after)} <em>{escape(values)}</em>"
    elif change.before or change.after:
        struck = f"<del>{escape(change.before)}</del>" if change.before else ""
        written = f"<ins>{escape(change.after)}</ins>" if change.after else ""
        words = f"{escape(change.lead)}{struck}{written}{escape(change.trail)}"
    source = " · ".join(filter(None, (change.author, change.date[:10], change.where)))
    return f'<li>{words or escape(change.kind)}<span class="where">{escape(source)}</span></li>'
