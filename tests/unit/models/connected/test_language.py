"""Rules 2 and 5: what passes is tried again, what does not pauses the run, and a refusal is an answer of its own."""

import asyncio

import pytest

from fakes.connected import WIRES, Still, connection_to, model_at
from fakes.servers import KEY, Call, Cut, Failed, Hung, Said, self_signed, serving
from vestigia.domain.effects import Replied, Stop, Usage
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.ids import digest
from vestigia.domain.question import Question
from vestigia.domain.requests import PlanRequest, Reading
from vestigia.models.connected.facts import facts_of
from vestigia.models.connected.language import LONGEST, LanguageModel, estimated

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
WORDS = "Answer in words. " * 30
each_wire = pytest.mark.parametrize("wire", WIRES)


def ask(model: LanguageModel, words: str = WORDS, schema=SCHEMA) -> Replied:
    return asyncio.run(model.answer(words, schema))


def in_turn(*acts):
    """Each act once, then the last for ever."""
    return lambda call: acts[min(call.number, len(acts)) - 1]


@each_wire
def test_a_reply_comes_with_its_tokens_time_and_price(wire):
    with serving(in_turn(Said('{"a": "b"}', read=1000, wrote=100, cached=10))) as server:
        replied = ask(model_at(server, wire))
    assert (replied.text, replied.stop, replied.notes) == ('{"a": "b"}', Stop.ENDED, ())
    prices = {"openai": None, "anthropic": 0.004473, "google": 0.0005473}  # genai-prices 0.2.3, July 2026
    usage = replied.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.seconds) == (1000, 100, 10, 1.0)
    assert usage.cost == (prices[wire] and pytest.approx(prices[wire]))


@each_wire
def test_a_schema_is_sent_where_the_connection_says_so_and_no_tools_ever(wire):
    with serving(in_turn(Said("{}"))) as server:
        model = model_at(server, wire)
        ask(model)
        ask(model, schema=None)
    first, second = server.calls
    assert first.schema is not None
    assert first.schema["properties"] == {"a": {"type": "string"}}
    assert second.schema is None
    assert not any(call.body.get("tools") for call in server.calls)
    assert first.words == WORDS


def test_the_schema_of_a_request_is_sent_and_its_words_are_signed():
    request = PlanRequest(Reading(Question("Wer?")), (), (), 4)
    with serving(in_turn(Said("{}"))) as server:
        plain, held = model_at(server, native=False), model_at(server)
        replied = asyncio.run(held.complete(request, {}, lambda: "the words"))
        asyncio.run(plain.complete(request, {}, lambda: "the words"))
    assert (replied.prompt, replied.model) == (digest("the words"), "compatible/m1")
    assert [call.schema is not None for call in server.calls] == [True, False]


def test_a_server_that_takes_no_schema_is_asked_without_one_from_then_on():
    def picky(call: Call):
        return Failed(400, "response_format json_schema is not supported") if call.schema else Said('{"a": "b"}')

    with serving(picky) as server:
        model = model_at(server)
        first, second = ask(model), ask(model)
    refused = "the server refuses the request (400: response_format json_schema is not supported error)"
    assert first.notes == (f"{refused}: asked without a schema",)
    assert (second.notes, len(server.calls)) == ((), 3)


PASSING = [
    Failed(429, "slow down"),
    Failed(500),
    Failed(503),
    Failed(529, code="overloaded_error"),
    Cut(),
    Cut(begun=True),
]


@each_wire
@pytest.mark.parametrize("act", PASSING, ids=str)
def test_what_passes_is_tried_again_with_growing_waits_and_noted(wire, act):
    still = Still()
    with serving(in_turn(act, act, Said("{}"))) as server:
        replied = ask(model_at(server, wire, still))
    assert (replied.text, still.waits) == ("{}", [1.0, 2.0])
    assert [note.partition("; ")[2] for note in replied.notes] == ["tried again after 1.0 s", "tried again after 2.0 s"]


@each_wire
@pytest.mark.parametrize("act", PASSING, ids=str)
def test_what_does_not_pass_within_the_tries_pauses_the_run(wire, act):
    with serving(in_turn(act)) as server, pytest.raises(ModelUnavailableError, match="Try again later"):
        ask(model_at(server, wire, tries=3))
    assert len(server.calls) == 3


