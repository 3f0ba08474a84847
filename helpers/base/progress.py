"""How far a long piece of work is: one bar, in a terminal and in a notebook, and nowhere else."""

import os
import sys
import time
import warnings
from collections.abc import Iterable, Iterator

PATIENCE = 2.0
"""Seconds after which a bar appears: what is done by then needs none."""


class Bar:
    """A bar of tqdm that is made once it is shown: in a notebook making one takes longer than a search."""

    def __init__(self, things: Iterable | None, shown: bool, delay: float, options: dict) -> None:
        self._things, self._shown = things, shown
        self._options = {"total": len(things) if hasattr(things, "__len__") else None} | options
        self._due, self._done, self._bar = time.monotonic() + delay, 0, None

    def update(self, n: int = 1) -> None:
        """Says that `n` more are done."""
        self._done += n
        if self._bar is not None:
            self._bar.update(n)
        elif self._shown and time.monotonic() >= self._due:
            # tqdm took its own default from the environment when it was imported.
            shown = {"leave": False, "disable": False}
            self._bar = _tqdm()(initial=self._done, **shown, **self._options)

    def __iter__(self) -> Iterator:
        with self:
            for thing in self._things:
                yield thing
                self.update()

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def progress(things: Iterable | None = None, *, delay: float = PATIENCE, **options: object) -> Bar:
    """`things` with a bar of tqdm over them; without them a bar for `update`, with its `total`.

    It is shown where somebody looks on, in a terminal or a notebook, once `delay` seconds have passed, and
    taken away at the end. `TQDM_DISABLE=1` switches it off, for notebooks whose outputs are kept. `options`
    are tqdm's: `desc`, `unit`, `total`.

    >>> list(progress([1, 2], desc="counting"))
    [1, 2]
    """
    wanted = os.environ.get("TQDM_DISABLE", "0") in ("", "0")
    return Bar(things, wanted and (_in_a_notebook() or _in_a_terminal()), delay, options)


def _tqdm() -> type:
    """tqdm's bar for a notebook or for a terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets a notebook gets a bar of text
        from tqdm.auto import tqdm

    return tqdm


def _in_a_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _in_a_notebook() -> bool:
    """Whether this is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return hasattr(shell, "kernel")
