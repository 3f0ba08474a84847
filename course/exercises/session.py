"""What was checked in this kernel: exercises by their function's name, questions by lesson and number."""

_right: dict[str, bool] = {}


def record(name: str, right: bool) -> None:
    """Remembers the latest check of an exercise or a question."""
    _right[name] = right


def is_right(name: str) -> bool:
    """Whether its latest check in this kernel was right; False for one that was not checked."""
    return _right.get(name, False)
