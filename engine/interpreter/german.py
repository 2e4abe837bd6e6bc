"""German words of the built-in interpreter (see `engine.interpreter.vocabulary`)."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "": "bitte | mal | könntest du | kannst du | können sie | könnten sie | würden sie | danke"
    " | ich möchte | dass | , | : | . | ! | ? | ( | ) | ein | um | auch | jetzt | neu | neue"
    " | neuen | neues | hinzu | folgenden | folgende | doch | hierin | hervor | an | ab",
    "replace": "ersetze | ersetzen | ersetzen sie | tausche | tauschen sie | austauschen",
    "change": "ändere | ändern | ändern sie | aendere | aktualisiere | aktualisieren sie",
    "correct": "korrigiere | korrigieren | korrigieren sie | berichtige | verbessere",
    "use": "verwende | benutze | schreibe | verwenden sie | nimm",
    "instead": "statt | anstelle von | anstatt | an stelle von",
    "delete": "lösche | löschen | löschen sie | loesche | entferne | entfernen | entfernen sie"
    " | streiche | streichen | streichen sie | nimm heraus",
    "insert": "füge | füge ein | einfügen | fügen sie | füge hinzu | ergänze | ergänzen sie"
    " | hinzufügen | schreibe | setze",
    "rename": "benenne | benenne um | umbenennen | benennen sie",
    "set": "setze | setzen sie",
    "with": "durch | mit | gegen",
    "to": "zu | in | auf | gegen",
    "for": "für",
    "from": "von | vom",
    "in": "in | im | auf | aus | von | innerhalb | unter | innerhalb von",
    "after": "nach | hinter | unterhalb",
    "before": "vor | oberhalb | über",
    "top": "am anfang | an anfang | ganz oben | am beginn | an den anfang | zu beginn",
    "end": "am ende | an ende | ans ende | ganz unten | am schluss | zum schluss",
    "and": "und | sowie",
    "every": "alle | jedes | jeden | jede | sämtliche | allen | jeder",
    "occurrence": "vorkommen | vorkommen von | auftreten | auftreten von | mal",
    "everywhere": "überall | ueberall | im ganzen dokument | im gesamten dokument | durchgehend"
    " | im ganzen text | im gesamten text | an allen stellen | in ganzen dokument",
    "inalldocument": "im dokument | im text | in diesem dokument",
    "matchcase": "groß- und kleinschreibung beachten | mit beachtung der groß- und"
    " kleinschreibung | groß-/kleinschreibung beachten | groß- und kleinschreibung beachtend",
    "ignorecase": "groß- und kleinschreibung ignorieren | ohne beachtung der groß- und"
    " kleinschreibung | groß-/kleinschreibung ignorieren",
    "closeup": "und die lücke schließen | und lücke schließen | und aufrücken",
    "wholeword": "als ganzes wort | als ganze wörter | ganze wörter | nur ganze wörter"
    " | ganzes wort",
    "only": "nur",
    "word": "wort | begriff",
    "noun": "text | ausdruck | name | namen | datum | betrag | preis | nummer | zahl | wert | firma"
    " | uhrzeit | zeit | frist | wörter | worte | formulierung | wendung | stelle",
    "make": "mache | machen sie | mach | formatiere | formatieren sie | wandle | wandeln sie",
    "apply": "wende",
    "put": "setze | setzen sie | stelle",
    "move": "verschiebe | verschieben sie | verschieben | schiebe",
    "merge": "verbinde | verbinden sie | füge zusammen",
    "start": "beginne | beginnen sie",
    "accept": "akzeptiere | akzeptieren sie | akzeptieren | nimm | übernimm | übernehmen sie",
    "reject": "verwirf | verwerfen sie | lehne | lehnen sie | verwerfen | ablehnen | weise",
    "comment": "kommentiere | kommentar",
    "bold": "fett | fettgedruckt | in fettschrift | fettschrift",
    "italic": "kursiv | in kursivschrift",
    "underline": "unterstreiche | unterstrichen | unterstreichen sie | unterstreichen",
    "highlighted": "markiere | hebe | hervorgehoben | markiert | markieren sie | hebe hervor",
    "points": "punkt | pt",
    "fontsize": "schriftgröße | schriftgrad",
    "fontname": "schriftart | schrift",
    "fontcolor": "schriftfarbe | textfarbe | farbe",
    "style": "formatvorlage | absatzformat | stil",
    "plain": "normalen absatz | normaler text | normalen text | fließtext",
    "bulletlist": "aufzählung | aufzählungsliste | liste mit punkten",
    "numberlist": "nummerierten liste | nummerierte liste | numerierte liste",
    "center": "zentriere | zentriert | zentrieren sie",
    "justified": "im blocksatz | blocksatz",
    "headings": "überschriften | zwischenüberschriften",
    "pagebreak": "seitenumbruch",
    "newpage": "auf neuer seite | auf einer neuen seite | auf neuen seite | auf einer eigenen"
    " seite",
    "headrow": "kopfzeile der tabelle | überschriftenzeile",
    "link": "verlinke | link | hyperlink | verknüpfe | verlinken sie",
    "doctitle": "dokumenttitel | titel des dokuments",
    "author": "autor | verfasser",
    "alttext": "alternativtext | alt-text | bildbeschreibung",
    "image": "bild | bilds | bildes | abbildung | grafik",
    "revision": "änderungen | nachverfolgten änderungen | vorschläge",
    "sentence": "satz | sätze",
    "paragraph": "absatz | absätze | paragraphen | paragraph",
    "line": "zeile",
    "bullet": "punkt | aufzählungspunkt | listenpunkt | stichpunkt",
    "heading": "überschrift | ueberschrift | zwischenüberschrift",
    "section": "abschnitt | kapitel | unterabschnitt",
    "titled": "namens | mit dem titel | mit der überschrift",
    "withtext": "mit dem text | mit dem inhalt",
    "row": "zeile | tabellenzeile",
    "column": "spalte",
    "table": "tabelle | tabellen",
    "cell": "zelle",
    "header": "kopfzeile | kopfzeilen",
    "footer": "fußzeile | fusszeile | fußzeilen",
    "footnote": "fußnote | fussnote | die fußnote",
    "footnotes": "fußnoten | fussnoten | endnoten",
    "title": "titel",
    "body": "haupttext | fließtext",
    "document": "dokument | dokuments | textes",
    "level": "ebene",
    "containing": "enthält | enthaltend | enthalten ist | steht | vorkommt | über | zu",
    "starting": "beginnt | anfängt | beginnend mit",
    "ending": "endet | aufhört",
    "saying": "lautet",
    "everything": "mit allem inhalt | samt inhalt | und alles darin | und allem darin | mit inhalt"
    " | komplett | vollständig | und seinen inhalt | und alles, was darin steht",
    "uppercase": "großbuchstaben | in großbuchstaben | versalien",
    "lowercase": "kleinbuchstaben | in kleinbuchstaben",
    "page": "seite | seiten",
    "blankpage": "leere seite | leerseite | leeren seite",
    "through": "bis",
    "rotate": "drehe | drehen | drehen sie | rotiere",
    "degrees": "grad | grad im uhrzeigersinn",
    "redact": "schwärze | schwärzen | schwärzen sie",
    "watermark": "wasserzeichen",
    "pagenumber": "seitenzahlen | seitennummern",
    "nothing": "ändere nichts | nichts ändern | mache nichts | nichts | lass alles wie es ist"
    " | ändern sie nichts | nichts tun | tu nichts",
}

ORDINALS: Mapping[str, int] = {
    "ersten": 1,
    "erste": 1,
    "erstes": 1,
    "erster": 1,
    "zweiten": 2,
    "zweite": 2,
    "zweites": 2,
    "dritten": 3,
    "dritte": 3,
    "letzten": -1,
    "letzte": -1,
    "letztes": -1,
}

COLORS: Mapping[str, str] = {
    "rot": "red",
    "blau": "blue",
    "grün": "green",
    "gelb": "yellow",
    "schwarz": "black",
    "grau": "gray",
}

ARTICLES = frozenset(
    {"der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "welcher"}
)
JOINTS = frozenset({"und", "dann", "anschließend", "danach"})
