"""What the site shows, and what is done to a page before Sphinx reads it. Plain text in, plain text out.

Pages keep the places that they have in the repository, so that their links to each other hold. What is a
page, and where it stands in the contents, is said by patterns: a new lesson is there as soon as its file is.
"""

import inspect
import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

ROOT = Path(__file__).resolve().parents[1]

PAGES = (
    "notebooks/*.ipynb",
    "evals/*.ipynb",
    "*.md",
    "course/*.md",
    "course/instructor/*.md",
    "evals/*.md",
    "evals/benchmarks/*.md",
    "evals/beir/*/*.md",
    "evals/models/*/*.md",
    "workbench/recipes.md",
)
NO_PAGES = {Path("README.md"), Path("notebooks/start.ipynb")}
"""The README is a part of the first page; the other lists the lessons for JupyterLab. Links to
either lead to the first page."""

CHILDREN = {
    "course/instructor/README": ["/course/instructor/*"],
    "evals/README": ["/evals/*", "/evals/benchmarks/*", "/evals/beir/*/README", "/evals/models/*/README"],
    "api": ["/api/*"],
}
"""Pages whose list of pages stands below them, and not in the contents of the first page."""


def documents(root: Path = ROOT) -> list[Path]:
    """The files of the repository that become pages, relative to its root."""
    found = {path.relative_to(root) for pattern in PAGES for path in root.glob(pattern)}
    return sorted(found - NO_PAGES)


def conventions() -> str:
    """The conventions that hold where a page says nothing else."""
    from helpers.evaluation import TREC

    return str(TREC)


# What is done to each page.


def prepared(name: str, source: str, root: Path) -> str:
    """The source of one page as Sphinx shall read it. `name` is its path without the ending."""
    folder = (root / name).parent
    if (root / f"{name}.ipynb").exists():
        return _prepared_notebook(name, source, root)
    if name == "GLOSSARY":
        source = with_back_links(source, uses_of_terms(root)).replace("\n### ", "\n## ")
    source = escaped_dollars(own_links(source, folder, root))
    return source + _children(name)


def _prepared_notebook(name: str, source: str, root: Path) -> str:
    notebook = json.loads(source)
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = own_links(display_math(text), (root / name).parent, root)
        else:
            _prepare_code(cell, text)
    first = notebook["cells"][0]
    first["source"] = with_facts(first["source"], Path(name).name)
    return json.dumps(notebook)


def _prepare_code(cell: dict, text: str) -> None:
    """The alternative text of a figure goes where MyST-NB looks for it; an open exercise says nothing."""
    if "alt" in cell["metadata"]:
        cell["metadata"]["mystnb"] = {"image": {"alt": cell["metadata"]["alt"]}}
    if "TODO" in text and re.search(r"\.(check|answer)\(", text):
        cell["metadata"].setdefault("tags", []).append("exercise")
        cell["outputs"] = []


def with_facts(text: str, name: str) -> str:
    """How long a lesson takes, its conventions and its notebook, in a line below its heading."""
    heading, _, rest = text.partition("\n")
    takes = re.search(r"\*\*Takes\*\* (about [^;.]+)", text)
    facts = [takes[1][0].upper() + takes[1][1:]] if takes else []
    facts.append('<a href="#conventions">conventions of the numbers</a>')
    facts.append(f"{{download}}`the notebook to run <{name}.ipynb>`")
    return f"{heading}\n\n{{.facts}}\n{' · '.join(facts)}\n{rest}"


def display_math(text: str) -> str:
    """Formulas between double dollars as paragraphs of their own, which MyST asks for.

    >>> display_math("the sum:\\n$$a + b$$\\nand so on")
    'the sum:\\n\\n$$a + b$$\\n\\nand so on'
    """
    return re.sub(r"\n*^(\$\$.+?\$\$)[ ]*$\n*", r"\n\n\1\n\n", text, flags=re.M | re.S).strip("\n")


def escaped_dollars(text: str) -> str:
    """A page of plain Markdown has no formulas: outside of code a dollar is a dollar.

    >>> escaped_dollars("5 $ and `$HOME`")
    '5 \\\\$ and `$HOME`'
    """
    parts = re.split(r"(```.+?```|`[^`]+`|^ {4}.*$)", text, flags=re.S | re.M)
    return "".join(part if n % 2 else part.replace("$", r"\$") for n, part in enumerate(parts))


