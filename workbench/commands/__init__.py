"""What the verbs of `workbench` do, and what any command line of ours shares."""

from workbench.commands.arguments import (
    ANALYZERS,
    check_output,
    existing_path,
    path_type,
    table_records,
    table_text,
    whole_number,
)
from workbench.commands.command_line import Answer, Program, Verb
