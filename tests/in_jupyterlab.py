"""Opens a lesson in a real JupyterLab with a real Chromium, and works in it as a reader does.

    python tests/in_jupyterlab.py [--axe axe.min.js] [--shots FOLDER]

In a course laid down in a temporary folder: open lesson 03 from the page where to start, run all its cells,
ask for a hint, solve an exercise, see the message and the table that follows it, save, and see the progress;
on screens of 1280 and of 1600 pixels. With the script of the npm package axe-core it prints what that finds
in what the course shows: its texts and outputs, not JupyterLab around them. Not part of the tests: it takes
minutes.
"""

import argparse
import base64
import json
import os
import runpy
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DRIVER = ROOT / "site" / "browser.py"
WIDTHS = (1280, 1600)
LESSON, SOLVED = "03_metrics.ipynb", "RECALL"
NOTEBOOK = "jupyterapp.shell.currentWidget"
AXE = """
axe.run({include: [['.jp-Notebook .jp-RenderedHTMLCommon'], ['.jp-Notebook .jp-OutputArea']]},
        {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}).then(found => found.violations.map(v =>
  [v.impact, v.id, v.help, v.nodes.length, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160))]))"""
OF_JUPYTERLAB = {
    "image-alt": "it draws a picture without alternative text, and reads none from the notebook",
}
"""What axe finds in how JupyterLab draws what the course gives it; printed, not counted."""
SERVER = (
    "-m jupyterlab --no-browser --allow-root --ServerApp.port=0 --IdentityProvider.token= "
    "--expose-app-in-browser --LabApp.news_url=None"
).split()