@each_wire
def test_a_server_that_says_how_long_to_wait_is_waited_for(wire):
    still = Still()
    with serving(in_turn(Failed(429, headers={"retry-after": "7"}), Said("{}"))) as server:
        ask(model_at(server, wire, still))
    assert still.waits == [7.5]


@each_wire
def test_a_server_that_wants_an_hour_is_not_waited_for(wire):
    still = Still()
    with (
        serving(in_turn(Failed(429, headers={"retry-after": "3600"}))) as server,
        pytest.raises(ModelUnavailableError, match=r"\(429\) and asks to wait 3600 s\. Try again then: a run"),
    ):
        ask(model_at(server, wire, still))
    assert (still.waits, len(server.calls)) == ([], 1)


@pytest.mark.parametrize(
    ("asked", "told"),
    [("7300", "2 hours"), ("999999999", "11574 days"), ("Wed, 21 Oct 2099 07:28:00 GMT", r"\d{5} days")],
)
def test_a_long_wait_is_told_in_hours_and_days(asked, told):
    with (
        serving(in_turn(Failed(503, "overloaded", headers={"retry-after": asked}))) as server,
        pytest.raises(ModelUnavailableError, match=rf"failed \(503\) and asks to wait {told}\. Try again then"),
    ):
        ask(model_at(server))
    assert len(server.calls) == 1


@pytest.mark.parametrize("asked", ["-5", "nan", "inf", "soon"])
def test_a_wait_that_is_none_is_not_believed(asked):
    still = Still()
    with serving(in_turn(Failed(429, headers={"retry-after": asked}), Said("{}"))) as server:
        ask(model_at(server, still=still))
    assert len(still.waits) == 1
    assert 0 <= still.waits[0] <= 1


def test_a_hosted_model_that_is_slow_is_asked_again_and_one_of_ones_own_is_not():
    for own, calls in ((False, 2), (True, 1)):
        with serving(in_turn(Hung())) as server:
            with pytest.raises(ModelUnavailableError, match=r"no answer came within 0\.3 s\. Raise models\.fake\.time"):
                ask(model_at(server, own=own, timeout=0.3, tries=2))
            assert len(server.calls) == calls


STOPPING = [
    (Failed(401, f"Incorrect API key provided: {KEY}"), r"the key was not accepted \(401\)\. Check the key \(the env"),
    (
        Failed(403, f"not in your country, {KEY}"),
        r"access was refused \(403: not in your country, \[key\].*\)\. Check the",
    ),
    (Failed(402, "Insufficient Balance"), r"the account's quota is used up \(402\)\. Top it up or raise its limit\."),
    (
        Failed(404, "the model m1 does not exist", "model_not_found"),
        r"there is no model '.*' there\. Correct mod",
    ),
    (
        Failed(404, page="<html>nothing here</html>"),
        r"no interface for models \(404\)\. Correct .*ends in /v1",
    ),
    (Failed(422, "temperature is out of range"), r"refuses the request \(422: temperature is out of range"),
    (Failed(500, "llama runner process has terminated"), r"model process crashed\. Look at the server's own log"),
    (Failed(302, headers={"location": "http://elsewhere.example/"}), r"sends elsewhere, which is not followed"),
]


@each_wire
@pytest.mark.parametrize(("act", "told"), STOPPING, ids=lambda part: str(part)[:30])
def test_what_a_person_must_see_to_is_said_once_in_a_sentence_with_the_remedy(wire, act, told):
    with serving(in_turn(act)) as server, pytest.raises(ModelUnavailableError, match=told) as error:
        ask(model_at(server, wire), schema=None)
    assert len(server.calls) == 1
    assert KEY not in str(error.value)
    assert str(error.value).startswith("fake: ")


def test_a_quota_that_is_used_up_is_no_rate_limit():
    with (
        serving(in_turn(Failed(429, "You exceeded your quota", "insufficient_quota"))) as server,
        pytest.raises(ModelUnavailableError, match=r"the account's quota is used up \(429\)"),
    ):
        ask(model_at(server))
    assert len(server.calls) == 1


