from __future__ import annotations

import pytest

from redraft.engine.interpreter.interpreter import interpret
from redraft.engine.plan import (
    DeleteBlocks,
    FindReplace,
    InsertBlocks,
    NewBlock,
    Operation,
    ReplaceText,
)
from tests.engine.interpreter.agreement import AGREEMENT

BERLIN = FindReplace("Berlin", "Bonn", match_case=True, whole_word=True)
DRAFT = FindReplace("Draft", "Final", "headers", match_case=True, whole_word=True)
NET = ReplaceText("p9", "Net 30", "Net 45")
FORCE = DeleteBlocks("p11", "p11")
NEW = InsertBlocks("p10", "after", (NewBlock("paragraph", "X"),))
LAST = InsertBlocks("p14", "after", (NewBlock("like_anchor", "X"),))
FIRST_FEE = ReplaceText("p5", "fee", "dues", 1)
SCOPE = ReplaceText("p4", "Scope", "Aim")

SENTENCES: list[tuple[str, Operation]] = [
    ("Ersetze „Berlin“ durch „Bonn“ überall", BERLIN),
    ("Bitte „Berlin“ überall durch „Bonn“ ersetzen.", BERLIN),
    ("Ersetzen Sie alle „Berlin“ durch „Bonn“!", BERLIN),
    ("Verwende »Bonn« statt »Berlin«", BERLIN),
    ("Ersetze „Draft“ in der Kopfzeile durch „Final“", DRAFT),
    ("Ersetze in der Kopfzeile „Draft“ durch „Final“", DRAFT),
    ("Ändere „Net 30“ in „Net 45“", NET),
    ("Könnten Sie „Net 30“ im Abschnitt „Payment“ zu „Net 45“ ändern?", NET),
    ("Lösche den Absatz, der „Force majeure“ enthält", FORCE),
    ("Entferne den Absatz mit „Force majeure“", FORCE),
    ("den Absatz, der mit „Force majeure“ beginnt, löschen", FORCE),
    ("Lösche den Abschnitt „Appendix B“", DeleteBlocks("p12", "p14")),
    ("Füge „X“ am Ende des Dokuments ein", LAST),
    ("Füge den Absatz „X“ nach der Überschrift „Termination“ ein.", NEW),
    ("Benenne die Überschrift „Scope“ in „Aim“ um", SCOPE),
    ("Ersetze nur das erste „fee“ durch „dues“", FIRST_FEE),
    ("Remplacez « Berlin » par « Bonn » partout", BERLIN),
    ("Remplace «Berlin» par «Bonn» dans tout le document, s'il te plaît", BERLIN),
    ("Remplacez « Draft » par « Final » dans l'en-tête", DRAFT),
    ("Changez « Net 30 » en « Net 45 »", NET),
    ("Supprimez le paragraphe contenant « Force majeure »", FORCE),
    (
        "Veuillez supprimer la section « Appendix B » et tout son contenu",
        DeleteBlocks("p12", "p14"),
    ),
    ("Ajoutez « X » à la fin du document", LAST),
    ("Ajoute le paragraphe « X » après le titre « Termination »", NEW),
    ("Renomme le titre « Scope » en « Aim »", SCOPE),
    ("Reemplaza «Berlin» por «Bonn» en todo el documento", BERLIN),
    ("Por favor, sustituye todos los «Berlin» por «Bonn»", BERLIN),
    ("Cambia «Net 30» a «Net 45» en la sección «Payment»", NET),
    ("Elimina el párrafo que contiene «Force majeure»", FORCE),
    ("Añade «X» al final del documento", LAST),
    ("Renombra el título «Scope» a «Aim»", SCOPE),
]


@pytest.mark.parametrize(
    ("instruction", "operation"), SENTENCES, ids=[sentence for sentence, _ in SENTENCES]
)
def test_other_languages_have_the_plain_sentences(instruction: str, operation: Operation) -> None:
    assert interpret(AGREEMENT, instruction, None).operations == (operation,)


def test_commands_are_chained_in_their_language() -> None:
    found = interpret(
        AGREEMENT, "Ersetze „Berlin“ durch „Bonn“ und lösche „Emma Davis“, dann nichts", None
    )
    assert found.operations == (BERLIN, DeleteBlocks("p7", "p7"))


@pytest.mark.parametrize(
    "instruction", ["Ändere nichts", "Ne changez rien.", "No cambies nada", "bitte nichts ändern"]
)
def test_nothing_is_nothing_everywhere(instruction: str) -> None:
    assert interpret(AGREEMENT, instruction, None).decision == "no_change"
