"""What pyproject.toml cannot say: a wheel carries the course's notebooks, collections and pages as well."""

import runpy
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
START = runpy.run_path(str(HERE / "course" / "start.py"))


class WithTheCourse(build_py):
    """Puts them into the wheel's folder `measure_first`, from where `measure-first start` lays them down."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the packages stay in the repository, which has them
            return
        shipped = Path(self.build_lib) / "measure_first"
        shutil.rmtree(shipped, ignore_errors=True)  # an earlier build may have left other files
        for path in START["material"](HERE):
            (shipped / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(HERE / path, shipped / path)


setup(cmdclass={"build_py": WithTheCourse})
