"""Both command lines of the project for tests: their verbs and parsers, and `main` for either."""

import course.__main__
import workbench.__main__
from workbench.commands.arguments import parser_of

MAINS = {"course": course.__main__.main, "workbench": workbench.__main__.main}
PARSERS = {
    "course": parser_of("python -m course", "", course.__main__.VERBS),
    "workbench": parser_of("python -m workbench", "", workbench.__main__.VERBS),
}
VERBS = {
    name: {
        verb: parser
        for action in parser._actions
        if action.dest == "verb"
        for verb, parser in action.choices.items()
    }
    for name, parser in PARSERS.items()
}
"""`{program: {verb: its parser}}`"""

PROGRAM_OF = {verb: name for name, verbs in VERBS.items() for verb in verbs}
EXAMPLES = {
    verb: example
    for module in (*course.__main__.VERBS, *workbench.__main__.VERBS)
    for verb, example in module.EXAMPLES.items()
}


def main(line: list[str]) -> int:
    """Obeys a line with the program that has its verb; one without a verb goes to the workbench."""
    return MAINS[PROGRAM_OF.get(line[0] if line else "", "workbench")](line)
