"""Builds the course as a site that needs no server and no network: `python site/build.py [--out DIR]`.

Needs the extra `site` (`pip install -e .[site]`). The pages are made from the stored outputs; nothing is run.
Ends with code 1 where Sphinx warned or the finished site is not as it must be (`check.py`).
"""

import argparse
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import check  # noqa: E402
import lab_data  # noqa: E402
import pages  # noqa: E402


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = pages.ROOT / "build" / "site"
    parser.add_argument("--out", type=Path, default=default, help="default: build/site; is replaced")
    out = parser.parse_args(arguments).out.resolve()
    try:
        from sphinx.cmd.build import main as sphinx
    except ImportError:
        print("the site needs Sphinx and a theme: pip install -e .[site]", file=sys.stderr)
        return 2
    if out.exists() and any(out.iterdir()) and not (out / "searchindex.js").exists():
        print(f"{out} holds something else than a site; give an empty folder, or a new one", file=sys.stderr)
        return 2
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        source, built = Path(temporary, "source"), Path(temporary, "site")
        lay_out(source)
        code = sphinx(["-q", "-W", "--keep-going", "-c", str(HERE), str(source), str(built)])
        if code:
            return code
        shutil.rmtree(built / ".doctrees", ignore_errors=True)
        (built / ".buildinfo").unlink(missing_ok=True)
        for unread in (built / "_static").rglob("*.map"):  # for those who debug the theme's scripts
            unread.unlink()
        (built / "_static" / "lab_data.js").write_text(lab_data.script(), encoding="utf-8")
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(built, out)
    found = check.check(out)
    print(f"{out}: built in {time.monotonic() - began:.0f} s; {found.summary}")
    print(*found.faults, sep="\n", end="\n" if found.faults else "")
    return 1 if found.faults else 0


def lay_out(source: Path) -> None:
    """Copies what becomes a page, and the files that these link to, into a folder that Sphinx reads."""
    documents = pages.documents()
    for path in documents:
        _copy(path, source)
    for path in documents + [Path("README.md")]:
        for link in re.findall(r"\]\(([^)#:\s\\]+)[)#]", (pages.ROOT / path).read_text(encoding="utf-8")):
            target = (pages.ROOT / path.parent / link).resolve()
            if target.is_file() and target.is_relative_to(pages.ROOT):
                _copy(target.relative_to(pages.ROOT), source)
            elif target.is_dir():
                (source / target.relative_to(pages.ROOT)).mkdir(parents=True, exist_ok=True)
    for path in (
        path for package in ("helpers", "workbench") for path in (pages.ROOT / package).rglob("*.py")
    ):
        _copy(path.relative_to(pages.ROOT), source)  # the pages of the packages link to their code
    shutil.copytree(HERE / "interactive", source / "interactive")
    readme = (pages.ROOT / "README.md").read_text(encoding="utf-8")
    made = {"index.md": pages.home(readme, (HERE / "index.md").read_text(encoding="utf-8"))}
    made |= {"results.md": pages.results_page(), **pages.api_pages()}
    for name, text in made.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    for path in pages.NO_PAGES:
        (source / path).unlink(missing_ok=True)


def _copy(path: Path, source: Path) -> None:
    (source / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(pages.ROOT / path, source / path)


if __name__ == "__main__":
    sys.exit(main())
