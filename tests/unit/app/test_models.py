"""Which models answer, who runs them, and wrong settings: each in one clear sentence with the remedy."""

import builtins
import sys
from types import ModuleType, SimpleNamespace

import pytest

from fakes.connected import Still
from fakes.servers import KEY, Failed, Said, serving
from vestigia.app import models as wiring
from vestigia.app.accounts import affordable
from vestigia.app.keys import key_of
from vestigia.app.models import answering, answering_one, connected, connection_of, model
from vestigia.app.settings import ModelSettings, Settings, read
from vestigia.domain.archive import Access
from vestigia.domain.errors import ModelUnavailableError, SettingsError, UsageError, VestigiaError
from vestigia.domain.rules import Budget, Rules
from vestigia.models.extractive.model import ExtractiveModel

OWN = {"model": "llama.cpp/small"}
OTHERS = {"model": "deepseek/deepseek-chat", "key": "FAKE_KEY"}


@pytest.fixture(autouse=True)
def _a_key(monkeypatch):
    monkeypatch.setenv("FAKE_KEY", KEY)
    for name in ("OPENAI_API_KEY", "ABSENT_KEY"):
        monkeypatch.delenv(name, raising=False)


def settings(ask="extractive", tasks=None, **lines):
    return Settings.model_validate({"models": lines, "ask": {"model": ask}, "tasks": tasks or {}})


def in_file(tmp_path, text):
    (tmp_path / "vestigia.toml").write_text(text, encoding="utf-8")
    return read(tmp_path / "vestigia.toml")


def of_file(tmp_path, line):
    """Make the model of a line of a settings file."""
    return model(in_file(tmp_path, f"[models]\nmine = {{ {line} }}\n"), "mine")


WRONG = {
    "no such provider": (
        'model = "acme/gpt"',
        r"models\.mine\.model: there is no provider 'acme'\. Write \"provider/model\"; the providers are: openai, ",
    ),
    "no provider at all": (
        'model = "gpt-5"',
        r"models\.mine\.model: 'gpt-5' names no provider\. Write \"provider/model\"",
    ),
    "no name after the provider": (
        'model = "openai/"',
        r"models\.mine\.model: '' cannot be the name of a model\. Write \"provider/model\"",
    ),
    "a name that breaks the line": ('model = "vllm/a\\nb"', r"models\.mine\.model: 'a\\nb' cannot be the name of a"),
    "a name that leads elsewhere": ('model = "google/../x?y"', r"models\.mine\.model: '\.\./x\?y' cannot be the name"),
    "no address": ('model = "compatible/m"', r"models\.mine\.base_url: it is missing\. Say where the server is"),
    "no web address": (
        'model = "compatible/m", base_url = "localhost:8080"',
        r"models\.mine\.base_url: it is no plain address of a server\. Write it as",
    ),
    "an address with a space": (
        'model = "compatible/m", base_url = "http://127.0.0.1:80/a b"',
        r"models\.mine\.base_url: it is no plain address of a server\.",
    ),
    "an address with a line end": (
        'model = "compatible/m", base_url = "http://127.0.0.1:80/v1\\n"',
        r"models\.mine\.base_url: it is no plain address of a server\.",
    ),
    "an address with a mark in it": (
        'model = "compatible/m", base_url = "http://127.0.0.1:80/v1#x"',
        r"models\.mine\.base_url: it is no plain address of a server\.",
    ),
    "another model by the back door": (
        'model = "vllm/m", options = { model = "other", temperature = 1 }',
        r"models\.mine\.options: model cannot be set: the record would say otherwise than what was sent\. Correct",
    ),
    "an option that is a date": (
        'model = "vllm/m", options = { until = 2020-01-01 }',
        r"models\.mine\.options: dates, times, inf and nan cannot be sent\.",
    ),
    "an option that is no number": (
        'model = "vllm/m", options = { temperature = nan }',
        r"models\.mine\.options: dates, times, inf and nan cannot be sent\.",
    ),
    "the key itself": (
        f'model = "openai/m", key = "{KEY}"',
        r"models\.mine\.key: it is no name of an environment variable; is it the key itself\? Put the key into a var",
    ),
    "no key there": (
        'model = "openai/m", key = "ABSENT_KEY"',
        r"models\.mine\.key: the environment variable ABSENT_KEY is not set\. Set it: export ABSENT_KEY=",
    ),
    "no usual key": ('model = "openai/m"', r"the environment variable OPENAI_API_KEY is not set\. Set it"),
    "window too small": (
        'model = "llama.cpp/m", window = 512',
        r"models\.mine\.window: .*greater than or equal to 2048\. Correct these settings or leave them out",
    ),
    "no such schema mode": (
        'model = "llama.cpp/m", schema = "strict"',
        r"models\.mine\.schema: Input should be 'native' or 'prompted'",
    ),
    "no such setting": ('model = "llama.cpp/m", modell = 1', r"models\.mine\.modell: there is no such setting"),
    "a price of one number": (
        'model = "llama.cpp/m", price = [1.0]',
        r"models\.mine\.price: it is \[input, output\] or",
    ),
    "a price of words": (
        'model = "llama.cpp/m", price = "cheap"',
        r"toml: models\.mine\.price: it is \[input, output\] or \[input, output, cached\]: US dollars [^;]*$",
    ),
    "a price below nothing": (
        'model = "llama.cpp/m", price = [-1, 2]',
        r"toml: models\.mine\.price: it is \[input, output\] or \[input, output, cached\]: US dollars [^;]*$",
    ),
    "no model": ("window = 4096", r"models\.mine\.model: it is missing"),
}


