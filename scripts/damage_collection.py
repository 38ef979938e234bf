"""A copy of a collection as text recognition might have read it: a documented noise model, the same every time.

    uv run python scripts/damage_collection.py COLLECTION RATE NEW_FOLDER [--seed 1]

COLLECTION holds docs.jsonl, queries.jsonl and qrels.tsv. Of the letters and digits in each document's `text`, a share
RATE (0.05: five per cent) gets an error; title, date, sender and queries stay as they are, as a catalogue's would.
An error is one of these, drawn by a generator seeded with the document's id, and with another
seed if one is given, to tell what is chance:

| share | error |
|---|---|
| 60 % | a look-alike from the table below; for a letter without one, any letter |
| 12 % | any letter in its place |
| 12 % | the letter is lost |
| 6 % | a letter or point too many |
| 5 % | a blank inside the word |
| 5 % | the blank after the word is lost (elsewhere than at a word's end: the letter is lost) |
"""

import argparse
import json
import random
import shutil
from pathlib import Path

ALIKE = {
    "a": ["o", "u", "n"],
    "b": ["h", "6"],
    "c": ["e", "o"],
    "d": ["cl", "b"],
    "e": ["c", "o", "a"],
    "f": ["t", "s"],
    "g": ["q", "y"],
    "h": ["b", "li"],
    "i": ["l", "1", "j"],
    "j": ["i"],
    "k": ["lc", "h"],
    "l": ["1", "i", "t"],
    "m": ["rn", "in", "nn"],
    "n": ["u", "ii", "ri"],
    "o": ["0", "c", "e"],
    "p": ["n"],
    "q": ["g"],
    "r": ["n", "t"],
    "s": ["f", "5", "a"],
    "t": ["l", "f", "r"],
    "u": ["n", "ii", "a"],
    "v": ["y", "r"],
    "w": ["vv", "m"],
    "x": ["z"],
    "y": ["v", "g"],
    "z": ["x", "r"],
    "é": ["e", "6", "c"],
    "è": ["e", "ò"],
    "ê": ["e", "é"],
    "à": ["a", "ä"],
    "ç": ["c", "g"],
    "ä": ["a", "ii"],
    "ö": ["o", "b"],
    "ü": ["u", "ii"],
    "ß": ["B", "ff"],
    "B": ["R", "8"],
    "C": ["G", "("],
    "D": ["O"],
    "E": ["F", "L"],
    "F": ["P", "E"],
    "G": ["C", "6"],
    "H": ["N", "II"],
    "I": ["l", "1"],
    "K": ["R"],
    "M": ["IVI", "H"],
    "N": ["H", "U"],
    "O": ["0", "Q"],
    "P": ["F"],
    "R": ["B", "K"],
    "S": ["5", "8"],
    "T": ["1", "I"],
    "U": ["II", "N"],
    "V": ["Y"],
    "W": ["VV"],
    "0": ["O"],
    "1": ["l", "I"],
    "3": ["8"],
    "5": ["S"],
    "6": ["b"],
    "8": ["3"],
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
KINDS = ("alike", "any", "lost", "more", "split", "joined")
SHARES = (60, 12, 12, 6, 5, 5)


def damaged(text: str, rate: float, seed: str) -> str:
    """The text with about `rate` errors for each letter or digit."""
    chance = random.Random(f"{seed} {rate}")  # noqa: S311  the same noise every time, not a secret
    out: list[str] = []
    for place, letter in enumerate(text):
        if not letter.isalnum() or chance.random() >= rate:
            out.append("" if letter == " " and out and out[-1].endswith("\N{WORD JOINER}") else letter)
            continue
        ends = text[place + 1 : place + 2] == " "
        out.append(error(letter, ends=ends, chance=chance))
    return "".join(out).replace("\N{WORD JOINER}", "")


def error(letter: str, *, ends: bool, chance: random.Random) -> str:
    """What stands in the place of a letter; a word joiner after it takes the blank that follows away."""
    kind = chance.choices(KINDS, SHARES)[0]
    if kind == "alike":
        return chance.choice(ALIKE.get(letter, list(LETTERS)))
    if kind == "any":
        return chance.choice(LETTERS)
    if kind == "more":
        return letter + chance.choice(LETTERS + ".")
    if kind == "split":
        return letter + " "
    return letter + "\N{WORD JOINER}" if kind == "joined" and ends else ""


def copy(collection: Path, rate: float, folder: Path, seed: str = "") -> None:
    """Write the damaged copy; another seed makes another one."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("queries.jsonl", "qrels.tsv"):
        shutil.copyfile(collection / name, folder / name)
    with (folder / "docs.jsonl").open("w", encoding="utf-8") as written:
        for line in (collection / "docs.jsonl").read_text(encoding="utf-8").splitlines():
            document = json.loads(line)
            document["text"] = damaged(document["text"], rate, f"{seed} {document['id']}" if seed else document["id"])
            written.write(json.dumps(document, ensure_ascii=False) + "\n")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", type=Path)
    parser.add_argument("rate", type=float)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", default="", help="another copy of the same rate")
    chosen = parser.parse_args()
    copy(chosen.collection, chosen.rate, chosen.folder, chosen.seed)


if __name__ == "__main__":
    main()