def test_what_is_no_model_at_all_is_told_with_its_address():
    with serving(in_turn(Said("{}"))) as server:
        server.behaviour = lambda _call: Failed(200, page="<html>Welcome to my home page</html>")
        with pytest.raises(ModelUnavailableError, match=rf"what answers at {server.address()} is no language model"):
            ask(model_at(server))


def test_https_where_a_server_speaks_http_is_told_at_once():
    with serving(in_turn(Said("{}"))) as server:
        secure = server.address().replace("http:", "https:")
        with pytest.raises(
            ModelUnavailableError, match=r"does not speak https\. Correct models\.fake\.base_url: a server"
        ):
            ask(model_at(server, address=secure))
    assert server.calls == []


def test_a_certificate_nobody_vouches_for_is_told_and_nothing_is_sent():
    with serving(in_turn(Said("{}")), secure=self_signed()) as server:
        secure = server.address().replace("http:", "https:")
        with pytest.raises(
            ModelUnavailableError, match=r"the certificate of https://\S+ is not trusted \(.*self.signed"
        ):
            ask(model_at(server, address=secure))
    assert server.calls == []


def test_a_host_that_cannot_be_one_is_told_and_no_traceback():
    with serving(in_turn(Said("{}"))) as server:
        model = model_at(server, address="http://müller..example/v1")
        with pytest.raises(
            ModelUnavailableError, match=r"http://müller\.\.example/v1 is no address of a server\. Correct"
        ):
            ask(model)
        assert asyncio.run(facts_of(model.connection)) == (None, ())


def test_what_a_server_says_twice_is_told_once():
    with (
        serving(in_turn(Failed(422, "no such field", "invalid_request"))) as server,
        pytest.raises(ModelUnavailableError, match=r"\(422: no such field invalid_request\)"),
    ):
        ask(model_at(server))


def test_nobody_at_the_address_is_told_with_the_remedy():
    with serving(in_turn(Said("{}"))) as server:
        model = model_at(server)
    with pytest.raises(ModelUnavailableError, match=rf"no server answers at {server.address()}\. Start it, or correct"):
        ask(model)


@each_wire
@pytest.mark.parametrize(
    ("act", "stop", "text"),
    [
        (Said("I will not", ended="refused"), Stop.REFUSED, "I will not"),
        (Said("", ended="filtered"), Stop.REFUSED, "a content filter stopped it"),
        (Said('{"a": "b', ended="length"), Stop.LENGTH, '{"a": "b'),
        (Said(""), Stop.ENDED, ""),
        (
            Failed(400, "This model's maximum context length is 8192 tokens", "context_length_exceeded"),
            Stop.TOO_LONG,
            "the server says it is too long (This model's maximum context length is 8192 tokens",
        ),
    ],
    ids=lambda part: str(part)[:20],
)
def test_refused_cut_off_empty_and_too_long_are_answers_and_not_asked_again(wire, act, stop, text):
    with serving(in_turn(act)) as server:
        replied = ask(model_at(server, wire))
    assert (replied.stop, replied.text[: len(text)]) == (stop, text)
    assert len(server.calls) == 1


def test_a_request_that_does_not_fit_the_window_is_never_sent():
    with serving(in_turn(Said("{}"))) as server:
        replied = ask(model_at(server, window=4000), "word " * 2000)
        assert ask(model_at(server, window=4000), "word " * 1700).stop is Stop.ENDED
    assert replied == Replied(
        "about 3334 tokens and 1000 for the reply do not fit its window of 4000",
        "compatible/m1",
        usage=Usage(0, 0, 0, 0.0, 0.0),
        stop=Stop.TOO_LONG,
    )
    assert len(server.calls) == 1


PROPS = {"/props": {"default_generation_settings": {"n_ctx": 4000}}}


