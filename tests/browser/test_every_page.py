"""Every page as a browser has it: axe finds nothing serious, nothing is refused by the policy, a phone holds it."""

import pytest

from fakes.browsers import pages_of, routes

OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
GRAVE = {"serious", "critical"}
USED = "a[href], button, input:not([type=hidden]), select, textarea, summary"
BENEATH = "document.documentElement.scrollHeight - Math.max(innerHeight, document.body.getBoundingClientRect().height)"
"""Pixels that a page can be scrolled beneath what it holds."""
OPEN = {"prefers light": "light", "prefers dark": "dark"}


@pytest.fixture(scope="module")
def pages(day):
    return pages_of(day)


def test_every_page_is_reached_by_links(pages):
    assert set(routes()) - set(pages) == set(), "no link leads there"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("scheme", OPEN.values(), ids=OPEN)
def test_axe_finds_nothing_serious_and_the_policy_refuses_nothing(chromium, day, pages, scheme):
    from axe_playwright_python.sync_playwright import Axe

    context = chromium.new_context(base_url=day, color_scheme=scheme, locale="en", bypass_csp=False)
    page, said, wrong = context.new_page(), [], []
    page.on("console", lambda one: said.append(one.text) if one.type in {"error", "warning"} else None)
    page.on("pageerror", lambda one: said.append(str(one)))
    for addresses in pages.values():
        for address in addresses:
            page.goto(address)
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            found = Axe().run(page, options=OPTIONS).response["violations"]
            wrong += [
                f"{address}: {one['id']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary']}"
                for one in found
                if one["impact"] in GRAVE
            ]
    context.close()
    assert (wrong, said) == ([], [])


def test_a_phone_needs_no_sideways_scrolling_and_a_page_ends_at_its_foot(chromium, day, pages):
    context = chromium.new_context(base_url=day, viewport={"width": 360, "height": 740}, locale="de")
    page, wide, beneath = context.new_page(), [], []
    for addresses in pages.values():
        for address in addresses:
            page.goto(address)
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            if (width := page.evaluate("document.documentElement.scrollWidth")) > 360:
                wide.append(f"{address}: {width} px")
            if page.evaluate(BENEATH) > 2:
                beneath.append(address)
    context.close()
    assert (wide, beneath) == ([], [])


@pytest.mark.parametrize(
    "address",
    ["/", *(f"/archives/demo{path}" for path in ("", "/ask", "/runs", "/sets", "/import", "/experiments"))],
)
def test_what_can_be_used_is_reached_by_the_tab_key_and_is_seen_to_be(chromium, day, address):
    context = chromium.new_context(base_url=day, locale="en")
    page = context.new_page()
    page.goto(address)
    wanted = page.evaluate(f"[...document.querySelectorAll('{USED}')].filter(one => one.checkVisibility()).length")
    reached, outlines = set(), set()
    page.evaluate("document.activeElement.blur()")
    for _ in range(wanted + 2):
        page.keyboard.press("Tab")
        place, outline = page.evaluate(
            f"[[...document.querySelectorAll('{USED}')].indexOf(document.activeElement),"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        if place >= 0:
            reached.add(place)
            outlines.add(outline)
    context.close()
    assert len(reached) == wanted
    assert "none" not in outlines
