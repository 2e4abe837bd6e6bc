"""Spanish words of the built-in interpreter (see `engine.interpreter.vocabulary`)."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "": "por favor | gracias | podrías | puedes | podría | puede | , | : | . | ! | ? | ¿ | ¡"
    " | ( | ) | también | ahora | nuevo | nueva | siguiente",
    "replace": "reemplaza | reemplace | reemplazar | sustituye | sustituya | sustituir",
    "change": "cambia | cambie | cambiar | modifica | modifique | modificar",
    "correct": "corrige | corrija | corregir",
    "use": "usa | use | usar | utiliza | utilice",
    "instead": "en lugar de | en vez de",
    "delete": "elimina | elimine | eliminar | borra | borre | borrar | quita | quite | quitar"
    " | suprime | suprima",
    "insert": "inserta | inserte | insertar | añade | añada | añadir | agrega | agregue | agregar",
    "rename": "renombra | renombre | renombrar",
    "set": "pon | ponga",
    "put": "pon | ponga | poner",
    "with": "por | con",
    "to": "a | en | por",
    "for": "para",
    "from": "de",
    "in": "en | de | del | dentro de | bajo",
    "after": "después de | después del | tras | detrás de | debajo de",
    "before": "antes de | antes del | delante de",
    "top": "al principio | al principio del | al principio de | al inicio | al inicio del",
    "end": "al final | al final del | al final de",
    "and": "y | e",
    "every": "todos | todas | cada | todo",
    "occurrence": "aparición de | apariciones de | aparición | apariciones | vez | veces",
    "everywhere": "en todas partes | en todo el documento | en todo documento | en todo texto",
    "inalldocument": "en el documento | en documento | en texto",
    "matchcase": "respetando mayúsculas y minúsculas | distinguiendo mayúsculas",
    "ignorecase": "sin distinguir mayúsculas | sin distinguir mayúsculas y minúsculas",
    "wholeword": "palabras completas | como palabra completa | solo palabras completas",
    "only": "solo | sólo | solamente | únicamente",
    "word": "palabra | palabras | término",
    "noun": "texto | frase | expresión | nombre | fecha | importe | precio | número | valor | hora",
    "sentence": "oración | frase | frases",
    "paragraph": "párrafo | párrafos",
    "line": "línea",
    "bullet": "viñeta | punto",
    "heading": "encabezado | título | epígrafe",
    "section": "sección | capítulo | apartado",
    "titled": "titulado | titulada | llamado | llamada",
    "withtext": "con el texto | con texto",
    "row": "fila",
    "column": "columna",
    "table": "tabla | tablas",
    "cell": "celda",
    "header": "encabezado | encabezado de página | cabecera",
    "footer": "pie de página | pies de página",
    "footnote": "nota al pie | nota",
    "footnotes": "notas al pie | notas",
    "title": "título del documento",
    "body": "cuerpo",
    "document": "documento | texto",
    "level": "nivel | de nivel",
    "containing": "que contiene | que contenga | sobre | que dice | que menciona",
    "starting": "que empieza por | que empieza con | que comienza con | que comienza por",
    "ending": "que termina en | que termina con | que acaba en",
    "everything": "y todo su contenido | con todo su contenido | y su contenido | por completo",
    "uppercase": "mayúsculas | en mayúsculas | mayúscula",
    "lowercase": "minúsculas | en minúsculas | minúscula",
    "nothing": "no cambies nada | no cambie nada | no modifiques nada | nada | no hagas nada",
}

ORDINALS: Mapping[str, int] = {
    "primer": 1,
    "primera": 1,
    "primero": 1,
    "segundo": 2,
    "segunda": 2,
    "tercer": 3,
    "tercera": 3,
    "último": -1,
    "última": -1,
}

ARTICLES = frozenset({"el", "la", "los", "las", "un", "una", "este", "esta"})
JOINTS = frozenset({"y", "luego", "después"})