class Lab:
    """A JupyterLab of our own in a folder, and a page that is open in it."""

    def __init__(self, folder: Path, browser, width: int):
        self.browser = browser
        environment = os.environ | {"PYTHONPATH": str(ROOT), "MEASURE_FIRST_OFFLINE": "1"}
        environment |= {
            "JUPYTER_CONFIG_DIR": str(folder / ".config"),
            "JUPYTER_DATA_DIR": str(folder / ".data"),
        }
        self.process = subprocess.Popen(
            [sys.executable, *SERVER, f"--ServerApp.root_dir={folder}"],
            env=environment,
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in self.process.stderr:
            if "http://localhost:" in line or "http://127.0.0.1:" in line:
                self.address = "http://" + line.split("http://")[1].split("/lab")[0].strip().rstrip("/")
                break
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.call("Emulation.setDeviceMetricsOverride", **size)

    def open(self, path: str) -> None:
        """Opens a notebook and waits for its kernel."""
        self.browser.call("Page.navigate", url=f"{self.address}/lab/tree/{path}?reset")
        kernel = f"{NOTEBOOK}?.sessionContext?.session?.kernel?.status"
        self.wait(f"window.jupyterapp && {kernel} === 'idle' && {NOTEBOOK}.content.widgets.length > 2", 120)

    def wait(self, condition: str, seconds: float) -> None:
        """Waits until a condition of the page holds. Raises TimeoutError."""
        until = time.monotonic() + seconds
        while not self.browser.value(f"Boolean({condition})"):
            if time.monotonic() > until:
                raise TimeoutError(f"in {seconds} s never: {condition}")
            time.sleep(0.3)

    def do(self, command: str) -> None:
        """Obeys a command of JupyterLab, as its menus do."""
        self.browser.value(f"jupyterapp.commands.execute({command!r}).then(() => 1)")

    def output_of(self, cell: str) -> str:
        """The text of a cell's outputs, also of one that is scrolled out of sight and so not drawn; `cell` is
        a condition on its source, `s`."""
        outputs = self.browser.value(f"({self._found(cell)}).model.outputs.toJSON()")
        return "".join(
            "".join(one.get("text") or one.get("data", {}).get("text/plain") or "") for one in outputs
        )

    def write_and_run(self, cell: str, source: str) -> None:
        """Puts a source into a cell, runs it, and waits until the kernel is idle again."""
        widget = f"({self._found(cell)})"
        self.browser.value(
            f"{NOTEBOOK}.content.activeCellIndex = {NOTEBOOK}.content.widgets.indexOf({widget})"
        )
        self.browser.value(f"{NOTEBOOK}.content.activeCell.model.sharedModel.setSource({json.dumps(source)})")
        self.do("notebook:run-cell")
        self.idle(60)

    def run_all(self) -> None:
        self.do("notebook:run-all-cells")
        self.idle(240)

    def idle(self, seconds: float) -> None:
        time.sleep(0.5)
        self.wait(f"{NOTEBOOK}.sessionContext.session.kernel.status === 'idle'", seconds)

    def show(self, cell: str) -> None:
        self.browser.value(f"({self._found(cell)}).node.scrollIntoView({{block: 'start'}})")
        time.sleep(1)

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()

    @staticmethod
    def _found(cell: str) -> str:
        return f"{NOTEBOOK}.content.widgets.find(w => (s => {cell})(w.model.sharedModel.getSource()))"


class Steps:
    """What was looked at on the way, and what was not as it should be."""

    def __init__(self, browser, width: int, axe: str, shots: Path | None):
        self.browser, self.width, self.axe, self.shots = browser, width, axe, shots
        self.faults: list[str] = []

    def expect(self, true: bool, what: str) -> None:
        """Notes one step; `what` says what should be, with what is."""
        print(f"  {'ok' if true else 'NO'}  {what}", flush=True)
        self.faults += [] if true else [f"{self.width}: {what}"]

    def look(self, name: str) -> None:
        """Takes a picture of what is on the screen, and asks axe about it."""
        if self.shots:
            picture = self.browser.call("Page.captureScreenshot", format="png")["data"]
            (self.shots / f"{name}-{self.width}.png").write_bytes(base64.b64decode(picture))
        if not self.axe:
            return
        self.browser.value(self.axe)
        for impact, rule, words, n, nodes in self.browser.value(AXE):
            known = OF_JUPYTERLAB.get(rule)
            print(f"      axe, {impact}: {rule} ({known or words}), {n} times", "" if known else nodes)
            if impact in ("serious", "critical") and not known:
                self.faults.append(f"{self.width}, {name}: axe {rule}")


def read_a_lesson(lab: Lab, steps: Steps, exercise, lesson) -> None:
    """What a reader does: opens, runs all, asks for a hint, solves an exercise, looks at the tables."""
    check, table = f"s.includes('ex.{exercise.name}.check(')", "s.includes('progress()\\n')"
    lab.open("notebooks/start.ipynb")
    said = lab.browser.value(f"{NOTEBOOK}.content.widgets[1].node.innerText")
    steps.expect("Next: Lesson 01" in said, "the page where to start links to lesson 01")
    lab.run_all()
    of = len(lesson.proofs())
    overview, n = "s.includes('overview()')", len(lesson.exercises)
    steps.expect(f"0 of {n} exercises" in lab.output_of(overview), "the table of the course")
    steps.look("start")

    lab.open(f"notebooks/{LESSON}")
    lab.run_all()
    raised = "(w.model.outputs?.toJSON() || []).some(one => one.output_type === 'error')"
    errors = lab.browser.value(f"{NOTEBOOK}.content.widgets.filter(w => {raised}).length")
    steps.expect(errors == 0, f"all cells of {LESSON} run, {errors} with an error")
    steps.expect("not attempted yet" in lab.output_of(check), "an untouched exercise says so")
    lab.browser.value(f"{NOTEBOOK}.content.activeCellIndex = 1")
    lab.do("notebook:insert-cell-below")
    lab.write_and_run("s === ''", f"ex.LESSON_03.progress()\nex.{exercise.name}.hint(1)")
    steps.expect("Hint 1 of 3" in lab.output_of(table), "a hint")
    steps.expect(f"03_metrics: 0 of {of} right" in lab.output_of(table), "the table of the lesson")
    lab.show(check)
    steps.look("exercise")

    name = exercise.reference.__name__
    solved = (
        f"{exercise.source()}\n\nex.{exercise.name}.check({name})\n{name} = ex.{exercise.name}.use({name})"
    )
    lab.write_and_run(check, solved)
    steps.expect(f"{name}: right" in lab.output_of(check), "the message to a right answer")
    lab.show(check)
    steps.look("solved")
    steps.expect(f"03_metrics: 1 of {of} right" in lab.output_of(table), "the table has followed the check")
    lab.show(table)
    steps.look("table")
    lab.do("docmanager:save")

    lab.open("notebooks/start.ipynb")
    lab.run_all()
    steps.expect(f"1 of {n} exercises" in lab.output_of(overview), "the table of the course has it")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--axe", type=Path, help="axe.min.js of the npm package axe-core")
    parser.add_argument("--shots", type=Path, help="a folder for pictures")
    parser.add_argument("--driver", type=Path, default=DRIVER, help="the file with the class Browser")
    chosen = parser.parse_args()
    if not chosen.driver.is_file():
        raise SystemExit(f"{chosen.driver} is not here; it drives the browser")
    sys.path.insert(0, str(ROOT))
    from course.exercises.contents import EXERCISES, LESSON_03
    from course.start import lay_down

    axe = chosen.axe.read_text(encoding="utf-8") if chosen.axe else ""
    if chosen.shots:
        chosen.shots.mkdir(parents=True, exist_ok=True)
    open_page = runpy.run_path(str(chosen.driver))["Browser"]
    faults = []
    for width in WIDTHS:
        print(f"{width} pixels")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            browser = open_page(f"{folder}/chromium")
            lab = Lab(lay_down(f"{folder}/my-course"), browser, width)
            steps = Steps(browser, width, axe, chosen.shots)
            try:
                read_a_lesson(lab, steps, EXERCISES[SOLVED], LESSON_03)
            finally:
                lab.close()
                browser.close()
        faults += steps.faults
    print(f"{len(faults)} faults", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
