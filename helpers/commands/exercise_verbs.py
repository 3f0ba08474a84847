"""The command line's verbs for exercises: `solved`, `progress`, `instructor`. Words and exit codes only, as in `__main__`."""

import argparse
import sys
import textwrap
from pathlib import Path


def add(verbs: argparse._SubParsersAction) -> None:
    """Adds the three verbs to the parser of the command line."""
    solved = verbs.add_parser(
        "solved",
        help="build the notebooks with every exercise solved and every question answered",
        description="Puts the solutions into copies of the notebooks, runs them, and says whether every check is satisfied. "
        "The tracked notebooks stay as they are.",
    )
    solved.add_argument(
        "lessons", nargs="*", metavar="LESSON", help="only notebooks whose name starts so, e.g. 03 (default: all)"
    )
    solved.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the solved notebooks and their results go")
    solved.set_defaults(command=_solved)
    progress = verbs.add_parser(
        "progress",
        help="say which exercises and questions are done in a reader's notebooks",
        description="Reads what the checks said when the notebooks were last run and saved; runs nothing. DIR holds one reader's "
        "notebooks (default: notebooks), or a folder for each reader.",
    )
    progress.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="a folder of notebooks, or of readers")
    progress.set_defaults(command=_progress)
    instructor = verbs.add_parser(
        "instructor",
        help="write the teacher's tables of typical wrong answers and of answers",
        description="Writes instructor/typical_wrong_answers.md and instructor/answers.md afresh, from the exercises themselves.",
    )
    instructor.set_defaults(command=_instructor)


def _solved(chosen: argparse.Namespace) -> int:
    from helpers.commands import course
    from helpers.exercises import contents, notebooks, readers

    asking = {lesson.notebook: lesson for lesson in contents.LESSONS}
    try:
        paths = [path for path in course.find_lessons(chosen.lessons) if path.stem in asking]
        out = course.prepare_out(chosen.out)
        course.prepare(sorted({name for path in paths for name in course.wanted(path)}))
        course.run_lessons(paths, out, rewrite=lambda path, notebook: notebooks.solved(notebook, asking[path.stem]))
    except (ValueError, OSError, RuntimeError) as error:
        print(f"python -m helpers solved: {error}", file=sys.stderr)
        return 2
    except course.LessonFailed as failure:
        print(f"FAILED {failure}", file=sys.stderr)
        return 1
    lessons = [asking[path.stem] for path in paths]
    for lesson in lessons:
        print(f"{lesson.notebook}: {readers.counted(readers.done_in(out / 'notebooks', lesson), lesson)} right")
    return 0 if all(readers.done_in(out / "notebooks", lesson) == set(lesson.proofs()) for lesson in lessons) else 1


def _progress(chosen: argparse.Namespace) -> int:
    from tabulate import tabulate

    from helpers import files
    from helpers.exercises import readers

    try:
        folder = files.ROOT / "notebooks" if chosen.folder is None else chosen.folder.expanduser()
        found = readers.readers(folder)
    except (ValueError, OSError, RuntimeError) as error:
        print(f"python -m helpers progress: {error}", file=sys.stderr)
        return 2
    if len(found) == 1:
        (place,) = found.values()
        print("\n".join(readers.still_open(place)))
    else:
        print(tabulate(readers.table(folder), headers="keys", disable_numparse=True))
        print("\nPer lesson: exercises right of all, questions right of all; - where there is no notebook.\n")
        for line in readers.how_many_are_right(folder):
            print(textwrap.fill(line, 100, subsequent_indent="  "))
    return 0


def _instructor(chosen: argparse.Namespace) -> int:
    from helpers import files
    from helpers.exercises import teaching

    pages = {"typical_wrong_answers.md": teaching.typical_wrong_answers(), "answers.md": teaching.answers()}
    for name, page in pages.items():
        with files.replaced(files.ROOT / "instructor" / name) as beside:
            beside.write_text(page, encoding="utf-8", newline="\n")
        print(f"wrote instructor/{name}")
    return 0
