"""What else two versions of a PDF differ in: the values of form fields, and properties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from redraft.engine.pdf.document_info import properties
from redraft.engine.pdf.form_fields import fields


@dataclass(frozen=True, slots=True)
class FieldChange:
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


def field_changes(original: bytes, working: bytes) -> list[FieldChange]:
    """Lists the fields and properties that differ, by name."""
    if original == working:
        return []
    old, new = fields(original), fields(working)
    changes = [
        FieldChange("field", name, old[name].value, field.value, field.page)
        for name, field in sorted(new.items())
        if name in old and old[name].value != field.value
    ]
    return changes + _of_properties(properties(original), properties(working))


def _of_properties(old: Mapping[str, str], new: Mapping[str, str]) -> list[FieldChange]:
    return [
        FieldChange("property", name, old.get(name, ""), value)
        for name, value in sorted(new.items())
        if old.get(name, "") != value
    ]