def own_links(text: str, folder: Path, root: Path) -> str:
    """A link to what is no page goes to the first one; a link to a folder becomes its words."""
    to_first = {root / path for path in NO_PAGES}

    def replaced(match: re.Match) -> str:
        words, target, anchor = match.groups()
        path = (folder / target).resolve()
        if path in to_first:
            return f"[{words}]({_relative(root / 'index.md', folder)}{anchor or ''})"
        return words if path.is_dir() else match[0]

    return re.sub(r"\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)", replaced, text)


def _relative(path: Path, folder: Path) -> str:
    return "../" * len(folder.resolve().relative_to(path.parent).parts) + path.name


def _children(name: str) -> str:
    """The contents of a page that has others below it."""
    entries = "\n".join(CHILDREN.get(name, []))
    toctree = f"```{{toctree}}\n:maxdepth: 1\n:glob:\n\n{entries}\n```\n"
    return f"\n\n## All pages\n\n{toctree}" if entries else ""


# The glossary, and where its terms are used.


def anchor(heading: str) -> str:
    """The anchor of a heading.

    >>> anchor("O'Brien–Fleming boundary"), anchor("Judged@k")
    ('obrienfleming-boundary', 'judgedk')
    """
    return re.sub(r"[^\w\- ]", "", heading.lower().replace("`", "")).strip().replace(" ", "-")


def uses_of_terms(root: Path = ROOT) -> dict[str, list[str]]:
    """For each anchor of the glossary, links to the sections that link to it."""
    uses: dict[str, list[str]] = {}
    for path in documents(root):
        if path.name == "GLOSSARY.md":
            continue
        title, section = "", ""
        for line in _prose(root / path).splitlines():
            if heading := re.match(r"#+ (.+)", line):
                section = _words(heading[1])
                title = title or section
            for term in re.findall(r"GLOSSARY\.md#([^)\s]+)", line):
                where = f"[{title}]({path.as_posix()})"
                if section != title:
                    words = re.sub(r"^\d+ ", "", section)
                    where = f"{_short(title)}, [{words}]({path.as_posix()}#{anchor(section)})"
                if where not in uses.setdefault(term, []):
                    uses[term].append(where)
    return uses


def with_back_links(glossary: str, uses: dict[str, list[str]]) -> str:
    """The glossary with a line under each entry that says where the term is linked."""

    def with_line(match: re.Match) -> str:
        found = uses.get(anchor(match[1]), [])
        return f"{match[0]}\n\n{{.back-links}}\nUsed in {'; '.join(found)}.\n" if found else match[0]

    return re.sub(r"^### (.+)\n\n.+$", with_line, glossary, flags=re.M)


