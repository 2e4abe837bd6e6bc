"""Charts and diagrams without a description say what their data say."""

from __future__ import annotations

import pytest

from redraft.engine.docx.opc.package import Package
from redraft.engine.docx.reading import reader
from tests.engine.wordml import docx, p

C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
SERIES = "<c:ser><c:tx><c:v>{}</c:v></c:tx><c:cat><c:pt><c:v>2023</c:v></c:pt></c:cat></c:ser>"
TITLE = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Revenue</a:t></a:r></a:p></c:rich></c:tx></c:title>"
CHART = (
    f'<c:chartSpace xmlns:c="{C}" xmlns:a="{A}"><c:chart>{TITLE}<c:plotArea><c:layout/>'
    f"<c:pieChart>{SERIES.format('Widgets')}{SERIES.format('Gears')}</c:pieChart>"
    "</c:plotArea></c:chart></c:chartSpace>"
)
DIAGRAM = (
    f'<dgm:dataModel xmlns:dgm="{DGM}" xmlns:a="{A}"><dgm:ptLst>'
    "<dgm:pt><dgm:t><a:p><a:r><a:t>Draft</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt/>"
    "<dgm:pt><dgm:t><a:p><a:r><a:t>Sign</a:t></a:r></a:p></dgm:t></dgm:pt>"
    "</dgm:ptLst></dgm:dataModel>"
)


CHARTED = f'<c:chart xmlns:c="{C}" r:id="rId7"/>'
DIAGRAMMED = f'<dgm:relIds xmlns:dgm="{DGM}" r:dm="rId7"/>'
TOLD = "Pie chart: Revenue (Widgets, Gears) by 2023"


def drawing(graphic: str, alt: str = "") -> str:
    return (
        f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Thing 1" descr="{alt}"/><a:graphic>'
        f"<a:graphicData>{graphic}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )


@pytest.mark.parametrize(
    ("graphic", "alt", "kind", "data", "caption"),
    [
        (CHARTED, "", "chart", CHART, TOLD),
        (CHARTED, "Ours", "chart", CHART, "Ours"),
        (CHARTED, "", "chart", "<broken", "Thing 1"),
        (DIAGRAMMED, "", "diagramData", DIAGRAM, "Diagram: Draft, Sign"),
    ],
)
def test_what_is_drawn_from_data_is_told(
    graphic: str, alt: str, kind: str, data: str, caption: str
) -> None:
    relations, media = {"rId7": (kind, "drawn.xml")}, {"drawn.xml": data.encode()}
    made = docx(p(drawing(graphic, alt)), relations=relations, media=media)
    (note,) = reader.read(Package.open(made), "final").images
    assert (note.image_id, note.caption) == ("drawn.xml", caption)
