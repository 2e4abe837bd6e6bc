"""English words of the built-in interpreter (see `engine.interpreter.vocabulary`)."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    # dropped
    "": "please | kindly | could you | can you | would you | will you | i want you to"
    " | i would like you to | i'd like you to | i want to | i would like to | i'd like to"
    " | we need to | i need to"
    " | i need you to | go ahead and | just | simply | now | for me | thanks | thank you | first of"
    " all | also | currently | new | existing | , | : | . | ! | ? | ( | ) | so | out | hi | hello",
    "replace": "replace | exchange",
    "change": "change | alter | modify | update | amend | edit | revise"
    " | rewrite | reword | rephrase",
    "correct": "correct | fix",
    "use": "use | write | make it say | have it say",
    "instead": "instead of | in place of | rather than",
    "substitute": "substitute",
    "swap": "swap",
    "delete": "delete | remove | erase | strike | strike out | strike through | cut | drop"
    " | get rid of | take out | omit | eliminate | discard | cross out",
    "clear": "clear | empty",
    "prepend": "prepend",
    "insert": "insert | add | append | include | place",
    "rename": "rename | retitle",
    "set": "set",
    "put": "put",
    "make": "make | turn | convert | format | render",
    "apply": "apply",
    "move": "move | shift | relocate",
    "merge": "merge | join | combine",
    "split": "split | divide",
    "start": "start | begin",
    "accept": "accept | approve",
    "reject": "reject | decline | discard",
    "comment": "comment | leave comment",
    "fill": "fill | fill in | fill out | complete | enter",
    "check": "check | tick",
    "uncheck": "uncheck | untick",
    "align": "align",
    "at": "at",
    "bold": "bold | boldface | bold face | bold type | embolden | bolded | bold formatting",
    "italic": "italic | italics | italicise | italicize | italicised | italicized | cursive"
    " | italic formatting",
    "underline": "underline | underlined | underlining",
    "strikethrough": "strikethrough | struck through | crossed out",
    "smallcaps": "small caps | small capitals",
    "highlighted": "highlight | highlighted | highlighting | mark in colour",
    "superscript": "superscript | superscripted",
    "subscript": "subscript | subscripted",
    "size": "size",
    "points": "pt | point | points | pts",
    "fontsize": "font size | text size | type size",
    "fontname": "font | typeface | font family",
    "color": "color | colour",
    "fontcolor": "font color | font colour | text color | text colour",
    "linespacing": "line spacing",
    "style": "style | paragraph style",
    "plain": "normal paragraph | plain paragraph | ordinary paragraph | normal text | body text"
    " | plain text | regular paragraph | regular text",
    "quotation": "quote | quotation | block quote | blockquote",
    "bulletlist": "bulleted list | bullet list | unordered list | list with bullets | bullet"
    " point list",
    "numberlist": "numbered list | ordered list | number list",
    "center": "center | centre | centered | centred",
    "left": "left | left-aligned | flush left | left aligned",
    "right": "right | right-aligned | flush right | right aligned",
    "justified": "justify | justified",
    "headings": "headings | section headings | section titles | subheadings | headlines"
    " | section headers",
    "paragraphs": "paragraphs | body paragraphs",
    "not": "not | no longer | not to be | non",
    "nextone": "next one | next paragraph | following one | following paragraph | one after it"
    " | paragraph after it | next | one below | paragraph below",
    "onepar": "into one paragraph | into one | into single paragraph | in one paragraph",
    "pagebreak": "page break | manual page break | pagebreak",
    "newpage": "on a new page | on new page | on its own page | on own page | on a separate page"
    " | to a new page | to new page | on a fresh page | on next page | in a new page",
    "headrow": "header row | heading row | top row | title row",
    "link": "link | hyperlink | url | web link | links | hyperlinks",
    "behind": "behind",
    "doctitle": "document title | document's title | title of the document",
    "titleproperty": "title property | document title property | metadata title | title metadata"
    " | property title | title in the properties | title in the document properties"
    " | title in the metadata",
    "property": "property | document property | metadata",
    "docof": "document | document's",
    "author": "author | author property | document author",
    "subject": "subject | subject property | document subject",
    "keywords": "keywords | keyword | document keywords",
    "category": "category | document category",
    "alttext": "alt text | alternative text | alt-text | image description | alt",
    "image": "image | picture | figure | photo | graphic | drawing",
    "revision": "changes | tracked changes | tracked change | edits | suggestions | suggested"
    " changes | revisions | modifications | suggestion | revision | redlines | pending changes"
    " | changes made | changes in the document",
    "field": "field | form field | content control | blank",
    "box": "box | check box | checkbox | tick box",
    "check box": "check box | tick box",
    "read": "should read | should be | must read | must be | should say | ought to be | becomes"
    " | it should say | it should read | it must say | it must read",
    "arrow": "-> | → | => | ⇒ | ➔",
    "uppercase": "uppercase | upper case | upper-case | capitals | capital letters | all caps"
    " | block letters",
    "lowercase": "lowercase | lower case | lower-case | small letters",
    "titlecase": "capitalise | capitalize | title case | titlecase | title-case",
    "with": "with | by | made by",
    "to": "to | into | to read | to say | to be",
    "as": "as",
    "for": "for",
    "from": "from",
    "in": "in | within | inside | of | on | under | throughout | across | inside of",
    "after": "after | below | behind | right after | directly after | immediately after"
    " | following | underneath",
    "before": "before | above | in front of | right before | directly before | immediately before"
    " | ahead of | preceding",
    "top": "at top of | at the top of | at top | at the top | at the beginning of | at the"
    " beginning | at the start of | at the start | to the top of | to the beginning of | to the"
    " start of | to the top | to the beginning | to the start | at the very top | at the very top"
    " of | at the very beginning | at the very beginning of",
    "end": "at end of | at the end of | at end | at the end | at the bottom of | at the bottom"
    " | to the end of | to the bottom of | to the end | to the bottom | at the very end | at the"
    " very end of",
    "and": "and | as well as",
    "every": "every | all | each | all of the | both | all the | every single",
    "occurrence": "occurrence of | occurrences of | instance of | instances of | mention of"
    " | mentions of | appearance of | appearances of | occurrence | occurrences | instance"
    " | instances | mention | mentions | appearance",
    "everywhere": "everywhere | throughout the document | throughout the whole document"
    " | throughout the entire document | in the whole document | in the entire document | in all"
    " places | wherever it appears | wherever it occurs | across the document | globally"
    " | throughout | everywhere in the document | in the document everywhere | throughout the text"
    " | throughout the agreement | throughout the contract | throughout the report | throughout the"
    " file | throughout the policy | throughout the manual | in both places | in all of them",
    "inalldocument": "in the document | in this document | in the text | in the file",
    "matchcase": "match case | matching case | case sensitive | case-sensitive | case sensitively"
    " | exact case | with matching case | respecting case | with the same case | match the case",
    "ignorecase": "ignore case | ignoring case | case insensitive | case-insensitive | any case"
    " | regardless of case | whatever the case | in any case",
    "closeup": "and close up | and close the gap | and close up the gap | and close the space"
    " | closing the gap | closing up the gap | and leave no gap | without leaving a gap"
    " | and move up what follows | and move what follows up | and pull up what follows",
    "wholeword": "whole word | whole words | as whole word | as whole words | as a whole word"
    " | whole word only | whole words only | as whole words only | only whole words | complete"
    " words | entire words | only as a whole word | matching whole words",
    "only": "only",
    "word": "word | words | term",
    "noun": "phrase | text | wording | name | company name | date | time | amount | price | number"
    " | string | expression | figure | value | company | party | deadline | city | spelling | typo"
    " | letters | characters | passage | part | bit | typos | client | client name | address"
    " | email | email address | year | month | day | percentage | rate | quantity | person",
    "sentence": "sentence | sentences",
    "paragraph": "paragraph",
    "clause": "clause | clauses",
    "line": "line | lines",
    "bullet": "bullet | bullets | bullet point | bullet points | list item | list items | item"
    " | list entry | bulleted item",
    "numbered": "numbered item | numbered point | numbered list item",
    "heading": "heading | section heading | section title | subheading | headline",
    "section": "section | sections | chapter | subsection",
    "titled": "titled | called | named | entitled | headed | with the title | with the heading",
    "withtext": "with the text | with text | with the words | with the content | with content"
    " | with the paragraph | with the body | that says | saying | reading",
    "row": "row | rows | table row",
    "column": "column | columns | table column",
    "table": "table | tables",
    "cell": "cell | cells | table cell",
    "header": "header | headers | page header | page headers",
    "footer": "footer | footers | page footer | page footers",
    "footnote": "footnote | foot note | note | endnote | footnote saying",
    "footnotes": "footnotes | endnotes | notes | foot notes",
    "title": "title | main title",
    "body": "body | body text | main text | text body | document body | body of the document",
    "document": "document | doc | file | whole document | page",
    "level": "level",
    "containing": "containing | that contains | which contains | that contain | mentioning | that"
    " mentions | which mentions | that includes | which includes | including | about | that has"
    " | that talks about | regarding | that refers to | concerning | with the word | with the words"
    " | with the phrase | with the text | which has | that deals with",
    "starting": "that starts with | starting with | that begins with | beginning with | which"
    " begins with | which starts with | that start with | starts with | that start | begins with",
    "ending": "that ends with | ending with | which ends with | ending in | that ends in",
    "saying": "that says | which says | that reads | which reads | saying | reading | that say",
    "everything": "and everything in it | and all its content | and all its contents | with"
    " everything in it | and its content | and its contents | and all of its content | including"
    " its content | with all its content | and everything under it | and everything below it"
    " | completely | entirely | altogether | entire | whole",
    "page": "page | pages",
    "blankpage": "blank page | empty page",
    "through": "through | till | until",
    "rotate": "rotate | turn",
    "degrees": "degrees | degree | degrees clockwise | clockwise",
    "counterclockwise": "counterclockwise | anticlockwise | degrees counterclockwise"
    " | degrees anticlockwise",
    "redact": "redact | black out | blacken",
    "watermark": "watermark",
    "pagenumber": "page numbers | page numbering",
    "nothing": "do nothing | do not change anything | don't change anything | change nothing"
    " | leave everything as it is | leave the document as it is | leave it as it is | no changes"
    " | make no changes | do not edit anything | don't edit anything | nothing | leave it alone"
    " | leave the document unchanged | keep everything as it is | do not do anything | don't do"
    " anything | do not change the document | don't change the document"
    " | leave the document alone | keep the document as it is",
}

ORDINALS: Mapping[str, int] = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "fifth": 5,
    "5th": 5,
    "sixth": 6,
    "6th": 6,
    "seventh": 7,
    "7th": 7,
    "eighth": 8,
    "8th": 8,
    "ninth": 9,
    "9th": 9,
    "tenth": 10,
    "10th": 10,
    "last": -1,
    "final": -1,
    "first one": 1,
    "second one": 2,
    "third one": 3,
    "last one": -1,
    "first time": 1,
    "last time": -1,
}

COLORS: Mapping[str, str] = {
    "red": "red",
    "blue": "blue",
    "green": "green",
    "yellow": "yellow",
    "orange": "orange",
    "purple": "purple",
    "black": "black",
    "white": "white",
    "gray": "gray",
    "grey": "gray",
    "pink": "pink",
    "brown": "brown",
    "cyan": "cyan",
    "magenta": "magenta",
    "navy": "navy",
    "turquoise": "turquoise",
}

ARTICLES = frozenset({"the", "a", "an", "this", "that", "its", "our", "my"})
JOINTS = frozenset({"and", "also", "next", "finally"})