def _prose(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def _words(heading: str) -> str:
    """A heading without its links and stars."""
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", heading).replace("*", "").strip()


def _short(title: str) -> str:
    return title.partition(" · ")[0]


# Pages that are made.


def home(readme: str, pieces: str) -> str:
    """The first page: the README, the pieces to try before its commands, and the contents of the site."""
    before, commands, after = readme.partition("## Two commands")
    tried, _, contents = pieces.partition("<!-- contents -->")
    return f"{before}{tried.strip()}\n\n{commands}{after}\n{contents}"


def results_page(folder: Path = ROOT / "evals" / "results") -> str:
    """Every stored result of the lessons in a table, with what it was measured on and how."""
    from helpers.evaluation import load_results, provenance, results_table

    parts = [
        "# Results\n\nWhat the stored run of each lesson measured. The numbers in the lessons and on the "
        "first page come from these files. Empty: not measured, or nothing was published.\n"
    ]
    for path in sorted(folder.glob("*.json")):
        rows, lesson = load_results(path), f"notebooks/{path.stem}.ipynb"
        if rows and (ROOT / lesson).exists():
            table = results_table(rows).astype(object)
            table = table.where(table.notna(), "").to_markdown(
                index=False, floatfmt=".4f", disable_numparse=[0, 1]
            )
            about = "\n".join(f"- {line}" for line in provenance(rows))
            title = re.search("^# (.+)", _prose(ROOT / lesson))[1]
            parts.append(f"## {_short(title)}\n\n[{title}]({lesson})\n\n{table}\n\n{about}\n")
    return "\n".join(parts)


def api_pages() -> dict[str, str]:
    """A page for each room of `helpers` and `workbench` with what its door offers, by docstrings."""
    pages, rows = {}, {"helpers": [], "workbench": []}
    for package, listed in rows.items():
        for room in iter_modules(import_module(package).__path__):
            if room.name.startswith("_"):
                continue
            door = import_module(f"{package}.{room.name}")
            offered = _offered(door)
            if offered:
                pages[f"api/{door.__name__}.md"] = _door_page(door, offered)
                listed.append(f"| [`{door.__name__}`](api/{door.__name__}.md) | {_first_line(door)} |")
    head = "| room | what lives there |\n|---|---|\n"
    parts = [f"## `{name}`\n\n{head}" + "\n".join(listed) + "\n" for name, listed in rows.items()]
    pages["api.md"] = API_INTRODUCTION + "\n".join(parts)
    return pages


API_INTRODUCTION = """# The packages

What the rooms of `helpers`, which the lessons share, and of `workbench`, which you run on your own documents,
offer at their doors. The examples are run by the tests, so they print what is shown.

"""


def _offered(door) -> dict[str, object]:
    """What a door offers, by name: functions and classes of its room, in the order in which it names them."""
    return {
        name: value
        for name, value in vars(door).items()
        if not name.startswith("_")
        and (inspect.isfunction(value) or inspect.isclass(value))
        and f"{value.__module__}.".startswith(f"{door.__name__}.")
    }


def _door_page(door, offered: dict[str, object]) -> str:
    modules = sorted({value.__module__.replace(".", "/") for value in offered.values()})
    files = [f"{name}.py" if (ROOT / f"{name}.py").exists() else f"{name}/__init__.py" for name in modules]
    source = ", ".join(f"{{download}}`{file} <../{file}>`" for file in files)
    parts = [f"# {door.__name__}\n", f"```{{py:module}} {door.__name__}\n```\n", inspect.getdoc(door) or ""]
    parts.append(f"\nThe code: {source}.\n")
    for name, value in offered.items():
        kind = "class" if inspect.isclass(value) else "function"
        parts.append(_directive(kind, name, value, 4))
        if kind == "class":
            members = [(n, m) for n, m in vars(value).items() if n[0] != "_" and _has_own_docstring(m)]
            inside = [_directive(_member_kind(m), n, m, 3) for n, m in members]
            parts[-1] = parts[-1].replace(END, "\n" + "\n".join(inside).replace(END, "") + END)
        parts[-1] = parts[-1].replace(END, "")
    return "\n".join(parts)


END = "<!-- members -->"


def _directive(kind: str, name: str, value, ticks: int) -> str:
    """A directive of Sphinx's Python domain, with the docstring, which is Markdown, as its content."""
    fence, said = ":" * ticks, examples_fenced(inspect.getdoc(value) or "")
    return f"{fence}{{py:{kind}}} {name}{_signature(kind, value)}\n\n{said}\n{END}\n{fence}\n"


def _signature(kind: str, value) -> str:
    if kind == "property":
        return ""
    value = getattr(value, "__func__", value)
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        return ""
    signature = re.sub(r"<[^<>]*?(\w+) at 0x[0-9a-f]+>", r"\1", signature)
    signature = re.sub(r"\b(?:[a-z_]\w*\.)+([A-Z]\w*)", r"\1", signature)
    return (
        re.sub(r"^\((?:self|cls)(?:, )?", "(", signature)
        if kind != "class"
        else signature.partition(" ->")[0]
    )


def _member_kind(member) -> str:
    return "property" if isinstance(member, property) else "method"


def _has_own_docstring(member) -> bool:
    member = getattr(member, "__func__", member)
    return (inspect.isfunction(member) or isinstance(member, property)) and bool(member.__doc__)


def examples_fenced(docstring: str) -> str:
    """A docstring with each example as a block of code, up to the empty line that ends it."""
    blocks = re.split(r"(?:(?<=\n)|^)(>>> .+?)(?=\n\n|\Z)", docstring, flags=re.S)
    return "".join(f"```pycon\n{block}\n```" if n % 2 else block for n, block in enumerate(blocks))


def _first_line(door) -> str:
    return " ".join((inspect.getdoc(door) or "").partition("\n\n")[0].split()).replace("|", r"\|")
