"""Print how many of the editors' dates are read with the editors' bounds.

    uv run scripts/score_dates.py TABLE [--misses]

TABLE is a TSV with the columns source, file, lang, raw, gold_from, gold_to, note
(../shared/data/date-strings/dates.tsv). Rows marked as contradictions are left out of the score, and it is counted how
many of them are flagged; rows on which the editors disagree among themselves, or that have no bounds, are left out.
"""

import argparse
import csv
from collections import Counter
from pathlib import Path

from vestigia.corpus.dates import contradiction, read_date
from vestigia.domain.periods import DatePeriod, iso

TARGETS = {"exact": 95, "range": 90, "uncertain": 85}
"""Per cent of rows that must have the editors' bounds."""

_GROUPS = {
    "exact": "exact",
    "attribute-as-given": "exact",
    "range": "range",
    "range-uncertain": "range",
    "uncertain": "uncertain",
    "conjecture": "uncertain",
}


def group(row: dict[str, str]) -> str:
    """Return the group a row is scored in, `contradiction`, or nothing where it is not scored."""
    if row["note"].startswith("contradiction"):
        return "contradiction"
    return _GROUPS.get(row["note"], "") if row["gold_from"] else ""


def encoded(row: dict[str, str]) -> DatePeriod:
    """Return the period as the editors encoded it."""
    period = read_date(f"{row['gold_from']}/{row['gold_to']}")
    if period is None:
        raise ValueError(f"{row['file']}: the bounds {row['gold_from']}, {row['gold_to']} cannot be read")
    return period


def score(rows: list[dict[str, str]]) -> tuple[Counter[str], Counter[str], list[str]]:
    """Return right rows and all rows per group, and a line for each row with other bounds."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    misses = []
    for row in rows:
        name = group(row)
        if not name:
            continue
        gold = encoded(row)
        total[name] += 1
        if name == "contradiction":
            right[name] += bool(contradiction(row["raw"], gold, row["lang"]))
            continue
        read = read_date(row["raw"], row["lang"])
        same = read is not None and (read.first, read.last) == (gold.first, gold.last)
        right[name] += same
        if not same:
            got = f"{iso(read.first)}/{iso(read.last)} ({read.rule})" if read else "not read"
            misses.append(f"{name}\t{row['raw']}\t{row['gold_from']}/{row['gold_to']}\t{got}")
    return right, total, misses


def main() -> int:
    """Print the table; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description="Score the reading of catalogue dates.")
    parser.add_argument("table", type=Path)
    parser.add_argument("--misses", action="store_true", help="print each row read otherwise")
    options = parser.parse_args()
    with options.table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    right, total, misses = score(rows)
    met = True
    print(f"{'group':14}{'rows':>6}{'right':>7}{'share':>9}  target")
    for name in (*TARGETS, "contradiction"):
        share = 100 * right[name] / total[name] if total[name] else 0.0
        target = TARGETS.get(name, 100)
        met = met and share >= target
        verb = "flagged" if name == "contradiction" else "right"
        print(f"{name:14}{total[name]:6d}{right[name]:7d}{share:8.1f}%  {target} % {verb}")
    if options.misses:
        print("\n".join(misses))
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
