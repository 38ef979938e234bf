"""`vestigia models check`: one small question, and what servers say of their windows, each in its own way."""

import asyncio

import pytest

from fakes.connected import Still, connection_to, model_at
from fakes.servers import KEY, Call, Failed, Said, serving
from vestigia.models.connected.checking import check
from vestigia.models.connected.facts import facts_of

GOOD = '{"city": "Paris"}'


def checked(behaviour, pages=None, **changed):
    with serving(behaviour, pages) as server:
        found = asyncio.run(check(model_at(server, **changed)))
    return found, server.calls


def test_a_server_that_holds_replies_to_a_schema_is_asked_once():
    found, calls = checked(lambda _call: Said(GOOD, read=20, wrote=8), window=4096)
    assert (found.native, found.prompted, found.problem, found.notes) == (True, None, "", ())
    assert (found.seconds, found.speed, found.cost) == (1.0, 8.0, None)
    assert [call.schema is not None for call in calls] == [True]


@pytest.mark.parametrize(("in_words", "prompted"), [(GOOD, True), (f"```json\n{GOOD}\n```", True), ("Paris", False)])
def test_one_that_takes_the_schema_and_forgets_it_is_found_out_and_asked_in_words(in_words, prompted):
    found, calls = checked(lambda call: Said("It is Paris." if call.schema else in_words), window=4096)
    assert (found.native, found.prompted) == (False, prompted)
    assert [call.schema is not None for call in calls] == [True, False]


def test_one_that_refuses_the_schema_is_found_out_and_says_so():
    def picky(call: Call):
        return Failed(400, "json_schema is not supported") if call.schema else Said(GOOD)

    found, _ = checked(picky, window=4096)
    assert (found.native, found.prompted) == (False, True)
    assert "asked without a schema" in found.notes[0]


def test_a_wrong_key_is_a_problem_and_no_exception():
    found, _ = checked(lambda _call: Failed(401, f"bad key {KEY}"))
    assert found.problem.startswith("fake: the key was not accepted (401).")
    assert KEY not in repr(found)


def test_a_wrong_name_is_told_with_the_models_there_are():
    pages = {"/v1/models": {"data": [{"id": "large"}, {"id": "small"}]}}
    found, _ = checked(lambda _call: Failed(404, "model not found", "model_not_found"), pages)
    assert found.problem.endswith("lists what the server has. It has: large, small.")


PAGES = {
    "vllm": {"/v1/models": {"data": [{"id": "m1", "max_model_len": 40960}]}},
    "openrouter": {"/v1/models": {"data": [{"id": "x"}, {"id": "m1", "context_length": 131072}]}},
    "llama.cpp": {"/props": {"default_generation_settings": {"n_ctx": 16384}}},
    "lmstudio": {
        "/api/v0/models": {"data": [{"id": "m1", "loaded_context_length": 8192, "max_context_length": 40960}]}
    },
    "ollama": {"/api/ps": {"models": [{"name": "m1", "context_length": 4096}]}},
}
WINDOWS = {"vllm": 40960, "openrouter": 131072, "llama.cpp": 16384, "lmstudio": 8192, "ollama": 4096}


@pytest.mark.parametrize("provider", WINDOWS)
@pytest.mark.parametrize("called", ["by its name", "compatible"])
def test_the_window_a_server_runs_with_is_read_where_it_tells_it(provider, called):
    with serving(lambda _call: Said(GOOD), PAGES[provider]) as server:
        connection = connection_to(server, provider=provider if called == "by its name" else "compatible")
        assert asyncio.run(facts_of(connection))[0] == WINDOWS[provider]


def test_what_ollama_was_trained_with_is_not_its_window_but_its_parameters_are():
    trained = {"model_info": {"qwen3.context_length": 40960}, "parameters": 'temperature 0.6\nstop "<|im_end|>"'}
    told = {**trained, "parameters": "num_ctx                        16384\ntemperature 0.6"}
    for shown, window in ((trained, None), (told, 16384)):
        asked = []
        pages = {
            "/api/ps": {"models": []},
            "/api/show": lambda body, shown=shown, asked=asked: asked.append(body) or shown,
        }
        with serving(lambda _call: Said(GOOD), pages) as server:
            assert asyncio.run(facts_of(connection_to(server, provider="ollama")))[0] == window
        assert asked == [{"model": "m1"}]


@pytest.mark.parametrize(
    "page", ["<html>", [], {"data": 7}, {"data": [7]}, {"data": [{"id": "m1", "max_model_len": "many"}]}]
)
def test_what_a_server_says_in_another_way_is_not_known(page):
    pages = dict.fromkeys(("/v1/models", "/props", "/api/v0/models", "/api/ps", "/api/show"), page)
    with serving(lambda _call: Said(GOOD), pages) as server:
        window, _ = asyncio.run(facts_of(connection_to(server)))
    assert window is None


def test_servers_of_other_wires_say_nothing_of_themselves():
    with serving(lambda _call: Said(GOOD)) as server:
        assert asyncio.run(facts_of(connection_to(server, "google"))) == (None, ())


@pytest.mark.parametrize(
    ("ours", "notes"),
    [
        (0, ("no `window` is set: set window = 16384",)),
        (16384, ()),
        (32768, ("`window` says 32768 tokens, the server takes 16384: set window = 16384",)),
    ],
)
def test_rule_6_the_window_of_the_settings_is_held_against_the_servers(ours, notes):
    found, _ = checked(lambda _call: Said(GOOD), PAGES["llama.cpp"], window=ours)
    assert (found.window, found.notes) == (16384, notes)


def test_a_refusal_of_the_small_question_is_no_ability():
    found, _ = checked(lambda _call: Said("no", ended="refused"), window=4096)
    assert (found.native, found.prompted) == (False, False)
    assert found.notes == ("the small question was not answered: refused",)


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (Said("Paris"), "fake: it answers, but its reply was no JSON even when asked for JSON in words: a run could"),
        (Said(" "), "fake: it answers, but its reply was empty even when"),
        (Said('{"ci', ended="length"), "fake: it answers, but its reply was cut off even when"),
        (Said("no", ended="refused"), "fake: it answers, but it refused (no) even when"),
        (
            Failed(400, "the maximum context length is 10 tokens"),
            "fake: it took not even the small question: the server says it is too long (the maximum context length",
        ),
    ],
    ids=lambda part: str(part)[:24],
)
def test_a_model_of_whose_replies_a_run_could_read_none_is_a_problem_with_a_remedy(act, told):
    found, _ = checked(lambda _call: act, window=4096)
    assert found.problem.startswith(told)
    assert found.native is False


def test_checking_waits_for_nothing_of_its_own():
    still = Still()
    with serving(lambda _call: Said(GOOD)) as server:
        asyncio.run(check(model_at(server, still=still, window=4096)))
    assert still.waits == []
