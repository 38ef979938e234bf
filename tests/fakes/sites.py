"""A browser without JavaScript at a site: it keeps cookies, follows redirects and sends forms as a page has them."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from starlette.testclient import TestClient

from vestigia.app.workspace import Workspace
from vestigia.web.site import Options, create_app

ADDRESS = "http://127.0.0.1:8321"


class Site(TestClient):
    """`get` reads; `submit` posts a form with the token of the page it stands on."""

    def token(self, page: str = "/") -> str:
        """The token that forms of this session carry: what the cookie stands for."""
        from vestigia.web.security import SESSION, token_of

        if SESSION not in self.cookies:
            self.get(page)
        return token_of(self.cookies[SESSION])

    def submit(self, action: str, fields: Mapping[str, Any] | None = None, **more: Any) -> Any:
        """Send a form as a page of the site would, following where it leads."""
        return self.post(action, data={"csrf": self.token(), **(fields or {})}, **more)


def visiting(archives: Mapping[str, Workspace], options: Options | None = None) -> Site:
    """A new browser at a new site."""
    return Site(create_app(archives, options), base_url=ADDRESS, headers={"accept-language": "en"})


def is_well_made(page: str) -> None:
    """What holds for every page: one heading, a way past the navigation, fields with labels, nothing in place."""
    assert page.count("<h1") == 1
    assert '<a class="skip" href="#main">' in page
    assert '<main id="main"' in page
    assert not re.search(r"<script(?! type=\"module\" src=\"/static/)", page)
    assert not re.search(r"\son[a-z]+=\"", page)
    assert " style=" not in page
    assert not re.search(r'(?:src|<link[^>]*href)="(?:https?:)?//', page)
    fields = [one for one in re.findall(r"<(?:input|select|textarea)[^>]*>", page) if 'type="hidden"' not in one]
    named = {name for one in fields for name in re.findall(r'\sid="([^"]+)"', one)}
    assert named <= set(re.findall(r'<label for="([^"]+)"', page)), "a field without a label"
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids)), "an id stands twice"


def words_of(page: str) -> str:
    """What a page says: its text without mark-up, one space between words."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<head>.*?</head>", " ", page))).split())
