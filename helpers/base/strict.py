"""Records that refuse what they do not know, and how pydantic's findings are said."""

from collections.abc import Callable, Mapping
from reprlib import repr as shortened

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError


class _InWords(type(BaseModel)):
    """Says in words what is wrong where a record is made; where one is read, its reader does."""

    def __call__(cls, *values: object, **fields: object) -> BaseModel:
        if values:
            names = ", ".join(f"{name}=…" for name in cls.model_fields)
            raise ValueError(f"{cls.__name__} takes its fields by name: {cls.__name__}({names})")
        for name, one in fields.items():
            if hasattr(one, "columns") and hasattr(one, "to_dict"):
                raise ValueError(f"{cls.__name__}: {name} is a table; needed its rows, .to_dict('records')")
        # A number of NumPy's is the number, and no other type.
        fields = {name: one.item() if isinstance(one, np.generic) else one for name, one in fields.items()}
        try:
            return super().__call__(**fields)
        except ValidationError as error:
            raise ValueError(f"{cls.__name__}: {'; '.join(_wrong_fields(cls, error))}") from error


class Strict(BaseModel, metaclass=_InWords):
    """A record that refuses unknown keys and values of another type.

    >>> class Limits(Strict):
    ...     items: int
    >>> Limits(items="5")
    Traceback (most recent call last):
    ValueError: Limits: items: needed a whole number, found '5'; write it without quotes
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def __hash__(self) -> int:
        return hash(self.model_dump_json())  # pydantic's own takes no field that is a dict or a list

    def __setattr__(self, name: str, value: object) -> None:
        kind = type(self).__name__
        raise ValueError(f"a {kind} stays as it was made; for another {name} make a new {kind}")


def _wrong_fields(cls: type[BaseModel], error: ValidationError) -> list[str]:
    """What is wrong with a record that is made in Python: what is about all of it has no place, and of fields
    that it does not have, those that it has are named."""
    said = [one.removeprefix(f"{_WHOLE_LINE}: ") for one in invalid_fields(error)]
    if any(one["type"] == "extra_forbidden" and len(one["loc"]) == 1 for one in error.errors()):
        said[-1] += f"; there are {', '.join(cls.model_fields)}"
    return said


def invalid_fields(error: ValidationError) -> list[str]:
    """What pydantic found, each with its field: `judgments.0.grade: needed 2 or less, found 3`."""
    return [
        f"{'.'.join(map(str, found['loc'])) or _WHOLE_LINE}: {finding_in_words(found)}"
        for found in findings(error)
    ]


def findings(error: ValidationError) -> list[Mapping]:
    """What pydantic found, but for lists that it calls too short because their elements are wrong: those are
    findings of their own."""
    found = error.errors()
    wrong = {one["loc"] for one in found}
    return [
        one
        for one in found
        if one["type"] != "too_short" or not any(_is_inside(other, one["loc"]) for other in wrong)
    ]


def _is_inside(place: tuple, of: tuple) -> bool:
    return len(place) > len(of) and place[: len(of)] == of


def finding_in_words(found: Mapping, show: Callable[[object], str] = shortened) -> str:
    """One finding of pydantic as people say it: what was needed, and what was found there.

    >>> finding_in_words({"type": "string_type", "input": 7, "msg": "Input should be a valid string"})
    'needed text, found 7'
    """
    if found["type"] == "value_error":
        return str(found["ctx"]["error"])
    if found["type"] in _WHOLE:
        return _WHOLE[found["type"]]
    needed = found["msg"]
    if found["type"] in _NEEDED:
        needed = _NEEDED[found["type"]].format_map(found.get("ctx", {}))
    if found["type"] == "string_pattern_mismatch":
        needed = _PATTERNS.get(found["ctx"]["pattern"], needed)
    as_text = found["type"] in _NUMBERS and isinstance(found["input"], str)
    cure = "; write it without quotes" if as_text and found["input"].strip("+-").isdecimal() else ""
    return f"{needed}, found {show(found['input'])}{cure}"


_WHOLE_LINE = "the line"
_NUMBERS = ("int_type", "float_type", "finite_number")
_WHOLE = {"missing": "is missing", "extra_forbidden": "there is no such key"}
_OBJECT, _LIST = "needed a JSON object, {{…}}", "needed a list, […]"
_NEEDED = {
    "bool_type": "needed true or false",
    "dict_type": _OBJECT,
    "finite_number": "needed a finite number",
    "float_type": "needed a number",
    "greater_than_equal": "needed {ge} or more",
    "int_from_float": "needed a whole number",
    "int_type": "needed a whole number",
    "less_than_equal": "needed {le} or less",
    "list_type": _LIST,
    "literal_error": "needed {expected}",
    "model_attributes_type": _OBJECT,
    "model_type": _OBJECT,
    "string_pattern_mismatch": "needed text of the form {pattern}",
    "string_type": "needed text",
    "string_unicode": "needed text, without halves of surrogate pairs",
    "string_too_short": "needed {min_length} character or more",
    "too_short": "needed {min_length} or more of them",
    "tuple_type": _LIST,
}
"""By the type of pydantic's finding; what it counts stands in its context."""
_PATTERNS = {r"\S": "needed text that is not blank", r"^\S+$": "needed text without a blank"}
