"""The program as lines: what is typed is done, told in words, and told again by the exit code."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from redraft.tui.line_program import LineProgram
from redraft.tui.tutor import Tutor
from tests.tui.standin import Service
from tests.tui.test_places import PLACES

REPLACE = 'replace "30 days" with "45 days"'
DELETE = 'Delete "for three years"'


async def told(service: Service, folder: Path, *lines: str, **values: Any) -> tuple[int, list[str]]:
    """Returns the exit code and the lines that were said."""
    contract = folder / "contract.docx"
    contract.write_bytes(b"PK\x03\x04")
    options = service.options(folder, files=(contract,), **values)
    target = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    code = await LineProgram(options, source, target).run()
    return code, target.getvalue().splitlines()


async def test_an_edit_is_told_in_words_and_saved_beside_the_file(
    service: Service, tmp_path: Path
) -> None:
    code, said = await told(service, tmp_path, "", REPLACE, ":find invoice", ":changes")
    assert code == 0
    assert said[:4] == [
        "Opened contract.docx.",
        "Done: 1 insertion, 1 deletion.",
        "1. replaced in 4. Payment: “30 days” becomes “45 days” (Alice Lee)",
        "Saved as contract.redline.docx.",
    ]
    assert "The Supplier shall invoice the Client monthly. Payment is due within " in said[4]
    assert "1 tracked change." in said
    assert (tmp_path / "contract.redline.docx").exists()


async def test_a_deletion_is_made_only_when_it_is_wanted(service: Service, tmp_path: Path) -> None:
    code, said = await told(service, tmp_path, DELETE, "n", DELETE)
    (held,) = service.documents.values()
    assert (code, held.version) == (0, 0)  # at the end of the lines nobody says yes
    assert said.count("Not done; the document is as it was.") == 2
    _, said = await told(service, tmp_path, DELETE, "y", ":undo")
    assert "Undone." in said
    assert list(service.documents.values())[-1].version == 2


async def test_a_place_is_chosen_by_its_number(service: Service, tmp_path: Path) -> None:
    service.candidates = PLACES
    code, said = await told(service, tmp_path, REPLACE, "2")
    assert "2. Section 7: [30] days after" in said
    assert service.bodies[-1]["places"] == ["3:p9@0-2"]
    assert code == 0


async def test_changes_are_accepted_by_number_or_all(service: Service, tmp_path: Path) -> None:
    lines = (REPLACE, ":accept 2", ":accept 1", ":reject all")
    code, said = await told(service, tmp_path, *lines)
    assert "Error: say :accept all, or a number from 1 to 1 of :changes" in said
    assert "1 change accepted." in said
    assert service.resolved == [
        {"action": "accept", "ids": ["1"]},
        {"action": "reject", "all": True},
    ]
    assert code == 1  # something could not be done


async def test_what_cannot_be_done_is_one_line(service: Service, tmp_path: Path) -> None:
    lines = (
        'replace "nowhere" with "x"',
        ":bogus",
        f":save clean {tmp_path}/out.docx",
        ":open none.docx",
    )
    code, said = await told(service, tmp_path, *lines, ":quit", REPLACE)
    assert code == 1
    assert [line.partition(";")[0] for line in said if line.startswith("Error")] == [
        "Error: Edit operation failed: Unable to locate the specified text",
        "Error: there is no command :bogus",
        f"Error: {Path.cwd() / 'none.docx'}: No such file or directory",
    ]
    assert len(service.bodies) == 1  # nothing is read after :quit


async def test_the_tutor_goes_on_when_a_step_is_done_and_not_before(
    service: Service, tmp_path: Path
) -> None:
    sample = tmp_path / "sample.docx"
    sample.write_bytes(b"PK\x03\x04")
    lines = ('replace "30 days" with "forty-five days"', ":help", ":changes", "skip", ":quit")
    target = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    code = await Tutor(service.options(tmp_path), source, target, sample).run()
    said = target.getvalue()
    assert code == 1  # it was left
    assert re.findall(r"\n(\d+) of 10\.", said) == ["1", "2", "3", "4"]
    assert said.count("Not yet. Try:\n   :changes") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sample.docx"]  # noqa: ASYNC240
