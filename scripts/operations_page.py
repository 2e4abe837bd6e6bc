"""Writes docs/operations.md and docs/operations.schema.json from the classes of `engine.plan`.

Run as `python -m scripts.operations_page`; a test fails when the files are not what it writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from redraft.engine import plan
from redraft.engine.plan_json import plan_schema

ROOT = Path(__file__).parent.parent
PAGE, SCHEMA = ROOT / "docs" / "operations.md", ROOT / "docs" / "operations.schema.json"

_HEAD = """\
# Operations: exact edits as JSON

An instruction such as `change "30 days" to "45 days"` becomes a *plan*: a list of operations that
are carried out together or not at all. A program can write the plan itself, and needs no language
model then. This page is generated from `engine/plan.py` (`python -m scripts.operations_page`).

    redraft outline contract.docx                          # the blocks with their ids
    redraft edit contract.docx 'change "A" to "B"' --plan  # the plan of an instruction
    redraft apply contract.docx plan.json --tracked --author "Ann" -o redline.docx

## A plan

```json
{
  "snapshot": "ea18d6553e88…",
  "operations": [
    {"op": "replace_text", "block": "p12", "find": "30 days", "replace": "45 days"}
  ]
}
```

- `operations`: what is to be done. A bare list of operations is a plan, too.
- `snapshot`: the SHA-256 of the file that the ids speak of, as `redraft outline --json` and
  `redraft edit --plan` print it. On any other file the plan is refused; without it, it is not
  checked.
- `reason`: a sentence for people. `decision`: `edit`; `no_change` or `refuse` have no operations.

Every operation speaks of the document as it was before the plan; none sees the work of another,
and no two may touch the same words. The same plan on the same file gives the same words and
marks; with `SOURCE_DATE_EPOCH` set, which fixes the date of tracked changes, the same bytes.

## Ids and text

Ids are places in one version of a document: `p12` a paragraph, `t1` a table, `t1.r2` a row,
`t1.r2.c3` a cell, `t1.r2.c3.p1` a paragraph in it, `h1.p1` and `f1.p1` paragraphs of a header and a
footer, `fn3` a footnote, `im1` a picture, `cc2` a form field; in a PDF `p2.b7` is block 7 of
page 2. New text may have `**bold**` and `*italic*`; `⟦…⟧` tokens stand for what is no text
(`⟦fn1⟧`, `⟦tab⟧`) and must come back when a block is rewritten. Quoted words (`find`) stand in
one block; blanks, quotation marks and dashes need not be the same characters.

## Faults

A plan that cannot be carried out changes nothing. All its faults are reported at once
(`redraft apply --json`), each with the `index` of the operation from 0, a `code` and a `message`:

