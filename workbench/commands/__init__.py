"""What the verbs of `python -m workbench` do, and what any command line of ours shares."""

from workbench.commands.arguments import check_output, run_command_line, table_text
