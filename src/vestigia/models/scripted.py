"""A model that says what it was told to: for tests, demonstrations and teaching."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vestigia.domain.archive import Passage
from vestigia.domain.effects import Replied, Usage
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.ids import Digest, PassageId, digest
from vestigia.domain.requests import Request

Script = Callable[[Request, Mapping[PassageId, Passage]], str]


@dataclass(frozen=True, slots=True)
class ScriptedModel:
    """Answers each request with what `script` makes of it. `usage` is reported for every call.

    A script that depends on the request alone can be resumed anywhere; `in_turn` makes one from lists of replies.
    """

    script: Script
    name: str = "scripted"
    usage: Usage = Usage()
    reads_prompts: bool = True

    @property
    def fingerprint(self) -> Digest:
        """The name: a script has no other identity."""
        return digest(f"scripted:{self.name}")

    async def complete(
        self, request: Request, passages: Mapping[PassageId, Passage], prompt: Callable[[], str]
    ) -> Replied:
        """Answer from the script; raises ModelUnavailableError when it has nothing to say."""
        sent = digest(prompt()) if self.reads_prompts else None
        return Replied(self.script(request, passages), self.name, sent, self.usage)


def in_turn(replies: Mapping[str, Sequence[str]]) -> Script:
    """Make a script of lists of replies by request type (`PlanRequest` ...), each used once, in turn."""
    queues = {kind: list(queue) for kind, queue in replies.items()}

    def script(request: Request, passages: Mapping[PassageId, Passage]) -> str:  # noqa: ARG001
        kind = type(request).__name__
        if not queues.get(kind):
            raise ModelUnavailableError(f"the script has no further reply to a {kind}.", remedy="Lengthen the script.")
        return queues[kind].pop(0)

    return script
