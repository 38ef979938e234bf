"""Send the REST interface requests made up from its description, for longer than the tests do.

    uv run python scripts/fuzz_api.py [EXAMPLES A ROUTE, default 200] [SEED, default 1]

It makes an archive of its own in a temporary folder and prints every request that was answered by 500 or more.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.fuzzing import fuzz
from fakes.sites import visiting
from vestigia.app import asking
from vestigia.app.demonstration import build, shipped_question
from vestigia.domain.question import Question


def main(examples: int, seed: int) -> int:
    """Returns 1 where something broke."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = build(Path(folder) / "demo")
        run = asking.ask(workspace, Question(shipped_question())).run
        site = visiting({"demo": workspace})
        broken = fuzz(site, {"archive": "demo", "run": run}, examples, seed)
        site.app.state.live.close()  # type: ignore[attr-defined]
    for one in broken:
        print(one)
    print(f"{len(broken)} of the requests broke it")
    return 1 if broken else 0


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    sys.exit(main(*(given + [200, 1][len(given) :])))
