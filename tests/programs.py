"""Both command lines of the project for tests: their verbs and parsers, and `main` for either."""

import argparse

import course.__main__
import workbench.__main__
import workbench.commands.program

PROGRAMS = {"course": course.__main__.PROGRAM, "workbench": workbench.commands.program.PROGRAM}
MAINS = {"course": course.__main__.main, "workbench": workbench.__main__.main}
PARSERS = {name: program.parser() for name, program in PROGRAMS.items()}
SUBPARSERS = {
    name: next(one for one in parser._actions if isinstance(one, argparse._SubParsersAction)).choices
    for name, parser in PARSERS.items()
}
"""`{program: {verb: its parser}}`"""

PROGRAM_OF = {verb: name for name, program in PROGRAMS.items() for verb in program.verbs}
VERBS = {verb: one for program in PROGRAMS.values() for verb, one in program.verbs.items()}


def main(line: list[str]) -> int:
    """Obeys a line with the program that has its verb; one without a verb goes to the workbench."""
    return MAINS[PROGRAM_OF.get(line[0] if line else "", "workbench")](line)
