"""Opens pages of a finished site in a real Chromium: `python site/browser.py build/site [PAGE ...]`.

Says which page asked for anything but files of the site, wrote an error to the console, or is wider than the
screen, on a desktop and on a phone, light and dark. With `--axe`, the script of the npm package axe-core, it
prints the serious findings of that too; with `--shots` it leaves a picture of each.
"""

import argparse
import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TEN = (
    "index notebooks/01_corpus_and_labels notebooks/03_metrics notebooks/05_error_analysis GLOSSARY results "
    "api/helpers.stats course/instructor/session_1 interactive/ranking interactive/power"
).split()
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --remote-debugging-port=0 --remote-allow-origins=* "
    "--allow-file-access-from-files --hide-scrollbars"
).split()
SCREENS = {"desktop": (1280, 900), "phone": (390, 844)}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SETTLED = "document.readyState === 'complete'"
AXE = """
axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}).then(found =>
  found.violations.map(v =>
    [v.impact, v.id, v.help, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)), v.nodes.length]))"""


class Browser:
    """A Chromium of our own with one page, spoken to over its DevTools protocol."""

    def __init__(self, folder: str):
        import websocket  # jupyter-server needs it, so it is there

        program = (
            shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        )
        if program is None:
            raise SystemExit("no Chromium on this machine")
        command = [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        port_file = Path(folder, "DevToolsActivePort")
        while not port_file.exists() or "\n" not in port_file.read_text():
            time.sleep(0.1)
        port, path = port_file.read_text().splitlines()[:2]
        self.socket = websocket.create_connection(f"ws://127.0.0.1:{port}{path}", timeout=300)
        self.number, self.session, self.requests, self.errors = 0, None, [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters) -> dict:
        """Sends one command and waits for its answer; what the page tells meanwhile is noted."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        self.socket.send(json.dumps(message | ({"sessionId": self.session} if self.session else {})))
        while (answer := json.loads(self.socket.recv())).get("id") != self.number:
            self._note(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _note(self, event: dict) -> None:
        told = event.get("params", {})
        if event["method"] == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif event["method"] == "Runtime.exceptionThrown":
            self.errors.append(told["exceptionDetails"]["exception"].get("description", "?")[:200])
        elif event["method"] == "Network.loadingFailed" and not told.get("canceled"):
            self.errors.append(f"not loaded: {told.get('errorText')}")

    def value(self, expression: str):
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return found["result"].get("value")

    def open(self, address: str) -> None:
        self.requests, self.errors = [], []
        self.call("Page.navigate", url=address)
        while not self.value(SETTLED):
            time.sleep(0.1)
        time.sleep(0.3)

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait()


def look(
    browser: Browser, site: Path, name: str, screen: str, scheme: str, axe: str, shots: Path | None
) -> list[str]:
    """What is wrong with one page on one screen in one scheme of colours."""
    width, height = SCREENS[screen]
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=1,
        mobile=screen == "phone",
    )
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open((site / f"{name}.html").as_uri())
    where = f"{name}, {screen}, {scheme}"
    home = site.as_uri()
    faults = [
        f"{where}: asked for {url[:100]}"
        for url in browser.requests
        if not url.startswith((home, "data:", "blob:"))
    ]
    faults += [f"{where}: {error}" for error in browser.errors]
    if (more := browser.value(WIDER)) > 0:
        faults.append(f"{where}: {more} pixels wider than the screen")
    if axe:
        browser.value(axe)
        for impact, rule, words, nodes, n in browser.value(AXE):
            if impact in ("serious", "critical"):
                faults.append(f"{where}: axe {impact}: {rule} ({words}), {n} times, e.g. {nodes}")
    if shots:
        picture = browser.call("Page.captureScreenshot", format="png")["data"]
        file = shots / f"{re.sub('[^a-z0-9_]+', '-', name.lower())}-{screen}-{scheme}.png"
        file.write_bytes(base64.b64decode(picture))
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("pages", nargs="*", default=TEN, help="without .html; default: ten of them")
    parser.add_argument("--axe", type=Path, help="axe.min.js of the npm package axe-core")
    parser.add_argument("--shots", type=Path, help="a folder for pictures")
    chosen = parser.parse_args()
    axe = chosen.axe.read_text(encoding="utf-8") if chosen.axe else ""
    if chosen.shots:
        chosen.shots.mkdir(parents=True, exist_ok=True)
    faults = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            for name in chosen.pages:
                for screen in SCREENS:
                    for scheme in ("light", "dark"):
                        faults += look(
                            browser, chosen.site.resolve(), name, screen, scheme, axe, chosen.shots
                        )
        finally:
            browser.close()
    print(
        f"{len(chosen.pages)} pages, {len(SCREENS)} screens, light and dark: {len(faults)} faults",
        *faults,
        sep="\n",
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
