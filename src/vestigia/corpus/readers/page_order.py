"""In which order the regions of a PAGE file are read: what the file states counts, and nothing is left out.

The `ReadingOrder` comes first, the number in `custom` second, the order of the file last; cells go by row and column.
Nothing here recurses: a damaged file may nest as deep as it likes.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vestigia.corpus.readers.xml import Node, local

_CUSTOM = re.compile(r"readingOrder\s*\{[^}]*?index\s*:\s*(\d{1,9})")
_LAST = 10**9


@dataclass(frozen=True, slots=True)
class Order:
    """The regions of a page, nested ones after those that hold them, in reading order.

    `unlisted` are those the file's reading order leaves out (they come last), `absent` names in it of no region,
    `repeated` those named more than once, `unordered` how many it lists without order; `listed` says whether there is
    such a list, `stated` whether the file gives an order at all.
    """

    regions: tuple[Node, ...]
    unlisted: tuple[Node, ...] = ()
    absent: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    unordered: int = 0
    listed: bool = False
    stated: bool = False


def reading_order(page: Node) -> Order:
    """Return the order in which the regions of a `Page` element are read. Every region is in it exactly once."""
    regions = [one for one in page.iter("{*}*") if _is_region(one)]
    by_id: dict[str, Node] = {}
    for one in regions:
        by_id.setdefault(one.get("id", ""), one)
    refs, unordered = _listed(page)
    counted = Counter(refs)
    named = frozenset(counted)
    placed: dict[Node, None] = {}
    for ref in counted:
        for one in _with_parts(by_id[ref], named) if ref in by_id else ():
            placed.setdefault(one)
    listed, holders = len(placed), {page, *placed}
    left = in_order([one for one in regions if one not in holders and _holder(one) in holders])
    for holder in left:
        for one in _with_parts(holder, named):
            placed.setdefault(one)
    for one in regions:  # those whose id another region has too
        placed.setdefault(one)
    every = tuple(placed)
    return Order(
        every,
        every[listed:] if refs else (),
        tuple(ref for ref in counted if ref not in by_id),
        tuple(ref for ref, times in counted.items() if times > 1),
        unordered,
        bool(refs),
        bool(refs) or _by_custom(left),
    )


def in_order(elements: Sequence[Node]) -> list[Node]:
    """Sort regions or lines by `index`, by the number in `custom` or by row and column, where all have them."""
    for key in (_index, _custom, _cell):
        keys = [key(one) for one in elements]
        if elements and None not in keys:
            return [one for _, _, one in sorted(zip(keys, range(len(keys)), elements, strict=True))]
    return list(elements)


def _is_region(element: Node) -> bool:
    name = local(element)
    return name.endswith("Region") or name == "TableCell"


def _holder(region: Node) -> Node:
    """Return the region or page that a region stands in."""
    return next(one for one in region.iterancestors() if _is_region(one) or local(one) == "Page")


def _with_parts(region: Node, named: frozenset[str]) -> Iterator[Node]:
    """Yield a region and those nested in it, but for those that have a place of their own."""
    waiting = [region]
    while waiting:
        one = waiting.pop()
        yield one
        parts = [part for part in one if _is_region(part) and part.get("id", "") not in named]
        waiting.extend(reversed(in_order(parts)))


def _listed(page: Node) -> tuple[list[str], int]:
    """Return (names of regions as the ReadingOrder lists them, how many of them it lists without order)."""
    waiting = page.findall("{*}ReadingOrder")[::-1]
    refs: list[str] = []
    unordered = 0
    while waiting:
        one = waiting.pop()
        ref = one.get("regionRef", "")
        refs += [ref] if ref else []
        unordered += local(one) == "RegionRef"
        parts = list(one)
        if local(one).startswith("Ordered"):
            parts.sort(key=lambda part: _LAST if (index := _index(part)) is None else index[0])
        waiting.extend(reversed(parts))
    return refs, unordered


def _by_custom(regions: Sequence[Node]) -> bool:
    return bool(regions) and all(_custom(one) for one in regions)


def _index(element: Node) -> tuple[int, ...] | None:
    return _number(element.get("index", ""))


def _custom(element: Node) -> tuple[int, ...] | None:
    found = _CUSTOM.search(element.get("custom", ""))
    return (int(found[1]),) if found else None


def _cell(element: Node) -> tuple[int, ...] | None:
    """Return (row, column) of a table cell, as Transkribus or as PAGE 2019 states it."""
    role = element.find("{*}Roles/{*}TableCellRole")
    row, column = (
        (element.get("row", ""), element.get("col", ""))
        if role is None
        else (role.get("rowIndex", ""), role.get("columnIndex", ""))
    )
    known = (_number(row), _number(column))
    return None if known[0] is None or known[1] is None else known[0] + known[1]


def _number(text: str) -> tuple[int, ...] | None:
    return (int(text),) if re.fullmatch(r"\s*-?[0-9]{1,9}\s*", text) else None
