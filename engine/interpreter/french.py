"""French words of the built-in interpreter (see `engine.interpreter.vocabulary`)."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "": "s'il te plaît | s'il vous plaît | merci | merci de | veuillez | pourriez-vous | peux-tu"
    " | pouvez-vous | , | : | . | ! | ? | ( | ) | aussi | maintenant | nouveau | nouvelle"
    " | suivant | suivante",
    "replace": "remplace | remplacez | remplacer | substitue | substituez",
    "change": "change | changez | changer | modifie | modifiez | modifier",
    "correct": "corrige | corrigez | corriger",
    "use": "utilise | utilisez | utiliser | emploie | employez",
    "instead": "au lieu de | à la place de",
    "delete": "supprime | supprimez | supprimer | efface | effacez | effacer | enlève | enlevez"
    " | retire | retirez | retirer",
    "insert": "insère | insérez | insérer | ajoute | ajoutez | ajouter",
    "rename": "renomme | renommez | renommer",
    "set": "mets | mettez",
    "put": "mets | mettez | mettre",
    "with": "par | avec",
    "to": "en | à | par | vers",
    "for": "pour",
    "from": "de",
    "in": "dans | en | de | du | sous | d'",
    "after": "après | derrière | au-dessous de",
    "before": "avant | devant",
    "top": "au début | au début du | au début de | en haut | en haut du | en haut de | en tête du",
    "end": "à la fin | à la fin du | à la fin de | en bas | à fin | à fin du | à fin de",
    "and": "et | ainsi que",
    "every": "tous | toutes | chaque | tout",
    "occurrence": "occurrence de | occurrences de | occurrence | occurrences | fois",
    "everywhere": "partout | dans tout le document | dans tout document | dans l'ensemble du"
    " document | dans tout le texte | dans tout texte",
    "inalldocument": "dans le document | dans document | dans texte",
    "matchcase": "en respectant la casse | respecter la casse | en respectant casse",
    "ignorecase": "sans tenir compte de la casse | sans tenir compte de casse",
    "wholeword": "mots entiers | en mots entiers | mot entier | comme mot entier",
    "only": "seulement | uniquement",
    "word": "mot | mots | terme",
    "noun": "texte | expression | nom | date | montant | prix | numéro | phrase | formule | valeur"
    " | l'expression | heure | l'heure | société",
    "sentence": "phrase | phrases",
    "paragraph": "paragraphe | paragraphes | l'alinéa | alinéa",
    "line": "ligne",
    "bullet": "puce | point",
    "heading": "titre | intertitre | sous-titre",
    "section": "section | chapitre | partie",
    "titled": "intitulé | intitulée | nommé | appelé | appelée",
    "withtext": "avec le texte | avec texte",
    "row": "ligne | rangée",
    "column": "colonne",
    "table": "tableau | tableaux",
    "cell": "cellule",
    "header": "en-tête | l'en-tête | en-têtes",
    "footer": "pied de page | pieds de page",
    "footnote": "note de bas de page | note",
    "footnotes": "notes de bas de page | notes",
    "title": "titre du document",
    "body": "corps | corps du texte",
    "document": "document | texte",
    "level": "niveau | de niveau",
    "containing": "contenant | qui contient | où figure | sur | qui parle de | au sujet de",
    "starting": "commençant par | qui commence par",
    "ending": "finissant par | qui finit par | qui se termine par",
    "saying": "qui dit | disant",
    "everything": "et tout son contenu | avec tout son contenu | et son contenu | entièrement",
    "uppercase": "majuscules | en majuscules | majuscule",
    "lowercase": "minuscules | en minuscules | minuscule",
    "nothing": "ne change rien | ne changez rien | ne modifie rien | ne modifiez rien | rien",
}

ORDINALS: Mapping[str, int] = {
    "premier": 1,
    "première": 1,
    "deuxième": 2,
    "second": 2,
    "seconde": 2,
    "troisième": 3,
    "dernier": -1,
    "dernière": -1,
}

ARTICLES = frozenset({"le", "la", "les", "un", "une", "des", "ce", "cette"})
JOINTS = frozenset({"et", "puis", "ensuite"})
