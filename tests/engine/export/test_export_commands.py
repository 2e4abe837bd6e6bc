"""`redraft export` as it is typed: a page of HTML that needs nothing else, and a PDF."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from redraft import command_line
from redraft.engine import editor
from redraft.engine.report import StoredVersion
from tests.engine.wordml import docx, p, r

SAMPLE = Path(__file__).parents[3] / "tui" / "sample" / "services-agreement.docx"
BY = 'w:id="7" w:author="Ann &amp; Bob" w:date="2026-01-02T00:00:00Z"'
REDLINE = docx(
    p(
        r("Payment within "),
        f"<w:del {BY}><w:r><w:delText>30</w:delText></w:r></w:del>",
        f"<w:ins {BY.replace('7', '8', 1)}><w:r><w:t>45 &lt;b&gt;</w:t></w:r></w:ins>",
        r(" days."),
    )
)


class Tags(HTMLParser):
    """Collects the tags of a page and what they name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "redline.docx").write_bytes(REDLINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def exported(folder: Path, *flags: str) -> str:
    given = ["export", "redline.docx", "-o", "page.html", *flags]
    assert command_line.main(given) == command_line.DONE
    return (folder / "page.html").read_text("utf-8")


def test_changes_are_in_the_text_and_in_a_list(folder: Path) -> None:
    page = exported(folder)
    main, listed = page.split("<aside>")
    words = "<del>30</del><ins>45 &lt;b&gt;</ins>"
    assert f"Payment within {words} days." in main
    assert words in listed
    assert "Ann &amp; Bob · 2026-01-02" in listed


def test_a_page_needs_nothing_else(folder: Path) -> None:
    tags = Tags(exported(folder))
    assert {"script", "img", "link", "iframe", "b"}.isdisjoint(tags.names)
    assert all(link.startswith("#") for link in tags.links)


def test_the_clean_and_the_original_view_have_no_changes(folder: Path) -> None:
    clean = exported(folder, "--view", "clean")
    assert "Payment within 45 &lt;b&gt; days." in clean
    assert "<aside>" not in clean
    original = exported(folder, "--view", "original", "--force")
    assert "Payment within 30 days." in original


def test_a_page_is_not_written_over_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported(folder)
    given = ["export", "redline.docx", "-o", "page.html"]
    assert command_line.main(given) == command_line.WRONG_USE
    assert "exists" in capsys.readouterr().err


def test_another_kind_of_file_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["export", "redline.docx", "-o", "page.rtf"]
    assert command_line.main(given) == command_line.WRONG_USE
    assert "neither HTML nor PDF" in capsys.readouterr().err
    assert not (folder / "page.rtf").exists()


def test_without_libreoffice_a_sentence_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(folder))
    given = ["export", "redline.docx", "-o", "page.pdf"]
    assert command_line.main(given) == command_line.FAILED
    assert "LibreOffice, and it is not installed" in capsys.readouterr().err
    assert not (folder / "page.pdf").exists()


@pytest.mark.process
@pytest.mark.usefixtures("soffice")
def test_libreoffice_makes_a_pdf(folder: Path) -> None:
    for view, word in (("clean", "45"), ("original", "30")):
        given = ["export", "redline.docx", "-o", f"{view}.pdf", "--view", view]
        assert command_line.main(given) == command_line.DONE
        reading = editor.read(StoredVersion(folder / f"{view}.pdf"))
        assert f"Payment within {word}" in reading.markdown
