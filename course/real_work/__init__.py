"""Real work: tasks whose result is a file or a report, measured by a check.

The files lie in `work/` in the project; `start` puts them there, `check` measures what was made of them.
"""

from course.real_work.desk import TASKS, check, checked, hint, n_right, overview, start, states, work_dir
