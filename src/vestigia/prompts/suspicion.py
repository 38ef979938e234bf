"""Passages that read as if they spoke to a model: marked in the record, never changed and never left out.

A document is data (`beyond.md`, rule 8): the frames of `layout` hold it, the reply's shape is closed. This says where
a person should look twice.
"""

import re

_SIGNS = {
    "reads like instructions to a model": re.compile(
        r"""(?ix)
        \b(?:ignore|disregard|forget|override)\b .{0,40} \b(?:instructions?|prompts?|rules|above)\b
        | \b(?:ignore[zr]?|oubliez)\b .{0,40} \b(?:instructions?|consignes?)\b
        | \b(?:ignoriere|vergiss|missachte)\w* \b .{0,40} \b(?:anweisung|vorgaben|regeln)
        | \b(?:ignora|olvida|dimentica)\w* \b .{0,40} \b(?:istruzioni|instrucciones)\b
        | \b(?:you\ are|act\ as|as)\ an?\ (?:ai|artificial\ intelligence|helpful\ assistant)\b
        | \b(?:language\ model|system\ prompt|sprachmodell|modèle\ de\ langue|modello\ linguistico)\b
        """
    ),
    "holds a verdict in JSON": re.compile(
        r"""["“”']?\b(?:verdicts?|promote|memory_update|action)\b["“”]?\s*:\s*[\[{"]"""
    ),
    "holds marks that might end a document": re.compile(
        r"\[{3,}|\]{3,}|<\||\|>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>|</?think(?:ing)?>", re.IGNORECASE
    ),
}


def suspicion(text: str) -> str:
    """Say what in a passage speaks to a model, or nothing."""
    flat = " ".join(text.split())
    return " and ".join(why for why, sign in _SIGNS.items() if sign.search(flat))
