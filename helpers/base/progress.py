"""How far a long piece of work is: one bar, in a terminal and in a notebook, and nowhere else."""

import os
import sys
import warnings
from collections.abc import Iterable

PATIENCE = 2.0
"""Seconds after which a bar appears: what is done by then needs none."""


def progress(things: Iterable | None = None, **options: object):
    """`things` with a bar of tqdm over them; without them a bar for `update`, with its `total`.

    It is shown where somebody looks on, in a terminal or a notebook, once two seconds have passed, and taken
    away at the end. `TQDM_DISABLE=1` switches it off, for notebooks whose outputs are kept. `options` are
    tqdm's: `desc`, `unit`, `total`.

    >>> list(progress([1, 2], desc="counting"))
    [1, 2]
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets a notebook gets a bar of text
        from tqdm.auto import tqdm

    shown = os.environ.get("TQDM_DISABLE", "0") in ("", "0") and (_in_a_notebook() or _in_a_terminal())
    return tqdm(things, **{"leave": False, "delay": PATIENCE, "disable": not shown} | options)


def _in_a_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _in_a_notebook() -> bool:
    """Whether this is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return hasattr(shell, "kernel")