def test_a_wrong_name_that_stands_in_no_settings_is_not_laid_to_them():
    with pytest.raises(
        UsageError, match=r"^there is no model 'gpt'\. There are: extractive, small; \[models\] in vest"
    ):
        answering(settings(small={"model": "llama.cpp/m"}), {"": "gpt"})


def test_a_model_that_is_no_table_is_told_how_it_is_written(tmp_path):
    with pytest.raises(SettingsError, match=r"models\.mine: write it as a table, \{ model = \"provider/name\" \}\."):
        in_file(tmp_path, '[models]\nmine = "openai/gpt-5-mini"\n')


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_line_is_told_with_its_place_and_the_remedy(tmp_path, case):
    line, told = WRONG[case]
    with pytest.raises(SettingsError, match=told) as error:
        of_file(tmp_path, line)
    assert KEY not in str(error.value)
    assert "\n" not in str(error.value)


SERVED_WRONG = {
    "bad key": (
        Failed(401, f"Incorrect API key {KEY}"),
        r"^mine: the key was not accepted \(401\)\. Check the key \(the e",
    ),
    "wrong path": (
        Failed(404, page="<html>"),
        r"^mine: http://\S+ has no interface for models \(404\)\. Correct models\.",
    ),
    "no such model": (
        Failed(404, "model 'm' not found", "model_not_found"),
        r"^mine: there is no model 'm' there\. Correct models\.mine\.model",
    ),
    "account empty": (
        Failed(402, "Insufficient Balance"),
        r"^mine: the account's quota is used up \(402\)\. Top it up",
    ),
    "not a model": (
        Failed(200, page="<html>hello</html>"),
        r"^mine: what answers at \S+ is no language model .*Correct mo",
    ),
    "elsewhere": (
        Failed(301, headers={"location": "https://x.example/"}),
        r"^mine: \S+ sends elsewhere, which is not fo",
    ),
    "bad option": (
        Failed(400, "unknown field top_q"),
        r"^mine: the server refuses the request \(400: unknown field top_q",
    ),
}


def ask_once(said: ModelSettings):
    """Try a model out as `vestigia models check` does; no waiting."""
    import asyncio

    made = connected("mine", said)
    made.nature = Still().nature()
    return asyncio.run(made.answer("hello", None))


