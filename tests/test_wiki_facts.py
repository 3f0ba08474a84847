"""The wiki's figures close over its pages: sizes follow from rates, sums from their parts, names agree.

Each fact of `data/wiki_facts.json` is a sentence, where its numbers and words stand (a page and a pattern
with one group; `all` finds every match, on the page "*" in every page that is in force), and an expression.
"""

import json
import math
import re
from datetime import date
from pathlib import Path

import pytest

from helpers.base import files

FACTS = json.loads((Path(__file__).parent / "data" / "wiki_facts.json").read_text(encoding="utf-8"))
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(files.RUNBOOKS.glob("*.md"))}
PAGES["corpus_facts"] = (files.ROOT / "evals" / "corpus_facts.md").read_text(encoding="utf-8")


def found(page, pattern):
    match = re.search(pattern, PAGES[page])
    assert match, f"{page} has nothing like {pattern!r}"
    return match[1]


def everywhere(pages, pattern):
    in_force = [
        page for page in PAGES if page[:4] == "doc_" and "status: superseded" not in PAGES[page][:400]
    ]
    chosen = in_force if pages == "*" else pages
    return [(page, match) for page in chosen for match in re.findall(pattern, PAGES[page])]


@pytest.mark.parametrize("fact", FACTS, ids=[fact["what"] for fact in FACTS])
def test_the_pages_agree_that(fact):
    known = {"re": re, "math": math, "date": date}
    known |= {name: float(found(*where).replace(",", "")) for name, where in fact.get("numbers", {}).items()}
    known |= {name: found(*where) for name, where in fact.get("texts", {}).items()}
    known |= {name: everywhere(*where) for name, where in fact.get("all", {}).items()}
    assert eval(fact["check"], known) is True


def test_enough_is_checked_to_notice_a_figure_that_was_changed_on_one_page_only():
    assert len(FACTS) >= 40
    assert len({page for fact in FACTS for page in fact["pages"]}) >= 40
