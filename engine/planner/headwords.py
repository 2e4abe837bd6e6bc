"""What sections are commonly called, in the languages of the interpreter: one subject a line.

A person may speak of `die Kündigung` in a document whose section is headed `Termination`. Which
blocks of a long document a model is shown is guessed by words alone, so that the other words for
the subject count, too. Words are compared by the beginnings that `ranking.terms` compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from redraft.engine.planner.ranking import terms

_SUBJECTS: Final = """
termination terminate kündigung kündigen beendigung résiliation résilier terminación rescisión
payment pay zahlung zahlen bezahlung paiement payer pago pagar
fee price remuneration vergütung preis entgelt honorar rémunération honoraires prix precio
term duration laufzeit dauer vertragsdauer durée duración plazo vigencia
scope geltungsbereich leistungsumfang umfang portée ámbito alcance
definition begriffsbestimmung definition définition definición
confidentiality vertraulichkeit geheimhaltung confidentialité confidencialidad
liability haftung responsabilité responsabilidad
warranty guarantee gewährleistung garantie garantía
indemnity indemnification freistellung schadloshaltung indemnisation indemnización
damages schadensersatz dommages daños perjuicios
notice mitteilung benachrichtigung notification notificación aviso
assignment abtretung übertragung cession cesión
property eigentum propriété propiedad
privacy datenschutz confidentialité privacidad
delivery lieferung livraison entrega
acceptance abnahme acceptation aceptación
dispute arbitration streitigkeit streitbeilegung schiedsverfahren litige arbitrage disputa arbitraje
law recht droit derecho legislación
jurisdiction gerichtsstand zuständigkeit juridiction compétence jurisdicción competencia
insurance versicherung assurance seguro
rent miete loyer alquiler renta
deposit kaution dépôt caution depósito fianza
salary wage gehalt lohn salaire salario sueldo
holiday vacation leave urlaub congé vacaciones
purpose zweck ziel objet objetivo propósito
introduction einleitung einführung introduction introducción
summary abstract zusammenfassung überblick résumé resumen
conclusion schluss schlussfolgerung fazit conclusion conclusión
background hintergrund contexte antecedentes
method methode vorgehen méthode método metodología
result ergebnis résultat resultado
discussion diskussion erörterung discussion discusión
requirement anforderung voraussetzung exigence requisito
installation installieren einrichtung installation instalación
maintenance wartung instandhaltung entretien maintenance mantenimiento
safety security sicherheit sécurité seguridad
schedule timetable zeitplan calendrier calendario cronograma
budget haushalt kosten cost coût presupuesto coste
appendix annex anhang anlage annexe anexo apéndice
reference bibliography literatur quellen référence bibliographie referencia bibliografía
acknowledgement danksagung remerciements agradecimientos
"""


def _table() -> Mapping[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _SUBJECTS.strip().splitlines():
        subject = set(terms(line))
        for term in subject:
            table.setdefault(term, set()).update(subject)
    return {term: frozenset(others) for term, others in table.items()}


_OTHERS: Final = _table()


def others(term: str) -> frozenset[str]:
    """The terms for what a term is about, itself among them; none where nothing is known."""
    return _OTHERS.get(term, frozenset())
