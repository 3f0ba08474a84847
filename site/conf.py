"""The settings of Sphinx. `build.py` lays the sources out and calls it; nothing is ever fetched."""

import importlib.util
import sys
from pathlib import Path

from sphinx.util.fileutil import copy_asset

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import pages  # noqa: E402

project = "Measure First"
author = "The Measure First authors"
copyright = "the Measure First authors. Code: MIT. Text and collections: CC BY 4.0"
language = "en"
root_doc = "index"

extensions = ["myst_nb", "sphinx.ext.mathjax", "sphinx_copybutton"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
templates_path = [str(HERE / "_templates")]
html_static_path = [str(HERE / "_static")]
html_css_files = ["site.css"]
html_js_files = ["site.js"]

# The notebooks are shown as they were stored; the site runs nothing.
nb_execution_mode = "off"
nb_ipywidgets_js = {}
myst_enable_extensions = ["dollarmath", "attrs_block", "attrs_inline", "colon_fence"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["ref.python"]  # a type that two rooms have, in a signature

html_theme = "sphinx_book_theme"
html_title = "Measure First"
html_show_sourcelink = False
html_copy_source = False
html_show_search_summary = False  # a page opened as a file cannot read others
toc_object_entries = False  # a page of the packages has many names; its contents are in the search
html_theme_options = {
    "max_navbar_depth": 1,  # what stands below a page is listed on it
    "show_toc_level": 2,
    "home_page_in_toc": True,
    "use_download_button": False,
    "use_fullscreen_button": False,
    "article_footer_items": ["conventions.html"],
    "search_bar_text": "Search the course",
    "navbar_persistent": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"conventions": pages.conventions()}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# MathJax, Apache License 2.0, from the package sphinx-mathjax-offline: one script and its fonts of its 15 MB.
# Without the menu it asks for no other file.
mathjax_path = "mathjax/tex-chtml.js"
mathjax3_config = {"options": {"enableMenu": False}}
MATHJAX_FILES = ["tex-chtml.js", "output/chtml/fonts/woff-v2"]


def _mathjax_folder() -> Path:
    """Where the package has MathJax. Its name holds hyphens, so that it cannot be imported by a statement."""
    return Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"


def _copy_mathjax(app, error):
    if error is None:
        for name in MATHJAX_FILES:
            target = Path(app.outdir) / "_static" / "mathjax" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            copy_asset(_mathjax_folder() / name, target if "." not in name else target.parent)


def _read(app, docname, source):
    source[0] = pages.prepared(docname, source[0], Path(app.srcdir))


def setup(app):
    app.connect("source-read", _read)
    app.connect("build-finished", _copy_mathjax)
