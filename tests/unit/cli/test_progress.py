"""Progress in a log: a line every ten seconds, with rate and remaining time."""

from rich.progress import Progress

from vestigia.cli.progress import Lines, Rate


def told(*steps):
    """The lines said when work is told at these (second, done) of 100."""
    said, now = [], [0.0]
    lines = Lines(said.append, lambda: now[0])
    for second, done in steps:
        now[0] = second
        lines.tell("encoding with e5", done, 100)
    return said


def test_nothing_is_said_before_ten_seconds():
    assert told((0, 0), (5, 10), (9, 20)) == []


def test_then_a_line_with_rate_and_remaining_time():
    assert told((0, 0), (10, 20)) == ["encoding with e5: 20 of 100 (2.0 a second, about 1 min left)"]


def test_and_the_next_ten_seconds_later():
    assert len(told((0, 0), (10, 20), (12, 24), (20, 40))) == 2


def test_work_that_stands_still_promises_no_end():
    assert told((0, 0), (10, 0)) == ["encoding with e5: 0 of 100 (0.0 a second)"]


def test_each_kind_of_work_has_its_lines():
    said, now = [], [0.0]
    lines = Lines(said.append, lambda: now[0])
    for second in (0, 5, 10):
        now[0] = second
        lines.tell(f"reading {second}.xml", second, 0)
        lines.tell("encoding with universal", second, 20)
    assert said == [
        "reading 10.xml: 10 of ? (1.0 a second)",
        "encoding with universal: 10 of 20 (1.0 a second, about 0 min left)",
    ]


def test_a_bar_says_how_many_a_second():
    now = [0.0]
    progress = Progress(Rate(), get_time=lambda: now[0])
    number = progress.add_task("reading", total=100)
    task = progress.tasks[number]
    assert Rate().render(task).plain == ""
    for second in (1, 2, 3):
        now[0] = second
        progress.update(task.id, completed=5 * second)
    assert Rate().render(task).plain == "5.0 a second"
