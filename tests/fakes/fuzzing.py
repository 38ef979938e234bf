"""Requests made up from the description of the REST interface, sound and unsound ones, and what broke it."""

from collections.abc import Mapping

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok

from fakes.sites import ADDRESS, Site

API = "/api/v1"


def fuzz(site: Site, known: Mapping[str, str], examples: int, seeded: int) -> list[str]:
    """Send each route so many requests; in some its path names what is there. Returns those answered by 500 or more."""
    site.headers["x-csrf-token"] = site.get(f"{API}/session").json()["csrf"]
    schema = schemathesis.openapi.from_dict(site.get(f"{API}/openapi.json").json())
    broken: list[str] = []
    tried: set[str] = set()
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        if operation.path.endswith("/stream"):  # it may last as long as the run
            continue
        tried.add(operation.path)

        @seed(seeded)
        @settings(
            max_examples=examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy(), st.booleans())
        def send(case: schemathesis.Case, named: bool) -> None:
            for name in case.path_parameters if named else ():
                case.path_parameters[name] = known.get(name, case.path_parameters[name])
            said = case.as_transport_kwargs(base_url=ADDRESS)
            said = {name: value for name, value in said.items() if name in {"method", "url", "params", "json", "data"}}
            if "data" in said:
                said["content"] = said.pop("data") or b""
            answer = site.request(**said, follow_redirects=False)
            if answer.status_code >= 500:
                broken.append(f"{said}: {answer.status_code} {answer.text[:300]}")

        send()
    assert len(tried) > 10
    return broken
