"""The documentation is true: commands, paths and pictures that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redraft import command_line

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_file_that_the_readme_links_to_is_there() -> None:
    links = [target for target in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in target]
    assert links
    assert [target for target in links if not (ROOT / target).exists()] == []


DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md")),
    *(ROOT / "docs" / f"{name}.md" for name in ("architecture", "api", "keys", "running", "ssh")),
]
PATHS = re.compile(
    r"`((?:engine|api|assist|tui|remote|redraft|tests|scripts|docs|deploy)/[\w./-]*)`"
)


def test_every_path_in_the_repository_that_a_document_names_exists() -> None:
    """After a rename the page that explains the module is mended in the same commit."""
    named = {
        (document.relative_to(ROOT).as_posix(), path)
        for document in DOCUMENTS
        for path in PATHS.findall(document.read_text(encoding="utf-8"))
    }
    assert len(named) > 60
    assert sorted(pair for pair in named if not (ROOT / pair[1]).exists()) == []


def test_every_document_that_the_documents_link_to_exists() -> None:
    missing = [
        f"{document.name}: {target}"
        for document in DOCUMENTS
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8"))
        if "://" not in target and not (document.parent / target).exists()
    ]
    assert missing == []


def test_every_participant_of_a_diagram_is_a_module() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    modules = re.findall(r"participant \w+ as (\S+)", text)
    assert len(modules) > 5
    assert [module for module in modules if not (ROOT / module).is_file()] == []


def test_every_make_target_that_the_documents_name_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`?make ([a-z]+)", README + contributing))
    assert named
    assert named <= targets


def test_every_command_that_the_readme_names_is_a_command() -> None:
    named = set(re.findall(r"`redraft ([a-z]+) ", README))
    assert named >= {"read", "edit", "changes", "accept", "reject", "serve"}
    assert named <= set(command_line.COMMANDS)


def test_every_command_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["--help"]) == 0
    said = capsys.readouterr().out
    assert [command for command in command_line.COMMANDS if f"\n  {command} " not in said] == []


def test_ci_runs_what_the_readme_says() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make test" in script
    assert "make check" in script


def test_the_lock_file_names_no_host_and_pins_by_hash() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    pins = len(re.findall(r"^[a-z0-9][a-z0-9.\-]*==", lock, re.MULTILINE))
    assert pins > 40
    assert lock.count("--hash=sha256:") >= pins
