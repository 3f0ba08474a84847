"""What a gate found, for the page of a CI job: in Markdown, and as JUnit XML."""

from collections.abc import Mapping
from xml.etree import ElementTree

import pandas as pd

from helpers.base import counted, escape_markdown, markdown_table
from helpers.stats import CANNOT_TELL, WORSE
from workbench.reports.gate import LIGHTS, GateResult, GateRow

_NAMED = 20


def gate_markdown(results: Mapping[str, GateResult], fail_if_unsure: bool = False) -> str:
    """Each candidate's answer, its table of limits, its notes, and the queries that got worse.

    `results` is `{candidate: what gate found}`. `fail_if_unsure` is said beside an answer that cannot tell.

    >>> from helpers.stats import NOT_WORSE
    >>> row = GateRow("MRR", 0.5, 0.75, -0.25, -0.3, -0.2, 0.02, NOT_WORSE)
    >>> found = {"new": GateResult("new against old", 0.9, rows=[row], regressions=[], notes=[])}
    >>> gate_markdown(found).splitlines()[0]
    '## Retrieval gate: GREEN, better (new)'
    """
    return (
        "\n\n".join(part for name, one in results.items() for part in _parts(name, one, fail_if_unsure))
        + "\n"
    )


def _parts(name: str, found: GateResult, fail_if_unsure: bool) -> list[str]:
    stops = ", which stops here" if found.answer == CANNOT_TELL and fail_if_unsure else ""
    light = f"{found.said}{stops}"
    parts = [f"## Retrieval gate: {light} ({escape_markdown(name)})", escape_markdown(found.title)]
    parts.append(markdown_table(pd.DataFrame([_cells(row, found.confidence) for row in found.rows])))
    parts += [f"- {escape_markdown(note)}" for note in found.notes]
    if found.regressions:
        parts.append(f"### {counted(len(found.regressions), 'query', 'queries')} got worse")
        rows = [
            {
                "query": one.query_id,
                "text": one.text,
                "moved": f"{one.metric} {one.before:.3f} to {one.after:.3f}",
                "why": " / ".join(one.causes),
            }
            for one in found.regressions[:_NAMED]
        ]
        parts.append(markdown_table(pd.DataFrame(rows), n_labels=4))
    if len(found.regressions) > _NAMED:
        parts.append(f"and {len(found.regressions) - _NAMED:,} more")
    return parts


def _cells(row: GateRow, confidence: float) -> dict[str, str]:
    return {
        "metric": row.metric,
        "baseline": f"{row.baseline:.3f}",
        "candidate": f"{row.candidate:.3f}",
        "drop": f"{row.drop:+.3f}",
        f"{100 * confidence:.3g} % interval": f"{row.low:+.3f} to {row.high:+.3f}",
        "limit": f"{row.limit:.3f}",
        "answer": row.said,
    }


def gate_junit(results: Mapping[str, GateResult], fail_if_unsure: bool = False) -> str:
    """One test case a candidate and limit: worse is a failure, "cannot tell" is skipped, or a failure too
    with `fail_if_unsure`. The text of the whole gate is in `system-out`.

    >>> from helpers.stats import NOT_WORSE
    >>> row = GateRow("MRR", 0.5, 0.75, -0.25, -0.3, -0.2, 0.02, NOT_WORSE)
    >>> found = {"new": GateResult("new against old", 0.9, rows=[row], regressions=[], notes=[])}
    >>> ElementTree.fromstring(gate_junit(found))[0].attrib
    {'name': 'retrieval gate: new', 'tests': '1', 'failures': '0', 'skipped': '0', 'errors': '0'}
    """
    suites = ElementTree.Element("testsuites")
    for name, found in results.items():
        answers = [row.answer for row in found.rows]
        unsure = answers.count(CANNOT_TELL)
        failures = answers.count(WORSE) + (unsure if fail_if_unsure else 0)
        counts = {"tests": len(answers), "failures": failures, "skipped": 0 if fail_if_unsure else unsure}
        facts = {"name": f"retrieval gate: {_xml(name)}"} | {key: str(n) for key, n in counts.items()}
        suite = ElementTree.SubElement(suites, "testsuite", facts | {"errors": "0"})
        for row in found.rows:
            _add_case(suite, name, row, found, fail_if_unsure)
        ElementTree.SubElement(suite, "system-out").text = _xml(found.text())
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(
    suite: ElementTree.Element, name: str, row: GateRow, found: GateResult, fail_if_unsure: bool
) -> None:
    limit = f"{row.metric} may drop by {row.limit:g}"
    case = ElementTree.SubElement(suite, "testcase", {"classname": _xml(name), "name": _xml(limit)})
    if row.answer not in (WORSE, CANNOT_TELL):
        return
    tag = "failure" if row.answer == WORSE or fail_if_unsure else "skipped"
    ends = f"{100 * found.confidence:.3g} % interval {row.low:+.3f} to {row.high:+.3f}"
    said = f"{LIGHTS[row.answer]}, {row.answer}: drop {row.drop:+.3f}, {ends}, limit {row.limit:g}"
    ElementTree.SubElement(case, tag, {"message": _xml(said)})


def _xml(text: str) -> str:
    """A text without what XML 1.0 cannot hold."""
    return "".join(
        char if char in "\t\n\r" or char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text
    )
