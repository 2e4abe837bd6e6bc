"""The redline as HTML: changes are tags, and nothing of a document can become one."""

from __future__ import annotations

import pytest

from redraft.engine.markdown.html import fragment


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("# Term\n", "<h1>Term</h1>"),
        ("within {--30--}{++**45**++} days", "within <del>30</del><ins><strong>45</strong></ins>"),
        ("a \\{++b++\\} c", "<p>a {++b++} c</p>"),
        ("`{++`", "<code>{++</code>"),
        ("a<br>b", "a<br>b"),
        ("a <script>alert(1)</script>", "a &lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<img src=x onerror=y>", "&lt;img src=x onerror=y&gt;"),
        ("![a < b](image-1)", '<span class="picture">[a &lt; b]</span>'),
        ("1 &lt; 2 \\* 3", "1 &lt; 2 * 3"),
        ("a[^1]\n\n[^1]: Why.\n", 'a<sup><a href="#note-1">1</a></sup>'),
        ("a[^1]\n\n[^1]: Why.\n", '<div class="note" id="note-1"><sup>1</sup><p>Why.</p>'),
        ("<!-- header -->\n\nAcme\n", '<div class="redraft"><p>Acme</p>'),
        ("| {++a++} |\n| --- |\n", "<th><ins>a</ins></th>"),
    ],
)
def test_markdown_becomes_html(markdown: str, expected: str) -> None:
    assert expected in fragment(markdown)


def test_a_link_that_runs_a_script_is_none() -> None:
    assert "<a" not in fragment("[a](javascript:alert(1))")