def test_rule_6_the_window_of_ones_own_server_is_asked_for_where_the_settings_do_not_say():
    with serving(in_turn(Said("{}")), PROPS) as server:
        model = model_at(server)
        assert ask(model, "word " * 2000).stop is Stop.TOO_LONG
        assert ask(model, "word " * 1700).stop is Stop.ENDED
        assert server.calls[0].body["max_tokens"] == 1000
        said = model_at(server, window=100_000)
        assert ask(said, "word " * 2000).stop is Stop.ENDED
        theirs = model_at(server, own=False)
        assert ask(theirs, "word " * 2000).stop is Stop.ENDED
        assert [one.connection.window for one in (model, said, theirs)] == [4000, 100_000, 0]


@pytest.mark.parametrize(("text", "tokens"), [("", 1), ("abcdef", 3), ("éé", 2), ("漢字", 3)])
def test_the_estimate_of_tokens_is_on_the_safe_side(text, tokens):
    assert estimated(text) == tokens


def test_a_prompt_that_was_cut_in_silence_is_noted():
    with serving(in_turn(Said("{}", read=2050))) as server:
        replied = ask(model_at(server), "word " * 10_000)
        whole = ask(model_at(server), "word " * 2000)
    assert replied.notes == ("the server counted 2050 tokens of about 16667: it may have cut the prompt",)
    assert whole.notes == ()


def test_a_reply_without_end_is_kept_to_a_length_and_is_no_reply():
    with serving(in_turn(Said("word " * 50_000))) as server:
        replied = ask(model_at(server))
    assert (len(replied.text), replied.stop) == (LONGEST, Stop.LENGTH)
    assert replied.notes == (f"the reply had 250000 characters; the first {LONGEST} are kept",)


def test_thinking_apart_from_the_reply_is_counted_and_not_kept():
    with serving(in_turn(Said("", thinking="perhaps the mayor"))) as server:
        replied = ask(model_at(server))
    assert (replied.text, replied.notes) == ("", ("it thought aloud (17 characters) and said nothing",))


def test_half_characters_and_the_key_itself_never_come_through():
    with serving(in_turn(Said(f"a \ud800 b {KEY}"))) as server:
        assert ask(model_at(server)).text == "a ? b [key]"


def test_a_server_that_counts_nothing_leaves_tokens_and_price_unknown():
    with serving(in_turn(Said("{}", read=0, wrote=0))) as server:
        assert ask(model_at(server, "google")).usage == Usage(seconds=1.0)


def test_the_model_that_answered_is_recorded_where_it_is_another():
    with serving(in_turn(Said("{}", model="m1-2026-10-01"), Said("{}", model="m1"))) as server:
        model = model_at(server)
        assert [ask(model).served, ask(model).served] == ["m1-2026-10-01", ""]


def test_of_a_server_that_names_a_file_the_folder_is_not_recorded():
    with serving(in_turn(Said("{}", model="/srv/models/qwen3.gguf"))) as server:
        assert ask(model_at(server)).served == "qwen3.gguf"


def test_it_says_how_many_calls_it_bears_at_a_time_and_can_be_asked_in_one_run_after_another():
    with serving(in_turn(Said("{}"))) as server:
        model = model_at(server, concurrency=3)

        async def together():
            return await asyncio.gather(*(model.answer(WORDS, None) for _ in range(3)))

        assert [len(asyncio.run(together())) for _ in range(2)] == [3, 3]
    assert model.at_once == 3
    assert len(server.calls) == 6


def test_options_of_the_settings_go_to_the_server_as_they_are():
    with serving(in_turn(Said("{}"))) as server:
        ask(model_at(server, options='{"reasoning_effort": "none", "top_k": 5}'))
    body = server.calls[0].body
    assert (body["reasoning_effort"], body["top_k"], body["temperature"], body["max_tokens"]) == ("none", 5, 0.0, 4096)


def test_what_fixes_the_replies_fixes_the_fingerprint_and_the_key_is_no_part_of_anything_shown():
    with serving(in_turn(Said("{}"))) as server:
        one = connection_to(server)
        same = connection_to(server, key="another", window=9000, concurrency=3, timeout=1.0, own=False)
        assert one.fingerprint == same.fingerprint
        others = [
            connection_to(server, native=False),
            connection_to(server, options='{"a": 1}'),
            connection_to(server, reply=9),
        ]
        assert len({one.fingerprint, *(other.fingerprint for other in others)}) == 4
        assert KEY not in repr(one)
