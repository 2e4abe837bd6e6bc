"""Which function resolves which operation to a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from redraft.engine.docx.editing.anchored_elements import Finder, OperationError
from redraft.engine.docx.editing.step import Step
from redraft.engine.docx.steps import (
    breaks,
    columns,
    comments,
    document_properties,
    footnotes,
    formatting,
    images,
    links,
    lists,
    merging,
    moves,
    new_tables,
    paragraph_formats,
    paragraph_places,
    paragraph_styles,
    rows,
    splitting,
)
from redraft.engine.errors import RefusedError
from redraft.engine.plan import (
    PAGE_OPERATIONS,
    AddComment,
    DeleteColumn,
    DeleteImage,
    DeleteNote,
    DeleteRow,
    FormatText,
    InsertBreak,
    InsertColumn,
    InsertFootnote,
    InsertRow,
    InsertTable,
    MergeBlocks,
    MoveBlocks,
    Operation,
    RemoveLink,
    SetAltText,
    SetLink,
    SetList,
    SetParagraph,
    SetProperty,
    SetStyle,
    SplitBlock,
)

# They write words, properties or markers into both forms of a text box themselves.
_IN_BOTH: Final = (
    comments.CommentStep,
    formatting.FormatStep,
    images.AltTextStep,
    links.LinkStep,
    paragraph_places.ParagraphStep,
    document_properties.PropertyStep,
)

Resolve: TypeAlias = Callable[[Finder, Any], Step]

_RESOLVERS: Mapping[type, Resolve] = {
    AddComment: comments.resolve,
    SetLink: links.setting,
    RemoveLink: links.removing,
    DeleteImage: images.deletion,
    DeleteNote: footnotes.deletion,
    InsertFootnote: footnotes.insertion,
    SetAltText: images.alt_text,
    SetProperty: document_properties.resolve,
    InsertRow: rows.insertion,
    InsertTable: new_tables.insertion,
    DeleteRow: rows.deletion,
    InsertColumn: columns.insertion,
    DeleteColumn: columns.deletion,
    FormatText: formatting.resolve,
    SetStyle: paragraph_styles.resolve,
    SetParagraph: paragraph_formats.resolve,
    SetList: lists.resolve,
    SplitBlock: splitting.split,
    InsertBreak: breaks.insert_break,
    MergeBlocks: merging.merge,
    MoveBlocks: moves.move,
}


_OF_PAGES = (
    "A Word document has no fixed pages: pages, watermarks, page numbers and redactions are edits"
    " of a PDF. Name the text or paragraphs that should change"
)


def writes_both(step: Step) -> bool:
    """Returns whether a step changes both forms of a text box that is stored twice."""
    return isinstance(step, _IN_BOTH)


def step_of(finder: Finder, operation: Operation) -> Step:
    """Resolves an operation against the file as it is.

    Raises:
        OperationError: it cannot be carried out.
    """
    if isinstance(operation, PAGE_OPERATIONS):
        raise OperationError("unsupported", RefusedError(_OF_PAGES))
    resolve = _RESOLVERS.get(type(operation))
    if resolve is None:
        message = "This cannot be done in a Word document yet; the document is unchanged"
        raise OperationError("unsupported", RefusedError(message))
    return resolve(finder, operation)