```json
{"applied": false, "faults": [{"index": 0, "code": "text_not_found",
  "message": "Unable to locate the specified text; [p3] says: Services Agreement"}]}
```
"""

EXAMPLES: tuple[Mapping[str, object], ...] = (
    {"op": "replace_text", "block": "p12", "find": "30 days", "replace": "45 days"},
    {"op": "rewrite_block", "block": "p12", "text": "Payment is due in **45** days.⟦fn1⟧"},
    {"op": "find_replace", "find": "Vendor", "replace": "Supplier", "whole_word": True},
    {"op": "set_cell", "target": "t1.r2.c3", "text": "£52,500"},
    {"op": "set_field", "control": "cc2", "value": "checked"},
    {"op": "edit_note", "target": "fn1", "text": "Net of tax."},
    {
        "op": "insert_blocks",
        "block": "p12",
        "where": "after",
        "blocks": [{"kind": "like_anchor", "text": "Invoices are sent by e-mail."}],
    },
    {"op": "delete_blocks", "first": "p12", "last": "p14"},
    {"op": "move_blocks", "first": "p12", "last": "p14", "to": "p20", "where": "after"},
    {"op": "split_block", "block": "p12", "find": "Invoices are"},
    {"op": "merge_blocks", "first": "p12", "last": "p13"},
    {"op": "insert_break", "block": "p12", "where": "before", "kind": "page"},
    {"op": "set_style", "first": "p3", "last": "p3", "style": "Heading 1"},
    {
        "op": "set_paragraph",
        "first": "p3",
        "last": "p4",
        "property": "alignment",
        "value": "center",
    },
    {"op": "format_text", "block": "p12", "find": "45 days", "property": "bold", "value": "on"},
    {"op": "set_list", "first": "p12", "last": "p14", "kind": "bullet", "level": 1},
    {"op": "insert_row", "target": "t1.r2", "where": "after", "cells": ["Support", "1,200"]},
    {"op": "insert_column", "target": "t1.r1.c2", "where": "after", "cells": ["Tax", "20 %"]},
    {"op": "delete_row", "target": "t1.r2"},
    {"op": "delete_column", "target": "t1.r1.c2"},
    {"op": "delete_table", "target": "t1"},
    {"op": "insert_table", "block": "p12", "where": "after", "rows": [["Item", "Fee"], ["A", "1"]]},
    {"op": "set_link", "block": "p12", "find": "our terms", "url": "https://example.com"},
    {"op": "remove_link", "block": "p12", "find": "our terms"},
    {"op": "insert_footnote", "block": "p12", "after_text": "45 days", "text": "Calendar days."},
    {"op": "delete_note", "target": "fn1"},
    {"op": "set_alt_text", "target": "im1", "text": "Revenue by quarter"},
    {"op": "delete_image", "target": "im1"},
    {"op": "add_comment", "block": "p12", "find": "45 days", "text": "Agreed?"},
    {"op": "reply_comment", "target": "c2", "text": "Agreed, see clause 4."},
    {"op": "resolve_comment", "target": "c2"},
    {"op": "delete_comment", "target": "c2"},
    {"op": "set_property", "name": "title", "value": "Services Agreement"},
    {"op": "settle_change", "change": "12", "action": "accept"},
    {"op": "delete_pages", "first_page": 2, "last_page": 3},
    {"op": "move_pages", "first_page": 2, "last_page": 3, "to_page": 5, "where": "after"},
    {"op": "rotate_pages", "first_page": 1, "last_page": 1, "degrees": 90},
    {"op": "insert_page", "page": 1, "where": "before"},
    {"op": "redact", "find": "Ann Smith"},
    {"op": "stamp_pages", "kind": "page_numbers", "text": "{page} of {pages}"},
)
_GROUPS: Mapping[str, Any] = {
    "Words": plan.Words,
    "Blocks": plan.Blocks,
    "Looks": plan.Looks,
    "Tables": plan.Rows,
    "Links, notes and pictures": plan.Objects,
    "Comments, properties, tracked changes": plan.Others,
    "Pages of a PDF": plan.PageOperation,
}


def page() -> str:
    """Returns the text of docs/operations.md."""
    parts = [_HEAD]
    for title, kinds in _GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [_section(kind) for kind in kinds.__args__]
    return "\n".join(parts)


def schema_text() -> str:
    """Returns the text of docs/operations.schema.json."""
    return json.dumps(plan_schema(), indent=2, ensure_ascii=False) + "\n"


def _section(kind: type[msgspec.Struct]) -> str:
    name = plan.name_of(kind)
    does = " ".join((kind.__doc__ or "").split())
    where = "" if kind in plan.PDF_OPERATIONS else " Word documents only."
    if kind in plan.PAGE_OPERATIONS:
        where = " PDF only."
    example = next(one for one in EXAMPLES if one["op"] == name)
    rows = "\n".join(_rows(kind))
    code = json.dumps(example, ensure_ascii=False)
    return f"### {name}\n\n{does}{where}\n\n{rows}\n\n```json\n{code}\n```\n"


def _rows(kind: type[msgspec.Struct]) -> Iterator[str]:
    yield "| field | what it is | type |"
    yield "| --- | --- | --- |"
    _, shapes = msgspec.json.schema_components((kind,), ref_template="{name}")
    fields = cast("dict[str, dict[str, Any]]", shapes[kind.__name__]["properties"])
    for name, field in fields.items():
        if name != "op":
            told = str(field.get("description", ""))
            yield f"| `{name}` | {told}{_default(field)} | {_type(field)} |"


def _default(field: Mapping[str, Any]) -> str:
    return f" (default `{json.dumps(field['default'])}`)" if "default" in field else ""


def _type(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return " ".join(f"`{value}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    if "$ref" in field:
        kinds = cast("Any", msgspec.json.schema(plan.NewBlock))
        values = kinds["$defs"]["NewBlock"]["properties"]["kind"]["enum"]
        return "object; `kind` is " + " ".join(f"`{value}`" for value in values)
    if field.get("type") == "array":
        return f"list of {_type(field['items'])}"
    return str(field.get("type", ""))


def main() -> None:
    """Writes both files."""
    PAGE.write_text(page(), "utf-8")
    SCHEMA.write_text(schema_text(), "utf-8")


if __name__ == "__main__":
    main()
