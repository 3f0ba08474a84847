"""All lessons that ask something of their reader, in the order of the course, and their exercises by name."""

from course.exercises.exercise import Exercise
from course.exercises.lesson import Lesson
from course.exercises.lesson_01 import LESSON_01
from course.exercises.lesson_02 import LESSON_02
from course.exercises.lesson_03 import LESSON_03
from course.exercises.lesson_04 import LESSON_04
from course.exercises.lesson_04b import LESSON_04B
from course.exercises.lesson_05 import LESSON_05
from course.exercises.lesson_06 import LESSON_06
from course.exercises.lesson_06b import LESSON_06B
from course.exercises.lesson_07 import LESSON_07
from course.exercises.lesson_08 import LESSON_08
from course.exercises.lesson_08b import LESSON_08B
from course.exercises.lesson_09 import LESSON_09
from course.exercises.lesson_09b import LESSON_09B
from course.exercises.lesson_10 import LESSON_10
from course.exercises.lesson_10b import LESSON_10B

LESSONS: tuple[Lesson, ...] = (
    LESSON_01,
    LESSON_02,
    LESSON_03,
    LESSON_04,
    LESSON_04B,
    LESSON_05,
    LESSON_06,
    LESSON_06B,
    LESSON_07,
    LESSON_08,
    LESSON_08B,
    LESSON_09,
    LESSON_09B,
    LESSON_10,
    LESSON_10B,
)
EXERCISES: dict[str, Exercise] = {
    exercise.name: exercise for lesson in LESSONS for exercise in lesson.exercises
}