@pytest.mark.parametrize("case", SERVED_WRONG)
def test_a_server_that_shows_a_line_to_be_wrong_is_told_with_the_remedy(case):
    act, told = SERVED_WRONG[case]
    with serving(lambda _call: act) as server:
        said = ModelSettings(model="compatible/m", base_url=server.address(), key="FAKE_KEY")
        with pytest.raises(ModelUnavailableError, match=told) as error:
            ask_once(said)
    assert KEY not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_server_that_is_not_there_is_told_with_the_remedy():
    with serving(lambda _call: Said("{}")) as server:
        said = ModelSettings(model="compatible/m", base_url=server.address(), tries=1)
    with pytest.raises(
        ModelUnavailableError, match=r"^mine: no server answers at .*\. Start it, or correct models\.mine\.b"
    ):
        ask_once(said)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"ask": "gpt"}, r"ask\.model: there is no model 'gpt'\. There are: extractive, small\."),
        ({"tasks": {"review": "gpt"}}, r"tasks\.review: there is no model 'gpt'\. There are: extractive, small\."),
    ],
)
def test_a_name_that_is_none_is_told_with_those_there_are(given, told):
    with pytest.raises(SettingsError, match=told):
        answering(settings(small=OWN, **given))


@pytest.mark.parametrize(
    ("given", "name", "told"),
    [
        ({"tasks": {"judge": "gpt"}}, "", r"tasks\.judge: there is no model 'gpt'\. There are: extractive, small\."),
        ({"ask": "gpt"}, "", r"ask\.model: there is no model 'gpt'\. There are: extractive, small\."),
        ({}, "gpt", r"^there is no model 'gpt'\. There are: extractive, small; \[models\] in vestigia\.toml names"),
    ],
)
def test_of_a_task_of_chosen_sources_too_and_where_it_was_said(given, name, told):
    with pytest.raises(UsageError if name else SettingsError, match=told):
        answering_one(settings(small=OWN, **given), "judge", name)


def test_a_task_that_is_none_is_told(tmp_path):
    with pytest.raises(SettingsError, match=r"tasks\.revue: there is no such setting"):
        in_file(tmp_path, '[tasks]\nrevue = "small"\n')


def test_a_limit_in_money_is_refused_where_a_price_is_unknown():
    from datetime import UTC, datetime

    by = answering(settings("small", small=OWN))
    with pytest.raises(VestigiaError, match=r"the price of llama\.cpp/small is not known\. Set its `price"):
        affordable(Rules(budget=Budget(cost=1.0)), by, datetime.now(UTC))
    assert affordable(Rules(), by, datetime.now(UTC)) == Rules()


def test_without_the_extra_the_remedy_is_its_installation(monkeypatch):
    found = builtins.__import__

    def absent(name, *rest):
        if name.startswith("vestigia.models.connected.language"):
            raise ModuleNotFoundError("No module named 'pydantic_ai'", name="pydantic_ai")
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(
        SettingsError, match=r"not installed \(pydantic_ai\)\. Install it: pip install 'vestigia\[models\]'"
    ):
        model(settings(small=OWN), "small")


def test_one_line_is_enough_and_the_rest_follows_from_the_provider():
    found = connection_of("local", ModelSettings(model="ollama/qwen3:8b"))
    assert (found.title, found.address, found.key) == ("ollama/qwen3:8b", "http://127.0.0.1:11434/v1", "")
    assert (found.own, found.concurrency, found.native, found.window, found.price) == (True, 1, True, 0, None)


def test_a_hosted_model_is_anothers_and_bears_more_at_a_time():
    found = connection_of("far", ModelSettings(**OTHERS))
    assert (found.own, found.concurrency, found.native) == (False, 4, False)
    assert (found.key, found.key_from) == (KEY, "the environment variable FAKE_KEY")


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ({"model": "compatible/m", "base_url": "https://llm.example.org/v1"}, False),
        ({"model": "compatible/m", "base_url": "https://llm.example.org/v1", "rights": "own"}, True),
        ({"model": "ollama/m"}, True),
        ({"model": "ollama/m", "rights": "third-party"}, False),
        ({"model": "ollama/m", "base_url": "http://10.0.0.7:11434/v1"}, False),
    ],
)
def test_b11_a_model_on_this_machine_is_ones_own_unless_said_otherwise(line, own):
    assert connection_of("m", ModelSettings(**line)).own is own


