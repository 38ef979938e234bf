"""A copy of a collection in which some documents were printed twice, to measure what counting witnesses (B4) does.

    uv run python scripts/reprint_collection.py COLLECTION SHARE NEW_FOLDER

COLLECTION holds docs.jsonl, queries.jsonl and qrels.tsv. A share SHARE of the documents (0.2: a fifth), drawn by their
ids, stands there a second time, as its neighbour printed it: in the next source by name, under its own id, as text
recognition read it with two errors in a hundred letters. A reprint is as relevant as what it repeats.
"""

import argparse
import json
import random
import shutil
from pathlib import Path

from damage_collection import damaged

MISREAD = 0.02


def copy(collection: Path, share: float, folder: Path) -> None:
    """Write the copy."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(collection / "queries.jsonl", folder / "queries.jsonl")
    documents = [json.loads(line) for line in (collection / "docs.jsonl").read_text(encoding="utf-8").splitlines()]
    sources = sorted({document["source"] for document in documents})
    after = dict(zip(sources, sources[1:] + sources[:1], strict=True))
    twice = {d["id"] for d in documents if random.Random(f"{d['id']} reprint").random() < share}  # noqa: S311  no secret
    reprints = [
        {**d, "id": _reprint(d["id"]), "source": after[d["source"]], "text": damaged(d["text"], MISREAD, d["id"])}
        for d in documents
        if d["id"] in twice
    ]
    with (folder / "docs.jsonl").open("w", encoding="utf-8") as written:
        written.writelines(json.dumps(document, ensure_ascii=False) + "\n" for document in (*documents, *reprints))
    with (folder / "qrels.tsv").open("w", encoding="utf-8") as written:
        for line in (collection / "qrels.tsv").read_text(encoding="utf-8").splitlines():
            query, run, document, *grade = line.split("\t")
            names = (document, _reprint(document)) if document in twice else (document,)
            written.writelines("\t".join((query, run, name, *grade)) + "\n" for name in names)


def _reprint(document: str) -> str:
    return f"{document}-reprint"


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collection", type=Path)
    parser.add_argument("share", type=float)
    parser.add_argument("folder", type=Path)
    chosen = parser.parse_args()
    copy(chosen.collection, chosen.share, chosen.folder)


if __name__ == "__main__":
    main()
