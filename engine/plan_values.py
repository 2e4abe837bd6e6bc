"""The values that fields of a plan's operations may have; part of `engine.plan`."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

# A list item without a number is as deep as the nearest of its kind.
BlockKind: TypeAlias = Literal[
    "like_anchor",
    "paragraph",
    "heading1",
    "heading2",
    "heading3",
    "heading4",
    "bullet",
    "bullet2",
    "bullet3",
    "numbered",
    "numbered2",
    "numbered3",
    "quote",
]

# Toggles take `on` and `off`; `size` points (`16`, `10.5`); `color` six hex digits, a CSS colour
# name or `auto`; `highlight` a colour of Word's highlighter or `none`; `font` a font's name;
# `vertical` is `superscript`, `subscript` or `baseline`.
TextProperty: TypeAlias = Literal[
    "bold",
    "italic",
    "underline",
    "strike",
    "small_caps",
    "all_caps",
    "size",
    "color",
    "highlight",
    "font",
    "vertical",
]
TEXT_PROPERTIES: tuple[TextProperty, ...] = get_args(TextProperty)
# `alignment` is left, center, right or justify; spaces and indents are points (`12`), a hanging
# `first_line` is negative; `line_spacing` is a factor (`1.5`); the others take `on` and `off`.
ParagraphProperty: TypeAlias = Literal[
    "alignment",
    "space_before",
    "space_after",
    "line_spacing",
    "indent_left",
    "indent_right",
    "first_line",
    "keep_with_next",
    "keep_together",
    "page_break_before",
]
PARAGRAPH_PROPERTIES: tuple[ParagraphProperty, ...] = get_args(ParagraphProperty)
