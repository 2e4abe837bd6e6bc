"""What charts and diagrams show, said from their data (ECMA-376 Part 1, 21.2 and 21.4).

[x] the kind, title, series and categories of a chart  [x] the words of a diagram (SmartArt)
[-] values, axes, layouts
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from redraft.engine.docx.names import DGM, A, C, Element
from redraft.engine.docx.opc.package import Package
from redraft.engine.errors import EngineError

_KINDS: Final = {
    "barChart": "bar chart",
    "bar3DChart": "bar chart",
    "lineChart": "line chart",
    "line3DChart": "line chart",
    "pieChart": "pie chart",
    "pie3DChart": "pie chart",
    "doughnutChart": "doughnut chart",
    "areaChart": "area chart",
    "area3DChart": "area chart",
    "scatterChart": "scatter chart",
    "bubbleChart": "bubble chart",
    "radarChart": "radar chart",
    "stockChart": "stock chart",
    "surfaceChart": "surface chart",
}
_MOST_NAMES, _MOST_LETTERS = 6, 160
_MODEL_WORDS: Final = f"{DGM('ptLst')}/{DGM('pt')}/{DGM('t')}"


def described(package: Package, part: str) -> str:
    """Returns what a chart or diagram shows, in one line; empty for another part.

    Args:
        package: The document.
        part: The chart, or the data of the diagram.
    """
    try:
        root = package.tree(part)
    except EngineError:
        return ""
    if root.tag == C("chartSpace"):
        return _chart(root)
    return _diagram(root) if root.tag == DGM("dataModel") else ""


def _chart(root: Element) -> str:
    area = next(root.iter(C("plotArea")), None)
    if area is None:
        return ""
    kinds = [str(child.tag).rpartition("}")[2] for child in area]
    kind = next((_KINDS[name] for name in kinds if name in _KINDS), "chart")
    title = " ".join(_written(root.find(f"{C('chart')}/{C('title')}")).split())
    series = _names(area, f"{C('ser')}/{C('tx')}")
    categories = _names(area, f"{C('ser')}/{C('cat')}")
    words = f"{kind}: {title}" if title else kind
    words += f" ({_listed(series)})" if series and series != [title] else ""
    words += f" by {_listed(categories)}" if categories else ""
    return words[:1].upper() + words[1:_MOST_LETTERS]


def _names(area: Element, path: str) -> list[str]:
    """Returns the names that the series of a chart have, or their categories, each once."""
    values = (
        " ".join((value.text or "").split())
        for holder in area.iterfind(f"*/{path}")
        for value in holder.iter(C("v"))
    )
    return list(dict.fromkeys(value for value in values if value))


def _diagram(root: Element) -> str:
    texts = (" ".join(_written(words).split()) for words in root.iterfind(_MODEL_WORDS))
    listed = _listed([text for text in texts if text])
    return f"Diagram: {listed}"[:_MOST_LETTERS] if listed else ""


def _written(holder: Element | None) -> str:
    return (
        "" if holder is None else " ".join(node.text or "" for node in holder.iter(A("t"), C("v")))
    )


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - _MOST_NAMES
    return ", ".join(every[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
