"""The command `experiment`: the paper's experiments on an archive of one's own."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app import experimenting
from vestigia.app.experimenting import Options
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, SubCorpora
from vestigia.cli.evaluating import STANDARD_OUTPUT, write
from vestigia.cli.outcome import ending
from vestigia.evaluate.experiment_report import Result, markdown, page


class Experiment(StrEnum):
    """What can be tried."""

    ERA_VOCABULARY = "era-vocabulary"
    WINDOWS = "windows"
    DUAL_SCORE = "dual-score"
    LAYERS = "layers"


def experiment(  # noqa: PLR0913, PLR0917  a command has as many parameters as options
    archive: ArchiveArgument,
    kind: Annotated[Experiment, typer.Argument(help="Which experiment.")],
    subject: Annotated[
        list[str], typer.Argument(metavar="SUBJECT...", help='"NAME: WORDS" for each era; a question; a CSV file.')
    ],
    keywords: Annotated[str, typer.Option(help="For layers: the keywords, comma-separated.")] = "",
    scores: Annotated[Path | None, typer.Option(help="For layers: a CSV of documents and judges' scores.")] = None,
    channel: Annotated[str, typer.Option(help="What searches: meaning, words, characters, fused ...")] = "meaning",
    windows: Annotated[
        str, typer.Option(help="How long windows are, comma-separated; the first for quotas.")
    ] = "10y,5y",
    top: Annotated[int, typer.Option(min=1, max=10_000, help="How many documents a plain search brings.")] = 50,
    quota: Annotated[int, typer.Option(min=1, max=1000, help="How many documents a window brings.")] = 20,
    sub_corpus: SubCorpora = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="Write the result as data; `-`: print it.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the result as a page with drawings.")] = None,
) -> None:
    """Try on this archive what the HistoRAG paper tried on its own: eras, windows, scores, layers."""
    scales = tuple(one.strip() for one in windows.split(",") if one.strip())
    options = Options(channel, scales or ("",), top, quota, tuple(sub_corpus or ()))
    with ending():
        result = _result(open_workspace(archive), kind, subject, options, (_listed(keywords), scores))
        data = asdict(result)
        if html:
            write(html, page(result))
        if as_json and str(as_json) != STANDARD_OUTPUT:
            write(as_json, f"{json.dumps(data, ensure_ascii=False, indent=2)}\n")
    if str(as_json) == STANDARD_OUTPUT:
        printing.data(data)
    else:
        printing.out.print(markdown(result), markup=False, soft_wrap=True, end="")


def _result(
    workspace: Workspace,
    kind: Experiment,
    subject: Sequence[str],
    options: Options,
    more: tuple[list[str], Path | None],
) -> Result:
    match kind:
        case Experiment.ERA_VOCABULARY:
            return experimenting.era_vocabulary(workspace, experimenting.eras_of(subject), options)
        case Experiment.WINDOWS:
            return experimenting.windowed(workspace, " ".join(subject), options)
        case Experiment.DUAL_SCORE:
            return experimenting.dual_scores(Path(subject[0]))
        case Experiment.LAYERS:
            keywords, scores = more
            question = " ".join(subject)
            return experimenting.layers(workspace, question, keywords or [question], options, scores)


def _listed(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]
