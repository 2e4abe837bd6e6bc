"""What else two versions of a PDF differ in: the values of form fields, and properties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from redraft.engine.pdf.document_info import properties
from redraft.engine.pdf.form_fields import fields


@dataclass(frozen=True, slots=True)
class Setting:
    """A form field or a property that has another value; `page` from 0 is where the field is."""

    kind: Literal["field", "property"]
    name: str
    before: str
    after: str
    page: int = 0

    @property
    def sentence(self) -> str:
        """What a reader of the pages is told."""
        what = "Form field" if self.kind == "field" else "Document property"
        was = f'"{self.before}"' if self.before else "empty"
        return f'{what} {self.name}: was {was}, is now "{self.after}"'


def settings(original: bytes, working: bytes) -> list[Setting]:
    """List the fields and properties that differ, by name."""
    if original == working:
        return []
    old, new = fields(original), fields(working)
    found = [
        Setting("field", name, old[name].value, held.value, held.page)
        for name, held in sorted(new.items())
        if name in old and old[name].value != held.value
    ]
    return found + _of_properties(properties(original), properties(working))


def _of_properties(old: Mapping[str, str], new: Mapping[str, str]) -> list[Setting]:
    return [
        Setting("property", name, old.get(name, ""), value)
        for name, value in sorted(new.items())
        if old.get(name, "") != value
    ]
