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
    "change": "change | alter | modify | update | amend | edit | revise",
    "correct": "correct | fix",
    "use": "use | write",
    "instead": "instead of | in place of | rather than",
    "substitute": "substitute",
    "swap": "swap",
    "delete": "delete | remove | erase | strike | strike out | strike through | cut | drop"
    " | get rid of | take out | omit | eliminate | discard | cross out",
    "insert": "insert | add | append | include | place",
    "rename": "rename | retitle",
    "set": "set",
    "put": "put",
    "make": "make | turn | convert",
    "read": "should read | should be | must read | must be | should say | ought to be | becomes",
    "arrow": "-> | → | => | ⇒ | ➔",
    "uppercase": "uppercase | upper case | upper-case | capitals | capital letters | all caps"
    " | block letters",
    "lowercase": "lowercase | lower case | lower-case | small letters",
    "titlecase": "capitalise | capitalize | title case | titlecase | title-case",
    "with": "with | by",
    "to": "to | into | to read | to say | to be",
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
    " | throughout | everywhere in the document | in the document everywhere | throughout the text",
    "inalldocument": "in the document | in this document | in the text | in the file",
    "matchcase": "match case | matching case | case sensitive | case-sensitive | case sensitively"
    " | exact case | with matching case | respecting case | with the same case | match the case",
    "ignorecase": "ignore case | ignoring case | case insensitive | case-insensitive | any case"
    " | regardless of case | whatever the case | in any case",
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
    "paragraph": "paragraph | paragraphs",
    "clause": "clause | clauses",
    "line": "line | lines",
    "bullet": "bullet | bullets | bullet point | bullet points | list item | list items | item"
    " | list entry | bulleted item",
    "numbered": "numbered item | numbered point | numbered list item",
    "heading": "heading | headings | section heading | section title | subheading | headline",
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
    "footnote": "footnote | foot note | note | endnote",
    "footnotes": "footnotes | endnotes | notes | foot notes",
    "title": "title | document title | main title",
    "body": "body | body text | main text",
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

ARTICLES = frozenset({"the", "a", "an", "this", "that", "its", "our", "my"})
JOINTS = frozenset({"and", "also", "next", "finally"})
