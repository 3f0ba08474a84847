"""The frame of a browser of queries: its style, its script, how it is saved. What stands in it is made in `failures.browser`.

The script is the same for every output but for the id; all that it shows it reads from the HTML. So no text of a document
or query ever stands inside a script.
"""

import hashlib
import re
from html import escape
from pathlib import Path

from helpers.base import replaced

STYLE = """<style>
#ID table{border-collapse:collapse;margin:.3em 0;table-layout:auto}
#ID th,#ID td{text-align:left;padding:1px .7em 1px 0;vertical-align:top}
#ID details details{margin:.2em 0 .2em 1em}
#ID summary{cursor:pointer}
#ID label{margin-right:1em}
#ID td b,#ID td:last-child{white-space:nowrap}
</style>"""
SCRIPT = """<script>
document.querySelectorAll('[id="ID"]').forEach(function (root) {
  if (root.dataset.ready) return;
  root.dataset.ready = "yes";
  var items = Array.from(root.querySelectorAll("details[data-query]")), boxes = {};
  var bar = root.querySelector("[data-controls]"), count = document.createElement("output");
  function box(name, label, values) {
    var holder = document.createElement("label"), select = document.createElement("select");
    [["", "all"]].concat(values).forEach(function (pair) { select.add(new Option(pair[1], pair[0])); });
    select.name = name;
    select.style.maxWidth = "24em";
    select.addEventListener("change", choose);
    holder.append(label + " ", select);
    bar.append(holder);
    boxes[name] = select;
  }
  function all(name) {
    var values = new Set(items.flatMap(function (item) { return item.dataset[name].split("|"); }));
    return Array.from(values).sort().map(function (value) { return [value, value]; });
  }
  function choose() {
    var query = boxes.query.value, kind = boxes.kind.value, cause = boxes.causes.value;
    var shown = items.filter(function (item) {
      var data = item.dataset;
      item.hidden = (query && data.query !== query) || (kind && data.kind !== kind) ||
        (cause && !data.causes.split("|").includes(cause));
      item.querySelectorAll("[data-cause]").forEach(function (miss) { miss.open = miss.dataset.cause === cause; });
      return !item.hidden;
    });
    shown.forEach(function (item) { item.open = shown.length === 1; });
    count.textContent = shown.length + " of " + items.length + " queries";
  }
  box("query", "Query", items.map(function (item) { return [item.dataset.query, item.dataset.label]; }));
  box("kind", "Kind", all("kind"));
  box("causes", "Cause", all("causes"));
  count.setAttribute("aria-live", "polite");
  bar.append(count);
  choose();
});
</script>"""
HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>TITLE</title>
<style>:root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;max-width:80em;margin:1em auto;padding:0 1em}</style>
</head><body>
"""
_TAG = re.compile(r"<(script|style)\b.*?(?:</\1>|$)|</?[a-z][^<>]*>", re.DOTALL | re.IGNORECASE)
"""What stands in a name as markup, for those that read titles without minding what was escaped."""


class Browser:
    """What `browse` gives: shown by a notebook, kept by `save`. The same reports give the same text, to the last character."""

    def __init__(self, title: str, body: str):
        name = f"browse-{hashlib.sha256(body.encode()).hexdigest()[:10]}"
        parts = STYLE.replace("ID", name), f'<div id="{name}">{body}</div>', SCRIPT.replace("ID", name)
        self.title, self.html = title, "\n".join(parts)

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"{self.title} (to be seen in a notebook, or in a browser after save(path))"

    def save(self, path: str | Path) -> Path:
        """Writes a page that stands by itself; it needs nothing beside it and no network. Returns its path."""
        with replaced(path) as beside:
            title = escape(" ".join(_TAG.sub(" ", self.title).split()))  # one line of plain words
            page = f"{HEAD.replace('TITLE', title)}{self.html}\n</body></html>\n"
            beside.write_text(page, encoding="utf-8", newline="\n")
        return Path(path)
