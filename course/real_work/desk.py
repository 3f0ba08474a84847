"""Where a learner's files lie, and what can be done with a task: start, check, hint, overview."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from course.exercises.verdict import RIGHT, UNTOUCHED
from course.real_work.baseline import BASELINE, LOOKS, ON_DEV
from course.real_work.capstone import CAPSTONE
from course.real_work.convention import CONVENTION
from course.real_work.debug import DEBUG
from course.real_work.judge import JUDGE
from course.real_work.reproduce import REPRODUCE
from course.real_work.task import Report, Task
from helpers.base import check_option, counted, files, write_text

TASKS: Mapping[str, Task] = {
    task.name: task for task in (JUDGE, CONVENTION, DEBUG, REPRODUCE, BASELINE, CAPSTONE)
}
"""In the order of the lessons that they rest on."""


def work_dir() -> Path:
    """The folder for a learner's files: `MEASURE_FIRST_WORK` where it is set, else `work/` in the project."""
    return Path(os.environ.get("MEASURE_FIRST_WORK") or files.course_folder() / "work").expanduser().resolve()


def start(name: str) -> None:
    """Puts the files of a task into `work/NAME/`. What is there already stays as it is.

    To begin anew, rename or delete a file and start again. Raises ValueError for a task that there is not.
    """
    task = _task(name)
    folder = work_dir() / name
    new = list(_placed(task, folder))
    top = sorted({path.split("/")[0] + ("/" if "/" in path else "") for path in task.files()})
    print(f"{task.title} ({task.effort})")
    print(f"work/{name}/ holds {', '.join(top)}.")
    print(f"{counted(len(new), 'file')} put there." if new else "All were there; nothing was changed.")


def _placed(task: Task, folder: Path) -> Iterator[Path]:
    """Writes what is missing, and gives its path."""
    for name, text in task.files().items():
        path = folder / name
        if not path.exists():
            yield write_text(path, text)


def check(name: str, look: bool = False) -> None:
    """Measures what lies in `work/NAME/` and prints what it found.

    `look=True`, of "baseline" only, has the test queries measured, which is counted. Raises ValueError for a
    task that there is not, and for a look that a task does not have.
    """
    print(checked(name, look).text(name))


def checked(name: str, look: bool = False) -> Report:
    """The report that `check` prints, with the same errors. What was not started is not attempted."""
    task, folder = _task(name), work_dir() / name
    if look and name != BASELINE.name:
        raise ValueError(f"look is for {BASELINE.name!r}, which has test queries; {name!r} has none")
    if not folder.is_dir():
        return Report(UNTOUCHED, (f'start("{name}") puts its files into work/{name}/.',))
    report = task.judge(folder, look=True) if look else task.judge(folder)
    # Measured on dev only, baseline has no new answer; that of the last look stays.
    answered = name != BASELINE.name or look or report.status != ON_DEV or not (folder / LOOKS).is_file()
    if report.status != UNTOUCHED and answered:
        write_text(folder / _NOTE, f"{report.status}\n")
    return report


_NOTE = ".checked"
"""In a task's folder: what its last check said, for `progress`, which runs nothing."""


def states(work: Path) -> dict[str, str]:
    """How far each task is in a folder `work/`, by the last checks: 'not started', 'started', 'right' …

    What was changed after its check is said to be.
    """
    return {name: _state(work / name) for name in TASKS}


def _state(folder: Path) -> str:
    if not folder.is_dir():
        return "not started"
    note = folder / _NOTE
    if not note.is_file():
        return "started"
    status, checked_at = note.read_text(encoding="utf-8").strip(), note.stat().st_mtime_ns
    written = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    later = any(path.stat().st_mtime_ns > checked_at for path in written)
    return f"{status}, changed since" if later else status


def n_right(work: Path) -> int:
    """How many tasks were right when they were last checked, and were not changed since."""
    return sum(state == RIGHT for state in states(work).values())


def hint(name: str, number: int = 1) -> None:
    """Prints a hint; 1 says least. Of a part of a task: `hint("debug/4_idf")`.

    Raises ValueError for a task, a part or a number that there is not.
    """
    name, _, part = name.partition("/")
    hints = _task(name).hints
    check_option("part", part, hints)
    if number not in range(1, len(hints[part]) + 1):
        raise ValueError(f"number is {number!r}; there are hints 1 to {len(hints[part])}")
    print(Report(f"hint {number} of {len(hints[part])}", (hints[part][number - 1],)).text(name))


def overview() -> None:
    """Prints all tasks: how hard, how long, and what the last check said. Runs nothing of the learner's."""
    width, found = max(map(len, TASKS)), states(work_dir())
    for name, task in TASKS.items():
        print(f"{name:<{width}}  {task.effort}, {found[name]}\n{'':<{width}}  {task.title}")


def _task(name: str) -> Task:
    check_option("task", name, TASKS)
    return TASKS[name]
