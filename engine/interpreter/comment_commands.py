"""Comments: answered, resolved, opened again, deleted; called by words where there are several."""

from __future__ import annotations

from redraft.engine.errors import AmbiguousError, Candidate, NotFoundError
from redraft.engine.inline_pieces import plain
from redraft.engine.interpreter.commands import OnComment
from redraft.engine.interpreter.lines import Lines, folded
from redraft.engine.interpreter.word_questions import say
from redraft.engine.model import Break, CodeBlock, Story, Table
from redraft.engine.plan import DeleteComment, Operation, ReplyComment, ResolveComment


def on_comment(lines: Lines, command: OnComment, lookup: str | None) -> list[Operation]:
    """Does something to a comment, or to all of them.

    Raises:
        NotFoundError: There is none with these words.
        AmbiguousError: There are several.
    """
    comments = [story for story in lines.document.stories if story.kind == "comment"]
    if command.comment is not None:
        wanted = folded(command.comment.text)
        comments = [story for story in comments if wanted in folded(_words(story))]
    if not comments:
        raise NotFoundError(reason="There is no such comment")
    if len(comments) > 1 and not command.options.everywhere:
        places = tuple(Candidate(one.anchor, "", _words(one), one.anchor) for one in comments[:9])
        message = f"There are {len(comments)} comments; name words of the one that is meant"
        raise AmbiguousError(message, places, len(comments))
    return [_operation(command, story.anchor) for story in comments]


def _operation(command: OnComment, anchor: str) -> Operation:
    match command.action:
        case "delete":
            return DeleteComment(anchor)
        case "reply":
            return ReplyComment(anchor, say(command.text.text if command.text else ""))
        case _:
            return ResolveComment(anchor, command.action == "resolve")


def _words(story: Story) -> str:
    texts = [
        plain(block.content)
        for block in story.blocks
        if not isinstance(block, (Break, CodeBlock, Table))
    ]
    return " ".join(texts)