def test_one_model_for_all_tasks_is_the_settings_or_the_one_chosen():
    told = settings("small", small=OWN, other={"model": "ollama/m"})
    assert answering(told).model.name == "llama.cpp/small"
    assert (answering(told).name, answering(told).chosen) == ("llama.cpp/small", ())
    chosen = answering(told, {"": "other"})
    assert (chosen.model.name, chosen.tasks, chosen.chosen) == ("ollama/m", {}, (("", "other"),))


def test_tasks_have_models_of_their_own_and_all_are_recorded():
    by = answering(settings("small", {"plan": "far", "rank": "extractive"}, small=OWN, far=OTHERS))
    assert by.tasks["plan"].name == "deepseek/deepseek-chat"
    assert isinstance(by.tasks["rank"], ExtractiveModel)
    assert by.name == f"deepseek/deepseek-chat, llama.cpp/small, {by.tasks['rank'].name}"
    assert by.chosen == (("", "small"), ("plan", "far"), ("rank", "extractive"))
    again = answering(settings("extractive", small=OWN, far=OTHERS), dict(by.chosen))
    assert (again.name, again.fingerprint, again.chosen) == (by.name, by.fingerprint, by.chosen)


def test_the_fingerprint_of_several_says_which_answers_what():
    one = answering(settings("small", {"plan": "far"}, small=OWN, far=OTHERS))
    other = answering(settings("small", {"rank": "far"}, small=OWN, far=OTHERS))
    alone = answering(settings("small", small=OWN))
    assert len({one.fingerprint, other.fingerprint, alone.fingerprint}) == 3
    assert alone.fingerprint == alone.model.fingerprint


@pytest.mark.parametrize(
    ("ask", "tasks", "others"),
    [
        ("extractive", {}, ()),
        ("small", {}, ()),
        ("far", {}, ("far",)),
        ("small", {"plan": "far"}, ()),  # a plan sees no document
        ("small", {"rank": "far"}, ("far",)),
        ("small", {"judge": "far"}, ()),  # no task of a run
    ],
)
def test_b11_closed_documents_are_kept_back_where_a_model_of_others_would_see_them(ask, tasks, others):
    by = answering(settings(ask, tasks, small=OWN, far=OTHERS))
    assert by.others == others
    kept = (Access.PERSONAL, Access.NO_THIRD_PARTY, Access.CLOSED)
    assert by.withhold == (kept if others else ())


@pytest.mark.parametrize(("says", "own"), [({}, False), ({"own": True}, True), ({"own": False}, False)])
def test_b11_a_plug_ins_model_is_anothers_unless_it_says_otherwise(monkeypatch, says, own):
    made = SimpleNamespace(name="theirs", fingerprint="sha256:0", **says)
    monkeypatch.setattr(wiring, "installed", lambda _group: {"theirs": lambda: made})
    assert answering(settings("theirs")).others == (() if own else ("theirs",))


def a_store(monkeypatch, found):
    """A package `keyring` that answers so."""
    store = ModuleType("keyring")
    store.errors = SimpleNamespace(KeyringError=type("KeyringError", (Exception,), {}))

    def get(service, user):
        assert (service, user) == ("vestigia-deepseek", "vestigia")
        if found is Exception:
            raise store.errors.KeyringError("locked")
        return found

    store.get_password = get
    monkeypatch.setitem(sys.modules, "keyring", store)


def test_a_key_of_the_systems_store_is_read_from_there(monkeypatch):
    a_store(monkeypatch, KEY)
    assert key_of("m", "keyring:vestigia-deepseek") == (KEY, "the system's store, service vestigia-deepseek")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (None, r"has no key 'vestigia-deepseek'\. Run: keyring set vestigia-deepseek vestigia"),
        (Exception, r"cannot be read \(KeyringError\)\. Unlock it"),
    ],
)
def test_a_store_without_the_key_is_told_with_the_remedy(monkeypatch, found, told):
    a_store(monkeypatch, found)
    with pytest.raises(SettingsError, match=told):
        key_of("m", "keyring:vestigia-deepseek")


def test_without_the_package_of_the_store_the_remedy_is_its_installation(monkeypatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(SettingsError, match=r"`keyring` is not installed\. pip install 'vestigia\[keyring\]'"):
        key_of("m", "keyring:x")
