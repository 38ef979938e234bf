"""Function words of five languages, and the language they give away.

The lists are ours. They serve to leave words without content out of a query, and to tell the language of a text whose
archive does not say it: a guess, reported as one.
"""

from collections import Counter

from vestigia.domain.text import words

LEAST_WORDS = 40
"""A shorter text is not guessed."""
LEAST_SHARE = 0.15
"""Of a text's words at least this many must be function words of its language."""
LEAD = 1.4
"""And this many times those of any other language."""
_CODES = {"french": "fr", "german": "de", "english": "en", "italian": "it", "spanish": "es"}


def guess_language(text: str) -> str:
    """Return the code of the language a text is written in, by its function words; empty when that is not clear."""
    found = words(text[:20_000])
    if len(found) < LEAST_WORDS:
        return ""
    counts = Counter({name: sum(word in listed for word in found) for name, listed in FUNCTION_WORDS.items()})
    (first, most), (_, second) = counts.most_common(2)
    clear = most >= LEAST_SHARE * len(found) and most >= LEAD * second
    return _CODES[first] if clear else ""


def asked_in(text: str) -> tuple[str, ...]:
    """Return the language a question is put in, as a code; none when its function words do not tell.

    A question is short: two function words decide, if no other language has as many of its words.
    """
    found = words(text)
    counts = Counter({name: sum(word in listed for word in found) for name, listed in FUNCTION_WORDS.items()})
    (first, most), (_, second) = counts.most_common(2)
    return (_CODES[first],) if most >= 2 and most > second else ()


def asks(text: str) -> bool:
    """Whether a query is put as a question: a question mark at its end, or a question word as its first or second."""
    return text.rstrip(_CLOSING).endswith("?") or any(word in _QUESTION_WORDS for word in words(text)[:2])


_CLOSING = " \t\n\"'»”’)"
_QUESTION_WORDS = frozenset(
    words("""
    qu qui que quoi quel quels quelle quelles quand comment pourquoi combien lequel laquelle lesquels lesquelles
    wer wen wem wessen was wann wo wohin woher warum weshalb wieso wie wieviel welche welcher welches welchem welchen
    who whom whose what which when where why how
    chi cosa quando dove come perché quale quali quanto quanti
    quién quiénes qué cuándo dónde cómo cuál cuáles cuánto cuántos
""")
)
"""French, German, English, Italian, Spanish, folded."""

_WRITTEN = {
    "french": """a à afin ai ainsi alors après as au aucun aucune aussi autre autres aux avait avant avec avez avoir
        avons c ça car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment contre d dans de
        depuis des donc dont du elle elles en encore entre est et étaient était étant été être eu eux fait fut ici il
        ils j je jusqu l la le les leur leurs lors lui m ma mais me même mes moi mon n ne ni non nos notre nous on ont
        ou où par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa
        sans se sera ses si soit son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos
        votre vous y""",
    "german": """aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis da dabei damit dann
        das dass daß dein deine dem den denn der deren des dessen die dies diese diesem diesen dieser dieses dir doch
        dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen habe haben hat hatte hatten
        hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes
        jene jener kann kein keine können könnte mehr mein meine meinem meinen meiner mich mir mit muss nach nicht
        nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll sollte über
        um und uns unser unsere unter vom von vor wann war waren warum was weil welche welchem welchen welcher
        welches wenn wer werde werden wie wieder will wir wird wo wurde wurden würde zu zum zur zwischen""",
    "english": """a about after against all also am an and any are as at be because been before being between both but
        by can could did do does during each for from had has have having he her here him his how i if in into is it
        its may me might more most must my no nor not of on one only or other our over shall she should so some such
        than that the their them then there these they this those through to under until up upon was we were what
        when where which while who whom whose why will with would you your""",
    "italian": """a ad agli ai al alla alle allo anche c che chi ci come con contro cosa cui d da dagli dai dal dalla
        dalle dallo degli dei del dell della delle dello di dove e ed era erano essere fra gli ha hanno i il in io l
        la le lei lo loro lui ma mi mia mio ne negli nei nel nella nelle nello no noi non o per perché più quale
        quali quando quella quelle quelli quello questa queste questi questo se si sono su sua sugli sui sul sulla
        sulle suo tra tu un una uno vi voi""",
    "spanish": """a al algo ante antes aquel aquella aquellos como con contra cual cuales cuando de del desde donde dos
        durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta está estas este esto estos fue
        fueron ha había han hasta hay la las le les lo los más me mi mientras muy nada ni no nos nosotros o otra
        otras otro otros para pero por porque que qué quien quién quienes se sea según ser si sido sin sobre son su
        sus también tanto te tiene todo todos tu un una uno unos y ya yo""",
}

FUNCTION_WORDS = {name: frozenset(words(written)) for name, written in _WRITTEN.items()}
"""Folded, by the name of the language."""
